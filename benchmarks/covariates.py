"""Views that share nothing but covariates: the correlation before and after adjustment, and the permutation test.

    python -m benchmarks.covariates --json benchmarks/results/covariates.json     half an hour of one core
    python -m benchmarks.covariates --data-sets 5 --cases fit
    python -m benchmarks.covariates --show benchmarks/results/covariates.json

fit: both views follow age (nonlinearly) and a batch, and in half of the data sets a relation of their own. test: how
often p <= 0.05 for one component, 39 permutations, 120 samples; the spread and the skewed dose break an assumption.
"""

from __future__ import annotations

import argparse
import warnings
from itertools import product

import numpy as np

from treecca import TreeCCA, permutation_test

from .records import measured_records, read_records
from .tables import covariate_fit_table, covariate_test_table

SAMPLES = (60, 200, 600)
SHARED = (
    "age",
    "20 plates",
    "batch changes the spread",
    "the same, batches as groups, permuted within",
    "skewed dose",
    "the same, its logarithm given",
)
TEST_SAMPLES = 120
PERMUTATIONS = 39
FEATURES = 10

Task = tuple[str, str, int, int]  # case, what the views share, samples, seed


def quiet_fit(views: list[np.ndarray], covariates: dict | None, seed: int) -> TreeCCA:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return TreeCCA(1, random_state=seed, n_jobs=1).fit(views, covariates=covariates)


def with_age_and_batch(rng: np.random.Generator, n: int, related: bool) -> tuple[list[np.ndarray], dict]:
    age = rng.normal(50, 10, n)
    batch = rng.integers(0, 3, n)
    views = list(rng.standard_normal((2, n, FEATURES)))
    standard = (age - 50) / 10
    views[0][:, 0] += 1.5 * standard + 1.5 * (batch == 1)
    views[1][:, 0] += standard**2 + 1.5 * standard + 1.5 * (batch == 1)
    views[0][:, 1] += standard
    if related:
        latent = rng.standard_normal(n)
        views[0][:, 2] += 1.5 * latent
        views[1][:, 2] += np.exp(latent)
    return views, {"age": age, "batch": [f"b{b}" for b in batch]}


def fitted(relation: str, n: int, seed: int) -> dict:
    views, covariates = with_age_and_batch(np.random.default_rng([7100, n, seed]), n, relation == "related")
    plain, adjusted = quiet_fit(views, None, seed), quiet_fit(views, covariates, seed)
    return {
        "unadjusted": round(float(plain.correlations_[0]), 4),
        "adjusted": round(float(adjusted.correlations_[0]), 4),
        "above_noise": bool(adjusted.found_[0]),
    }


def with_shared(rng: np.random.Generator, shared: str, n: int) -> tuple[list[np.ndarray], dict]:
    views = list(rng.standard_normal((2, n, FEATURES)))
    if shared == "age":
        age = rng.normal(50, 10, n)
        views[0][:, 0] += 0.2 * (age - 50)
        views[1][:, 0] += 0.1 * (age - 50) + 0.01 * (age - 50) ** 2
        return views, {"age": age}
    if shared == "20 plates":
        plate = rng.integers(0, 20, n)
        for view in views:
            view += rng.standard_normal((20, FEATURES))[plate]
        return views, {"plate": [f"P{p}" for p in plate]}
    if shared in SHARED[2:4]:
        batch = rng.integers(0, 3, n)
        for view in views:
            view *= np.where(batch == 0, 4.0, 1.0)[:, None]
        return views, {"batch": [f"b{b}" for b in batch]}
    dose = rng.lognormal(0, 1, n)
    for view in views:
        view[:, 0] += 3 * dose
    return views, {"dose": dose if shared == SHARED[4] else np.log(dose)}


def tested(shared: str, n: int, seed: int) -> dict:
    # "The same" is the same data.
    draw = SHARED.index(shared) - shared.startswith("the same")
    views, covariates = with_shared(np.random.default_rng([7200, n, draw, seed]), shared, n)
    given: dict = {"covariates": covariates}
    if shared == SHARED[3]:  # every fold has whole batches, and is centred
        given = {"groups": covariates["batch"], "permute": "within_groups"}
    p = {}
    for method, settings in (("p", {}), ("p_linear", {"linear": 1})):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            model = TreeCCA(1, random_state=seed, n_jobs=1, **settings)
            test = permutation_test(model, views, n_permutations=PERMUTATIONS, random_state=seed, **given)
        p[method] = round(float(test.p_values[0]), 4)
    return p


def measured(task: Task) -> dict:
    case, shared, n, seed = task
    numbers = fitted(shared, n, seed) if case == "fit" else tested(shared, n, seed)
    return {"case": case, "shared": shared, "n": n, "seed": seed, **numbers}


def tasks_of(cases: list[str], data_sets: int) -> list[Task]:
    fits = [("fit", *cell) for cell in product(("unrelated", "related"), SAMPLES, range(data_sets))]
    tests = [("test", *cell) for cell in product(SHARED, (TEST_SAMPLES,), range(10 * data_sets))]
    return [*(fits if "fit" in cases else []), *(tests if "test" in cases else [])]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", nargs="+", choices=["fit", "test"], default=["fit", "test"])
    parser.add_argument("--data-sets", type=int, default=20, help="per cell; ten times as many for the test [20]")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--json", metavar="FILE", help="write the records")
    parser.add_argument("--show", metavar="FILE", help="print the tables of written records, measure nothing")
    arguments = parser.parse_args()
    if arguments.show:
        records = read_records(arguments.show)
    else:
        tasks = tasks_of(arguments.cases, arguments.data_sets)
        records = list(measured_records(measured, tasks, arguments.workers, arguments.json, every=50))
    if any(record["case"] == "fit" for record in records):
        print(covariate_fit_table(records))
    if any(record["case"] == "test" for record in records):
        print(covariate_test_table(records))


if __name__ == "__main__":
    main()
