"""A progress line on standard error: tqdm if it is installed, else our own."""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


def _tqdm() -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm


def _somebody_watches() -> bool:
    """Whether this is the main process and runs in a terminal or a notebook."""
    if multiprocessing.parent_process() is not None:
        return False
    return sys.stderr.isatty() or "ipykernel" in sys.modules


@contextmanager
def progress(unit: str, verbose: int | None) -> Iterator[Progress | None]:
    """The callback for the core that shows a bar while the block runs; None if nothing is shown.

    `verbose`: 0 shows nothing, 1 shows a bar, None shows one after two seconds in a terminal or notebook.
    """
    if verbose == 0 or (verbose is None and not _somebody_watches()):
        yield None
        return
    bar = Progress(unit, delay=2 if verbose is None else 0)
    try:
        yield bar
    finally:
        bar.close()


class Progress:
    """A progress bar: steps done, TCC, time left. Called after every round of a fit or setting of a grid."""

    def __init__(self, unit: str, delay: float = 0) -> None:
        self._unit = unit
        self._delay = delay  # seconds before anything is shown
        self._tqdm = _tqdm()
        self._bar: Any = None
        self._begin = time.monotonic()

    def __call__(self, done: int, total: int, tcc: float, seconds: float | None = None) -> None:
        if time.monotonic() - self._begin < self._delay:
            return
        if self._tqdm is not None:
            if self._bar is None:
                self._bar = self._tqdm(total=total, desc="TreeCCA", unit=self._unit)
            self._bar.set_postfix(tcc=f"{tcc:.3f}", refresh=False)
            self._bar.update(done - self._bar.n)
            return
        left = (time.monotonic() - self._begin) / done * (total - done)
        text = f"\rTreeCCA: {self._unit} {done}/{total}, TCC {tcc:.3f}, {left:.0f} s left  "
        print(text, end="\n" if done == total else "", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
