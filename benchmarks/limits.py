"""Population limits of the synthetic sets, by interpretation of the noise and by number of intervals.

    python -m benchmarks.limits

The paper states sigma = 0.15 but not what it multiplies. The interpretations are compared below; the data sets use the
first: noise added to the transformed latent, in its own units. help(treecca.datasets.latent_correlations) explains how
the limits are computed, and why that of Hermite rises with the number of intervals.
"""

from __future__ import annotations

import itertools

import numpy as np

from treecca.datasets import latent_correlations, make_weak_signal, population_limit

PAIRS = {"Signed Power": ("cube_root", "cube"), "Hermite": ("h2", "h3")}


def main() -> None:
    heads = " | ".join(PAIRS)
    print("Largest canonical correlations of one latent, by interpretation of the noise (sigma 0.15):\n")
    print(f"| noise | {heads} |\n|---|---|---|")
    for kind in ("added", "scaled", "latent"):
        rhos = [latent_correlations(*pair, noise_kind=kind)[:3] for pair in PAIRS.values()]
        print(f"| {kind} | " + " | ".join(", ".join(f"{r:.4f}" for r in rho) for rho in rhos) + " |")

    print("\nLimit of the total correlation (noise added, K = 3), by number of intervals:\n")
    print(f"| intervals | {heads} |\n|---|---|---|")
    for n_intervals in (300, 600, 1200):
        sums = [population_limit(*pair, n_intervals=n_intervals) for pair in PAIRS.values()]
        print(f"| {n_intervals} | " + " | ".join(f"{s:.4f}" for s in sums) + " |")

    bound = np.mean([population_limit(*pair) for pair in itertools.combinations(("cube_root", "cube", "h2", "h3"), 2)])
    print(f"\nfour_view: at most {bound:.3f} (every pair at its own limit; mean over pairs)")
    print("sparse: 5 (no noise on the causal features: one view is a function of the other)")
    print(f"weak_signal: {make_weak_signal().limit:.3f} (Gaussian pairs: exact)")


if __name__ == "__main__":
    main()
