"""One fit over 1, 2 and 4 worker processes of one machine: seconds per round, and differences between the models.

    python -m benchmarks.scale --rows 200000 --features 50 --components 5

Workers are processes that call `treecca.distributed.fit_shard`, each with one thread. On a machine with fewer cores
than workers, the times show the cost of communication, not the gain by more machines.
"""

import argparse
import multiprocessing
import time

import numpy as np

from .records import write_records

SEED = 0


def make_views(rows: int, features: int, components: int) -> list[np.ndarray]:
    rng = np.random.default_rng(SEED)
    latent = rng.normal(size=(rows, components)).astype(np.float32)
    views = []
    for shape in (lambda z: z, lambda z: z**2 - 1):
        view = rng.normal(size=(rows, features)).astype(np.float32)
        view[:, :components] = shape(latent) + 0.3 * view[:, :components]
        views.append(view)
    return views


def estimator(arguments: argparse.Namespace):
    from treecca import TreeCCA

    return TreeCCA(
        arguments.components,
        n_estimators=arguments.rounds,
        engine=arguments.engine,
        trees=arguments.trees,
        random_state=SEED,
        n_jobs=1,
    )


def work(arguments: argparse.Namespace, config: dict, rank: int, workers: int, results) -> None:
    from treecca.distributed import fit_shard

    views = make_views(arguments.rows, arguments.features, arguments.components)
    bounds = np.linspace(0, arguments.rows, workers + 1).astype(int)
    views = [np.ascontiguousarray(view[bounds[rank] : bounds[rank + 1]]) for view in views]
    begin = time.perf_counter()
    fitted = fit_shard(views, estimator(arguments), config, rank)
    results.put((rank, time.perf_counter() - begin, fitted.timings, list(fitted.model.correlations["out_of_fold"])))


def measure(arguments: argparse.Namespace, workers: int) -> dict:
    from treecca.distributed import Tracker

    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    with Tracker(workers, "127.0.0.1") as tracker:
        config = tracker.worker_config()
        processes = [
            context.Process(target=work, args=(arguments, config, r, workers, results)) for r in range(workers)
        ]
        for process in processes:
            process.start()
        found = sorted(results.get(timeout=arguments.timeout) for _ in processes)
        for process in processes:
            process.join()
    _, seconds, timings, correlations = found[0]
    rounds = sum(timings[stage] for stage in ("moments", "targets", "grow", "curves"))
    return {
        "workers": workers,
        "seconds": seconds,
        "seconds_per_round": rounds / arguments.rounds,
        "grow_per_round": timings["grow"] / arguments.rounds,
        "bin": timings["bin"],
        "correlations": correlations,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--features", type=int, default=50, help="per view")
    parser.add_argument("--components", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--engine", default="native", choices=["native", "xgboost"])
    parser.add_argument("--trees", default="joint", choices=["joint", "scalar"])
    parser.add_argument("--timeout", type=int, default=1800, help="seconds for one fit")
    parser.add_argument("--json", help="write the times to this file")
    arguments = parser.parse_args()
    runs = [measure(arguments, workers) for workers in arguments.workers]
    print("| workers | seconds | ms per round | of it growing trees | difference of correlations |")
    print("|---|---|---|---|---|")
    for run in runs:
        away = np.abs(np.subtract(run["correlations"], runs[0]["correlations"])).max()
        print(
            f"| {run['workers']} | {run['seconds']:.1f} | {1000 * run['seconds_per_round']:.0f} | "
            f"{1000 * run['grow_per_round']:.0f} | {away:.1e} |"
        )
    if arguments.json:
        write_records(arguments.json, ({"settings": vars(arguments), **run} for run in runs))


if __name__ == "__main__":
    main()
