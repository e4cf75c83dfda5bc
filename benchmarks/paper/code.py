"""Digests of the code that computes results. They are part of the keys by which results are kept: what was computed by
other code is computed again.

Of Python files the syntax counts, without comments and docstrings: another wording changes no figure. Every digest is
made once per process, so it is that of the code which was there at the beginning.
"""

from __future__ import annotations

import ast
import hashlib
import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_BENCHMARKS = Path(__file__).resolve().parents[1]
_COMMON = ("metrics.py", "paper/methods.py", "paper/protocol.py", "paper/tasks.py")


@cache
def of_benchmarks(files: tuple[str, ...]) -> str:
    """What all tasks share, and these files of the folder benchmarks."""
    return _digest(_BENCHMARKS / name for name in (*_COMMON, *files))


@cache
def of_treecca() -> str:
    """The package as it is installed: the extension module and all Python sources."""
    from treecca import _core

    return _digest([Path(_core.__file__), *_sources(_package())])


@cache
def of_datasets() -> str:
    """What makes and reads the data: every method depends on it."""
    return _digest(_sources(_package() / "datasets"))


def _package() -> Path:
    import treecca

    return Path(treecca.__file__).parent


def _sources(folder: Path) -> list[Path]:
    # os.walk and not Path.rglob, which would pass by folders that are links (a package that is tried as it is built).
    files = [Path(place, name) for place, _, names in os.walk(folder, followlinks=True) for name in names]
    return sorted(file for file in files if file.suffix == ".py")


def _digest(files: Iterable[Path]) -> str:
    total = hashlib.sha256()
    for file in files:
        content = file.read_bytes()
        if file.suffix == ".py":
            content = meaning(content.decode("utf-8")).encode()
        total.update(f"{file.name}:{len(content)}:".encode() + content)
    return total.hexdigest()[:16]


def meaning(source: str) -> str:
    """The syntax of a Python file without docstrings and comments."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and _is_text(body[0]):
            node.body = body[1:]
    return ast.dump(tree)


def _is_text(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )
