"""Speed compared with LightGBM, XGBoost and cca-zoo: ratios of times taken in one run.

    python -m benchmarks.speed --json benchmarks/results/speed.json          every part, about an hour on two cores
    python -m benchmarks.speed trees binning --sizes 2400x8x3 --repeats 3
    python -m benchmarks.speed trees --kernels avx2 --threads 1
    python -m benchmarks.speed --show benchmarks/results/speed.json

Parts: trees, joint (training loops alone), fits (whole fits), binning, transform, kernels, growth (with samples,
features and components), large (1,000,000 x 100 x 2). Programs take turns; the median of the repeats counts. Run
nothing else meanwhile: the load before the run is in the result.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator

from ..records import read_records, write_records
from ..runner import RunFailed, find_program
from ..tables import speed_tables
from . import fits, other, trees
from .common import SCALAR_SIZES, Options, Size, machine

PARTS: dict[str, Callable[[Options], Iterator[dict]]] = {
    "trees": trees.measure,
    "joint": trees.measure_joint,
    "binning": other.measure_binning,
    "transform": other.measure_transform,
    "kernels": other.measure_kernels,
    "fits": fits.measure,
    "growth": fits.measure_growth,
    "large": fits.measure_large,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="all, if none is named")
    parser.add_argument("--sizes", nargs="+", default=SCALAR_SIZES, metavar="NxPxK")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--budget", type=float, default=120, help="no repeat of a case begins after so many seconds")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--kernels", choices=["baseline", "avx2", "avx512"], help="instruction set of TreeCCA")
    parser.add_argument("--treecca", help="path of the CLI")
    parser.add_argument("--json", metavar="FILE", help="write the records")
    parser.add_argument("--show", metavar="FILE", help="print the tables of written records, measure nothing")
    arguments = parser.parse_args()
    if arguments.show:
        print(speed_tables(read_records(arguments.show)))
        return 0
    if arguments.kernels:
        os.environ["TREECCA_KERNELS"] = arguments.kernels
    records = [machine(arguments.threads)]
    try:
        options = Options(
            sizes=tuple(map(Size.parse, arguments.sizes)),
            repeats=arguments.repeats,
            threads=arguments.threads,
            program=find_program(arguments.treecca),
            budget=arguments.budget,
        )
        for part in arguments.parts or PARTS:
            for one in PARTS[part](options):
                records.append(one)
                print({key: value for key, value in one.items() if key != "all"}, file=sys.stderr, flush=True)
                if arguments.json:
                    write_records(arguments.json, records)
    except RunFailed as reason:
        print(reason, file=sys.stderr)
        return 1
    except ImportError as reason:
        print(f"{reason}. Install the packages of benchmarks/requirements.txt.", file=sys.stderr)
        return 1
    print(speed_tables(records))
    return 0


if __name__ == "__main__":
    sys.exit(main())
