import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from treecca import TreeCCA, TreeCCASSL, stability

RNG = np.random.default_rng(0)
X = RNG.normal(size=(100, 5))
Y = np.hstack([X[:, :1] + 0.3 * RNG.normal(size=(100, 1)), RNG.normal(size=(100, 4))])
VIEWS = {"x": X, "y": Y}
FAST = {"linear": 1, "n_repeats": 1, "random_state": 0}


@pytest.fixture(scope="module")
def model():
    return TreeCCA(2, **FAST).fit(VIEWS)


@pytest.fixture(scope="module")
def result(model):
    return stability(model, VIEWS, n_subsamples=8, n_seeds=2)


def test_a_real_component_is_found_again(model, result):
    assert result.suggested_n_components == 1
    assert result.reason.startswith("K = 1: component 1 is above noise")
    assert result.recovered[0] > 0.8 > result.recovered[1]
    assert result.pair_agreement_.shape == (4, 2) and result.subsample_correlations_.shape == (8, 2)
    np.testing.assert_allclose(result.agreement, result.pair_agreement_.mean(0))
    np.testing.assert_allclose(result.recovered_ranges, np.quantile(result.pair_recovered_, [0.025, 0.975], axis=0).T)
    np.testing.assert_array_equal(result.importances[0], model.component_importances_[0])
    assert result.frequencies[0][0, 0] == result.frequencies[1][0, 0] == pytest.approx(1)
    assert result.n_top == [2, 2]
    assert result.importance_ranges[1].shape == (2, 5, 2)


def test_tables(result):
    components = result.components()
    assert list(components)[:4] == ["component", "recovered", "recovered_low", "recovered_high"]
    features = result.features("y")
    assert all(len(column) == 10 for column in features.values())
    assert features["feature"][0] == "f0" and features["frequency"][0] == pytest.approx(1)
    assert {name: list(column) for name, column in features.items()} == {
        name: list(column) for name, column in result.features(1).items()
    }


def test_threads_do_not_matter_and_the_seed_does(model, result):
    again = stability(TreeCCA(2, n_jobs=1, **FAST).fit(VIEWS), VIEWS, n_subsamples=8, n_seeds=2)
    np.testing.assert_array_equal(result.pair_agreement_, again.pair_agreement_)
    np.testing.assert_array_equal(result.seed_agreement, again.seed_agreement)
    other = stability(model, VIEWS, n_subsamples=8, n_seeds=0, random_state=1)
    assert not np.array_equal(result.pair_agreement_, other.pair_agreement_)
    assert np.isnan(other.seed_agreement).all() and np.isnan(other.seed_agreement_ranges).all()


def test_groups_weights_covariates_and_p_values():
    groups, age = np.repeat(np.arange(50), 2), np.arange(100) % 3
    given = {"groups": groups, "sample_weight": 1 + np.arange(100) % 3, "covariates": {"age": age}}
    model = TreeCCA(1, **FAST).fit(VIEWS, **given)
    tested = stability(model, VIEWS, **given, n_subsamples=2, n_seeds=0, p_values=[0.2])
    assert tested.suggested_n_components == 0
    assert tested.reason == "K = 0: component 1 is not significant (p = 0.2)."
    with pytest.raises(ValueError, match="fitted with covariates"):
        stability(model, VIEWS, groups=groups)
    with pytest.warns(UserWarning, match="results look too stable"):
        stability(model, VIEWS, covariates={"age": age}, n_subsamples=2, n_seeds=0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_subsamples": 0}, "n_subsamples must be an integer of at least 2, got 0"),
        ({"n_subsamples": 3}, "n_subsamples must be even"),
        ({"n_seeds": -1}, "n_seeds must be an integer of at least 0"),
        ({"n_top": 0}, "n_top must be an integer of at least 1"),
        ({"p_values": [0.1]}, "1 p-values, but the model has 2 components"),
        ({"groups": np.repeat(np.arange(5), 20)}, "5 groups are too few to be halved"),
    ],
)
def test_bad_input(model, options, message):
    with pytest.raises(ValueError, match=message):
        stability(model, VIEWS, **options)


def test_other_data_and_models(model):
    with pytest.raises(ValueError, match="not the samples of the fit"):
        stability(model, {"x": X[:90], "y": Y[:90]})
    with pytest.raises(NotFittedError):
        stability(TreeCCA(1), VIEWS)
    with pytest.raises(TypeError, match="needs a fitted TreeCCA, got a TreeCCASSL"):
        stability(TreeCCASSL(1), X)


def test_the_order_of_named_views_does_not_matter(model):
    few = {"n_subsamples": 2, "n_seeds": 0}
    expected, found = stability(model, VIEWS, **few), stability(model, {"y": Y, "x": X}, **few)
    np.testing.assert_array_equal(found.recovered, expected.recovered)


def test_plot(result):
    pytest.importorskip("matplotlib").use("Agg")
    from treecca.plot import StabilityDisplay

    components = StabilityDisplay.from_result(result)
    np.testing.assert_array_equal(components.table_["recovered"], result.recovered)
    features = StabilityDisplay.from_result(result, view="x", component=0, top=3)
    assert features.table_["feature"][0] == "f0" and len(features.ax_.patches) == 3
    with pytest.raises(ValueError, match="components 0 to 1, not 2"):
        StabilityDisplay.from_result(result, view="x", component=2)
    with pytest.raises(ValueError, match="component is for the features of a view"):
        StabilityDisplay.from_result(result, component=1)


def test_intervals_of_correlations(model):
    low, high = model.correlation_intervals_.T
    assert (low < model.correlations_).all() and (model.correlations_ < high).all()
    np.testing.assert_allclose(
        np.arctanh(high) - np.arctanh(low),
        2 * 1.5 * 1.98421695 * model.standard_errors_ / (1 - model.correlations_**2),  # t with 99 degrees of freedom
        rtol=1e-6,
    )
    np.testing.assert_array_equal(model.pairwise_correlation_intervals_[0, 1], model.correlation_intervals_)
    in_sample = TreeCCA(1, preset="plain", cross_fit=0, n_estimators=3).fit(VIEWS)
    assert np.isnan(in_sample.correlation_intervals_).all()
    assert in_sample.pairwise_correlation_intervals_.shape == (2, 2, 1, 2)
