"""Where data files lie, and how .npz files are read: as a dict of arrays, or an error names the file."""

from __future__ import annotations

import os
import re
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from ._dataset import Array

DataHome = str | os.PathLike[str] | None


class MissingDataError(FileNotFoundError):
    """A data file is not there; the message says which one, where it was looked for and where to get it."""


class WrongDataError(ValueError):
    """A data file does not hold what it should; the message names it."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"The data file {path} cannot be used: {reason} Get or make it anew.")
        self.reason = reason


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


def check_matrix(path: Path, name: str, values: Array) -> None:
    if values.ndim != 2 or values.dtype.kind not in "iuf":
        raise WrongDataError(path, f"{name} is not a matrix of numbers.")
