"""Links of all Markdown pages lead to files and headings that exist."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SKIPPED = {"build", "site-pages", "node_modules"}

spec = importlib.util.spec_from_file_location("markdown_links", ROOT / "scripts" / "markdown_links.py")
markdown_links = importlib.util.module_from_spec(spec)
spec.loader.exec_module(markdown_links)

in_project = pytest.mark.skipif(not (ROOT / "README.md").exists(), reason="the tests stand apart from the project")


def pages():
    found = []
    for path in sorted(ROOT.rglob("*.md")):
        folders = path.relative_to(ROOT).parts[:-1]
        if not any(name in SKIPPED or name.startswith((".", "build")) for name in folders):
            found.append(path)
    return found


@in_project
def test_links_lead_somewhere():
    broken = markdown_links.broken_links(pages(), ROOT)
    assert not broken, "Links that lead nowhere:\n" + "\n".join(broken)


def test_links_are_found_outside_code():
    text = '[a](b.md#c) ![d](e.png "title")\n`[x](y.md)` [`f`](g.hpp)\n```text\n[h](i.md)\n```\n<img src="j.png">\n'
    found = [(link.line, link.target) for link in markdown_links.links(text)]
    assert found == [(0, "b.md#c"), (0, "e.png"), (1, "g.hpp"), (5, "j.png")]


def test_anchors_are_those_of_github():
    text = "# A b\n## `fit(x)`: what?\n## A b\n```\n# no\n```\n### [Link](x.md) and_more ###\n"
    assert markdown_links.anchors(text) == {"a-b", "fitx-what", "a-b-1", "link-and_more"}


def test_broken_links_are_named(tmp_path):
    (tmp_path / "a.md").write_text("[x](b.md)\n[y](c.md#there)\n[z](c.md#gone)\n[w](https://example.org)\n[v](#a)\n")
    (tmp_path / "c.md").write_text("# There\n")
    messages = markdown_links.broken_links([tmp_path / "a.md"], tmp_path)
    assert messages == [
        "a.md:1: b.md: there is no such file.",
        "a.md:3: c.md#gone: the page has no such heading.",
        "a.md:5: #a: the page has no such heading.",
    ]
