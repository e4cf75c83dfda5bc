"""What was to be shown, and whether it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    what: str
    wanted: float
    here: float | None  # None: not run, or not by all seeds
    note: str = ""  # what was tried, or why it cannot be told

    @property
    def verdict(self) -> str:
        if self.here is None:
            return "not run"
        return "reached" if self.here >= self.wanted else "**not reached**"


def table(targets: Sequence[Target]) -> list[list[str]]:
    rows = [["figure", "wanted", "here", "verdict", "remark"]]
    for t in targets:
        here = "" if t.here is None else f"{t.here:.3f}"
        rows.append([t.what, f">= {t.wanted}", here, t.verdict, t.note])
    return rows
