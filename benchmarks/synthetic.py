"""Synthetic benchmarks: nonlinear maps of shared Gaussian latents, beside columns of pure noise.

Noise of standard deviation `sigma` is added to the transformed latents, in their own units. limits.py shows that this
reading of the paper gives the population limits stated here, and computes them.
"""

from __future__ import annotations

import numpy as np

from dataset import Dataset

TRANSFORMS = {
    "cube_root": np.cbrt,
    "cube": lambda z: z**3,
    "h2": lambda z: z**2 - 1,  # Hermite polynomials: orthogonal under the Gaussian measure
    "h3": lambda z: z**3 - 3 * z,
    "square_root": lambda z: np.sign(z) * np.sqrt(np.abs(z)),
}

# Population limits of the total correlation with the settings below (see limits.py).
SIGNED_POWER_LIMIT = 2.726
HERMITE_LIMIT = 2.987
WEAK_CORRELATIONS = (0.5, 0.25, 0.15, 0.07, 0.03)  # Gaussian pairs: these are the canonical correlations


def transformed_latents(
    name, transforms, seed, *, n=3000, k=3, noise_dims=5, sigma=0.15, test_share=0.2, limit=None
) -> Dataset:
    """Every view holds one transform of the same k latents, with noise, and `noise_dims` columns of noise."""
    rng = np.random.default_rng(seed)
    latents = rng.standard_normal((n, k))
    views = []
    for transform in transforms:
        signal = TRANSFORMS[transform](latents) + sigma * rng.standard_normal((n, k))
        noise = rng.standard_normal((n, noise_dims))
        views.append(np.hstack([signal, noise]).astype(np.float32))
    return _tail_as_test(name, k, list(transforms), views, test_share, limit)


def _tail_as_test(name, k, view_names, views, test_share, limit) -> Dataset:
    """Rows are independent, so the last ones serve as test part."""
    cut = len(views[0]) - round(len(views[0]) * test_share)
    return Dataset(name, k, view_names, [v[:cut] for v in views], [v[cut:] for v in views], limit=limit)


def signed_power(seed: int) -> Dataset:
    return transformed_latents("signed_power", ["cube_root", "cube"], seed, limit=SIGNED_POWER_LIMIT)


def hermite(seed: int) -> Dataset:
    return transformed_latents("hermite", ["h2", "h3"], seed, limit=HERMITE_LIMIT)


def four_view(seed: int) -> Dataset:
    return transformed_latents("four_view", ["cube_root", "cube", "h2", "h3"], seed)


def sparse(seed: int, p: int = 200, sigma: float = 0.0) -> Dataset:
    """Five causal features among p per view and 500 rows; no linear covariance between the views."""
    return transformed_latents(
        f"sparse_{p}", ["square_root", "h2"], seed, n=500, k=5, noise_dims=p - 5, sigma=sigma, limit=5.0
    )


def independent(seed: int, n: int = 1000, p: int = 20, k: int = 3) -> Dataset:
    """Views that share nothing: every correlation found here is a mistake. The test part is large: 20,000 rows."""
    rng = np.random.default_rng(seed)
    views = [rng.standard_normal((n + 20_000, p)).astype(np.float32) for _ in range(2)]
    return _tail_as_test("independent", k, ["a", "b"], views, 20_000 / (n + 20_000), 0.0)


def weak_signal(seed: int, n: int = 2900, widths: tuple[int, int] = (128, 10)) -> Dataset:
    """Five weakly correlated Gaussian pairs (the second one cubed) among noise; the correlations sum to 1 of 5.

    For a Gaussian pair no transform correlates better than the pair itself, so the limit is exact. The test part
    is large (20,000 rows), so that it tells the truth about a fit.
    """
    rng = np.random.default_rng(seed)
    rho = np.array(WEAK_CORRELATIONS)
    rows = n + 20_000
    first = rng.standard_normal((rows, len(rho)))
    second = rho * first + np.sqrt(1 - rho**2) * rng.standard_normal((rows, len(rho)))
    views = [
        np.hstack([signal, rng.standard_normal((rows, width - len(rho)))]).astype(np.float32)
        for signal, width in zip((first, second**3), widths)
    ]
    return _tail_as_test("weak_signal", len(rho), ["wide", "narrow"], views, 20_000 / rows, float(rho.sum()))


GENERATORS = {
    "signed_power": signed_power,
    "hermite": hermite,
    "four_view": four_view,
    "sparse_50": lambda seed: sparse(seed, 50),
    "sparse_200": lambda seed: sparse(seed, 200),
    "sparse_500": lambda seed: sparse(seed, 500),
    "sparse_2000": lambda seed: sparse(seed, 2000),
    "independent": independent,
    "weak_signal": weak_signal,
}
