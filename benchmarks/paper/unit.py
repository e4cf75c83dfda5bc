"""The unit of work: a task with plain arguments, and the versions of the software that its result depends on."""

from __future__ import annotations

import importlib.metadata
import json
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from ..runner import digest

# Raise it when results change for a reason that `versions` and joblib.Memory cannot see: methods.py, protocol.py,
# a baseline, a data set. Memory itself notices changes of the functions in tasks.py.
VERSION = 1


class Missing(Exception):
    """An optional package or a data file is missing; the message says what to get."""


class Refused(Exception):
    """A method does not accept the data; the message quotes its own error."""


@dataclass(frozen=True)
class Unit:
    task: str  # a name in tasks.TASKS
    arguments: dict[str, Any] = field(hash=False)  # JSON types only: everything that the result depends on
    seconds: float = field(default=1.0, compare=False)  # estimate, for the remaining time

    @property
    def key(self) -> str:
        return json.dumps([self.task, self.arguments], sort_keys=True)

    @property
    def label(self) -> str:
        words = [str(self.arguments[k]) for k in ("method", "data", "seed") if k in self.arguments]
        return " ".join([self.task, *words])


@cache
def versions(packages: tuple[str, ...]) -> dict[str, Any]:
    """Return the versions that a result depends on; for TreeCCA the digest of its compiled core."""
    return {"benchmarks": VERSION} | {name: _core() if name == "treecca" else version(name) for name in packages}


@cache
def version(package: str) -> str | None:
    """Return the version of an installed package, or None."""
    for name in (package, f"{package}-cpu"):
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return None


@cache
def _core() -> str:
    from treecca import _core

    return digest(_core.__file__)
