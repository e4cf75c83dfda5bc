"""Synthetic views: nonlinear transforms of shared Gaussian latents, and columns of pure noise.

Noise of standard deviation `noise` is added to the transformed latents, in their own units; benchmarks/limits.py
compares other interpretations of the paper. The same seed gives the same numbers in every version.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Integral
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._dataset import Array, MultiviewDataset

RandomState = int | np.random.Generator | None

TRANSFORMS: MappingProxyType[str, Callable[[NDArray[Any]], NDArray[Any]]] = MappingProxyType(
    {
        "cube_root": np.cbrt,
        "cube": lambda z: z**3,
        "h2": lambda z: z**2 - 1,  # Hermite polynomials: orthogonal under the Gaussian measure
        "h3": lambda z: z**3 - 3 * z,
        "square_root": lambda z: np.sign(z) * np.sqrt(np.abs(z)),
    }
)

# Largest correlation of functions of two views of one latent at noise 0.15 (see population_limit).
_STATED_NOISE = 0.15
_STATED = {("cube_root", "cube"): 0.90857, ("h2", "h3"): 0.99570}

_WEAK_CORRELATIONS = (0.5, 0.25, 0.15, 0.07, 0.03)  # Gaussian pairs: these are the canonical correlations


def make_signed_power(
    n_samples: int = 3000,
    *,
    n_components: int = 3,
    n_noise_features: int = 5,
    noise: float = 0.15,
    test_size: float = 0.2,
    random_state: RandomState = None,
) -> MultiviewDataset:
    """Generate the cube root and the cube of the same latents: bijective transforms, partly linear.

    Parameters
    ----------
    n_samples : int, default=3000
        Number of samples, including test samples.
    n_components : int, default=3
        Number of latents, z ~ N(0, 1).
    n_noise_features : int, default=5
        Number of columns of pure noise, N(0, 1), after the columns of the latents in each view.
    noise : float, default=0.15
        Standard deviation of the noise added to the transformed latents.
    test_size : float or int, default=0.2
        Fraction (float) or number (int) of test samples, which are the last ones. 0: no test part.
    random_state : int, NumPy Generator or None, default=None

    Returns
    -------
    MultiviewDataset
        `limit` is known for noise 0.15 and 0; `population_limit` computes it for others.
    """
    return _transformed_latents(
        "signed_power", ("cube_root", "cube"), n_samples, n_components, n_noise_features, noise, test_size, random_state
    )


def make_hermite(
    n_samples: int = 3000,
    *,
    n_components: int = 3,
    n_noise_features: int = 5,
    noise: float = 0.15,
    test_size: float = 0.2,
    random_state: RandomState = None,
) -> MultiviewDataset:
    """Generate z^2 - 1 and z^3 - 3z of the same latents: no linear correlation between the views.

    Parameters and result as for `make_signed_power`.
    """
    return _transformed_latents(
        "hermite", ("h2", "h3"), n_samples, n_components, n_noise_features, noise, test_size, random_state
    )


def make_four_view(
    n_samples: int = 3000,
    *,
    n_views: int = 4,
    n_components: int = 3,
    n_noise_features: int = 5,
    noise: float = 0.15,
    test_size: float = 0.2,
    random_state: RandomState = None,
) -> MultiviewDataset:
    """Generate cube root, cube, z^2 - 1 and z^3 - 3z of the same latents; `n_views` (2 to 4) takes the first ones.

    The first views do not depend on `n_views`. Other parameters as for `make_signed_power`.
    """
    transforms = ("cube_root", "cube", "h2", "h3")
    if not 2 <= n_views <= len(transforms):
        raise ValueError(f"n_views must be 2, 3 or 4, not {n_views}.")
    return _transformed_latents(
        "four_view", transforms[:n_views], n_samples, n_components, n_noise_features, noise, test_size, random_state
    )


def make_sparse(
    n_samples: int = 500,
    *,
    p: int = 200,
    n_components: int = 5,
    noise: float = 0.0,
    test_size: float = 0.2,
    random_state: RandomState = None,
) -> MultiviewDataset:
    """Generate `n_components` causal features among `p` per view, sgn(z) sqrt|z| and z^2 - 1: no linear covariance.

    The causal features come first in both views. Other parameters as for `make_signed_power`.
    """
    if p < n_components:
        raise ValueError(f"p must be at least n_components ({n_components}), not {p}.")
    return _transformed_latents(
        f"sparse_{p}",
        ("square_root", "h2"),
        n_samples,
        n_components,
        p - n_components,
        noise,
        test_size,
        random_state,
    )


def make_independent(
    n_samples: int = 21_000,
    *,
    n_features: int = 20,
    n_components: int = 3,
    test_size: float = 20_000,
    random_state: RandomState = None,
) -> MultiviewDataset:
    """Generate two independent views: any correlation that a method reports is an error.

    The test part is large, so that test correlations are precise. Parameters as for `make_signed_power`.
    """
    rng = np.random.default_rng(random_state)
    views = [rng.standard_normal((n_samples, n_features)).astype(np.float32) for _ in range(2)]
    names = [[f"noise{j + 1}" for j in range(n_features)]] * 2
    return _tail_as_test(
        "independent",
        views,
        ["a", "b"],
        names,
        n_components,
        0.0,
        test_size,
        "Two views of independent Gaussian noise.",
    )


def make_weak_signal(
    n_samples: int = 22_900,
    *,
    n_features: tuple[int, int] = (128, 10),
    test_size: float = 20_000,
    random_state: RandomState = None,
) -> MultiviewDataset:
    """Generate five weakly correlated Gaussian pairs (the second cubed) among noise; the correlations sum to 1 of 5.

    For a Gaussian pair no transforms correlate better than the pair itself, so the limit is exact. The test part is
    large, so that test correlations are precise. Other parameters as for `make_signed_power`.
    """
    rho = np.array(_WEAK_CORRELATIONS)
    if min(n_features) < len(rho):
        raise ValueError(f"n_features must be at least {len(rho)} for both views, not {n_features}.")
    rng = np.random.default_rng(random_state)
    first = rng.standard_normal((n_samples, len(rho)))
    second = rho * first + np.sqrt(1 - rho**2) * rng.standard_normal((n_samples, len(rho)))
    views = [
        np.hstack([signal, rng.standard_normal((n_samples, width - len(rho)))]).astype(np.float32)
        for signal, width in zip((first, second**3), n_features, strict=True)
    ]
    names = [_signal_and_noise(len(rho), width - len(rho)) for width in n_features]
    return _tail_as_test(
        "weak_signal",
        views,
        ["wide", "narrow"],
        names,
        len(rho),
        float(rho.sum()),
        test_size,
        f"Gaussian pairs with correlations {', '.join(map(str, _WEAK_CORRELATIONS))} (the second view cubed) in noise.",
    )


def make_sign_interaction(
    n_samples: int = 4000,
    *,
    n_latents: int = 6,
    n_features: int = 60,
    test_size: float = 0.2,
    random_state: RandomState = None,
) -> MultiviewDataset:
    """Generate the paper's benchmark of self-supervised learning: the magnitudes give the class, not the signs.

    Latents Z ~ N(0, 1) are orthogonalised over all samples (QR) and scaled to unit mean square; the class of a sample
    is argmax |Z|. Feature j is Z[a] * sgn(Z[b]), divided by its standard deviation. The paper does not say how the
    pairs are drawn; here a = j mod `n_latents`, so that every latent has equally many features, and b is drawn
    uniformly from the other latents. The feature's name has both latents: "z1*sgn(z4)".

    Six latents have only 30 ordered pairs, so some of 60 features are equal; and Z[a] sgn(Z[b]) has correlation 2/pi
    with Z[b] sgn(Z[a]). The covariance of the features is therefore not the identity, unlike in the paper.

    Parameters
    ----------
    n_samples : int, default=4000
        Number of samples, including test samples.
    n_latents : int, default=6
        Number of latents and of classes.
    n_features : int, default=60
    test_size : float or int, default=0.2
        Fraction (float) or number (int) of test samples, which are the last ones. 0: no test part.
    random_state : int, NumPy Generator or None, default=None

    Returns
    -------
    MultiviewDataset
        With a single view: augmentation makes two of it.
    """
    if n_latents < 2:
        raise ValueError(f"n_latents must be at least 2, not {n_latents}.")
    if n_samples < n_latents:
        raise ValueError(f"n_samples must be at least n_latents ({n_latents}), not {n_samples}.")
    rng = np.random.default_rng(random_state)
    q, r = np.linalg.qr(rng.standard_normal((n_samples, n_latents)))
    latents = q * np.sign(np.diag(r)) * np.sqrt(n_samples)  # QR does not determine the sign of a column of q
    a = np.arange(n_features) % n_latents
    b = (a + rng.integers(1, n_latents, n_features)) % n_latents
    features = latents[:, a] * np.sign(latents[:, b])
    features /= features.std(axis=0)
    return _tail_as_test(
        "sign_interaction",
        [features.astype(np.float32)],
        ["x"],
        [[f"z{i + 1}*sgn(z{j + 1})" for i, j in zip(a, b, strict=True)]],
        n_latents - 1,
        None,
        test_size,
        f"{n_features} products Z[a] sgn(Z[b]) of {n_latents} orthogonal latents; the class is argmax |Z|.",
        labels=np.abs(latents).argmax(axis=1),
    )


def _transformed_latents(
    name: str,
    transforms: Sequence[str],
    n_samples: int,
    n_components: int,
    n_noise_features: int,
    noise: float,
    test_size: float,
    random_state: RandomState,
) -> MultiviewDataset:
    """Make views with one transform of the same latents each, with noise, and columns of pure noise."""
    rng = np.random.default_rng(random_state)
    latents = rng.standard_normal((n_samples, n_components))
    views = []
    for transform in transforms:
        signal = TRANSFORMS[transform](latents) + noise * rng.standard_normal((n_samples, n_components))
        views.append(np.hstack([signal, rng.standard_normal((n_samples, n_noise_features))]).astype(np.float32))
    feature_names = [_signal_and_noise(n_components, n_noise_features)] * len(views)
    description = f"{', '.join(transforms)} of {n_components} Gaussian latents, noise {noise} added to each."
    limit = _limit(tuple(transforms), n_components, noise)
    return _tail_as_test(name, views, list(transforms), feature_names, n_components, limit, test_size, description)


def _limit(transforms: tuple[str, ...], n_components: int, noise: float) -> float | None:
    if noise == 0:
        return float(n_components)  # all views determine whether |z| > 2, so some functions of them are equal
    if noise == _STATED_NOISE and transforms in _STATED:
        return round(n_components * _STATED[transforms], 3)
    return None


def _signal_and_noise(n_signal: int, n_noise: int) -> list[str]:
    return [f"z{j + 1}" for j in range(n_signal)] + [f"noise{j + 1}" for j in range(n_noise)]


def _tail_as_test(
    name: str,
    views: list[Array],
    view_names: list[str],
    feature_names: list[list[str]],
    k: int,
    limit: float | None,
    test_size: float,
    description: str,
    labels: Array | None = None,
) -> MultiviewDataset:
    """Samples are independent, so the last ones are the test part."""
    rows = len(views[0])
    n_test = int(test_size) if isinstance(test_size, Integral) else round(rows * test_size)
    if not 0 <= n_test < rows:
        raise ValueError(f"test_size {test_size} is negative or leaves no training samples: there are {rows} samples.")
    cut = rows - n_test
    return MultiviewDataset(
        name,
        [v[:cut] for v in views],
        view_names,
        k,
        test_views=[v[cut:] for v in views] if n_test else None,
        feature_names=feature_names,
        labels=None if labels is None else labels[:cut],
        test_labels=None if labels is None or not n_test else labels[cut:],
        limit=limit,
        description=description,
    )
