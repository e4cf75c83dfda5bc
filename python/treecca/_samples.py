"""Groups and weights: one per sample."""

from __future__ import annotations

import math
import numbers
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_array

from ._missing import is_missing
from ._views import View, check_same_index


def per_sample(
    views: list[View], groups: Any, sample_weight: Any
) -> tuple[NDArray[np.int64] | None, NDArray[np.float64] | None]:
    """(group numbers, weights) as the core takes them; None if not given.

    A pandas index must equal the index of the views: labels in another order would be wrong.
    """
    n_samples = len(views[0].values)
    numbers_of_groups = _group_numbers(groups, n_samples)
    weights = _weights(sample_weight, n_samples)
    check_same_index(groups, views, "groups")
    check_same_index(sample_weight, views, "sample_weight")
    return numbers_of_groups, weights


def _group_numbers(groups: Any, n_samples: int) -> NDArray[np.int64] | None:
    if groups is None:
        return None
    labels = np.asarray(groups)
    if labels.shape != (n_samples,):
        raise ValueError(f"groups must have one label per sample: expected shape ({n_samples},), got {labels.shape}.")
    number_of: dict[Any, int] = {}  # in the order of first appearance, as in the program
    result = np.empty(n_samples, np.int64)
    for sample, label in enumerate(labels):
        if is_missing(label):
            raise ValueError(f"groups has no label for sample {sample}.")
        try:
            result[sample] = number_of.setdefault(label, len(number_of))
        except TypeError as error:
            raise ValueError(
                f"groups has a {type(label).__name__} for sample {sample}; labels are texts or numbers."
            ) from error
    return result


def _weights(sample_weight: Any, n_samples: int) -> NDArray[np.float64] | None:
    if sample_weight is None:
        return None
    if isinstance(sample_weight, numbers.Real):
        if not 0 < float(sample_weight) < math.inf:
            raise ValueError(f"sample_weight must be above 0 and finite, not {sample_weight!r}.")
        return None  # equal weights have no effect
    weights: NDArray[np.float64] = check_array(
        sample_weight, ensure_2d=False, dtype=np.float64, input_name="sample_weight"
    )
    if weights.ndim != 1:
        raise ValueError("Sample weights must be 1D array or scalar")
    if weights.shape != (n_samples,):
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(n_samples,)}!")
    return weights
