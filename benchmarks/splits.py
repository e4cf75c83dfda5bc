"""The default settings on 44 train and test splits of 18 tables, beside `preset=plain` and linear CCA.

    python -m benchmarks.splits                                all 44 splits, about ten minutes
    python -m benchmarks.splits nutrimouse signed_60           some sets
    python -m benchmarks.splits --seeds 21 22 23 --json x.json other splits (and other draws of the synthetic sets)
    python -m benchmarks.splits --show benchmarks/results/splits.json

Scores are the TCC of the test samples after Gram-Schmidt (`treecca.metrics.distinct_tcc`); in brackets the out-of-fold
estimate of the fit. Linear CCA has its shrinkage chosen by five folds of the training samples. The rules of
`preset=auto` were settled on the splits without `--seeds`, so their scores of `auto` are biased upwards; those of other
seeds are not.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from treecca import TreeCCA
from treecca.datasets import TRANSFORMS, MultiviewDataset
from treecca.metrics import component_correlations, distinct_tcc

from . import datasets
from .linear import SHRINKAGES, linear_embeddings
from .records import read_records, write_records

Views = list[np.ndarray]


def _dataset(name: str, views: Views, k: int, test: np.ndarray, groups: np.ndarray | None = None) -> MultiviewDataset:
    """`test`: which rows are test samples."""
    return MultiviewDataset(
        name,
        [np.asarray(v[~test], np.float32) for v in views],
        [f"view{v}" for v in range(len(views))],
        k=k,
        test_views=[np.asarray(v[test], np.float32) for v in views],
        groups=None if groups is None else groups[~test],
    )


def _chosen(rows: int, test: Iterable[int]) -> np.ndarray:
    flags = np.zeros(rows, dtype=bool)
    flags[np.fromiter(test, dtype=int)] = True
    return flags


def _random_test(rows: int, seed: int, fraction: float) -> np.ndarray:
    return _chosen(rows, np.random.default_rng(seed + 77).permutation(rows)[: int(rows * fraction)])


def _stratified_test(labels: np.ndarray, seed: int) -> np.ndarray:
    from sklearn.model_selection import train_test_split

    rows = np.arange(len(labels))
    return _chosen(len(rows), train_test_split(rows, test_size=0.2, random_state=seed, stratify=labels)[1])


def _latent_views(kind: str, seed: int, rows: int) -> Views:
    """Three latents in two transforms, with five columns of noise each."""
    rng = np.random.default_rng(seed)
    z = rng.standard_normal((rows, 3))
    transforms = {"signed": ("cube_root", "cube"), "hermite": ("h2", "h3")}[kind]
    return [
        np.hstack([TRANSFORMS[f](z) + 0.15 * rng.standard_normal((rows, 3)), rng.standard_normal((rows, 5))])
        for f in transforms
    ]


def _latent(kind: str, first_seed: int, training: int | None = None) -> Callable[[str, int], MultiviewDataset]:
    def load(name: str, seed: int) -> MultiviewDataset:
        rows = 3000 if training is None else training + 2000
        test = _random_test(rows, seed, 0.2) if training is None else np.arange(rows) >= training
        return _dataset(name, _latent_views(kind, first_seed + seed, rows), 3, test)

    return load


def _linear_signal(training: int) -> Callable[[str, int], MultiviewDataset]:
    """Two latents in 30 features of each view."""

    def load(name: str, seed: int) -> MultiviewDataset:
        rng = np.random.default_rng(700 + seed)
        rows = training + 2000
        z = rng.standard_normal((rows, 2))
        views = [z @ (rng.standard_normal((2, 30)) * 0.5) + rng.standard_normal((rows, 30)) for _ in range(2)]
        return _dataset(name, views, 2, np.arange(rows) >= training)

    return load


def _sparse(features: int) -> Callable[[str, int], MultiviewDataset]:
    """Five features that matter among many; 400 training samples."""

    def load(name: str, seed: int) -> MultiviewDataset:
        rng = np.random.default_rng(300 + seed)
        z = rng.standard_normal((1400, 5))
        views = []
        for f in ("square_root", "h2"):
            rng.standard_normal(z.shape)  # keeps the draws of the first version of this set
            views.append(np.hstack([TRANSFORMS[f](z), rng.standard_normal((1400, features - 5))]))
        return _dataset(name, views, 5, np.arange(1400) >= 400)

    return load


def _all_rows(whole: MultiviewDataset) -> Views:
    """Training samples, then those of a published test part."""
    if whole.test_views is None:
        return whole.views
    return [np.vstack(pair) for pair in zip(whole.views, whole.test_views, strict=True)]


def _published(source: str, k: int, fraction: float | None = None) -> Callable[[str, int], MultiviewDataset]:
    """All samples of a published set, split again: a random `fraction`, or a fifth of every class."""

    def load(name: str, seed: int) -> MultiviewDataset:
        whole = datasets.load_whole(source)
        views = _all_rows(whole)
        test = _stratified_test(whole.labels, seed) if fraction is None else _random_test(len(views[0]), seed, fraction)
        return _dataset(name, views, k, test)

    return load


def _har(name: str, seed: int) -> MultiviewDataset:
    """Seed 1: the published subjects. Others: nine of the 30 subjects at random."""
    whole = datasets.load_whole("uci_har")
    if seed == 1:
        return replace(whole, name=name)
    subjects = datasets.har_subjects()
    chosen = np.random.default_rng(seed).permutation(np.unique(subjects))[:9]
    return _dataset(name, _all_rows(whole), 6, np.isin(subjects, chosen), subjects)


SETS: dict[str, tuple[Callable[[str, int], MultiviewDataset], tuple[int, ...]]] = {  # loader, seeds
    "nutrimouse": (_published("nutrimouse", 3, 0.25), (1, 2, 3, 4, 5, 6)),
    "liver_toxicity": (_published("liver_toxicity", 3, 0.25), (1, 2, 3)),
    "multidrug": (_published("multidrug_nci60", 3, 0.25), (1, 2, 3)),
    "breast_tcga": (_published("breast_tcga_two", 3, 0.32), (1, 2, 3)),
    "threesources": (_published("threesources", 5), (1, 2, 3)),
    "msrc_v5": (_published("msrc_v5", 6), (1, 2)),
    **{f"linear_{n}": (_linear_signal(n), (1, 2, 3)) for n in (60, 100, 200)},
    **{f"signed_{n}": (_latent("signed", 500, n), (1, 2, 3)) for n in (60, 100, 200)},
    "sparse_200": (_sparse(200), (1,)),
    "sparse_500": (_sparse(500), (1,)),
    "hermite": (_latent("hermite", 1000), (1,)),
    "signed_power": (_latent("signed", 1000), (1,)),
    "uci_har": (_har, (1,)),
    "handwritten": (_published("handwritten", 9), (1,)),
}


def linear_tcc(data: MultiviewDataset) -> float:
    """Test TCC of linear CCA, its shrinkage chosen by five folds of the training samples."""
    rng = np.random.default_rng(3)
    groups = np.arange(data.n_samples) if data.groups is None else np.unique(data.groups, return_inverse=True)[1]
    fold = (rng.permutation(groups.max() + 1) % 5)[groups]
    total = dict.fromkeys(SHRINKAGES, 0.0)
    for f in range(5):
        inner = _dataset(data.name, data.views, data.k, fold == f)
        for shrinkage in SHRINKAGES:
            test = linear_embeddings(inner, shrinkage)[1]
            total[shrinkage] += float(component_correlations(test).sum())
    return distinct_tcc(linear_embeddings(data, max(total, key=total.__getitem__))[1])


def fitted(data: MultiviewDataset, seed: int = 1, **settings) -> dict:
    """Scores of one fit with one thread."""
    begin = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # small tables: that is what is measured
        model = TreeCCA(data.k, random_state=seed, n_jobs=1, **settings).fit(data.views, groups=data.groups)
    seconds = time.process_time() - begin
    return {
        "tcc": distinct_tcc(model.transform(data.test_views)),
        "own": float(np.maximum(model.correlations_, 0).sum()),
        "linear_weight": model.linear_weight_,
        "found": int(model.found_.sum()),
        "rounds": model.n_iter_,
        "cpu_seconds": round(seconds, 2),
    }


def measured(name: str, seed: int, settings: dict[str, str]) -> dict:
    data = SETS[name][0](name, seed)
    record = {"set": name, "seed": seed, "k": data.k, "samples": data.n_samples}
    record["test_samples"] = len(data.test_views[0])
    record["linear"] = linear_tcc(data)
    record["plain"] = fitted(data, preset="plain")
    record["auto"] = fitted(data, **settings)
    return record


def table(records: list[dict]) -> str:
    lines = [
        "| set | components | samples | splits | linear CCA | `preset=plain` | `preset=auto` | weight of linear CCA "
        "| CPU seconds, plain and auto |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    by_set: dict[str, list[dict]] = {}
    for record in records:
        by_set.setdefault(record["set"], []).append(record)
    for name, own in by_set.items():
        mean = {
            key: np.mean([r["linear"] if key == "linear" else r[key[0]][key[1]] for r in own])
            for key in ("linear", *((m, v) for m in ("plain", "auto") for v in ("tcc", "own", "cpu_seconds")))
        }
        weights = ", ".join(f"{w:g}" for w in sorted({r["auto"]["linear_weight"] for r in own}))
        lines.append(
            f"| {name} | {own[0]['k']} | {own[0]['samples']:,} | {len(own)} | {mean['linear']:.2f} "
            f"| {mean['plain', 'tcc']:.2f} ({mean['plain', 'own']:.2f}) "
            f"| {mean['auto', 'tcc']:.2f} ({mean['auto', 'own']:.2f}) | {weights} "
            f"| {mean['plain', 'cpu_seconds']:.1f}, {mean['auto', 'cpu_seconds']:.1f} |"
        )
    return "\n".join(lines)


def summary(records: list[dict]) -> str:
    def fractions(of: Callable[[dict], float]) -> np.ndarray:
        return np.array([of(r) / r["k"] for r in records])

    linear = fractions(lambda r: r["linear"])
    lines = [f"mean fraction of K over {len(records)} splits: linear {linear.mean():.3f}"]
    names = np.array([r["set"] for r in records])
    for method in ("plain", "auto"):
        fresh = fractions(lambda r, m=method: r[m]["tcc"])
        own = fractions(lambda r, m=method: r[m]["own"])
        of_sets = [abs((own - fresh)[names == name].mean()) for name in dict.fromkeys(names)]
        lines.append(
            f"{method} {fresh.mean():.3f}; own minus fresh {np.mean(own - fresh):+.3f}, "
            f"mean of absolutes over sets {np.mean(of_sets):.3f}"
        )
    auto = fractions(lambda r: r["auto"]["tcc"])
    plain = fractions(lambda r: r["plain"]["tcc"])
    for label, other in (("linear CCA", linear), ("plain", plain)):
        lowest = min(((auto - other)[names == n].mean(), n) for n in dict.fromkeys(names))
        lines.append(f"lowest against {label}: {lowest[0]:+.3f} K ({lowest[1]})")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", metavar="SET", help="all if none is named")
    parser.add_argument("--seeds", nargs="+", type=int, help="of the splits, instead of those of the 44")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a parameter of the auto fits")
    parser.add_argument("--json", metavar="FILE", help="write the records")
    parser.add_argument("--show", metavar="FILE", help="print the tables of written records, measure nothing")
    arguments = parser.parse_args()
    if arguments.show:
        records = read_records(arguments.show)
        print(table(records), summary(records), sep="\n\n")
        return
    settings = dict(text.split("=", 1) for text in arguments.set)
    records = []
    for name in arguments.sets or SETS:
        for seed in arguments.seeds or SETS[name][1]:
            try:
                records.append(measured(name, seed, settings))
            except datasets.MissingDataError as reason:
                print(reason, file=sys.stderr)
                break
            last = records[-1]
            print(
                f"{name} {seed}: linear {last['linear']:.2f}, plain {last['plain']['tcc']:.2f} "
                f"({last['plain']['own']:.2f}), auto {last['auto']['tcc']:.2f} ({last['auto']['own']:.2f}), "
                f"{last['auto']['cpu_seconds']} s",
                file=sys.stderr,
                flush=True,
            )
            if arguments.json:
                write_records(arguments.json, records)
    print(table(records), summary(records), sep="\n\n")


if __name__ == "__main__":
    main()
