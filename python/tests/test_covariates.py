import numpy as np
import pandas as pd
import pytest

import treecca
from treecca import TreeCCA, permutation_test

RNG = np.random.default_rng(0)
N = 200
AGE = RNG.normal(size=N)
BATCH = np.array(["A", "B"])[RNG.integers(0, 2, N)]
X = RNG.normal(size=(N, 4))
Y = RNG.normal(size=(N, 4))
X[:, 0] += 2 * AGE
Y[:, 0] += 2 * AGE**2 + AGE
X[:, 1] += 3 * (BATCH == "A")
Y[:, 1] += 3 * (BATCH == "A")
CLINICAL = pd.DataFrame({"age": 50 + 10 * AGE, "batch": BATCH})


@pytest.fixture(scope="module")
def model():
    return TreeCCA(1, n_estimators=30, random_state=0).fit([X, Y], covariates=CLINICAL)


def test_the_relation_through_covariates_is_removed(model):
    assert TreeCCA(1, n_estimators=30, random_state=0).fit([X, Y]).correlations_[0] > 0.6
    assert abs(model.correlations_[0]) < 0.25
    assert not model.found_[0]
    assert model.covariates_ == ["age", "batch"]
    assert model.linear_unadjusted_correlations_[0] > model.linear_correlations_[0] + 0.3


def test_a_real_relation_survives():
    shared = RNG.normal(size=N)
    real = TreeCCA(1, n_estimators=30, random_state=0).fit(
        [np.c_[X, shared + 0.3 * RNG.normal(size=N)], np.c_[Y, shared**2 + 0.3 * RNG.normal(size=N)]],
        covariates=CLINICAL,
    )
    assert real.correlations_[0] > 0.5


def test_transform_needs_them(model, tmp_path):
    variates = model.transform([X, Y], covariates=CLINICAL)
    np.testing.assert_allclose(variates[0], model.variates_[0], atol=1e-4)
    np.testing.assert_allclose(model.transform(X, view=0, covariates=CLINICAL), variates[0])
    model.save(tmp_path / "m.json")
    loaded = treecca.load(tmp_path / "m.json")
    np.testing.assert_allclose(loaded.transform([X, Y], covariates=CLINICAL.iloc[:, ::-1])[1], variates[1])
    for call in (model.transform, model.score, model.explain, model.predict):
        with pytest.raises(ValueError, match=r"fitted with covariates \(age, batch\)"):
            call([X, Y])


def test_explanations_add_up(model):
    explained = model.explain([X, Y], covariates=CLINICAL)
    for one, variates in zip(explained, model.variates_, strict=True):
        np.testing.assert_allclose(one.base_values + one.values.sum(axis=1), variates, atol=1e-4)


def test_score_and_permutation_test(model):
    with pytest.warns(UserWarning, match="among the samples of the fit"):
        score = model.score([X, Y], covariates=CLINICAL)
    assert score == pytest.approx(max(0, model.train_correlations_[0]), abs=1e-3)
    test = permutation_test(TreeCCA(1), [X, Y], covariates=CLINICAL, n_permutations=19)
    assert test.p_values[0] > 0.05
    result = treecca.cv([X, Y], {"max_depth": [2, 3]}, covariates=CLINICAL, n_components=1, n_estimators=10)
    assert max(result.table["tcc"]) < 0.3


@pytest.mark.parametrize(
    "covariates",
    [
        {"age": CLINICAL["age"], "batch": BATCH},
        CLINICAL.astype({"batch": "category"}),
        CLINICAL.assign(batch=(BATCH == "A")),
    ],
)
def test_kinds_of_tables(covariates):
    fitted = TreeCCA(1, n_estimators=5, random_state=0).fit([X, Y], covariates=covariates)
    assert fitted.covariates_ == ["age", "batch"]


def test_arrays_have_generated_names():
    fitted = TreeCCA(1, n_estimators=5, random_state=0).fit([X, Y], covariates=AGE)
    assert fitted.covariates_ == ["covariate1"]
    polars = pytest.importorskip("polars")
    fitted.fit([X, Y], covariates=polars.DataFrame({"age": AGE, "batch": BATCH}))
    assert fitted.covariates_ == ["age", "batch"]


@pytest.mark.parametrize(
    ("covariates", "message"),
    [
        (CLINICAL.iloc[:50], "one value per sample|has 50|expected shape"),
        (CLINICAL.assign(age=np.nan), 'Covariate "age": sample 0 has no value'),
        (CLINICAL.assign(age=np.where(np.arange(N) == 3, np.nan, AGE)), 'Covariate "age": sample 3 has no value'),
        (CLINICAL.assign(age=np.where(np.arange(N) == 3, np.inf, AGE)), 'Covariate "age": sample 3 has an infinite'),
        ({"age": np.where(np.arange(N) == 3, 1e20, AGE)}, 'Covariate "age": sample "3" has the value 1e'),
        ({"age": AGE, "age*age": None}, "a product needs two different covariates"),
        ({"visit": pd.date_range("2024-01-01", periods=N)}, 'Covariate "visit" has dates. Give a number, such as days'),
        ({"visit": list(pd.date_range("2024-01-01", periods=N).date)}, "has dates"),
        (CLINICAL.assign(age=1.0), "all samples have the same value"),
        (CLINICAL.assign(batch=[f"b{i}" for i in range(N)]), "too many for 200 independent samples"),
        (np.zeros((N, 2, 2)), "one row per sample"),
    ],
)
def test_bad_covariates(covariates, message):
    with pytest.raises(ValueError, match=message):
        TreeCCA(1).fit([X, Y], covariates=covariates)


def test_messages_have_the_label_of_the_sample():
    index = [f"s{i}" for i in range(N)]
    views, age = [pd.DataFrame(X, index=index), pd.DataFrame(Y, index=index)], pd.Series(AGE, index=index, name="age")
    for value, message in [(np.nan, 'sample "s3" has no'), (np.inf, 'sample "s3" has an infinite')]:
        with pytest.raises(ValueError, match=message):
            TreeCCA(1).fit(views, covariates=age.where(np.arange(N) != 3, value))


@pytest.mark.parametrize("kind", ["series", "frame", "mapping"])
def test_an_index_in_another_order_is_refused(kind):
    views = [pd.DataFrame(X), pd.DataFrame(Y)]
    shuffled = CLINICAL.iloc[::-1]
    covariates = {"series": shuffled["age"], "frame": shuffled, "mapping": {"age": shuffled["age"]}}[kind]
    with pytest.raises(ValueError, match="The index of covariate"):
        TreeCCA(1).fit(views, covariates=covariates)


def test_one_extreme_value_does_not_make_a_correlation():
    """The regression without the fold of the sample extrapolated to it, in both views alike: correlations of 1."""
    found = 0
    for seed in range(4):
        rng = np.random.default_rng(seed)
        views, age = rng.normal(size=(2, 60, 3)), rng.normal(50, 10, 60)
        age[7] = 500
        with pytest.warns(UserWarning, match='the farthest is 500 in sample "7"'):
            fitted = TreeCCA(1, n_repeats=1, random_state=0).fit(list(views), covariates={"age": age})
        found += fitted.found_[0]
    assert found == 0


def test_unknown_classes_are_named(model):
    with pytest.raises(ValueError, match='does not know the class "C"; it was fitted with A, B'):
        model.transform([X, Y], covariates=CLINICAL.assign(batch="C"))


def test_the_permutation_test_wants_what_the_fit_had(model):
    with pytest.raises(ValueError, match=r"fitted with covariates \(age, batch\)"):
        permutation_test(model, [X, Y], n_permutations=9)
    with pytest.raises(ValueError, match="fitted with other covariates: age, batch"):
        permutation_test(model, [X, Y], covariates=CLINICAL[["age"]], n_permutations=9)
    plain = TreeCCA(1, n_estimators=5, random_state=0).fit([X, Y], groups=np.repeat(np.arange(50), 4))
    for call in (
        plain.transform,
        plain.score,
        lambda views, covariates: permutation_test(plain, views, covariates=covariates),
    ):
        with pytest.raises(ValueError, match="fitted without covariates"):
            call([X, Y], covariates=CLINICAL)
    with pytest.warns(UserWarning, match="fitted with groups"):
        permutation_test(plain, [X, Y], n_permutations=19)


def test_products_remove_effects_that_differ_by_another_covariate():
    rng = np.random.default_rng(1)
    n = 400
    age, sex = rng.normal(size=n), rng.choice(["f", "m"], size=n)
    sign = np.where(sex == "f", 1, -1)
    views = [rng.normal(size=(n, 3)) for _ in range(2)]
    for view in views:
        view[:, 0] += 2 * sign * age
    single = {"age": age, "sex": sex}
    settings = {"n_components": 1, "n_estimators": 30, "random_state": 0}
    assert TreeCCA(**settings).fit(views, covariates=single).correlations_[0] > 0.5
    crossed = {**single, "age*sex": None}
    model = TreeCCA(**settings).fit(views, covariates=crossed)
    assert model.correlations_[0] < 0.2
    assert model.covariates_ == ["age", "sex", "age*sex"]
    variates = model.transform(views, covariates=pd.DataFrame(single))
    np.testing.assert_allclose(variates[0], model.variates_[0], atol=1e-4)
    assert permutation_test(model, views, covariates=crossed, n_permutations=19).p_values[0] > 0.05
    with pytest.raises(ValueError, match="fitted with other covariates: age, sex, age"):
        permutation_test(model, views, covariates=single, n_permutations=19)
    with pytest.raises(ValueError, match='no covariate "height"'):
        TreeCCA(**settings).fit(views, covariates={**single, "age*height": None})
