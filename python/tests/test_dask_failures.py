"""Fits on several workers when something goes wrong: workers and clients that die, bad input, nobody there."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import cluster_of, related_views

from treecca import TreeCCA

pytest.importorskip("xgboost", reason="distributed fits use XGBoost's communicator")
pytest.importorskip("dask.array", reason="treecca.dask needs the package dask")
distributed = pytest.importorskip("distributed", reason="treecca.dask needs the package distributed")
pd = pytest.importorskip("pandas", reason="Dask DataFrames need pandas")

import dask  # noqa: E402
import dask.array as da  # noqa: E402
import dask.dataframe as dd  # noqa: E402

from treecca.dask import DaskTreeCCA  # noqa: E402

SETTINGS = {"n_components": 2, "n_estimators": 30, "random_state": 0, "preset": "plain"}
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning", "ignore::FutureWarning")


@pytest.fixture(scope="module")
def client():
    with cluster_of(2) as cluster, distributed.Client(cluster) as client:
        yield client


def lazy(views, rows=100):
    return [da.from_array(view, chunks=(rows, -1)) for view in views]


def wait_for_rounds(client, unless=lambda: False):
    """Until a fit is in the midst of its rounds."""
    while not any("treecca-fit" in str(key) for keys in client.processing().values() for key in keys):
        assert not unless()
        time.sleep(0.1)
    time.sleep(1.0)


@pytest.mark.parametrize("rank", [0, 1])  # the tracker runs where rank 0 is
def test_killing_a_worker_is_an_error_and_the_next_fit_works(rank):
    views = lazy(related_views(400))
    with cluster_of(3) as cluster, distributed.Client(cluster) as client:
        endless = DaskTreeCCA(**{**SETTINGS, "n_estimators": 1_000_000}, client=client)
        pids = client.run(os.getpid)
        raised = []

        def fit():
            try:
                endless.fit(views)
            except Exception as error:
                raised.append((time.monotonic(), error))

        thread = threading.Thread(target=fit)
        thread.start()
        wait_for_rounds(client, unless=lambda: not thread.is_alive())
        processing = client.processing().items()
        busy = next(w for w, keys in processing if any(str(key).endswith(f"-{rank}") for key in keys))
        killed = time.monotonic()
        os.kill(pids[busy], signal.SIGKILL)
        thread.join(timeout=120)
        assert not thread.is_alive()
        seconds, error = raised[0][0] - killed, raised[0][1]
        assert isinstance(error, RuntimeError)
        assert "is gone" in str(error)
        assert seconds < 20  # the fit would have run for hours
        print(f"told after {seconds:.1f} s")
        client.wait_for_workers(2)
        model = DaskTreeCCA(**SETTINGS, client=client).fit(views)
        assert np.isfinite(model.correlations_).all()


ENDLESS_FIT = """
import sys
import dask.array as da
import distributed
from conftest import related_views
from treecca.dask import DaskTreeCCA

if __name__ == "__main__":
    with distributed.Client(sys.argv[1]) as client:
        views = [da.from_array(view, chunks=(100, -1)) for view in related_views(400)]
        DaskTreeCCA(2, preset="plain", n_estimators=1_000_000, random_state=0, client=client).fit(views)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_workers_stop_when_their_client_does(how, monkeypatch, tmp_path):
    program = tmp_path / "endless.py"
    program.write_text(ENDLESS_FIT)
    monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__LOCKS__LEASE_TIMEOUT", "5s")
    path = os.pathsep.join([os.path.dirname(__file__), *sys.path])
    locks = {"lease-timeout": "5s", "lease-validation-interval": "1s"}
    settings = {f"distributed.scheduler.locks.{name}": value for name, value in locks.items()}
    with dask.config.set(settings), cluster_of(2) as cluster, distributed.Client(cluster) as client:
        command = [sys.executable, str(program), cluster.scheduler_address]
        other = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": path}, stderr=subprocess.DEVNULL)
        wait_for_rounds(client, unless=lambda: other.poll() is not None)
        other.send_signal(how)
        assert other.wait(timeout=60) != 0
        # The next fit neither waits for a lock that nobody will give back nor for workers that go on for hours.
        model = DaskTreeCCA(**SETTINGS, client=client).fit(lazy(related_views(400)))
        assert np.isfinite(model.correlations_).all()
        assert not any(keys for keys in client.processing().values())
        assert len(client.list_datasets()) == 0


def test_waiting_for_another_fit_is_said(client, monkeypatch):
    monkeypatch.setattr("treecca.dask._run._SECONDS_BEFORE_A_WORD", 0.2)
    locks = [
        distributed.Semaphore(1, f"treecca-{worker}", scheduler_rpc=client.scheduler, loop=client.loop)
        for worker in client.nthreads()
    ]
    said = []

    def warn(message, *_, **__):
        said.append(message)
        for lock in locks:
            lock.release()

    monkeypatch.setattr("treecca.dask._run.warn", warn)
    for lock in locks:
        lock.acquire()
    DaskTreeCCA(**SETTINGS, client=client).fit(lazy(related_views(300)))
    assert ["Another fit uses worker" in message for message in said] == [True]


def test_rows_of_a_worker_that_died_after_the_fit():
    views = related_views(300)
    with cluster_of(2) as cluster, distributed.Client(cluster) as client:
        model = DaskTreeCCA(**SETTINGS, client=client).fit(lazy(views))
        before = model.out_of_fold_variates_[0].compute()
        assert before.shape == (300, 2)
        pids = client.run(os.getpid)
        os.kill(next(iter(pids.values())), signal.SIGKILL)
        while set(pids) <= set(client.nthreads()):
            time.sleep(0.1)
        with pytest.raises(distributed.client.CancelledError):
            model.out_of_fold_variates_[0].compute()
        assert model.transform(lazy(views))[0].compute().shape == (300, 2)


def test_a_cluster_without_workers():
    with cluster_of(0) as cluster, distributed.Client(cluster) as client:
        with pytest.raises(RuntimeError, match=r"no worker for 1 seconds.*Start workers"):
            DaskTreeCCA(**SETTINGS, timeout=1, client=client).fit(lazy(related_views(300)))
        # Workers that come in time, as in a cluster that grows when there is work.
        threading.Timer(1.0, cluster.scale, [2]).start()
        model = DaskTreeCCA(**SETTINGS, timeout=60, client=client).fit(lazy(related_views(300)))
        assert np.isfinite(model.correlations_).all()


def test_a_column_without_values_is_named_as_in_one_process(client):
    views = related_views(300)
    views[1][:100, 0] = np.nan  # empty in one partition is not empty
    model = DaskTreeCCA(**SETTINGS, client=client).fit(lazy(views))
    assert not any("without any value" in text for text in model.warnings_)
    views[1][:, [2, 3]] = np.nan
    with pytest.warns(UserWarning, match='View "view1" has columns without any value: "f2", "f3"'):
        TreeCCA(**SETTINGS).fit(views)
    with pytest.warns(UserWarning, match='View "view1" has columns without any value: "f2", "f3"'):
        DaskTreeCCA(**SETTINGS, client=client).fit(lazy(views))


def test_tables_are_about_the_same_samples(client):
    one, other = (pd.DataFrame(view, columns=list("abcde")) for view in related_views(300))
    shuffled = other.sample(frac=1, random_state=0)
    frames = [dd.from_pandas(frame, npartitions=3, sort=False) for frame in (one, shuffled)]
    with pytest.raises(ValueError, match=r'Partition 0: The index of view "view1" differs'):
        DaskTreeCCA(**SETTINGS, client=client).fit(frames)
    weights = dd.from_pandas(pd.Series(1.0, shuffled.index), npartitions=3, sort=False)
    for name in ("groups", "sample_weight"):
        with pytest.raises(ValueError, match=f"Partition 0: The index of {name} differs"):
            DaskTreeCCA(**SETTINGS, client=client).fit([frames[0], frames[0]], **{name: weights})


def test_values_beyond_single_precision_are_named_with_their_partition(client):
    views = related_views(300)
    views[0][250, 1] = 1e39
    with pytest.raises(
        ValueError, match=r'Partition 2: view "view0": the value 1e\+39 in row 50, column 1 is too large'
    ):
        DaskTreeCCA(**SETTINGS, client=client).fit(lazy(views))


def test_errors_of_workers_reach_the_client(client):
    views = related_views(300)
    arrays = [da.from_array(view, chunks=(100, -1)) for view in views]
    with pytest.raises(ValueError, match="lightgbm cannot be used over several processes"):
        DaskTreeCCA(**SETTINGS, engine="lightgbm", trees="scalar", client=client).fit(arrays)
    with pytest.raises(ValueError, match="learning_rate"):
        DaskTreeCCA(**SETTINGS, learning_rate=7, client=client).fit(arrays)
    views[1][250, 2] = np.inf
    with pytest.raises(ValueError, match=r'Partition 2.*view "view1".*row 50, column 2'):
        DaskTreeCCA(**SETTINGS, client=client).fit([da.from_array(view, chunks=(100, -1)) for view in views])
    with pytest.raises(ValueError, match=r'view "view1" is a ndarray, not a Dask array'):
        DaskTreeCCA(**SETTINGS, client=client).fit([arrays[0], views[1]])
    with pytest.raises(ValueError, match="same samples"):
        DaskTreeCCA(**SETTINGS, client=client).fit([arrays[0], arrays[1][:200]])
    with pytest.raises(ValueError, match="sample_weight must be a Dask array"):
        DaskTreeCCA(**SETTINGS, client=client).fit(arrays, sample_weight=np.ones(300))
    with pytest.raises(ValueError, match="at least two views"):
        DaskTreeCCA(**SETTINGS, client=client).fit(arrays[:1])
    frames = [dd.from_pandas(pd.DataFrame({"x": range(300), "t": ["a"] * 300}), npartitions=2)] * 2
    with pytest.raises(ValueError, match='column "t"'):
        DaskTreeCCA(**SETTINGS, client=client).fit(frames)
    for timeout in ("a", 0, -3, 2.5, None, True):
        with pytest.raises(ValueError, match=r"timeout must be an integer, 1 or more"):
            DaskTreeCCA(**SETTINGS, timeout=timeout, client=client).fit(arrays)
