"""Categories: columns whose values are names, given to the core as positions in a list of levels."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._missing import is_missing, with_nan
from ._slices import positions_of

Categorical = Any  # names or positions of columns, or a mapping of view name -> these
Levels = list[list[str]]  # per column; empty for a number. Empty as a whole: no categories


def level_name(value: Any) -> str:
    """The name of a level. A number is known by its value, as in the core: 1, 1.0 and True are the level "1"."""
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    if isinstance(value, numbers.Real) and not isinstance(value, numbers.Integral):
        value = float(value)
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return str(value)


def is_category_type(dtype: Any) -> bool:
    """Whether a type of a column of pandas or polars is one for categories."""
    if isinstance(dtype, np.dtype):  # whose text takes long
        return False
    return str(dtype) == "category" or str(dtype).split("(")[0] in ("Categorical", "Enum")


def of_view(categorical: Categorical, view: str) -> list[Any]:
    """The columns of a view that `categorical` names."""
    if categorical is None:
        return []
    if isinstance(categorical, Mapping):
        return _listed(categorical.get(view, []))
    return _listed(categorical)


def _listed(columns: Any) -> list[Any]:
    if isinstance(columns, (str, bytes)) or not isinstance(columns, Iterable):
        raise ValueError(f"categorical_features must list columns, got {columns!r}.")
    return list(columns)


def check_named(categorical: Categorical, columns: Mapping[str, Sequence[str]]) -> None:
    """Check that every view and column exists. `columns`: names by view."""
    if categorical is None:
        return
    if isinstance(categorical, Mapping):
        unknown = [name for name in categorical if name not in columns]
        if unknown:
            raise ValueError(f'categorical_features names the view "{unknown[0]}"; the views are {", ".join(columns)}.')
    everywhere = {name for names in columns.values() for name in names}
    for view in columns:
        for column in of_view(categorical, view):
            known = columns[view] if isinstance(categorical, Mapping) else everywhere
            if isinstance(column, str) and column not in known:
                raise ValueError(f'categorical_features names the column "{column}", which no view has.')
            if not isinstance(column, str) and not isinstance(categorical, Mapping) and len(columns) > 1:
                raise ValueError(
                    "categorical_features with positions needs a mapping of view name -> positions: "
                    f'{{"{view}": [{column}]}}.'
                )


def _category_positions(label: str, categorical: Sequence[Any], names: Sequence[str], width: int) -> list[int]:
    """Positions of the columns of one table; names of other columns are left out."""
    own = [column for column in categorical if not isinstance(column, str) or column in names]
    return positions_of(own, width, names, f"{label}: categorical_features has", "the table has {} columns")


def encoded(label: str, table: Any, categorical: Sequence[Any]) -> tuple[Any, Levels]:
    """The table with positions in place of categories, and the levels of its columns.

    `categorical`: names or positions of columns. Columns of a type for categories are categories in any case.
    """
    if hasattr(table, "columns") and hasattr(table, "__getitem__") and not hasattr(table, "obs_names"):
        return _encoded_frame(label, table, categorical)
    if not len(categorical):
        return table, []
    if hasattr(table, "toarray"):
        table = table.toarray()
    cells = np.array(with_nan(table), dtype=object)
    if cells.ndim != 2:
        return table, []
    levels: Levels = [[] for _ in range(cells.shape[1])]
    for position in _category_positions(label, categorical, [], cells.shape[1]):
        cells[:, position], levels[position] = _from_values(cells[:, position])
    return _as_numbers(cells), levels


def _encoded_frame(label: str, table: Any, categorical: Sequence[Any]) -> tuple[Any, Levels]:
    names = [str(column) for column in table.columns]
    if len(set(names)) < len(names):
        return table, []  # which is refused for that
    wanted = set(_category_positions(label, categorical, names, len(names)))
    wanted |= {position for position, dtype in enumerate(table.dtypes) if is_category_type(dtype)}
    if not wanted:
        return table, []
    levels: Levels = [[] for _ in names]
    columns: dict[Any, NDArray[np.float64]] = {}
    for position in sorted(wanted):
        column = table.columns[position]
        numbers_, levels[position] = _from_column(table[column])
        columns[column] = numbers_
    if hasattr(table, "iloc"):
        table = table.copy(deep=False)
        for name, values in columns.items():
            table[name] = values
        return table, levels
    series = type(table[table.columns[0]])
    return table.with_columns([series(name, values) for name, values in columns.items()]), levels


def _from_column(column: Any) -> tuple[NDArray[np.float64], list[str]]:
    if str(column.dtype) == "category":
        codes = np.asarray(column.cat.codes, dtype=np.float64)
        codes[codes < 0] = np.nan
        return codes, [level_name(level) for level in column.cat.categories]
    return _from_values(np.asarray(column.to_numpy(), dtype=object))


def _from_values(values: NDArray[Any]) -> tuple[NDArray[np.float64], list[str]]:
    positions: dict[str, int] = {}
    found = [None if is_missing(value) else level_name(value) for value in values]
    for name in sorted({name for name in found if name is not None}):
        positions[name] = len(positions)
    return np.asarray([np.nan if name is None else positions[name] for name in found], dtype=np.float64), list(
        positions
    )


def _as_numbers(cells: NDArray[Any]) -> NDArray[Any]:
    """Floats if all cells are numbers; else unchanged, so that the check names row and column."""
    try:
        return cells.astype(np.float64)
    except (TypeError, ValueError):
        return cells
