"""Permutation test: error rates where there is nothing to find, and power where there is something.

    python -m benchmarks.permutation null                 independent views: p-values must not be too small
    python -m benchmarks.permutation second               one true component: nor that of the second one
    python -m benchmarks.permutation power                compared with the permutation test of linear CCA
    python -m benchmarks.permutation full --rows 100 --features 5 --data-sets 100 --permutations 19
                                                          compared with whole fits in place of the smaller ones
    python -m benchmarks.permutation null --rows 60 --features 20 --json benchmarks/results/permutation.json
    python -m benchmarks.permutation show --json benchmarks/results/permutation.json

With --json, the cells that were run replace those of the file, and "show" prints its tables. A p-value is valid if
P(p <= a) <= a for every a. Reported is the largest excess of the observed over the uniform distribution function with
its one-sided Kolmogorov-Smirnov p-value, and how often p <= 0.05.
"""

from __future__ import annotations

import argparse
import warnings
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
from scipy.stats import kstest

from treecca import TreeCCA, permutation_test

from .null import independent_views
from .records import read_records, write_records

COMPONENTS = 2
RELATIONS = ("linear", "widespread", "square", "product")
CELL = ("case", "relation", "rows", "features", "groups")
VIEWS = {"null": "independent", "second": "one component in common"}


def p_values(views, groups, permutations: int, seed: int, **parameters) -> np.ndarray:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        model = TreeCCA(COMPONENTS, n_jobs=1, **parameters)
        return permutation_test(model, views, groups=groups, n_permutations=permutations, random_state=seed).p_values


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


def p_of_whole_fits(views, permutations: int, seed: int) -> float:
    rng = np.random.default_rng(90_000 + seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        rows = len(views[1])
        orders = [np.arange(rows), *(rng.permutation(rows) for _ in range(permutations))]
        highest = np.array(
            [
                TreeCCA(COMPONENTS, n_jobs=1, random_state=seed).fit([views[0], views[1][order]]).correlations_.max()
                for order in orders
            ]
        )
    return float(np.mean(highest >= highest[0]))


def one_data_set(cell: dict, permutations: int, seed: int) -> list[float]:
    """null, second: p of every component. power: p of component 1 by TreeCCA, and by linear CCA. full: by the test,
    and by whole fits."""
    case, rows, features, groups = (cell[key] for key in ("case", "rows", "features", "groups"))
    if case in ("power", "full"):
        views = related(cell["relation"], rows, features, seed)
        first = p_values(views, None, permutations, seed)[0]
        if case == "full":
            return [first, p_of_whole_fits(views, permutations, seed)]
        return [first, p_values(views, None, permutations, seed, linear=1)[0]]
    views, of_row = independent_views(rows, features, groups, seed)
    if case == "second":  # a latent with two values: every function of it is linear in it
        latent = np.random.default_rng(70_000 + seed).integers(0, 2, rows if of_row is None else groups)
        for view in views:
            view[:, 0] += 4 * (latent if of_row is None else latent[of_row])
    return list(p_values(views, of_row, permutations, seed))


def cells_of(case: str, arguments: argparse.Namespace) -> list[dict]:
    relations = RELATIONS if case in ("power", "full") else (None,)
    groups = (0,) if case in ("power", "full") else arguments.groups
    every = product((case,), relations, arguments.rows, arguments.features, groups)
    return [dict(zip(CELL, values, strict=True)) for values in every]


def excess(p: np.ndarray) -> str:
    # On a grid of values, the uniform distribution function is right at the values themselves.
    test = kstest(p, "uniform", alternative="greater")
    return f"{test.statistic:.3f} ({test.pvalue:.2f})"


def error_table(records: list[dict]) -> str:
    lines = [
        "| tables | samples | features | groups | component | data sets | p <= 0.05 | largest excess (p) |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for record in records:
        if record["case"] not in VIEWS:
            continue
        component = 0 if record["case"] == "null" else 1
        p = np.array(record["p"])[:, component]
        lines.append(
            f"| {VIEWS[record['case']]} | {record['rows']} | {record['features']} | {record['groups'] or ''} "
            f"| {component + 1} | {len(p)} | {np.mean(p <= 0.05):.1%} | {excess(p)} |"
        )
    return "\n".join(lines)


def power_table(records: list[dict], case: str) -> str:
    other = {"power": "linear CCA", "full": "whole fits"}[case]
    lines = [f"| relation | samples | features | data sets | TreeCCA | {other} |", "|---|---|---|---|---|---|"]
    for record in records:
        if record["case"] != case:
            continue
        share = np.mean(np.array(record["p"]) <= 0.05, axis=0)
        lines.append(
            f"| {record['relation']} | {record['rows']} | {record['features']} | {len(record['p'])} "
            f"| {share[0]:.0%} | {share[1]:.0%} |"
        )
    return "\n".join(lines)


def tables(records: list[dict]) -> list[str]:
    cases = {record["case"] for record in records}
    shown = [error_table(records)] if cases & set(VIEWS) else []
    return shown + [power_table(records, case) for case in ("power", "full") if case in cases]


def read(path: str | None) -> dict[tuple, dict]:
    if path is None or not Path(path).exists():
        return {}
    records = read_records(path)
    return {tuple(record[key] for key in CELL): record for record in records}


def in_order(records: dict[tuple, dict]) -> list[dict]:
    def key(cell: tuple) -> tuple:
        case, relation, *numbers = cell
        order = ("null", "second", "power", "full")
        return (order.index(case), RELATIONS.index(relation) if relation else -1, *numbers)

    return [records[cell] for cell in sorted(records, key=key)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="+", choices=["null", "second", "power", "full", "show"])
    parser.add_argument("--rows", nargs="+", type=int, default=[60, 300])
    parser.add_argument("--features", nargs="+", type=int, default=[20, 500])
    parser.add_argument("--groups", nargs="+", type=int, default=[0, 20], help="0: none")
    parser.add_argument("--data-sets", type=int, default=200)
    parser.add_argument("--permutations", type=int, default=39)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", metavar="FILE")
    arguments = parser.parse_args()
    records = read(arguments.json)
    with ProcessPoolExecutor(arguments.workers) as pool:
        for case in arguments.cases:
            for cell in [] if case == "show" else cells_of(case, arguments):
                one = partial(one_data_set, cell, arguments.permutations)
                found = pool.map(one, range(arguments.data_sets), chunksize=2)
                p = [[round(float(value), 4) for value in row] for row in found]
                record = {**cell, "permutations": arguments.permutations, "p": p}
                # Other runs may have written to the file.
                records = {**records, **read(arguments.json), tuple(cell.values()): record}
                print("\n\n".join(tables([record])), flush=True)
                if arguments.json:
                    write_records(arguments.json, in_order(records))
    if "show" in arguments.cases:
        print("\n\n".join(tables(in_order(records))))


if __name__ == "__main__":
    main()
