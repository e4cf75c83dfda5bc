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
    assert result.table["tcc"][result.best_index] == result.table["tcc"].max()
    TreeCCA(**result.best_params, n_estimators=5).fit(views)


def test_cv_takes_an_estimator_groups_and_one_table(quick):
    views = related_views(120)
    model = TreeCCA(**quick, view_slices=[slice(0, 5), slice(5, 10)])
    result = treecca.cv(np.hstack(views), {"max_depth": [1, 2]}, estimator=model, groups=np.arange(120) // 2)
    same = treecca.cv(views, {"max_depth": [1, 2]}, **quick, groups=np.arange(120) // 2)
    np.testing.assert_array_equal(result.table["tcc"], same.table["tcc"])


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
    assert len(by_k.ax_.lines) == 2
    by_round = treecca.plot.CVDisplay.from_result(result, against="round")
    assert len(by_round.ax_.lines) == 4
    with pytest.raises(ValueError, match='no parameter "subsample"'):
        treecca.plot.CVDisplay.from_result(result, against="subsample")
