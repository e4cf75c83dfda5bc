"""TreeCCA itself. `settings` are its parameters; {"folds_by_row": true} ignores the groups of a data set."""

from __future__ import annotations

import json
import time
import warnings
from typing import Any

import numpy as np

from treecca import TreeCCA
from treecca.datasets import MultiviewDataset

from ..metrics import largest_repeat, tcc
from ..walker import embeddings_by_round
from .methods import Embedded
from .protocol import needs, peak, precision_at


def embed(data: MultiviewDataset, seed: int, settings: dict[str, Any], extras: list[str]) -> Embedded:
    """`extras`: "curve" (test TCC of every round; left out for a mean of parts), "importances" (with feature names),
    "precision", "variance" (V_kk of every round)."""
    by_row = settings.pop("folds_by_row", False)
    if settings.get("engine", "native") != "native":
        needs(settings["engine"])
    model = TreeCCA(settings.pop("n_components", data.k), random_state=seed, **settings)
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the page discusses them
        model.fit(data.views, groups=None if by_row else data.groups)
    seconds = time.perf_counter() - start
    scores: dict[str, Any] = {
        "out_of_fold": _total(model.correlations_),
        "rounds": model.n_iter_,
        "timings": model.timings_,
    }
    test = model.transform(data.test_views)
    rotated = model.model_.parameters["rotate"] == "true"
    if rotated and model.model_.n_parts() == 1 and model.model_.parameters["n_oversamples"] == "0":
        back = [np.linalg.pinv(model.model_.rotation(v)) for v in range(data.n_views)]
        unrotated = [z @ inverse for z, inverse in zip(test, back, strict=True)]
        scores |= {"raw": tcc(unrotated), "raw_repeat": largest_repeat(unrotated)}
    if "curve" in extras and model.model_.n_parts() == 1:
        scores |= _test_curve(model, data)
    if "importances" in extras:
        scores["importances"] = [values.tolist() for values in model.feature_importances_per_view_]
        scores["feature_names"] = data.feature_names
    if "precision" in extras:
        scores["precision"] = float(np.mean([precision_at(v, data.k) for v in model.feature_importances_per_view_]))
    if "variance" in extras:
        scores["variance"] = model.history_["variance"].sum(axis=1).tolist()
    return Embedded(model.variates_, test, seconds, rotated, model.out_of_fold_variates_ or None, scores)


def _total(correlations: np.ndarray) -> float | None:
    """Return the TCC that a fit reports; None without cross-fitting."""
    return None if np.isnan(correlations).any() else float(np.maximum(correlations, 0).sum())


def _test_curve(model: TreeCCA, data: MultiviewDataset) -> dict[str, Any]:
    """Raw test TCC after every round (trees evaluated by walker.py), and the training TCC that the fit recorded."""
    content = json.loads(model.model_.to_bytes("json"))
    curve = [tcc(z) for z in embeddings_by_round(content, data.test_views)]
    return peak(curve, range(1, len(curve) + 1)) | {"train_curve": model.history_["train_tcc"].tolist()}
