"""Checks of the built website: nothing is loaded from other servers, and all links within it lead somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote


def loads(text: str) -> Iterator[str]:
    """Addresses on other servers that a browser would load because of a page or style sheet."""
    for tag in re.findall(r"<(?:script|img|iframe|source|video|audio|embed|object|link)\b[^>]*>", text):
        if not re.search(r'rel="?(?:canonical|prev|next|edit|alternate)', tag):
            yield from re.findall(r"(?:src|srcset|href|data)=[\"']?((?:https?:)?//[^\"'\s>]+)", tag)
    yield from re.findall(r"(?:url\(|@import)\s*[\"']?((?:https?:)?//[^\"')\s]+)", text)


def absent(page: Path) -> Iterator[str]:
    """Addresses within the website that a page links to or loads, and that do not exist."""
    for address in re.findall(r"<[^>]*\b(?:href|src)=[\"']?([^\"'#?\s>]+)", page.read_text(encoding="utf-8")):
        if not re.match(r"[a-z]+:|//", address) and not (page.parent / unquote(address)).exists():
            yield address


def check_built(site: Path) -> list[str]:
    """Complaints about the files of the website."""
    found = []
    for path in sorted(site.rglob("*")):
        name = path.relative_to(site).as_posix()
        if path.suffix in {".html", ".css"}:
            found += [f"{name} loads {address}" for address in loads(path.read_text(encoding="utf-8"))]
        if path.suffix == ".html" and name != "404.html":  # whose addresses begin with the site's own
            found += [f"{name} has {address}, which does not exist" for address in absent(path)]
    return found
