import warnings

import numpy as np
import pytest
from conftest import related_views

import treecca
from treecca import TreeCCA


def test_cv_gives_the_figures_of_fits(views, quick):
    result = treecca.cv(views, {"n_components": [1, 2], "max_depth": [2, [2, 4]]}, n_estimators=25, random_state=0)
    assert result.table["n_components"].tolist() == [1, 1, 2, 2]
    assert result.table["max_depth"].tolist() == [2, [2, 4], 2, [2, 4]]
    assert result.best_params["n_components"] == 2
    for row in range(4):
        settings = {name: result.table[name][row] for name in ("n_components", "max_depth")}
        model = TreeCCA(**settings, n_estimators=25, random_state=0).fit(views)
        np.testing.assert_array_equal(result.correlations[row], model.correlations_)
        np.testing.assert_array_equal(result.curves[row], model.history_["tcc"])
        np.testing.assert_array_equal(result.rounds[row], model.history_["round"])
        assert result.table["found"][row] == model.found_.sum()
        assert result.table["linear_weight"][row] == model.linear_weight_
        assert result.table["found_tcc"][row] == pytest.approx(model.correlations_[model.found_].sum())
    assert result.table["standard_error"].min() > 0
    assert result.table["rank"][result.best_index] == 1
    others = np.arange(4) != result.best_index
    assert sorted(result.table["rank"].tolist()) == [1, 2, 3, 4]
    by_rank = np.argsort(result.table["rank"][others])
    assert np.all(np.diff(result.table["found_tcc"][others][by_rank]) <= 0)
    assert result.table["found_tcc"][result.best_index] == result.table["found_tcc"].max()
    TreeCCA(**result.best_params, n_estimators=5).fit(views)


def test_cv_takes_an_estimator_groups_and_one_table(quick):
    views = related_views(120)
    model = TreeCCA(**quick, view_slices=[slice(0, 5), slice(5, 10)])
    result = treecca.cv(np.hstack(views), {"max_depth": [1, 2]}, estimator=model, groups=np.arange(120) // 2)
    same = treecca.cv(views, {"max_depth": [1, 2]}, **quick, groups=np.arange(120) // 2)
    np.testing.assert_array_equal(result.table["tcc"], same.table["tcc"])


def test_seeds_and_values_of_the_preset_in_a_grid(views):
    result = treecca.cv(views, {"random_state": [3, 5], "max_depth": [None, 1]}, n_estimators=10, max_depth=2)
    assert result.table["random_state"].tolist() == [3, 3, 5, 5]
    declaration = next(d for d in treecca._core.parameter_declarations() if d["name"] == "max_depth")
    of_preset = declaration["default"]["auto"]
    assert result.table["max_depth"].tolist() == [of_preset, 1, of_preset, 1]
    assert of_preset == "auto"
    plain = treecca.cv(views, {"max_depth": [None, 1]}, preset="plain", n_estimators=10)
    assert plain.table["max_depth"].tolist() == [4, 1]
    model = TreeCCA(random_state=5, n_estimators=10).fit(views)
    np.testing.assert_array_equal(result.correlations[2], model.correlations_)
    drawn = treecca.cv(views, {"random_state": [None, np.random.default_rng(0)], "n_jobs": [None]}, n_estimators=5)
    seeds = drawn.table["random_state"].tolist()
    assert seeds[0] != seeds[1]
    again = TreeCCA(random_state=seeds[0], n_estimators=5).fit(views)
    np.testing.assert_array_equal(drawn.correlations[0], again.correlations_)
    with pytest.raises(ValueError, match="name the values"):
        treecca.cv(views, {"preset": ["plain", "paper"], "max_depth": [None]})
    with pytest.raises(ValueError, match="no preset 'best'; known are: auto, plain, paper"):
        treecca.cv(views, {"max_depth": [None]}, preset="best")
    with pytest.raises(ValueError, match="seed"):
        treecca.cv(views, {"random_state": ["x"]})


def test_cv_warns_of_labels_that_repeat(quick):
    pd = pytest.importorskip("pandas")
    a, b = (pd.DataFrame(v, index=np.repeat(np.arange(30), 2)) for v in related_views(60))
    with pytest.warns(UserWarning, match="60 samples but only 30 different labels"):
        treecca.cv([a, b], {"max_depth": [2]}, **quick)


def test_cv_says_when_the_best_value_is_at_the_edge(views):
    plain = {"preset": "plain", "random_state": 0, "n_components": 2}
    with pytest.warns(
        UserWarning, match="The best n_estimators is the highest of the grid .60.: try higher values too"
    ):
        treecca.cv(views, {"n_estimators": [2, 60, 4]}, **plain)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        treecca.cv(views, {"n_estimators": [2, 60]}, **plain)  # of two, one is always at the edge
        treecca.cv(views, {"linear": [0, 0.5, 1]}, **plain)  # nothing is beyond
        treecca.cv(views, {"random_state": [1, 2, 3]}, preset="plain", n_estimators=30)


def test_cv_shows_progress(views, quick, capsys):
    treecca.cv(views, {"max_depth": [1, 2]}, **quick, verbose=1)
    assert "2/2" in capsys.readouterr().err


def test_what_cv_refuses(views):
    with pytest.raises(ValueError, match="grid is empty"):
        treecca.cv(views, {})
    with pytest.raises(ValueError, match="nope"):
        treecca.cv(views, {"nope": [1]})
    with pytest.raises(ValueError, match="list of values for max_depth"):
        treecca.cv(views, {"max_depth": 3})
    with pytest.raises(ValueError, match="max_depth"):
        treecca.cv(views, {"max_depth": [3, 99]})
    with pytest.raises(ValueError, match="cross_fit must not be 0"):
        treecca.cv(views, {"max_depth": [3]}, preset="paper")


def test_picture(views):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    result = treecca.cv(views, {"n_components": [1, 2], "max_depth": [1, 3]}, n_estimators=22, random_state=0)
    by_k = treecca.plot.CVDisplay.from_result(result)
    assert by_k.ax_.get_xlabel() == "n_components"
    texts = [text.get_text() for text in by_k.ax_.get_legend().get_texts()]
    assert {"max_depth=1", "max_depth=3", "one standard error below the highest"} < set(texts)
    assert f"chosen: n_components={result.best_params['n_components']}" in texts
    chosen = next(line for line in by_k.ax_.lines if line.get_label().startswith("chosen"))
    assert chosen.get_ydata()[0] == result.table["found_tcc"][result.best_index]
    by_k.figure_.canvas.draw()
    assert all(float(tick).is_integer() for tick in by_k.ax_.get_xticks())
    by_round = treecca.plot.CVDisplay.from_result(result, against="round")
    labels = [text.get_text() for text in by_round.ax_.get_legend().get_texts()]
    assert len(labels) == 4
    assert [label.endswith(", chosen") for label in labels].index(True) == result.best_index
    with pytest.raises(ValueError, match='no parameter "subsample"'):
        treecca.plot.CVDisplay.from_result(result, against="subsample")


def test_the_nested_tcc_of_noise_is_not_that_of_the_luckiest_setting():
    best, nested = [], []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        views = [rng.normal(size=(60, 4)), rng.normal(size=(60, 4))]
        quick = {"n_components": 1, "n_repeats": 1, "n_estimators": 10, "random_state": 0}
        result = treecca.cv(views, {"max_depth": [1, 2, 3, 4]}, **quick)
        best.append(result.table["tcc"].max())
        nested.append(result.nested_tcc)
    assert np.mean(nested) < np.mean(best)
    one = treecca.cv(views, {"max_depth": [2]}, **quick)
    assert one.nested_tcc == pytest.approx(one.table["tcc"][0])
