"""SHAP values: they add up to the variates, and equal those of XGBoost and shap."""

from __future__ import annotations

import builtins
import sys
import types

import numpy as np
import pytest

from treecca import TreeCCA, TreeCCASSL, load
from treecca._explain import Explanation

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # small fits that find little


def data(rows=200, missing=True, seed=0):
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=(rows, 2))
    x = np.hstack([shared + 0.3 * rng.normal(size=(rows, 2)), rng.normal(size=(rows, 3))])
    y = np.hstack([np.abs(shared), rng.normal(size=(rows, 2))])
    if missing:
        x[rng.random(x.shape) < 0.1] = np.nan
        y[rng.random(y.shape) < 0.1] = np.nan
    return [x, y]


@pytest.fixture(scope="module")
def fitted():
    return TreeCCA(2, n_estimators=20, random_state=0).fit(data())


@pytest.fixture
def without_shap(monkeypatch):
    """The package shap cannot be imported."""
    real = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name == "shap":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)


def assert_adds_up(explained, variates):
    total = explained.base_values + explained.values.sum(axis=1)
    assert explained.values.shape[0::2] == variates.shape
    assert explained.base_values.shape == variates.shape
    np.testing.assert_allclose(total, variates, atol=1e-5 * max(1.0, np.abs(variates).max()))


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"linear": 0.5},
        {"linear": 1},
        {"preset": "plain"},
        {"preset": "plain", "trees": "scalar"},
        {"preset": "plain", "rotate": False, "cross_fit": 0},
        {"preset": "plain", "n_oversamples": 2, "max_depth": 8},
        {"preset": "paper"},
        {"preset": "plain", "early_stopping_rounds": 3},
    ],
)
def test_base_value_and_shap_values_add_up_to_the_variates(settings):
    model = TreeCCA(2, **{"n_estimators": 15, "random_state": 0, **settings}).fit(data())
    new = data(seed=1)
    for explained, variates in zip(model.explain(new), model.transform(new), strict=True):
        assert_adds_up(explained, variates)


@pytest.mark.parametrize("engine", ["xgboost", "lightgbm"])
def test_trees_of_other_engines(engine):
    pytest.importorskip(engine, reason=f"the package {engine} is not installed")
    model = TreeCCA(2, n_estimators=10, random_state=0, engine=engine, trees="scalar").fit(data())
    for explained, variates in zip(model.explain(data(seed=1)), model.transform(data(seed=1)), strict=True):
        assert_adds_up(explained, variates)


def test_three_views_far_from_zero():
    x, y = data()
    views = [x + 1e6, y * 1e-3, x[:, ::-1] ** 2]  # the first needs an offset: single precision has too few digits
    model = TreeCCA(2, n_estimators=15, random_state=0).fit(views)
    for explained, variates in zip(model.explain(views), model.transform(views), strict=True):
        assert_adds_up(explained, variates)


def test_ssl_explains_one_table():
    x = data()[0]
    model = TreeCCASSL(2, n_estimators=10, random_state=0).fit(x)
    explained = model.explain(x)
    assert_adds_up(explained, model.transform(x))
    np.testing.assert_array_equal(model.explain(x, component=1).values, explained.values[:, :, 1])


def test_a_loaded_model_gives_the_same(fitted, tmp_path):
    fitted.save(tmp_path / "m.ubj")
    new = data(seed=1)
    for ours, loaded in zip(fitted.explain(new), load(tmp_path / "m.ubj").explain(new), strict=True):
        np.testing.assert_array_equal(ours.values, loaded.values)


KINDS = [{"trees": "scalar"}, {"trees": "joint"}, {"trees": "scalar", "max_depth": 8, "cross_fit": 0, "rotate": False}]


def exported(model, folder, new):
    """(booster, rows, number of the view) of every view."""
    xgboost = pytest.importorskip("xgboost", reason="the package xgboost is not installed")
    for number, (path, view) in enumerate(zip(model.export(folder, "xgboost"), new, strict=True)):
        booster = xgboost.Booster(model_file=path)
        yield booster, xgboost.DMatrix(view, feature_names=booster.feature_names), number


def single_precision(views):
    return [view.astype(np.float32) for view in views]


@pytest.mark.parametrize("settings", KINDS)
def test_equals_xgboost_on_the_exported_model(tmp_path, settings):
    # One component: XGBoost has no contributions for vector leaves.
    model = TreeCCA(1, preset="plain", n_estimators=20, random_state=0, **settings)
    model.fit(single_precision(data(rows=400)))
    new = single_precision(data(seed=1))
    explained = model.explain(new)
    for booster, rows, number in exported(model, tmp_path, new):
        expected = booster.predict(rows, pred_contribs=True)
        scale = np.abs(expected).max()
        np.testing.assert_allclose(explained[number].values[:, :, 0], expected[:, :-1], rtol=0, atol=1e-6 * scale)
        np.testing.assert_allclose(explained[number].base_values[:, 0], expected[:, -1], rtol=0, atol=1e-6 * scale)
        pairs = model.explain(new[number], view=number, component=0, interactions=True).values
        expected = booster.predict(rows, pred_interactions=True)[:, :-1, :-1]
        np.testing.assert_allclose(pairs, expected, rtol=0, atol=2e-6 * scale)


@pytest.mark.parametrize("settings", KINDS)
def test_equals_shap_on_the_exported_model(tmp_path, settings):
    shap = pytest.importorskip("shap", reason="the package shap is not installed")
    model = TreeCCA(1, preset="plain", n_estimators=20, random_state=0, **settings)
    model.fit(single_precision(data(rows=400)))
    new = single_precision(data(seed=1))
    explained = model.explain(new)
    for booster, _, number in exported(model, tmp_path, new):
        explainer = shap.TreeExplainer(booster, feature_perturbation="tree_path_dependent")
        explainer.model.model_type = "internal"  # else shap asks XGBoost, which the test above does
        expected = explainer(new[number], check_additivity=False).values
        scale = np.abs(expected).max()
        np.testing.assert_allclose(explained[number].values[:, :, 0], expected, rtol=0, atol=1e-6 * scale)
        expected = explainer.shap_interaction_values(new[number])
        pairs = model.explain(new[number], view=number, component=0, interactions=True).values
        np.testing.assert_allclose(pairs, expected, rtol=0, atol=1e-6 * scale)


def test_containers_are_those_of_transform(fitted):
    pandas = pytest.importorskip("pandas")
    x, y = data(seed=1)
    both = fitted.explain([x, y])
    assert [one.values.shape for one in both] == [(200, 5, 2), (200, 4, 2)]
    first, absent = fitted.explain([x, None])
    assert absent is None
    np.testing.assert_array_equal(first.values, both[0].values)
    named = fitted.explain({"view1": y})
    assert list(named) == ["view1"]
    np.testing.assert_array_equal(named["view1"].values, both[1].values)
    np.testing.assert_array_equal(fitted.explain(y, view="view1").values, both[1].values)
    np.testing.assert_array_equal(fitted.explain(y, view=1, component=1).values, both[1].values[:, :, 1])
    model = TreeCCA(1, n_estimators=5, random_state=0, preset="plain")
    model.fit({"a": pandas.DataFrame(x, columns=list("vwxyz")), "b": y})
    explained = model.explain(pandas.DataFrame(x[:, ::-1], columns=list("zyxwv")), view="a")
    assert list(explained.feature_names) == list("vwxyz")
    np.testing.assert_array_equal(explained.data, x)


def test_one_table_with_slices_gives_a_list():
    x, y = data()
    model = TreeCCA(1, n_estimators=5, random_state=0, preset="plain", view_slices=[slice(0, 5), slice(5, 9)])
    model.fit(np.hstack([x, y]))
    assert [one.values.shape for one in model.explain(np.hstack([x, y]))] == [(200, 5, 1), (200, 4, 1)]


def test_without_shap_the_attributes_are_the_same(fitted, without_shap):
    x, y = data(seed=1)
    explained = fitted.explain([x, y])[0]
    assert type(explained) is Explanation
    assert explained.output_names == ["cc1", "cc2"]
    assert explained.feature_names == fitted.feature_names_per_view_[0]
    np.testing.assert_array_equal(explained.data, x)
    one = fitted.explain(x, view=0, component=1)
    assert one.output_names == "cc2"
    assert one.values.shape == (200, 5)
    np.testing.assert_array_equal(one.base_values, explained.base_values[:, 1])
    pairs = fitted.explain(x, view=0, component=1, interactions=True)
    assert pairs.values.shape == (200, 5, 5)
    np.testing.assert_array_equal(pairs.base_values, one.base_values)
    np.testing.assert_allclose(pairs.values.sum(axis=2), one.values, atol=1e-10)
    np.testing.assert_array_equal(pairs.values, np.swapaxes(pairs.values, 1, 2))


def test_a_folder_called_shap_is_not_the_package(fitted, monkeypatch):
    monkeypatch.setitem(sys.modules, "shap", types.ModuleType("shap"))  # as Python imports a folder shap/
    assert type(fitted.explain(data())[0]) is Explanation


@pytest.mark.parametrize("arguments", [{}, {"component": 1}, {"component": 1, "interactions": True}])
def test_a_sample_that_lacks_the_view_has_no_shap_values(fitted, arguments):
    views = data()
    views[0][7] = np.nan
    explained = fitted.explain(views, **arguments)[0]
    n = len(views[0])
    missing = np.isnan(explained.values).reshape(n, -1)
    assert missing[7].all() and missing.sum() == missing[7].size
    assert np.array_equal(np.isnan(explained.base_values).reshape(n, -1).any(axis=1), np.arange(n) == 7)
    assert np.array_equal(np.isnan(fitted.transform(views)[0]).any(axis=1), np.arange(n) == 7)


def test_plots_of_shap(fitted):
    shap = pytest.importorskip("shap", reason="the package shap is not installed")
    pyplot = pytest.importorskip("matplotlib.pyplot")
    x = data(seed=1)[0]
    explained = fitted.explain(x, view=0)
    assert isinstance(explained, shap.Explanation)
    one = explained[:, :, "cc2"]
    np.testing.assert_array_equal(one.values, explained.values[:, :, 1])
    np.testing.assert_array_equal(one.base_values, explained.base_values[:, 1])
    for of_component in (one, fitted.explain(x, view=0, component=1)):
        for plot, what in (
            (shap.plots.beeswarm, of_component),
            (shap.plots.bar, of_component),
            (shap.plots.waterfall, of_component[0]),
            (shap.plots.scatter, of_component[:, 0]),
        ):
            plot(what, show=False)
            pyplot.close("all")


def test_bad_requests(fitted):
    x, y = data()
    with pytest.raises(ValueError, match="interactions=True needs a component"):
        fitted.explain([x, y], interactions=True)
    with pytest.raises(ValueError, match="components 0 to 1, not 2"):
        fitted.explain([x, y], component=2)
    with pytest.raises(ValueError, match='no view "c"'):
        fitted.explain(x, view="c")
    with pytest.raises(ValueError, match="Expected 2 views"):
        fitted.explain([x])
    with pytest.raises(ValueError, match="5 features"):
        fitted.explain([x[:, :4], y])
    with pytest.raises(ValueError, match="0 sample"):
        fitted.explain([x[:0], y[:0]])
    with pytest.raises(ValueError, match="not fitted"):
        TreeCCA().explain([x, y])


def test_samples_unlike_those_of_the_fit_get_the_warning_of_transform(fitted):
    x = data()[0] * 1000
    with pytest.warns(UserWarning) as expected:
        fitted.transform(x, view=0)
    with pytest.warns(UserWarning) as found:
        fitted.explain(x, view=0)
    assert [str(one.message) for one in found] == [str(one.message) for one in expected]
