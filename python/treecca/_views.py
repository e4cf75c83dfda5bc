"""Checks the views (arrays, tables, containers) and passes them to the core as named arrays.

A float32 or float64 array is passed without a copy, whatever its strides; everything else is converted with one copy.
"""

from __future__ import annotations

import numbers
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_array

from . import _core
from ._categories import Categorical, Levels, check_named, encoded, of_view
from ._missing import is_missing, is_row, with_nan
from ._slices import columns_at

Table = Any  # array-like, pandas or polars DataFrame, SciPy sparse matrix, AnnData
Views = Any  # list of tables, mapping of name -> table, MuData


@dataclass
class View:
    """One view, checked: 2-D, float32 or float64, NaN where a value is missing."""

    name: str
    values: NDArray[Any]
    feature_names: list[str]  # empty: the table had no names
    index: Any = None  # of a pandas table, else None
    levels: Levels = field(default_factory=list)  # of categories, whose values are positions; empty: there are none

    def for_core(self) -> tuple[str, NDArray[Any], list[str], Levels]:
        """(name, values, feature names, levels), as the core takes a view."""
        return self.name, self.values, self.feature_names, self.levels


def is_anndata(table: Any) -> bool:
    return hasattr(table, "obs_names") and hasattr(table, "var_names") and hasattr(table, "X")


def is_mudata(views: Any) -> bool:
    return hasattr(views, "mod") and hasattr(views, "obs_names")


def is_named(views: Any) -> bool:
    """Whether the views have names. (SciPy's DOK matrices are mappings too, but tables.)"""
    return is_mudata(views) or (isinstance(views, Mapping) and not hasattr(views, "toarray"))


def is_single_table(views: Any) -> bool:
    """Whether the argument is one table rather than a collection of tables."""
    if is_named(views):
        return False
    if isinstance(views, (list, tuple)):
        # A list of numbers or of rows is an array; in a list of tables, each entry has a shape.
        return len(views) > 0 and not any(item is None or _has_two_dimensions(item) for item in views)
    return True


def _has_two_dimensions(item: Any) -> bool:
    if is_anndata(item) or is_lazy(item) or getattr(item, "ndim", None) == 2 or len(getattr(item, "shape", ())) == 2:
        return True
    if getattr(item, "ndim", None) is not None:  # an array of another shape: still meant as a view
        return True
    return isinstance(item, (list, tuple)) and any(map(is_row, item))


def named_tables(views: Views, names: Sequence[str] | None = None) -> dict[str, Table]:
    """Name -> table, in order. A list takes `names`, or is called view0, view1, ..."""
    if is_mudata(views):
        return dict(views.mod.items())
    if isinstance(views, Mapping):
        return {checked_text("views", str(name)): table for name, table in views.items()}
    if isinstance(views, (str, bytes)) or not isinstance(views, Iterable):
        raise ValueError(f"Expected a list, a mapping or a MuData of views, got {type(views).__name__}.")
    tables = list(views)
    if names is None:
        names = [f"view{number}" for number in range(len(tables))]
    if len(tables) != len(names):
        raise ValueError(f"Expected {len(names)} views ({', '.join(names)}), got {len(tables)}.")
    return dict(zip(names, tables, strict=True))


def is_polars(table: Any) -> bool:
    return hasattr(table, "columns") and hasattr(table, "to_numpy") and not hasattr(table, "iloc")


def is_lazy(table: Any) -> bool:
    """Whether it is a LazyFrame of polars."""
    return type(table).__name__ == "LazyFrame" and hasattr(table, "collect")


def as_views(tables: Mapping[str, Table], categorical: Categorical = None, *, min_samples: int) -> list[View]:
    """Check the tables of several views. `categorical`: as `categorical_features` of :class:`treecca.TreeCCA`."""
    views = [
        as_view(name, table, min_samples=min_samples, categorical=of_view(categorical, name))
        for name, table in tables.items()
    ]
    check_named(categorical, {view.name: view.feature_names for view in views})
    return views


def as_view(
    name: str, table: Table, *, min_samples: int = 1, estimator: str = "TreeCCA", categorical: Sequence[Any] = ()
) -> View:
    """Check one table. ValueError as scikit-learn words it, with the view and the column.

    `categorical`: names or positions of columns that are categories, in addition to columns of a type for them.
    """
    label = f'view "{name}"'
    if table is None:
        raise ValueError(f"{label} is None; a table is needed here.")
    if is_lazy(table):
        table = table.collect()
    table, levels = encoded(label, table, categorical)
    if is_anndata(table):
        feature_names = [checked_text(label, str(v)) for v in table.var_names]
        index, values = table.obs_names, table.X
    elif hasattr(table, "iloc") and hasattr(table, "columns"):  # pandas
        feature_names, index, values = _checked_names(label, table.columns), table.index, frame_values(label, table)
    elif is_polars(table):
        feature_names, index, values = _checked_names(label, table.columns), None, frame_values(label, table)
    else:
        feature_names, index, values = [], None, with_nan(table)
    if hasattr(values, "toarray"):
        if np.iscomplexobj(values):
            raise ValueError(f"Complex data not supported: {label}.")
        values = _in_floats(values).toarray()
    elif isinstance(values, np.ma.MaskedArray):
        masked, values = np.ma.getmaskarray(values), np.array(values.data, dtype=np.float64)
        values[masked] = np.nan
    if is_sound(values, min_samples):
        return View(name, aligned(values), feature_names, index, levels)
    try:
        with cells_named(values, feature_names):
            array = check_array(
                values,
                dtype=float_types(values),
                ensure_all_finite="allow-nan",
                ensure_min_samples=min_samples,
                estimator=estimator,
                input_name=label,
            )
    except ValueError as error:
        raise ValueError(str(error) if label in str(error) else f"{label}: {error}") from error
    return View(name, aligned(array), feature_names, index, levels)


def is_sound(values: Any, min_samples: int) -> bool:
    """Whether `check_array` would return this array as it is. It takes a tenth of the time for a few rows."""
    if type(values) is not np.ndarray or values.dtype not in (np.float32, np.float64) or values.ndim != 2:
        return False
    if len(values) < max(min_samples, 1) or values.shape[1] < 1:
        return False
    largest, least = np.fmax.reduce(values, axis=None), np.fmin.reduce(values, axis=None)  # NaN if all are
    return bool(largest != np.inf and least != -np.inf)


def aligned(array: NDArray[Any]) -> NDArray[Any]:
    """The array, copied if its numbers are not aligned in memory: fields of records, pieces of a message."""
    return array if array.flags.aligned else np.require(array, requirements="A")


@contextmanager
def cells_named(table: Table, feature_names: Sequence[str]) -> Iterator[None]:
    """Add row and column to scikit-learn's errors about infinite cells and text."""
    try:
        with np.errstate(over="ignore"):  # a number beyond single precision becomes infinite and is refused
            yield
    except ValueError as error:
        message = str(error)
        cell = None
        if "contains infinity" in message:
            cell = _infinite_cell(table)
        elif "could not convert string to float" in message:
            cell = _text_cell(table)
        if cell is None:
            raise
        row, column = cell
        name = f'"{feature_names[column]}"' if feature_names else str(column)
        raise ValueError(f"{message.rstrip('.')}: row {row}, column {name} (counted from 0).") from error


def _infinite_cell(table: Table) -> tuple[int, int] | None:
    dense = table.toarray() if hasattr(table, "toarray") else table
    with np.errstate(over="ignore"):
        found = np.argwhere(np.isinf(np.asarray(dense, dtype=np.float64).astype(np.float32)))
    return (int(found[0][0]), int(found[0][1])) if found.size and found.shape[1] == 2 else None


def _text_cell(table: Table) -> tuple[int, int] | None:
    cells = np.asarray(table, dtype=object)
    rows = enumerate(cells) if cells.ndim == 2 else ()
    return next(((i, j) for i, row in rows for j, cell in enumerate(row) if _is_text(cell)), None)


def _is_text(cell: Any) -> bool:
    try:
        float(cell)
    except ValueError:
        return True
    except TypeError:  # None: a missing value
        return False
    return False


def checked_text(label: str, text: str) -> str:
    """The text, if a model file can hold it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{label}: the name {text!r} is not valid Unicode text. Rename it.") from None
    return text


def _checked_names(label: str, columns: Iterable[Any]) -> list[str]:
    names = [checked_text(label, str(column)) for column in columns]
    twice = next((name for name, count in Counter(names).items() if count > 1), None)
    if twice is not None:
        raise ValueError(f'{label} has two columns called "{twice}". Rename one of them.')
    return names


def float_types(table: Any) -> list[type]:
    """The float types that numbers may keep; others are converted to the first, single precision where it is exact."""
    kind = getattr(getattr(table, "dtype", None), "kind", "")
    numbers = getattr(table, "data", table) if hasattr(table, "toarray") else table
    exact = kind in ("i", "u", "b") and (numbers.size == 0 or max(abs(int(numbers.min())), int(numbers.max())) <= 2**24)
    return [np.float32, np.float64] if exact else [np.float64, np.float32]


def _in_floats(sparse: Any) -> Any:
    """A sparse matrix as float32 or float64: converted before it is made dense, so that the table is copied once."""
    if sparse.dtype in (np.float32, np.float64):
        return sparse
    with np.errstate(over="ignore"):  # becomes infinite and is refused
        return sparse.astype(float_types(sparse)[0])


def frame_values(label: str, frame: Any) -> NDArray[Any]:
    """A frame of numbers (or booleans) as an array, copied at most once. ValueError names a column of another type."""
    dtypes = list(frame.dtypes)
    for column, dtype in zip(frame.columns, dtypes, strict=True):
        kind = getattr(dtype, "kind", None)
        numeric = kind in "fiub" if isinstance(kind, str) else _is_polars_number(dtype)
        if not numeric and not (kind == "O" and _holds_numbers(frame[column])):
            advice = (
                'If it is a category, convert it to the type for these (pandas: astype("category")) or name it in '
                "categorical_features; if not, leave it out."
            )
            if kind in ("M", "m"):
                advice = "Write dates and times as numbers (for example days since a start), or leave the column out."
            elif hasattr(frame, "iloc") and frame[column].is_unique:  # distinct in every row: probably sample ids
                advice = (
                    f'If these are sample ids, use set_index("{column}") and treecca.align(views). If not: ' + advice
                )
            raise ValueError(f'{label}, column "{column}": expected numbers, got {dtype}. {advice}')
    if is_polars(frame):
        return _polars_values(frame, dtypes)
    if any(getattr(dtype, "kind", None) == "O" for dtype in dtypes):
        return np.asarray(frame.where(frame.notna(), np.nan).astype(np.float64).to_numpy())
    if all(isinstance(dtype, np.dtype) for dtype in dtypes):
        return np.asarray(frame.to_numpy(dtype=_float_type(dtypes)))
    return np.asarray(frame.to_numpy(dtype=_float_type(dtypes), na_value=np.nan))


def _holds_numbers(column: Any) -> bool:
    """Whether a pandas column of Python objects has only numbers and missing values."""
    return all(is_missing(value) or isinstance(value, (numbers.Real, np.bool_)) for value in column)


def _polars_values(frame: Any, dtypes: list[Any]) -> NDArray[Any]:
    if len(set(dtypes)) == 1 and str(dtypes[0]) in ("Float32", "Float64"):
        return np.asarray(frame.to_numpy())
    values = np.empty(frame.shape, np.float64, order="F")
    for number, column in enumerate(frame.columns):
        values[:, number] = frame[column].cast(float).to_numpy()
    return values


def _is_polars_number(dtype: Any) -> bool:
    is_numeric = getattr(dtype, "is_numeric", None)
    return bool(is_numeric and is_numeric()) or str(dtype) in ("Boolean", "Null")


def _float_type(dtypes: list[Any]) -> type:
    single = [d == np.float32 if isinstance(d, np.dtype) else str(d).lower() == "float32" for d in dtypes]
    return np.float32 if dtypes and all(single) else np.float64


def check_same_samples(views: list[View], groups: Any = None, sample_weight: Any = None) -> None:
    """Check that views, groups and weights have the same number of rows and, where they have one, the same index."""
    first = views[0]
    for view in views[1:]:
        if len(view.values) != len(first.values):
            counts = ", ".join(f'"{v.name}": {len(v.values)}' for v in views)
            raise ValueError(
                f"Found views with inconsistent numbers of samples ({counts}). Views must hold the same samples in "
                "the same order; treecca.align(views) joins pandas tables by their index, treecca.mu.fit(mdata) "
                "takes the samples that all modalities have."
            )
        if first.index is not None and view.index is not None and not first.index.equals(view.index):
            raise ValueError(
                f'The index of view "{view.name}" differs from that of view "{first.name}": the rows are not the '
                "same samples in the same order. treecca.align(views) joins tables by their index. Only if row i is "
                "the same sample in all tables, use reset_index(drop=True). For MuData there is treecca.mu.fit(mdata)."
            )
    check_same_index(groups, views, "groups")
    check_same_index(sample_weight, views, "sample_weight")


def check_same_index(values: Any, views: list[View], name: str) -> None:
    """Check that a pandas Series has the samples of pandas tables in the same order."""
    index = getattr(values, "index", None) if hasattr(values, "iloc") else None
    if index is None:
        return
    for view in views:
        if view.index is not None and not index.equals(view.index):
            raise ValueError(
                f'The index of {name} differs from that of view "{view.name}": reindex it to the same samples.'
            )


def repeated_index_warning(views: list[View]) -> str | None:
    """The warning for tables with repeated labels; None if no label repeats."""
    for view in views:
        if view.index is None or view.index.is_unique:
            continue
        return (
            f'The index of view "{view.name}" repeats: {len(view.index)} samples but only '
            f"{len(view.index.unique())} different labels. If these are repeated measurements of the same subject, "
            "pass groups=... (one label per sample, for example the index) so that all samples of a subject share a "
            "fold; otherwise the out-of-fold correlations are too high."
        )
    return None


def match_columns(view: View, names: list[str], levels: Levels) -> NDArray[Any]:
    """The columns and levels of a table in the model's order, by the core's rules."""
    values, given = _matched_columns(view, names)
    if not levels and not any(given):
        return values
    values = np.array(values, dtype=np.float64, order="C")
    for note in _core.to_model_levels(view.name, names, given, levels, values):
        warnings.warn(note, UserWarning, stacklevel=5)
    return values


def _matched_columns(view: View, names: list[str]) -> tuple[NDArray[Any], Levels]:
    """The columns in the model's order and their levels; by position if the table has no names."""
    if not view.feature_names:
        check_width(view.name, view.values.shape[1], len(names))
        if names != [f"f{number}" for number in range(len(names))]:
            warnings.warn(
                f'view "{view.name}" does not have column names, but the model was fitted with them: its columns are '
                "taken in the order of the fit.",
                UserWarning,
                stacklevel=5,
            )
        return view.values, view.levels
    columns = _core.feature_columns(view.name, view.feature_names, names)
    if not columns:
        return view.values, view.levels
    return columns_at(view.values, columns), [view.levels[column] for column in columns] if view.levels else []


def check_width(view_name: str, width: int, expected: int) -> None:
    """Check the number of columns of a table without names."""
    if width != expected:
        raise ValueError(
            f'view "{view_name}" has {width} features, but TreeCCA is expecting {expected} features as input.'
        )
