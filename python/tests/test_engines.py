"""XGBoost and LightGBM as engines."""

import json
import os
import subprocess

import numpy as np
import pytest
from conftest import measures_memory

import treecca
from treecca import TreeCCA, TreeCCASSL, _core, datasets, metrics

xgboost = pytest.importorskip("xgboost", reason="the engine xgboost needs the package xgboost")
lightgbm = pytest.importorskip("lightgbm", reason="the engine lightgbm needs the package lightgbm")

ENGINES = [("xgboost", "scalar"), ("xgboost", "joint"), ("lightgbm", "scalar")]
# One cross-fit: parts and linear CCA are no matter of the engine.
QUICK = {"preset": "plain", "n_components": 2, "n_estimators": 40, "random_state": 0, "n_jobs": 1}


def make_views(n=600, seed=0):
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(n, 2))
    x = np.c_[z**2 - 1 + 0.1 * rng.normal(size=(n, 2)), rng.normal(size=(n, 3))]
    y = np.c_[z**3 - 3 * z + 0.1 * rng.normal(size=(n, 2)), rng.normal(size=(n, 3))]
    x[rng.random(x.shape) < 0.05] = np.nan
    return [x.astype(np.float32), y.astype(np.float32)]


def assert_as_the_engine_said(model, views):
    """variates_ were made from the engine's own predictions, transform from our trees."""
    assert_equal_variates(model.transform(views), model.variates_, model.engine)


def assert_equal_variates(ours, theirs, engine):
    # LightGBM adds up leaves in double precision, our model in single: large variates differ in their last digits.
    relative, absolute = (1e-6, 2e-6) if engine == "lightgbm" else (0, 1e-6)
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(a, b, rtol=relative, atol=absolute)


@pytest.mark.parametrize(("engine", "trees"), ENGINES)
def test_the_model_says_what_the_engine_said(engine, trees):
    views = make_views()
    model = TreeCCA(**QUICK, engine=engine, trees=trees).fit(views)
    assert_as_the_engine_said(model, views)
    for view in range(2):
        names = model.importances(view)["feature"][:2]
        assert set(names) == {"f0", "f1"}


@pytest.mark.parametrize(("engine", "trees"), ENGINES)
def test_early_stopping_goes_back_to_what_the_engine_said_then(engine, trees):
    views = make_views()
    # A start that fades away before either of them ends: else it would depend on the number of rounds.
    settings = {**QUICK, "engine": engine, "trees": trees, "init_fade": 3}
    stopped = TreeCCA(**{**settings, "n_estimators": 200, "early_stopping_rounds": 8}).fit(views)
    assert 6 < stopped.n_iter_ < 192
    # This one ends in that round: its variates come from the engine.
    ended = TreeCCA(**{**settings, "n_estimators": stopped.n_iter_}).fit(views)
    assert_equal_variates(stopped.transform(views), ended.variates_, engine)


@pytest.mark.parametrize("trees", ["joint", "scalar"])
def test_engines_with_equal_settings_find_as_much(trees):
    data = datasets.make_signed_power(2000, test_size=0.5, random_state=0)
    found = {}
    for engine in ["native", *(name for name, kind in ENGINES if kind == trees)]:
        model = TreeCCA(**{**QUICK, "n_components": data.k, "n_estimators": 60}, engine=engine, trees=trees).fit(
            data.views
        )
        found[engine] = metrics.tcc(model.transform(data.test_views))
    assert min(found.values()) > 2.5
    assert max(found.values()) - min(found.values()) < 0.03, found


@pytest.mark.parametrize(("engine", "trees"), ENGINES)
def test_a_model_needs_no_engine_to_be_used(tmp_path, engine, trees):
    views = make_views(300)
    model = TreeCCA(**QUICK, engine=engine, trees=trees).fit(views)
    model.save(tmp_path / "m.json")
    code = (
        "import sys; sys.modules['xgboost'] = sys.modules['lightgbm'] = None\n"
        "import numpy as np, treecca\n"
        f"model = treecca.load({str(tmp_path / 'm.json')!r})\n"
        f"x = np.load({str(tmp_path / 'x.npy')!r})\n"
        f"np.save({str(tmp_path / 'z.npy')!r}, model.transform(x, view=0))\n"
    )
    np.save(tmp_path / "x.npy", views[0])
    subprocess.run([os.sys.executable, "-c", code], check=True)
    np.testing.assert_array_equal(np.load(tmp_path / "z.npy"), model.transform(views[0], view=0))


@pytest.mark.parametrize(("engine", "trees"), ENGINES)
def test_the_same_seed_gives_the_same_model(tmp_path, engine, trees):
    views = make_views(300)
    for name in ("a.json", "b.json"):
        TreeCCA(**QUICK, engine=engine, trees=trees, subsample=0.7, colsample_bytree=0.5).fit(views).save(
            tmp_path / name
        )
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


@pytest.mark.parametrize("cross_fit", [0, 2])
@pytest.mark.parametrize(("engine", "trees"), ENGINES)
def test_the_number_of_threads_changes_nothing(engine, trees, cross_fit):
    views = [*make_views(5000), make_views(5000, seed=1)[0]]
    settings = {**QUICK, "n_estimators": 8, "engine": engine, "trees": trees, "subsample": 0.7, "colsample_bytree": 0.5}
    models = []
    for n_jobs in (1, 2, 3, 2, 3):  # views may be trained side by side
        model = TreeCCA(**{**settings, "n_jobs": n_jobs}, cross_fit=cross_fit).fit(views)
        assert_as_the_engine_said(model, views)
        models.append(model.model_.to_bytes("json"))
    assert len(set(models)) == 1


@pytest.mark.parametrize(("engine", "trees"), ENGINES)
@pytest.mark.parametrize(
    "settings",
    [
        {"preset": "paper", "n_estimators": 15},
        {"schedule": "gauss-seidel", "objective": "ey"},
        {"early_stopping_rounds": 3, "n_estimators": 60},
        {"cross_fit": 0},
        {"n_oversamples": 2},
        {"max_depth": [2, 4], "min_child_weight": [5, 20]},
    ],
)
def test_everything_works_on_top(engine, trees, settings):
    views = [*make_views(300), make_views(300, 1)[0]]
    if isinstance(settings.get("max_depth"), list):
        views = views[:2]
    model = TreeCCA(**{**QUICK, **settings}, engine=engine, trees=trees).fit(
        views, sample_weight=np.linspace(0.5, 2, 300)
    )
    assert_as_the_engine_said(model, views)


@pytest.mark.parametrize(("engine", "trees"), ENGINES)
def test_held_out_rows_are_not_learned_from(engine, trees):
    rng = np.random.default_rng(3)
    views = [rng.normal(size=(400, 5)) for _ in range(2)]
    model = TreeCCA(**{**QUICK, "n_estimators": 60}, engine=engine, trees=trees).fit(views)
    assert model.correlations_.max() < 4 / np.sqrt(400)  # rows that were learned from would correlate positively
    assert not model.found_.any()
    assert model.train_correlations_.min() > 0.3


def test_parameters_reach_the_library():
    views = make_views(200)
    with pytest.raises(ValueError, match=r"XGBoost: .*no_such_method"):
        TreeCCA(**QUICK, engine="xgboost", engine_params={"tree_method": "no_such_method"}).fit(views)
    with pytest.raises(ValueError, match="engine_params are for other libraries"):
        TreeCCA(**QUICK, engine_params={"device": "cuda"}).fit(views)
    with pytest.raises(ValueError, match="must be a mapping"):
        TreeCCA(**QUICK, engine="xgboost", engine_params=["device"]).fit(views)
    with pytest.raises(ValueError, match="set trees=scalar"):
        TreeCCA(**QUICK, engine="lightgbm").fit(views)


@pytest.mark.parametrize(("engine", "trees"), ENGINES)
@pytest.mark.parametrize(
    "name_of", [{"xgboost": "max_depth", "lightgbm": "max_depth"}, {"xgboost": "reg_lambda", "lightgbm": "lambda"}]
)
def test_a_parameter_of_the_library_wins_over_ours(engine, trees, name_of):
    views = make_views(200)
    settings = {**QUICK, "engine": engine, "trees": trees, "n_estimators": 10}
    name = name_of[engine]
    ours = {"max_depth": 1} if name == "max_depth" else {"reg_lambda": 50}
    expected = TreeCCA(**settings, **ours).fit(views)
    model = TreeCCA(**settings, engine_params={name: next(iter(ours.values()))}).fit(views)
    for ours_, theirs in zip(model.variates_, expected.variates_, strict=True):
        np.testing.assert_array_equal(ours_, theirs)


OWNED = [
    ("xgboost", {"num_parallel_tree": 3}, "sum of the trees"),
    ("xgboost", {"booster": "dart"}, "sum of the trees"),
    ("xgboost", {"booster": "gblinear"}, "sum of the trees"),
    ("xgboost", {"base_score": 3}, "initial values"),
    ("xgboost", {"objective": "binary:logistic"}, "computes the gradients"),
    ("xgboost", {"multi_strategy": "one_output_per_tree"}, "TreeCCA's trees to joint or scalar"),
    ("xgboost", {"multi_strategy": "multi_output_tree"}, "TreeCCA's trees to joint or scalar"),
    ("xgboost", {"num_target": 5}, "n_components"),
    ("xgboost", {"random_state": 5}, "TreeCCA's random_state"),
    ("lightgbm", {"zero_as_missing": True}, "already mark missing values"),
    ("lightgbm", {"boosting_type": "dart"}, "sum of the trees"),
    ("lightgbm", {"linear_tree": True}, "sum of the trees"),
    ("lightgbm", {"application": "binary"}, "computes the gradients"),
    ("lightgbm", {"num_boost_round": 5}, "n_estimators"),
    ("lightgbm", {"cat_feature": "0"}, "numbers"),
]


@pytest.mark.parametrize(("engine", "params", "reason"), OWNED)
@pytest.mark.parametrize("trees", ["scalar", "joint"])
def test_what_makes_a_model_is_not_left_to_engine_params(engine, trees, params, reason):
    if (engine, trees) not in ENGINES:
        pytest.skip("lightgbm has no joint trees")
    with pytest.raises(ValueError, match=f"engine_params cannot set {next(iter(params))} of .*{reason}"):
        TreeCCA(**QUICK, engine=engine, trees=trees, engine_params=params).fit(make_views(100))


@pytest.mark.parametrize(("engine", "trees"), ENGINES)
def test_names_that_the_library_does_not_know(engine, trees):
    settings = {**QUICK, "engine": engine, "trees": trees, "n_estimators": 3}
    for params in ({"max_dept": 3}, {"max_depth": 3, "nonsense": 1}):
        with pytest.raises(ValueError, match=f"does not use {list(params)[-1]} with"):
            TreeCCA(**settings, engine_params=params).fit(make_views(100))
    TreeCCA(**settings, engine_params={"max_depth": 3}).fit(make_views(100))


@pytest.mark.parametrize(("engine", "trees"), ENGINES)
def test_deeper_trees_than_ours_can_be_kept(engine, trees, tmp_path):
    params = {"max_depth": 6, "num_leaves": 40} if engine == "lightgbm" else {"max_depth": 6}
    settings = {**QUICK, "engine": engine, "trees": trees, "n_estimators": 3, "max_depth": 2, "min_child_weight": 1}
    views = make_views(300)
    model = TreeCCA(**settings, engine_params=params).fit(views)
    model.save(tmp_path / "model.json")
    loaded = treecca.load(tmp_path / "model.json")
    assert loaded.engine_params == {name: str(value) for name, value in params.items()}
    np.testing.assert_array_equal(loaded.transform(views)[0], model.transform(views)[0])
    np.testing.assert_array_equal(loaded.fit(views).correlations_, model.correlations_)
    shallow = TreeCCA(**settings).fit(views)
    assert shallow.model_.engine_params == {}
    assert len(model.model_.to_bytes("json")) > 1.5 * len(shallow.model_.to_bytes("json"))
    with pytest.raises(ValueError, match="twice, or under two of its names"):
        TreeCCA(**settings, engine_params={"learning_rate": 0.1, "eta": 0.2}).fit(views)


def test_no_value_smuggles_in_another_parameter():
    with pytest.raises(ValueError, match="only up to the space"):
        TreeCCA(**QUICK, engine="lightgbm", trees="scalar", engine_params={"max_depth": "3 zero_as_missing=true"}).fit(
            make_views(100)
        )


def test_errors_of_a_library_are_one_line():
    with pytest.raises(ValueError, match="XGBoost: ") as caught:
        TreeCCA(**QUICK, engine="xgboost", engine_params={"tree_method": "exact"}).fit(make_views(100))
    assert "Stack trace" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_lightgbm_needs_no_least_weight_of_leaves():
    views = make_views(200)
    for settings in ({"cross_fit": 5}, {"cross_fit": 0, "subsample": 0.5}):
        for max_depth in (5, 8):
            model = TreeCCA(
                **QUICK, engine="lightgbm", trees="scalar", min_child_weight=0, max_depth=max_depth, **settings
            ).fit(views)
            assert_as_the_engine_said(model, views)


@measures_memory
def test_deep_trees_of_lightgbm_take_no_room_for_leaves_without_rows():
    code = (
        "import numpy as np, resource\n"
        "from treecca import TreeCCA\n"
        "views = [np.random.default_rng(seed).normal(size=(200, 5)) for seed in range(2)]\n"
        "settings = {'preset': 'plain', 'engine': 'lightgbm', 'trees': 'scalar', 'max_depth': 16, 'n_estimators': 2}\n"
        "TreeCCA(1, n_jobs=1, **settings).fit(views)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    peak = subprocess.run([os.sys.executable, "-W", "ignore", "-c", code], check=True, capture_output=True, text=True)
    assert int(peak.stdout) < 1_000_000  # kilobytes; room for 2^16 leaves would take gigabytes


def test_cv_compares_engines():
    result = treecca.cv(make_views(200), {"engine": ["native", "xgboost"]}, n_components=1, n_estimators=10, n_jobs=1)
    assert list(result.table["engine"]) == ["native", "xgboost"]


def test_a_missing_library_says_what_to_install(monkeypatch):
    monkeypatch.setenv("TREECCA_XGBOOST_LIB", "/no/such/libxgboost.so")
    with pytest.raises(OSError, match=r"pip install xgboost.*TREECCA_XGBOOST_LIB"):
        TreeCCA(**QUICK, engine="xgboost").fit(make_views(100))


def test_prefer_library_is_told_where_packages_are():
    path = os.path.join(os.path.dirname(xgboost.__file__), "lib", "libxgboost.so")
    assert os.path.exists(path)
    _core.prefer_library("xgboost", path)


@pytest.mark.parametrize(("engine", "trees"), ENGINES)
def test_all_engines_choose_from_the_same_splits(engine, trees):
    views = make_views(400)
    settings = {**QUICK, "max_bin": 16, "n_estimators": 20}
    thresholds = {}
    for name in ("native", engine):
        content = json.loads(TreeCCA(**settings, engine=name, trees=trees).fit(views).model_.to_bytes("json"))
        thresholds[name] = [
            {
                split
                for encoder in view["parts"][0]["encoders"]
                for split in zip((f for f in encoder["feature"] if f >= 0), encoder["threshold"], strict=True)
            }
            for view in content["views"]
        ]
    for ours, theirs in zip(thresholds["native"], thresholds[engine], strict=True):
        # 16 bins of 5 features have 75 cuts: nearly all of them are used by either.
        assert len(theirs) <= 5 * 17
        assert len(theirs & ours) > 0.8 * len(theirs)


@pytest.mark.parametrize(("engine", "trees"), ENGINES)
def test_learning_from_one_table(engine, trees):
    rng = np.random.default_rng(0)
    size = np.abs(rng.normal(size=(300, 1)))
    x = size * rng.choice([-1, 1], size=(300, 6)) + 0.1 * rng.normal(size=(300, 6))
    settings = {"augmentation": {"sign_flip": True, "noise": 0.1}, "n_estimators": 30, "random_state": 0, "n_jobs": 1}
    model = TreeCCASSL(1, **settings, engine=engine, trees=trees).fit(x)
    assert abs(np.corrcoef(model.transform(x)[:, 0], size[:, 0])[0, 1]) > 0.85
    assert model.n_iter_ == 30


@pytest.mark.parametrize(("engine", "trees"), ENGINES)
def test_a_constant_feature(engine, trees):
    views = make_views(300)
    views[0][:, 4] = 7
    model = TreeCCA(**QUICK, engine=engine, trees=trees).fit(views)
    assert model.feature_importances_per_view_[0][4] == 0
    assert_as_the_engine_said(model, views)


@pytest.mark.parametrize(("engine", "trees"), ENGINES)
def test_refits_side_by_side(engine, trees):
    """XGBoost fails if several threads train with it at the same time."""
    views = make_views(300)
    importances, recovered = [], []
    for n_jobs in (1, 2, 3):
        settings = {**QUICK, "engine": engine, "trees": trees, "n_estimators": 5, "cross_fit": 3, "n_jobs": n_jobs}
        model = TreeCCA(**settings).fit(views)
        found = model.permutation_importance(views, 1, out_of_fold=True)
        importances.append(np.concatenate([one.ravel() for one in found.importances]))
        result = treecca.stability(model, views, n_subsamples=4, n_seeds=2)
        recovered.append(np.concatenate([result.recovered, result.seed_agreement]))
    for other in (1, 2):
        np.testing.assert_array_equal(importances[other], importances[0])
        np.testing.assert_array_equal(recovered[other], recovered[0])
