"""Where data files lie, and how they are read: .npz and .mat become a dict of arrays, or an error names the file."""

from __future__ import annotations

import os
import re
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ._dataset import Array

DataHome = str | os.PathLike[str] | None


class MissingDataError(FileNotFoundError):
    """A data file is not there; the message says which one, where it was looked for and where to get it."""


class WrongDataError(ValueError):
    """A data file does not hold what it should; the message names it."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"The data file {path} cannot be used: {reason} Get or make it anew.")


def find_file(names: Sequence[str], source: str, data_home: DataHome) -> Path:
    """The first of these files or folders in `data_home`, or else in the folder named by TREECCA_DATA.

    Copies of the published files differ in upper case, dashes and underscores; none of these matters.
    """
    wanted = " or ".join(names)
    folder = data_home if data_home is not None else os.environ.get("TREECCA_DATA")
    if not folder:
        raise MissingDataError(
            f"{wanted} is needed, but it is not known where to look: name the folder that holds it by data_home or by "
            f"the environment variable TREECCA_DATA. Source: {source}."
        )
    home = Path(folder).expanduser()
    there = {_simple(path.name): path for path in sorted(home.iterdir())} if home.is_dir() else {}
    for name in names:
        if _simple(name) in there:
            return there[_simple(name)]
    named_by = "TREECCA_DATA" if data_home is None else "data_home"
    what = "the folder does not exist" if not home.is_dir() else "it is not there"
    raise MissingDataError(f"{wanted} was looked for in {home} ({named_by}), but {what}. Source: {source}.")


def _simple(name: str) -> str:
    return re.sub(r"[-_ ]", "", name.lower())


def read_npz(path: Path, needed: Iterable[str] = ()) -> dict[str, Array]:
    """All arrays of an .npz file; those `needed` must be among them."""
    try:
        archive = np.load(path)
        if not isinstance(archive, np.lib.npyio.NpzFile):
            raise WrongDataError(path, "it is not an .npz archive.")
        with archive:
            content = {key: archive[key] for key in archive.files}
    except WrongDataError:
        raise
    except (OSError, ValueError, EOFError, MemoryError, NotImplementedError, zipfile.BadZipFile, zlib.error) as error:
        raise WrongDataError(path, f"it cannot be read as an .npz archive of plain arrays ({error}).") from error
    missing = [key for key in needed if key not in content]
    if missing:
        raise WrongDataError(path, f"there is no array {' and no array '.join(missing)} in it.")
    return content


def read_mat(path: Path) -> dict[str, Array]:
    """The views and labels of a MATLAB file, named as in our .npz files: view0, view1, ..., y.

    The published collections differ in small ways. Views: a cell array X, fea, data or views, or arrays X1, X2, ...
    (view1, ...); samples in rows or in columns. Labels: Y, gt, labels, ... as a column, a row or one column per class.
    """
    from scipy.io import loadmat

    try:
        content = loadmat(path)
    except NotImplementedError as error:
        raise WrongDataError(path, "it is a MATLAB file of version 7.3; save it with '-v7'.") from error
    except Exception as error:  # whatever scipy makes of foreign bytes
        raise WrongDataError(path, f"it cannot be read as a MATLAB file ({error}).") from error
    variables = {key.lower(): value for key, value in content.items() if not key.startswith("__")}
    views = _mat_views(variables)
    labels = _mat_labels(variables)
    if not views or labels is None:
        found = ", ".join(key for key in content if not key.startswith("__")) or "nothing"
        raise WrongDataError(path, f"a cell array X of views and a vector Y of labels are needed; it holds {found}.")
    if any(len(view) != len(labels) for view in views) and all(view.shape[-1] == len(labels) for view in views):
        views = [view.T for view in views]
    return {f"view{i}": view for i, view in enumerate(views)} | {"y": labels}


def _mat_views(variables: dict[str, Any]) -> list[Array]:
    for key in ("x", "fea", "data", "views"):
        cells = variables.get(key)
        if isinstance(cells, np.ndarray) and cells.dtype == object:
            return [_dense(cell) for cell in cells.ravel(order="F")]
    numbered = {re.sub(r"\d+$", "", key) for key in variables if re.fullmatch(r"(x|fea|view)_?\d+", key)}
    for stem in sorted(numbered):
        keys = [key for key in variables if re.fullmatch(rf"{stem}\d+", key)]
        return [_dense(variables[key]) for key in sorted(keys, key=lambda key: int(key[len(stem) :]))]
    return []


def _mat_labels(variables: dict[str, Any]) -> Array | None:
    for key in ("y", "gt", "label", "labels", "gnd", "truth", "truelabel"):
        if key not in variables:
            continue
        values = variables[key]
        if isinstance(values, np.ndarray) and values.dtype == object and values.size:
            values = values.ravel()[0]  # the same labels once per view
        table = _dense(values)
        if table.ndim != 2 or not table.size or not np.issubdtype(table.dtype, np.number):
            continue
        if min(table.shape) > 1:  # a column (or row) per class
            table = table.argmax(axis=1 if len(table) >= table.shape[1] else 0)
        classes: Array = np.unique(table.ravel(), return_inverse=True)[1].astype(np.int64)
        return classes
    return None


def _dense(values: Any) -> Array:
    return np.atleast_2d(np.asarray(values.toarray() if hasattr(values, "toarray") else values))
