"""Whole fits of 100 rounds in memory, compared with cca-zoo's tree models; and how the time of a fit grows.

Settings of all: depth 5, 80% of rows and features, minimum leaf size 20, Jacobi schedule, no cross-fitting. TreeCCA
also fits linear CCA, as it always does. Scalar trees with the Eckart-Young gradient are the method of cca-zoo.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator

import numpy as np

from treecca import TreeCCA

from ..runner import Workspace
from .common import TREES, Options, Size, record, seconds_of, timed_in_turns
from .trees import JOINT, SCALAR

ROUNDS = 100
LARGE = Size(1_000_000, 100, 5)
GROWTH = {
    "samples": [Size(n, 50, 5) for n in (25_000, 50_000, 100_000, 200_000)],
    "features": [Size(20_000, p, 5) for p in (50, 100, 200, 400)],
    "components": [Size(20_000, 50, k) for k in (5, 10, 20, 40)],
}


def quiet_fit(model: TreeCCA, views: list[np.ndarray]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        model.fit(views)


def our_timer(size: Size, views: list[np.ndarray], settings: dict[str, str], threads: int) -> Callable[[], float]:
    def timer() -> float:
        model = TreeCCA(
            size.k,
            preset="plain",
            cross_fit=0,
            n_estimators=ROUNDS,
            n_jobs=threads,
            random_state=0,
            **settings,
            **TREES,
        )
        return seconds_of(lambda: quiet_fit(model, views))

    return timer


def cca_zoo_timer(name: str, size: Size, views: list[np.ndarray]) -> Callable[[], float]:
    from cca_zoo import tree

    doubles = [view.astype(np.float64) for view in views]

    def timer() -> float:
        model = getattr(tree, name)(
            n_components=size.k, n_estimators=ROUNDS, gauss_seidel=False, random_state=0, **TREES
        )
        return seconds_of(lambda: model.fit(doubles))

    return timer


def measure(options: Options) -> Iterator[dict]:
    """cca-zoo uses all processors, so `threads` should be their number."""
    for size in options.sizes:
        views = size.data().views
        timers = {
            "TreeCCA, scalar trees": our_timer(size, views, SCALAR, options.threads),
            "TreeCCA, joint trees": our_timer(size, views, JOINT, options.threads),
            "cca-zoo LightGBMCCA": cca_zoo_timer("LightGBMCCA", size, views),
            "cca-zoo XGBoostCCA": cca_zoo_timer("XGBoostCCA", size, views),
        }
        for name, values in timed_in_turns(timers, options.repeats, options.budget).items():
            yield record("fits", size, name, "s", values)


def joint_fit(options: Options, size: Size) -> tuple[float, float]:
    """Seconds without reading and writing, and peak memory (MB) of the command line with 100 rounds of joint trees."""
    with Workspace(options.program, size.data()) as workspace:
        texts = {key: str(value) for key, value in {**TREES, **JOINT}.items()}
        fit = workspace.fit({**texts, "cross_fit": "0", "n_estimators": str(ROUNDS)}, seed=0, threads=options.threads)
    return sum(s for stage, s in fit.timings.items() if stage not in ("read", "write")), fit.peak_mb


def measure_growth(options: Options) -> Iterator[dict]:
    for of, sizes in GROWTH.items():
        for size in sizes:
            seconds, peak = joint_fit(options, size)
            yield record("growth", size, "TreeCCA, joint trees", "s", [seconds], of=of, peak_mb=round(peak))


def measure_large(options: Options) -> Iterator[dict]:
    seconds, peak = joint_fit(options, LARGE)
    yield record("large", LARGE, "TreeCCA, joint trees", "s", [seconds], peak_mb=round(peak))
