"""Runs units that are not done yet and keeps their results; tells how long it will take."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Iterable

from threadpoolctl import threadpool_limits

from .cache import Cache
from .tasks import TASKS
from .unit import Missing, Refused, Unit


class Progress:
    """A bar (tqdm), or a line per unit. Its measure is the seconds that units were guessed to take."""

    def __init__(self, total: float, count: int, visible: bool = True) -> None:
        self.total, self.count, self.done, self.number = total, count, 0.0, 0
        self.start = time.perf_counter()
        self.visible = visible
        self.bar = None
        try:
            from tqdm import tqdm
        except ImportError:
            return
        layout = "{percentage:3.0f}%|{bar:20}| {elapsed}<{remaining} {desc}"
        self.bar = tqdm(total=total, smoothing=0, bar_format=layout, file=sys.stderr, disable=not visible)

    def begin(self, unit: Unit) -> None:
        self.number += 1
        if self.bar is not None:
            self.bar.set_description_str(f"{self.number}/{self.count} {unit.label}")
        elif self.visible:
            passed = time.perf_counter() - self.start
            remaining = f", about {passed * (self.total / self.done - 1):.0f} s remain" if self.done else ""
            print(f"{self.number}/{self.count} {unit.label}{remaining}", file=sys.stderr, flush=True)

    def end(self, unit: Unit) -> None:
        self.done += unit.seconds
        if self.bar is not None:
            self.bar.update(unit.seconds)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


def run(
    units: Iterable[Unit], cache: Cache, *, fresh: bool = False, visible: bool = True, threads: int | None = None
) -> list[str]:
    """Runs what is not there yet, each unit once; returns what failed, as text.

    What is missing (a package, a data file) is kept as such and no failure. Can be interrupted at any time. `threads`
    is the most that a library may use; None leaves it to them.
    """
    wanted = list({unit.key: unit for unit in units}.values())
    todo = [unit for unit in wanted if fresh or not cache.is_done(unit)]
    if visible and todo:
        minutes = sum(unit.seconds for unit in todo) / 60
        print(f"{len(todo)} fits to run, about {minutes:.0f} min on two free cores.", file=sys.stderr, flush=True)
    progress = Progress(sum(unit.seconds for unit in todo), len(todo), visible)
    failures = []
    try:
        for unit in todo:
            progress.begin(unit)
            try:
                with threadpool_limits(threads):  # anew for every unit: of libraries that the last one has loaded
                    result = TASKS[unit.task](**unit.arguments)
            except Missing as reason:
                result = {"missing": str(reason)}
            except Refused as reason:
                result = {"refused": str(reason)}
            except Exception as reason:  # one row of a table must not cost all others
                traceback.print_exc()
                result = {"failed": f"{type(reason).__name__}: {reason}"}
                failures.append(f"{unit.label}: {result['failed']}")
            cache.put(unit, result)
            progress.end(unit)
    finally:
        progress.close()
    return failures
