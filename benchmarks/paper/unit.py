"""The unit of work: a task by name with plain arguments, and what is known about how long it takes."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from . import code


class Missing(Exception):
    """Something optional is not there (a package, a data file); the message says what to get."""


class Refused(Exception):
    """A method cannot do what was asked of it; the message holds its own words."""


@dataclass(frozen=True)
class Unit:
    """`arguments` is everything that the result depends on, apart from `packages` and the code that computes it."""

    task: str
    arguments: dict[str, Any] = field(hash=False)
    packages: tuple[str, ...] = ("treecca",)  # as pip calls them: their versions matter; of treecca the code itself
    sources: tuple[str, ...] = ()  # files of the folder benchmarks that compute it, beside those that all tasks share
    seconds: float = field(default=1.0, compare=False)  # a guess, for the time that remains

    @property
    def key(self) -> str:
        """A name for the result's file: readable in front, then a digest of all that matters."""
        matters = {
            "task": self.task,
            "arguments": self.arguments,
            "packages": {name: code.of_treecca() if name == "treecca" else version(name) for name in self.packages},
            "code": [code.of_benchmarks(self.sources), code.of_datasets()],
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
