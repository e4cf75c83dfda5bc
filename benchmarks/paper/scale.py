"""How large a run is: the paper's sizes, or a quick pass over everything with small ones."""

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
        """The one that applies."""
        return quick if self.quick else full

    def few_rounds(self) -> dict[str, int]:
        """The setting `n_estimators` of a quick run; none otherwise."""
        return {"n_estimators": 12} if self.quick else {}

    def samples(self, full: int) -> dict[str, int]:
        """Number of rows of a synthetic set."""
        return {"n_samples": min(full, 400) if self.quick else full}

    def thin(self) -> int | None:
        """Greatest number of training rows of a real set; None takes all."""
        return 150 if self.quick else None
