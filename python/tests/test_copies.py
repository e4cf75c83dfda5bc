"""Data is copied at most once on the way into a fit, and results are not copied on the way out."""

import subprocess
import sys
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from conftest import measures_memory, related_views
from sklearn.utils import check_array

from treecca import TreeCCA, TreeCCASSL, _core
from treecca._views import float_types, is_sound

FLOATS = [np.float32, np.float64]


def laid_out(values, dtype, layout):
    """The same numbers in another order of memory."""
    if layout == "strided":
        wide = np.zeros((2 * values.shape[0], 3 * values.shape[1]), dtype)
        wide[::2, ::3] = values
        return wide[::2, ::3]
    result = np.array(values, dtype=dtype, order=layout)
    result.flags.writeable = False
    return result


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("layout", ["C", "F", "strided"])
def test_arrays_are_read_in_place(dtype, layout):
    given = [laid_out(view, dtype, layout) for view in related_views()]
    for array, view in zip(given, TreeCCA()._training_views(given), strict=True):
        assert np.shares_memory(view.values, array)
        assert view.values.dtype == dtype
        assert view.values.strides == array.strides
    assert np.shares_memory(TreeCCASSL()._view(given[0], reset=True).values, given[0])


def test_arrays_that_need_no_check_are_those_that_the_check_returns_as_they_are():
    numbers = np.arange(12.0).reshape(4, 3)
    with_gaps = np.where(numbers > 5, np.nan, numbers)
    sound = [numbers, with_gaps, np.full((4, 3), np.nan), numbers.astype(np.float32), numbers.T, numbers[::-2, ::2]]
    sound += [np.full((4, 3), 3e38, np.float32), np.full((4, 3), -1e308)]
    others = [with_gaps[:2], np.empty((4, 0)), numbers[0], numbers.astype(int), numbers.astype(">f8"), numbers.tolist()]
    others += [np.where(numbers == 7, infinity, with_gaps) for infinity in (np.inf, -np.inf)]
    others += [numbers.astype(complex), numbers.astype(object), np.ma.masked_array(numbers), numbers.astype(np.float16)]
    for array in sound:
        assert is_sound(array, 2)
        with np.errstate(all="raise"):
            assert check_array(array, dtype=float_types(array), ensure_all_finite="allow-nan") is array
    assert not any(is_sound(array, 3) for array in others)


@pytest.mark.parametrize("dtype", FLOATS)
def test_tables_are_read_in_place_where_they_hold_one_array(dtype):
    given = [pd.DataFrame(view.astype(dtype)) for view in related_views()]
    for frame, view in zip(given, TreeCCA()._training_views(given), strict=True):
        assert np.shares_memory(view.values, frame.to_numpy())


def test_neighbouring_columns_of_one_table_are_read_in_place():
    X = np.hstack(related_views())
    shared = [
        np.shares_memory(view.values, X)
        for view in TreeCCA(view_slices=[slice(0, 5), [5, 6, 7], [9, 8]])._training_views(X)
    ]
    assert shared == [True, True, False]


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize(
    ("convert", "limit"),  # as a fraction of the data
    [
        (lambda values: values, 0.05),
        (lambda values: np.where(values > 2, np.nan, values), 0.1),
        (lambda values: np.round(9 * values).astype(np.int64), 0.6),  # a copy in single precision
        (lambda values: np.ma.masked_greater(values, 2), 1.1),  # a copy with NaN
    ],
)
def test_checks_copy_at_most_once(convert, limit, order):
    rng = np.random.default_rng(0)
    values = [convert(np.asarray(rng.normal(size=(2000, 500)), order=order)) for _ in range(2)]
    TreeCCA()._training_views([view[:20] for view in values])  # imports
    tracemalloc.start()
    try:
        TreeCCA()._training_views(values)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < limit * sum(view.nbytes for view in values)


def peak_of_conversion(fit, table):
    """The memory that the conversion of a table takes, in bytes."""
    fit(table[:20])  # imports
    tracemalloc.start()
    try:
        fit(table)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def as_view(table):
    return TreeCCA()._training_views([table, table])


def as_single_table(table):
    return TreeCCASSL()._view(table, reset=True)


@pytest.mark.parametrize(("fit", "copies"), [(as_view, 2), (as_single_table, 1)])
@pytest.mark.parametrize(("dtype", "bytes_each"), [("Float32", 4), ("Float64", 8), ("Int32", 8), ("Boolean", 8)])
def test_polars_tables_are_copied_at_most_once(dtype, bytes_each, fit, copies):
    pl = pytest.importorskip("polars")
    rng = np.random.default_rng(0)
    values = rng.integers(2, size=(20_000, 50))
    table = pl.DataFrame({f"c{j}": values[:, j] for j in range(50)}).cast(getattr(pl, dtype))
    assert peak_of_conversion(fit, table) < 1.1 * copies * bytes_each * values.size
    converted = TreeCCA()._training_views([table, table])[0].values
    np.testing.assert_array_equal(converted, values)
    assert converted.dtype == (np.float32 if dtype == "Float32" else np.float64)


def test_missing_cells_of_polars_tables_are_nan():
    pl = pytest.importorskip("polars")
    table = pl.DataFrame({"a": [1, None, 3] * 5, "b": [True, False, None] * 5, "c": [0.5, 1.5, None] * 5})
    for view in (as_view(table)[0], as_single_table(table)):
        np.testing.assert_array_equal(view.values[:3], [[1, 1, 0.5], [np.nan, 0, 1.5], [3, np.nan, np.nan]])
        assert view.feature_names == ["a", "b", "c"]


@pytest.mark.parametrize(("fit", "copies"), [(as_view, 2), (as_single_table, 1)])
def test_sparse_matrices_of_integers_are_copied_once(fit, copies):
    sparse = pytest.importorskip("scipy.sparse")
    values = np.zeros((20_000, 50), np.int64)
    values[:, ::10] = np.random.default_rng(0).integers(5, size=(20_000, 5))
    values[0] = 1  # no empty columns
    assert peak_of_conversion(fit, sparse.csr_matrix(values)) < (1.1 * copies + 0.6) * 4 * values.size


@pytest.mark.parametrize("weights", [np.arange(60.0), np.arange(60)[::-1], np.arange(60, dtype=np.float32)])
def test_groups_and_weights_reach_the_core_as_arrays(views, weights):
    from treecca._samples import per_sample

    given = TreeCCA()._training_views([view[:60] for view in views])
    numbers, weighed = per_sample(given, ["b", "a", "b"] * 20, weights)
    np.testing.assert_array_equal(numbers, [0, 1, 0] * 20)
    np.testing.assert_array_equal(weighed, weights)
    assert (numbers.dtype, weighed.dtype) == (np.int64, np.float64)
    settings = [("n_estimators", "5"), ("random_state", "0"), ("cross_fit", "2")]
    inputs = [view.for_core() for view in given]
    one = _core.fit(inputs, settings, numbers, weighed)
    other = _core.fit(inputs, settings, numbers, np.repeat(weighed, 2)[::2])  # strided: copied
    assert one.model == other.model
    np.testing.assert_allclose(one.weights, weighed / weighed.mean(), rtol=1e-6)


GROWTH = """
import resource, sys
import numpy as np
from treecca import TreeCCA
rows, columns, dtype, order = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
def peak():
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
def fit(views):
    TreeCCA(1, n_estimators=1, init="random", max_bin=16, cross_fit=0, n_jobs=1, random_state=0).fit(views)
rng = np.random.default_rng(0)
fit([rng.random((200, columns)), rng.random((200, columns))])
views = [np.empty((rows, columns), dtype, order=order) for _ in range(2)]
for view in views:
    for column in range(columns):
        view[:, column] = rng.integers(16, size=rows)
before = peak()
fit(views)
print((peak() - before) / sum(view.nbytes for view in views))
"""


@measures_memory
@pytest.mark.parametrize(("dtype", "order"), [("float32", "F"), ("float64", "C")])
def test_a_fit_needs_less_memory_than_a_copy_of_the_data(dtype, order):
    """Of the process, as the system counts it: bins take one byte per number."""
    command = [sys.executable, "-W", "ignore", "-c", GROWTH, "50000", "200", dtype, order]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert float(done.stdout) < 0.8


def fitted(views):
    inputs = [(f"view{number}", view, [], []) for number, view in enumerate(views)]
    return _core.fit(inputs, [("preset", "plain"), ("n_estimators", "5")])


def test_results_are_the_same_objects_on_every_access(views):
    result = fitted(views)
    assert result.model is result.model
    for of_views in (lambda: result.variates, lambda: result.out_of_fold):
        assert len(of_views()) == 2
        for first, second in zip(of_views(), of_views(), strict=True):
            assert first is second


def test_results_outlive_the_fit_and_each_other(views):
    result = fitted(views)
    model, variates, out_of_fold = result.model, result.variates, result.out_of_fold
    del result
    kept = variates[0].copy()
    variates[0][:] = 0  # belongs to the caller: the model is another object
    np.testing.assert_array_equal(model.transform(0, views[0]), kept)
    del model, variates
    np.testing.assert_allclose(out_of_fold[0].std(axis=0), 1, atol=0.3)


def test_numbers_that_are_not_aligned_are_copied():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(60, 3))
    packed = np.frombuffer(b"." + x.tobytes(), dtype=np.float64, offset=1, count=x.size).reshape(x.shape)
    assert not packed.flags.aligned
    model = TreeCCA(1, n_estimators=5, random_state=0, linear=0).fit([x, x])
    again = TreeCCA(1, n_estimators=5, random_state=0, linear=0).fit([packed, packed])
    np.testing.assert_array_equal(model.variates_[0], again.variates_[0])
    np.testing.assert_array_equal(model.transform([packed, packed])[1], model.transform([x, x])[1])
    encoder = TreeCCASSL(1, n_estimators=5, random_state=0).fit(packed)
    np.testing.assert_array_equal(encoder.transform(packed), encoder.transform(x))
    with pytest.raises(ValueError, match="not aligned"):
        model.model_.transform(0, packed)
