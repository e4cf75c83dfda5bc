"""Kernel CCA of cca-zoo with the paper's settings: RBF kernel, shrinkage 0.1, gamma 0.1, standardised views."""

from __future__ import annotations

import time
from typing import Any

from treecca.datasets import MultiviewDataset

from ..methods import Embedded, standardised


def embed(data: MultiviewDataset, seed: int, settings: dict[str, Any], extras: list[str]) -> Embedded:
    from cca_zoo.nonparametric import KCCA

    train, test = standardised(data)
    start = time.perf_counter()
    model = KCCA(data.k, kernel="rbf", shrinkage=0.1, gamma=0.1, **settings).fit(train)
    seconds = time.perf_counter() - start
    return Embedded(list(model.transform(train)), list(model.transform(test)), seconds)
