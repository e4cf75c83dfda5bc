"""Metrics of variates: two or more arrays of shape (n_samples, n_components).

A row of NaN is a sample that lacks the view: a correlation of two views uses the samples that have both.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core

_REPEATED = 0.05  # fraction of TCC by which the TCC of distinct components may be lower without a warning


def _arrays(variates: Sequence[Any]) -> list[NDArray[Any]]:
    arrays = [np.asarray(z) for z in variates]
    for number, z in enumerate(arrays):
        if z.ndim != 2:
            raise ValueError(f"Expected 2D arrays of variates, got {z.ndim}D at position {number}.")
        if len(z) < 2:
            raise ValueError(f"n_samples={len(z)} should be >= 2: a correlation needs at least two samples.")
    return [_standardised(z.astype(np.float64)) for z in arrays]


def _standardised(z: NDArray[np.float64]) -> NDArray[np.float64]:
    """Centre and scale columns to [-1, 1], so that single precision in the core loses no digits.

    The first row is subtracted before the mean, so that a constant column becomes exactly 0 and stays constant.
    """
    absent = np.isnan(z).all(axis=1)
    if absent.any() and not absent.all():
        result = np.full_like(z, np.nan)
        result[~absent] = _standardised(z[~absent])
        return result
    if not np.isfinite(z).all():
        return z  # refused by the core, which names the row
    with np.errstate(invalid="ignore", over="ignore"):
        z = z - z[0]
        z = z - z.mean(axis=0)
        largest = np.abs(z).max(axis=0, initial=0)
        return np.asarray(z / np.where(largest > 0, largest, 1))


def tcc(variates: Sequence[Any]) -> float:
    """Return the total correlation captured: the sum over components of |correlation|.

    For more than two views, the mean over all pairs of views. Components that repeat each other are counted each
    time: see :func:`distinct_tcc`.
    """
    return _core.tcc(_arrays(variates))


def distinct_tcc(variates: Sequence[Any]) -> float:
    """Return the total correlation captured by distinct components: `tcc` after orthogonalisation.

    The variates of every view are first made uncorrelated by Gram-Schmidt, in the order of the components and on the
    samples given, so that nothing counts twice. It is below :func:`tcc` if components repeat each other.
    """
    return _core.distinct_tcc(_arrays(variates))


def component_correlations(variates: Sequence[Any]) -> NDArray[np.float64]:
    """Return the signed correlation per component, mean over all pairs of views: shape (n_components,)."""
    return _core.component_correlations(_arrays(variates))


def pairwise_correlations(variates: Sequence[Any]) -> NDArray[np.float64]:
    """Return the signed correlation per pair of views and component: shape (n_views, n_views, n_components)."""
    return _core.pairwise_correlations(_arrays(variates))


def score(variates: Sequence[Any]) -> float:
    """Return the sum of the correlations of all components, where negative ones count 0, as `TreeCCA.score` does.

    Warns if components overlap on these samples.
    """
    arrays = _arrays(variates)
    total, distinct = _core.tcc(arrays), _core.distinct_tcc(arrays)
    if distinct < (1 - _REPEATED) * total:
        warnings.warn(
            f"Components overlap on these samples: the sum of |correlation| is {total:.2f}, but for distinct "
            f"components {distinct:.2f} (treecca.metrics.distinct_tcc). Report the latter.",
            UserWarning,
            stacklevel=3,
        )
    return float(np.maximum(_core.component_correlations(arrays), 0).sum())
