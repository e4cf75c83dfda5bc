import numpy as np
import pytest
from conftest import related_views

import treecca
from treecca import TreeCCA, metrics

pd = pytest.importorskip("pandas")
X, Y = related_views(60)


def with_cell(array, row, column, value):
    changed = array.copy()
    changed[row, column] = value
    return changed


@pytest.mark.parametrize(
    ("views", "message"),
    [
        ([X], "at least two views"),
        ([], "at least two views"),
        (X, "Set view_slices"),
        ([X, Y[:50]], r'inconsistent numbers of samples \("view0": 60, "view1": 50\)'),
        ([X, Y[:, 0]], 'view "view1": Expected 2D array, got 1D array'),
        ([X[:5], Y[:5]], r"Found array with 5 sample\(s\).*minimum of 10"),
        ([X, np.full((60, 2), "a")], 'view "view1": could not convert string to float.*row 0, column 0'),
        (
            {"a": X, "b": with_cell(Y.astype(object), 4, 1, "high")},
            r'view "b": could not convert string to float: \'high\': row 4, column 1 \(counted from 0\)',
        ),
        ([X, Y.astype(complex)], "[Cc]omplex"),
        ([X, with_cell(Y, 3, 1, np.inf)], 'Input view "view1" contains infinity.*: row 3, column 1'),
        (
            {"a": X, "b": pd.DataFrame(with_cell(Y, 3, 1, -np.inf), columns=list("vwxyz"))},
            'Input view "b" contains infinity.*: row 3, column "w"',
        ),
        ([X, with_cell(Y.astype(object), 3, 1, 1e300)], 'View "view1", row 4, feature "f1": the value is infinite'),
        ([X, np.ones((60, 3))], 'View "view1" is constant'),
        ([X, np.empty((60, 0))], r"0 feature\(s\)"),
        ({"a": X, "b": pd.DataFrame(Y).assign(sex="f")}, 'view "b", column "sex": expected numbers'),
        ([X, None], 'view "view1" is None'),
        (5, "Set view_slices"),
        ({"a": X, "b": with_cell(Y, 3, 1, 1e300)}, "beyond single precision"),
    ],
)
def test_views_that_cannot_be_used(views, message):
    with pytest.raises(ValueError, match=message):
        TreeCCA().fit(views)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_components": 0}, "n_components must be an integer, 1 to 1024"),
        ({"n_components": 31}, "Ask for at most 30"),
        ({"n_components": "two"}, "n_components"),
        ({"max_depth": 2.5}, "max_depth"),
        ({"max_depth": [2, 3, 4]}, "max_depth"),
        ({"objective": "magic"}, "objective"),
        ({"preset": "best"}, "preset"),
        ({"learning_rate": -1.0}, "learning_rate"),
        ({"subsample": float("nan")}, "subsample"),
        ({"cross_fit": 100}, "cross_fit|folds"),
        ({"random_state": -1}, "random_state"),
        ({"random_state": "x"}, "seed"),
        ({"n_jobs": object()}, "n_jobs"),
        ({"n_jobs": 0}, "n_jobs must be an integer other than 0"),
        ({"n_jobs": True}, "n_jobs"),
        ({"n_jobs": 1.0}, "n_jobs"),
    ],
)
def test_parameters_that_cannot_be_used(parameters, message):
    with pytest.raises(ValueError, match=message):
        TreeCCA(**parameters).fit([X, Y])


def test_advice_fits_the_mistake(quick):
    ids = pd.DataFrame(X).assign(patient=[f"p{i}" for i in range(60)])
    with pytest.raises(ValueError, match=r'set_index\("patient"\)'):
        TreeCCA().fit([ids, Y])
    with pytest.raises(ValueError, match=r"fit\(\[X, Y\]\)"):
        TreeCCA().fit(X, Y)
    with pytest.raises(ValueError, match='two columns called "a"'):
        TreeCCA().fit([pd.DataFrame(X[:, :2], columns=["a", "a"]), Y])
    model = TreeCCA(**quick).fit({"rna": X, "prot": Y})
    with pytest.raises(ValueError, match='view="rna"'):
        model.transform(X)
    with pytest.raises(ValueError, match="missing: prot"):
        model.score({"rna": X})
    with pytest.raises(ValueError, match="components 0 to 1, not 5"):
        model.importances(component=5)


def test_groups_must_fit():
    with pytest.raises(ValueError, match="no label for sample 3"):
        TreeCCA().fit([X, Y], groups=["a", "b", "c", None] * 15)
    with pytest.raises(ValueError, match="no label for sample 1"):
        TreeCCA().fit([X, Y], groups=[0.0, np.nan] * 30)
    frame = pd.DataFrame(X, index=[f"s{i}" for i in range(60)])
    with pytest.raises(ValueError, match="index of groups differs"):
        TreeCCA().fit([frame, Y], groups=pd.Series(np.arange(60) // 2))
    with pytest.raises(ValueError, match="index of groups differs"):
        treecca.cv([frame, Y], {"max_depth": [2]}, groups=pd.Series(np.arange(60) // 2))
    with pytest.raises(ValueError, match=r"1 group cannot fill .* folds.*Add data from more groups"):
        TreeCCA().fit([X, Y], groups=np.zeros(60))
    with pytest.raises(ValueError, match=r"expected shape \(60,\)"):
        TreeCCA().fit([X, Y], groups=[1, 2])


def test_groups_of_any_labels():
    mixed = np.array([1, "a", None, 2.5, (1, 2)] * 12, dtype=object)
    mixed[2::5] = "b"
    settings = {"n_estimators": 3, "random_state": 0, "cross_fit": 3}
    model = TreeCCA(**settings).fit([X, Y], groups=mixed)
    assert model.model_ == TreeCCA(**settings).fit([X, Y], groups=np.arange(60) % 5).model_
    with pytest.raises(ValueError, match="no label for sample 2"):
        TreeCCA().fit([X, Y], groups=pd.Series(["a", "b", None] * 20, dtype="string"))
    with pytest.raises(ValueError, match="no label for sample 1"):
        TreeCCA().fit([X, Y], groups=np.array(["2024-01-01", "NaT"] * 30, dtype="datetime64[ns]"))
    unhashable = np.empty(60, dtype=object)
    unhashable[:] = [[1]] * 60
    with pytest.raises(ValueError, match="a list for sample 0"):
        TreeCCA().fit([X, Y], groups=unhashable)


@pytest.mark.parametrize("weight", [-2, 0, np.nan, np.inf])
def test_one_weight_for_all_must_be_a_weight(weight):
    with pytest.raises(ValueError, match="sample_weight must be above 0 and finite"):
        TreeCCA().fit([X, Y], sample_weight=weight)


def test_cells_of_one_table_are_named():
    table = np.hstack([X, Y])
    slices = {"view_slices": [slice(0, 5), slice(5, 10)]}
    with pytest.raises(ValueError, match=r"Input X contains infinity.*: row 3, column 6"):
        TreeCCA(**slices).fit(with_cell(table, 3, 6, np.inf))
    with pytest.raises(ValueError, match=r'could not convert string to float.*: row 2, column "c7"'):
        frame = pd.DataFrame(with_cell(table.astype(object), 2, 7, "low"), columns=[f"c{i}" for i in range(10)])
        TreeCCA(**slices).fit(frame)
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(ValueError, match=r"Input X contains infinity.*: row 3, column 6"):
        TreeCCA(**slices).fit(sparse.csr_matrix(with_cell(table, 3, 6, np.inf)))


def test_slices_beyond_the_table_are_refused():
    with pytest.raises(ValueError, match=r"view_slices gives view .* slice\(5, 50, None\), but X has n_features = 10"):
        TreeCCA(view_slices=[slice(0, 5), slice(5, 50)]).fit(np.hstack([X, Y]))


def test_arrays_without_names_are_taken_in_order_with_a_warning(quick):
    frames = [pd.DataFrame(view).add_prefix("c") for view in (X, Y)]
    model = TreeCCA(**quick).fit(frames)
    with pytest.warns(UserWarning, match="does not have column names, but the model was fitted with them"):
        unnamed = model.transform([X, Y])
    np.testing.assert_array_equal(unnamed[0], model.transform(frames)[0])


def test_score_far_below_the_fit_is_named():
    rng = np.random.default_rng(0)
    z = rng.standard_normal((400, 1))
    views = [z + 0.1 * rng.standard_normal((400, 3)) for _ in range(2)]
    model = TreeCCA(1, preset="plain", n_estimators=20).fit([view[:200] for view in views])
    model.score([view[200:] for view in views])
    with pytest.warns(UserWarning, match="far below those of the fit.*rows of the views belong together"):
        model.score([views[0][200:], views[1][399:199:-1]])


def test_transform_refuses_what_does_not_fit(quick):
    model = TreeCCA(**quick).fit({"rna": X, "prot": Y})
    with pytest.raises(ValueError, match=r"Expected 2 views \(rna, prot\), got 3"):
        model.transform([X, Y, Y])
    with pytest.raises(ValueError, match='no view "lipid"; its views are: rna, prot'):
        model.transform({"lipid": X})
    with pytest.raises(ValueError, match='view "prot" has 4 features, but TreeCCA is expecting 5'):
        model.transform([X, Y[:, :4]])
    with pytest.raises(ValueError, match="no view 2; its views are 0 to 1: rna, prot"):
        model.transform(X, view=2)
    with pytest.raises(ValueError, match='"prot" is needed'):
        model.predict({"rna": X}, source="prot", target="rna")


def test_columns_match_by_name_before_position(quick):
    frame = pd.DataFrame(X, columns=list("abcde"))
    model = TreeCCA(**quick).fit([frame, Y])
    expected = model.transform(X, view=0)
    generated = frame.set_axis([f"f{j}" for j in range(5)], axis=1)
    for table in (frame, frame[list("edcba")].assign(z=1.0), generated):
        np.testing.assert_array_equal(model.transform(table, view=0), expected)
    with pytest.raises(ValueError, match='view "view0" has 4 columns without names where the model has 5 features'):
        model.transform(generated.iloc[:, :4], view=0)
    reversed_names = TreeCCA(**quick).fit([generated.iloc[:, ::-1], Y])
    np.testing.assert_array_equal(
        reversed_names.transform(generated, view=0), reversed_names.transform(X[:, ::-1], view=0)
    )


def test_absent_columns_are_named(quick):
    frame = pd.DataFrame(X, columns=list("abcde"))
    model = TreeCCA(**quick).fit([frame, Y])
    with pytest.raises(ValueError, match='view "view0" lacks 2 of the 5 features seen at fit time: "b", "d"'):
        model.transform([frame[["a", "c", "e"]], Y])


def test_tables_of_other_samples_are_not_paired_by_order():
    a = pd.DataFrame(X, index=[f"s{i}" for i in range(60)])
    b = pd.DataFrame(Y, index=[f"s{i}" for i in reversed(range(60))])
    with pytest.raises(ValueError, match="index of view"):
        TreeCCA().fit([a, b])
    with pytest.raises(ValueError, match="no sample in common"):
        treecca.align([a, b.rename(index=lambda s: "x" + s)])
    with pytest.raises(ValueError, match=r"'s0' more than once in its index\. Ids must be unique"):
        treecca.align([pd.concat([a, a.iloc[:1]]), b])
    numbered = a.reset_index(drop=True)
    with pytest.raises(ValueError, match="has the sample 0 more than once"):
        treecca.align([pd.concat([numbered, numbered.iloc[:1]]), b])
    with pytest.raises(ValueError, match=r'"view0": \[0, 1, 2\]'):
        treecca.align([numbered, b])
    with pytest.raises(ValueError, match=r'no index to join by. Use table.to_pandas\(\).set_index\("id"\)'):
        treecca.align([pytest.importorskip("polars").DataFrame(X), b])
    with pytest.raises(ValueError, match=r"no index to join by\. Make a DataFrame with the sample ids as index"):
        treecca.align([X, b])


@pytest.mark.parametrize("weight", [np.ones(59), np.ones((60, 2)), np.ones((60, 1, 1)), [1.0, 2.0]])
def test_the_number_of_weights_is_checked(weight):
    with pytest.raises(ValueError, match=r"sample_weight must have one weight per sample: expected shape \(60,\), got"):
        TreeCCA().fit([X, Y], sample_weight=weight)


def test_text_in_a_column_of_numbers(quick):
    frame = pd.DataFrame(X, columns=list("abcde"))
    spoiled = frame.astype({"b": object})
    spoiled.loc[3, "b"] = "n.d."
    spoiled.loc[4, "b"] = "n.d."
    with pytest.raises(ValueError, match="A category: use astype"):
        TreeCCA(**quick).fit([spoiled, Y])
    model = TreeCCA(**quick).fit([frame, Y])
    message = 'view "view0", column "b": expected numbers, got .* The column was a number in the fit. Correct'
    text = frame.assign(b=[str(value) for value in frame["b"]])
    polars = pytest.importorskip("polars").DataFrame({name: list(text[name]) for name in text})
    for table in (spoiled, text, polars):
        for call in (model.transform, model.explain, model.score):
            with pytest.raises(ValueError, match=message) as found:
                call([table, Y])
            assert "categor" not in str(found.value)


def test_an_absent_view_of_new_data_may_be_none(quick):
    model = TreeCCA(**quick).fit({"x": X, "y": Y})
    variates = model.transform({"x": X, "y": None})
    assert list(variates) == ["x", "y"] and variates["y"] is None
    np.testing.assert_array_equal(variates["x"], model.transform([X, None])[0])
    assert model.explain({"x": None, "y": Y})["x"] is None
    with pytest.raises(ValueError, match="score needs every view of the model; missing: y"):
        model.score({"x": X, "y": None})


def test_damaged_model_files(tmp_path, quick):
    path = tmp_path / "m.json"
    with pytest.raises(OSError, match=r"m\.json"):
        treecca.load(path)
    path.write_text("{}")
    with pytest.raises(ValueError, match=r"m\.json"):
        treecca.load(path)
    model = TreeCCA(**quick).fit([X, Y])
    with pytest.raises(OSError, match="nowhere"):
        model.save(tmp_path / "nowhere" / "m.json")
    with pytest.raises(OSError, match=r"\.json"):
        model.save(tmp_path / "m.txt")


def test_metrics_refuse_what_are_not_variates():
    with pytest.raises(ValueError, match="at least two"):
        metrics.tcc([X])
    with pytest.raises(ValueError, match="2D"):
        metrics.tcc([X[:, 0], Y[:, 0]])
    with pytest.raises(ValueError, match="same samples"):
        metrics.tcc([X, Y[:-1]])
    with pytest.raises(ValueError, match="view 2 are not finite at row 4, component 2"):
        metrics.tcc([X, with_cell(Y, 3, 1, np.nan)])
    with pytest.raises(ValueError, match="n_samples=1 should be >= 2"):
        metrics.component_correlations([X[:1], Y[:1]])
    with pytest.raises(ValueError, match="view 2 are not finite at row 4, component 2"):
        metrics.distinct_tcc([X, with_cell(Y, 3, 1, np.nan)])
    with pytest.raises(ValueError, match="n_samples=1 should be >= 2"):
        metrics.distinct_tcc([X[:1], Y[:1]])


def test_score_needs_two_samples(quick):
    model = TreeCCA(**quick).fit([X, Y])
    with pytest.raises(ValueError, match="n_samples=1 should be >= 2"):
        model.score([X[:1], Y[:1]])


def test_the_core_never_crashes_the_interpreter():
    core = treecca._core
    names = ["a", "b"]
    with pytest.raises((TypeError, ValueError)):
        core.fit([("a", X.astype(int), [], []), ("b", Y, [], [])], [])
    with pytest.raises(ValueError, match="names"):
        core.fit([("a", X, names, []), ("b", Y, [], [])], [])
    with pytest.raises(ValueError, match="group"):
        core.fit([("a", X, [], []), ("b", Y, [], [])], [], np.array([1, 2]))
    for groups in ([1, 2], np.ones((len(X), 1), int)):
        with pytest.raises(TypeError):
            core.fit([("a", X, [], []), ("b", Y, [], [])], [], groups)
    with pytest.raises(ValueError, match="nonsense"):
        core.fit([("a", X, [], []), ("b", Y, [], [])], [("nonsense", "1")])
    model = core.fit([("a", X, [], []), ("b", Y, [], [])], [("n_estimators", "3")]).model
    with pytest.raises(IndexError):
        model.transform(7, X)
    with pytest.raises(ValueError, match="columns"):
        model.transform(0, X[:, :2])
    with pytest.raises(ValueError, match="format"):
        model.to_bytes("xml")
    with pytest.raises(ValueError):
        core.Model(b"\x00\x01")
    with pytest.raises(TypeError):
        core.Model().n_components  # noqa: B018


def test_score_wants_the_same_samples_in_the_same_order():
    pd = pytest.importorskip("pandas")
    X, Y = related_views(80)
    labels = [f"s{i}" for i in range(80)]
    a, b = pd.DataFrame(X, index=labels), pd.DataFrame(Y, index=labels)
    model = TreeCCA(1, n_repeats=1, n_estimators=10, random_state=0).fit([a, b])
    with pytest.raises(ValueError, match="The index of view"):
        model.score([a, b.sample(frac=1, random_state=0)])


def test_values_far_from_zero_lose_nothing():
    X, Y = related_views(200)
    settings = {"n_components": 1, "n_repeats": 1, "n_estimators": 20, "random_state": 0}
    near = TreeCCA(**settings).fit([X, Y])
    far = TreeCCA(**settings).fit([X.astype(np.float64) + 1e8, Y])
    np.testing.assert_allclose(far.correlations_, near.correlations_, atol=0.02)
    np.testing.assert_allclose(far.transform([X.astype(np.float64) + 1e8, Y])[0], far.variates_[0], atol=1e-5)


def test_warns_of_columns_that_are_in_both_views_and_of_placeholders():
    X, Y = (np.array(v, dtype=np.float64) for v in related_views(100))
    Y[:, 1] = X[:, 0]
    X[::10, 1] = -999
    with pytest.warns(UserWarning) as told:
        TreeCCA(1, n_repeats=1, n_estimators=5, random_state=0).fit([X, Y])
    texts = [str(one.message) for one in told]
    assert any('Feature "f0" of view "view0" and feature "f1" of view "view1" have the same values' in t for t in texts)
    assert any("the value -999 is frequent" in t for t in texts)


def test_columns_without_values_are_named():
    with pytest.warns(UserWarning, match='View "view1" has columns without any value: "f2"'):
        TreeCCA(1, n_repeats=1, n_estimators=5, random_state=0).fit([X, with_cell(Y, slice(None), 2, np.nan)])


def test_columns_of_objects_that_are_numbers():
    settings = {"n_components": 1, "n_repeats": 1, "n_estimators": 5, "random_state": 0}
    frame = pd.DataFrame(np.array(X, dtype=np.float64))
    frame[0] = frame[0].astype(object)
    frame.loc[3, 0] = None
    expected = TreeCCA(**settings).fit([with_cell(np.array(X, dtype=np.float64), 3, 0, np.nan), Y])
    np.testing.assert_array_equal(TreeCCA(**settings).fit([frame, Y]).correlations_, expected.correlations_)
    frame.loc[4, 0] = "1.5"
    with pytest.raises(ValueError, match="expected numbers, got object"):
        TreeCCA(**settings).fit([frame, Y])


def test_integers_keep_their_digits():
    stamps = 1_600_000_000 + np.arange(60, dtype=np.int64)
    settings = {"n_components": 1, "n_repeats": 1, "n_estimators": 20, "random_state": 0}
    model = TreeCCA(**settings).fit([np.c_[stamps, X[:, 1]], np.c_[np.sqrt(np.arange(60)), Y[:, 1]]])
    assert model.correlations_[0] > 0.9


def test_polars_frames_that_are_lazy_or_have_nulls():
    pl = pytest.importorskip("polars")
    settings = {"n_components": 1, "n_repeats": 1, "n_estimators": 5, "random_state": 0}
    frame = pl.DataFrame({f"c{j}": X[:, j] for j in range(X.shape[1])})
    model = TreeCCA(**settings).fit([frame, Y])
    lazy = TreeCCA(**settings).fit([frame.lazy(), pl.DataFrame(Y).lazy()])
    np.testing.assert_array_equal(lazy.correlations_, model.correlations_)
    with pytest.warns(UserWarning, match='without any value: "empty"'):
        TreeCCA(**settings).fit([frame.with_columns(pl.lit(None).alias("empty")), Y])


def test_paths_and_names_that_are_no_text(tmp_path):
    model = TreeCCA(1, n_repeats=1, n_estimators=5, random_state=0).fit([X, Y])
    precious = tmp_path / "precious.txt"
    precious.write_text("mine")
    for call in (model.save, model.report, treecca.load):
        with pytest.raises(ValueError, match="null character"):
            call(f"{precious}\0.json")
        with pytest.raises(ValueError, match="not valid Unicode"):
            call(f"{tmp_path}/\udc80.json")
    assert precious.read_text() == "mine"
    with pytest.raises(ValueError, match=r"views: the name .* is not valid Unicode"):
        TreeCCA(1).fit({"a\udc80": X, "b": Y})
    with pytest.raises(ValueError, match=r'view "view0": the name .* is not valid Unicode'):
        TreeCCA(1).fit([pd.DataFrame(X, columns=["a\udc80", *range(X.shape[1] - 1)]), Y])


def test_unknown_parameters_are_those_of_the_estimator():
    with pytest.raises(TypeError, match=r"TreeCCA.__init__\(\) got an unexpected keyword argument 'n_component'"):
        TreeCCA(n_component=3)
