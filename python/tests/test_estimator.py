import pickle

import numpy as np
import pytest
from conftest import related_views
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import treecca
from treecca import TreeCCA, TreeMCCA, metrics


def test_fit_finds_shared_components_out_of_fold(views, quick):
    model = TreeCCA(**quick).fit(views)
    fresh = related_views(2000, seed=1)
    assert model.correlations_.shape == (2,)
    assert np.all(np.diff(model.correlations_) <= 0)
    assert model.correlations_.sum() > 1.5
    assert abs(model.score(fresh) - model.correlations_.sum()) < 0.15
    assert model.train_correlations_.sum() > model.correlations_.sum()
    assert model.pairwise_correlations_.shape == (2, 2, 2)
    np.testing.assert_allclose(model.pairwise_correlations_[0, 1], model.correlations_)


def test_importances_point_at_the_features_that_matter(views, quick):
    model = TreeCCA(**quick).fit(views)
    for importances, per_component in zip(
        model.feature_importances_per_view_, model.component_importances_, strict=True
    ):
        assert importances.shape == (5,)
        assert per_component.shape == (2, 5)
        np.testing.assert_allclose(importances.sum(), 1)
        np.testing.assert_allclose(per_component.sum(axis=1), 1)
        assert importances[:2].sum() > 0.8


def test_importances_by_name(views, quick):
    model = TreeCCA(**quick).fit({"rna": views[0], "prot": views[1]})
    ranked = model.importances("prot", component=1, kind="splits")
    assert set(ranked["feature"]) == {"f0", "f1", "f2", "f3", "f4"}
    assert np.all(np.diff(ranked["importance"]) <= 0)
    np.testing.assert_allclose(model.importances(0)["importance"].sum(), 1)
    everything = model.importances()
    assert list(everything) == ["view", "feature", "importance"]
    for name in model.view_names_:
        chosen = everything["view"] == name
        np.testing.assert_array_equal(everything["importance"][chosen], model.importances(name)["importance"])
        assert list(everything["feature"][chosen]) == list(model.importances(name)["feature"])


def test_transform_of_training_rows_is_what_the_fit_had(views, quick):
    model = TreeCCA(**quick, preset="plain")
    variates = model.fit_transform(views)
    for z, kept in zip(variates, model.variates_, strict=True):
        np.testing.assert_array_equal(z, kept)
        assert z.dtype == np.float64  # as the views were given
    np.testing.assert_allclose(
        metrics.component_correlations(model.out_of_fold_variates_), model.correlations_, atol=1e-5
    )


def test_one_view_alone(views, quick):
    model = TreeCCA(**quick).fit({"rna": views[0], "prot": views[1]})
    both = model.transform({"rna": views[0], "prot": views[1]})
    assert list(both) == ["rna", "prot"]
    np.testing.assert_array_equal(model.transform({"prot": views[1]})["prot"], both["prot"])
    np.testing.assert_array_equal(model.transform(views[1], view="prot"), both["prot"])
    np.testing.assert_array_equal(model.transform(views[1], view=1), both["prot"])
    first, absent = model.transform([views[0], None])
    np.testing.assert_array_equal(first, both["rna"])
    assert absent is None


def test_predict_is_the_best_linear_guess_of_the_other_view(views, quick):
    model = TreeCCA(**quick).fit(views)
    fresh = related_views(4000, seed=2)
    known, wanted = model.transform(fresh)
    guess = model.predict(fresh)
    np.testing.assert_array_equal(guess, model.predict(fresh[0]))
    np.testing.assert_array_equal(guess, model.predict([fresh[0], None], source=0, target=1))
    for k in range(2):
        slope = np.polyfit(known[:, k], wanted[:, k], 1)[0]
        np.testing.assert_allclose(guess[:, k], known[:, k] * model.correlations_[k], rtol=1e-5)
        assert abs(slope - model.correlations_[k]) < 0.1
    assert model.predict(fresh, source=1, target=0).shape == (4000, 2)


def test_many_views_under_the_papers_name(quick):
    views = related_views(n_views=4)
    model = TreeMCCA(**quick).fit(views)
    assert model.pairwise_correlations_.shape == (4, 4, 2)
    assert len(model.transform(views)) == 4
    assert repr(model).startswith("TreeMCCA(")


def test_correlations_have_the_components_asked_for_not_those_trained(quick):
    views = related_views(n_views=3)
    model = TreeCCA(**quick, preset="plain", n_oversamples=3).fit(views)
    assert model.pairwise_correlations_.shape == (3, 3, 2)
    expected = metrics.pairwise_correlations(model.out_of_fold_variates_)
    np.testing.assert_allclose(model.pairwise_correlations_, expected, atol=1e-5)
    assert model.history_["variance"].shape == (30, 3, 5)
    without_folds = TreeCCA(**quick, n_oversamples=3, cross_fit=0).fit(views)
    expected = metrics.pairwise_correlations(without_folds.variates_)
    np.testing.assert_allclose(without_folds.model_.correlations["pairwise"], expected, atol=1e-5)


def test_same_seed_same_bytes_whatever_the_threads(views, quick):
    one = TreeCCA(**quick, n_jobs=1).fit(views)
    two = TreeCCA(**quick, n_jobs=2).fit(views)
    other = TreeCCA(**{**quick, "random_state": 1}).fit(views)
    assert one.model_.to_bytes() == two.model_.to_bytes()
    assert one.model_.to_bytes() != other.model_.to_bytes()


def test_single_and_double_precision_and_any_strides_agree(quick):
    views = [v.astype(np.float32) for v in related_views()]
    plain = TreeCCA(**quick).fit(views).model_.to_bytes()
    for other in (
        [v.astype(np.float64) for v in views],
        [np.asfortranarray(v) for v in views],
        [np.repeat(v, 2, axis=1)[:, ::2] for v in views],
        [v.tolist() for v in views],
    ):
        assert TreeCCA(**quick).fit(other).model_.to_bytes() == plain


def test_threads_are_counted_as_joblib_counts_them(views, quick):
    from joblib import cpu_count

    from treecca._parameters import thread_number

    assert [thread_number(n) for n in (None, -1, 1, 3)] == [-1, -1, 1, 3]
    assert thread_number(-2) == max(cpu_count() - 1, 1)
    assert thread_number(-1000) == 1
    model = TreeCCA(**quick, n_jobs=-2).fit(views)
    assert model.model_ == TreeCCA(**quick).fit(views).model_
    model.transform(views)
    with pytest.raises(ValueError, match="n_jobs"):
        model.set_params(n_jobs=0).transform(views)


def test_metrics_do_not_lose_small_numbers_beside_great_ones():
    rng = np.random.default_rng(0)
    a = rng.normal(size=(200, 2))
    b = a + rng.normal(size=(200, 2))
    expected = [abs(np.corrcoef(a[:, k], b[:, k])[0, 1]) for k in range(2)]
    for shift, scale in ((0, 1), (1e8, 1), (0, 1e-60), (0, 1e60)):
        moved = [a * scale + shift, b * scale - 3 * shift]
        np.testing.assert_allclose(metrics.component_correlations(moved), expected, rtol=1e-5)
        np.testing.assert_allclose(metrics.pairwise_correlations(moved)[0, 1], expected, rtol=1e-5)
        np.testing.assert_allclose(metrics.tcc(moved), sum(expected), rtol=1e-5)
        np.testing.assert_allclose(metrics.distinct_tcc(moved), metrics.distinct_tcc([a, b]), rtol=1e-5)
    constant = np.full((200, 2), 0.1)
    assert metrics.tcc([constant, b]) == 0


def test_generators_and_none_are_seeds(views, quick):
    del quick["random_state"]
    a = TreeCCA(**quick, random_state=np.random.default_rng(5)).fit(views)
    b = TreeCCA(**quick, random_state=np.random.default_rng(5)).fit(views)
    assert a.model_ == b.model_
    TreeCCA(**quick).fit(views)
    TreeCCA(**quick, random_state=np.random.RandomState(3)).fit(views)


def test_clone_and_pickle(views, quick):
    model = TreeCCA(**quick, max_depth=[2, 3]).fit(views)
    again = pickle.loads(pickle.dumps(model))
    assert again.model_ == model.model_
    np.testing.assert_array_equal(again.transform(views)[0], model.transform(views)[0])
    fresh = clone(model)
    assert not hasattr(fresh, "model_")
    assert fresh.get_params() == model.get_params()


@pytest.mark.parametrize("ending", ["json", "ubj"])
def test_save_and_load(views, quick, tmp_path, ending):
    model = TreeCCA(**quick, max_depth=[2, 3]).fit({"rna": views[0], "prot": views[1]})
    model.save(tmp_path / f"m.{ending}")
    again = treecca.load(tmp_path / f"m.{ending}")
    assert again.model_ == model.model_
    assert again.view_names_ == ["rna", "prot"]
    assert again.max_depth == [2, 3]
    assert again.early_stopping_rounds == 0
    assert again.n_repeats == again.linear == again.screen == again.cross_fit == again.preset == "auto"
    assert (
        treecca.load(tmp_path / f"m.{ending}").model_
        == TreeCCA(**quick, max_depth=[2, 3], n_jobs=1).fit({"rna": views[0], "prot": views[1]}).model_
    )
    np.testing.assert_array_equal(again.correlations_, model.correlations_)
    np.testing.assert_array_equal(again.transform(views)[1], model.transform(views)[1])


def test_a_loaded_model_takes_the_same_tables(views, quick, tmp_path):
    pd = pytest.importorskip("pandas")
    model = TreeCCA(**quick).fit(views)
    model.save(tmp_path / "m.json")
    expected = model.transform(views)[0]
    for either in (model, treecca.load(tmp_path / "m.json")):
        for columns in (list("abcde"), range(5), [f"f{j}" for j in range(5)]):
            frames = [pd.DataFrame(v, columns=columns) for v in views]
            np.testing.assert_array_equal(either.transform(frames)[0], expected)
        frames = [frame.iloc[:, ::-1] for frame in frames]  # called f4, f3, ...: these are names of the model
        np.testing.assert_array_equal(either.transform(frames)[0], expected)
        with pytest.raises(ValueError, match='lacks 1 of the 5 features seen at fit time: "f4"'):
            either.transform([frame.rename(columns={"f4": "g"}) for frame in frames])


def test_warns_of_sample_ids_among_the_features(views, quick):
    pd = pytest.importorskip("pandas")
    tables = [pd.DataFrame(view).add_prefix(prefix) for view, prefix in zip(views, "ab", strict=True)]
    for table in tables:
        table["subject"] = np.arange(len(table))
    with pytest.warns(UserWarning, match='Column "subject" of all views holds a different integer in every row'):
        model = TreeCCA(**quick).fit(tables)
    assert "subject" in model.warnings_[0]


def test_without_cross_fitting_out_of_fold_results_are_nan(views, quick):
    with pytest.warns(UserWarning, match="cross-fitting"):
        model = TreeCCA(**quick, preset="paper").fit(views)
    assert np.isnan(model.correlations_).all()
    assert np.isnan(model.pairwise_correlations_).all()
    assert model.train_correlations_.sum() > 1
    assert model.out_of_fold_variates_ == []


def test_groups_share_a_fold(quick):
    views = [np.repeat(v, 3, axis=0) for v in related_views(60)]
    rng = np.random.default_rng(0)
    noise = [rng.normal(size=(180, 4)) for _ in range(2)]
    subject = np.repeat([f"s{i}" for i in range(60)], 3)
    model = TreeCCA(**quick).fit(views, groups=subject)
    assert model.correlations_.shape == (2,)
    repeated = [np.repeat(v[:60], 3, axis=0) for v in noise]
    leaky = TreeCCA(**quick).fit(repeated)
    with pytest.warns(UserWarning):
        sound = TreeCCA(**quick).fit(repeated, groups=subject)
    assert sound.correlations_.sum() < leaky.correlations_.sum() - 0.3


def test_sample_weight(quick):
    views = related_views(400)
    plain = TreeCCA(**quick).fit(views)
    assert TreeCCA(**quick).fit(views, sample_weight=np.full(400, 2.5)).model_ == plain.model_
    spoiled = [v.copy() for v in views]
    spoiled[1][::2] = np.random.default_rng(5).normal(size=(200, 5)) * 3
    weight = np.where(np.arange(400) % 2 == 0, 0.0, 1.0)
    weighted = TreeCCA(**quick).fit(spoiled, sample_weight=weight)
    assert weighted.correlations_.sum() > TreeCCA(**quick).fit(spoiled).correlations_.sum() + 0.3
    result = treecca.cv(spoiled, {"max_depth": [2, 4]}, **quick, sample_weight=weight)
    np.testing.assert_array_equal(result.correlations[1], weighted.correlations_)
    for wrong, message in (
        (np.ones(3), "expected"),
        (-np.arange(400.0), "negative"),
        (np.zeros(400), "zero"),
        (np.ones((400, 1)), "one weight per sample"),
    ):
        with pytest.raises(ValueError, match=message):
            TreeCCA(**quick).fit(views, sample_weight=wrong)


def test_progress_is_shown_on_request(views, quick, capsys):
    TreeCCA(**quick, verbose=1).fit(views)
    assert "TreeCCA" in capsys.readouterr().err
    TreeCCA(**quick).fit(views)
    assert capsys.readouterr().err == ""


def test_history_and_timings(views, quick):
    model = TreeCCA(**quick, preset="plain").fit(views)
    assert model.n_iter_ == 30
    np.testing.assert_array_equal(model.history_["round"], np.arange(1, 31))
    assert {name: curve.shape for name, curve in model.history_.items()} == {
        "round": (30,),
        "loss": (30,),
        "tcc": (30,),
        "train_tcc": (30,),
        "variance": (30, 2, 2),
    }
    assert model.timings_["grow"] > 0


def test_unfitted_use(views):
    for call in (
        lambda m: m.transform(views),
        lambda m: m.score(views),
        lambda m: m.predict(views),
        lambda m: m.save("x.json"),
        lambda m: m.get_feature_names_out(),
    ):
        with pytest.raises(NotFittedError):
            call(TreeCCA())


def test_a_model_is_made_of_bytes_alone(views):
    """As skops wants it, which calls nothing but constructors."""
    model = TreeCCA(1, n_estimators=2, random_state=0).fit(views).model_
    kind, arguments = model.__reduce__()
    assert kind is type(model)
    assert [type(argument) for argument in arguments] == [bytes]
    assert kind(*arguments) == model


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_every_protocol_of_pickle(protocol, views):
    model = TreeCCA(1, n_repeats=1, n_estimators=5, random_state=0).fit(views)
    again = pickle.loads(pickle.dumps(model, protocol))
    np.testing.assert_array_equal(again.transform(views)[0], model.transform(views)[0])


def test_a_fitted_model_shows_what_it_found(views):
    assert repr(TreeCCA(2)) == "TreeCCA()"
    model = TreeCCA(1, n_repeats=1, n_estimators=20, random_state=0).fit(views)
    first, second = repr(model).split("\n")
    assert first == "TreeCCA(n_components=1, n_estimators=20, n_repeats=1, random_state=0)"
    rows, features = (len(views[0]), [v.shape[1] for v in views])
    assert second == (
        f"Fitted to {rows} samples of view0 ({features[0]} features), view1 ({features[1]} features): "
        f"{int(model.found_.sum())} of 1 components above noise; out-of-fold correlations {model.correlations_[0]:.2f}"
    )
    with pytest.warns(UserWarning, match="Without cross-fitting"):
        assert "in-sample correlations" in repr(TreeCCA(1, cross_fit=0, n_estimators=5).fit(views))
