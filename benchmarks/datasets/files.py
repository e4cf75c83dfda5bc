"""Finds data files in the folder named by TREECCA_DATA and reads .npz files. Every error names the file."""

from __future__ import annotations

import os
import re
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


class MissingDataError(FileNotFoundError):
    """A data file is missing; the message names the file, the folder searched and the source."""

    def __init__(self, wanted: str, where: str, source: str) -> None:
        super().__init__(f"{wanted}: {where}. Source: {source}.")
        self.remedy = f"{wanted} ({source})"  # without the folder: also right on other machines


class WrongDataError(ValueError):
    """A data file has unexpected contents; the message names the file."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason} Download or create it again.")


def find_file(names: Sequence[str], source: str) -> Path:
    """Return the first of these files or folders that exists in TREECCA_DATA.

    Copies of the published files differ in upper case, dashes and underscores; all of these are ignored.
    """
    wanted, folder = " or ".join(names), os.environ.get("TREECCA_DATA")
    if not folder:
        raise MissingDataError(wanted, "set the environment variable TREECCA_DATA to the folder that holds it", source)
    home = Path(folder).expanduser()
    if not home.is_dir():
        raise MissingDataError(wanted, f"the folder {home} (TREECCA_DATA) does not exist", source)
    present = {_simple(path.name): path for path in sorted(home.iterdir())}
    for name in names:
        if _simple(name) in present:
            return present[_simple(name)]
    raise MissingDataError(wanted, f"not in {home} (TREECCA_DATA)", source)


def _simple(name: str) -> str:
    return re.sub(r"[-_ ]", "", name.lower())


def read_npz(path: Path, needed: Iterable[str] = ()) -> dict[str, Array]:
    """Return all arrays of an .npz file. WrongDataError if one of `needed` is missing."""
    try:
        archive = np.load(path)
        if not isinstance(archive, np.lib.npyio.NpzFile):
            raise ValueError("a single array")
        with archive:
            content = {key: archive[key] for key in archive.files}
    except (OSError, ValueError, EOFError, MemoryError, NotImplementedError, zipfile.BadZipFile, zlib.error) as error:
        raise WrongDataError(path, f"not an .npz archive of plain arrays ({error}).") from error
    missing = [key for key in needed if key not in content]
    if missing:
        raise WrongDataError(path, f"it has no array {' and no array '.join(missing)}.")
    return content


def check_matrix(path: Path, name: str, values: Array) -> None:
    if values.ndim != 2 or values.dtype.kind not in "iuf":
        raise WrongDataError(path, f"{name} is not a matrix of numbers.")
