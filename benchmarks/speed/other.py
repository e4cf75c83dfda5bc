"""Binning, and the variates of new samples: one row at a time and many at once."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator

import numpy as np

from treecca import TreeCCA
from treecca.datasets import make_signed_power

from ..runner import Workspace
from .common import Options, Size, record, seconds_of, timed_in_turns

TRANSFORM = Size(2400, 8, 3)
MANY = 20_000
CALLS = 200


def our_binning(workspace: Workspace, values: int, threads: int) -> Callable[[], float]:
    def timer() -> float:
        fit = workspace.fit({"preset": "plain", "cross_fit": "0", "n_estimators": "1"}, seed=0, threads=threads)
        return 1e9 * fit.timings["bin"] / values

    return timer


def measure_binning(options: Options) -> Iterator[dict]:
    """Cuts and codes of one view, per value. LightGBM and XGBoost (QuantileDMatrix): their own."""
    import lightgbm
    import xgboost

    for size in options.sizes:
        data = size.data()
        x = np.asarray(data.views[0], dtype=np.float32)
        light = {"max_bin": 255, "num_threads": options.threads, "verbose": -1}

        def lightgbm_seconds(x: np.ndarray = x, light: dict = light) -> float:
            return 1e9 * seconds_of(lambda: lightgbm.Dataset(x, params=light).construct()) / x.size

        def xgboost_seconds(x: np.ndarray = x) -> float:
            return 1e9 * seconds_of(lambda: xgboost.QuantileDMatrix(x, max_bin=256, nthread=options.threads)) / x.size

        with Workspace(options.program, data) as workspace:
            timers = {
                "TreeCCA": our_binning(workspace, 2 * x.size, options.threads),
                "LightGBM": lightgbm_seconds,
                "XGBoost": xgboost_seconds,
            }
            times = timed_in_turns(timers, options.repeats, options.budget)
        for name, values in times.items():
            yield record("binning", size, name, "ns per value", values)


def measure_transform(options: Options) -> Iterator[dict]:
    """Two views, scalar trees: all programs walk the same number of trees of the same depth."""
    import lightgbm
    import xgboost

    size = TRANSFORM
    data = make_signed_power(size.n, n_components=size.k, n_noise_features=size.p - size.k, test_size=0, random_state=0)
    views = [np.asarray(view, dtype=np.float32) for view in data.views]
    new = [np.tile(view, (MANY // size.n + 1, 1))[:MANY] for view in views]
    rows = [view[:1].copy() for view in new]
    models = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for name, settings in (
            ("plain, scalar trees", {"preset": "plain", "trees": "scalar"}),
            ("plain, joint trees", {"preset": "plain"}),
            ("auto", {}),
        ):
            models[name] = TreeCCA(size.k, n_jobs=options.threads, random_state=0, **settings).fit(views)
    trees = 5 * 150 * size.k  # per view of the plain model with scalar trees
    depth = 4
    y = views[1][:, 0]
    boosters = [
        xgboost.train(
            {"tree_method": "hist", "max_depth": depth, "nthread": options.threads, "learning_rate": 0.01},
            xgboost.DMatrix(view, y),
            trees,
        )
        for view in views
    ]
    gbms = [
        lightgbm.train(
            {"num_leaves": 2**depth, "max_depth": depth, "verbose": -1, "learning_rate": 0.01},
            lightgbm.Dataset(view, y),
            trees,
        )
        for view in views
    ]

    def timer(work: Callable[[list[np.ndarray]], object], tables: list[np.ndarray], calls: int) -> Callable[[], float]:
        work(tables)
        return lambda: seconds_of(lambda: [work(tables) for _ in range(calls)]) / calls

    def transform_of(model: TreeCCA) -> Callable[[list[np.ndarray]], object]:
        return lambda tables: model.transform(tables)

    programs: dict[str, Callable[[list[np.ndarray]], object]] = {
        **{f"TreeCCA, {name}": transform_of(model) for name, model in models.items()},
        "XGBoost, scalar trees": lambda tables: [b.inplace_predict(t) for b, t in zip(boosters, tables, strict=True)],
        "LightGBM, scalar trees": lambda tables: [
            b.predict(t, num_threads=options.threads) for b, t in zip(gbms, tables, strict=True)
        ],
    }
    for case, tables, calls, unit, scale in (
        ("one row", rows, CALLS, "microseconds per call", 1e6),
        (f"{MANY:,} rows", new, 1, "ns per row and tree", 1e9 / MANY / trees / 2),
    ):
        timers = {name: timer(work, tables, calls) for name, work in programs.items()}
        for name, values in timed_in_turns(timers, options.repeats, options.budget).items():
            yield record("transform", size, name, unit, [scale * value for value in values], case=case, trees=trees)


def measure_kernels(options: Options) -> Iterator[dict]:
    """The hot loops (benchmarks/kernels), if they were built by make bench-kernels."""
    import json
    import subprocess
    from pathlib import Path

    built = Path(options.program).parent.parent / "benchmarks" / "kernels" / "treecca_kernels_bench"
    if not built.exists():
        return
    done = subprocess.run(
        [built, "--benchmark_format=json", "--benchmark_min_time=0.1", f"--benchmark_repetitions={options.repeats}"],
        capture_output=True,
        check=True,
    )
    times: dict[str, list[float]] = {}
    for run in json.loads(done.stdout)["benchmarks"]:
        if run["run_type"] == "iteration":
            times.setdefault(run["run_name"], []).append(1e9 / run["items_per_second"])
    for name, values in times.items():
        yield record("kernels", Size(50_000, 4, 1), name, "ns per step", values)
