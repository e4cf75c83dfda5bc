"""Seconds per boosting round, compared with cca-zoo's XGBoostCCA and LightGBMCCA; peak memory of a large fit.

    python -m benchmarks.speed [--treecca PATH] [--sizes 2400x8x3 ...] [--repeats 3] [--json speed.json]

All packages are timed alternately in one run, with the same trees: depth 5, subsample 0.8, colsample 0.8,
min_child_weight 20, learning rate 0.1, Jacobi schedule, all processors. The cost of a round is (time of many rounds -
time of few rounds) / difference, which excludes reading and binning; the minimum of the repeats counts. "scalar" (one
tree per component and view, Eckart-Young gradient) is the method of the other packages; "joint" is the default.
Packages that are not installed are omitted.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treecca.datasets import MultiviewDataset, make_signed_power

from .records import write_records
from .runner import RunFailed, Workspace, find_program


@dataclass(frozen=True)
class Size:
    n: int
    p: int
    k: int

    @classmethod
    def parse(cls, text: str) -> Size:
        n, p, k = (int(part) for part in text.lower().split("x"))
        return cls(n, p, k)

    def rounds(self) -> tuple[int, int]:
        """Return (few, many) for the difference: more rounds if a round is cheap."""
        work = self.n * self.p * self.k
        return (10, 110) if work < 1e6 else (5, 25) if work < 2e7 else (2, 7)

    def data(self) -> MultiviewDataset:
        return make_signed_power(
            self.n, n_components=self.k, n_noise_features=self.p - self.k, test_size=0, random_state=0
        )


STANDARD_SIZES = ("2400x8x3", "20000x50x5", "50000x392x10", "500000x20x5")
TREES = {"max_depth": 5, "subsample": 0.8, "colsample_bytree": 0.8, "min_child_weight": 20, "learning_rate": 0.1}
OURS = {
    "treecca scalar": {"objective": "ey", "trees": "scalar", "schedule": "jacobi"},
    "treecca joint": {"objective": "whitened", "trees": "joint", "schedule": "jacobi"},
}
ROUND_STAGES = ("moments", "targets", "grow", "update", "curves")  # the stages of a fit that belong to its rounds

Timer = Callable[[int], float]  # rounds -> seconds of a fit


def peer_timers(data: MultiviewDataset) -> dict[str, Timer]:
    """Return a timer for every other package that is installed. They use all processors by default."""
    try:
        from cca_zoo import tree
    except ImportError as reason:
        print(f"cca-zoo's tree models are omitted: {reason}", file=sys.stderr)
        return {}
    views = [v.astype(np.float64) for v in data.views]

    def timer(kind) -> Timer:
        def seconds(rounds: int) -> float:
            model = kind(n_components=data.k, n_estimators=rounds, gauss_seidel=False, random_state=0, **TREES)
            start = time.perf_counter()
            model.fit(views)
            return time.perf_counter() - start

        return seconds

    return {name: timer(getattr(tree, name)) for name in ("XGBoostCCA", "LightGBMCCA")}


def our_timers(workspace: Workspace, stages: dict) -> dict[str, Timer]:
    """Return timers of TreeCCA; `stages` receives the stage timings of its latest run by name."""

    def timer(name: str, settings: dict) -> Timer:
        def seconds(rounds: int) -> float:
            texts = {key: str(value) for key, value in {**TREES, **settings}.items()}
            fit = workspace.fit({**texts, "cross_fit": "0", "n_estimators": str(rounds)}, seed=0)
            stages[name] = {**fit.timings, "peak_mb": fit.peak_mb}
            return sum(stages[name].get(stage, 0.0) for stage in ROUND_STAGES)

        return seconds

    return {name: timer(name, settings) for name, settings in OURS.items()}


def seconds_per_round(timers: dict[str, Timer], size: Size, repeats: int) -> dict[str, float]:
    few, many = size.rounds()
    best = {name: {few: np.inf, many: np.inf} for name in timers}
    for _ in range(repeats):
        for name, seconds in timers.items():  # alternately, so that other load affects all
            for rounds in (few, many):
                best[name][rounds] = min(best[name][rounds], seconds(rounds))
    return {name: (b[many] - b[few]) / (many - few) for name, b in best.items()}


def measure(program: str, size: Size, repeats: int, with_peers: bool) -> dict:
    data = size.data()
    stages: dict = {}
    with Workspace(program, data) as workspace:
        timers = (peer_timers(data) if with_peers else {}) | our_timers(workspace, stages)
        per_round = seconds_per_round(timers, size, repeats)
    row = {
        "n": size.n,
        "p": size.p,
        "k": size.k,
        "rounds": size.rounds(),
        "seconds_per_round": per_round,
        "stages": stages,
    }
    fastest = min((s for name, s in per_round.items() if name not in OURS), default=None)
    if fastest is not None:
        row["times_faster"] = {name: fastest / per_round[name] for name in OURS}
    return row


def busy_warning() -> str | None:
    """Return a warning if other processes use the processors: threads then wait for each other."""
    load = os.getloadavg()[0]
    if load < 0.5:
        return None
    return f"The load was {load:.1f} on {os.cpu_count()} processors before the start: these times are not reliable."


def markdown(rows: list[dict]) -> str:
    names = list(rows[0]["seconds_per_round"])
    lines = [
        "Seconds per round (in brackets: the faster of the other packages divided by TreeCCA):",
        "",
        "| N, p, K | " + " | ".join(names) + " |",
        "|---" * (len(names) + 1) + "|",
    ]
    for row in rows:
        cells = []
        for name in names:
            ratio = row.get("times_faster", {}).get(name)
            cells.append(f"{row['seconds_per_round'][name]:.4f}" + (f" ({ratio:.1f}x)" if ratio else ""))
        lines.append(f"| {row['n']:,}, {row['p']}, {row['k']} | " + " | ".join(cells) + " |")
    lines += [
        "",
        "Peak memory of the CLI, including reading the data (MB):",
        "",
        "| N, p, K | " + " | ".join(OURS) + " |",
        "|---" * (len(OURS) + 1) + "|",
    ]
    for row in rows:
        cells = [f"{row['stages'][name]['peak_mb']:.0f}" for name in OURS]
        lines.append(f"| {row['n']:,}, {row['p']} x 2, {row['k']} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--treecca", help="path of the CLI")
    parser.add_argument("--sizes", nargs="+", default=STANDARD_SIZES, metavar="NxPxK")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--no-peers", action="store_true", help="time TreeCCA only")
    parser.add_argument("--json", metavar="FILE", help="write all times to this file")
    options = parser.parse_args()
    try:
        program = find_program(options.treecca)
        warning = busy_warning()
        rows = []
        for text in options.sizes:
            rows.append(measure(program, Size.parse(text), options.repeats, not options.no_peers))
            print(f"{text}: {rows[-1]['seconds_per_round']}", file=sys.stderr, flush=True)
    except RunFailed as reason:
        print(reason, file=sys.stderr)
        return 1
    print(f"{os.cpu_count()} processors, {platform.machine()}, repeats {options.repeats}. {warning or ''}\n")
    print(markdown(rows))
    if options.json:
        write_records(options.json, ({"processors": os.cpu_count(), "warning": warning, **row} for row in rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
