"""Population limits: the largest correlations that transforms of the views can reach.

One view observes f(z) + noise, the other g(z) + noise, of a latent z ~ N(0, 1). Both are cut into intervals of equal
probability; the joint distribution of the interval numbers is a matrix P, and the singular values of
D1^(-1/2) P D2^(-1/2) (the first is 1 and belongs to the constants) are the canonical correlations of all functions of
the interval numbers. Latents are independent, so K of them reach K times the largest correlation.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ._synthetic import TRANSFORMS

Transform = str | Callable[[NDArray[Any]], NDArray[Any]]
Matrix = NDArray[np.float64]


def latent_correlations(
    first: Transform,
    second: Transform,
    *,
    noise: float = 0.15,
    noise_kind: Literal["added", "scaled", "latent"] = "added",
    n_intervals: int = 600,
) -> Matrix:
    """Return the canonical correlations of two views of one Gaussian latent, in descending order.

    Finer intervals can only raise them. Cube root and cube converge to 0.9086. z^2 - 1 and z^3 - 3z do not: both
    determine |z| more precisely in the tails, so functions of rarer events correlate more (at most 0.9993).
    Their stated limit, 0.9957, is for functions of 600 intervals, about the resolution of a few thousand samples.

    Parameters
    ----------
    first, second : str or callable
        Transform of the latent in each view: a name in `TRANSFORMS`, or a function of an array.
    noise : float, default=0.15
        Standard deviation of the noise; positive.
    noise_kind : {"added", "scaled", "latent"}, default="added"
        Noise added to the transformed latent in its own units (as in the synthetic sets), in units of the transformed
        latent's standard deviation, or added to the latent before the transform.
    n_intervals : int, default=600
        Number of intervals per view.

    Returns
    -------
    ndarray of shape (at most n_intervals - 1,)
    """
    if not noise > 0:
        raise ValueError(f"noise must be positive, not {noise}.")
    if n_intervals < 2:
        raise ValueError(f"n_intervals must be at least 2, not {n_intervals}.")
    if noise_kind not in ("added", "scaled", "latent"):
        raise ValueError(f"noise_kind must be 'added', 'scaled' or 'latent', not {noise_kind!r}.")
    z, weights = _gaussian_grid(8001, 7.0)
    parts = []
    for name in (first, second):
        transform = _as_function(name)
        if noise_kind == "latent":
            parts.append(_noised_latent(transform, z, noise, n_intervals))
            continue
        values = transform(z)
        mean = (weights * values).sum()
        deviation = math.sqrt((weights * (values - mean) ** 2).sum())
        scale = noise * deviation if noise_kind == "scaled" else noise
        parts.append(_interval_probabilities(values, weights, scale, n_intervals))
    joint = (parts[0] * weights[:, None]).T @ parts[1]
    scaled = joint / np.sqrt(np.outer(joint.sum(axis=1), joint.sum(axis=0)))
    return np.asarray(np.linalg.svd(scaled, compute_uv=False)[1:], dtype=np.float64)


def population_limit(
    first: Transform,
    second: Transform,
    *,
    n_components: int = 3,
    noise: float = 0.15,
    n_intervals: int = 600,
) -> float:
    """Return the largest total correlation of `n_components` components of two views of as many latents.

    It is `n_components` times the first of `latent_correlations`, which describes the parameters. The value depends on
    `n_intervals`: Signed Power has 2.726 at any fine resolution; Hermite has 2.960, 2.987 and 2.991 with 150, 600 and
    1,200 intervals. Takes a few seconds.
    """
    return n_components * float(latent_correlations(first, second, noise=noise, n_intervals=n_intervals)[0])


def _as_function(transform: Transform) -> Callable[[NDArray[Any]], NDArray[Any]]:
    if not isinstance(transform, str):
        return transform
    if transform not in TRANSFORMS:
        raise ValueError(f"Unknown transform {transform!r}. Known: {', '.join(TRANSFORMS)}.")
    return TRANSFORMS[transform]


def _normal_cdf(t: Matrix) -> Matrix:
    from scipy.special import ndtr

    values: Matrix = ndtr(t)
    return values


def _gaussian_grid(points: int, reach: float) -> tuple[Matrix, Matrix]:
    """Return points and weights (sum 1) that approximate N(0, 1)."""
    z = np.linspace(-reach, reach, points)
    weights = np.exp(-(z**2) / 2)
    return z, weights / weights.sum()


def _interval_probabilities(values: Matrix, weights: Matrix, noise: float, n_intervals: int) -> Matrix:
    """Return P(value + noise in interval | z), one row per z; the intervals have about equal probability."""
    steps, step_weights = _gaussian_grid(25, 3.0)
    points = (values[:, None] + noise * steps).ravel()
    order = np.argsort(points)
    cumulative = np.cumsum(np.outer(weights, step_weights).ravel()[order])
    edges = np.unique(points[order][np.searchsorted(cumulative, np.arange(1, n_intervals) / n_intervals)])
    below = _normal_cdf((edges - values[:, None]) / noise)
    return np.diff(below, axis=1, prepend=0.0, append=1.0)


def _noised_latent(
    transform: Callable[[NDArray[Any]], NDArray[Any]], z: Matrix, noise: float, n_intervals: int
) -> Matrix:
    """Return P(transform(z + noise) in interval | z): cut z + noise into small cells and merge cells with neighbouring
    transformed values."""
    edges = np.linspace(-4.5, 4.5, 4 * n_intervals + 1)
    cells = np.diff(_normal_cdf((edges - z[:, None]) / noise), axis=1)
    centres = (edges[1:] + edges[:-1]) / 2
    order = np.argsort(transform(centres), kind="stable")
    mass = np.exp(-(centres[order] ** 2) / (2 * (1 + noise**2)))
    starts = np.searchsorted(np.cumsum(mass) / mass.sum(), np.arange(n_intervals) / n_intervals)
    gathered = np.add.reduceat(cells[:, order], np.unique(starts), axis=1)
    probabilities: Matrix = gathered / gathered.sum(axis=1, keepdims=True).clip(1e-300)
    return probabilities
