"""Baselines against known properties."""

import numpy as np
import pytest

from benchmarks.paper import plan, protocol, tasks
from benchmarks.paper.methods import METHODS
from benchmarks.paper.scale import Scale
from treecca.datasets import make_hermite


def test_alternating_regression_shrinks_its_embedding():
    curves = tasks.collapse(
        data="signed_power", seed=0, options={"n_samples": 300}, max_rows=None, iterations=3, trees=20
    )
    assert curves["deviation"] == sorted(curves["deviation"], reverse=True)
    assert curves["deviation"][-1] < 0.8


def test_deepcca_learns_what_linear_cca_cannot_see():
    pytest.importorskip("jax", reason="DeepCCA needs JAX.")
    data = make_hermite(1500, n_noise_features=0, random_state=0)
    settings = {"epochs": 300, "hidden": [32, 16], "rate": 0.01}
    deep = METHODS["deepcca"].embed(data, 0, settings, [])
    linear = METHODS["linear"].embed(data, 0, {}, [])
    assert protocol.judge(data, deep.train, deep.test)["test"] > 2.5
    assert protocol.judge(data, linear.train, linear.test)["test"] < 1


def test_deepcca_has_the_papers_loss():
    deepcca = pytest.importorskip("benchmarks.paper.baselines.deepcca", reason="DeepCCA needs JAX.")
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 50, 3))
    joint = np.cov(np.hstack([a, b]).T)
    within, across = joint[:3, :3] + joint[3:, 3:], joint[:3, 3:] + joint[3:, :3]
    expected = -2 * np.trace(across) + (within**2).sum()
    assert float(deepcca._ey_loss([a, b])) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("engine", ["xgboost", "lightgbm"])
def test_curve_of_cca_zoo_ends_at_its_raw_tcc(engine):
    for package in (engine, "xgboost", "cca_zoo"):
        pytest.importorskip(package, reason=f"{engine} of cca-zoo is compared with.")
    arguments = plan.booster(Scale(quick=True), engine, "signed_power", 42, extras=["curve"]).arguments
    scores = tasks.compare(**arguments)
    assert scores["curve"][-1] == pytest.approx(scores["raw"], abs=1e-3)
