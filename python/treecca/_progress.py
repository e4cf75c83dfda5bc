"""A progress line for fits with verbose=1: tqdm where it is installed, else one line of our own."""

from __future__ import annotations

import sys
from typing import Any


class Progress:
    """Called after every round with (round, rounds, tcc, seconds)."""

    def __init__(self) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            tqdm = None
        self._tqdm = tqdm
        self._bar: Any = None

    def __call__(self, done: int, rounds: int, tcc: float, seconds: float) -> None:
        if self._tqdm is not None:
            if self._bar is None:
                self._bar = self._tqdm(total=rounds, desc="TreeCCA", unit="round")
            self._bar.set_postfix(tcc=f"{tcc:.3f}", refresh=False)
            self._bar.update(done - self._bar.n)
            return
        left = seconds / done * (rounds - done)
        end = "\n" if done == rounds else ""
        print(
            f"\rTreeCCA: round {done}/{rounds}, TCC {tcc:.3f}, {left:.0f} s left  ",
            end=end,
            file=sys.stderr,
            flush=True,
        )

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
