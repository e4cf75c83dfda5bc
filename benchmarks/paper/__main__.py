"""The command: `python -m benchmarks.paper`, in the root of the checkout."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from . import experiments
from .cache import Cache
from .report import write_page
from .results import Results
from .run import run
from .scale import PAPER_SEEDS, QUICK_SEEDS, Scale

_ROOT = Path(__file__).resolve().parents[2]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.paper",
        description=(
            "Runs the experiments of the TreeCCA paper and writes the page with all tables and figures. Results are "
            "kept: a run that was interrupted goes on where it stopped."
        ),
    )
    parser.add_argument("--only", nargs="+", metavar="NAME", help="run these experiments alone (see --list)")
    parser.add_argument("--list", action="store_true", help="list the experiments and what is still to be run")
    parser.add_argument("--quick", action="store_true", help="small data, few rounds: minutes, to see that all works")
    parser.add_argument("--seeds", nargs="+", type=int, help=f"default: {' '.join(map(str, PAPER_SEEDS))}")
    parser.add_argument(
        "--cached", action="store_true", help="run nothing; write the page from the results that are there"
    )
    parser.add_argument("--fresh", action="store_true", help="run again what is there already")
    parser.add_argument("--out", type=Path, help="the page (default: docs/paper.md; quick: build/paper/page/quick.md)")
    parser.add_argument("--cache", type=Path, default=_ROOT / "build" / "paper", help="folder of the results")
    options = parser.parse_args(arguments)

    scale = Scale(options.quick, tuple(options.seeds or (QUICK_SEEDS if options.quick else PAPER_SEEDS)))
    cache = Cache(options.cache / ("quick" if options.quick else "full"))
    try:
        chosen = experiments.named(options.only)
    except ValueError as reason:
        print(reason, file=sys.stderr)
        return 2
    units = [unit for experiment in chosen for unit in experiment.units(scale)]
    if options.list:
        for experiment in chosen:
            own = {unit.key: unit for unit in experiment.units(scale)}.values()
            left = [unit for unit in own if not cache.is_done(unit)]
            minutes = sum(unit.seconds for unit in left) / 60
            print(f"{experiment.NAME:16} {experiment.TITLE} ({len(left)} of {len(own)} fits to run, {minutes:.0f} min)")
        return 0
    failures = []
    if not options.cached:
        try:
            failures = run(units, cache, fresh=options.fresh)
        except KeyboardInterrupt:
            print("\nStopped. What is done is kept: the same command goes on from here.", file=sys.stderr)
            return 130
    # The page always has every experiment, also those of earlier runs.
    out = options.out or (options.cache / "page" / "quick.md" if options.quick else _ROOT / "docs" / "paper.md")
    write_page(out, scale, Results(cache))
    print(f"Written: {out}")
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
