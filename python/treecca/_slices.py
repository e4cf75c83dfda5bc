"""One table for several views: the columns of each view."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Columns = Any  # slice, sequence of positions, sequence of names, one True or False per column


def split_columns(
    view_slices: Sequence[Columns] | Mapping[str, Columns], n_columns: int, names: list[str]
) -> list[tuple[str, list[int]]]:
    """(view name, column positions) of every view. ValueError for columns that do not exist, or a view without any."""
    if isinstance(view_slices, Mapping):
        parts = [(str(name), columns) for name, columns in view_slices.items()]
    elif isinstance(view_slices, (str, bytes)) or not isinstance(view_slices, Iterable):
        raise ValueError(f"view_slices must list the columns of every view, got {view_slices!r}.")
    else:
        parts = [(f"view{number}", columns) for number, columns in enumerate(view_slices)]
    result = []
    for name, columns in parts:
        positions = _positions(name, columns, n_columns, names)
        if not positions:
            raise ValueError(f'view_slices leaves view "{name}" without columns: X has n_features = {n_columns}.')
        result.append((name, positions))
    return result


def columns_at(table: NDArray[Any], positions: list[int]) -> NDArray[Any]:
    """The columns at these positions: without a copy if they are neighbours."""
    first, last = positions[0], positions[-1]
    if positions == list(range(first, last + 1)):
        return table[:, first : last + 1]
    return table[:, positions]


def _positions(view: str, columns: Columns, n_columns: int, names: list[str]) -> list[int]:
    if isinstance(columns, slice):
        if any(isinstance(end, numbers.Integral) and int(end) > n_columns for end in (columns.start, columns.stop)):
            raise ValueError(f'view_slices gives view "{view}" {columns}, but X has n_features = {n_columns}.')
        return list(range(n_columns))[columns]
    if isinstance(columns, (str, bytes)) or not isinstance(columns, Iterable):
        raise ValueError(
            f'view_slices gives view "{view}" {columns!r}. Expected its columns: a slice such as slice(0, 5), a list '
            "of positions or names, or a mask."
        )
    return positions_of(list(columns), n_columns, names, f'view_slices gives view "{view}"', "X has n_features = {}")


def positions_of(
    columns: Sequence[Any], n_columns: int, names: Sequence[str], what_gives: str, what_there_is: str
) -> list[int]:
    """Positions of columns that are given as names, positions or a mask. ValueError, whose sentence starts with
    `what_gives` and ends with `what_there_is` (with the number of columns)."""
    there_is = what_there_is.format(n_columns)
    if columns and all(isinstance(column, (bool, np.bool_)) for column in columns):
        if len(columns) != n_columns:
            raise ValueError(f"{what_gives} a mask of {len(columns)} entries, but {there_is}.")
        return [position for position, chosen in enumerate(columns) if chosen]
    positions = []
    for column in columns:
        if isinstance(column, str):
            if column not in names:
                raise ValueError(f'{what_gives} the column "{column}", which is not there.')
            positions.append(list(names).index(column))
        elif isinstance(column, (bool, np.bool_)) or not isinstance(column, numbers.Integral):
            raise ValueError(f"{what_gives} the column {column!r}, which is neither a name nor a position.")
        elif not -n_columns <= int(column) < n_columns:
            raise ValueError(f"{what_gives} the column {column}, but {there_is}.")
        else:
            positions.append(int(column) % n_columns)
    return positions
