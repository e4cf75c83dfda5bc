"""Cross-view screening: treecca.screen, and the parameter `screen` of a fit."""

from __future__ import annotations

import importlib.util

import numpy as np
import pandas as pd
import pytest

import treecca
from treecca import TreeCCA


def sparse_views(n=200, p=(150, 120), seed=0):
    """One relation, without linear correlation: feature 3 of the first view, feature 5 of the second."""
    rng = np.random.default_rng(seed)
    first, second = rng.normal(size=(n, p[0])), rng.normal(size=(n, p[1]))
    second[:, 5] = first[:, 3] ** 2 + 0.2 * rng.normal(size=n)
    return [first, second]


def test_screen_names_the_pair():
    views = {"rna": pd.DataFrame(sparse_views()[0]).add_prefix("g"), "protein": sparse_views()[1]}
    rna, protein = treecca.screen(views, random_state=0)
    best = pd.DataFrame(rna).nlargest(1, "score").iloc[0]
    assert (best["feature"], best["partner_view"], best["partner"]) == ("g3", "protein", "f5")
    assert best["p_value"] == pytest.approx(0.01)
    assert protein["feature"][protein["score"].argmax()] == "f5"
    assert np.sort(rna["p_value"])[1] > 0.01
    assert "p_value" not in treecca.screen(views, n_permutations=0)[0]


def test_screen_is_reproducible_on_any_number_of_threads():
    views = sparse_views()
    one, two = (treecca.screen(views, random_state=1, n_jobs=jobs, n_permutations=9) for jobs in (1, 2))
    for a, b in zip(one, two, strict=True):
        assert all(np.array_equal(a[key], b[key]) for key in a)


def test_screen_takes_weights_and_missing_values():
    first, second = sparse_views(400)
    second[200:, 5] = np.random.default_rng(1).normal(size=200)
    weights = np.r_[np.ones(200), np.zeros(200)]
    first[::9, 3] = np.nan
    with_weights = treecca.screen([first, second], sample_weight=weights, n_permutations=0)[0]["score"]
    without = treecca.screen([first, second], n_permutations=0)[0]["score"]
    assert with_weights.argmax() == without.argmax() == 3
    assert with_weights[3] > without[3]


@pytest.mark.parametrize(
    ("views", "options", "message"),
    [
        ([np.ones((20, 2))], {}, "at least two views"),
        (np.ones((20, 2)), {}, "several views"),
        (sparse_views(30, (4, 6)), {"n_permutations": -1}, "n_permutations must be an integer from 0"),
        (sparse_views(30, (4, 6)), {"n_permutations": 2.5}, "n_permutations must be an integer"),
        (sparse_views(30, (4, 6)), {"sample_weight": [1, 2]}, "one weight per sample"),
        ([np.ones((30, 2)), np.random.default_rng(0).normal(size=(30, 2))], {}, "is constant"),
    ],
)
def test_screen_refuses(views, options, message):
    with pytest.raises(ValueError, match=message):
        treecca.screen(views, **options)


@pytest.mark.parametrize("screen", [6, [6, None], [6, 0]])
def test_fit_keeps_what_was_asked_for(screen, tmp_path):
    model = TreeCCA(1, preset="plain", screen=screen, n_estimators=20, random_state=0).fit(sparse_views())
    kept = model.screening_[0]["kept"]
    assert kept.shape == (5, 150) and kept.dtype == bool
    assert (kept.sum(axis=1) == 6).all() and kept[:, 3].all()
    assert (model.screening_[1] is None) == (screen != 6)
    assert set(np.flatnonzero(model.feature_importances_per_view_[0])) <= set(np.flatnonzero(kept.any(axis=0)))
    model.save(tmp_path / "m.json")
    loaded = treecca.load(tmp_path / "m.json")
    assert np.array_equal(loaded.screening_[0]["kept"], kept)
    assert loaded.screen == (6 if screen == 6 else [6, 0])
    assert np.array_equal(loaded.transform(sparse_views())[0], model.transform(sparse_views())[0])


def test_auto_says_what_it_did(tmp_path):
    model = TreeCCA(1, preset="plain", screen="auto", n_estimators=30, random_state=0).fit(sparse_views())
    assert (model.screening_[0]["kept"].sum(axis=1) <= 3).all() and model.screening_[0]["kept"][:, 3].all()
    assert model.screening_[0]["p_value"][3] == pytest.approx(0.05)
    assert model.correlations_[0] > 0.8
    model.report(tmp_path / "r.html")
    assert "of 150 features" in (tmp_path / "r.html").read_text()
    model.save(tmp_path / "m.ubj")
    assert treecca.load(tmp_path / "m.ubj").screen == "auto"
    rng = np.random.default_rng(3)
    with pytest.warns(UserWarning, match="Screening kept all features"):
        noise = TreeCCA(1, preset="plain", screen="auto", n_estimators=5, random_state=0).fit(
            list(rng.normal(size=(2, 60, 50)))
        )
    assert noise.screening_[0]["kept"].all()


def test_only_auto_screens_by_default():
    for preset in ("plain", "paper"):
        model = TreeCCA(1, preset=preset, n_estimators=3, random_state=0).fit(sparse_views())
        assert model.screening_ == [None, None]
    model = TreeCCA(1, n_estimators=3, random_state=0).fit(sparse_views())
    kept = [found["kept"] for found in model.screening_]
    # Two repeats of five parts with three folds each.
    assert [one.shape for one in kept] == [(30, 150), (30, 120)]
    assert all((one.sum(axis=1) <= 20).all() for one in kept) and kept[0][:, 3].all() and kept[1][:, 5].all()


@pytest.mark.parametrize(
    ("screen", "message"), [(-1, "screen must be"), ("some", "screen must be"), ([1, 2, 3], "3 values")]
)
def test_fit_refuses(screen, message):
    with pytest.raises(ValueError, match=message):
        TreeCCA(1, screen=screen, n_estimators=3).fit(sparse_views())


@pytest.mark.parametrize("engine", ["xgboost", "lightgbm"])
@pytest.mark.parametrize("cross_fit", [0, 3])
def test_every_engine_obeys(engine, cross_fit):
    if importlib.util.find_spec(engine) is None:
        pytest.skip(f"{engine} is not installed")
    views = sparse_views()
    model = TreeCCA(
        2, screen=5, engine=engine, trees="scalar", cross_fit=cross_fit, n_estimators=20, random_state=0
    ).fit(views)
    kept = model.screening_[0]["kept"]
    assert (kept.sum(axis=1) == 5).all() and kept[:, 3].all()
    used = model.feature_importances_per_view_[0]
    assert used.argmax() == 3 and set(np.flatnonzero(used)) <= set(np.flatnonzero(kept.any(axis=0)))
    for given, known in zip(model.transform(views), model.variates_, strict=True):
        assert np.allclose(given, known, atol=1e-4)
