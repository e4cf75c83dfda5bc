"""Writes docs/cpp-api.md: the public headers of the C++ library, from their comments.

Each header opens with its contract; a structure or function has a comment of three slashes before it. `make docs` runs
this; a test compares the page with `page()`.
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "docs" / "cpp-api.md"
HEADERS = ROOT / "include" / "treecca"

HEAD = """\
# C++ API

Written by `make docs` from the headers in [`include/treecca/`](../include/treecca). They need C++20 and no other
library. `#include <treecca/treecca.hpp>` includes them all. With CMake, after `make install`:

```cmake
find_package(treecca REQUIRED)
target_link_libraries(app PRIVATE treecca::treecca)
```

All names are in the namespace `treecca`. Errors are exceptions of one family ([error.hpp](#treeccaerrorhpp)).
[parameters.md](parameters.md) has all members of `Parameters`.
"""

# Subject -> headers, in the order of the page.
SUBJECTS = {
    "Fit": ["fit", "parameters", "view", "matrix", "samples", "progress", "engines", "error"],
    "Read tables": ["table"],
    "Use a model": ["model", "transform", "new_data", "metrics", "intervals", "export", "report"],
    "Explain a model": [
        "importance",
        "permutation_importance",
        "loadings",
        "partners",
        "shape",
        "shap",
        "fold_importance",
    ],
    "Compare and test": ["cv", "permutation_test", "stability", "screen"],
    "Other kinds of fits": ["ssl", "distributed"],
    "Parts of a model": ["tree", "linear_map", "pair_covariances", "version", "treecca"],
}


class Declaration(NamedTuple):
    code: str  # on one line, without the body
    text: str  # the first paragraph of its comment, or empty


def contract(header: str) -> str:
    """The comment that opens a header."""
    lines = []
    for line in header.split("\n"):
        if not line.startswith("//"):
            break
        lines.append(line[2:].removeprefix(" "))
    return "\n".join(lines)


def declarations(header: str) -> list[Declaration]:
    """What a header declares in the namespace; clang-format has put it at the start of a line."""
    found, comment = [], []
    lines = iter(header.split("\n"))
    for line in lines:
        if line.startswith("///"):
            comment.append(line[3:].strip() or "\n")
            continue
        if re.match(r"(?:[a-zA-Z_\[]|::)", line) and not line.startswith(("namespace", "requires")):
            code = line
            while (end := end_of(code)) is None:
                code += " " + next(lines).strip()
            found.append(Declaration(code[:end].rstrip(), " ".join(comment).partition("\n")[0].strip()))
        comment = []
    return found


def end_of(code: str) -> int | None:
    """Where a declaration ends: at its body or semicolon, but not inside parentheses."""
    depth = 0
    for at, character in enumerate(code):
        depth += (character == "(") - (character == ")")
        if depth == 0 and (character == ";" or (character == "{" and "constexpr" not in code)):
            return at
    return None


def kind(code: str) -> str:
    if re.match(r"(?:template <[^>]*> )?(?:struct|class|enum)\b", code):
        return "types"
    return "other" if code.startswith(("using", "inline constexpr", "constexpr")) else "functions"


def first_sentence(text: str) -> str:
    return re.split(r"(?<=[.:])\s(?=[A-Z])", " ".join(text.split()))[0].rstrip(".:")


def item(declaration: Declaration) -> str:
    text = f"`{declaration.code}`" + (f": {escaped(declaration.text)}" if declaration.text else "")
    return wrapped(text, "- ", "  ")


def escaped(text: str) -> str:
    """A comment as Markdown: stars and angle brackets are meant as such."""
    parts = text.split("`")
    parts[::2] = [part.replace("*", "\\*").replace("<", "&lt;") for part in parts[::2]]
    return "`".join(parts)


def header_text(name: str) -> str:
    header = (HEADERS / f"{name}.hpp").read_text(encoding="utf-8")
    parts = [f"### treecca/{name}.hpp\n\n[Header](../include/treecca/{name}.hpp)\n"]
    for paragraph in re.split(r"\n\n", contract(header)):
        if any(line.startswith("   ") for line in paragraph.split("\n")):
            parts.append(f"```text\n{paragraph}\n```\n")  # formulas and layouts
        else:
            parts.append(wrapped(escaped(" ".join(paragraph.split()))) + "\n")
    declared = [one for one in declarations(header) if not one.code.startswith("template <>")]
    shown = [one for one in declared if one.text or kind(one.code) == "types"]
    if shown:
        parts.append("\n".join(map(item, shown)) + "\n")
    return "\n".join(parts)


def wrapped(text: str, first: str = "", indent: str = "") -> str:
    """At most 120 columns, except for long declarations, which stay on one line."""
    spans: list[str] = []

    def kept(match: re.Match[str]) -> str:
        spans.append(match[0])
        return f"\x00{len(spans) - 1}\x00".ljust(len(match[0]), "\x01")

    held = textwrap.fill(
        re.sub(r"`[^`]+`", kept, text),
        120,
        initial_indent=first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return re.sub("\x00(\\d+)\x00\x01*", lambda match: spans[int(match[1])], held)


def page() -> str:
    """The text of docs/cpp-api.md."""
    listed = [name for names in SUBJECTS.values() for name in names]
    present = sorted(path.stem for path in HEADERS.glob("*.hpp"))
    if sorted(listed) != present:
        raise ValueError(f"SUBJECTS in scripts/cpp_api.py must list every header once: {set(listed) ^ set(present)}")
    table = ["\n| header | contract |\n|---|---|\n"]
    chapters = []
    for subject, names in SUBJECTS.items():
        chapters.append(f"\n## {subject}\n")
        for name in names:
            text = contract((HEADERS / f"{name}.hpp").read_text(encoding="utf-8"))
            table.append(f"| [`{name}.hpp`](#treecca{name}hpp) | {escaped(first_sentence(text))} |\n")
            chapters.append("\n" + header_text(name))
    return HEAD + "".join(table) + "".join(chapters)


if __name__ == "__main__":
    TARGET.write_text(page(), encoding="utf-8")
