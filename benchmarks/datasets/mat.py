"""Reads the .mat files of the published multi-view collections."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
from scipy.io import loadmat

from .files import Array, WrongDataError, check_matrix


def read_mat(path: Path) -> dict[str, Array]:
    """Return the views and labels of a MATLAB file, named as in our .npz files: view0, view1, ..., y.

    The published collections differ. Views: a cell array X, fea, data or views, or arrays X1, X2, ... (view1, ...);
    samples in rows or in columns. Labels: Y, gt, labels, ... as a column, a row or one column per class; every sample
    has exactly one. WrongDataError for anything else.
    """
    try:
        content = loadmat(path)
    except NotImplementedError as error:
        raise WrongDataError(path, "a MATLAB file of version 7.3; save it with '-v7'.") from error
    except Exception as error:  # SciPy raises many types for damaged files
        raise WrongDataError(path, f"not a MATLAB file ({error}).") from error
    variables = {key.lower(): value for key, value in content.items() if not key.startswith("__")}
    views = _views(variables)
    labels = _labels(path, variables)
    if not views or labels is None:
        found = ", ".join(key for key in content if not key.startswith("__")) or "nothing"
        raise WrongDataError(path, f"a cell array X of views and a vector Y of labels are needed; it holds {found}.")
    for i, view in enumerate(views):
        check_matrix(path, f"view{i}", view)
    if any(len(view) != len(labels) for view in views) and all(view.shape[-1] == len(labels) for view in views):
        views = [view.T for view in views]
    return {f"view{i}": view for i, view in enumerate(views)} | {"y": labels}


def _views(variables: dict[str, Any]) -> list[Array]:
    for key in ("x", "fea", "data", "views"):
        cells = variables.get(key)
        if isinstance(cells, np.ndarray) and cells.dtype == object:
            return [_dense(cell) for cell in cells.ravel(order="F")]
    numbered = {re.sub(r"\d+$", "", key) for key in variables if re.fullmatch(r"(x|fea|view)_?\d+", key)}
    for stem in sorted(numbered):
        keys = [key for key in variables if re.fullmatch(rf"{stem}\d+", key)]
        return [_dense(variables[key]) for key in sorted(keys, key=lambda key: int(key[len(stem) :]))]
    return []


def _labels(path: Path, variables: dict[str, Any]) -> Array | None:
    """Return classes counted from 0, or None without labels."""
    for key in ("y", "gt", "label", "labels", "gnd", "truth", "truelabel"):
        if key not in variables:
            continue
        values = variables[key]
        if isinstance(values, np.ndarray) and values.dtype == object and values.size:
            values = values.ravel()[0]  # the same labels once per view
        table = _dense(values)
        if table.ndim != 2 or not table.size or table.dtype.kind not in "iuf":
            continue
        return _classes(path, key, table)
    return None


def _classes(path: Path, key: str, table: Array) -> Array:
    """Return classes from a vector of class numbers, or from an indicator matrix with a column or row per class."""
    strange = ~np.isfinite(table) | (table != np.round(table))
    if strange.any():
        row, column = np.argwhere(strange)[0]
        raise WrongDataError(
            path, f"{key} must hold class numbers, but row {row + 1}, column {column + 1} is {table[row, column]}."
        )
    if min(table.shape) > 1:
        marked = (table if len(table) >= table.shape[1] else table.T) > 0
        counts = marked.sum(axis=1)
        wrong = np.flatnonzero(counts != 1)
        if wrong.size:
            raise WrongDataError(
                path,
                f"{key} must give each of the {len(marked)} samples exactly one class, but sample {wrong[0] + 1} has "
                f"{counts[wrong[0]]}; {wrong.size} samples have none or several.",
            )
        table = marked.argmax(axis=1)
    classes: Array = np.unique(table.ravel(), return_inverse=True)[1].astype(np.int64)
    return classes


def _dense(values: Any) -> Array:
    return np.atleast_2d(np.asarray(values.toarray() if hasattr(values, "toarray") else values))
