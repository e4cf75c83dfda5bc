"""Alternating least squares with trees (the paper's Appendix B): each view's trees are fitted to the other's embedding.

Nothing normalises the embeddings and nothing keeps the components apart: the paper expects that they shrink, and that
all components become one. What happens is recorded turn by turn.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from metrics import largest_repeat, tcc

from treecca.datasets import MultiviewDataset

from ..methods import standardised


def collapse(data: MultiviewDataset, seed: int, turns: int, trees: int) -> dict[str, Any]:
    """After every turn: size of the embedding (deviation), largest correlation of two components, raw test figure."""
    from sklearn.ensemble import HistGradientBoostingRegressor

    train, test = standardised(data)
    left = np.linalg.svd(train[1] - train[1].mean(axis=0), full_matrices=False)[0][:, : data.k]
    current = left * np.sqrt(len(left))  # unit deviation, uncorrelated
    curves: dict[str, list[float]] = {"deviation": [1.0], "repeat": [0.0], "raw": []}
    for _ in range(turns):
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
