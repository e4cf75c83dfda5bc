"""Missing values and rows in Python: None, NaN, NaT, pandas' NA."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def is_missing(value: Any) -> bool:
    """Whether a value is None, NaN, NaT or pandas' NA (which has no truth value)."""
    if value is None or isinstance(value, (str, bytes)):
        return value is None
    try:
        return bool(value != value)
    except (TypeError, ValueError):
        return type(value).__name__ == "NAType"


def is_row(row: Any) -> bool:
    return isinstance(row, (list, tuple)) or getattr(row, "ndim", None) == 1


def with_nan(table: Any) -> Any:
    """Replace missing rows of a list by rows of NaN, and missing cells of an array of objects by NaN."""
    is_array = isinstance(table, np.ndarray) and table.dtype == object
    if is_array and table.ndim == 2:
        gaps = np.frompyfunc(is_missing, 1, 1)(table).astype(bool)
        return np.where(gaps, np.nan, table) if gaps.any() else table
    if not (isinstance(table, (list, tuple)) or (is_array and table.ndim == 1)) or not any(map(is_row, table)):
        return table
    width = next(len(row) for row in table if is_row(row))
    return [[math.nan] * width if not is_row(row) and is_missing(row) else row for row in table]
