"""The three engines with equal settings: test TCC and seconds.

    python -m benchmarks.engines [signed_power hermite uci_har] [--seeds 42 0 1] [--rounds 150] [--json engines.json]
    python -m benchmarks.engines --all-features    # without feature sampling, which differs between the engines
    python -m benchmarks.engines --peer            # 400 rounds of cca-zoo's XGBoostCCA and of TreeCCA on XGBoost

Needs xgboost and lightgbm (cca-zoo for --peer). Scores: see README.md.
"""

from __future__ import annotations

import argparse
import time
import warnings

import numpy as np

from treecca import TreeCCA, metrics

from . import datasets
from .records import write_records

ENGINES = [
    ("native", "joint"),
    ("xgboost", "joint"),
    ("native", "scalar"),
    ("xgboost", "scalar"),
    ("lightgbm", "scalar"),
]


def measure(name: str, seed: int, engine: str, trees: str, settings: dict[str, object]) -> dict[str, float]:
    data = datasets.load(name, random_state=seed)
    begin = time.perf_counter()
    model = TreeCCA(data.k, engine=engine, trees=trees, random_state=seed, **settings)
    model.fit(data.views, groups=data.groups)
    seconds = time.perf_counter() - begin
    out_of_fold = float(model.correlations_.clip(0).sum())
    return {"test": metrics.tcc(model.transform(data.test_views)), "out_of_fold": out_of_fold, "seconds": seconds}


def compare(names: list[str], seeds: list[int], settings: dict[str, object]) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for name in names:
        print(f"\n{name}, {settings}, seeds {', '.join(map(str, seeds))}\n")
        print("| engine | trees | test | out-of-fold | seconds |\n|---|---|---|---|---|")
        for engine, trees in ENGINES:
            results = [measure(name, seed, engine, trees, settings) for seed in seeds]
            mean = {key: float(np.mean([r[key] for r in results])) for key in results[0]}
            print(
                f"| {engine} | {trees} | {mean['test']:.3f} | {mean['out_of_fold']:.3f} | {mean['seconds']:.1f} |",
                flush=True,
            )
            rows.append({"set": name, "engine": engine, "trees": trees, **settings, "seeds": seeds, **mean})
    return rows


def compare_with_cca_zoo(rounds: int = 400, n: int = 5000, p: int = 8, k: int = 2) -> list[dict[str, object]]:
    """Time both packages with the paper's settings: scalar trees, depth 5, Eckart-Young gradient, no cross-fitting."""
    from cca_zoo.tree import XGBoostCCA

    rng = np.random.default_rng(0)
    latent = rng.normal(size=(n, k))
    views = []
    for transform in (np.cbrt, lambda z: z**3):
        signal = transform(latent) + 0.15 * rng.normal(size=(n, k))
        views.append(np.c_[signal, rng.normal(size=(n, p - k))])
    trees = {"max_depth": 5, "subsample": 0.8, "colsample_bytree": 0.8, "min_child_weight": 5, "learning_rate": 0.1}
    rows: list[dict[str, object]] = []
    for name, model in [
        ("cca-zoo XGBoostCCA", XGBoostCCA(n_components=k, n_estimators=rounds, random_state=0, **trees)),
        (
            "TreeCCA, engine=xgboost",
            TreeCCA(k, preset="paper", engine="xgboost", n_estimators=rounds, random_state=0, **trees),
        ),
        ("TreeCCA, engine=native", TreeCCA(k, preset="paper", n_estimators=rounds, random_state=0, **trees)),
    ]:
        begin = time.perf_counter()
        model.fit(views)
        rows.append({"program": name, "rounds": rounds, "seconds": time.perf_counter() - begin})
        print(f"{name}: {rows[-1]['seconds']:.1f} s for {rounds} rounds", flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=["signed_power", "hermite", "uci_har"])
    parser.add_argument("--seeds", nargs="+", type=int, default=[42, 0, 1])
    parser.add_argument("--rounds", type=int, default=150)
    parser.add_argument("--all-features", action="store_true", help="no feature sampling")
    parser.add_argument("--peer", action="store_true", help="compare with cca-zoo's XGBoostCCA instead")
    parser.add_argument("--json", help="also write the results to this file")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    settings: dict[str, object] = {"preset": "plain", "n_estimators": options.rounds}
    if options.all_features:
        settings["colsample_bytree"] = 1.0
    rows = compare_with_cca_zoo() if options.peer else compare(options.names, options.seeds, settings)
    if options.json:
        write_records(options.json, rows)


if __name__ == "__main__":
    main()
