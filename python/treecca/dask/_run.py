"""Runs one fit on the workers of a cluster: assigns rows, starts the tracker, handles failures."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn
from urllib.parse import urlparse
from warnings import warn

import numpy as np
from distributed import Client, Future, Semaphore

from .._estimator import TreeCCA
from ._parts import PartInfo, joined
from ._worker import FittedShard, ended, fit_rows, start_tracker, stop_tracker

_POLL_SECONDS = 0.25
_SECONDS_FOR_THE_CAUSE = 5.0  # to receive the first failure if another one has arrived before it
_SECONDS_TO_ANSWER = 20.0  # for workers to stop
_SECONDS_BEFORE_A_WORD = 10.0  # about waiting for another fit
# XGBoost's message, as the engine, after another worker has failed; TreeCCA itself raises ConnectionError.
_SIGNS_OF_A_PEER_GONE = ("collective", "llreduce", "llgather")


@dataclass
class Shard:
    """The parts that one worker holds, by their numbers."""

    worker: str
    numbers: list[int]
    fitted: Future | None = None


def shards_of(client: Client, parts: list[Future]) -> list[Shard]:
    """Assign every part to a worker that holds it; parts keep their order."""
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
) -> list[tuple[Shard, FittedShard]]:
    """Run `fit_shard` on every worker that holds parts, by rank; empty `parts`. RuntimeError when a worker is lost.

    If it ends early for any reason, including Ctrl-C, the workers are stopped.
    """
    shards = shards_of(client, parts)
    starts = np.concatenate([[0], np.cumsum([info.rows for info in infos])])
    group_numbers = _number_groups(infos)
    rows = _joined_on_workers(client, shards, parts)
    parts.clear()  # so that the workers do not keep the rows twice
    fit_name = uuid.uuid4().hex
    workers = [shard.worker for shard in shards]
    with _locked(client, workers):
        try:
            _raise_if_gone(_gone(client, workers))  # while it waited
            config = _first(client.run(start_tracker, fit_name, len(shards), _host(workers[0]), workers=workers[:1]))
            for rank, shard in enumerate(shards):
                shard.fitted = client.submit(
                    fit_rows,
                    rows[rank],
                    [(int(starts[number]), infos[number].rows) for number in shard.numbers],
                    estimator,
                    group_numbers,
                    config,
                    fit_name,
                    rank,
                    timeout,
                    workers=[shard.worker],
                    allow_other_workers=False,
                    pure=False,
                    retries=0,
                    key=f"treecca-fit-{fit_name}-{rank}",
                )
            _wait_for_all(client, shards)
            return [(shard, _result(client, shard)) for shard in shards]
        except BaseException as error:
            try:
                _stop(client, fit_name, shards)
            except Exception as more:
                raise error from more
            raise
        finally:
            for shard in shards:
                if shard.fitted is not None:
                    client.unpublish_dataset(shard.fitted.key)
            if not _gone(client, workers[:1]):  # otherwise the tracker would end with it
                _run_briefly(client, stop_tracker, fit_name, workers[:1])


def _stop(client: Client, fit_name: str, shards: list[Shard]) -> None:
    """Tell the workers to stop, and wait until they have stopped."""
    client.cancel([shard.fitted for shard in shards if shard.fitted is not None], force=True)
    workers = [shard.worker for shard in shards]
    alive = [worker for worker in workers if worker not in _gone(client, workers)]
    all_ended = _run_briefly(client, ended, fit_name, alive)
    gone = _gone(client, alive)
    holding = [worker for worker in alive if worker not in gone and not all_ended.get(worker, False)]
    if holding:
        warn(
            f"A failed fit may still hold memory on {', '.join(holding)}: it has not noticed yet that it was stopped, "
            f"or XGBoost waits there for a worker that is gone. If it stays: client.restart_workers({holding}).",
            UserWarning,
            stacklevel=4,
        )


def _run_briefly(client: Client, function: Callable[[str], Any], fit_name: str, workers: list[str]) -> dict[str, Any]:
    """The results of the function on all workers; nothing if a worker does not answer."""
    try:
        answers: dict[str, Any] = client.sync(
            client._run,  # client.run has no time limit
            function,
            fit_name,
            workers=workers,
            on_error="ignore",
            callback_timeout=_SECONDS_TO_ANSWER,
        )
    except TimeoutError:
        return {}
    return answers


@contextmanager
def _locked(client: Client, workers: list[str]) -> Iterator[None]:
    """Allow one fit at a time on these workers: two fits that each hold some workers would wait for each other forever.

    All clients take the locks in the same order. The scheduler frees the locks of a client that has ended (Dask's
    setting distributed.scheduler.locks.lease-timeout, 30 seconds).
    """
    with ExitStack() as held:
        for worker in sorted(workers):
            lock = Semaphore(1, f"treecca-{worker}", scheduler_rpc=client.scheduler, loop=client.loop)
            if hasattr(lock, "refresh_callback"):  # else leases do not end
                held.callback(client.loop.add_callback, lock.refresh_callback.stop)
            if not lock.acquire(timeout=_SECONDS_BEFORE_A_WORD):
                warn(f"Another fit uses worker {worker}; this one waits until it has ended.", UserWarning, stacklevel=5)
                while not lock.acquire(timeout=_SECONDS_BEFORE_A_WORD):
                    pass
            held.callback(lock.release)
        yield


def _result(client: Client, shard: Shard) -> FittedShard:
    """The result of a fitted shard; its worker may have been lost since."""
    assert shard.fitted is not None
    while True:
        try:
            fitted: FittedShard = shard.fitted.result(timeout=_POLL_SECONDS)
        except TimeoutError:
            _raise_if_gone(_gone(client, [shard.worker]))
            continue
        fitted.of_rows = client.get_dataset(shard.fitted.key, default=[])  # from now on this client keeps them
        return fitted


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
    """Numbers the labels by first appearance among all rows, as in one process."""
    numbers: dict[Any, int] = {}
    for info in infos:
        for label in info.group_labels:
            numbers.setdefault(label, len(numbers))
    return numbers or None


def _wait_for_all(client: Client, shards: list[Shard]) -> None:
    futures = [shard.fitted for shard in shards if shard.fitted is not None]
    while not all(future.status == "finished" for future in futures):
        lost = _lost_workers(client, shards)
        failed = [future for future in futures if future.status in ("error", "cancelled", "lost")]
        if lost or failed:
            _raise_cause(client, shards, futures)
        time.sleep(_POLL_SECONDS)


def _lost_workers(client: Client, shards: list[Shard]) -> list[str]:
    """The workers that were lost before they had finished."""
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
    """Raise the cause of a failed fit. After one worker is lost the others fail too, without being the cause."""
    deadline = time.monotonic() + _SECONDS_FOR_THE_CAUSE
    errors: list[BaseException] = []
    while time.monotonic() < deadline:
        _raise_if_gone(_lost_workers(client, shards))
        errors = [future.exception() for future in futures if future.status == "error"]
        for error in errors:
            if not isinstance(error, ConnectionError) and not any(sign in str(error) for sign in _SIGNS_OF_A_PEER_GONE):
                raise error
        time.sleep(_POLL_SECONDS)
    raise errors[0] if errors else RuntimeError("A worker did not finish its part of the fit.")


def _host(worker: str) -> str:
    address = urlparse(worker)
    return "127.0.0.1" if address.scheme == "inproc" or address.hostname is None else address.hostname


def _first(results: dict[str, Any]) -> Any:
    return next(iter(results.values()))
