"""Labels of samples as classes, few enough for a legend."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MOST_CLASSES = 20
_RANGES = 5


def readable_labels(labels: Any, n_samples: int) -> list[str]:
    """One text per sample, at most 20 distinct ones (and "missing" for NaN)."""
    values = np.asarray(labels)
    if values.shape != (n_samples,):
        raise ValueError(
            f"labels must have one entry per training sample: expected shape ({n_samples},), got {values.shape}."
        )
    if values.dtype.kind == "f" and len(np.unique(values[~np.isnan(values)])) > _MOST_CLASSES:
        return _ranges(values.astype(np.float64))
    return _largest([str(value) for value in values])


def _ranges(values: NDArray[np.float64]) -> list[str]:
    """Quantile classes, each named by its minimum and maximum: "1.2 to 3.4"."""
    known = ~np.isnan(values)
    cuts = np.unique(np.quantile(values[known], np.arange(1, _RANGES) / _RANGES, method="lower"))
    place = np.searchsorted(cuts, values, side="left")  # a cut is the maximum of its class
    result = np.full(len(values), "missing", dtype=object)
    bounds = {number: values[known & (place == number)] for number in np.unique(place[known])}
    for digits in range(3, 18):  # the fewest that distinguish the classes
        names = {number: f"{own.min():.{digits}g} to {own.max():.{digits}g}" for number, own in bounds.items()}
        if len(set(names.values())) == len(names):
            break
    for number, name in names.items():
        result[known & (place == number)] = name
    return [str(name) for name in result]


def _largest(texts: list[str]) -> list[str]:
    counts = Counter(texts)
    if len(counts) <= _MOST_CLASSES:
        return texts
    kept = {text for text, _ in counts.most_common(_MOST_CLASSES - 1)}
    return [text if text in kept else "other" for text in texts]
