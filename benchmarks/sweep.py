"""A table of settings over all data sets: the measurements behind the defaults.

    python -m benchmarks.sweep                       # everything: many hours on a small machine
    python -m benchmarks.sweep --settings default scalar --data signed_power uci_har --seeds 42

Every fit is one task; tasks run in parallel, each with one thread. joblib.Memory keeps the results by data set, seed,
settings and build of the CLI, so an interrupted run resumes and a larger table computes only its new cells. The tables
are written as Markdown.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from joblib import Memory, Parallel, delayed

from . import datasets
from .linear import linear_scores
from .quality import scores
from .runner import RunFailed, digest, find_program

# Rows of the table: parameters that differ from the defaults. One at a time, or two that belong together.
SETTINGS: dict[str, dict[str, str]] = {
    "default": {},
    "scalar trees": {"trees": "scalar"},
    "depth 3": {"max_depth": "3"},
    "depth 5": {"max_depth": "5"},
    "depth 6": {"max_depth": "6"},
    "rate 0.05, 300 rounds": {"learning_rate": "0.05", "n_estimators": "300"},
    "rate 0.2, 75 rounds": {"learning_rate": "0.2", "n_estimators": "75"},
    "300 rounds": {"n_estimators": "300"},
    "300 rounds, early stopping 30": {"n_estimators": "300", "early_stopping_rounds": "30"},
    "no cross-fitting": {"cross_fit": "0"},
    "3 folds": {"cross_fit": "3"},
    "10 folds": {"cross_fit": "10"},
    "subsample 0.7": {"subsample": "0.7"},
    "colsample 0.3": {"colsample_bytree": "0.3"},
    "colsample 1": {"colsample_bytree": "1"},
    "min_child_weight 3": {"min_child_weight": "3"},
    "min_child_weight 10": {"min_child_weight": "10"},
    "lambda 0": {"reg_lambda": "0"},
    "lambda 5": {"reg_lambda": "5"},
    "64 bins": {"max_bin": "64"},
    "gauss-seidel": {"schedule": "gauss-seidel"},
    "start scaled": {"init": "pca-scaled"},
    "start random": {"init": "random-orthogonal"},
    "fade 50": {"init_fade": "50"},
    "EY objective": {"objective": "ey"},
    "paper": {"preset": "paper"},
}
LINEAR = "linear CCA/MCCA"  # shrinkage chosen on the test samples, which favours it
_LINEAR_SCORES = {"test_tcc": "test_tcc", "raw_tcc": "test_raw_tcc", "accuracy": "accuracy"}
ONLY_WHEN_NAMED = ("split_mnist", "nus_wide")  # large; hard to get
NOT_IN_MEAN = ("independent", "linnerud")  # no signal; four test samples

Task = tuple[str, str, int]  # row of the table, data set, seed
Results = dict[Task, dict]


def compute(program: str, build: str, row: str, settings: dict[str, str], name: str, seed: int) -> dict:
    """Return the scores of one cell. `build`: digest of the CLI, so that kept results of other builds are not used."""
    if row == LINEAR:
        found = linear_scores(datasets.load(name, random_state=seed))
        return {key: found[f"linear_{of}"] for key, of in _LINEAR_SCORES.items()}
    return scores(program, name, seed, settings, threads=1, linear=False)


def run_all(program: str, tasks: list[Task], folder: Path, processes: int) -> tuple[Results, list[str]]:
    """Compute all tasks without a kept result; return all results, and the failures as text."""
    cached, build = Memory(folder, verbose=0).cache(compute, ignore=["program"]), digest(program)

    def attempt(task: Task) -> dict | str:
        row, name, seed = task
        try:
            return cached(program, "" if row == LINEAR else build, row, SETTINGS.get(row, {}), name, seed)
        except (RunFailed, datasets.MissingDataError, ValueError) as reason:
            return f"{row}, {name}, seed {seed}: {reason}"

    found = Parallel(processes, return_as="generator")(delayed(attempt)(task) for task in tasks)
    results, failures = {}, []
    for number, (task, result) in enumerate(zip(tasks, found, strict=True), 1):
        if isinstance(result, str):
            failures.append(result)
        else:
            results[task] = result
        note = "failed" if isinstance(result, str) else f"test {result['test_tcc']:.3f}"
        row, name, seed = task
        print(f"[{number}/{len(tasks)}] {row}, {name}, seed {seed}: {note}", file=sys.stderr, flush=True)
    return results, failures


def table(title: str, rows: list[str], names: list[str], cell, last: tuple[str, object] | None = None) -> str:
    heads = ["setting", *names] + ([last[0]] if last else [])
    lines = [f"## {title}", "", "| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for row in rows:
        cells = [cell(row, name) for name in names] + ([last[1](row)] if last else [])
        lines.append(f"| {row} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def markdown(rows: list[str], names: list[str], seeds: list[int], results: Results) -> str:
    ks = {name: datasets.load(name, random_state=seeds[0]).k for name in names}

    def mean(row: str, name: str, score: str) -> float | None:
        found = [results.get((row, name, seed), {}).get(score) for seed in seeds]
        values = [value for value in found if value is not None]
        return float(np.mean(values)) if len(values) == len(seeds) else None

    def text(value: float | None, digits: int = 2) -> str:
        return "" if value is None else f"{value:.{digits}f}"

    def tcc_cell(row: str, name: str) -> str:
        estimate = mean(row, name, "out_of_fold_tcc")
        return text(mean(row, name, "test_tcc")) + ("" if estimate is None else f" ({estimate:.2f})")

    def mean_fraction(row: str) -> str:
        fractions = [(mean(row, name, "test_tcc"), ks[name]) for name in names if name not in NOT_IN_MEAN]
        known = fractions and all(s is not None for s, _ in fractions)
        return f"{np.mean([s / k for s, k in fractions]):.4f}" if known else ""

    heads = [f"{name} ({ks[name]})" for name in names]
    back = dict(zip(heads, names, strict=True))
    labelled = [name for name in names if any(mean(row, name, "accuracy") is not None for row in rows)]
    parts = [
        "# How the defaults were chosen\n",
        "Made by `python -m benchmarks.sweep`; every row changes one thing from the default settings. Data sets and "
        "protocol: see `benchmarks/README.md`.\n"
        f"Means over the seeds {', '.join(map(str, seeds))}. In brackets after the name of a data set: the number "
        "of components.\n",
        table(
            "Test TCC; out-of-fold TCC in brackets",
            rows,
            heads,
            lambda row, head: tcc_cell(row, back[head]),
            ("mean fraction of K", mean_fraction),
        ),
        "The last column is the mean over the data sets of test TCC / K"
        + (f", without {', '.join(n for n in NOT_IN_MEAN if n in names)}" if set(NOT_IN_MEAN) & set(names) else "")
        + ".\n",
        table(
            "Raw TCC, as in the paper (components may repeat each other)",
            rows,
            names,
            lambda row, name: text(mean(row, name, "raw_tcc")),
        ),
        table(
            "Accuracy of logistic regression on the test variates",
            rows,
            labelled,
            lambda row, name: text(mean(row, name, "accuracy"), 3),
        ),
        table(
            "Seconds of the CLI, one thread",
            [r for r in rows if r != LINEAR],
            names,
            lambda row, name: text(mean(row, name, "seconds"), 1),
        ),
    ]
    return "\n".join(parts)


def main() -> int:
    root = Path(__file__).resolve().parents[1]
    names = [name for name in datasets.list_datasets() if name != "sign_interaction"]  # it has one view
    standard = [name for name in names if name not in ONLY_WHEN_NAMED]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--settings",
        nargs="+",
        choices=SETTINGS,
        default=list(SETTINGS),
        metavar="NAME",
        help=f"rows of the table: {'; '.join(SETTINGS)}",
    )
    parser.add_argument(
        "--data",
        nargs="+",
        choices=names,
        default=standard,
        metavar="NAME",
        help=f"columns of the table; all but {', '.join(ONLY_WHEN_NAMED)} unless named",
    )
    parser.add_argument("--seeds", nargs="+", type=int, default=[42, 0, 1])
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--treecca", help="path of the CLI")
    parser.add_argument(
        "--cache", type=Path, default=root / "build" / "sweep", help="folder of the results; delete it to start again"
    )
    parser.add_argument("--out", type=Path, default=root / "docs" / "defaults.md")
    options = parser.parse_args()
    try:
        program = find_program(options.treecca)
        rows = [LINEAR, *options.settings]
        tasks = [(row, name, seed) for name in options.data for row in rows for seed in options.seeds]
        results, failures = run_all(program, tasks, options.cache, options.processes)
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(markdown(rows, options.data, options.seeds, results))
    except (RunFailed, datasets.MissingDataError, ValueError) as reason:
        print(reason, file=sys.stderr)
        return 1
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
