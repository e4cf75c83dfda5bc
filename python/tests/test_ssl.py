import json
import pickle
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import treecca
from treecca import TreeCCASSL

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def rows(n=200, seed=0):
    """A hidden size shows in all columns, with signs that mean nothing; and that size."""
    rng = np.random.default_rng(seed)
    size = np.abs(rng.normal(size=(n, 1)))
    return size * rng.choice([-1, 1], size=(n, 6)) + 0.1 * rng.normal(size=(n, 6)), size[:, 0]


X, SIZE = rows()
FLIP = {"sign_flip": True, "noise": 0.1}
QUICK = {"n_components": 1, "n_estimators": 20, "random_state": 0, "max_depth": 3}


@parametrize_with_checks([TreeCCASSL(n_components=1, n_estimators=5)])
def test_common_checks(estimator, check):
    check(estimator)


def test_it_finds_what_survives_the_disturbance():
    model = TreeCCASSL(**QUICK, augmentation=FLIP).fit(X)
    fresh, size = rows(1000, seed=1)
    assert abs(np.corrcoef(model.transform(fresh)[:, 0], size)[0, 1]) > 0.8
    other = TreeCCASSL(**QUICK, augmentation={"noise": 0.1}).fit(X)  # signs are kept, so they are learnt as well
    assert other.model_ != model.model_
    np.testing.assert_array_equal(model.embedding_, model.transform(X.astype(np.float32)))
    assert model.embedding_.shape == (200, 1)
    np.testing.assert_allclose(model.feature_importances_.sum(), 1)
    assert model.component_importances_[0].shape == (1, 6)
    assert model.get_feature_names_out().tolist() == ["X_1"]
    assert model.n_iter_ == 20
    assert model.model_.correlations["pairwise"].tolist() == [[[1.0]]]  # a view with itself


@pytest.mark.parametrize("augmentation", [{"swap": 0.3}, {"mask": 0.3}, {"sign_flip": True}, {"noise": 0.5}, None])
@pytest.mark.parametrize("kept", ["stacked", "symmetrised"])
def test_same_seed_same_bytes(augmentation, kept):
    settings = {**QUICK, "n_estimators": 3, "augmentation": augmentation, "rows": kept}
    one = TreeCCASSL(**settings, n_jobs=1).fit(X)
    two = TreeCCASSL(**settings, n_jobs=2).fit(X)
    assert one.model_.to_bytes() == two.model_.to_bytes()
    assert TreeCCASSL(**{**settings, "random_state": 1}).fit(X).model_ != one.model_


def test_none_is_a_swap():
    assert TreeCCASSL(**QUICK).fit(X).model_ == TreeCCASSL(**QUICK, augmentation={"swap": 0.3}).fit(X).model_


def flip(values, rng):
    return values * rng.choice([-1, 1], size=values.shape)


def test_own_augmentation():
    seen = []

    def watched(values, rng):
        assert isinstance(rng, np.random.Generator)
        np.testing.assert_array_equal(values, X)  # as they were given, whatever was done to them before
        drawn = flip(values, rng)
        values[:] = np.nan
        seen.append(drawn)
        return drawn

    one = TreeCCASSL(**QUICK, augmentation=watched).fit(X)
    assert len(seen) >= 2 * 20  # two copies per round
    assert not any(np.array_equal(a, b) for a, b in pairwise(seen))
    assert abs(np.corrcoef(one.embedding_[:, 0], SIZE)[0, 1]) > 0.7
    again = TreeCCASSL(**QUICK, augmentation=flip).fit(X)
    assert again.model_ == one.model_
    assert TreeCCASSL(**{**QUICK, "random_state": 1}, augmentation=flip).fit(X).model_ != one.model_


def test_a_drawn_seed_repeats_the_fit():
    settings = {**QUICK, "random_state": None, "augmentation": flip}
    model = TreeCCASSL(**settings).fit(X)
    seed = int(model.model_.parameters["random_state"])
    assert TreeCCASSL(**{**settings, "random_state": seed}).fit(X).model_ == model.model_


def test_errors_of_the_augmentation_reach_the_caller():
    class OwnError(Exception):
        pass

    def fails_later(values, rng):
        fails_later.calls += 1
        if fails_later.calls > 5:
            raise OwnError("in round 3")
        return flip(values, rng)

    fails_later.calls = 0
    with pytest.raises(OwnError, match="in round 3"):
        TreeCCASSL(**QUICK, augmentation=fails_later).fit(X)


@pytest.mark.parametrize("error", [ValueError("mine"), TypeError("mine"), OverflowError("mine"), KeyError("mine")])
def test_errors_of_the_augmentation_are_not_reworded(error):
    def fails(values, rng):
        raise error

    with pytest.raises(type(error)) as caught:
        TreeCCASSL(**QUICK, augmentation=fails).fit(X)
    assert caught.value is error


def test_an_augmentation_may_use_its_array_again():
    buffer = np.empty(X.shape, dtype=np.float32)

    def into_buffer(values, rng):
        buffer[:] = flip(values, rng)
        return buffer

    assert TreeCCASSL(**QUICK, augmentation=into_buffer).fit(X).model_ == (
        TreeCCASSL(**QUICK, augmentation=flip).fit(X).model_
    )


def only_later(round_number, later):
    """Flips signs, but returns `later(values)` from this round on."""
    calls = []

    def augmentation(values, rng):
        calls.append(None)
        return flip(values, rng) if len(calls) <= 2 * round_number else later(values)

    return augmentation


@pytest.mark.parametrize(
    ("augmentation", "message"),
    [
        (lambda values, rng: values[:5], r"shape it was given: expected \(200, 6\), got \(5, 6\)"),
        (lambda values, rng: values[:, 0], r"got \(200,\)"),
        (lambda values, rng: values[..., None], r"got \(200, 6, 1\)"),
        (lambda values, rng: None, r"got \(\)"),
        (lambda values, rng: values, r"same copy twice.*drawn from its second argument \(rng\)"),
        (lambda values, rng: np.where(values > 1, np.nan, values), "same copy twice"),
        (lambda values, rng: np.random.default_rng(0).normal(size=values.shape), "same copy twice"),
        (lambda values, rng: np.full(values.shape, None), "augmentation returned an array of type object"),
        (lambda values, rng: np.where(values > 0, values, None), "NaN for what is missing"),
        (lambda values, rng: values.astype(str), r"augmentation returned an array of type <U"),
        (lambda values, rng: [*values.tolist()[:-1], ["a"] * 6], r"augmentation returned an array of type <U"),
        (lambda values, rng: values + 1j, "augmentation returned an array of type complex128"),
        (lambda values, rng: [row[: 1 + i % 3] for i, row in enumerate(values.tolist())], "The augmentation returned"),
        (lambda values, rng: np.full(values.shape, np.nan), "augmentation returned a copy in which no feature varies"),
        (lambda values, rng: np.tile(rng.normal(size=6), (200, 1)), "augmentation returned .* no feature varies"),
        (only_later(3, lambda values: values * np.nan), "augmentation returned .* no feature varies"),
        (lambda values, rng: values * np.inf, r"augmentation returned .*infinite .*: row 0, column 0"),
        (only_later(3, lambda values: np.where(values == values[3, 2], np.inf, values)), "row 3, column 2"),
        (lambda values, rng: flip(values, rng) * 1e300, "augmentation returned .*beyond single precision"),
        (lambda values, rng: [[10**400] * 6] * 200, "augmentation returned an array of type object"),
        ({"noise": 10**400}, "noise of the augmentation is too large"),
        ({"noise": Fraction(10**400)}, "noise of the augmentation is too large"),
        ({"noise": 1e39}, "Lower noise"),
        ({"zap": 1, "swap": 0.1}, "names zap; known are: swap, mask, sign_flip, noise"),
        ({1: 2}, "names 1; known are"),
        ({}, "nothing to learn"),
        ({"swap": 0.0}, "nothing to learn"),
        ({"swap": 1.5}, "swap is the fraction of cells that change: at least 0 and below 1"),
        ({"mask": -0.1}, "mask"),
        ({"noise": np.inf}, "noise is a standard deviation"),
        ({"noise": np.nan}, "noise is a standard deviation"),
        ({"swap": "much"}, "swap of the augmentation must be a number, not 'much'"),
        ({"mask": None}, "mask of the augmentation must be a number"),
        ({"sign_flip": 3}, "sign_flip of the augmentation must be True or False"),
        (5, "must be a mapping or a function, got 5"),
    ],
)
def test_augmentations_that_cannot_be_used(augmentation, message):
    with pytest.raises(ValueError, match=message):
        TreeCCASSL(**QUICK, augmentation=augmentation).fit(X)


def test_numbers_of_any_kind_say_how_much():
    plain = TreeCCASSL(**QUICK, augmentation={"swap": 0.5, "sign_flip": True}).fit(X)
    numpy = TreeCCASSL(**QUICK, augmentation={"swap": np.float32(0.5), "sign_flip": np.True_}).fit(X)
    assert numpy.model_ == plain.model_


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"rows": "both"}, "'rows' parameter must be one of stacked, symmetrised, got 'both'"),
        ({"n_components": 0}, "n_components"),
        ({"preset": "best"}, "preset"),
        ({"cross_fit": 1}, "cross_fit"),
        ({"n_jobs": 0}, "n_jobs"),
        ({"random_state": "x"}, "seed"),
    ],
)
def test_parameters_that_cannot_be_used(parameters, message):
    with pytest.raises(ValueError, match=message):
        TreeCCASSL(**{**QUICK, **parameters}).fit(X)


def test_rows_that_cannot_be_used():
    infinite = X.copy()
    infinite[3, 2] = np.inf
    with pytest.raises(ValueError, match=r"Input X contains infinity.*: row 3, column 2"):
        TreeCCASSL(**QUICK).fit(infinite)
    with pytest.raises(ValueError, match="minimum of 10"):
        TreeCCASSL(**QUICK).fit(X[:5])
    with pytest.raises(ValueError, match="constant"):
        TreeCCASSL(**QUICK).fit(np.ones((50, 2)))
    with pytest.raises(NotFittedError):
        TreeCCASSL().transform(X)
    model = TreeCCASSL(**QUICK).fit(X)
    with pytest.raises(ValueError, match="5 features, but TreeCCASSL is expecting 6"):
        model.transform(X[:, :5])


def test_missing_values_and_sparse_tables():
    sparse = pytest.importorskip("scipy.sparse")
    holes = X.copy()
    holes[np.random.default_rng(0).random(X.shape) < 0.2] = np.nan
    model = TreeCCASSL(**QUICK, augmentation=FLIP).fit(holes)
    assert np.isfinite(model.transform(holes)).all()
    zeros = np.where(np.abs(X) < 0.3, 0, X)
    dense = TreeCCASSL(**QUICK).fit(zeros)
    assert TreeCCASSL(**QUICK).fit(sparse.csr_matrix(zeros)).model_ == dense.model_
    np.testing.assert_array_equal(dense.transform(sparse.csc_matrix(zeros)), dense.transform(zeros))


def test_cross_fitting_is_asked_for():
    plain = TreeCCASSL(**QUICK, augmentation=FLIP).fit(X)
    assert np.isnan(plain.correlations_).all()
    assert plain.train_correlations_[0] > 0.5
    fitted = TreeCCASSL(**QUICK, augmentation=FLIP, cross_fit=4).fit(X)
    assert 0.5 < fitted.correlations_[0] < 1
    assert len(fitted.history_["tcc"]) == 20
    assert fitted.linear_correlations_[0] < 0.4  # no linear encoder survives flipped signs


def test_groups_share_a_fold(tmp_path):
    n_groups, n_folds = 40, 5
    # Feature g is 0 but in the rows of group g: trees that have not seen a row of the group cannot split by it.
    owner = np.repeat(np.arange(n_groups), 5)
    table = np.zeros((200, n_groups))
    table[np.arange(200), owner] = np.random.default_rng(0).uniform(1, 2, size=200)
    settings = {**QUICK, "max_depth": 7, "min_child_weight": 1, "colsample_bytree": 1.0, "cross_fit": n_folds}
    settings["augmentation"] = lambda values, rng: values * rng.uniform(0.8, 1.2, size=values.shape)  # zeros stay

    def unseen(model):
        """Per group, the encoders that never split by its feature."""
        model.save(tmp_path / "m.json")
        encoders = json.loads((tmp_path / "m.json").read_text())["views"][0]["parts"][0]["encoders"]
        return [[fold for fold, trees in enumerate(encoders) if g not in trees["feature"]] for g in range(n_groups)]

    leaky = TreeCCASSL(**settings).fit(table)
    assert sum(map(len, unseen(leaky))) < n_groups / 2  # rows of a group are in several folds
    sound = TreeCCASSL(**settings).fit(table, groups=[f"p{g}" for g in owner])
    fold_of_group = unseen(sound)
    assert [len(folds) for folds in fold_of_group] == [1] * n_groups  # all its rows are in one fold
    assert list(np.bincount(np.ravel(fold_of_group))) == [n_groups // n_folds] * n_folds
    renamed = TreeCCASSL(**settings).fit(table, groups=owner)
    assert renamed.model_ == sound.model_
    with pytest.raises(ValueError, match=r"expected shape \(200,\)"):
        TreeCCASSL(**settings).fit(table, groups=owner[:3])
    with pytest.raises(ValueError, match="4 groups cannot fill 5 folds"):
        TreeCCASSL(**settings).fit(table, groups=np.arange(200) % 4)


def test_repeated_index():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, index=np.repeat(np.arange(40), 5))
    with pytest.warns(UserWarning, match="200 samples but only 40 different labels"):
        TreeCCASSL(**QUICK, cross_fit=3).fit(frame)
    without_folds = TreeCCASSL(**QUICK).fit(frame)
    assert not any("repeats" in warning for warning in without_folds.warnings_)


def test_set_output():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=list("abcdef"), index=[f"s{i}" for i in range(200)])
    model = TreeCCASSL(**{**QUICK, "n_components": 2}, augmentation=FLIP).set_output(transform="pandas")
    out = model.fit_transform(frame)
    assert list(out.columns) == ["X_1", "X_2"]
    assert out.index.equals(frame.index)
    np.testing.assert_array_equal(out.to_numpy(), model.set_output(transform="default").transform(frame))
    assert model.feature_names_per_view_ == [list("abcdef")]
    assert set(model.importances()["feature"]) == set("abcdef")


@pytest.mark.parametrize("ending", ["json", "ubj"])
def test_save_and_load(tmp_path, ending):
    model = TreeCCASSL(**{**QUICK, "n_components": 2}, augmentation=FLIP).fit(X)
    model.save(tmp_path / f"m.{ending}")
    again = treecca.load(tmp_path / f"m.{ending}")
    assert isinstance(again, TreeCCASSL)
    assert again.model_ == model.model_
    assert again.n_components == 2
    np.testing.assert_array_equal(again.transform(X), model.transform(X))
    np.testing.assert_array_equal(again.feature_importances_, model.feature_importances_)
    with pytest.raises(ValueError, match="5 features"):
        again.transform(X[:, :5])


def test_a_loaded_model_knows_its_columns(tmp_path):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=list("abcdef"))
    model = TreeCCASSL(**QUICK).fit(frame)
    model.save(tmp_path / "m.json")
    for either in (model, treecca.load(tmp_path / "m.json")):
        np.testing.assert_array_equal(either.transform(frame), model.transform(frame))
        with pytest.raises(ValueError, match="feature names should match"):
            either.transform(frame[list("fedcba")])


def test_clone_and_pickle():
    model = TreeCCASSL(**QUICK, augmentation=flip, rows="symmetrised").fit(X)
    again = pickle.loads(pickle.dumps(model))
    assert again.model_ == model.model_
    np.testing.assert_array_equal(again.transform(X), model.transform(X))
    fresh = clone(model)
    assert not hasattr(fresh, "model_")
    assert fresh.get_params() == model.get_params()


def test_the_papers_preset():
    settings = {"n_components": 2, "random_state": 0, "augmentation": {"sign_flip": True}}
    model = TreeCCASSL(**settings, preset="paper", n_estimators=10).fit(X)
    assert model.n_iter_ == 10
    assert model.model_.parameters["preset"] == "paper"
    assert model.model_.parameters["trees"] == "scalar"
    # The paper's way with the two copies, unless rows says otherwise.
    symmetrised = TreeCCASSL(**settings, preset="paper", n_estimators=10, rows="symmetrised").fit(X)
    stacked = TreeCCASSL(**settings, preset="paper", n_estimators=10, rows="stacked").fit(X)
    assert model.model_ == symmetrised.model_
    assert model.model_ != stacked.model_
    assert np.isfinite(model.transform(X)).all()


def test_without_rotation_no_extra_components_are_fitted():
    assert TreeCCASSL(**QUICK).fit(X).model_.parameters["n_oversamples"] == "5"
    plain = TreeCCASSL(**QUICK, rotate=False).fit(X)
    assert plain.model_.parameters["n_oversamples"] == "0"
    assert plain.transform(X).shape == (200, 1)
    with pytest.raises(ValueError, match=r"n_oversamples needs rotate.* Set n_oversamples to 0"):
        TreeCCASSL(**QUICK, rotate=False, n_oversamples=5).fit(X)


def test_warnings_give_advice_that_can_be_followed():
    (warning,) = TreeCCASSL(**QUICK, augmentation=FLIP).fit(X).warnings_
    assert "Set cross_fit" in warning
    assert "Score" not in warning


def test_in_a_pipeline():
    median = np.median(SIZE)
    label = median < SIZE
    fresh, size = rows(1000, seed=1)
    pipeline = make_pipeline(TreeCCASSL(**QUICK, augmentation=FLIP), LogisticRegression()).fit(X, label)
    assert pipeline.score(fresh, size > median) > 0.85
    assert LogisticRegression().fit(X, label).score(fresh, size > median) < 0.65


def test_report(tmp_path):
    model = TreeCCASSL(**QUICK).fit(X)
    model.report(tmp_path / "r.html")
    assert "<html" in (tmp_path / "r.html").read_text()
    with pytest.raises(ValueError, match="Leave the labels out"):
        model.report(tmp_path / "r.html", labels=SIZE)


def test_progress_is_shown_on_request(capsys):
    TreeCCASSL(**QUICK, verbose=1).fit(X)
    assert capsys.readouterr().err


def test_every_parameter_is_documented():
    head = TreeCCASSL.__doc__.split("Attributes\n")[0]
    assert all(name in head for name in TreeCCASSL().get_params())
