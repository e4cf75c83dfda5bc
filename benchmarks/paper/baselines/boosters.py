"""cca-zoo's XGBoostCCA and LightGBMCCA, the published implementations of the paper's method.

settings: {"engine": "xgboost" or "lightgbm"} and parameters of the class; defaults otherwise.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from treecca.datasets import MultiviewDataset

from ...metrics import tcc
from ..methods import Embedded, standardised
from ..protocol import peak
from ..unit import Refused

_POINTS = 40  # of a curve; each predicts with all trees up to it


def embed(data: MultiviewDataset, seed: int, settings: dict[str, Any], extras: list[str]) -> Embedded:
    from cca_zoo import tree

    engine = settings.pop("engine")
    train, test = standardised(data)
    model = {"xgboost": tree.XGBoostCCA, "lightgbm": tree.LightGBMCCA}[engine](data.k, random_state=seed, **settings)
    start = time.perf_counter()
    try:
        model.fit(train)
    except ValueError as reason:
        raise Refused(f"refused: {str(reason).splitlines()[0]}") from reason
    seconds = time.perf_counter() - start
    scores: dict[str, Any] = {"rounds": model.n_estimators}
    if "curve" in extras:
        steps = np.unique(np.linspace(1, model.n_estimators, _POINTS).astype(int)).tolist()
        scores |= peak([tcc(_after(model, engine, test, rounds)) for rounds in steps], steps)
    return Embedded(list(model.transform(train)), list(model.transform(test)), seconds, scores=scores)


def _after(model: Any, engine: str, views: list[np.ndarray], rounds: int) -> list[np.ndarray]:
    """Return the embeddings after the first `rounds` rounds."""
    embeddings = []
    for boosters, x in zip(model.boosters_, views, strict=True):
        if engine == "lightgbm":
            columns = [b.predict(x, raw_score=True, num_iteration=rounds) for b in boosters]
        else:
            import xgboost

            matrix = xgboost.DMatrix(x)
            columns = [b.predict(matrix, output_margin=True, iteration_range=(0, rounds)) for b in boosters]
        embeddings.append(np.column_stack(columns))
    return embeddings
