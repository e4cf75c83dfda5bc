"""Computes the units that have no result yet, and prints the remaining time."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Iterable

from threadpoolctl import threadpool_limits

from .results import Results
from .unit import Missing, Unit


def run(units: Iterable[Unit], results: Results, threads: int | None = None) -> list[str]:
    """Compute every unit without a result once; return the failures as text.

    Can be interrupted at any time. A missing package or data file is not a failure: the page says what to get.
    `threads` limits the threads of every library; None leaves it to them.
    """
    todo = list({unit.key: unit for unit in units if not results.is_done(unit)}.values())
    total = sum(unit.seconds for unit in todo)
    _say(f"{len(todo)} fits to run, about {total / 60:.0f} min on two free cores.")
    failures = []
    done, start = 0.0, time.perf_counter()
    for number, unit in enumerate(todo, 1):
        remaining = (time.perf_counter() - start) * (total / done - 1) if done else total
        _say(f"{number}/{len(todo)} {unit.label}, about {remaining / 60:.0f} min remaining")
        try:
            with threadpool_limits(threads):  # for every unit: the previous one may have loaded more libraries
                results.compute(unit)
        except Missing as reason:
            results.problems[unit.key] = {"missing": str(reason)}
        except Exception as reason:  # the other rows of the table are still worth having
            traceback.print_exc()
            results.problems[unit.key] = {"failed": f"{type(reason).__name__}: {reason}"}
            failures.append(f"{unit.label}: {type(reason).__name__}: {reason}")
        done += unit.seconds
    return failures


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
