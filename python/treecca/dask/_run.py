"""One fit on the workers of a cluster: who has which rows, the tracker, and what to do when something fails."""

from __future__ import annotations

import time
import uuid
from dataclasses import dataclass
from typing import Any, NoReturn
from urllib.parse import urlparse

import numpy as np
from distributed import Client, Future, MultiLock, get_worker
from sklearn.base import clone

from .._estimator import TreeCCA
from ..distributed import ShardFit, Tracker, fit_shard
from ._parts import Part, PartInfo, joined

_POLL_SECONDS = 0.25
_SECONDS_FOR_THE_CAUSE = 5.0  # to hear of the first failure when another one has been seen already
# What workers say whose peer has failed: TreeCCA's words, and those of XGBoost where it was asked to grow trees.
_SIGNS_OF_A_PEER_GONE = ("Another worker of this fit is gone", "collective", "llreduce", "llgather")
_trackers: dict[str, Tracker] = {}  # of this process, by the name of the fit


@dataclass
class Shard:
    """The parts that one worker holds, by their numbers."""

    worker: str
    numbers: list[int]
    fitted: Future | None = None


def shards_of(client: Client, parts: list[Future]) -> list[Shard]:
    """Every part belongs to a worker that holds it; parts in their order."""
    holders = client.who_has(parts)
    by_worker: dict[str, list[int]] = {}
    for number, part in enumerate(parts):
        workers = sorted(holders.get(part.key, ()))
        if not workers:
            raise RuntimeError(f"Partition {number} is on no worker any more: a worker was lost. Fit again.")
        by_worker.setdefault(workers[0], []).append(number)
    return [Shard(worker, numbers) for worker, numbers in sorted(by_worker.items(), key=lambda item: item[1][0])]


def fit_on_workers(
    client: Client, estimator: TreeCCA, parts: list[Future], infos: list[PartInfo], timeout: int
) -> list[Shard]:
    """Runs `fit_shard` on every worker that holds parts; empties `parts`. RuntimeError when a worker is lost."""
    shards = shards_of(client, parts)
    starts = np.concatenate([[0], np.cumsum([info.rows for info in infos])])
    group_numbers = _number_groups(infos)
    rows = _joined_on_workers(client, shards, parts)
    parts.clear()  # the workers need not keep the rows twice
    fit_name = uuid.uuid4().hex
    workers = [shard.worker for shard in shards]
    # Two fits that each hold some of the workers would wait for each other for ever.
    with MultiLock(names=[f"treecca-{worker}" for worker in workers], client=client):
        config = _first(client.run(_start_tracker, fit_name, len(shards), _host(workers[0]), workers=workers[:1]))
        try:
            for rank, shard in enumerate(shards):
                shard.fitted = client.submit(
                    _fit_rows,
                    rows[rank],
                    [(int(starts[number]), infos[number].rows) for number in shard.numbers],
                    estimator,
                    group_numbers,
                    config,
                    rank,
                    timeout,
                    workers=[shard.worker],
                    allow_other_workers=False,
                    pure=False,
                    retries=0,
                    key=f"treecca-fit-{fit_name}-{rank}",
                )
            _wait_for_all(client, shards)
        finally:
            if not _gone(client, workers[:1]):  # else the tracker is gone with it
                client.run(_stop_tracker, fit_name, workers=workers[:1], on_error="ignore")
    return shards


def _joined_on_workers(client: Client, shards: list[Shard], parts: list[Future]) -> list[Future]:
    rows = [
        client.submit(
            joined,
            [parts[number] for number in shard.numbers],
            workers=[shard.worker],
            allow_other_workers=False,
            pure=False,
        )
        for shard in shards
    ]
    while not all(future.done() for future in rows):
        _raise_if_gone(_gone(client, [shard.worker for shard in shards]))
        time.sleep(_POLL_SECONDS)
    for future in rows:
        if future.status != "finished":
            raise future.exception() or RuntimeError("A worker lost its rows.")
    return rows


def _number_groups(infos: list[PartInfo]) -> dict[Any, int] | None:
    """Labels to numbers, by first appearance among all rows: as in one process."""
    numbers: dict[Any, int] = {}
    for info in infos:
        for label in info.group_labels:
            numbers.setdefault(label, len(numbers))
    return numbers or None


def _fit_rows(
    rows: Part,
    ranges: list[tuple[int, int]],
    estimator: TreeCCA,
    group_numbers: dict[Any, int] | None,
    config: dict[str, Any],
    rank: int,
    timeout: int,
) -> ShardFit:
    """What a worker runs."""
    row_numbers = np.concatenate([np.arange(start, start + count) for start, count in ranges])
    groups = None if group_numbers is None else [group_numbers[label] for label in rows.groups.tolist()]
    if estimator.n_jobs is None:
        estimator = clone(estimator).set_params(n_jobs=get_worker().state.nthreads)
    return fit_shard(
        {view.name: _with_names(view) for view in rows.views},
        estimator,
        config,
        rank,
        groups=groups,
        sample_weight=rows.weights,
        row_numbers=row_numbers,
        timeout=timeout,
    )


def _with_names(view: Any) -> Any:
    if not view.feature_names:
        return view.values
    import pandas as pd

    return pd.DataFrame(view.values, columns=view.feature_names, copy=False)


def _wait_for_all(client: Client, shards: list[Shard]) -> None:
    futures = [shard.fitted for shard in shards if shard.fitted is not None]
    while not all(future.status == "finished" for future in futures):
        lost = _lost_workers(client, shards)
        failed = [future for future in futures if future.status in ("error", "cancelled", "lost")]
        if lost or failed:
            _raise_cause(client, shards, futures)
        time.sleep(_POLL_SECONDS)


def _lost_workers(client: Client, shards: list[Shard]) -> list[str]:
    """Those that went before they had finished."""
    return _gone(
        client, [shard.worker for shard in shards if shard.fitted is not None and shard.fitted.status != "finished"]
    )


def _gone(client: Client, workers: list[str]) -> list[str]:
    alive = client.nthreads()  # of all workers; scheduler_info may leave some out
    return [worker for worker in workers if worker not in alive]


def _raise_if_gone(lost: list[str]) -> None:
    if lost:
        raise RuntimeError(
            f"The fit was stopped because worker {lost[0]} is gone: it was killed, ran out of memory (see "
            "memory_limit) or lost its connection. Nothing was fitted; fit again when the cluster is complete."
        )


def _raise_cause(client: Client, shards: list[Shard], futures: list[Future]) -> NoReturn:
    """Why a fit failed. When one worker is gone the others fail too, and only say so; that is not the cause."""
    deadline = time.monotonic() + _SECONDS_FOR_THE_CAUSE
    errors: list[BaseException] = []
    while time.monotonic() < deadline:
        _raise_if_gone(_lost_workers(client, shards))
        errors = [future.exception() for future in futures if future.status == "error"]
        for error in errors:
            if not any(sign in str(error) for sign in _SIGNS_OF_A_PEER_GONE):
                raise error
        time.sleep(_POLL_SECONDS)
    raise errors[0] if errors else RuntimeError("A worker did not finish its part of the fit.")


def _host(worker: str) -> str:
    address = urlparse(worker)
    return "127.0.0.1" if address.scheme == "inproc" or address.hostname is None else address.hostname


def _first(results: dict[str, Any]) -> Any:
    return next(iter(results.values()))


def _start_tracker(name: str, n_workers: int, host: str) -> dict[str, Any]:
    _trackers[name] = Tracker(n_workers, host)
    return _trackers[name].worker_config()


def _stop_tracker(name: str) -> None:
    tracker = _trackers.pop(name, None)
    if tracker is not None:
        tracker.close()
