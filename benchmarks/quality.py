"""How well fits do on data they have not seen.

    python benchmarks/quality.py signed_power hermite --seeds 42 0 1 2 3
    python benchmarks/quality.py uci_har --set max_depth=5 --set trees=scalar --json har.json
    python benchmarks/quality.py signed_power hermite --preset paper --seeds 42 0 1 2 3

For every data set and seed the program is fitted to the training rows and its variates of the test rows are judged:

    test        total correlation of the transformed test rows; components decorrelated by the model's rotation
    raw         the same without the rotation, as the paper counts it: components may repeat each other
    own         the program's own out-of-fold estimate, made from the training rows alone
    in-sample   the final model on its training rows
    linear      linear CCA/MCCA, its shrinkage chosen on the test rows (generous)
    accuracy    logistic regression on the test variates of all views (needs labels and scikit-learn)
    repeat      largest correlation between two components of a view on the test rows

Total correlations are sums over K components, means over pairs of views. On few test rows they are biased upwards: the
column `rows` tells how many there are.

--preset paper adds the paper's protocol: raw total correlation after every round, the best round picked ON THE TEST
ROWS ("peak"). No honest figure is made like that; it is there to compare with the paper's tables.
"""

from __future__ import annotations

import argparse
import json
import sys

import numpy as np

from linear import linear_figures
from metrics import canonical_rotation, largest_repeat, probe_accuracy, tcc
from runner import RunFailed, Workspace, find_program
from treecca import datasets
from walker import embeddings_by_round, variates as walked_variates

COLUMNS = {  # figure -> heading
    "test_tcc": "test", "raw_tcc": "raw", "peak_tcc": "peak", "own_tcc": "own", "in_sample_tcc": "in-sample",
    "linear_test_tcc": "linear", "accuracy": "accuracy", "linear_accuracy": "linear acc.", "repeat": "repeat",
    "seconds": "seconds",
}


def figures(program: str, name: str, seed: int, settings: dict[str, str], *, threads: int | None = None,
            check: bool = False, linear: bool = True) -> dict:
    """All figures of one fit. `check`: compare the program's transform with the walker of walker.py, too."""
    data = datasets.load(name, random_state=seed)
    with Workspace(program, data) as workspace:
        fit = workspace.fit(settings, seed, threads)
        train, test = workspace.train_variates(fit), workspace.test_variates(fit)
    walked = walked_variates(fit.model, data.test_views) if check else test
    difference = max(float(np.abs(a - b).max()) for a, b in zip(walked, test))
    rotations = [np.reshape(view["rotation"], (-1, data.k)) for view in fit.model["views"]]
    raw = [z @ np.linalg.pinv(rotation) for z, rotation in zip(test, rotations)]
    if not fit.parameters["rotate"]:
        # The decorrelated figure is always the one to judge by: make up for the rotation that was not asked for.
        turned = canonical_rotation(train)
        train, test = ([z @ a for z, a in zip(part, turned)] for part in (train, test))
    result = {
        "data": name, "seed": seed, "settings": settings, "k": data.k, "test_rows": len(test[0]),
        "test_tcc": tcc(test), "raw_tcc": tcc(raw), "own_tcc": fit.total("out_of_fold"),
        "in_sample_tcc": fit.total("in_sample"), "linear_own_tcc": fit.total("linear_out_of_fold"),
        "accuracy": probe_accuracy(train, data.labels, test, data.test_labels), "repeat": largest_repeat(test),
        "seconds": fit.seconds, "peak_mb": fit.peak_mb, "rounds": fit.rounds, "timings": fit.timings,
        "limit": data.limit,
    }
    if settings.get("preset") == "paper":
        curve = [tcc(z) for z in embeddings_by_round(fit.model, data.test_views)]
        result |= {"peak_tcc": max(curve), "peak_round": int(np.argmax(curve)) + 1, "test_curve": curve}
    if check:
        result["largest_difference"] = difference
    if linear:
        result |= linear_figures(data)
    return result


def markdown(results: list[dict]) -> str:
    """One row per data set: mean over the seeds, with the standard deviation of the test figures."""
    names = list(dict.fromkeys(r["data"] for r in results))
    columns = [c for c in COLUMNS if any(r.get(c) is not None for r in results)]
    lines = ["| data set | K | rows | seeds | " + " | ".join(COLUMNS[c] for c in columns) + " | limit |",
             "|---" * (len(columns) + 5) + "|"]
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
        lines.append(f"| {name} | {mine[0]['k']} | {mine[0]['test_rows']} | {len(mine)} | " + " | ".join(cells)
                     + f" | {limit} |")
    return "\n".join(lines)


def parse_settings(texts: list[str]) -> dict[str, str]:
    """name=value pairs as a dictionary."""
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
    parser.add_argument("--treecca", help="the program to run")
    parser.add_argument("--check", action="store_true", help="compare transform with an independent tree walker")
    parser.add_argument("--no-linear", action="store_true", help="leave the linear yardstick out")
    parser.add_argument("--json", metavar="FILE", help="write all figures here")
    options = parser.parse_args()
    results = []
    try:
        settings = ({"preset": options.preset} if options.preset else {}) | parse_settings(options.set)
        program = find_program(options.treecca)
        for name in options.data:
            for seed in options.seeds:
                results.append(figures(program, name, seed, settings, threads=options.threads, check=options.check,
                                       linear=not options.no_linear))
                r = results[-1]
                own = "" if r["own_tcc"] is None else f"own {r['own_tcc']:.3f}, "
                print(f"{name} seed {seed}: test {r['test_tcc']:.3f}, {own}{r['seconds']:.1f} s", file=sys.stderr,
                      flush=True)
    except (RunFailed, datasets.MissingDataError, ValueError) as reason:
        print(reason, file=sys.stderr)
        return 1
    print(markdown(results))
    if options.check:
        print(f"\nLargest difference from the independent walker: {max(r['largest_difference'] for r in results):.2g}")
    if options.json:
        with open(options.json, "w") as out:
            json.dump(results, out, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
