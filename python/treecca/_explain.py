"""SHAP values in the form of the package shap, which need not be installed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass
class Explanation:
    """SHAP values of one view, for N samples, p features and K components.

    The attributes are those of ``shap.Explanation``, which `explain` returns if the package shap is installed.

    Attributes
    ----------
    values : ndarray of shape (N, p, K)
        Contribution of each feature to each variate. With a component (N, p); with interactions (N, p, p).
    base_values : ndarray of shape (N, K), or (N,) with a component
        Variate without any feature; without covariates the same in every row. The base value plus the sum of a sample's
        SHAP values is the variate. NaN, like `values`, for a sample that lacks the view.
    data : ndarray of shape (N, p)
        The values of the features, in the model's order.
    feature_names : list of str
    output_names : list of str
        cc1, cc2, ...; with a component its name alone.
    """

    values: NDArray[np.float64]
    base_values: NDArray[np.float64]
    data: NDArray[Any]
    feature_names: list[str]
    output_names: list[str] | str


def explanation(
    values: NDArray[np.float64],
    base_values: NDArray[np.float64],
    data: NDArray[Any],
    feature_names: list[str],
    output_names: list[str] | str,
) -> Any:
    """A ``shap.Explanation`` if shap can be imported, else an :class:`Explanation`."""
    kind: Any = Explanation
    try:
        import shap
    except ImportError:
        pass
    else:
        kind = getattr(shap, "Explanation", Explanation)  # a folder shap/ is imported too, as an empty package
    return kind(
        values=values,
        base_values=base_values,
        data=data,
        feature_names=feature_names,
        output_names=output_names,
    )
