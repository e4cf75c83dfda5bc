"""How many samples a relation needs: linear and nonlinear relations of known strength, default settings.

    python -m benchmarks.sample_size --json benchmarks/results/sample_size.json    20 minutes of one core
    python -m benchmarks.sample_size --samples 30 100 --repeats 5
    python -m benchmarks.sample_size --show benchmarks/results/sample_size.json
    python -m benchmarks.sample_size --show benchmarks/results/sample_size.json --plot docs/guide/sample-size.png

Two views of p features of normal noise. One feature of the second view follows one of the first (or its square), so the
strength of the relation is known. Every fit asks for one component and is tried on 5,000 new samples.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from itertools import product

import numpy as np

from treecca import TreeCCA

from .intervals import one_pair, square
from .records import measured_records, read_records, write_records

RELATIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {"linear": lambda x: x, "square": square}
STRENGTHS = (0.5, 0.8)
FEATURES = (10, 100)
SAMPLES = (30, 60, 100, 200, 500, 1000)
NEW_SAMPLES = 5000

Task = tuple[str, float, int, int, int]  # relation, strength, features, samples, seed


def tasks_of(samples: list[int], repeats: int) -> list[Task]:
    """All cells, and views without a relation ("none"); few samples first."""
    kinds = [*product(RELATIONS, STRENGTHS), ("none", 0.0)]
    return [
        (relation, strength, p, n, seed)
        for n in samples
        for (relation, strength), p in product(kinds, FEATURES)
        for seed in range(repeats)
    ]


def measured(task: Task) -> dict:
    relation, strength, p, n, seed = task
    draw = one_pair(strength, RELATIONS.get(relation, square), p)
    rng = np.random.default_rng([6000, p, n, seed])
    views, _ = draw(rng, n)
    new, _ = draw(rng, NEW_SAMPLES)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # few samples: that is what is measured
        model = TreeCCA(1, random_state=seed, n_jobs=1).fit(views)
        variates = model.transform(new)
    on_new = np.corrcoef(variates[0][:, 0], variates[1][:, 0])[0, 1]
    return {
        "relation": relation,
        "strength": strength,
        "p": p,
        "n": n,
        "seed": seed,
        "above_noise": bool(model.found_[0]),
        "out_of_fold": round(float(model.correlations_[0]), 3),
        "linear": round(float(model.linear_correlations_[0]), 3),
        "new": round(float(np.nan_to_num(on_new)), 3),
    }


Cell = tuple[str, float, int, int]  # relation, strength, features, samples


def cells_of(records: list[dict]) -> dict[Cell, list[dict]]:
    cells: dict[Cell, list[dict]] = {}
    for record in records:
        cells.setdefault((record["relation"], record["strength"], record["p"], record["n"]), []).append(record)
    return cells


def mean(records: list[dict], column: str) -> float:
    return float(np.mean([record[column] for record in records]))


def table(records: list[dict]) -> str:
    """One row per relation, strength and number of features; a cell: above noise; out-of-fold, new samples."""
    cells = cells_of(records)
    samples = sorted({record["n"] for record in records})
    lines = [
        "| relation | correlation | features per view | " + " | ".join(f"{n:,} samples" for n in samples) + " |",
        "|---" * (3 + len(samples)) + "|",
    ]
    for relation, strength, p in dict.fromkeys(cell[:3] for cell in cells):
        row = [relation, f"{strength:g}", str(p)]
        for n in samples:
            own = cells.get((relation, strength, p, n))
            row.append(
                f"{mean(own, 'above_noise'):.0%}; {mean(own, 'out_of_fold'):.2f}, {mean(own, 'new'):.2f}" if own else ""
            )
        lines.append("| " + " | ".join(row) + " |")
    return "\n".join(lines)


def plot(records: list[dict], path: str) -> None:
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    cells = cells_of(records)
    samples = sorted({record["n"] for record in records})
    figure, axes = plt.subplots(1, 2, figsize=(9, 4.3), sharey=True, constrained_layout=True)
    for axis, relation in zip(axes, RELATIONS, strict=True):
        for colour, strength in zip(("tab:orange", "tab:blue"), STRENGTHS, strict=True):
            for style, p in zip(("-", "--"), FEATURES, strict=True):
                values = [100 * mean(cells[relation, strength, p, n], "above_noise") for n in samples]
                axis.plot(samples, values, style, color=colour, marker="o", ms=4, label=f"{strength:g}, {p} features")
        axis.set(title=f"{relation} relation", xscale="log", xlabel="samples", ylim=(-3, 103))
        axis.set_xticks(samples, [f"{n:,}" for n in samples])
        axis.minorticks_off()
        axis.grid(alpha=0.3)
    axes[0].set_ylabel("component above noise (% of data sets)")
    handles, labels = axes[1].get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="outside lower center", ncols=2, fontsize=8, title="correlation, features per view"
    )
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", nargs="+", type=int, choices=SAMPLES, default=list(SAMPLES))
    parser.add_argument("--repeats", type=int, default=20, help="data sets per cell [20]")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--json", metavar="FILE", help="write the records")
    parser.add_argument("--show", metavar="FILE", help="use written records, measure nothing")
    parser.add_argument("--plot", metavar="FILE", help="write a plot of the fractions above noise")
    arguments = parser.parse_args()
    if arguments.show:
        records = read_records(arguments.show)
        if arguments.json:
            write_records(arguments.json, records)
    else:
        tasks = tasks_of(arguments.samples, arguments.repeats)
        records = []
        for record in measured_records(measured, tasks, arguments.workers, arguments.json, every=200):
            if records and record["n"] != records[-1]["n"]:
                print(table(records), flush=True)
            records.append(record)
    print(table(records))
    if arguments.plot:
        plot(records, arguments.plot)


if __name__ == "__main__":
    main()
