"""The package as a whole: what importing it costs, and that all ways in give the same model."""

import json
import shutil
import subprocess
import sys

import numpy as np
import pytest
from conftest import related_views

import treecca
from treecca import TreeCCA


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_importing_is_cheap():
    loaded = run("import sys, treecca; print(*sys.modules)").split()
    heavy = {"sklearn", "scipy", "pandas", "matplotlib", "polars", "mudata"}
    assert heavy.isdisjoint(loaded)
    assert "TreeCCA" in run("import treecca; print(dir(treecca))")
    assert run("import treecca; print(treecca.TreeCCA.__name__, treecca.metrics.__name__)").split() == [
        "TreeCCA",
        "treecca.metrics",
    ]
    with pytest.raises(AttributeError, match="nonsense"):
        treecca.nonsense  # noqa: B018


def test_using_needs_numpy_and_scikit_learn_only():
    code = """
import sys
for name in ("pandas", "matplotlib", "polars", "mudata", "anndata", "tqdm"):
    sys.modules[name] = None
import numpy as np, treecca
x = np.random.default_rng(0).normal(size=(100, 3))
model = treecca.TreeCCA(1, n_estimators=5, random_state=0).fit([x, x ** 2])
model.transform([x, x]); model.score([x, x]); model.predict(x)
treecca.cv([x, x ** 2], {"max_depth": [1, 2]}, n_estimators=5)
try:
    treecca.plot.CorrelationsDisplay.from_estimator(model)
except ImportError as error:
    print(error)
"""
    assert "pip install matplotlib" in run("import warnings; warnings.simplefilter('ignore')\n" + code)


@pytest.mark.skipif(shutil.which("treecca") is None, reason="the program treecca is not on the PATH")
def test_the_program_gives_the_same_model_file(tmp_path):
    views = [v.astype(np.float32) for v in related_views(150)]
    command = [
        "treecca",
        "fit",
        "-k",
        "2",
        "--seed",
        "7",
        "--max_depth",
        "2,3",
        "--quiet",
        "--out",
        str(tmp_path / "run"),
    ]
    for name, values in zip(("a", "b"), views, strict=True):
        np.save(tmp_path / f"{name}.npy", values)
        command += ["--view", f"{name}={tmp_path / name}.npy"]
    subprocess.run(command, check=True, capture_output=True)
    model = TreeCCA(2, random_state=7, max_depth=[2, 3]).fit(dict(zip(("a", "b"), views, strict=True)))
    model.save(tmp_path / "python.json")
    assert (tmp_path / "python.json").read_bytes() == (tmp_path / "run" / "model.json").read_bytes()
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    np.testing.assert_allclose(summary["correlations"]["out_of_fold"], model.correlations_)
    again = treecca.load(tmp_path / "run" / "model.json")
    np.testing.assert_array_equal(again.transform(views)[0], model.transform(views)[0])
    np.testing.assert_allclose(again.transform(views)[0], model.variates_[0], rtol=1e-5, atol=1e-6)
