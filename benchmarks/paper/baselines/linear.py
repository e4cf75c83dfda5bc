"""Linear CCA, or MCCA for more than two views, as in benchmarks/linear.py.

Every view is standardised and reduced to its leading principal components: a third as many as training samples, at most
400. With fewer features this changes nothing; with more it regularises.

settings: {"shrinkage": 0.1} shrinks the within-view covariances (0: textbook CCA after the PCA). Without it the
shrinkage is chosen on a held-out fifth of the training samples, whole groups if there are any.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from treecca.datasets import MultiviewDataset

from ...linear import SHRINKAGES, linear_embeddings, reduced_views
from ...metrics import decorrelated_tcc
from ..methods import Embedded


def embed(data: MultiviewDataset, seed: int, settings: dict[str, Any], extras: list[str]) -> Embedded:
    start = time.perf_counter()
    shrinkage = settings.pop("shrinkage", None)
    if shrinkage is None:
        shrinkage = _chosen(data, seed)
    train, test = linear_embeddings(data, shrinkage)
    return Embedded(train, test, time.perf_counter() - start, scores={"shrinkage": shrinkage})


def _chosen(data: MultiviewDataset, seed: int) -> float:
    inner = replace(data, test_views=None, test_labels=None).split(seed)
    reduced = reduced_views(inner)
    scores = {s: decorrelated_tcc(*linear_embeddings(inner, s, reduced)) for s in SHRINKAGES}
    return max(scores, key=scores.get)
