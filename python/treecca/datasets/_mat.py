"""The .mat files of the published multi-view collections, as a dict of arrays.

SciPy's compiled reader trusts the file: a single wrong bit can crash it, and with it the whole process. Files are
therefore read by a Python process of its own, which hands back plain arrays or the reason why it cannot.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from ._dataset import Array
from ._files import WrongDataError, check_matrix, read_npz

_CHILD = "from treecca.datasets._mat import child; child()"
_REFUSED = 70  # exit code of a child that wrote the reason to its output


def read_mat(path: Path) -> dict[str, Array]:
    """The views and labels of a MATLAB file, named as in our .npz files: view0, view1, ..., y.

    The published collections differ in small ways. Views: a cell array X, fea, data or views, or arrays X1, X2, ...
    (view1, ...); samples in rows or in columns. Labels: Y, gt, labels, ... as a column, a row or one column per class;
    every sample has exactly one. WrongDataError for anything else, also for a file that crashes the reader. Where no
    interpreter can be started (Python inside another program), the file is read without that protection.
    """
    if not sys.executable or getattr(sys, "frozen", False):
        return _plain_arrays(path)
    with tempfile.TemporaryDirectory() as folder:
        arrays = Path(folder) / "arrays.npz"
        places = os.pathsep.join(str(place) for place in sys.path if place)
        done = subprocess.run(
            [sys.executable, "-c", _CHILD, str(path), str(arrays)],
            env=os.environ | {"PYTHONPATH": places, "PYTHONIOENCODING": "utf-8:backslashreplace"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        if done.returncode == _REFUSED:
            raise WrongDataError(path, done.stdout.strip())
        if done.returncode != 0:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise WrongDataError(
                path, f"the process that read it ended with code {done.returncode} ({last}); the file may be damaged."
            )
        return read_npz(arrays)


def child() -> None:
    """What the process of its own does: python -c ... FILE.mat ARRAYS.npz."""
    path, arrays = map(Path, sys.argv[1:])
    try:
        content = _plain_arrays(path)
    except WrongDataError as error:
        print(error.reason)
        sys.exit(_REFUSED)
    np.savez(arrays, **content)  # type: ignore[arg-type]


def _plain_arrays(path: Path) -> dict[str, Array]:
    from scipy.io import loadmat

    try:
        content = loadmat(path)
    except NotImplementedError as error:
        raise WrongDataError(path, "it is a MATLAB file of version 7.3; save it with '-v7'.") from error
    except Exception as error:  # whatever scipy makes of foreign bytes
        raise WrongDataError(path, f"it cannot be read as a MATLAB file ({error}).") from error
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
    """Classes from 0, or None where there are none."""
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
    """From class numbers in a row or column, or from ones and zeros with a column (or row) per class."""
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
