"""XGBoost and LightGBM as engines."""

import json
import os
import subprocess

import numpy as np
import pytest

import treecca
from treecca import TreeCCA, TreeCCASSL, _core

xgboost = pytest.importorskip("xgboost", reason="the engine xgboost needs the package xgboost")
lightgbm = pytest.importorskip("lightgbm", reason="the engine lightgbm needs the package lightgbm")

ENGINES = [("xgboost", "scalar"), ("xgboost", "joint"), ("lightgbm", "scalar")]
QUICK = {"n_components": 2, "n_estimators": 40, "random_state": 0, "n_jobs": 1}


def make_views(n=600, seed=0):
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(n, 2))
    x = np.c_[z**2 - 1 + 0.1 * rng.normal(size=(n, 2)), rng.normal(size=(n, 3))]
    y = np.c_[z**3 - 3 * z + 0.1 * rng.normal(size=(n, 2)), rng.normal(size=(n, 3))]
    x[rng.random(x.shape) < 0.05] = np.nan
    return [x.astype(np.float32), y.astype(np.float32)]


@pytest.mark.parametrize(("engine", "trees"), ENGINES)
def test_the_model_says_what_the_engine_said(engine, trees):
    views = make_views()
    model = TreeCCA(**QUICK, engine=engine, trees=trees).fit(views)
    # variates_ were made from the engine's own predictions, transform from our trees.
    for ours, theirs in zip(model.transform(views), model.variates_, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-5)
    native = TreeCCA(**QUICK, trees=trees).fit(views)
    assert abs(model.correlations_.sum() - native.correlations_.sum()) < 0.12
    for view in range(2):
        names = model.importances(view)["feature"][:2]
        assert set(names) == {"f0", "f1"}


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
    for ours, theirs in zip(model.transform(views), model.variates_, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-4)


@pytest.mark.parametrize(("engine", "trees"), ENGINES)
def test_held_out_rows_are_not_learned_from(engine, trees):
    rng = np.random.default_rng(3)
    views = [rng.normal(size=(400, 5)) for _ in range(2)]
    model = TreeCCA(**{**QUICK, "n_estimators": 60}, engine=engine, trees=trees).fit(views)
    assert np.abs(model.correlations_).max() < 4 / np.sqrt(400)
    assert model.train_correlations_.min() > 0.3


def test_parameters_reach_the_library():
    views = make_views(200)
    with pytest.raises(ValueError, match=r"XGBoost: .*no_such_method"):
        TreeCCA(**QUICK, engine="xgboost", engine_params={"tree_method": "no_such_method"}).fit(views)
    stumps = TreeCCA(**QUICK, engine="xgboost", engine_params={"max_depth": 1}).fit(views)
    deep = TreeCCA(**QUICK, engine="xgboost").fit(views)
    assert np.abs(stumps.variates_[0] - deep.variates_[0]).max() > 0.1
    with pytest.raises(ValueError, match="engine_params are for other libraries"):
        TreeCCA(**QUICK, engine_params={"device": "cuda"}).fit(views)
    with pytest.raises(ValueError, match="must be a mapping"):
        TreeCCA(**QUICK, engine="xgboost", engine_params=["device"]).fit(views)
    with pytest.raises(ValueError, match="set trees=scalar"):
        TreeCCA(**QUICK, engine="lightgbm").fit(views)


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
                for encoder in view["encoders"]
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
    for ours, theirs in zip(model.transform(views), model.variates_, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-5)
