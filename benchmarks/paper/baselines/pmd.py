"""Sparse linear CCA (PMD) of cca-zoo. The bound on the L1 norm is that of a vector with as many equal entries as causal
features: PMD knows the true sparsity, which favours it."""

from __future__ import annotations

import time
import warnings
from typing import Any

import numpy as np

from treecca.datasets import MultiviewDataset

from ..methods import Embedded, standardised
from ..protocol import precision_at


def embed(data: MultiviewDataset, seed: int, settings: dict[str, Any], extras: list[str]) -> Embedded:
    from cca_zoo.sparse import PMDCCA

    train, test = standardised(data)
    bounds = [float(min(1.0, np.sqrt(data.k / x.shape[1]))) for x in train]
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # without signal it may not converge
        model = PMDCCA(data.k, l1_bound=bounds, random_state=seed, **settings).fit(train)
    seconds = time.perf_counter() - start
    importances = [np.abs(w).sum(axis=1) for w in model.weights_]
    scores = {"precision": float(np.mean([precision_at(v, data.k) for v in importances]))}
    return Embedded(list(model.transform(train)), list(model.transform(test)), seconds, scores=scores)
