"""Results of units as JSON files in a folder: one file per unit, written whole or not at all.

A result is a dictionary. One with the key "missing" or "failed" is no result: it is kept, for the page to say so, but
the unit is run again by the next run.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from .unit import Unit

Result = dict[str, Any]


class Cache:
    """Use `get` for what is there, `put` to keep something."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def _path(self, unit: Unit) -> Path:
        return self.folder / f"{unit.key}.json"

    def get(self, unit: Unit) -> Result | None:
        """None where there is nothing, or nothing that can be read."""
        try:
            content = json.loads(self._path(unit).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return content["result"] if isinstance(content, dict) and isinstance(content.get("result"), dict) else None

    def is_done(self, unit: Unit) -> bool:
        result = self.get(unit)
        return result is not None and "missing" not in result and "failed" not in result

    def put(self, unit: Unit, result: Result) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        content = {"task": unit.task, "arguments": unit.arguments, "result": result}
        handle, name = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=self.folder)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as out:
                json.dump(content, out, default=_plain)
            os.replace(name, self._path(unit))
        except BaseException:
            os.unlink(name)
            raise


def _plain(value: Any) -> Any:
    """NumPy's numbers and arrays as JSON has them."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} cannot be kept as JSON.")
