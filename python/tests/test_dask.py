"""Fits on Dask workers: the model of one process, wherever the rows are."""

import json
import os
import pickle
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest
from conftest import cluster_of, related_views
from sklearn.base import clone

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
AUTO = {**SETTINGS, "preset": "auto", "n_estimators": 12}
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning", "ignore::FutureWarning")


@pytest.fixture(scope="module")
def client():
    with cluster_of(2) as cluster, distributed.Client(cluster) as client:
        yield client


def nodes(model):
    """Feature and threshold of every node of every tree."""
    document = json.loads(model.model_.to_bytes("json"))
    found = []

    def walk(item):
        if isinstance(item, dict):
            for name in ("feature", "threshold"):
                if name in item:
                    found.append((name, json.dumps(item[name])))
            for value in item.values():
                walk(value)
        elif isinstance(item, list):
            for value in item:
                walk(value)

    walk(document["views"])
    assert found
    return found


def expect_same(model, one):
    np.testing.assert_allclose(model.correlations_, one.correlations_, atol=1e-6)
    np.testing.assert_allclose(model.standard_errors_, one.standard_errors_, atol=1e-6)
    np.testing.assert_array_equal(model.found_, one.found_)
    assert model.linear_weight_ == one.linear_weight_
    for ours, theirs in zip(model.candidates_, one.candidates_, strict=True):
        np.testing.assert_allclose(ours["correlations"], theirs["correlations"], atol=1e-6)
    np.testing.assert_allclose(model.train_correlations_, one.train_correlations_, atol=1e-6)
    np.testing.assert_allclose(model.linear_correlations_, one.linear_correlations_, atol=1e-6)
    np.testing.assert_allclose(model.history_["tcc"], one.history_["tcc"], atol=1e-6)
    assert nodes(model) == nodes(one)


@pytest.mark.parametrize("settings", [SETTINGS, AUTO], ids=["plain", "auto"])
def test_two_workers_fit_the_model_of_one_process(client, settings):
    views = related_views(600)
    one = TreeCCA(**settings).fit(views)
    arrays = [da.from_array(view, chunks=(100, -1)) for view in views]
    model = DaskTreeCCA(**settings, client=client).fit(arrays)
    expect_same(model, one)
    assert [str(array.dtype) for array in model.out_of_fold_variates_] == ["float32", "float32"]
    for ours, theirs in zip(model.out_of_fold_variates_, one.out_of_fold_variates_, strict=True):
        np.testing.assert_allclose(ours.compute(), theirs, atol=1e-4)
    # Partitions may be elsewhere the next time.
    expect_same(DaskTreeCCA(**settings, client=client).fit([array.rechunk((70, -1)) for array in arrays]), one)


def test_auto_does_not_screen(client):
    rng = np.random.default_rng(0)
    views = [np.hstack([view, rng.normal(size=(150, 40))]) for view in related_views(150)]
    model = DaskTreeCCA(**AUTO, linear=0, client=client).fit([da.from_array(view, chunks=(50, -1)) for view in views])
    assert model.screening_ == [None, None]
    assert model.model_.asked["screen"] == "auto" and model.model_.parameters["screen"] == "none"
    expect_same(model, TreeCCA(**AUTO, linear=0, screen=0).fit(views))


def test_transform_is_lazy_and_the_same(client):
    views = related_views(400)
    arrays = [da.from_array(view.astype(np.float32), chunks=(90, 2)) for view in views]
    model = DaskTreeCCA(**SETTINGS, client=client).fit(arrays)
    lazy = model.transform(arrays)
    assert all(isinstance(array, da.Array) and array.shape == (400, 2) for array in lazy)
    memory = model.transform([view.astype(np.float32) for view in views])
    for ours, theirs in zip(dask.compute(*lazy), memory, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_array_equal(model.transform(arrays[1], view=1).compute(), memory[1])
    assert model.score(arrays) == pytest.approx(model.score(views), abs=1e-5)
    np.testing.assert_allclose(model.predict(arrays).compute(), model.predict(views), rtol=1e-5)
    with pytest.raises(ValueError, match="expecting 5 features"):
        model.transform(arrays[0][:, :3], view=0)


def test_frames_groups_and_weights(client):
    views = related_views(500, n_views=3)
    names = [[f"{letter}{column}" for column in range(5)] for letter in "abc"]
    frames = {
        name: pd.DataFrame(view, columns=columns)
        for name, view, columns in zip(("rna", "protein", "sites"), views, names, strict=True)
    }
    groups = pd.Series([f"patient {i % 37}" for i in range(500)])
    weights = pd.Series(np.where(np.arange(500) % 4 == 0, 2.5, 0.5))
    one = TreeCCA(**SETTINGS).fit(frames, groups=groups, sample_weight=weights)
    lazy = {name: dd.from_pandas(frame, npartitions=5) for name, frame in frames.items()}
    model = DaskTreeCCA(**SETTINGS, client=client)
    model.fit(
        lazy,
        groups=dd.from_pandas(groups, npartitions=5),
        sample_weight=dd.from_pandas(weights, npartitions=5),
    )
    expect_same(model, one)
    assert model.view_names_ == ["rna", "protein", "sites"]
    assert model.feature_names_per_view_[1] == names[1]
    out = model.transform({"protein": lazy["protein"][names[1][::-1]]})["protein"]  # columns by name
    np.testing.assert_allclose(out.compute(), one.transform({"protein": frames["protein"]})["protein"], atol=1e-5)
    assert list(out.columns) == ["protein_1", "protein_2"]


def test_unequal_and_empty_partitions(client):
    views = related_views(300)
    chunks = (3, 200, 1, 0, 90, 6)
    arrays = [da.from_array(views[0], chunks=((3, 200, 1, 90, 6), (5,))), da.from_array(views[1], chunks=(100, -1))]
    blocks = np.split(np.arange(300), np.cumsum(chunks)[:-1])
    arrays[0] = da.concatenate(
        [
            da.from_array(views[0][block], chunks=-1) if len(block) else da.zeros((0, 5), chunks=(0, 5))
            for block in blocks
        ]
    )
    expect_same(DaskTreeCCA(**SETTINGS, client=client).fit(arrays), TreeCCA(**SETTINGS).fit(views))


def test_a_worker_without_rows(client):
    views = related_views(300)
    workers = list(client.nthreads())
    # Two parts, one on each worker, and one of them has no rows: it takes part all the same.
    parts = [
        [client.submit(np.asarray, view[rows], workers=[worker], pure=False) for view in views]
        for worker, rows in zip(workers, (slice(0, 300), slice(0, 0)), strict=True)
    ]
    arrays = [
        da.concatenate(
            [
                da.from_delayed(dask.delayed(part[v]), (rows, 5), float)
                for part, rows in zip(parts, (300, 0), strict=True)
            ]
        )
        for v in range(2)
    ]
    expect_same(DaskTreeCCA(**SETTINGS, client=client).fit(arrays), TreeCCA(**SETTINGS).fit(views))


@pytest.mark.parametrize("trees", ["joint", "scalar"])
def test_the_engine_xgboost(client, trees):
    views = related_views(600)
    arrays = [da.from_array(view, chunks=(150, -1)) for view in views]
    settings = {**SETTINGS, "engine": "xgboost", "trees": trees}
    one = TreeCCA(**settings).fit(views)
    model = DaskTreeCCA(**settings, client=client).fit(arrays)
    np.testing.assert_allclose(model.correlations_, one.correlations_, atol=0.03)
    for ours, theirs in zip(model.transform(arrays), model.transform(views), strict=True):
        np.testing.assert_allclose(ours.compute(), theirs, atol=1e-5)


@pytest.mark.parametrize("trees", ["joint", "scalar"])
def test_the_engine_xgboost_again_and_again(client, trees):
    """Views of different width take different times to grow: workers that went through them in an order of their own
    would add up histograms of different trees, or wait forever."""
    narrow, wide = related_views(300)
    wide = np.hstack([wide, np.random.default_rng(1).normal(size=(300, 60))])
    arrays = [da.from_array(view, chunks=(100, -1)) for view in (wide, narrow)]
    settings = {**SETTINGS, "n_estimators": 8, "engine": "xgboost", "trees": trees}
    first, *others = (DaskTreeCCA(**settings, client=client).fit(arrays) for _ in range(5))
    for model in others:
        np.testing.assert_allclose(model.correlations_, first.correlations_, atol=0.03)
    one = TreeCCA(**settings).fit([wide, narrow])
    np.testing.assert_allclose(first.correlations_, one.correlations_, atol=0.05)


def test_two_fits_at_once(client):
    data = [[da.from_array(view, chunks=(100, -1)) for view in related_views(400, seed=seed)] for seed in range(3)]
    alone = [DaskTreeCCA(**SETTINGS, client=client).fit(views) for views in data]
    together = [DaskTreeCCA(**SETTINGS, client=client) for _ in data]
    threads = [threading.Thread(target=m.fit, args=(views,)) for m, views in zip(together, data, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one, other in zip(alone, together, strict=True):
        expect_same(other, one)


def peak_memory():
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def random_block(rows, columns, view, seed):
    """Block `seed` of a view; the views share their first column."""
    block = np.random.default_rng([view, seed]).standard_normal((rows, columns), dtype=np.float32)
    shared = np.random.default_rng(seed).standard_normal(rows, dtype=np.float32)
    block[:, 0] = shared if view == 0 else shared**2
    return block


@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer needs the memory itself")
def test_data_larger_than_the_memory_of_a_worker():
    n_workers, rows, columns, limit = 6, 344_000, 40, 600 * 2**20
    size = n_workers * rows * columns * 2 * 4
    assert size > limit
    # Dask shall not give the rows of one worker to another that happens to be idle: it would hold them twice.
    stays = dask.config.set({"distributed.scheduler.work-stealing": False})
    with stays, cluster_of(n_workers, memory_limit=limit) as cluster, distributed.Client(cluster) as client:
        workers = list(client.nthreads())
        blocks = [
            [
                client.submit(random_block, rows, columns, view, seed, workers=[worker])
                for seed, worker in enumerate(workers)
            ]
            for view in range(2)
        ]
        views = [
            da.concatenate([da.from_delayed(dask.delayed(one), (rows, columns), np.float32) for one in row])
            for row in blocks
        ]
        del blocks
        settings = {"n_estimators": 4, "max_depth": 2, "cross_fit": 2, "init_fade": 1, "random_state": 0}
        model = DaskTreeCCA(1, preset="plain", **settings, client=client).fit(views)
        assert model.model_.n_samples == n_workers * rows
        assert np.isfinite(model.correlations_).all()
        largest = max(client.run(peak_memory).values())
        assert largest < limit
        print(f"{size / 2**20:.0f} MB of data, at most {largest / 2**20:.0f} MB in a worker")


def test_behaves_like_an_estimator(client):
    model = DaskTreeCCA(3, learning_rate=0.2, client=client)
    assert model.get_params()["learning_rate"] == 0.2
    copy = clone(model)
    assert copy.n_components == 3
    assert copy.client is None
    with pytest.raises(TypeError, match="slices of one table"):
        DaskTreeCCA(view_slices=[slice(0, 2), slice(2, 4)])


def test_everything_that_a_treecca_can_do(client, tmp_path):
    pytest.importorskip("matplotlib", reason="plots need matplotlib").use("Agg")
    from treecca import load, plot

    views = related_views(300)
    arrays = [da.from_array(view, chunks=(100, -1)) for view in views]
    weights = np.where(np.arange(300) % 3 == 0, 2.0, 0.5)
    lazy_weights = da.from_array(weights, chunks=100)
    labels = np.where(np.arange(300) % 2 == 0, "zebra", "yak")
    one = TreeCCA(**SETTINGS).fit(views, sample_weight=weights)
    model = DaskTreeCCA(**SETTINGS, client=client).fit(arrays, sample_weight=lazy_weights)
    assert list(model.importances("view1", 0)["feature"]) == list(one.importances("view1", 0)["feature"])
    assert list(model.get_feature_names_out()) == list(one.get_feature_names_out())
    model.save(tmp_path / "model.json")
    np.testing.assert_allclose(load(tmp_path / "model.json").correlations_, one.correlations_, atol=1e-6)
    assert len(model.export(tmp_path / "exported", "onnx")) == 2
    for given in (None, labels, da.from_array(labels, chunks=100)):
        model.report(tmp_path / "report.html", labels=given)
        text = (tmp_path / "report.html").read_text()
        assert ("zebra" in text) == (given is not None)
    for given in (None, arrays, views):
        table = plot.VariatesDisplay.from_estimator(model, given, labels=da.from_array(labels, chunks=100)).table_
        expected = plot.VariatesDisplay.from_estimator(one, None if given is None else views).table_
        for name, values in expected.items():
            np.testing.assert_allclose(table[name], values, atol=1e-4)
        plot.EmbeddingDisplay.from_estimator(model, given, labels=labels)
    for display in (plot.CorrelationsDisplay, plot.ConvergenceDisplay, plot.ImportancesDisplay, plot.ShapeDisplay):
        display.from_estimator(model)
    fitted = DaskTreeCCA(**SETTINGS, client=client).fit_transform(arrays)
    assert all(isinstance(array, da.Array) for array in fitted)
    again = pickle.loads(pickle.dumps(model))
    assert again.score(views) == pytest.approx(model.score(arrays), abs=1e-5)
    plain = DaskTreeCCA(**SETTINGS, cross_fit=0, client=client).fit(arrays)
    assert plain.out_of_fold_variates_ == []
    plain.report(tmp_path / "plain.html")
    with pytest.raises(ValueError, match="give `views`"):
        plot.VariatesDisplay.from_estimator(plain)


def test_without_dask_the_error_says_what_to_install():
    code = (
        "import sys; sys.modules['dask'] = sys.modules['distributed'] = None\n"
        "import treecca\n"
        "try:\n    import treecca.dask\nexcept ImportError as error:\n    print(error)"
    )
    with warnings.catch_warnings():
        out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert 'pip install "dask[array,dataframe,distributed]" xgboost' in out
