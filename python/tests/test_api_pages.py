"""docs/python-api.md and docs/cpp-api.md are what their scripts make of docstrings and headers."""

import importlib.util
import inspect
import re
from pathlib import Path

import pytest

import treecca

ROOT = Path(__file__).parents[2]


def script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_of_the_python_api_is_what_the_docstrings_give():
    for name in ("matplotlib", "dask", "distributed"):
        pytest.importorskip(name)
    generator = script("python_api")
    assert generator.TARGET.read_text(encoding="utf-8") == generator.page(), "Run make docs."


def test_every_public_name_of_the_package_is_on_the_page():
    generator = script("python_api")
    names = set(treecca.__all__) - {"__version__", "datasets", "metrics", "mu", "plot"}
    assert names == set(generator.MODULES["treecca"][1])
    for name in treecca.__all__:
        if inspect.ismodule(getattr(treecca, name)):
            assert f"treecca.{name}" in generator.MODULES


def test_the_page_of_the_cpp_api_is_what_the_headers_give():
    generator = script("cpp_api")
    assert generator.TARGET.read_text(encoding="utf-8") == generator.page(), "Run make docs."


def test_the_header_that_includes_all_others_does():
    included = set(re.findall(r'#include "treecca/(\w+)\.hpp"', (ROOT / "include/treecca/treecca.hpp").read_text()))
    present = {path.stem for path in (ROOT / "include/treecca").glob("*.hpp")}
    assert included == present - {"treecca"}


def test_docstrings_become_markdown():
    generator = script("python_api")

    def example(a, *, b="x"):
        """Do a thing with :class:`treecca.TreeCCA` and ``a``.

        More about it.

        Parameters
        ----------
        a : int
            The first one,
            over two lines.
        b, c : str, default="x"

        Returns
        -------
        float
            The result.

        Examples
        --------
        >>> example(1)
        """

    assert generator.call("example", example) == '```python\nexample(a, *, b="x")\n```'
    assert generator.documentation(example) == (
        "Do a thing with `TreeCCA` and `a`.\n\n"
        "More about it.\n\n"
        "**Parameters**\n\n"
        "- `a` (int): The first one, over two lines.\n"
        '- `b`, `c` (str, default="x")\n\n'
        "**Returns**\n\n"
        "- float: The result.\n\n"
        "**Examples**\n\n"
        "```pycon\n>>> example(1)\n```"
    )


def test_declarations_of_headers_are_found():
    generator = script("cpp_api")
    header = (
        "// Does it.\n//\n// Throws nothing.\n#pragma once\n\nnamespace treecca {\n\n"
        "/// A pair.\nstruct Pair {\n  int a = 0;\n};\n\n"
        "/// Adds. More.\n///\n/// Details.\nint add(int a, const Pair& b = {},\n        int c = 0);\n\n"
        "}  // namespace treecca\n"
    )
    assert generator.contract(header) == "Does it.\n\nThrows nothing."
    assert [tuple(one) for one in generator.declarations(header)] == [
        ("struct Pair", "A pair."),
        ("int add(int a, const Pair& b = {}, int c = 0)", "Adds. More."),
    ]
