import numpy as np
import pytest

from treecca import TreeCCA, TreeCCASSL, permutation_test

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 4))
Y = np.hstack([X[:, :1] ** 2 + 0.3 * RNG.normal(size=(90, 1)), RNG.normal(size=(90, 3))])
NOISE = RNG.normal(size=(90, 4))


def test_tells_a_relation_from_noise():
    real = permutation_test(TreeCCA(2), [X, Y], n_permutations=99)
    assert real.p_values[0] == 0.01
    assert real.null_.shape == (99, 2)
    assert real.permute == "rows"
    assert permutation_test(TreeCCA(2), [X, NOISE], n_permutations=99).p_values[0] > 0.05


def test_p_values_hold_for_all_components_and_pairs():
    test = permutation_test(TreeCCA(2), {"a": X, "b": Y, "c": NOISE}, n_permutations=40)
    assert np.all(np.diff(test.p_values) >= 0)
    assert test.pairwise_p_values.shape == (3, 3, 2)
    assert np.isnan(test.pairwise_p_values[0, 0]).all()
    np.testing.assert_array_equal(test.pairwise_p_values[0, 1], test.pairwise_p_values[1, 0])
    assert test.pairwise_p_values[0, 1, 0] < test.pairwise_p_values[0, 2, 0]


def test_groups_are_exchanged_as_wholes():
    groups = np.repeat(np.arange(30), 3)
    assert permutation_test(TreeCCA(1), [X, Y], groups=groups, n_permutations=20).permute == "groups"
    within = permutation_test(TreeCCA(1), [X, Y], groups=groups, n_permutations=20, permute="within_groups")
    assert within.permute == "within_groups"


def test_the_seed_decides():
    first, again, other = (
        permutation_test(TreeCCA(1, n_jobs=jobs), [X, Y], n_permutations=20, random_state=seed).null_
        for jobs, seed in ((1, 0), (2, 0), (1, 1))
    )
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_permutations": 0}, "n_permutations must be an integer of at least 1, got 0"),
        ({"n_permutations": 9.5}, "n_permutations must be an integer"),
        ({"permute": "columns"}, 'permute must be auto, rows, groups or within_groups, not "columns"'),
        ({"permute": "groups"}, "need groups"),
        ({"groups": np.arange(80)}, "one label per sample"),
        ({"groups": np.repeat(np.arange(12), [*range(1, 12), 24])}, "No two groups have the same number of samples"),
        ({"groups": np.arange(90), "permute": "within_groups"}, "Every group has one sample"),
    ],
)
def test_bad_input(options, message):
    with pytest.raises(ValueError, match=message):
        permutation_test(TreeCCA(1), [X, Y], **options)


def test_few_permutations_are_named():
    with pytest.warns(UserWarning, match="With 9 permutations no p-value can be below 0.1"):
        permutation_test(TreeCCA(1), [X, Y], n_permutations=9)
    with pytest.warns(UserWarning, match="only 6 different permutations"):
        permutation_test(TreeCCA(1), [X, Y], groups=np.repeat([0, 1, 2], 30), n_permutations=99)


def test_p_values_follow_from_the_null_distribution():
    test = permutation_test(TreeCCA(3), [X, Y], n_permutations=199)
    p = []
    for k, correlation in enumerate(test.correlations):
        reached = test.null_[:, k] >= correlation
        enough = np.flatnonzero(np.cumsum(reached) == 50)
        p.append(50 / (enough[0] + 1) if len(enough) else (1 + reached.sum()) / (1 + len(reached)))
    assert any(value > 0.3 for value in p)  # stopped early
    np.testing.assert_allclose(test.p_values, np.maximum.accumulate(p))


def test_rows_of_groups_and_groups_that_stay_in_place_are_named():
    groups = np.repeat(np.arange(30), 3)
    with pytest.warns(UserWarning, match="valid only if samples of the same group are independent"):
        permutation_test(TreeCCA(1), [X, Y], groups=groups, permute="rows", n_permutations=20)
    groups[:5] = 99  # sizes: 5, 1, and 28 of 3
    with pytest.warns(UserWarning, match=r"2 of 30 groups \(6 samples\) have a size of their own and are not"):
        permutation_test(TreeCCA(1), [X, Y], groups=groups, n_permutations=20)


def test_a_fitted_model_is_compared_with_the_data(recwarn):
    model = TreeCCA(1, n_estimators=5, random_state=0).fit({"a": X, "b": Y})
    recwarn.clear()
    same = permutation_test(model, {"b": Y, "a": X}, n_permutations=19)
    assert not [str(one.message) for one in recwarn if "samples of the fit" in str(one.message)]
    np.testing.assert_array_equal(same.null_, permutation_test(TreeCCA(1), [X, Y], n_permutations=19).null_)
    for views, message in [
        ({"a": X[:60], "b": Y[:60]}, "not the samples of the fit: 60 of 90 samples"),
        ({"a": X, "b": NOISE}, "the model recognises 0% of them"),
        ({"a": X[:, :3], "b": Y}, 'View "a" has 3 features, in the model 4'),
        ({"a": X, "b": Y, "c": NOISE}, "There are 3 views, in the model 2"),
    ]:
        with pytest.warns(UserWarning, match=message):
            permutation_test(model, views, n_permutations=19)


def test_auto_is_the_default():
    tests = [permutation_test(TreeCCA(1), [X, Y], n_permutations=19, **kind) for kind in ({}, {"permute": "auto"})]
    np.testing.assert_array_equal(tests[0].null_, tests[1].null_)


@pytest.mark.parametrize("model", [TreeCCASSL(1), 3])
def test_other_models_are_refused(model):
    with pytest.raises(TypeError, match=f"permutation_test needs a TreeCCA, got a {type(model).__name__}"):
        permutation_test(model, [X, Y])


def test_plot():
    pytest.importorskip("matplotlib").use("Agg")
    from treecca.plot import PermutationTestDisplay

    test = permutation_test(TreeCCA(2), [X, Y], n_permutations=20)
    display = PermutationTestDisplay.from_result(test)
    np.testing.assert_array_equal(display.table_["cc2"], test.null_[:, 1])
    level, *lines = [line.get_xdata()[0] for line in display.ax_.lines]
    assert level == np.quantile(test.null_[:, 0], 0.95)
    assert lines == test.correlations.tolist()
