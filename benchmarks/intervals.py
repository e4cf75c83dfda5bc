"""Coverage of the confidence intervals of correlations, and the suggested number of components.

    python -m benchmarks.intervals                       every cell with 200 data sets, an hour or more on one core
    python -m benchmarks.intervals --repeats 20 --cells signed_power_100 linear_100
    python -m benchmarks.intervals --suggest             the suggested number of components instead, 20 data sets each
    python -m benchmarks.intervals --show benchmarks/results/intervals.json

An interval should cover the correlation that the fitted model has on new samples: here, on 20,000 of them.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from itertools import product

import numpy as np

from treecca import TreeCCA, stability
from treecca.datasets import make_signed_power

from .records import read_records, write_records

NEW_SAMPLES = 20_000
GROUP_SIZE = 5

Views = list[np.ndarray]
Draw = Callable[[np.random.Generator, int], tuple[Views, np.ndarray | None]]


def signed_power(rng: np.random.Generator, n: int) -> tuple[Views, None]:
    return list(make_signed_power(n, test_size=0, random_state=rng).views), None


def one_pair(correlation: float, transform: Callable[[np.ndarray], np.ndarray], features: int = 10) -> Draw:
    """The first features of two views of normal noise are related: a function of one with noise."""

    def draw(rng: np.random.Generator, n: int) -> tuple[Views, None]:
        X, Y = rng.standard_normal((2, n, features))
        Y[:, 0] = correlation * transform(X[:, 0]) + np.sqrt(1 - correlation**2) * Y[:, 0]
        return [X, Y], None

    return draw


def grouped(rng: np.random.Generator, n: int) -> tuple[Views, np.ndarray]:
    """Samples of a group share half of the variance of every feature; one pair of features follows a group effect."""
    groups = np.arange(n) // GROUP_SIZE
    count = groups[-1] + 1
    shared = rng.standard_normal(count)[groups]
    views = []
    for _ in range(2):
        view = np.sqrt(0.5) * (rng.standard_normal((count, 10))[groups] + rng.standard_normal((n, 10)))
        view[:, 0] = np.sqrt(0.6) * shared + np.sqrt(0.4) * view[:, 0]
        views.append(view)
    return views, groups


def square(x: np.ndarray) -> np.ndarray:
    return (x**2 - 1) / np.sqrt(2)


DRAWS: dict[str, tuple[Draw, int]] = {  # and the number of components
    "signed_power": (signed_power, 3),
    "linear": (one_pair(0.4, lambda x: x), 1),
    "square": (one_pair(0.6, square), 1),
    "independent": (one_pair(0.0, lambda x: x), 1),
    "grouped": (grouped, 1),
}
CELLS = [
    ("signed_power", 100),
    ("signed_power", 300),
    ("linear", 100),
    ("linear", 300),
    ("square", 300),
    ("independent", 100),
    ("grouped", 200),
    ("signed_power", 1000),
    ("linear", 1000),
]
SUGGEST = [("signed_power", 100, 3), ("signed_power", 300, 3), ("linear", 300, 1), ("independent", 100, 0)]


def one_interval(task: tuple[str, int, int]) -> list[dict]:
    name, n, seed = task
    draw, k = DRAWS[name]
    rng = np.random.default_rng([4000, n, seed])
    views, groups = draw(rng, n)
    new, _ = draw(rng, NEW_SAMPLES)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        model = TreeCCA(k, random_state=seed, n_jobs=1).fit(views, groups=groups)
        variates = model.transform(new)
    return [
        {
            "cell": name,
            "n": n,
            "seed": seed,
            "component": c + 1,
            "correlation": round(float(model.correlations_[c]), 5),
            "standard_error": round(float(model.standard_errors_[c]), 5),
            "low": round(float(model.correlation_intervals_[c, 0]), 5),
            "high": round(float(model.correlation_intervals_[c, 1]), 5),
            "new": round(float(np.corrcoef(variates[0][:, c], variates[1][:, c])[0, 1]), 5),
            "linear_weight": model.linear_weight_,
        }
        for c in range(k)
    ]


def one_suggestion(task: tuple[str, int, int, int]) -> list[dict]:
    """Two components more than there are."""
    name, n, true, seed = task
    views, groups = DRAWS[name][0](np.random.default_rng([5000, n, seed]), n)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        model = TreeCCA(true + 2, random_state=seed, n_jobs=1).fit(views, groups=groups)
        result = stability(model, views, groups=groups, n_subsamples=10, n_seeds=0)
    return [
        {
            "cell": name,
            "n": n,
            "seed": seed,
            "true": true,
            "found": int(model.found_.sum()),
            "suggested": result.suggested_n_components,
            "recovered": [round(float(r), 3) for r in result.recovered],
        }
    ]


def cells_of(records: list[dict]) -> dict[tuple[str, int], list[dict]]:
    cells: dict[tuple[str, int], list[dict]] = {}
    for record in records:
        cells.setdefault((record["cell"], record["n"]), []).append(record)
    return cells


def coverage_table(records: list[dict]) -> str:
    lines = [
        "| data | samples | component | data sets | out-of-fold | new samples | coverage | mean length | "
        "two standard errors cover |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for (name, n), of_cell in cells_of(records).items():
        components = sorted({record["component"] for record in of_cell})
        for component in [*components, 0] if len(components) > 1 else components:
            own = [record for record in of_cell if component in (0, record["component"])]
            r, error, low, high, new = (
                np.array([record[column] for record in own])
                for column in ("correlation", "standard_error", "low", "high", "new")
            )
            lines.append(
                f"| {name} | {n} | {component or 'all'} | {len({record['seed'] for record in own})} | {r.mean():.3f} "
                f"| {new.mean():.3f} | {np.mean((low <= new) & (new <= high)):.1%} | {np.mean(high - low):.2f} "
                f"| {np.mean(np.abs(r - new) <= 2 * error):.1%} |"
            )
    return "\n".join(lines)


def suggestion_table(records: list[dict]) -> str:
    lines = [
        "| data | samples | asked for | true | data sets | above noise | suggested | recovered: true ones | others |",
        "|---|---|---|---|---|---|---|---|---|",
    ]

    def counts(values: list[int]) -> str:
        return ", ".join(f"{values.count(value)} x {value}" for value in sorted(set(values)))

    for (name, n), own in cells_of(records).items():
        true = own[0]["true"]
        recovered = np.array([record["recovered"] for record in own])
        first = f"{recovered[:, :true].mean():.2f}" if true else ""
        lines.append(
            f"| {name} | {n} | {true + 2} | {true} | {len(own)} | {counts([record['found'] for record in own])} "
            f"| {counts([record['suggested'] for record in own])} | {first} | {recovered[:, true:].mean():.2f} |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", nargs="+", metavar="DATA_SAMPLES", help="such as signed_power_100")
    parser.add_argument("--repeats", type=int, help="data sets per cell [200, or 20 with --suggest]")
    parser.add_argument("--suggest", action="store_true")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--json", metavar="FILE", help="write the records")
    parser.add_argument("--show", metavar="FILE", help="print the tables of written records, measure nothing")
    arguments = parser.parse_args()

    def show(records: list[dict]) -> None:
        print(suggestion_table(records) if "suggested" in records[0] else coverage_table(records), flush=True)

    if arguments.show:
        show(read_records(arguments.show))
        return
    repeats = arguments.repeats or (20 if arguments.suggest else 200)
    cells = SUGGEST if arguments.suggest else CELLS
    if arguments.cells:
        cells = [cell for cell in cells if f"{cell[0]}_{cell[1]}" in arguments.cells]
        if not cells:
            parser.error("no cell has one of these names")
    records: list[dict] = []
    work = one_suggestion if arguments.suggest else one_interval
    tasks = [(*cell, seed) for cell, seed in product(cells, range(repeats))]
    with ProcessPoolExecutor(arguments.workers) as pool:
        for done, more in enumerate(pool.map(work, tasks, chunksize=4), 1):
            records.extend(more)
            if arguments.json and done % repeats == 0:
                write_records(arguments.json, records)
                show(records)
    if arguments.json:
        write_records(arguments.json, records)
    show(records)


if __name__ == "__main__":
    main()
