"""Alternating least squares with trees (the paper's Appendix B): each view's trees are fitted to the other's embedding.

Embeddings are not normalised and components not separated: the paper expects the embeddings to shrink, and all
components to become equal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from treecca.datasets import MultiviewDataset

from ...metrics import largest_repeat, tcc
from ..methods import standardised


def collapse(data: MultiviewDataset, seed: int, iterations: int, trees: int) -> dict[str, Any]:
    """After every iteration: s.d. of the embedding, largest correlation of two components, raw test TCC."""
    from sklearn.ensemble import HistGradientBoostingRegressor

    train, test = standardised(data)
    left = np.linalg.svd(train[1] - train[1].mean(axis=0), full_matrices=False)[0][:, : data.k]
    current = left * np.sqrt(len(left))  # unit variance, uncorrelated
    curves: dict[str, list[float]] = {"deviation": [1.0], "repeat": [0.0], "raw": []}
    for _ in range(iterations):
        embeddings, unseen = [], []
        for x, y in zip(train, test, strict=True):
            models = [
                HistGradientBoostingRegressor(max_iter=trees, max_depth=5, random_state=seed).fit(x, target)
                for target in current.T
            ]
            current = np.column_stack([m.predict(x) for m in models])
            embeddings.append(current)
            unseen.append(np.column_stack([m.predict(y) for m in models]))
        curves["deviation"].append(float(current.std(axis=0).mean()))
        curves["repeat"].append(largest_repeat(embeddings))
        curves["raw"].append(tcc(unseen))
    return curves
