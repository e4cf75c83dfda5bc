"""Result files: a JSON array with one record per line, so that a new measurement is a small diff."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any


def write_records(path: str | Path, records: Iterable[dict[str, Any]]) -> None:
    lines = ",\n".join(json.dumps(record) for record in records)
    Path(path).write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def read_records(path: str | Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(Path(path).read_text(encoding="utf-8"))
    return found


def measured_records(
    one: Callable[[Any], dict[str, Any]], tasks: Iterable[Any], workers: int, path: str | Path | None, every: int
) -> Iterator[dict[str, Any]]:
    """The record of every task, in order. With a path: all records so far are written after `every` ones."""
    records: list[dict[str, Any]] = []
    with ProcessPoolExecutor(workers) as pool:
        for record in pool.map(one, tasks, chunksize=4):
            records.append(record)
            if path and len(records) % every == 0:
                write_records(path, records)
            yield record
    if path:
        write_records(path, records)
