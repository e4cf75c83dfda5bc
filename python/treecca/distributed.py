"""Fits whose rows are spread over several processes, with Dask, Spark, Ray or any other scheduler.

One process starts a :class:`Tracker`; then every worker calls :func:`fit_shard` with its own rows, at the same time.
Histograms, moments and bin sketches are added up through XGBoost's communicator, so XGBoost must be installed where
the workers run; the engine may be TreeCCA's own. All workers end with the same model. docs/guide/distributed.md has
recipes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._engines import engine_settings
from ._estimator import TreeCCA, fitted_with
from ._parameters import checked_integer
from ._progress import progress
from ._views import Views, as_view, check_same_samples, named_tables

__all__ = ["ShardFit", "Tracker", "fit_shard"]


class Tracker:
    """Lets the workers of one fit find each other. Runs in the background until closed. A context manager.

    Parameters
    ----------
    n_workers : int
        Number of processes that call `fit_shard`.
    host : str, default=""
        The address of this machine as the workers see it; empty lets XGBoost detect it.
    """

    def __init__(self, n_workers: int, host: str = "") -> None:
        engine_settings()
        self._tracker: _core.Tracker | None = _core.Tracker(checked_integer("n_workers", n_workers, 1), host)

    def worker_config(self) -> dict[str, Any]:
        """Return the configuration that all workers share."""
        if self._tracker is None:
            raise ValueError("The tracker is closed.")
        config: dict[str, Any] = json.loads(self._tracker.worker_config())
        return config

    def close(self) -> None:
        """End the tracker. Workers that still wait for others then fail."""
        self._tracker = None

    def __enter__(self) -> Tracker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class ShardFit:
    """The result of `fit_shard`: the model of all rows, and the variates and weights of this worker's rows.

    Attributes
    ----------
    model : treecca._core.Model
        The same in every worker.
    variates, out_of_fold_variates : list of ndarray of shape (rows here, n_components)
    warnings : list of str
    timings : dict of float
    weights : list of float
        Weight of each row here, with mean 1 over all rows; empty without `sample_weight`.
    """

    def __init__(self, result: _core.FitResult) -> None:
        self.model = result.model
        self.variates: list[NDArray[np.float32]] = list(result.variates)
        self.out_of_fold_variates: list[NDArray[np.float32]] = list(result.out_of_fold)
        self.warnings = list(result.warnings)
        self.timings: dict[str, float] = dict(result.timings)
        self.weights: list[float] = list(result.weights)

    def estimator(self) -> TreeCCA:
        """Return the model as a fitted TreeCCA."""
        estimator = fitted_with(self.model)
        assert isinstance(estimator, TreeCCA)
        return estimator


def fit_shard(
    views: Views,
    estimator: TreeCCA,
    config: Mapping[str, Any],
    rank: int,
    *,
    groups: Any = None,
    sample_weight: Any = None,
    row_numbers: Any = None,
    timeout: int = 300,
    stop: Callable[[], bool] | None = None,
) -> ShardFit:
    """Fit TreeCCA to the rows of all workers. All workers call it at the same time.

    Parameters
    ----------
    views : list of tables, or mapping of name -> table
        The rows of this worker, as for `TreeCCA.fit`: possibly none, but with all columns.
    estimator : TreeCCA
        The parameters, the same in all workers. Needs an integer `random_state`.
    config : mapping
        From `Tracker.worker_config`.
    rank : int
        The number of this worker, from 0, different for each.
    groups : array-like of int of shape (rows here,), default=None
        Rows of one group share a fold, even on different workers. Integers with the same meaning on all workers.
    sample_weight : array-like of shape (rows here,), default=None
    row_numbers : array-like of int of shape (rows here,), default=None
        The number of every row among all rows, from 0. None: rows are numbered after the rows of lower ranks. Folds and
        samples are drawn by this number, so the result does not depend on the worker that holds a row.
    timeout : int, default=300
        Seconds to wait for the other workers to appear, and for a worker that does not answer. A worker that dies is
        detected at once.
    stop : callable, default=None
        Called ten times a second while the fit runs; return True to stop the fit. KeyboardInterrupt is then raised
        within five seconds, here and in the other workers (there it may be ConnectionError). A fit that waits in
        XGBoost cannot be stopped and is abandoned: its rows stay in memory until the wait ends.

    Raises
    ------
    ConnectionError
        When the tracker or another worker cannot be reached or is gone.
    """
    seed = estimator.random_state
    if isinstance(seed, (bool, np.bool_)) or not isinstance(seed, (int, np.integer)):
        raise ValueError("random_state must be an integer, the same in all workers.")
    if not isinstance(config, Mapping):
        raise ValueError(f"config must be the mapping from Tracker.worker_config, not {config!r}.")
    rank = checked_integer("rank", rank, 0)
    communicator = {
        **config,
        "dmlc_task_id": f"{rank:08d}",
        "dmlc_timeout": checked_integer("timeout", timeout, 1),
    }
    checked = [as_view(name, table, min_samples=0) for name, table in named_tables(views).items()]
    check_same_samples(checked, groups, sample_weight)
    with progress("round", estimator.verbose if rank == 0 else 0) as on_round:
        result = _core.fit(
            [view.for_core() for view in checked],
            estimator._settings(),
            None if groups is None else _integers("groups", groups, _NUMBER_THE_LABELS),
            None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64),
            on_round,
            engine_settings(estimator),
            json.dumps(communicator),
            rank,
            None if row_numbers is None else _integers("row_numbers", row_numbers),
            stop,
        )
    return ShardFit(result)


_NUMBER_THE_LABELS = " Number the labels in the same way on all workers: each worker sees only its own rows."


def _integers(name: str, values: Any, advice: str = "") -> NDArray[np.int64]:
    numbers = np.asarray(values)
    if numbers.ndim != 1 or (numbers.size > 0 and numbers.dtype.kind not in "iu"):
        raise ValueError(
            f"{name} must be one integer per row, got an array of {numbers.dtype} of shape {numbers.shape}.{advice}"
        )
    return np.ascontiguousarray(numbers, dtype=np.int64)
