from __future__ import annotations

from typing import Any

import numpy as np

from .._permutation_test import PermutationTestResult
from ._display import LINEAR, NOISE, PALETTE, Display


class PermutationTestDisplay(Display):
    """The highest correlation of every permutation as a histogram, and the correlations of the data as lines.

    ``table_`` has the null distribution of each component (``null_``). The histogram shows the null distribution of the
    first component; later components are compared with the highest of fewer components.
    """

    def __init__(self, result: PermutationTestResult) -> None:
        super().__init__({f"cc{number}": column for number, column in enumerate(result.null_.T, 1)})
        self.result = result

    @classmethod
    def from_result(cls, result: PermutationTestResult, *, ax: Any = None) -> PermutationTestDisplay:
        return cls(result).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> PermutationTestDisplay:
        ax = self._axes(ax)
        ax.hist(self.table_["cc1"], bins="auto", color=LINEAR, label="highest of each permutation")
        ax.axvline(
            np.quantile(self.table_["cc1"], 0.95),
            color=NOISE,
            linestyle="--",
            label="95% of the permutations are below",
        )
        pairs = zip(self.result.correlations, self.result.p_values, strict=True)
        for number, (correlation, p) in enumerate(pairs, 1):
            color = PALETTE[(number - 1) % len(PALETTE)]
            ax.axvline(correlation, color=color, label=f"component {number}: {correlation:.2f}, p = {p:.2g}")
        ax.set(xlabel="out-of-fold correlation", ylabel="permutations")
        ax.legend(loc="upper center")
        return self
