"""Linear CCA, and MCCA for more than two views, as in benchmarks/linear.py.

Every view is standardised and first reduced to its leading principal components: a third as many as there are
training rows, at most 400. That changes nothing where features are fewer, and is a regularisation of its own where they
are many.

settings: {"shrinkage": 0.1} takes that shrinkage of the within-view covariances (0: none, the textbook's CCA but for
the principal components); without it the shrinkage is chosen on a fifth of the training rows that is set aside, whole
groups where there are any. The core computes linear CCA as well, for the column "linear CCA out of fold" of its
reports; it keeps correlations only and embeds no rows, so the embeddings judged here are made by NumPy.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from linear import SHRINKAGES, linear_embeddings, reduced_views
from metrics import decorrelated_tcc

from treecca.datasets import MultiviewDataset

from ..methods import Embedded


def embed(data: MultiviewDataset, seed: int, settings: dict[str, Any], extras: list[str]) -> Embedded:
    start = time.perf_counter()
    shrinkage = settings.pop("shrinkage", None)
    if shrinkage is None:
        shrinkage = _chosen(data, seed)
    train, test = linear_embeddings(data, shrinkage)
    return Embedded(train, test, time.perf_counter() - start, figures={"shrinkage": shrinkage})


def _chosen(data: MultiviewDataset, seed: int) -> float:
    inner = replace(data, test_views=None, test_labels=None).split(seed)
    reduced = reduced_views(inner)
    figures = {s: decorrelated_tcc(*linear_embeddings(inner, s, reduced)) for s in SHRINKAGES}
    return max(figures, key=figures.get)
