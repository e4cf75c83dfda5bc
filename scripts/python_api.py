"""Writes docs/python-api.md: the public classes and functions of treecca, from their docstrings.

`make docs` runs this; a test compares the page with `page()`.
"""

from __future__ import annotations

import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parents[1] / "docs" / "python-api.md"

HEAD = """\
# Python API

Written by `make docs` from the docstrings of the package; `help(treecca.TreeCCA)` shows the same text.
[parameters.md](parameters.md) has all parameters of a fit with their ranges and defaults in one table.

A *view* is one table of the data; tables are arrays, pandas or polars DataFrames, SciPy sparse matrices or AnnData.
Components are counted from 0 in Python and from 1 in plots, reports and files.
"""

# Module -> (heading, names). None: the names in its __all__, or all functions that it defines.
MODULES: dict[str, tuple[str, list[str] | None]] = {
    "treecca": (
        "Estimators and functions",
        [
            "TreeCCA",
            "TreeMCCA",
            "TreeCCASSL",
            "load",
            "align",
            "cv",
            "CVResult",
            "permutation_test",
            "PermutationTestResult",
            "stability",
            "StabilityResult",
            "PermutationImportance",
            "screen",
        ],
    ),
    "treecca.metrics": ("Metrics", None),
    "treecca.plot": ("Plots", None),
    "treecca.datasets": ("Generated data", None),
    "treecca.mu": ("MuData", None),
    "treecca.dask": ("Dask", None),
    "treecca.distributed": ("Other clusters", None),
}

_ROLE = re.compile(r":\w+:`~?(?:treecca\.)?([^`]+)`")
_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)


def markdown(text: str) -> str:
    """Running text of a docstring as Markdown."""
    return _ROLE.sub(r"`\1`", text).replace("``", "`")


def filled(text: str, indent: str = "", first: str | None = None) -> str:
    """Paragraphs wrapped at 120 columns; code spans stay on one line."""
    spans: list[str] = []

    def kept(match: re.Match[str]) -> str:
        spans.append(match[0])
        return f"\x00{len(spans) - 1}\x00".ljust(len(match[0]), "\x01")

    paragraphs = []
    for paragraph in re.split(r"\n\s*\n", text.strip("\n")):
        if paragraph.startswith(">>> "):
            paragraphs.append(f"```pycon\n{re.sub(r' *# doctest:.*', '', paragraph)}\n```")
            continue
        if paragraph.startswith("- ") and "\n- " in paragraph:
            items = re.split(r"^- ", paragraph, flags=re.MULTILINE)[1:]
            paragraphs.append("\n".join(filled(item, indent + "  ", indent + "- ") for item in items))
            continue
        joined = re.sub(r"`[^`\n]+`", kept, " ".join(paragraph.split()))
        start = indent if first is None or paragraphs else first
        wrapped = textwrap.fill(joined, 120, initial_indent=start, subsequent_indent=indent, break_on_hyphens=False)
        paragraphs.append(re.sub("\x00(\\d+)\x00\x01*", lambda match: spans[int(match[1])], wrapped))
    return "\n\n".join(paragraphs)


def items(section: str) -> Iterator[tuple[str, str]]:
    """(head, description) of the entries of a section in NumPy's style."""
    for part in re.split(r"\n(?=\S)", section.strip("\n")):
        head, _, body = part.partition("\n")
        yield head.strip(), textwrap.dedent(body)


def entry(head: str, body: str) -> str:
    """One parameter or attribute as an item of a list."""
    names, _, kind = head.partition(" : ")
    shown = ", ".join(f"`{name.strip()}`" for name in names.split(","))
    if kind:
        shown += f" ({kind})"
    return filled(markdown(f"{shown}: {body}" if body.strip() else shown), "  ", "- ")


def section_text(title: str, section: str) -> str:
    if title == "Examples":
        return "```pycon\n" + section.strip("\n") + "\n```"
    if title in ("Returns", "Yields"):
        parts = []
        for head, body in items(section):
            parts.append(filled(markdown(head + (f": {body}" if body.strip() else "")), "  ", "- "))
        return "\n".join(parts)
    if title in ("Parameters", "Attributes", "Raises"):
        return "\n".join(entry(head, body) for head, body in items(section))
    return filled(markdown(section))


def documentation(of: Any) -> str:
    """A docstring as Markdown: its text, then its sections."""
    text = inspect.cleandoc(of.__doc__ or "")
    pieces = _SECTION.split(text)
    parts = [filled(markdown(pieces[0]))]
    for title, section in zip(pieces[1::2], pieces[2::2], strict=True):
        parts += [f"**{title}**", section_text(title, section)]
    return "\n\n".join(parts)


def call(name: str, of: Any) -> str:
    """The call of a function or class in a code block; only names and defaults."""
    arguments = []
    for parameter in inspect.signature(of).parameters.values():
        shown = str(parameter.replace(annotation=inspect.Parameter.empty))
        if (
            parameter.kind is parameter.KEYWORD_ONLY
            and "*" not in arguments
            and not any(argument.startswith("*") for argument in arguments)
        ):
            arguments.append("*")
        if parameter.name not in ("self", "cls"):
            arguments.append(shown.replace("'", '"'))
    line = f"{name}({', '.join(arguments)})"
    return "```python\n" + textwrap.fill(line, 100, subsequent_indent="    ", break_long_words=False) + "\n```"


def methods(of: type) -> Iterator[tuple[str, Any]]:
    """Public methods that treecca defines, in the order of their definition, bases last; without a docstring only
    constructors."""
    seen: set[str] = set()
    for base in of.__mro__:
        if not base.__module__.startswith("treecca"):
            continue
        for name, member in vars(base).items():
            function = getattr(member, "__func__", member)
            if name.startswith("_") or name in seen or not inspect.isfunction(function):
                continue
            seen.add(name)
            if function.__doc__ or isinstance(member, classmethod):
                yield name, getattr(of, name)


def is_made_by_the_user(of: type) -> bool:
    """Not a result of a function, nor a plot, which are made in other ways and have no parameters."""
    return "\nParameters\n---" in inspect.cleandoc(of.__doc__ or "")


def class_text(name: str, of: type, shown: dict[Any, str]) -> str:
    """`shown`: class where a function is documented; methods that a class inherits from one of these are only named."""
    parts = [f"### {name}"]
    if is_made_by_the_user(of) and of.__init__ not in shown:
        parts.append(call(name, of))
        shown[of.__init__] = name
    parts.append(documentation(of))
    inherited: dict[str, list[str]] = {}
    for method, function in methods(of):
        plain = getattr(function, "__func__", function)
        if plain in shown:
            inherited.setdefault(shown[plain], []).append(f"`{method}`")
            continue
        shown[plain] = name
        parts += [f"#### {name}.{method}", call(method, function)]
        parts += [documentation(function)] if function.__doc__ else []
    for other, names in inherited.items():
        parts.append(filled(f"As in [{other}](#{anchor(other)}): {', '.join(names)}"))
    return "\n\n".join(parts)


def object_text(name: str, of: Any, shown: dict[Any, str]) -> str:
    if inspect.isclass(of):
        return class_text(name, of, shown)
    if callable(of):
        return "\n\n".join([f"### {name}", call(name, of), documentation(of)])
    return f"### {name}\n\n`{', '.join(map(str, of))}`"


def public_names(module: Any) -> list[str]:
    names = getattr(module, "__all__", None)
    if names is not None:
        return list(names)
    return [
        name
        for name, of in vars(module).items()
        if inspect.isfunction(of) and of.__module__ == module.__name__ and not name.startswith("_")
    ]


def anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def summary(of: Any) -> str:
    """The first sentence of a docstring."""
    text = " ".join(inspect.cleandoc(of.__doc__ or "").partition("\n\n")[0].split())
    return markdown(re.split(r"(?<=[.:])\s", text)[0].rstrip(".:"))


def page() -> str:
    """The text of docs/python-api.md."""
    overview, chapters = [HEAD], []
    shown: dict[Any, str] = {}
    for module_name, (heading, names) in MODULES.items():
        module = importlib.import_module(module_name)
        chosen = public_names(module) if names is None else names
        overview.append(f"\n**[{heading}](#{anchor(heading)})** (`{module_name}`)\n\n| name | purpose |\n|---|---|\n")
        chapters.append(f"\n## {heading}\n")
        if module_name != "treecca":
            chapters.append(f"\nModule `{module_name}`. {documentation(module)}\n")
        for name in chosen:
            of = getattr(module, name)
            text = summary(of) if callable(of) else ""
            overview.append(f"| [`{name}`](#{anchor(name)}) | {text.replace('|', chr(92) + '|')} |\n")
            chapters.append(f"\n{object_text(name, of, shown)}\n")
    return "".join(overview + chapters)


if __name__ == "__main__":
    TARGET.write_text(page(), encoding="utf-8")
