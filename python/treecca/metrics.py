"""Metrics of variates: two or more arrays of shape (n_samples, n_components)."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core


def _arrays(variates: Sequence[Any]) -> list[NDArray[Any]]:
    arrays = [np.asarray(z) for z in variates]
    for number, z in enumerate(arrays):
        if z.ndim != 2:
            raise ValueError(f"Expected 2D arrays of variates, got {z.ndim}D at position {number}.")
        if len(z) < 2:
            raise ValueError(f"n_samples={len(z)} should be >= 2: a correlation needs at least two samples.")
    return [_standardised(z.astype(np.float64)) for z in arrays]


def _standardised(z: NDArray[np.float64]) -> NDArray[np.float64]:
    """Columns about 0 and within [-1, 1], where the single precision of the core loses nothing.

    The first row is taken off before the mean, so that a constant column becomes exactly 0 and stays constant.
    """
    if not np.isfinite(z).all():
        return z  # refused by the core, which names the row
    with np.errstate(invalid="ignore", over="ignore"):
        z = z - z[0]
        z = z - z.mean(axis=0)
        largest = np.abs(z).max(axis=0, initial=0)
        return np.asarray(z / np.where(largest > 0, largest, 1))


def tcc(variates: Sequence[Any]) -> float:
    """Total correlation captured: the sum over components of |correlation|.

    For more than two views, the mean over all pairs of views. Components that repeat each other are counted each
    time; the variates that :meth:`treecca.TreeCCA.transform` returns are uncorrelated on the training data.
    """
    return _core.tcc(_arrays(variates))


def component_correlations(variates: Sequence[Any]) -> NDArray[np.float64]:
    """Correlation per component (with its sign), mean over all pairs of views: shape (n_components,)."""
    return _core.component_correlations(_arrays(variates))


def pairwise_correlations(variates: Sequence[Any]) -> NDArray[np.float64]:
    """Correlation (with its sign) per pair of views and component: shape (n_views, n_views, n_components)."""
    return _core.pairwise_correlations(_arrays(variates))


def noise_level(n_samples: int, n_components: int = 1) -> float:
    """Noise threshold: the largest of `n_components` out-of-fold correlations rarely exceeds it by chance.

    A correlation below it is not distinguishable from noise; test one above it with permutations.
    """
    for name, number in (("n_samples", n_samples), ("n_components", n_components)):
        if not isinstance(number, numbers.Integral) or number < 1:
            raise ValueError(f"{name} must be an integer, 1 or more, not {number!r}.")
    return _core.noise_level(int(n_samples), int(n_components))
