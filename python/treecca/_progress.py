"""A progress line for fits with verbose=1: tqdm where it is installed, else one line of our own."""

from __future__ import annotations

import sys
import time
from typing import Any


def _tqdm() -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm


class _Bar:
    """A progress bar: steps done, TCC, time left."""

    def __init__(self, unit: str) -> None:
        self._unit = unit
        self._tqdm = _tqdm()
        self._bar: Any = None
        self._begin = time.monotonic()

    def show(self, done: int, total: int, tcc: float) -> None:
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


class Progress(_Bar):
    """Called after every round of a fit."""

    def __init__(self) -> None:
        super().__init__("round")

    def __call__(self, done: int, rounds: int, tcc: float, seconds: float) -> None:
        self.show(done, rounds, tcc)


class SettingsProgress(_Bar):
    """Called after every setting of a grid."""

    def __init__(self) -> None:
        super().__init__("setting")

    def __call__(self, done: int, settings: int, tcc: float) -> None:
        self.show(done, settings, tcc)
