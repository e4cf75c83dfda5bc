"""What the page is written from: results by unit, and their figures as the cells of tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .cache import Cache, Result
from .unit import Unit

_REASONS = ("missing", "refused", "failed")


@dataclass(frozen=True)
class Results:
    cache: Cache

    def one(self, unit: Unit) -> Result | None:
        return self.cache.get(unit)

    def all(self, units: Iterable[Unit]) -> list[Result | None]:
        return [self.one(unit) for unit in units]

    def chosen(self, candidates: Sequence[Sequence[Unit]], by: str = "own") -> list[Result | None]:
        """Per seed the candidate whose figure `by` (the fit's own estimate) is largest: no test row has a say.

        candidates: per setting one unit for every seed. The seconds are those of all candidates together: whoever
        chooses has to fit them all.
        """
        best: list[Result | None] = []
        for options in zip(*candidates, strict=True):
            known = [r for r in self.all(options) if r is not None and r.get(by) is not None]
            if len(known) < len(options):
                best.append(None)
                continue
            best.append(max(known, key=lambda r: r[by]) | {"seconds": sum(r["seconds"] for r in known)})
        return best


def values(results: Sequence[Result | None], *keys: str) -> list[float]:
    """The first of these figures that a result has, for every result that has one."""
    found = []
    for result in results:
        for key in keys:
            if result is not None and result.get(key) is not None:
                found.append(result[key])
                break
    return found


def mean(results: Sequence[Result | None], *keys: str) -> float | None:
    """None unless every result has the figure: a mean over fewer seeds is another figure."""
    found = values(results, *keys)
    return float(np.mean(found)) if found and len(found) == len(results) else None


def cell(results: Sequence[Result | None], *keys: str, digits: int = 2) -> str:
    """Mean and deviation over the seeds, or why there is none."""
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
    """Seconds of one fit."""
    found = values(results, "seconds")
    if not found:
        return ""
    average = float(np.mean(found))
    return f"{average:.0f}" if average >= 10 else f"{average:.1f}" if average >= 0.1 else "<0.1"


@dataclass
class Row:
    """One method of a table: what the paper says of it, and what it did here."""

    title: str
    published: str
    results: Sequence[Result | None]
    bold: bool = False


def as_in_paper(peak: bool) -> tuple[str, ...]:
    """The figure of the paper's protocol: the best round on the test rows only where the paper says that it is one."""
    return ("peak", "raw") if peak else ("raw",)


def comparison(rows: Sequence[Row], *, peak: bool = False, accuracy: Sequence[str] | None = None) -> list[list[str]]:
    """The table that all comparisons share, its heading first.

    `peak`: the paper says that its figures are those of the best round. `accuracy`: the paper's, one per row.
    """
    best = ", best round" if peak else ""
    heading = ["method", "paper: TCC", f"here, paper's protocol{best}", "here, honest", "its own estimate"]
    if accuracy is not None:
        heading += ["paper: accuracy", "here, paper's probe", "here, honest probe"]
    table = [[*heading, "seeds", "seconds"]]
    for number, row in enumerate(rows):
        honest = cell(row.results, "test")
        why = not values(row.results, "test")
        cells = [row.title, row.published, "" if why else cell(row.results, *as_in_paper(peak))]
        cells += [f"**{honest}**" if row.bold and not why else honest, "" if why else cell(row.results, "own")]
        if accuracy is not None:
            probes = [cell(row.results, key, digits=3) for key in ("accuracy_paper", "accuracy")]
            cells += [accuracy[number], *(["", ""] if why else probes)]
        table.append([*cells, str(len(values(row.results, "test"))), duration(row.results)])
    return table


def settings_text(settings: dict[str, Any]) -> str:
    return ", ".join(f"`{name}={value}`" for name, value in settings.items()) or "defaults"
