"""The size of a run: the paper's sizes, or small ones for a quick pass over everything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

PAPER_SEEDS = (42, 0, 1, 2, 3)
QUICK_SEEDS = (42, 0)


@dataclass(frozen=True)
class Scale:
    quick: bool = False
    seeds: tuple[int, ...] = PAPER_SEEDS

    def pick(self, full: Any, quick: Any) -> Any:
        """Return the value for this scale."""
        return quick if self.quick else full

    def few_rounds(self) -> dict[str, int]:
        """Return the setting `n_estimators` of a quick run; none otherwise."""
        return {"n_estimators": 12} if self.quick else {}

    def samples(self, full: int) -> dict[str, int]:
        """Return the number of samples of a synthetic set."""
        return {"n_samples": min(full, 400) if self.quick else full}

    def thin(self) -> int | None:
        """Return the maximum number of training samples of a published set; None: all."""
        return 150 if self.quick else None
