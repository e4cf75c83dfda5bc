"""Accuracy of fits on test samples.

    python -m benchmarks.quality signed_power hermite --seeds 42 0 1 2 3
    python -m benchmarks.quality uci_har --set max_depth=5 --set trees=scalar --json har.json
    python -m benchmarks.quality signed_power hermite --preset paper --seeds 42 0 1 2 3

For every data set and seed the CLI fits the training samples and transforms the test samples:

    test         TCC of the test variates; components are decorrelated by the model's rotation
    raw          the same without the rotation, as in the paper: components may repeat each other
    out-of-fold  out-of-fold TCC, estimated from the training samples alone
    in-sample    TCC of the final model on its training samples
    linear       linear CCA/MCCA, its shrinkage chosen on the test samples (which favours it)
    accuracy     logistic regression on the test variates of all views (needs labels)
    repeat       largest correlation between two components of a view on the test samples

TCC is a sum over K components of |correlation|, mean over pairs of views. With few test samples (column `samples`) it
is biased upwards.

--preset paper adds the paper's protocol ("peak"): the raw TCC of the round that is best ON THE TEST SAMPLES. It is
biased upwards; use it only to compare with the paper.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np

from . import datasets
from .linear import linear_scores
from .metrics import canonical_rotation, largest_repeat, probe_accuracy, tcc
from .records import write_records
from .runner import RunFailed, Workspace, find_program
from .walker import embeddings_by_round
from .walker import variates as walked_variates

COLUMNS = {  # score -> heading
    "test_tcc": "test",
    "raw_tcc": "raw",
    "peak_tcc": "peak",
    "out_of_fold_tcc": "out-of-fold",
    "in_sample_tcc": "in-sample",
    "linear_test_tcc": "linear",
    "accuracy": "accuracy",
    "linear_accuracy": "linear acc.",
    "repeat": "repeat",
    "seconds": "seconds",
}


def scores(
    program: str,
    name: str,
    seed: int,
    settings: dict[str, str],
    *,
    threads: int | None = None,
    check: bool = False,
    linear: bool = True,
) -> dict:
    """Return all scores of one fit. `check`: also compare the CLI's transform with walker.py."""
    data = datasets.load(name, random_state=seed)
    with Workspace(program, data) as workspace:
        fit = workspace.fit(settings, seed, threads)
        train, test = workspace.train_variates(fit), workspace.test_variates(fit)
    walked = walked_variates(fit.model, data.test_views) if check else test
    difference = max(float(np.abs(a - b).max()) for a, b in zip(walked, test, strict=True))
    raw = None  # a mean of parts has no embeddings before rotation
    if all(len(view.get("parts", [])) == 1 for view in fit.model["views"]):
        rotations = [np.reshape(view["parts"][0]["rotation"], (-1, data.k)) for view in fit.model["views"]]
        raw = [z @ np.linalg.pinv(rotation) for z, rotation in zip(test, rotations, strict=True)]
    if not fit.parameters["rotate"]:
        # Test TCC is always that of decorrelated components.
        rotations = canonical_rotation(train)
        train, test = ([z @ a for z, a in zip(part, rotations, strict=True)] for part in (train, test))
    result = {
        "data": name,
        "seed": seed,
        "settings": settings,
        "k": data.k,
        "test_rows": len(test[0]),
        "test_tcc": tcc(test),
        "raw_tcc": None if raw is None else tcc(raw),
        "out_of_fold_tcc": fit.total("out_of_fold"),
        "in_sample_tcc": fit.total("in_sample"),
        "linear_out_of_fold_tcc": fit.total("linear_out_of_fold"),
        "accuracy": probe_accuracy(train, data.labels, test, data.test_labels),
        "repeat": largest_repeat(test),
        "seconds": fit.seconds,
        "peak_mb": fit.peak_mb,
        "rounds": fit.rounds,
        "timings": fit.timings,
        "limit": data.limit,
    }
    if settings.get("preset") == "paper":
        curve = [tcc(z) for z in embeddings_by_round(fit.model, data.test_views)]
        result |= {"peak_tcc": max(curve), "peak_round": int(np.argmax(curve)) + 1, "test_curve": curve}
    if check:
        result["largest_difference"] = difference
    if linear:
        result |= linear_scores(data)
    return result


def markdown(results: list[dict]) -> str:
    """Return one row per data set: mean over the seeds, with the standard deviation of the test scores."""
    names = list(dict.fromkeys(r["data"] for r in results))
    columns = [c for c in COLUMNS if any(r.get(c) is not None for r in results)]
    lines = [
        "| data set | K | samples | seeds | " + " | ".join(COLUMNS[c] for c in columns) + " | limit |",
        "|---" * (len(columns) + 5) + "|",
    ]
    for name in names:
        mine = [r for r in results if r["data"] == name]
        cells = []
        for column in columns:
            values = [r[column] for r in mine if r.get(column) is not None]
            digits = 1 if column == "seconds" else 3
            cell = f"{np.mean(values):.{digits}f}" if values else ""
            if len(values) > 1 and column in ("test_tcc", "raw_tcc", "peak_tcc"):
                cell += f" ± {np.std(values):.3f}"
            cells.append(cell)
        limit = "" if mine[0]["limit"] is None else f"{mine[0]['limit']:.3f}"
        lines.append(
            f"| {name} | {mine[0]['k']} | {mine[0]['test_rows']} | {len(mine)} | " + " | ".join(cells) + f" | {limit} |"
        )
    return "\n".join(lines)


def parse_settings(texts: list[str]) -> dict[str, str]:
    """Return name=value pairs as a dictionary."""
    for text in texts:
        if "=" not in text:
            raise ValueError(f"--set takes name=value, not {text}.")
    return dict(text.split("=", 1) for text in texts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="+", help=f"data sets: {', '.join(datasets.list_datasets())}")
    parser.add_argument("--seeds", nargs="+", type=int, default=[42])
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a parameter of the fit")
    parser.add_argument("--preset", help="short for --set preset=...")
    parser.add_argument("--threads", type=int, help="default: all processors")
    parser.add_argument("--treecca", help="path of the CLI")
    parser.add_argument("--check", action="store_true", help="compare the CLI's transform with walker.py")
    parser.add_argument("--no-linear", action="store_true", help="omit linear CCA")
    parser.add_argument("--json", metavar="FILE", help="write all scores to this file")
    options = parser.parse_args()
    results = []
    try:
        settings = ({"preset": options.preset} if options.preset else {}) | parse_settings(options.set)
        program = find_program(options.treecca)
        for name in options.data:
            for seed in options.seeds:
                results.append(
                    scores(
                        program,
                        name,
                        seed,
                        settings,
                        threads=options.threads,
                        check=options.check,
                        linear=not options.no_linear,
                    )
                )
                r = results[-1]
                estimate = "" if r["out_of_fold_tcc"] is None else f"out-of-fold {r['out_of_fold_tcc']:.3f}, "
                print(
                    f"{name} seed {seed}: test {r['test_tcc']:.3f}, {estimate}{r['seconds']:.1f} s",
                    file=sys.stderr,
                    flush=True,
                )
    except (RunFailed, datasets.MissingDataError, ValueError) as reason:
        print(reason, file=sys.stderr)
        return 1
    print(markdown(results))
    if options.check:
        print(f"\nLargest difference from walker.py: {max(r['largest_difference'] for r in results):.2g}")
    if options.json:
        write_records(options.json, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
