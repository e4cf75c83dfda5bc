"""preset="auto": parts of the samples, blended with linear CCA."""

import pickle
import warnings

import numpy as np
import pytest
from conftest import related_views
from sklearn.base import clone

import treecca
from treecca import TreeCCA, TreeCCASSL, metrics

QUICK = {"n_components": 2, "n_estimators": 20, "random_state": 0}


def linear_views(n=100, seed=0):
    """Two views that share two latents linearly, among noise: linear CCA is the best model."""
    rng = np.random.default_rng(seed)
    latent = rng.normal(size=(n, 2))
    return [latent @ rng.normal(size=(2, 6)) + 0.5 * rng.normal(size=(n, 6)) for _ in range(2)]


def independent_views(n=200, seed=0):
    return list(np.random.default_rng(seed).normal(size=(2, n, 4)))


def fitted(kind="auto", n_views=2, n=120, **settings):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        if kind == "ssl":
            return TreeCCASSL(**QUICK, **settings).fit(related_views(n)[0])
        return TreeCCA(**QUICK, preset=kind, **settings).fit(related_views(n, n_views=n_views))


def assert_same_attributes(ours, theirs):
    for name in (
        "correlations_",
        "standard_errors_",
        "found_",
        "linear_weight_",
        "pairwise_correlations_",
        "linear_correlations_",
        "linear_train_correlations_",
        "train_correlations_",
        "n_iter_",
    ):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name), err_msg=name)
    assert len(ours.candidates_) == len(theirs.candidates_)
    for a, b in zip(ours.candidates_, theirs.candidates_, strict=True):
        assert a.keys() == b.keys()
        for name in a:
            np.testing.assert_array_equal(a[name], b[name])
    assert ours.history_.keys() == theirs.history_.keys()
    for name in ours.history_:
        np.testing.assert_array_equal(ours.history_[name], theirs.history_[name])


@pytest.mark.parametrize(
    ("kind", "n_views", "settings", "has_folds", "weights"),
    [
        ("auto", 2, {}, True, [0, 0.5, 1]),
        ("auto", 3, {}, True, [0, 0.5, 1]),
        ("auto", 2, {"linear": 0.3}, True, [0.3]),
        ("auto", 2, {"n_repeats": 0}, True, [0, 0.5, 1]),
        ("auto", 2, {"cross_fit": 0}, False, [0]),
        ("plain", 2, {}, True, [0]),
        ("plain", 3, {}, True, [0]),
        ("plain", 2, {"cross_fit": 0}, False, [0]),
        ("paper", 2, {}, False, [0]),
        ("paper", 2, {"cross_fit": 3}, True, [0]),
        ("ssl", 1, {}, False, [0]),
        ("ssl", 1, {"cross_fit": 3}, True, [0]),
    ],
)
def test_every_fit_has_the_attributes(kind, n_views, settings, has_folds, weights):
    model = fitted(kind, n_views, **settings)
    for name in ("correlations_", "standard_errors_", "found_", "linear_correlations_", "train_correlations_"):
        assert getattr(model, name).shape == (2,), name
    assert model.found_.dtype == bool
    assert isinstance(model.linear_weight_, float)
    assert model.pairwise_correlations_.shape == (n_views, n_views, 2)
    assert [one["linear"] for one in model.candidates_] == weights
    assert [set(one) for one in model.candidates_] == [{"linear", "tcc", "judged", "correlations", "chosen"}] * len(
        weights
    )
    assert [one["linear"] for one in model.candidates_ if one["chosen"]] == [model.linear_weight_]
    assert all(one["correlations"].shape == (2,) for one in model.candidates_)
    if not has_folds:
        assert np.isnan(model.correlations_).all() and np.isnan(model.standard_errors_).all()
        assert np.isnan(model.linear_correlations_).all() and np.isnan(model.pairwise_correlations_).all()
        assert not model.found_.any()
        assert np.isnan([model.candidates_[0]["tcc"], model.candidates_[0]["judged"]]).all()
        assert np.isnan(model.candidates_[0]["correlations"]).all()
        return
    assert (model.standard_errors_ > 0).all()
    for one in model.candidates_:
        assert one["tcc"] == pytest.approx(np.maximum(one["correlations"], 0).sum())
    if n_views > 1:
        i, j = np.triu_indices(n_views, 1)
        np.testing.assert_allclose(model.pairwise_correlations_[i, j].mean(axis=0), model.correlations_, atol=1e-12)
        np.testing.assert_allclose(model.pairwise_correlations_, model.pairwise_correlations_.transpose(1, 0, 2))
        assert [z.shape for z in model.out_of_fold_variates_] == [(120, 2)] * n_views


@pytest.mark.parametrize("n_views", [2, 3])
def test_the_candidates_say_what_was_compared(n_views):
    model = fitted(n_views=n_views)
    best = max(model.candidates_, key=lambda one: one["judged"])
    assert best["chosen"] and model.linear_weight_ == 0  # the relation is not linear
    linear = next(one for one in model.candidates_ if one["linear"] == 1)
    np.testing.assert_array_equal(model.linear_correlations_, linear["correlations"])
    np.testing.assert_allclose(np.maximum(model.correlations_, 0).sum(), best["tcc"], atol=0.05)


def test_linear_cca_is_taken_where_it_is_better():
    views = linear_views(2000)
    rows = [view[:60] for view in views]
    model = TreeCCA(2, random_state=0).fit(rows)
    assert model.linear_weight_ > 0 and model.found_.all()
    plain = TreeCCA(2, preset="plain", random_state=0).fit(rows)
    assert model.correlations_.sum() > plain.correlations_.sum() + 0.1
    new = [view[60:] for view in views]
    assert model.score(new) > plain.score(new) + 0.1
    assert abs(model.score(new) - model.correlations_.sum()) < 0.15


def test_linear_cca_alone_has_no_trees():
    views = linear_views()
    model = TreeCCA(2, linear=1, random_state=0).fit(views)
    assert model.linear_weight_ == 1 and model.n_iter_ == 0 and model.model_.n_parts() == 0
    assert [one["linear"] for one in model.candidates_] == [1]
    np.testing.assert_array_equal(model.correlations_, model.linear_correlations_)
    for number, (x, z) in enumerate(zip(views, model.transform(views), strict=True)):
        mean, weights = model.model_.linear_map(number)
        np.testing.assert_allclose((x - mean) @ weights, z, atol=1e-5)
        np.testing.assert_allclose(model.variates_[number], z, atol=1e-5)
        np.testing.assert_allclose(model.importances(number)["importance"].sum(), 1)
    assert all(len(curve) == 0 for curve in model.history_.values())


def test_trees_alone_have_no_linear_map():
    model = fitted(linear=0)
    assert model.linear_weight_ == 0 and model.model_.n_parts() == 15
    assert [model.model_.linear_map(v) for v in range(2)] == [None, None]
    assert model.model_.rotation(0, 14).shape == (4, 2)


def test_importances_are_blended_as_the_variates_are():
    model = fitted(linear=0.5)
    for view in range(2):
        values = {kind: model.importances(view, kind=kind) for kind in ("gain", "trees", "linear", "cover", "splits")}
        sorted_by_name = {
            kind: one["importance"][np.argsort(one["feature"].astype(str))] for kind, one in values.items()
        }
        assert all(one.sum() == pytest.approx(1) for one in sorted_by_name.values())
        lower = np.minimum(sorted_by_name["trees"], sorted_by_name["linear"])
        upper = np.maximum(sorted_by_name["trees"], sorted_by_name["linear"])
        assert (lower - 1e-9 <= sorted_by_name["gain"]).all() and (sorted_by_name["gain"] <= upper + 1e-9).all()


def test_found_is_false_on_noise_and_true_on_signal():
    with pytest.warns(UserWarning, match="No component exceeds its noise threshold"):
        noise = TreeCCA(**QUICK).fit(independent_views())
    assert not noise.found_.any()
    signal = fitted(n=300)
    assert signal.found_.all()
    for model in (noise, signal):
        np.testing.assert_array_equal(model.found_, model.correlations_ > model.model_.correlations["noise_thresholds"])
        thresholds = model.model_.correlations["noise_thresholds"]
        assert ((thresholds > 3 * model.standard_errors_) & (thresholds <= 1)).all()


@pytest.mark.parametrize("ending", ["json", "ubj"])
@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("auto", {}),
        ("auto", {"linear": 0.5}),
        ("auto", {"linear": 1}),
        ("auto", {"cross_fit": 0}),
        ("plain", {}),
        ("paper", {}),
        ("ssl", {"cross_fit": 3}),
    ],
)
def test_save_and_load_keep_everything(kind, settings, ending, tmp_path):
    model = fitted(kind, **settings)
    model.save(tmp_path / f"m.{ending}")
    again = treecca.load(tmp_path / f"m.{ending}")
    assert type(again) is type(model)
    assert again.model_ == model.model_
    assert_same_attributes(again, model)
    data = related_views(30, seed=1)
    data = data[0] if kind == "ssl" else data
    np.testing.assert_array_equal(np.asarray(again.transform(data)), np.asarray(model.transform(data)))
    assert again.n_estimators == 20 and again.random_state == 0
    assert again.preset == ("plain" if kind == "ssl" else kind)
    for name, value in settings.items():
        assert getattr(again, name) == value
    if kind == "auto" and not settings:
        assert again.linear == again.n_repeats == again.max_depth == again.screen == "auto"


def test_a_loaded_model_fits_the_same_again(tmp_path):
    model = fitted()
    model.save(tmp_path / "m.json")
    again = clone(treecca.load(tmp_path / "m.json"))
    assert again.fit(related_views(120)).model_ == model.model_


def test_pickle_and_clone():
    model = fitted(n_repeats=1, linear="auto")
    again = pickle.loads(pickle.dumps(model))
    assert again.model_ == model.model_
    assert_same_attributes(again, model)
    for a, b in zip(again.out_of_fold_variates_, model.out_of_fold_variates_, strict=True):
        np.testing.assert_array_equal(a, b)
    fresh = clone(model)
    assert not hasattr(fresh, "model_") and fresh.get_params() == model.get_params()
    assert fresh.fit(related_views(120)).model_ == model.model_


def test_none_is_the_value_of_the_preset_and_auto_overrides_it():
    assert fitted("plain", n_repeats=None).model_ == fitted("plain").model_
    overridden = fitted("plain", n_repeats="auto", linear="auto")
    assert overridden.model_.n_parts() == 15
    assert len(overridden.candidates_) == 3
    assert overridden.model_.asked["n_repeats"] == "auto" and overridden.model_.parameters["n_repeats"] == "3"


def test_variates_are_those_of_the_model():
    views = related_views(120)
    model = TreeCCA(**QUICK)
    for given, kept, again in zip(model.fit_transform(views), model.variates_, model.transform(views), strict=True):
        np.testing.assert_array_equal(given, again)
        np.testing.assert_allclose(given, kept, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(
        metrics.component_correlations(model.variates_), model.train_correlations_, rtol=1e-5, atol=1e-6
    )


def test_out_of_fold_variates_are_those_of_fewer_parts():
    model = fitted(n=150)
    shown = metrics.component_correlations(model.out_of_fold_variates_)
    assert (shown < model.train_correlations_).all()
    assert np.abs(shown - model.correlations_).max() < 0.1
    assert shown.sum() < model.correlations_.sum()


@pytest.mark.parametrize("settings", [{}, {"linear": 0.5, "n_estimators": None}])
def test_threads_do_not_change_a_byte(settings):
    views = related_views(150, n_views=3)
    models = [TreeCCA(**{**QUICK, **settings}, n_jobs=jobs).fit(views) for jobs in (1, 2)]
    assert models[0].model_.to_bytes() == models[1].model_.to_bytes()
    for a, b in zip(models[0].out_of_fold_variates_, models[1].out_of_fold_variates_, strict=True):
        np.testing.assert_array_equal(a, b)


def test_rounds_given_are_exact():
    model = fitted()
    assert model.n_iter_ == 20
    np.testing.assert_array_equal(model.history_["round"], [10, 20])
    assert model.history_["tcc"].shape == (2,)
    assert [len(model.history_[name]) for name in ("loss", "train_tcc", "variance")] == [0, 0, 0]
    chosen = fitted(**{"n_repeats": 1}).set_params(n_estimators=None).fit(related_views(120))
    assert chosen.model_.parameters["n_estimators"] == "500"
    assert 20 <= chosen.n_iter_ <= 500


def test_groups_stay_together():
    rng = np.random.default_rng(0)
    subject = np.repeat(np.arange(40), 4)
    views = [rng.normal(size=(40, 3))[subject] + 0.1 * rng.normal(size=(160, 3)) for _ in range(2)]
    leaky = TreeCCA(**QUICK).fit(views)
    with pytest.warns(UserWarning):
        sound = TreeCCA(**QUICK).fit(views, groups=subject)
    assert leaky.correlations_.sum() > 1
    assert not sound.found_.any()
    assert (sound.standard_errors_ > 2 * leaky.standard_errors_).all()


@pytest.mark.parametrize(
    ("n_groups", "cross_fit", "n_parts"),
    [(2, 2, 1), (3, None, 1), (4, None, 12), (5, None, 15)],  # three folds of a part need four groups
)
def test_few_groups(n_groups, cross_fit, n_parts):
    views = related_views(90)
    groups = np.arange(90) % n_groups
    with pytest.warns(UserWarning, match=f"{n_groups} groups are too few to tell any correlation from noise"):
        model = TreeCCA(**QUICK, cross_fit=cross_fit).fit(views, groups=groups)
    assert model.model_.n_parts() == n_parts
    assert np.isfinite(model.correlations_).all()
    assert not model.found_.any()  # too few groups to tell
    assert all(np.isfinite(z).all() for z in model.out_of_fold_variates_)


def test_two_groups_need_two_folds():
    with pytest.raises(ValueError, match="2 groups cannot fill 3 folds"):
        TreeCCA(**QUICK).fit(related_views(90), groups=np.arange(90) % 2)
    with pytest.raises(ValueError, match="n_repeats needs at least 4 groups; there are 3"):
        TreeCCA(**QUICK, n_repeats=1).fit(related_views(90), groups=np.arange(90) % 3)


def test_weights_count():
    views = related_views(200)
    model = TreeCCA(**QUICK).fit(views)
    assert TreeCCA(**QUICK).fit(views, sample_weight=np.full(200, 3.0)).model_ == model.model_
    spoiled = [v.copy() for v in views]
    spoiled[1][::2] = np.random.default_rng(5).normal(size=(100, 5)) * 3
    weight = (np.arange(200) % 2).astype(float)
    weighted = TreeCCA(**QUICK).fit(spoiled, sample_weight=weight)
    unweighted = TreeCCA(**QUICK).fit(spoiled)
    assert weighted.correlations_.sum() > unweighted.correlations_.sum() + 0.3
    assert weighted.found_.all()


def test_the_former_default_is_named():
    with pytest.raises(ValueError, match=r'"auto", "plain", "paper", not "default".*"plain".*"auto"'):
        TreeCCA(preset="default").fit(related_views(60))


def test_ssl_says_that_auto_means_plain():
    table = related_views(100)[0]
    with pytest.warns(UserWarning, match='uses preset="plain" instead of "auto"'):
        asked = TreeCCASSL(**QUICK, preset="auto").fit(table)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        plain = TreeCCASSL(**QUICK).fit(table)
    assert not any("preset" in str(one.message) for one in caught)
    assert asked.model_ == plain.model_


def test_distinct_tcc_counts_what_repeats_once():
    rng = np.random.default_rng(0)
    a = rng.normal(size=(500, 2))
    views = [a + 0.3 * rng.normal(size=(500, 2)) for _ in range(3)]

    def orthogonal(z):
        """Gram-Schmidt in the order of the components."""
        q, r = np.linalg.qr(z - z.mean(axis=0))
        return q * np.sign(np.diag(r))

    def expected(variates):
        return metrics.tcc([orthogonal(z) for z in variates])

    for n_views in (2, 3):
        repeated = [np.c_[z, z[:, 0] + 0.1 * rng.normal(size=500)] for z in views[:n_views]]
        assert metrics.distinct_tcc(repeated) == pytest.approx(expected(repeated), abs=1e-5)
        assert metrics.distinct_tcc(repeated) < metrics.tcc(repeated) - 0.5
        assert metrics.distinct_tcc(views[:n_views]) == pytest.approx(expected(views[:n_views]), abs=1e-5)
        copied = [np.c_[z[:, 0], z[:, 0]] for z in views[:n_views]]
        assert metrics.distinct_tcc(copied) == pytest.approx(metrics.tcc([z[:, :1] for z in copied]), abs=1e-4)


def test_score_counts_positive_correlations():
    views, new = related_views(300), related_views(500, seed=1)
    model = TreeCCA(**QUICK).fit(views)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        score = model.score(new)
    correlations = metrics.component_correlations(model.transform(new))
    assert score == pytest.approx(correlations.sum(), abs=1e-5)
    opposed = [new[0], -new[1]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        assert model.score(opposed) < metrics.tcc(model.transform(opposed)) - 0.5


def test_score_warns_of_components_that_repeat_each_other():
    rng = np.random.default_rng(0)
    latent = rng.normal(size=(300, 2))
    views = [latent + 0.2 * rng.normal(size=(300, 2)) for _ in range(2)]
    model = TreeCCA(2, linear=1, random_state=0).fit(views)
    same = rng.normal(size=(400, 1))  # there, both features are the same
    new = [np.repeat(same, 2, axis=1) + 0.05 * rng.normal(size=(400, 2)) for _ in range(2)]
    with pytest.warns(UserWarning, match="Components overlap on these samples"):
        model.score(new)
    with pytest.warns(UserWarning, match="300 of these 300 samples were among the samples of the fit"):
        model.score(views)
    mixed = [np.vstack([one[:100], other[:100]]) for one, other in zip(views, new, strict=True)]
    with pytest.warns(UserWarning, match="100 of these 200 samples were among the samples of the fit"):
        model.score(mixed)
    latent = rng.normal(size=(300, 2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.score([latent + 0.2 * rng.normal(size=(300, 2)) for _ in range(2)])


def test_a_third_view_that_shares_nothing_does_not_hide_a_pair():
    rng = np.random.default_rng(3)
    z = rng.normal(size=(150, 1))
    views = [z + 0.5 * rng.normal(size=(150, 5)), z**3 + 0.5 * rng.normal(size=(150, 5)), rng.normal(size=(150, 5))]
    model = TreeCCA(1, random_state=0, n_estimators=40).fit(views)
    assert model.pairwise_correlations_[0, 1, 0] > 0.7
    assert model.found_.all()
    expected = np.zeros((3, 3), dtype=bool)
    expected[0, 1] = expected[1, 0] = True
    np.testing.assert_array_equal(model.found_pairs_[:, :, 0], expected)
    assert model.pairwise_standard_errors_.shape == (3, 3, 1)
    assert (model.pairwise_standard_errors_[~np.eye(3, dtype=bool)] > 0).all()
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.found_pairs_, model.found_pairs_)
    np.testing.assert_array_equal(again.pairwise_standard_errors_, model.pairwise_standard_errors_)


def test_two_views_have_one_pair():
    rng = np.random.default_rng(4)
    x = rng.normal(size=(80, 3))
    model = TreeCCA(2, random_state=0, n_estimators=20).fit([x, x + rng.normal(size=x.shape)])
    np.testing.assert_array_equal(model.found_pairs_[0, 1], model.found_)
    np.testing.assert_allclose(model.pairwise_standard_errors_[0, 1], model.standard_errors_, rtol=1e-12)
    without = TreeCCA(2, random_state=0, n_estimators=5, cross_fit=0).fit([x, x])
    assert not without.found_pairs_.any()
    assert np.isnan(without.pairwise_standard_errors_).all()
