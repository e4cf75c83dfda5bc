"""The unit of work: a task by name with plain arguments, and what is known about how long it takes."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
from dataclasses import dataclass, field
from functools import cache
from typing import Any

REVISION = 1  # of the tasks: raised when one of them computes something else from the same arguments


class Missing(Exception):
    """Something optional is not there (a package, a data file); the message says what to get."""


class Refused(Exception):
    """A method cannot do what was asked of it; the message holds its own words."""


@dataclass(frozen=True)
class Unit:
    """`arguments` is everything that the result depends on, apart from the versions of `packages`."""

    task: str
    arguments: dict[str, Any] = field(hash=False)
    packages: tuple[str, ...] = ("treecca",)
    seconds: float = field(default=1.0, compare=False)  # a guess, for the time that remains

    @property
    def key(self) -> str:
        """A name for the result's file: readable in front, then a digest of all that matters."""
        matters = {
            "task": self.task,
            "arguments": self.arguments,
            "packages": {name: version(name) for name in self.packages},
            "revision": REVISION,
        }
        digest = hashlib.sha256(json.dumps(matters, sort_keys=True).encode()).hexdigest()[:16]
        words = [self.task, *(str(self.arguments[k]) for k in ("method", "data", "seed") if k in self.arguments)]
        return "-".join(words) + "-" + digest

    @property
    def label(self) -> str:
        words = [str(self.arguments[k]) for k in ("method", "data", "seed") if k in self.arguments]
        return " ".join([self.task, *words])


@cache
def version(package: str) -> str | None:
    """The version of an installed package; None where it is missing."""
    if package == "treecca":
        import treecca

        return str(treecca.__version__)
    for name in (package, f"{package}-cpu"):
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return None
