"""The functions that run on the workers of a fit."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from threading import Timer
from typing import Any

import numpy as np
from distributed import Future, get_client, get_worker
from sklearn.base import clone

from .. import _core
from .._estimator import TreeCCA
from ..distributed import ShardFit, Tracker, fit_shard
from ._parts import Part

_POLL_SECONDS = 0.1
_SECONDS_TO_STOP = 10.0  # for workers that were asked to stop
_SECONDS_TO_SIGN_OFF = 30.0  # at the tracker of a fit whose client has ended
_trackers: dict[str, Tracker] = {}  # of this process, by the name of the fit
_running: set[tuple[str, int]] = set()  # in this process: name of the fit and rank


@dataclass
class FittedShard:
    """The result of a worker's fit, as the client receives it."""

    model: _core.Model | None  # only from rank 0: it is the same on all workers
    warnings: list[str]
    timings: dict[str, float]
    # The views' out-of-fold variates (if any), per view and part. They stay on the worker as data that cannot be
    # computed again: a request for them after the worker is lost fails at once.
    of_rows: list[list[Future]]


def start_tracker(name: str, n_workers: int, host: str) -> dict[str, Any]:
    _trackers[name] = Tracker(n_workers, host)
    return _trackers[name].worker_config()


def stop_tracker(name: str) -> None:
    tracker = _trackers.pop(name, None)
    if tracker is not None:
        tracker.close()


def fit_rows(
    rows: Part,
    ranges: list[tuple[int, int]],
    estimator: TreeCCA,
    group_numbers: dict[Any, int] | None,
    config: dict[str, Any],
    fit_name: str,
    rank: int,
    timeout: int,
) -> FittedShard:
    """Fit the shard of a worker."""
    row_numbers = np.concatenate([np.arange(start, start + count) for start, count in ranges])
    groups = None if group_numbers is None else [group_numbers[label] for label in rows.groups.tolist()]
    if estimator.n_jobs is None:
        estimator = clone(estimator).set_params(n_jobs=get_worker().state.nthreads)
    _running.add((fit_name, rank))
    try:
        fitted = fit_shard(
            {view.name: _with_names(view) for view in rows.views},
            estimator,
            config,
            rank,
            groups=groups,
            sample_weight=rows.weights,
            row_numbers=row_numbers,
            timeout=timeout,
            stop=_abandoned(),
        )
        _leave_here(fitted, [count for _, count in ranges])
    except BaseException as error:
        last_word = Timer(_SECONDS_TO_SIGN_OFF, stop_tracker, [fit_name])  # its client may have ended
        last_word.daemon = True
        last_word.start()
        if isinstance(error, KeyboardInterrupt):  # Dask would take it for the end of the worker
            raise RuntimeError("The fit was stopped, because its client has ended or cancelled it.") from None
        raise
    finally:
        _running.discard((fit_name, rank))
    return FittedShard(fitted.model if rank == 0 else None, fitted.warnings, fitted.timings, [])


async def ended(fit_name: str) -> bool:
    """Wait until a stopped fit has ended on this worker; return whether nothing of it still runs."""
    deadline = time.monotonic() + _SECONDS_TO_STOP
    while any(name == fit_name for name, _ in _running) and time.monotonic() < deadline:
        await asyncio.sleep(_POLL_SECONDS)
    return not any(name == fit_name for name, _ in _running) and _core.fits_left_behind() == 0


def _abandoned() -> Callable[[], bool]:
    """Whether the task that runs here is still needed: its client may have cancelled it, or ended."""
    worker = get_worker()
    key = worker.get_current_task()

    def abandoned() -> bool:
        task = worker.state.tasks.get(key)
        return task is None or task.state == "cancelled"

    return abandoned


def _leave_here(fitted: ShardFit, counts: list[int]) -> None:
    """Keep the results for the rows here, part by part, under the name of the task, for the client to fetch."""
    of_rows: list[Any] = list(fitted.out_of_fold_variates)
    if not of_rows:
        return
    client = get_client()
    begins = np.concatenate([[0], np.cumsum(counts)])
    ranges = [slice(begin, end) for begin, end in pairwise(begins)]
    kept = [client.scatter([values[one] for one in ranges], hash=False) for values in of_rows]
    client.publish_dataset(kept, name=get_worker().get_current_task())


def _with_names(view: Any) -> Any:
    if not view.feature_names:
        return view.values
    import pandas as pd

    return pd.DataFrame(view.values, columns=view.feature_names, copy=False)
