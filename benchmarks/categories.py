"""A nominal feature in three codings: a category, one number per level, one column of 0 and 1 per level.

View x has a category and normal features; the first feature of view y depends on the category by an effect per level,
without any order. "additive": on nothing else. "interaction": the effect is multiplied by the first number of x.
"noise": as additive, and x has a second category without effect. Test TCC of K = 1 on 4,000 new samples, mean over
the seeds.

    python -m benchmarks.categories              # the table of docs/guide/categorical.md
    python -m benchmarks.categories --seeds 2    # quicker
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
import pandas as pd

from treecca import TreeCCA

CODINGS = ("category", "number", "indicators")


def sample(
    effects: np.ndarray, n: int, kind: str, noise_levels: int, rng: np.random.Generator
) -> dict[str, pd.DataFrame]:
    level = rng.integers(len(effects), size=n)
    x = pd.DataFrame(rng.normal(size=(n, 4)), columns=[f"x{j}" for j in range(4)])
    x["c"] = level
    if kind == "noise":
        x["other"] = rng.integers(noise_levels, size=n)
    signal = effects[level] * (x["x0"] if kind == "interaction" else 1.0)
    y = pd.DataFrame(rng.normal(size=(n, 5)), columns=[f"y{j}" for j in range(5)])
    y["y0"] = signal + 0.7 * y["y0"]
    return {"x": x, "y": y}


def coded(views: dict[str, pd.DataFrame], coding: str, levels: dict[str, int]) -> dict[str, pd.DataFrame]:
    x = views["x"].copy()
    for column in set(levels) & set(x.columns):
        x[column] = pd.Categorical(x[column], categories=range(levels[column]))
    if coding == "number":
        x = x.astype(float)
    elif coding == "indicators":
        x = pd.get_dummies(x, dtype=float)
    return {"x": x, "y": views["y"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=-1)
    parser.add_argument("--linear", type=float, default=None, help="weight of linear CCA (default: chosen by the fit)")
    parser.add_argument("--codings", nargs="+", default=CODINGS, choices=CODINGS)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print(
        f"{'effect':<12} {'levels':>6} {'samples':>7}   " + "  ".join(f"{coding:>11}" for coding in arguments.codings)
    )
    for kind, n_levels, n in (
        ("additive", 12, 200),
        ("additive", 12, 1000),
        ("additive", 60, 1000),
        ("interaction", 12, 200),
        ("interaction", 12, 1000),
        ("interaction", 60, 1000),
        ("noise", 12, 200),
        ("noise", 12, 1000),
    ):
        found = {coding: [] for coding in arguments.codings}
        for seed in range(arguments.seeds):
            rng = np.random.default_rng([seed, n_levels])
            effects = rng.permutation(np.linspace(-1.7, 1.7, n_levels))
            train = sample(effects, n, kind, n // 5, rng)
            test = sample(effects, 4000, kind, n // 5, rng)
            levels = {"c": n_levels, "other": n // 5}
            for coding in arguments.codings:
                model = TreeCCA(1, linear=arguments.linear, random_state=seed, n_jobs=arguments.jobs)
                model.fit(coded(train, coding, levels))
                found[coding].append(model.score(coded(test, coding, levels)))
        numbers = "  ".join(f"{np.mean(found[coding]):>11.3f}" for coding in arguments.codings)
        print(f"{kind:<12} {n_levels:>6} {n:>7}   {numbers}", flush=True)


if __name__ == "__main__":
    main()
