"""Kernel CCA of cca-zoo with the paper's settings: RBF kernel, c = 0.1, gamma = 0.1, standardised views.

The paper's c weights K against K^2; cca-zoo 4 weights it against K^2 / (n - 1). The equivalent shrinkage is
c / (1 - c) / (n - 1), up to second order; 0.1 itself would be far too strong.
"""

from __future__ import annotations

import time
from typing import Any

from treecca.datasets import MultiviewDataset

from ..methods import Embedded, standardised

_C = 0.1


def embed(data: MultiviewDataset, seed: int, settings: dict[str, Any], extras: list[str]) -> Embedded:
    from cca_zoo.nonparametric import KCCA

    train, test = standardised(data)
    start = time.perf_counter()
    model = KCCA(data.k, kernel="rbf", shrinkage=_C / (1 - _C) / (len(train[0]) - 1), gamma=0.1, **settings).fit(train)
    seconds = time.perf_counter() - start
    return Embedded(list(model.transform(train)), list(model.transform(test)), seconds)
