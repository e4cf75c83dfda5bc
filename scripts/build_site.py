"""Builds the website: README.md, docs/ and all files of the repository that they link to, into build/site.

The pages are copied to build/site-pages under their own paths, so links between them stay as they are; a linked source
file becomes a page that shows it. MkDocs refuses broken links and anchors; site_checks.py checks the built files.
Run by scripts/site.
"""

from __future__ import annotations

import logging
import shutil
import sys
from pathlib import Path
from typing import Any

from markdown_links import broken_links, links
from mkdocs.commands.build import build
from mkdocs.config import load_config
from site_checks import check_built

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "build" / "site-pages"
COPIED = {".css", ".html", ".png", ".svg", ".jpg", ".gif", ".webp"}
LANGUAGES = {
    ".hpp": "cpp",
    ".cpp": "cpp",
    ".py": "python",
    ".toml": "toml",
    ".yml": "yaml",
    ".json": "json",
    ".cff": "yaml",
}
HOME = "---\nhide:\n  - navigation\n---\n\n"  # the only page of its section
NO_SEARCH = "---\nsearch:\n  exclude: true\n---\n\n"


def linked_files(listed: list[str]) -> list[Path]:
    """The listed pages, the files of docs/, and all that is reached from them by links."""
    open_files = [*sorted((ROOT / "docs").rglob("*")), *(ROOT / page for page in listed)]
    found: dict[Path, None] = {}
    while open_files:
        path = open_files.pop()
        if path in found or not path.exists() or path == ROOT:
            continue
        if path.is_dir() and path.is_relative_to(ROOT / "docs"):
            continue
        found[path] = None
        if path.is_dir():
            own = path / "README.md"
            open_files += [own] if own.exists() else [one for one in path.iterdir() if one.is_file()]
        elif path.suffix == ".md":
            for link in links(path.read_text(encoding="utf-8")):
                if link.path and not link.is_external:
                    open_files.append((path.parent / link.path).resolve())
    return sorted(found)


def shown_as(path: Path) -> Path:
    """The page or file of the website that shows a file of the repository, relative to its root."""
    relative = path.relative_to(ROOT)
    if path.is_dir():
        return relative / "README.md"
    return relative if path.suffix in {".md", *COPIED} else relative.with_name(relative.name + ".md")


def page_text(path: Path) -> str:
    """A page, with links to source files and folders led to the pages that show them."""
    lines = path.read_text(encoding="utf-8").split("\n")
    for link in reversed(links("\n".join(lines))):
        goal = (path.parent / link.path).resolve()
        if link.is_external or not link.path or not goal.exists() or goal == ROOT:
            continue
        target = link.path.rstrip("/") + str(shown_as(goal).as_posix()).removeprefix(goal.relative_to(ROOT).as_posix())
        line = lines[link.line]
        lines[link.line] = line[: link.begin] + target + line[link.begin + len(link.path) :]
    # Cells such as "1.65 ± 0.04" stay on one line.
    text = "\n".join(line.replace(" ± ", "\u00a0±\u00a0") if line.startswith("|") else line for line in lines)
    return HOME + text if path == ROOT / "README.md" else text


def source_page(path: Path) -> str:
    """A page with the text of a source file."""
    text = path.read_text(encoding="utf-8")
    return f"{NO_SEARCH}# {path.name}\n\n`````{LANGUAGES.get(path.suffix, 'text')}\n{text}\n`````\n"


def folder_page(path: Path) -> str:
    """A page with the files of a folder."""
    files = [f"- [{one.name}]({shown_as(one).name})" for one in sorted(path.iterdir()) if one.is_file()]
    return f"{NO_SEARCH}# {path.relative_to(ROOT).as_posix()}\n\n" + "\n".join(files) + "\n"


def write_pages(files: list[Path]) -> None:
    """Fills build/site-pages."""
    shutil.rmtree(PAGES)
    for path in files:
        target = PAGES / shown_as(path)
        if target.exists() or (path.is_dir() and (path / "README.md").exists()):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            target.write_text(folder_page(path), encoding="utf-8")
        elif path.suffix == ".md":
            target.write_text(page_text(path), encoding="utf-8")
        elif path.suffix in COPIED:
            shutil.copy(path, target)
        elif path.name != "requirements.txt":
            target.write_text(source_page(path), encoding="utf-8")


def nav_paths(nav: Any) -> list[str]:
    """All pages that a navigation names."""
    if isinstance(nav, str):
        return [nav]
    return [path for item in (nav.values() if isinstance(nav, dict) else nav) for path in nav_paths(item)]


def existing(nav: Any) -> Any:
    """The navigation without pages that do not exist, and without sections that are then empty."""
    if isinstance(nav, str):
        return nav if (PAGES / nav).exists() else None
    if isinstance(nav, dict):
        return {title: kept for title, item in nav.items() if (kept := existing(item))}
    return [kept for item in nav if (kept := existing(item))]


def unlisted(nav: Any) -> list[str]:
    """Pages of docs/ that the navigation does not name."""
    pages = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "docs").rglob("*.md"))]
    return [page for page in pages if page not in nav_paths(nav)]


def main() -> None:
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s")
    PAGES.mkdir(parents=True, exist_ok=True)
    config = load_config(str(ROOT / "mkdocs.yml"))
    files = linked_files(nav_paths(config.nav))
    if broken := broken_links([path for path in files if path.suffix == ".md"], ROOT):
        sys.exit("Links that lead nowhere:\n" + "\n".join(broken))
    write_pages(files)
    config.nav = existing(config.nav)
    if others := unlisted(config.nav):
        config.nav.append({"More": others})
    build(config)
    if found := check_built(Path(config.site_dir)):
        sys.exit("The website is not complete:\n" + "\n".join(found))
    print(
        f"The website is in {Path(config.site_dir).relative_to(ROOT)}: open index.html, or run "
        "python3 -m http.server -d build/site"
    )


if __name__ == "__main__":
    main()
