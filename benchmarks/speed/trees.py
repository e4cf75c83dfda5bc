"""The training loops of the engines alone: milliseconds per tree, and per round of joint trees.

TreeCCA: the rounds of a fit without cross-fitting, from the stage clock: "round" has moments, targets, trees and the
update of the embeddings, "trees" the trees alone. LightGBM and XGBoost: their own loop with squared error, which has
their gradients and the update of their predictions. Binning counts nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..runner import Workspace
from .common import JOINT_SIZES, TREES, Options, Size, record, seconds_of, timed_in_turns

SCALAR = {"objective": "ey", "trees": "scalar", "schedule": "jacobi"}
JOINT = {"objective": "whitened", "trees": "joint", "schedule": "jacobi"}
ROUND_STAGES = ("moments", "targets", "grow", "update", "curves")


def rounds_for(size: Size) -> int:
    work = size.n * size.p
    return 100 if work < 1e5 else 20 if work < 2e6 else 5


def our_timers(
    workspace: Workspace, settings: dict[str, str], rounds: int, trees: int, threads: int, kept: dict
) -> Any:
    """Milliseconds of a round divided by `trees`; kept["trees"] has those of the trees alone."""

    def timer() -> float:
        texts = {key: str(value) for key, value in {**TREES, **settings}.items()}
        fit = workspace.fit({**texts, "cross_fit": "0", "n_estimators": str(rounds)}, seed=0, threads=threads)
        kept.setdefault("trees", []).append(1000 * fit.timings["grow"] / rounds / trees)
        return 1000 * sum(fit.timings.get(stage, 0.0) for stage in ROUND_STAGES) / rounds / trees

    return timer


def lightgbm_timer(x: np.ndarray, y: np.ndarray, rounds: int, threads: int) -> Callable[[], float]:
    import lightgbm

    settings = {
        "objective": "regression",
        "num_leaves": 32,
        "max_depth": TREES["max_depth"],
        "bagging_fraction": TREES["subsample"],
        "bagging_freq": 1,
        "feature_fraction": TREES["colsample_bytree"],
        "min_data_in_leaf": TREES["min_child_weight"],
        "min_sum_hessian_in_leaf": 0,
        "min_gain_to_split": 0,
        "lambda_l2": 1,
        "max_bin": 255,
        "learning_rate": TREES["learning_rate"],
        "num_threads": threads,
        "verbose": -1,
    }
    data = lightgbm.Dataset(x, y, params=settings).construct()

    def timer() -> float:
        booster = lightgbm.Booster(settings, data)
        booster.update()  # allocations

        def loop() -> None:
            for _ in range(rounds):
                booster.update()

        return 1000 * seconds_of(loop) / rounds

    return timer


def xgboost_timer(x: np.ndarray, y: np.ndarray, rounds: int, threads: int) -> Callable[[], float]:
    """One tree per round: of one number per leaf, or, if y has several columns, of a vector."""
    import xgboost

    settings = {
        "tree_method": "hist",
        "max_bin": 256,
        "lambda": 1,
        "base_score": 0.0,
        "nthread": threads,
        "multi_strategy": "multi_output_tree" if y.ndim == 2 else "one_output_per_tree",
        **TREES,
    }
    data = xgboost.DMatrix(x, y, nthread=threads)

    def timer() -> float:
        booster = xgboost.Booster(settings, [data])
        booster.update(data, 0)  # bins

        def loop() -> None:
            for i in range(1, rounds + 1):
                booster.update(data, i)

        return 1000 * seconds_of(loop) / rounds

    return timer


def measure(options: Options) -> Iterator[dict]:
    for size in options.sizes:
        data, rounds = size.data(), rounds_for(size)
        x = np.asarray(data.views[0], dtype=np.float32)
        y = np.asarray(data.views[1][:, 0], dtype=np.float32)
        kept: dict[str, list[float]] = {}
        with Workspace(options.program, data) as workspace:
            timers = {
                "TreeCCA": our_timers(workspace, SCALAR, rounds, 2 * size.k, options.threads, kept),
                "LightGBM": lightgbm_timer(x, y, rounds, options.threads),
                "XGBoost": xgboost_timer(x, y, rounds, options.threads),
            }
            times = timed_in_turns(timers, options.repeats, options.budget)
        yield record("trees", size, "TreeCCA, trees alone", "ms per tree", kept["trees"])
        for name, values in times.items():
            yield record("trees", size, name, "ms per tree", values)


def measure_joint(options: Options) -> Iterator[dict]:
    for size in map(Size.parse, JOINT_SIZES):
        data, rounds = size.data(), rounds_for(size)
        x = np.asarray(data.views[0], dtype=np.float32)
        y = np.random.default_rng(0).standard_normal((size.n, size.k), dtype=np.float32)
        y[:, :5] += np.asarray(data.views[1][:, :5], dtype=np.float32)
        with Workspace(options.program, data) as workspace:
            timers = {
                "TreeCCA": our_timers(workspace, JOINT, rounds, 2, options.threads, {}),
                "XGBoost": xgboost_timer(x, y, rounds, options.threads),
            }
            times = timed_in_turns(timers, options.repeats, options.budget)
        for name, values in times.items():
            yield record("joint trees", size, name, "ms per round and view", values)
