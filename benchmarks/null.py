"""Independent views: what a fit reports where there is nothing to find.

    python -m benchmarks.null                        every cell with 100 data sets, about half an hour on two cores
    python -m benchmarks.null --repeats 10 --rows 60 100

A cell is a number of samples, of features per view and of groups. With groups, each view has effects of its own on
every group, so that samples of a group resemble each other. Reported are the mean out-of-fold correlation with its
standard error over the data sets, and in how many of them a component is found. Both should be near 0.
"""

from __future__ import annotations

import argparse
import warnings
from itertools import product

import numpy as np

from treecca import TreeCCA

from .records import measured_records, read_records

COMPONENTS = 3


def independent_views(rows: int, features: int, groups: int, seed: int) -> tuple[list[np.ndarray], np.ndarray | None]:
    rng = np.random.default_rng(9000 + seed)
    of_row = np.arange(rows) % groups if groups else None
    views = []
    for _ in range(2):
        view = rng.standard_normal((rows, features))
        if of_row is not None:
            view += rng.standard_normal((groups, features))[of_row]
        views.append(view)
    return views, of_row


def one_fit(cell: tuple[int, int, int, int]) -> dict:
    rows, features, groups, seed = cell
    views, of_row = independent_views(*cell)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # "no component exceeds its noise threshold": as it should be
        model = TreeCCA(COMPONENTS, random_state=seed, n_jobs=1).fit(views, groups=of_row)
    return {
        "rows": rows,
        "features": features,
        "groups": groups,
        "seed": seed,
        "correlations": [round(float(r), 5) for r in model.correlations_],
        "standard_errors": [round(float(e), 5) for e in model.standard_errors_],
        "found": int(model.found_.sum()),
        "linear_weight": model.linear_weight_,
    }


def table(records: list[dict]) -> str:
    cells: dict[tuple[int, int, int], list[dict]] = {}
    for record in records:
        cells.setdefault((record["rows"], record["features"], record["groups"]), []).append(record)
    lines = [
        "| samples | features | groups | data sets | mean correlation (standard error) | something found |",
        "|---|---|---|---|---|---|",
    ]
    for (rows, features, groups), own in sorted(cells.items()):
        means = np.array([np.mean(r["correlations"]) for r in own])
        error = means.std(ddof=1) / np.sqrt(len(means)) if len(means) > 1 else float("nan")
        found = sum(r["found"] > 0 for r in own)
        lines.append(
            f"| {rows:,} | {features} | {groups or ''} | {len(own)} | {means.mean():+.3f} ({error:.3f}) | {found} |"
        )
    found = sum(r["found"] > 0 for r in records)
    return "\n".join(lines) + f"\n\nfound in {found} of {len(records)} data sets ({found / len(records):.1%})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", nargs="+", type=int, default=[60, 100, 400, 1000])
    parser.add_argument("--features", nargs="+", type=int, default=[20, 500])
    parser.add_argument("--groups", nargs="+", type=int, default=[0, 10, 20], help="0: none")
    parser.add_argument("--repeats", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", metavar="FILE", help="write the records")
    parser.add_argument("--show", metavar="FILE", help="print the table of written records, measure nothing")
    arguments = parser.parse_args()
    if arguments.show:
        print(table(read_records(arguments.show)))
        return
    cells = [
        (*cell, seed)
        for cell in product(arguments.rows, arguments.features, arguments.groups)
        for seed in range(arguments.repeats)
    ]
    print(table(list(measured_records(one_fit, cells, arguments.workers, arguments.json, every=100))))


if __name__ == "__main__":
    main()
