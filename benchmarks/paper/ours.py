"""TreeCCA itself. `settings` are its parameters; {"folds_by_row": true} leaves the groups of a data set out."""

from __future__ import annotations

import json
import time
import warnings
from typing import Any

import numpy as np
from metrics import largest_repeat, tcc
from walker import embeddings_by_round

from treecca import TreeCCA
from treecca.datasets import MultiviewDataset

from .methods import Embedded
from .protocol import needs, peak, precision_at


def embed(data: MultiviewDataset, seed: int, settings: dict[str, Any], extras: list[str]) -> Embedded:
    """`extras`: "curve" (test figure of every round), "importances" (with the features' names), "precision",
    "variance" (V_kk of every round)."""
    by_row = settings.pop("folds_by_row", False)
    if settings.get("engine", "native") != "native":
        needs(settings["engine"])
    model = TreeCCA(settings.pop("n_components", data.k), random_state=seed, **settings)
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the page says what they say
        model.fit(data.views, groups=None if by_row else data.groups)
    seconds = time.perf_counter() - start
    figures: dict[str, Any] = {
        "own": _total(model.correlations_),
        "linear_own": _total(model.linear_correlations_),
        "rounds": model.n_iter_,
        "timings": model.timings_,
    }
    test = model.transform(data.test_views)
    rotated = model.model_.parameters["rotate"] == "true"
    if rotated and model.model_.parameters["n_oversamples"] == "0":
        back = [np.linalg.pinv(model.model_.rotation(v)) for v in range(data.n_views)]
        unturned = [z @ turn for z, turn in zip(test, back, strict=True)]
        figures |= {"raw": tcc(unturned), "raw_repeat": largest_repeat(unturned)}
    if "curve" in extras:
        figures |= _test_curve(model, data)
    if "importances" in extras:
        figures["importances"] = [values.tolist() for values in model.feature_importances_per_view_]
        figures["feature_names"] = data.feature_names
    if "precision" in extras:
        figures["precision"] = float(np.mean([precision_at(v, data.k) for v in model.feature_importances_per_view_]))
    if "variance" in extras:
        figures["variance"] = model.history_["variance"].sum(axis=1).tolist()
    return Embedded(model.variates_, test, seconds, rotated, model.out_of_fold_variates_ or None, figures)


def _total(correlations: np.ndarray) -> float | None:
    """What a fit reports of itself; None where it reports nothing."""
    return None if np.isnan(correlations).any() else float(np.maximum(correlations, 0).sum())


def _test_curve(model: TreeCCA, data: MultiviewDataset) -> dict[str, Any]:
    """Raw test figure after every round (the trees walked by walker.py), training figure as the fit recorded it."""
    content = json.loads(model.model_.to_bytes("json"))
    curve = [tcc(z) for z in embeddings_by_round(content, data.test_views)]
    return peak(curve, range(1, len(curve) + 1)) | {"train_curve": model.history_["train_tcc"].tolist()}
