"""Permutation test: error rates where there is nothing to find, and power where there is something.

    python -m benchmarks.permutation --null                 independent views: p-values must not be too small
    python -m benchmarks.permutation --second               one true component: nor that of the second one
    python -m benchmarks.permutation --power                beside the permutation test of linear CCA
    python -m benchmarks.permutation --full --rows 100 --features 5 --data-sets 100 --permutations 19
                                                            and with the whole fit in place of the smaller one
    python -m benchmarks.permutation --null --rows 60 --features 20 --data-sets 20

A p-value is valid if P(p <= a) <= a for every a. Reported is the largest excess of the observed over the uniform
distribution function with its one-sided Kolmogorov-Smirnov p-value, and how often p <= 0.05.
"""

from __future__ import annotations

import argparse
import warnings
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np
from scipy.stats import kstest

from treecca import TreeCCA, permutation_test

from .null import independent_views

COMPONENTS = 2
NULL_HEADER = "| samples | features | groups | component | p <= 0.05 | largest excess (p) |\n|---|---|---|---|---|---|"


def p_values(views, groups, permutations: int, seed: int, **parameters) -> np.ndarray:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        model = TreeCCA(COMPONENTS, n_jobs=1, **parameters)
        return permutation_test(model, views, groups=groups, n_permutations=permutations, random_state=seed).p_values


def null_case(rows: int, features: int, groups: int, permutations: int, seed: int) -> np.ndarray:
    views, of_row = independent_views(rows, features, groups, seed)
    return p_values(views, of_row, permutations, seed)


def second_case(rows: int, features: int, groups: int, permutations: int, seed: int) -> np.ndarray:
    """One latent with two values: every function of it is linear in it, so there is exactly one true component."""
    views, of_row = independent_views(rows, features, groups, seed)
    latent = np.random.default_rng(70_000 + seed).integers(0, 2, rows if of_row is None else groups)
    for view in views:
        view[:, 0] += 4 * (latent if of_row is None else latent[of_row])
    return p_values(views, of_row, permutations, seed)


def related(kind: str, rows: int, features: int, seed: int) -> list[np.ndarray]:
    rng = np.random.default_rng(80_000 + seed)
    x, y = rng.standard_normal((2, rows, features))
    if kind == "linear":
        y[:, 0] += 0.5 * x[:, 0]
    elif kind == "widespread":
        latent = rng.standard_normal((rows, 1))
        x += 0.4 * latent
        y += 0.4 * latent
    elif kind == "square":
        y[:, 0] += x[:, 0] ** 2
    elif kind == "product":
        y[:, 0] += 1.5 * x[:, 0] * x[:, 1]
    return [x, y]


def power_case(kind: str, rows: int, features: int, permutations: int, seed: int) -> np.ndarray:
    views = related(kind, rows, features, seed)
    return np.array([p_values(views, None, permutations, seed, **{"linear": w})[0] for w in (None, 1)])


def full_case(kind: str, rows: int, features: int, permutations: int, seed: int) -> np.ndarray:
    """p of component 1 by the smaller fit of the test, and by whole fits, of the same data."""
    views = related(kind, rows, features, seed)
    rng = np.random.default_rng(90_000 + seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        orders = [np.arange(rows), *(rng.permutation(rows) for _ in range(permutations))]
        highest = [
            TreeCCA(COMPONENTS, n_jobs=1, random_state=seed).fit([views[0], views[1][order]]).correlations_.max()
            for order in orders
        ]
    return np.array([p_values(views, None, permutations, seed)[0], np.mean(np.array(highest) >= highest[0])])


def validity(own: np.ndarray, component: int) -> str:
    p = own[:, component]
    # On a grid of values, the uniform distribution function is right at the values themselves.
    test = kstest(p, "uniform", alternative="greater")
    return f"{np.mean(p <= 0.05):.3f} | {test.statistic:.3f} ({test.pvalue:.2f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("null", "second", "power", "full"):
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--rows", nargs="+", type=int, default=[60, 300])
    parser.add_argument("--features", nargs="+", type=int, default=[20, 500])
    parser.add_argument("--groups", nargs="+", type=int, default=[0, 20])
    parser.add_argument("--data-sets", type=int, default=200)
    parser.add_argument("--permutations", type=int, default=39)
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    seeds = range(arguments.data_sets)
    with ProcessPoolExecutor(arguments.workers) as pool:
        for name, case in (("null", null_case), ("second", second_case)):
            if not getattr(arguments, name):
                continue
            print(NULL_HEADER)
            for rows in arguments.rows:
                for features in arguments.features:
                    for groups in arguments.groups:
                        one = partial(case, rows, features, groups, arguments.permutations)
                        own = np.array(list(pool.map(one, seeds, chunksize=4)))
                        for component in range(0 if name == "null" else 1, COMPONENTS):
                            cell = f"{rows} | {features} | {groups or ''} | {component + 1}"
                            print(f"| {cell} | {validity(own, component)} |", flush=True)
        for name, case, header in (("power", power_case, "linear CCA"), ("full", full_case, "whole fits")):
            if not getattr(arguments, name):
                continue
            print(f"| relation | samples | features | TreeCCA | {header} |\n|---|---|---|---|---|")
            for kind in ("linear", "widespread", "square", "product"):
                for rows in arguments.rows:
                    one = partial(case, kind, rows, arguments.features[0], arguments.permutations)
                    own = np.array(list(pool.map(one, seeds, chunksize=4)))
                    share = np.mean(own <= 0.05, axis=0)
                    print(
                        f"| {kind} | {rows} | {arguments.features[0]} | {share[0]:.2f} | {share[1]:.2f} |", flush=True
                    )


if __name__ == "__main__":
    main()
