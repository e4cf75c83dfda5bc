"""Figures of merit for variates: two or more arrays of shape (n_samples, n_components)."""

from __future__ import annotations

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
    return [z if z.dtype in (np.float32, np.float64) else z.astype(np.float64) for z in arrays]


def tcc(variates: Sequence[Any]) -> float:
    """Total correlation captured: the sum over components of |correlation|.

    For more than two views, the mean over all pairs of views. Components that repeat each other are counted each
    time; the variates that :meth:`treecca.TreeCCA.transform` returns are uncorrelated on the training data.
    """
    return _core.tcc(_arrays(variates))


def component_correlations(variates: Sequence[Any]) -> NDArray[np.float64]:
    """|Correlation| per component, mean over all pairs of views: shape (n_components,)."""
    return _core.component_correlations(_arrays(variates))


def pairwise_correlations(variates: Sequence[Any]) -> NDArray[np.float64]:
    """|Correlation| per pair of views and component: shape (n_views, n_views, n_components)."""
    return _core.pairwise_correlations(_arrays(variates))


def noise_level(n_samples: int, n_components: int = 1) -> float:
    """What the best of so many components may well reach out of fold when the views share nothing.

    A correlation below it is no sign of anything; one above it deserves a permutation test.
    """
    return _core.noise_level(n_samples, n_components)
