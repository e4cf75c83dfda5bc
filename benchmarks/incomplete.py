"""Training samples that lack whole views: TreeCCA as it is, complete cases, and imputation by the mean.

    python -m benchmarks.incomplete                            all sets, five seeds
    python -m benchmarks.incomplete breast_tcga --seeds 0 1    some
    python -m benchmarks.incomplete --linear                   linear CCA alone, in a minute
    python -m benchmarks.incomplete --json x.json              also writes the records
    python -m benchmarks.incomplete --show benchmarks/results/incomplete.json

Half of the samples of each class are training samples, at most 150 of all; the others are test samples, which are
complete and the same for all methods. Of the training samples, 30 % (`--fraction`) lack one view, drawn at random for
each of them. Scores are the TCC of the test samples after Gram-Schmidt (`treecca.metrics.distinct_tcc`), of three
components, with default settings but one repeat; in brackets the standard error of the mean over the seeds.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from dataclasses import replace

import numpy as np

from treecca import TreeCCA
from treecca.metrics import distinct_tcc

from . import datasets
from .records import read_records, write_records

SETS = ["breast_tcga", "handwritten", "msrc_v5", "brca_tcga769", "caltech101_7", "threesources"]
TWO_VIEWS = ["breast_tcga_two", "nutrimouse", "liver_toxicity"]
METHODS = ["all data", "incomplete", "complete cases", "mean imputation"]
COMPONENTS = 3
PARAMETERS = {"n_repeats": 1}  # half or a third of the time; all methods alike
MOST_TRAINING = 150

Views = list[np.ndarray]


def without_views(views: Views, fraction: float, seed: int) -> Views:
    """Copies in which a fraction of the samples lacks one view each: rows of NaN."""
    rng = np.random.default_rng([seed, 1])
    n = len(views[0])
    some = rng.permutation(n)[: round(fraction * n)]
    absent = rng.integers(len(views), size=len(some))
    result = [np.array(view, dtype=np.float32) for view in views]
    for sample, view in zip(some, absent, strict=True):
        result[view][sample] = np.nan
    return result


def training_views(views: Views, method: str, fraction: float, seed: int) -> Views:
    if method == "all data":
        return views
    given = without_views(views, fraction, seed)
    absent = [np.isnan(view).all(axis=1) for view in given]
    if method == "complete cases":
        complete = ~np.any(absent, axis=0)
        return [view[complete] for view in given]
    if method == "mean imputation":
        return [
            np.where(gone[:, None], np.nanmean(view, axis=0), view) for view, gone in zip(given, absent, strict=True)
        ]
    return given


def measure(name: str, seed: int, method: str, fraction: float, given: dict[str, object]) -> dict[str, object]:
    whole = replace(datasets.load_whole(name), test_views=None, test_labels=None)
    data = whole.split(seed, test_size=max(0.5, 1 - MOST_TRAINING / whole.n_samples))
    begin = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = TreeCCA(COMPONENTS, random_state=seed, **{**PARAMETERS, **given}).fit(
            training_views(data.views, method, fraction, seed)
        )
        score = distinct_tcc(model.transform(data.test_views))
    seconds = time.perf_counter() - begin
    return {
        "set": name,
        "seed": seed,
        "method": method,
        "fraction": fraction,
        "views": len(data.views),
        "training": len(data.views[0]),
        "test": len(data.test_views[0]),
        "score": round(float(score), 4),
        "out_of_fold": round(float(np.maximum(model.correlations_, 0).sum()), 4),
        "linear_weight": float(model.linear_weight_),
        "seconds": round(seconds, 1),
    }


def table(records: list[dict[str, object]]) -> str:
    lines = ["| set | views | samples | " + " | ".join(METHODS) + " | better than complete cases | than imputation |"]
    lines.append("|---|" + "---:|" * (len(METHODS) + 4))
    for name in dict.fromkeys(record["set"] for record in records):
        own = [record for record in records if record["set"] == name]
        scores = {m: {r["seed"]: r["score"] for r in own if r["method"] == m} for m in METHODS}
        seeds = sorted(set.intersection(*(set(of_method) for of_method in scores.values())))
        if not seeds:
            continue
        values = {m: np.array([of_method[s] for s in seeds], float) for m, of_method in scores.items()}
        error = np.sqrt(max(1, len(seeds)))
        cells = [f"{v.mean():.2f}" for v in values.values()]
        for other in ("complete cases", "mean imputation"):
            difference = values["incomplete"] - values[other]
            spread = difference.std(ddof=1) / error if len(seeds) > 1 else float("nan")
            cells.append(f"{difference.mean():+.3f} ({spread:.3f}), {int((difference > 0).sum())} of {len(seeds)}")
        lines.append(f"| {name} | {own[0]['views']} | {own[0]['training']} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", default=SETS + TWO_VIEWS)
    parser.add_argument("--seeds", nargs="+", type=int, default=list(range(5)))
    parser.add_argument("--fraction", type=float, default=0.3)
    parser.add_argument("--linear", action="store_true", help="linear CCA alone (linear=1): fast")
    parser.add_argument("--json", help="file to write")
    parser.add_argument("--show", help="file to read instead of measuring")
    arguments = parser.parse_args()
    if arguments.show:
        print(table(read_records(arguments.show)))
        return
    records: list[dict[str, object]] = []
    given: dict[str, object] = {"linear": 1} if arguments.linear else {}
    for name in arguments.sets:
        for seed in arguments.seeds:
            for method in METHODS:
                records.append(measure(name, seed, method, arguments.fraction, given))
                print(records[-1], file=sys.stderr, flush=True)
            if arguments.json:
                write_records(arguments.json, records)
    print(table(records))


if __name__ == "__main__":
    main()
