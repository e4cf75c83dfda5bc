"""`fit_shard`: runs in every process of a fit, with any scheduler."""

import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import related_views

from treecca import TreeCCA, _core
from treecca.distributed import Tracker, fit_shard

pytest.importorskip("xgboost", reason="distributed fits use XGBoost's communicator")
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
SETTINGS = {"n_components": 2, "n_estimators": 30, "random_state": 0}


def run_over(n_workers, work):
    """work(config, rank) in a thread per worker; what each of them returned or raised."""
    results = {}
    with Tracker(n_workers, "127.0.0.1") as tracker:
        config = tracker.worker_config()

        def run(rank):
            try:
                results[rank] = work(config, rank)
            except BaseException as error:
                results[rank] = error

        threads = [threading.Thread(target=run, args=(rank,)) for rank in range(n_workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return results


def rows_of(views, rank):
    return [view[slice(0, 120) if rank == 0 else slice(120, None)] for view in views]


def test_two_workers_fit_the_model_of_one_process():
    views = related_views(300)
    one = TreeCCA(**SETTINGS).fit(views)
    results = run_over(2, lambda config, rank: fit_shard(rows_of(views, rank), TreeCCA(**SETTINGS), config, rank))
    assert results[0].model.to_bytes("json") == results[1].model.to_bytes("json")
    several = results[1].estimator()
    np.testing.assert_allclose(several.correlations_, one.correlations_, atol=1e-6)
    np.testing.assert_allclose(several.history_["tcc"], one.history_["tcc"], atol=1e-6)
    np.testing.assert_allclose(results[1].out_of_fold_variates[0], one.out_of_fold_variates_[0][120:], atol=1e-4)


def test_groups_are_integers():
    views = related_views(300)
    groups = np.arange(300) // 10
    one = TreeCCA(**SETTINGS).fit(views, groups=groups)

    def work(config, rank):
        mine = groups[:120] if rank == 0 else groups[120:]
        return fit_shard(rows_of(views, rank), TreeCCA(**SETTINGS), config, rank, groups=mine)

    np.testing.assert_allclose(run_over(2, work)[0].estimator().correlations_, one.correlations_, atol=1e-6)
    with Tracker(1, "127.0.0.1") as tracker:
        for wrong in (np.linspace(0, 3, 300), ["a"] * 300, np.zeros((300, 1), int)):
            with pytest.raises(ValueError, match="groups must be one integer per row"):
                fit_shard(views, TreeCCA(**SETTINGS), tracker.worker_config(), 0, groups=wrong)


def test_what_the_others_are_must_be_said():
    views, estimator = related_views(300), TreeCCA(**SETTINGS)
    # XGBoost would take the process for the only one, and the fit would be about its rows alone.
    with pytest.raises(ValueError, match=r'lack "dmlc_tracker_uri".*worker_config'):
        fit_shard(views, estimator, {}, 0)
    with pytest.raises(ValueError, match='lack "dmlc_tracker_port"'):
        fit_shard(views, estimator, {"dmlc_tracker_uri": "127.0.0.1"}, 0)
    with pytest.raises(ValueError, match="config must be the mapping"):
        fit_shard(views, estimator, None, 0)
    with Tracker(1, "127.0.0.1") as tracker:
        config = tracker.worker_config()
        for timeout in ("a", None, 0, 1.5):
            with pytest.raises(ValueError, match="timeout must be an integer, 1 or more"):
                fit_shard(views, estimator, config, 0, timeout=timeout)
        for rank in (-1, "0", None):
            with pytest.raises(ValueError, match="rank must be an integer, 0 or more"):
                fit_shard(views, estimator, config, rank)
        with pytest.raises(ValueError, match="random_state"):
            fit_shard(views, TreeCCA(), config, 0)
    for n_workers in (0, -1, "2", 1.5):
        with pytest.raises(ValueError, match="n_workers must be an integer, 1 or more"):
            Tracker(n_workers)


def test_others_that_cannot_be_reached_are_a_connection_error():
    views, estimator = related_views(300), TreeCCA(**SETTINGS)
    nobody = {"dmlc_tracker_uri": "127.0.0.1", "dmlc_tracker_port": 1, "dmlc_retry": 1}
    with pytest.raises(ConnectionError, match="could not reach each other"):
        fit_shard(views, estimator, nobody, 0, timeout=1)
    with pytest.raises(ConnectionError, match="could not be started"):
        Tracker(2, "no.such.host.invalid")
    with Tracker(2, "127.0.0.1") as tracker, pytest.raises(ConnectionError, match="could not reach each other"):
        fit_shard(views, estimator, tracker.worker_config(), 0, timeout=1)  # the other one does not come


def test_one_who_stops_stops_all():
    views, endless = related_views(300), TreeCCA(2, n_estimators=1_000_000, random_state=0)
    asked = []

    def stop():
        asked.append(True)
        return len(asked) > 5

    def work(config, rank):
        return fit_shard(rows_of(views, rank), endless, config, rank, stop=stop if rank == 1 else None)

    results = run_over(2, work)
    assert isinstance(results[1], KeyboardInterrupt)
    assert isinstance(results[0], (KeyboardInterrupt, ConnectionError))

    def fail(config, rank):
        return fit_shard(views, endless, config, rank, stop=lambda: 1 / 0)

    assert isinstance(run_over(1, fail)[0], ZeroDivisionError)


def test_what_was_left_behind_does_not_disturb_the_end_of_the_process():
    program = """
import numpy as np
from treecca import TreeCCA
from treecca.distributed import Tracker, fit_shard

views = [np.random.default_rng(0).normal(size=(100, 3)) for _ in range(2)]
try:
    with Tracker(2, "127.0.0.1") as tracker:  # which ends just before the process does
        fit_shard(views, TreeCCA(1, random_state=0), tracker.worker_config(), 0, stop=lambda: True)
except KeyboardInterrupt:
    print("stopped")
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert (run.stdout, run.returncode) == ("stopped\n", 0), run.stderr


def test_one_who_waits_for_others_can_be_stopped():
    began = time.monotonic()
    with Tracker(2, "127.0.0.1") as tracker:  # the second never comes, and XGBoost cannot be told to stop waiting
        with pytest.raises(KeyboardInterrupt):
            fit_shard(
                related_views(300),
                TreeCCA(**SETTINGS),
                tracker.worker_config(),
                0,
                timeout=600,
                stop=lambda: time.monotonic() > began + 1,
            )
        assert _core.fits_left_behind() == 1
    # Far less than the ten minutes; with the tracker the wait has ended too, and nothing is left.
    while _core.fits_left_behind() > 0:
        assert time.monotonic() < began + 60
        time.sleep(0.1)


def test_workers_are_numbered_each_once():
    views = related_views(300)
    for ranks in ([0, 0], [0, 7]):
        results = run_over(
            2,
            lambda config, rank, ranks=ranks: fit_shard(rows_of(views, rank), TreeCCA(**SETTINGS), config, ranks[rank]),
        )
        assert len(results) == 2
        for error in results.values():  # nobody is left waiting
            assert isinstance(error, ValueError)
            assert "number the workers from 0, each once" in str(error)


def test_groups_are_given_by_all_workers_or_none():
    views = related_views(300)

    def work(config, rank):
        groups = np.arange(120) if rank == 0 else None
        return fit_shard(rows_of(views, rank), TreeCCA(**SETTINGS), config, rank, groups=groups)

    for error in run_over(2, work).values():
        assert isinstance(error, ValueError)
        assert "0 group labels for 180 samples" in str(error)


def test_tables_are_about_the_same_samples():
    pd = pytest.importorskip("pandas", reason="an index needs pandas")
    one, other = (pd.DataFrame(view) for view in related_views(300))
    other.index = other.index[::-1]
    for options, name in (({}, 'view "view1"'), ({"sample_weight": pd.Series(1.0, other.index)}, "sample_weight")):
        views = [one, other if not options else one]
        with Tracker(1, "127.0.0.1") as tracker, pytest.raises(ValueError, match=f"The index of {name} differs"):
            fit_shard(views, TreeCCA(**SETTINGS), tracker.worker_config(), 0, **options)


def test_row_numbers_are_whole():
    views = related_views(300)
    with Tracker(1, "127.0.0.1") as tracker, pytest.raises(ValueError, match="row_numbers must be one integer"):
        fit_shard(views, TreeCCA(**SETTINGS), tracker.worker_config(), 0, row_numbers=np.arange(300) / 2)
