import numpy as np
import pandas as pd
import pytest

import treecca
from treecca import TreeCCA

RNG = np.random.default_rng(0)
SHARED = RNG.normal(size=200)
X = pd.DataFrame({"same": SHARED + 0.3 * RNG.normal(size=200), "noise": RNG.normal(size=200)})
Y = pd.DataFrame({"opposite": -SHARED + 0.3 * RNG.normal(size=200), "other": RNG.normal(size=200)})


@pytest.fixture(scope="module")
def model():
    return TreeCCA(1, n_estimators=30, random_state=0).fit({"x": X, "y": Y})


def test_loadings_are_correlations_with_out_of_fold_variates(model):
    own, other = (variates[:, 0] for variates in model.out_of_fold_variates_)
    for j, name in enumerate(X.columns):
        assert model.loadings_[0][j, 0] == pytest.approx(np.corrcoef(X[name], own)[0, 1], abs=1e-4)
        assert model.cross_loadings_[0][j, 0] == pytest.approx(np.corrcoef(X[name], other)[0, 1], abs=1e-4)
    assert np.sign(model.loadings_[0][0, 0]) == -np.sign(model.loadings_[1][0, 0])
    np.testing.assert_allclose(model.explained_variance_[0], (model.loadings_[0] ** 2).mean(axis=0))
    np.testing.assert_allclose(model.redundancy_[1], (model.cross_loadings_[1] ** 2).mean(axis=0))


def test_intervals_hold_the_loading_and_noise_contains_zero(model):
    low, high = np.moveaxis(model.loading_intervals_[0], 2, 0)
    assert np.all(low < model.loadings_[0])
    assert np.all(model.loadings_[0] < high)
    assert model.cross_loading_intervals_[0][1, 0, 0] < 0 < model.cross_loading_intervals_[0][1, 0, 1]


def test_table(model):
    table = pd.DataFrame(model.loadings())
    assert table["view"].tolist() == ["x", "x", "y", "y"]
    assert table["feature"].tolist() == ["same", "noise", "opposite", "other"]
    assert list(table)[2:] == ["loading", "low", "high", "cross_loading", "cross_low", "cross_high"]
    with pytest.raises(ValueError, match="components 0 to 0, not 1"):
        model.loadings(component=1)


def test_survive_a_file(model, tmp_path):
    model.save(tmp_path / "m.json")
    loaded = treecca.load(tmp_path / "m.json")
    for name in ("loadings_", "loading_intervals_", "cross_loadings_", "explained_variance_", "redundancy_"):
        for before, after in zip(getattr(model, name), getattr(loaded, name), strict=True):
            np.testing.assert_array_equal(before, after)


def test_without_folds_there_are_no_cross_loadings():
    plain = TreeCCA(1, preset="plain", cross_fit=0, n_estimators=5, random_state=0).fit([X, Y])
    assert np.isfinite(plain.loadings_[0]).all()
    assert np.isnan(plain.cross_loadings_[0]).all()
    assert np.isnan(plain.redundancy_[0]).all()


def test_scores_per_component_and_pair(model):
    rng = np.random.default_rng(1)
    latent = rng.normal(size=100)
    new = {
        "x": pd.DataFrame({"same": latent, "noise": rng.normal(size=100)}),
        "y": pd.DataFrame({"opposite": -latent, "other": rng.normal(size=100)}),
    }
    total = model.score(new)
    assert model.score_components(new).sum() == pytest.approx(total)
    pairs = model.score_pairs(new)
    assert pairs.shape == (2, 2, 1)
    assert pairs[0, 1, 0] == pairs[1, 0, 0] == pytest.approx(total)
