"""The command: `python -m benchmarks.paper`, in the root of the checkout."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from . import experiments
from .cache import Cache
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
    parser.add_argument(
        "--out",
        type=Path,
        help="the page (default: docs/paper.md once every figure is there, and page/partial.md in the folder of the "
        "results until then; page/quick.md with --quick)",
    )
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
    left = still_to_run(scale, cache)
    out = options.out or _page(options.cache / "page", scale, complete=not left)
    write_page(out, scale, Results(cache))
    print(f"Written: {out}")
    if left and not options.quick:
        print(f"{len(left)} of its fits have no result (--list tells of which experiments).")
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


def still_to_run(scale: Scale, cache: Cache) -> list[Unit]:
    """What the whole page lacks. Data that nobody can get are no lack: the page says that they are absent."""
    wanted = {unit.key: unit for experiment in experiments.all_experiments() for unit in experiment.units(scale)}
    return [unit for unit in wanted.values() if unit.arguments["data"] != ABSENT and not cache.is_done(unit)]


def _page(folder: Path, scale: Scale, complete: bool) -> Path:
    """Where the page goes: no run replaces the committed page by one with fewer figures."""
    if scale.quick:
        return folder / "quick.md"
    return PAGE if complete and scale.seeds == PAPER_SEEDS else folder / "partial.md"


if __name__ == "__main__":
    sys.exit(main())
