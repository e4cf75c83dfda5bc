"""One table for several views: which columns belong to which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Columns = Any  # slice, sequence of positions, sequence of names


def split_columns(
    view_slices: Sequence[Columns] | Mapping[str, Columns], n_columns: int, names: list[str]
) -> list[tuple[str, list[int]]]:
    """(view name, column positions) of every view. ValueError for columns that are not there, or a view without any."""
    if isinstance(view_slices, Mapping):
        parts = [(str(name), columns) for name, columns in view_slices.items()]
    else:
        parts = [(f"view{number}", columns) for number, columns in enumerate(view_slices)]
    result = []
    for name, columns in parts:
        positions = _positions(name, columns, n_columns, names)
        if not positions:
            raise ValueError(f'view_slices leaves view "{name}" without columns: X has n_features = {n_columns}.')
        result.append((name, positions))
    return result


def _positions(view: str, columns: Columns, n_columns: int, names: list[str]) -> list[int]:
    if isinstance(columns, slice):
        return list(range(n_columns))[columns]
    positions = []
    for column in columns:
        if isinstance(column, str):
            if column not in names:
                raise ValueError(f'view_slices names the column "{column}" for view "{view}", but X does not have it.')
            positions.append(names.index(column))
        elif not -n_columns <= column < n_columns:
            raise ValueError(f'view_slices gives view "{view}" column {column}, but X has n_features = {n_columns}.')
        else:
            positions.append(int(np.arange(n_columns)[column]))
    return positions
