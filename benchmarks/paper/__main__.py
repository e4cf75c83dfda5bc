"""The command `python -m benchmarks.paper`, run in the root of the checkout."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from . import experiments
from .experiments.multiview import ABSENT
from .report import write_page
from .results import Results
from .run import run
from .scale import PAPER_SEEDS, QUICK_SEEDS, Scale
from .unit import Unit

_ROOT = Path(__file__).resolve().parents[2]
PAGE = _ROOT / "docs" / "paper.md"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.paper",
        description=(
            "Run the experiments of the TreeCCA paper and write the page with all tables and figures. Results are "
            "kept: an interrupted run resumes where it stopped."
        ),
    )
    parser.add_argument("--only", nargs="+", metavar="NAME", help="run only these experiments (see --list)")
    parser.add_argument("--list", action="store_true", help="list the experiments and how many fits are left to run")
    parser.add_argument("--quick", action="store_true", help="small data, few rounds: takes minutes, to test the code")
    parser.add_argument("--seeds", nargs="+", type=int, help=f"default: {' '.join(map(str, PAPER_SEEDS))}")
    parser.add_argument(
        "--out",
        type=Path,
        help="the page (default: docs/paper.md if all results are there, otherwise page/partial.md in the folder of "
        "the results; page/quick.md with --quick)",
    )
    parser.add_argument(
        "--cache", type=Path, default=_ROOT / "build" / "paper", help="folder of the results; delete it to start again"
    )
    options = parser.parse_args(arguments)

    scale = Scale(options.quick, tuple(options.seeds or (QUICK_SEEDS if options.quick else PAPER_SEEDS)))
    results = Results(options.cache)
    try:
        chosen = experiments.named(options.only)
    except ValueError as reason:
        print(reason, file=sys.stderr)
        return 2
    if options.list:
        for experiment in chosen:
            own = {unit.key: unit for unit in experiment.units(scale)}.values()
            left = [unit for unit in own if not results.is_done(unit)]
            minutes = sum(unit.seconds for unit in left) / 60
            print(f"{experiment.NAME:16} {experiment.TITLE} ({len(left)} of {len(own)} fits to run, {minutes:.0f} min)")
        return 0
    units = [unit for experiment in chosen for unit in experiment.units(scale)]
    try:
        # On the few samples of a quick run, synchronising threads costs more than they save.
        failures = run(units, results, threads=1 if options.quick else None)
    except KeyboardInterrupt:
        print("\nInterrupted. Finished fits are kept: the same command resumes.", file=sys.stderr)
        return 130
    # The page always has every experiment, including those of earlier runs.
    left = still_to_run(scale, results)
    out = options.out or _page(options.cache / "page", scale, complete=not left)
    write_page(out, scale, results)
    print(f"Written: {out}")
    if left and not options.quick:
        print(f"{len(left)} of its fits have no result (--list shows which experiments need them).")
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


def still_to_run(scale: Scale, results: Results) -> list[Unit]:
    """Return the units that the whole page lacks. A data set that nobody can get is not counted."""
    wanted = {unit.key: unit for experiment in experiments.all_experiments() for unit in experiment.units(scale)}
    return [unit for unit in wanted.values() if unit.arguments["data"] != ABSENT and not results.is_done(unit)]


def _page(folder: Path, scale: Scale, complete: bool) -> Path:
    """Return where the page goes: an incomplete page never replaces the committed one."""
    if scale.quick:
        return folder / "quick.md"
    return PAGE if complete and scale.seeds == PAPER_SEEDS else folder / "partial.md"


if __name__ == "__main__":
    sys.exit(main())
