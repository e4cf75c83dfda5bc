"""Results by unit, computed once and kept by joblib.Memory, and their numbers as cells of tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Memory

from .tasks import TASKS
from .unit import Unit

Result = dict[str, Any]
_REASONS = ("missing", "refused", "failed")


class Results:
    """Results in `folder`. Memory writes a result as a whole or not at all, so a run may be killed at any time."""

    def __init__(self, folder: Path) -> None:
        memory = Memory(folder, verbose=0)
        self._tasks = {name: memory.cache(task) for name, task in TASKS.items()}
        self.problems: dict[str, Result] = {}  # unit key -> why this run has no result; not kept, the next run retries

    def is_done(self, unit: Unit) -> bool:
        return self._tasks[unit.task].check_call_in_cache(**unit.arguments)

    def compute(self, unit: Unit) -> Result:
        return self._tasks[unit.task](**unit.arguments)

    def one(self, unit: Unit) -> Result | None:
        """Return the kept result, or this run's problem, or None if the unit was not run."""
        return self.compute(unit) if self.is_done(unit) else self.problems.get(unit.key)

    def all(self, units: Iterable[Unit]) -> list[Result | None]:
        return [self.one(unit) for unit in units]


def values(results: Sequence[Result | None], *keys: str) -> list[float]:
    """Return the first of these numbers that a result has, for every result that has one."""
    found = []
    for result in results:
        for key in keys:
            if result is not None and result.get(key) is not None:
                found.append(result[key])
                break
    return found


def mean(results: Sequence[Result | None], *keys: str) -> float | None:
    """Return the mean, or None unless every result has the number: a mean over fewer seeds does not compare."""
    found = values(results, *keys)
    return float(np.mean(found)) if found and len(found) == len(results) else None


def cell(results: Sequence[Result | None], *keys: str, digits: int = 2) -> str:
    """Return mean and standard deviation over the seeds, or why there is none."""
    found = values(results, *keys)
    if not found:
        for reason in _REASONS:
            texts = [r[reason] for r in results if r is not None and reason in r]
            if texts:
                return texts[0].replace("|", "/")
        return "not run" if all(r is None for r in results) else ""
    text = f"{np.mean(found):.{digits}f}"
    if len(found) > 1:
        text += f" ± {np.std(found):.{digits}f}"
    return text + (f" ({len(found)} of {len(results)})" if len(found) < len(results) else "")


def duration(results: Sequence[Result | None]) -> str:
    """Return the mean seconds of one fit."""
    found = values(results, "seconds")
    if not found:
        return ""
    average = float(np.mean(found))
    return f"{average:.0f}" if average >= 10 else f"{average:.1f}" if average >= 0.1 else "<0.1"


@dataclass
class Row:
    """One method of a table: the paper's number and our results."""

    title: str
    published: str
    results: Sequence[Result | None]
    bold: bool = False


def as_in_paper(peak: bool) -> tuple[str, ...]:
    """Return the keys of the paper's protocol: the best round on test samples only where the paper reports it."""
    return ("peak", "raw") if peak else ("raw",)


def comparison(rows: Sequence[Row], *, peak: bool = False, accuracy: Sequence[str] | None = None) -> list[list[str]]:
    """Return the table that all comparisons share, heading first.

    `peak`: the paper reports the best round. `accuracy`: the paper's accuracies, one per row.
    """
    best = ", best round" if peak else ""
    heading = ["method", "paper: TCC", f"here, paper's protocol{best}", "here, test TCC", "out-of-fold TCC"]
    if accuracy is not None:
        heading += ["paper: accuracy", "here, paper's probe", "here, out-of-fold probe"]
    table = [[*heading, "seeds", "seconds"]]
    for number, row in enumerate(rows):
        test = cell(row.results, "test")
        why = not values(row.results, "test")
        cells = [row.title, row.published, "" if why else cell(row.results, *as_in_paper(peak))]
        cells += [f"**{test}**" if row.bold and not why else test, "" if why else cell(row.results, "out_of_fold")]
        if accuracy is not None:
            probes = [cell(row.results, key, digits=3) for key in ("accuracy_paper", "accuracy")]
            cells += [accuracy[number], *(["", ""] if why else probes)]
        table.append([*cells, str(len(values(row.results, "test"))), duration(row.results)])
    return table
