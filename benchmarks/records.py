"""Result files: a JSON array with one record per line, so that a new measurement is a small diff."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def write_records(path: str | Path, records: Iterable[dict[str, Any]]) -> None:
    lines = ",\n".join(json.dumps(record) for record in records)
    Path(path).write_text(f"[\n{lines}\n]\n", encoding="utf-8")
