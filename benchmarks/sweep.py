"""A table of settings over all data sets: the measurements behind the defaults.

    python benchmarks/sweep.py                       # everything: many hours on a small machine
    python benchmarks/sweep.py --settings default scalar --data signed_power uci_har --seeds 42

Every fit is one task; tasks run in parallel, each with one thread. Results go into a cache file after every task, under
a key of data set, seed, all parameters and version of the model format: a run that was stopped goes on where it was, a
larger table or a changed default computes only what is new. Changes of the program that none of these show need
--fresh. The tables are written as markdown.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import numpy as np

from linear import linear_figures
from quality import figures
from runner import RunFailed, Workspace, find_program
from treecca import datasets

# What is tried, by name: parameters on top of the defaults. One thing at a time, or two that belong together.
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
LINEAR = "linear CCA/MCCA"  # a row of its own: shrinkage chosen on the test part, generous
ONLY_WHEN_NAMED = ("split_mnist", "nus_wide")  # large; hard to come by
NOT_IN_MEAN = ("independent", "linnerud")  # nothing to find; four test rows

Task = tuple[str, str, dict, int]  # row name, data set, settings, seed


def effective_parameters(program: str, settings: dict[str, str]) -> dict:
    """All parameters that the program makes of the settings, and the version of its model format.

    Taken from a small fit whose shape shows the rules behind automatic values. So a changed default makes new keys in
    the cache exactly for the settings that it changes.
    """
    rng = np.random.default_rng(0)
    views = [rng.standard_normal((200, 130)).astype(np.float32) for _ in range(2)]
    with Workspace(program, datasets.MultiviewDataset("small", views, ["a", "b"], k=1)) as workspace:
        fit = workspace.fit(settings, seed=0)
    unimportant = ("n_components", "random_state", "n_jobs")
    return {"format": fit.format_version} | {k: v for k, v in fit.parameters.items() if k not in unimportant}


class Cache:
    """Results by key in one JSON file, replaced as a whole so that it is never half-written."""

    def __init__(self, path: Path, parameters: dict[str, dict]):
        """parameters: the effective ones of every row of the table."""
        self.path, self.parameters = path, parameters
        self.results = json.loads(path.read_text()) if path.exists() else {}

    def key(self, task: Task) -> str:
        row, data, _, seed = task
        return json.dumps([data, seed, self.parameters.get(row, LINEAR)], sort_keys=True)

    def find(self, task: Task) -> dict | None:
        return self.results.get(self.key(task))

    def forget(self, task: Task) -> None:
        self.results.pop(self.key(task), None)

    def add(self, task: Task, result: dict) -> None:
        self.results[self.key(task)] = result
        part = self.path.with_suffix(".part")
        part.write_text(json.dumps(self.results, indent=0))
        part.replace(self.path)


def compute(program: str, task: Task) -> dict:
    row, name, settings, seed = task
    if row == LINEAR:
        found = linear_figures(datasets.load(name, random_state=seed))
        return {"test_tcc": found["linear_test_tcc"], "raw_tcc": found["linear_test_raw_tcc"],
                "accuracy": found["linear_accuracy"]}
    return figures(program, name, seed, settings, threads=1, linear=False)


def run_all(program: str, tasks: list[Task], cache: Cache, processes: int) -> list[str]:
    """Computes what the cache lacks; returns the failures as sentences."""
    open_tasks = [task for task in tasks if cache.find(task) is None]
    failures = []
    # Fresh interpreters, so that the linear algebra of each one starts with a single thread.
    for library in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[library] = "1"
    with ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn")) as pool:
        waiting = {pool.submit(compute, program, task): task for task in open_tasks}
        for done, future in enumerate(as_completed(waiting), 1):
            row, name, _, seed = task = waiting[future]
            try:
                result = future.result()
                cache.add(task, result)
                note = f"test {result['test_tcc']:.3f}"
            except (RunFailed, datasets.MissingDataError, ValueError) as reason:
                failures.append(f"{row}, {name}, seed {seed}: {reason}")
                note = "failed"
            print(f"[{done}/{len(open_tasks)}] {row}, {name}, seed {seed}: {note}", file=sys.stderr, flush=True)
    return failures


def table(title: str, rows: list[str], names: list[str], cell, last: tuple[str, object] | None = None) -> str:
    heads = ["setting", *names] + ([last[0]] if last else [])
    lines = [f"## {title}", "", "| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for row in rows:
        cells = [cell(row, name) for name in names] + ([last[1](row)] if last else [])
        lines.append(f"| {row} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def markdown(rows: list[str], names: list[str], seeds: list[int], cache: Cache) -> str:
    ks = {name: datasets.load(name, random_state=seeds[0]).k for name in names}

    def mean(row: str, name: str, figure: str) -> float | None:
        found = [cache.find((row, name, SETTINGS.get(row, {}), seed)) for seed in seeds]
        values = [f[figure] for f in found if f is not None and f.get(figure) is not None]
        return float(np.mean(values)) if len(values) == len(seeds) else None

    def text(value: float | None, digits: int = 2) -> str:
        return "" if value is None else f"{value:.{digits}f}"

    def tcc_cell(row: str, name: str) -> str:
        own = mean(row, name, "own_tcc")
        return text(mean(row, name, "test_tcc")) + ("" if own is None else f" ({own:.2f})")

    def mean_share(row: str) -> str:
        shares = [(mean(row, name, "test_tcc"), ks[name]) for name in names if name not in NOT_IN_MEAN]
        return "" if any(s is None for s, _ in shares) else f"{np.mean([s / k for s, k in shares]):.4f}"

    heads = [f"{name} ({ks[name]})" for name in names]
    back = dict(zip(heads, names))
    labelled = [name for name in names if any(mean(row, name, "accuracy") is not None for row in rows)]
    parts = [
        "# How the defaults were chosen\n",
        "Made by `python benchmarks/sweep.py`; every row changes one thing against the default settings. Data sets and "
        "protocol: see `benchmarks/README.md`.\n"
        f"Means over the seeds {', '.join(map(str, seeds))}. In brackets behind a data set's name: the number of "
        "components.\n",
        table("Total correlation on the test rows, decorrelated; the fit's own out-of-fold estimate in brackets",
              rows, heads, lambda row, head: tcc_cell(row, back[head]), ("mean share of K", mean_share)),
        "The last column is the mean over the data sets of total correlation / K"
        + (f", without {', '.join(n for n in NOT_IN_MEAN if n in names)}" if set(NOT_IN_MEAN) & set(names) else "")
        + ".\n",
        table("Total correlation as the paper counts it (components may repeat each other)", rows, names,
              lambda row, name: text(mean(row, name, "raw_tcc"))),
        table("Accuracy of logistic regression on the test variates", rows, labelled,
              lambda row, name: text(mean(row, name, "accuracy"), 3)),
        table("Seconds of the whole program, one thread", [r for r in rows if r != LINEAR], names,
              lambda row, name: text(mean(row, name, "seconds"), 1)),
    ]
    return "\n".join(parts)


def main() -> int:
    here = Path(__file__).resolve().parent
    names = [name for name in datasets.list_datasets() if name != "sign_interaction"]  # it has one view
    standard = [name for name in names if name not in ONLY_WHEN_NAMED]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--settings", nargs="+", choices=SETTINGS, default=list(SETTINGS), metavar="NAME",
                        help=f"rows of the table: {'; '.join(SETTINGS)}")
    parser.add_argument("--data", nargs="+", choices=names, default=standard, metavar="NAME",
                        help=f"columns of the table; all but {', '.join(ONLY_WHEN_NAMED)} unless named")
    parser.add_argument("--seeds", nargs="+", type=int, default=[42, 0, 1])
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--treecca", help="the program to run")
    parser.add_argument("--cache", type=Path, default=here / "sweep_results.json")
    parser.add_argument("--out", type=Path, default=here.parent / "docs" / "defaults.md")
    parser.add_argument("--fresh", action="store_true", help="compute the named settings anew")
    options = parser.parse_args()
    try:
        program = find_program(options.treecca)
        cache = Cache(options.cache, {row: effective_parameters(program, SETTINGS[row]) for row in options.settings})
        rows = [LINEAR, *options.settings]
        tasks = [(row, name, SETTINGS.get(row, {}), seed)
                 for name in options.data for row in rows for seed in options.seeds]
        if options.fresh:
            for task in tasks:
                cache.forget(task)
        failures = run_all(program, tasks, cache, options.processes)
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(markdown(rows, options.data, options.seeds, cache))
    except (RunFailed, datasets.MissingDataError, ValueError) as reason:
        print(reason, file=sys.stderr)
        return 1
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
