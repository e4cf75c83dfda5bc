import numpy as np
import pandas as pd
import pytest

import treecca
from treecca import TreeCCA

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
RNG = np.random.default_rng(0)
N = 300
LINE, SQUARE = RNG.normal(size=(2, N))
X = pd.DataFrame(RNG.normal(size=(N, 4)), columns=["line", "square", "n1", "n2"])
X["line"], X["square"] = LINE + 0.3 * X["line"], SQUARE + 0.2 * X["square"]
Y = pd.DataFrame(RNG.normal(size=(N, 4)), columns=["opposite", "squared", "n3", "n4"])
Y["opposite"], Y["squared"] = -LINE + 0.3 * Y["opposite"], SQUARE**2 + 0.2 * Y["squared"]


@pytest.fixture(scope="module")
def model():
    return TreeCCA(2, n_estimators=60, random_state=0).fit({"x": X, "y": Y})


def test_partners_are_found_in_any_form(model):
    table = pd.DataFrame(model.partners("x", features=["line", "square"], n_partners=1))
    assert list(table) == ["feature", "partner_view", "partner", "strength", "correlation", "component"]
    assert table["partner"].tolist() == ["opposite", "squared"]
    assert table["partner_view"].tolist() == ["y", "y"]
    real = np.corrcoef(X["line"], Y["opposite"])[0, 1]
    assert real < table["correlation"][0] < 0.65 * real  # variates are estimates, so the relation looks weaker
    assert abs(table["correlation"][1]) < 0.2
    assert table["strength"].min() > 0.5


def test_are_the_formula_of_loadings_importances_and_correlations(model):
    table = model.partners("x", component=1, features=[1], n_partners=4)
    loadings, importances = model.loadings_, model.component_importances_
    ties = [np.maximum(np.abs(own[:, 1]), np.sqrt(share[1])) for own, share in zip(loadings, importances, strict=True)]
    for name, strength, correlation in zip(table["partner"], table["strength"], table["correlation"], strict=True):
        j = list(Y.columns).index(name)
        r = model.pairwise_correlations_[0, 1, 1]
        assert correlation == pytest.approx(loadings[0][1, 1] * r * loadings[1][j, 1])
        assert strength == pytest.approx(max(abs(correlation), ties[0][1] * r * ties[1][j]))
    assert set(table["component"]) == {1}


def test_all_views_together_and_after_loading(model, tmp_path):
    table = pd.DataFrame(model.partners(n_features=2, n_partners=3))
    assert next(iter(table)) == "view"
    assert len(table) == 2 * 2 * 3
    for _, rows in table.groupby(["view", "feature"]):
        assert rows["strength"].is_monotonic_decreasing
    model.save(tmp_path / "m.json")
    pd.testing.assert_frame_equal(
        table, pd.DataFrame(treecca.load(tmp_path / "m.json").partners(None, None, None, 2, 3))
    )


def test_refuses(model):
    with pytest.raises(ValueError, match='no feature "nope"'):
        model.partners("x", features=["nope"])
    with pytest.raises(ValueError, match="features belong to a view"):
        model.partners(features=["line"])
    with pytest.raises(ValueError, match="components 0 to 1"):
        model.partners(component=2)


def test_permutation_importance_on_new_samples(model):
    rng = np.random.default_rng(1)
    n = 200
    line, square = rng.normal(size=(2, n))
    new_x = pd.DataFrame(rng.normal(size=(n, 4)), columns=X.columns)
    new_x["line"], new_x["square"] = line, square
    new_y = pd.DataFrame(rng.normal(size=(n, 4)), columns=Y.columns)
    new_y["opposite"], new_y["squared"] = -line, square**2
    found = model.permutation_importance({"y": new_y, "x": new_x[X.columns[::-1]]}, n_permutations=3, random_state=1)
    np.testing.assert_allclose(
        found.correlations, np.tile(model.score_components({"x": new_x, "y": new_y}), (2, 1)), atol=1e-6
    )
    first = int(np.argmax(np.abs(model.loadings_[0][0])))  # the component of the line
    assert found.importances[0].shape == (2, 4)
    table = pd.DataFrame(found.table("x", first))
    assert list(table) == ["feature", "importance", "deviation"]
    assert table["feature"][0] == "line"
    assert table["importance"].is_monotonic_decreasing
    assert table["importance"][0] > 0.5
    assert found.table("y", 1 - first)["feature"][0] == "squared"
    again = model.permutation_importance([new_x, new_y], n_permutations=3, random_state=1)
    np.testing.assert_array_equal(found.importances[1], again.importances[1])
    with pytest.raises(ValueError, match='no view "z"'):
        found.table("z")


def test_permutation_importance_out_of_fold(model):
    with pytest.warns(UserWarning, match="in-sample"):
        in_sample = model.permutation_importance([X, Y], n_permutations=2)
    found = model.permutation_importance({"y": Y, "x": X}, n_permutations=2, random_state=3, out_of_fold=True)
    first = int(np.argmax(np.abs(model.loadings_[0][0])))
    table = pd.DataFrame(found.table("x", first))
    assert table["feature"][0] == "line"
    assert table["importance"][0] > 0.5
    noise = [column for column, name in enumerate(X.columns) if name not in ("line", "square")]
    assert np.abs(found.importances[0][:, noise]).mean() < np.abs(in_sample.importances[0][:, noise]).mean()
    np.testing.assert_allclose(found.correlations, np.tile(model.correlations_, (2, 1)), atol=0.2)
    again = model.permutation_importance([X, Y], n_permutations=2, random_state=3, out_of_fold=True)
    np.testing.assert_array_equal(found.importances[1], again.importances[1])
    with pytest.raises(ValueError, match="missing: y"):
        model.permutation_importance({"x": X}, out_of_fold=True)
    with pytest.raises(ValueError, match="not the samples of the fit"):
        model.permutation_importance([X + 1, Y], out_of_fold=True)
    with pytest.raises(ValueError, match="one label per sample"):
        model.permutation_importance([X, Y], groups=[1, 2], out_of_fold=True)
    with pytest.raises(ValueError, match="are for out_of_fold=True"):
        model.permutation_importance([X, Y], groups=np.arange(len(X)))
    with pytest.raises(ValueError, match="fitted without covariates"):
        model.permutation_importance([X, Y], covariates={"age": np.arange(len(X))}, out_of_fold=True)


def test_permutation_importance_says_when_it_is_in_sample_and_what_is_missing(model):
    with pytest.warns(UserWarning, match="in-sample"):
        model.permutation_importance([X, Y], n_permutations=1)
    with pytest.raises(ValueError, match="permutation_importance needs every view of the model; missing: y"):
        model.permutation_importance({"x": X})
    with pytest.raises(ValueError, match="n_permutations must be from 1 to 10000, not 0"):
        model.permutation_importance([X, Y], n_permutations=0)
