import warnings

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
    result = treecca.cv(
        [X, Y], {"max_depth": [2, 3]}, covariates=CLINICAL, n_components=1, n_estimators=10, random_state=0
    )
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


def test_new_values_far_outside_the_fit_are_named():
    rng = np.random.default_rng(0)
    views = [rng.normal(size=(80, 3)) for _ in range(2)]
    age = rng.uniform(20, 60, size=80)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = TreeCCA(1, n_repeats=1, n_estimators=5, random_state=0).fit(views, covariates={"age": age})
    new = [view[:4] for view in views]
    in_days = {"age": [365.0 * 30, 40, 50, 30]}
    for use in (model.transform, model.explain):
        with pytest.warns(UserWarning, match='"age": 1 of 4 values is far outside the fit.* 1.095e'):
            use(new, covariates=in_days)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.transform(new, covariates={"age": [25, 40, 50, 30]})


def plates(n=N):
    return np.tile([3, 1, 7], n)[:n]


def with_plates():
    """Views whose means differ by plate, without order."""
    shift = 3 * (plates() == 3)
    return [np.c_[RNG.normal(size=N) + shift, RNG.normal(size=(N, 2))] for _ in range(2)]


@pytest.mark.parametrize("kind", ["frame", "series", "categorical", "polars", "class"])
def test_a_categorical_type_makes_classes_of_numbers(kind):
    numbers, text = plates(), plates().astype(str)
    category = pd.Series(pd.Categorical(numbers), name="plate")
    covariates = {
        "frame": lambda: pd.DataFrame({"plate": category}),
        "series": lambda: category,
        "categorical": lambda: {"plate": pd.Categorical(numbers)},
        "polars": lambda: (pl := pytest.importorskip("polars")).DataFrame(
            {"plate": pl.Series(text, dtype=pl.Categorical)}
        ),
        "class": lambda: {"class(plate)": numbers},
    }[kind]()
    views = with_plates()
    settings = {"n_components": 1, "n_estimators": 5, "random_state": 0}
    fitted = TreeCCA(**settings).fit(views, covariates=covariates)
    expected = TreeCCA(**settings).fit(views, covariates={"plate": text})
    assert fitted.covariates_ == ["plate"]
    np.testing.assert_array_equal(fitted.variates_[0], expected.variates_[0])
    for given in (covariates, {"plate": numbers}, {"plate": text}, {"class( plate )": numbers}):
        np.testing.assert_array_equal(
            fitted.transform(views, covariates=given)[1], expected.transform(views, covariates={"plate": text})[1]
        )
    with pytest.raises(ValueError, match='does not know the class "5"'):
        fitted.transform(views, covariates={"class(plate)": plates() + 2})


def test_an_unnamed_categorical_series_has_classes():
    views, numbers = with_plates(), plates()
    fitted = TreeCCA(1, n_estimators=5).fit(views, covariates=pd.Series(pd.Categorical(numbers)))
    with pytest.raises(ValueError, match='Covariate "covariate1": the model does not know the class "5"'):
        fitted.transform(views, covariates=numbers + 2)


def test_a_product_with_numbers_that_are_classes():
    settings = {"n_components": 1, "n_estimators": 5, "random_state": 0}
    given = {"age": AGE, "class(plate)": plates(), "age*class(plate)": None}
    fitted = TreeCCA(**settings).fit([X, Y], covariates=given)
    assert fitted.covariates_ == ["age", "plate", "age*plate"]
    expected = TreeCCA(**settings).fit(
        [X, Y], covariates={"age": AGE, "plate": plates().astype(str), "age*plate": None}
    )
    np.testing.assert_array_equal(fitted.variates_[0], expected.variates_[0])
    with pytest.raises(ValueError, match='"plate" is empty or used twice'):
        TreeCCA(1).fit([X, Y], covariates={"plate": plates(), "class(plate)": plates()})


@pytest.mark.parametrize("as_rows", [list, tuple])
def test_rows_of_numbers_and_text_keep_their_kinds(as_rows):
    settings = {"n_components": 1, "n_estimators": 5, "random_state": 0}
    rows = as_rows([float(age), batch] for age, batch in zip(AGE, BATCH.tolist(), strict=True))
    fitted = TreeCCA(**settings).fit([X, Y], covariates=rows)
    expected = TreeCCA(**settings).fit([X, Y], covariates={"covariate1": AGE, "covariate2": BATCH})
    np.testing.assert_array_equal(fitted.variates_[0], expected.variates_[0])
    with pytest.raises(ValueError, match="rows of different lengths"):
        TreeCCA(1).fit([X, Y], covariates=[*rows[:-1], [50.1]])


def test_many_numbers_as_text_are_refused():
    ages = [f"{age:.1f}" for age in 50 + 10 * AGE]
    with pytest.raises(ValueError, match=r'Covariate "age" has \d+ different numbers as text \(such as "\d\d\.\d"\)'):
        TreeCCA(1).fit([X, Y], covariates={"age": ages})
    sites = [str(number % 30) for number in range(N)]
    with pytest.raises(ValueError, match=r'"site" has 30 .*give them as {"class\(site\)": values}'):
        TreeCCA(1).fit([X, Y], covariates={"site": sites})
    fitted = TreeCCA(1, n_estimators=5).fit([X, Y], covariates={"class(site)": sites})
    fitted.transform([X, Y], covariates={"site": sites})  # which the model knows as classes
    TreeCCA(1, n_estimators=5).fit([X, Y], covariates={"dose": [str(number % 20) for number in range(N)]})


def test_empty_text_is_no_value():
    with pytest.raises(ValueError, match='Covariate "b": sample 3 has no value'):
        TreeCCA(1).fit([X, Y], covariates={"b": ["x"] * 3 + [""] * 40 + ["x"] * (N - 43)})
    with pytest.raises(ValueError, match='Covariate "b": sample 0 has no value'):
        TreeCCA(1).fit([X, Y], covariates={"b": pd.Categorical([""] * 40 + ["x"] * (N - 40))})


def test_lists_of_dates_and_durations_are_refused():
    dates = pd.date_range("2024-01-01", periods=N)
    for values in (list(dates.to_numpy()), list(dates - dates[0]), dates.to_numpy() - dates.to_numpy()[0]):
        with pytest.raises(ValueError, match='Covariate "visit" has dates'):
            TreeCCA(1).fit([X, Y], covariates={"visit": values})


def test_covariates_without_names_for_a_model_with_names(model):
    message = (
        r"given without names \(they are called covariate1(, covariate2)?\), but the model needs \"age\"\. "
        "Give a DataFrame or a mapping"
    )
    rows = [[float(age), batch] for age, batch in zip(AGE, BATCH, strict=True)]
    for given in (AGE, list(AGE), rows, pd.Series(AGE), pytest.importorskip("polars").Series(AGE)):
        for call in (model.transform, model.score, model.explain):
            with pytest.raises(ValueError, match=message):
                call([X, Y], covariates=given)
        for refit in (treecca.stability, permutation_test):
            with pytest.raises(ValueError, match=message):
                refit(model, [X, Y], covariates=given)
        with pytest.raises(ValueError, match=message):
            model.permutation_importance([X, Y], covariates=given, out_of_fold=True)
    unnamed = TreeCCA(1, n_estimators=5).fit([X, Y], covariates=np.c_[AGE, AGE**2])
    with pytest.raises(ValueError, match='"covariate2" is not given'):
        unnamed.transform([X, Y], covariates=AGE)
