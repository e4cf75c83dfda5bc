"""Links of Markdown pages and the anchors of their headings, as GitHub makes them.

Used by scripts/build_site.py and by the test of the links (python/tests/test_links.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_FENCE = re.compile(r"^ *(```+|~~~+)")
_CODE = re.compile(r"(`+)(?:(?!\1).)+?\1(?!`)")
_LINK = re.compile(r"\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
_HTML = re.compile(r"\b(?:src|href|srcset)=\"([^\"\s]+)\"")


class Link(NamedTuple):
    line: int  # counted from 0
    begin: int  # of the target in its line
    target: str  # as written: "method.md#folds", "https://..."

    @property
    def path(self) -> str:
        return self.target.partition("#")[0]

    @property
    def anchor(self) -> str:
        return self.target.partition("#")[2]

    @property
    def is_external(self) -> bool:
        return bool(re.match(r"[a-z]+:", self.target))


def lines_of_text(text: str) -> Iterator[tuple[int, str]]:
    """Line number and line of everything outside code blocks; inline code is blanked."""
    fence = ""
    for number, line in enumerate(text.split("\n")):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence):
                fence = ""
        elif mark:
            fence = mark[1]
        else:
            yield number, line


def links(text: str) -> list[Link]:
    """All links and images of a page, in their order; without code."""
    found = []
    for number, line in lines_of_text(text):
        # A link may enclose code: [`fit.hpp`](fit.hpp). Code may hold no link.
        blanked = _CODE.sub(lambda match: " " * len(match[0]), line)
        for pattern in (_LINK, _HTML):
            found += [Link(number, match.start(1), match[1]) for match in pattern.finditer(blanked)]
    return sorted(found)


def anchors(text: str) -> set[str]:
    """Anchors of the headings: lower case, without punctuation, dashes for spaces; a number where they repeat."""
    result: set[str] = set()
    for _, line in lines_of_text(text):
        result |= set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", line))
        heading = re.match(r"#+ +(.+?)(?: +#+)?$", line)
        if not heading:
            continue
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])  # the text of a link, without its target
        name = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        number = 0
        while (anchor := f"{name}-{number}" if number else name) in result:
            number += 1
        result.add(anchor)
    return result


def broken_links(pages: list[Path], root: Path) -> list[str]:
    """One message per link between files of the repository that leads nowhere; `root` is its folder."""
    broken = []
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for link in links(text):
            if link.is_external:
                continue
            goal = (page.parent / link.path).resolve() if link.path else page
            where = f"{page.relative_to(root).as_posix()}:{link.line + 1}: {link.target}"
            if not goal.is_relative_to(root) or not goal.exists():
                broken.append(f"{where}: there is no such file.")
            elif link.anchor and goal.suffix == ".md" and link.anchor not in anchors(goal.read_text(encoding="utf-8")):
                broken.append(f"{where}: the page has no such heading.")
    return broken
