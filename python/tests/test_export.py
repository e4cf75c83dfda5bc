"""Exported models, read by the packages they are for, predict what transform gives."""

from __future__ import annotations

import os
import shutil
import subprocess

import numpy as np
import pytest

from treecca import TreeCCA, TreeCCASSL, load

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # small fits that find little
PROGRAM = shutil.which("treecca")
FORMATS = ("xgboost", "xgboost-ubj", "treelite", "onnx")


def by_xgboost(path, x):
    xgboost = pytest.importorskip("xgboost", reason="the package xgboost is not installed")
    booster = xgboost.Booster(model_file=path)
    names = booster.feature_names
    return booster.predict(xgboost.DMatrix(x, feature_names=names))


def by_treelite(path, x):
    treelite = pytest.importorskip("treelite", reason="the package treelite is not installed")
    model = treelite.Model.deserialize(path)
    return treelite.gtil.predict(model, x)


def by_onnx(path, x):
    onnx = pytest.importorskip("onnx", reason="the package onnx is not installed")
    runtime = pytest.importorskip("onnxruntime", reason="the package onnxruntime is not installed")
    onnx.checker.check_model(path, full_check=True)
    session = runtime.InferenceSession(path, providers=["CPUExecutionProvider"])
    assert [one.name for one in session.get_inputs()] == ["features"]
    return session.run(["variates"], {"features": x})[0]


READERS = {"xgboost": by_xgboost, "xgboost-ubj": by_xgboost, "treelite": by_treelite, "onnx": by_onnx}


def data(rows=300, missing=True, seed=0):
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=(rows, 2))
    x = np.hstack([shared + 0.3 * rng.normal(size=(rows, 2)), rng.normal(size=(rows, 3))]).astype(np.float32)
    y = np.hstack([np.abs(shared), rng.normal(size=(rows, 2))]).astype(np.float32)
    if missing:
        x[rng.random(x.shape) < 0.1] = np.nan
        y[rng.random(y.shape) < 0.1] = np.nan
    return [x, y]


def assert_same(model, views, folder, format, tolerance=1e-5):
    paths = model.export(folder, format)
    assert len(paths) == len(views)
    for path, view, expected in zip(paths, views, model.transform(views), strict=True):
        found = READERS[format](path, view).reshape(expected.shape)
        np.testing.assert_allclose(found, expected, atol=tolerance)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("settings", [{}, {"trees": "scalar"}, {"rotate": False, "cross_fit": 0}, {"n_oversamples": 2}])
def test_predictions_are_those_of_transform(tmp_path, format, settings):
    views = data()
    model = TreeCCA(3, n_estimators=25, random_state=0, **settings).fit(views)
    # Rows that no fit has seen, missing values at every place.
    assert_same(model, data(seed=1), tmp_path, format)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(("engine", "trees"), [("xgboost", "joint"), ("xgboost", "scalar"), ("lightgbm", "scalar")])
def test_trees_of_other_engines(tmp_path, format, engine, trees):
    pytest.importorskip(engine, reason=f"the package {engine} is not installed")
    model = TreeCCA(2, n_estimators=25, random_state=0, engine=engine, trees=trees).fit(data())
    assert_same(model, data(seed=1), tmp_path, format)


@pytest.mark.parametrize("format", FORMATS)
def test_one_component(tmp_path, format):
    views = data()
    model = TreeCCA(1, n_estimators=10, random_state=0).fit(views)
    assert_same(model, views, tmp_path, format)


@pytest.mark.parametrize("format", FORMATS)
def test_three_views_with_names_of_all_kinds(tmp_path, format):
    pandas = pytest.importorskip("pandas")
    x, y = data()
    views = [
        pandas.DataFrame(x, columns=["a[0]", "b<1", "größe", 'q"uote', "e"]),
        pandas.DataFrame(y, columns=list("fghi")),
        pandas.DataFrame(x[:, ::-1].copy(), columns=list("klmno")),
    ]
    model = TreeCCA(2, n_estimators=5, random_state=0)
    model.fit(dict(zip(("a/b", "a:b", "ü"), views, strict=True)))
    paths = model.export(tmp_path / "new" / "folder", format)
    assert len(set(paths)) == 3
    for path, view, expected in zip(paths, views, model.transform(views), strict=True):
        found = READERS[format](path, view.to_numpy()).reshape(expected.shape)
        np.testing.assert_allclose(found, expected, atol=1e-5)


def test_base_margin_goes_to_onnx_alone(tmp_path):
    views = data()
    model = TreeCCA(2, preset="paper", n_estimators=10, random_state=0).fit(views)
    for format in ("xgboost", "xgboost-ubj", "treelite"):
        with pytest.raises(ValueError, match=r"base margin.*onnx"):
            model.export(tmp_path, format)
    assert list(tmp_path.iterdir()) == []
    assert_same(model, views, tmp_path, "onnx")


@pytest.mark.parametrize("offset", [1e3, 1e5])
def test_a_base_margin_of_features_far_from_zero(tmp_path, offset):
    views = data()
    views[0] += np.float32(offset)
    model = TreeCCA(2, preset="paper", n_estimators=10, random_state=0).fit(views)
    assert_same(model, views, tmp_path, "onnx")


@pytest.mark.parametrize("format", FORMATS)
def test_thousands_of_trees(tmp_path, format):
    views = data(missing=False)
    model = TreeCCA(2, n_estimators=800, early_stopping_rounds=None, random_state=0).fit(views)
    # Readers add in single precision; in ONNX it is we who say how, and the sum is as good as that of transform.
    tolerance = 5e-6 if format == "onnx" else 3e-5
    assert_same(model, views, tmp_path, format, tolerance)


def test_a_single_view(tmp_path):
    x = data()[0]
    model = TreeCCASSL(2, n_estimators=5, random_state=0).fit(x)
    (path,) = model.export(tmp_path, "treelite")
    np.testing.assert_allclose(by_treelite(path, x).reshape(len(x), 2), model.transform(x), atol=1e-5)


def test_gain_of_the_booster_ranks_features_as_ours(tmp_path):
    xgboost = pytest.importorskip("xgboost", reason="the package xgboost is not installed")
    views = data(missing=False)
    model = TreeCCA(1, n_estimators=20, random_state=0).fit(views)
    booster = xgboost.Booster(model_file=model.export(tmp_path, "xgboost")[0])
    gains = booster.get_score(importance_type="total_gain")
    best = max(gains, key=gains.get)
    assert booster.feature_names.index(best) == int(np.argmax(model.feature_importances_per_view_[0]))


def test_bad_requests(tmp_path):
    model = TreeCCA(1, n_estimators=2, random_state=0).fit(data())
    with pytest.raises(ValueError, match=r'no format "pmml".*xgboost, xgboost-ubj, treelite, onnx'):
        model.export(tmp_path, "pmml")
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(OSError, match="file"):
        model.export(file, "onnx")
    assert file.read_text() == ""
    for nowhere in (None, 3):
        with pytest.raises(TypeError, match="PathLike"):
            model.export(nowhere, "onnx")
        with pytest.raises(TypeError, match="PathLike"):
            model.save(nowhere)
        with pytest.raises(TypeError, match="PathLike"):
            model.report(nowhere)
        with pytest.raises(TypeError, match="PathLike"):
            load(nowhere)


def test_every_view_has_a_file_of_its_own(tmp_path):
    x, y = data()
    names = ("a/b", "a_b_3", "a_b")
    model = TreeCCA(1, n_estimators=2, random_state=0).fit(dict(zip(names, (x, y, x), strict=True)))
    paths = model.export(tmp_path, "onnx")
    assert [os.path.basename(path) for path in paths] == ["a_b.onnx", "a_b_3.onnx", "a_b_4.onnx"]
    assert sorted(os.listdir(tmp_path)) == ["a_b.onnx", "a_b_3.onnx", "a_b_4.onnx"]


@pytest.mark.skipif(PROGRAM is None, reason="the program treecca is not on the PATH")
def test_the_program_writes_the_same_files(tmp_path):
    model = TreeCCA(2, n_estimators=3, random_state=0).fit(data())
    model.save(tmp_path / "m.json")
    for format in FORMATS:
        ours = model.export(tmp_path / "python", format)
        command = [PROGRAM, "export", "m.json", "--format", format, "--out", "program"]
        run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        for path, line in zip(ours, run.stdout.splitlines(), strict=True):
            with open(path, "rb") as left, open(tmp_path / line, "rb") as right:
                assert left.read() == right.read()
