"""Categories from every kind of table, in every method."""

import pickle
import subprocess
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import treecca
from treecca import TreeCCA, TreeCCASSL, cv, permutation_test

EFFECTS = {"liver": 1.4, "brain": -1.1, "lung": 0.7, "skin": -0.6, "bone": 0.1}
LEVELS = sorted(EFFECTS)


def tables(n: int = 240, seed: int = 0) -> dict[str, pd.DataFrame]:
    rng = np.random.default_rng(seed)
    tissue = rng.choice(LEVELS, n)
    x = pd.DataFrame({"u": rng.normal(size=n), "tissue": pd.Categorical(tissue), "v": rng.normal(size=n)})
    signal = np.array([EFFECTS[one] for one in tissue])
    y = pd.DataFrame({"a": signal + 0.4 * rng.normal(size=n), "b": rng.normal(size=n)})
    return {"x": x, "y": y}


def fitted(views, **parameters):
    settings = {"n_components": 1, "n_repeats": 1, "n_estimators": 20, "random_state": 0, **parameters}
    return TreeCCA(**settings).fit(views)


@pytest.fixture(scope="module")
def model():
    return fitted(tables())


def test_a_category_is_found_and_kept(model, tmp_path):
    assert model.correlations_[0] > 0.85
    assert model.levels_per_view_ == [{"tissue": LEVELS}, {}]
    assert model.importances("x")["feature"][0] == "tissue"
    assert 0.85 < model.loadings_[0][1, 0] <= 1
    path = tmp_path / "model.json"
    model.save(path)
    new = tables(50, seed=1)
    expected = model.transform(new)["x"]
    for other in (treecca.load(path), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(other.transform(new)["x"], expected)


def test_all_kinds_of_tables_give_the_same_model(model):
    pl = pytest.importorskip("polars")
    views = tables()
    x, y = views["x"], views["y"]
    kinds = {
        "unordered": x.assign(tissue=pd.Categorical(x["tissue"], categories=["none", *reversed(LEVELS)])),
        "polars": pl.DataFrame(
            {"u": x["u"], "tissue": pl.Series(list(x["tissue"]), dtype=pl.Categorical), "v": x["v"]}
        ),
        "enum": pl.DataFrame({"u": x["u"], "tissue": pl.Series(list(x["tissue"]), dtype=pl.Enum(LEVELS)), "v": x["v"]}),
    }
    for name, table in kinds.items():
        assert fitted({"x": table, "y": y}).model_ == model.model_, name
    named = {
        "text": x.assign(tissue=x["tissue"].astype(str)),
        "objects": x.assign(tissue=x["tissue"].astype(object)),
        "polars text": pl.DataFrame({"u": x["u"], "tissue": list(x["tissue"]), "v": x["v"]}),
    }
    for name, table in named.items():
        found = fitted({"x": table, "y": y}, categorical_features=["tissue"])
        assert found.model_ == model.model_, name
        np.testing.assert_array_equal(found.transform({"x": table})["x"], model.transform({"x": x})["x"])


def test_arrays_have_categories_by_position(model):
    views = tables()
    cells = views["x"].astype(object).to_numpy()
    found = fitted({"x": cells, "y": views["y"]}, categorical_features={"x": [1]})
    np.testing.assert_array_equal(found.correlations_, model.correlations_)
    np.testing.assert_array_equal(found.transform({"x": cells})["x"], model.transform(views)["x"])
    codes = views["x"].assign(tissue=views["x"]["tissue"].cat.codes + 10.0).to_numpy()
    by_code = fitted([codes, views["y"]], categorical_features={"view0": [1]})
    assert by_code.levels_per_view_ == [{"f1": ["10", "11", "12", "13", "14"]}, {}]
    np.testing.assert_array_equal(by_code.transform([codes, None])[0], model.transform(views)["x"])
    as_integers = pd.DataFrame({"f0": codes[:, 0], "f1": codes[:, 1].astype(int), "f2": codes[:, 2]})
    np.testing.assert_array_equal(by_code.transform([as_integers, None])[0], model.transform(views)["x"])


def test_an_unknown_level_counts_as_missing(model):
    new = tables(30, seed=2)["x"]
    unknown = new.assign(tissue=new["tissue"].astype(object))
    unknown.loc[[0, 5], "tissue"] = "heart"
    with pytest.warns(UserWarning, match=r'feature "tissue": the fit had no level "heart"; .* in 2 of 30 samples'):
        found = model.transform(unknown, view="x")
    missing = unknown.copy()
    missing.loc[[0, 5], "tissue"] = None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(found, model.transform(missing, view="x"))
        model.transform(new.assign(tissue=new["tissue"].cat.add_categories("unused")), view="x")


def test_numbers_and_categories_are_not_confused(model):
    new = tables(30, seed=2)["x"]
    with pytest.raises(ValueError, match='feature "u": it is a number in the model, but a category here'):
        model.transform(new.assign(u=pd.Categorical(["p", "q"] * 15)), view="x")
    numeric = fitted({"x": tables()["x"].drop(columns="tissue"), "y": tables()["y"]}, linear=0)
    numeric.transform(new, view="x")  # an unknown column is ignored, whatever its kind


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["tissu"], 'names the column "tissu", which no view has'),
        ({"z": ["tissue"]}, 'names the view "z"; the views are x, y'),
        ({"x": [7]}, "has the column 7, but the table has 3 columns"),
        ([1], "needs a mapping of view name"),
        ("tissue", "must list columns"),
    ],
)
def test_columns_that_are_not_there(given, message):
    with pytest.raises(ValueError, match=message):
        fitted(tables(), categorical_features=given)


def test_text_is_an_error_with_advice():
    views = tables()
    views["x"]["tissue"] = views["x"]["tissue"].astype(str)
    with pytest.raises(
        ValueError, match=r'column "tissue": expected numbers.*astype\("category"\).*categorical_features'
    ):
        fitted(views)


def test_booleans_are_numbers():
    views = tables()
    as_numbers = views["x"].assign(tissue=(views["x"]["tissue"] == "liver").astype(float))
    as_booleans = views["x"].assign(tissue=views["x"]["tissue"] == "liver")
    found = fitted({"x": as_booleans, "y": views["y"]})
    assert found.model_ == fitted({"x": as_numbers, "y": views["y"]}).model_
    assert found.levels_per_view_ == [{}, {}]


def test_too_many_levels_are_refused():
    views = tables(300)
    views["x"]["tissue"] = pd.Categorical([f"id{i}" for i in range(300)])
    with pytest.raises(ValueError, match='feature "tissue": 300 levels; a category has at most 255'):
        fitted(views)


def test_other_engines_say_that_they_have_none():
    with pytest.raises(ValueError, match='feature "tissue": engine=xgboost does not split categories'):
        fitted(tables(), engine="xgboost")


def test_every_method_takes_them(model, tmp_path):
    views = tables()
    new = tables(200, seed=5)
    assert model.score(new) > 0.8
    explained = model.explain(new)["x"]
    np.testing.assert_allclose(
        explained.values.sum(axis=1) + explained.base_values, model.transform(new)["x"], atol=1e-5
    )
    assert np.argmax(np.abs(explained.values[:, :, 0]).mean(axis=0)) == 1
    assert np.corrcoef(model.predict(new, "x", "y")[:, 0], new["y"]["a"])[0, 1] ** 2 > 0.7
    assert permutation_test(model, views, n_permutations=19).p_values[0] == pytest.approx(0.05)
    found = cv(views, {"max_depth": [1, 2]}, estimator=clone(model))
    assert found.table["tcc"].max() > 0.8
    scores = treecca.screen(views, random_state=0)
    assert scores[0]["score"].argmax() == 1
    model.report(tmp_path / "report.html")
    assert ">Level</th>" in (tmp_path / "report.html").read_text()
    with pytest.raises(ValueError, match='"tissue" is a category, which the format "onnx" cannot split'):
        model.export(tmp_path / "exported", "onnx")


def test_one_table_for_all_views(model):
    views = tables()
    both = pd.concat([views["x"], views["y"]], axis=1)
    one = fitted(both, view_slices={"x": ["u", "tissue", "v"], "y": ["a", "b"]})
    np.testing.assert_array_equal(one.correlations_, model.correlations_)
    np.testing.assert_array_equal(one.transform(both)[:, :1], model.transform(views)["x"])
    text = both.assign(tissue=both["tissue"].astype(str))
    named = fitted(text, view_slices=[slice(0, 3), slice(3, 5)], categorical_features=["tissue"])
    np.testing.assert_array_equal(named.correlations_, model.correlations_)
    assert named.score(text) == pytest.approx(model.score(views))


def test_learning_from_one_table():
    x = tables()["x"]
    ssl = TreeCCASSL(1, augmentation={"swap": 0.2}, n_estimators=10, random_state=0).fit(x)
    np.testing.assert_array_equal(ssl.transform(x), ssl.embedding_)
    assert ssl.explain(x).values.shape == (240, 3, 1)


def test_curves_of_levels(model):
    pytest.importorskip("matplotlib").use("Agg")
    from treecca import plot

    display = plot.ShapeDisplay.from_estimator(model, view="x", features=["tissue", "u"])
    chosen = display.table_["feature"] == "tissue"
    assert list(display.table_["level"][chosen]) == LEVELS
    curve = dict(zip(LEVELS, display.table_["variate"][chosen], strict=True))
    order = sorted(LEVELS, key=lambda level: EFFECTS[level])
    found = sorted(LEVELS, key=curve.__getitem__)
    assert found in (order, order[::-1])


def test_the_program_reads_the_same_levels(model, tmp_path):
    views = tables()
    for name, table in views.items():
        table.to_csv(tmp_path / f"{name}.csv", index_label="id")
    command = ["treecca", "fit", "--view", "x.csv", "--view", "y.csv", "-k", "1", "--n_repeats", "1", "--n_estimators"]
    command += ["20", "--random_state", "0", "--categorical", "tissue", "--out", "run"]
    subprocess.run(command, check=True, capture_output=True, cwd=tmp_path)
    program = treecca.load(tmp_path / "run/model.json")
    assert program.levels_per_view_ == model.levels_per_view_
    np.testing.assert_allclose(program.transform(views)["x"], model.transform(views)["x"], atol=1e-5)


@pytest.mark.parametrize("format", ["xgboost", "xgboost-ubj", "treelite"])
@pytest.mark.parametrize("trees", ["joint", "scalar"])
def test_exported_trees_split_categories(tmp_path, format, trees):
    library = pytest.importorskip(format.split("-")[0])
    views = tables(300)
    views["x"].loc[views["x"].index[::9], "tissue"] = np.nan
    components = 2 if format == "treelite" else 1
    model = fitted(views, n_components=components, linear=0, trees=trees)
    path = model.export(tmp_path, format)[0]
    new = tables(100, seed=7)["x"]
    new.loc[new.index[::5], "tissue"] = np.nan
    cells = new.assign(tissue=new["tissue"].cat.codes.replace(-1, np.nan)).to_numpy(np.float32)
    if format == "treelite":
        found = library.gtil.predict(library.Model.deserialize(path), cells).reshape(100, components)
    else:
        booster = library.Booster(model_file=path)
        assert booster.feature_types == ["float", "c", "float"]
        given = library.DMatrix(
            cells, feature_names=booster.feature_names, feature_types=booster.feature_types, enable_categorical=True
        )
        found = booster.predict(given).reshape(100, 1)
    np.testing.assert_allclose(found, model.transform({"x": new})["x"], atol=1e-5)


def test_categories_of_several_components_are_not_for_xgboost(tmp_path):
    model = fitted(tables(), n_components=2, linear=0)
    with pytest.raises(ValueError, match="in trees of several components"):
        model.export(tmp_path, "xgboost")
