"""docs/cite.md agrees with CITATION.cff and the version of the package."""

import re
from pathlib import Path

import pytest

import treecca

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "cite.md"
pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the tests stand apart from the project")


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_titles_authors_and_version_are_those_of_the_citation_file():
    page, citation = text_of("docs/cite.md"), text_of("CITATION.cff")
    shown = [title.replace("{", "").replace("}", "") for title in re.findall(r"title\s*= \{(.*)\},?\n", page)]
    assert sorted(shown) == sorted(re.findall(r'title: "(.*)"', citation))
    family, given = re.search(r"family-names: (\w+)\n +given-names: (\w+)", citation).groups()
    assert f"author = {{{family}, {given}}}" in page
    group = re.search(r'- name: "(.*)"', citation)[1]
    assert f"author  = {{{{{group}}}}}" in page
    (version,) = re.findall(r"version = \{(.*)\}", page)
    assert version == re.search(r"^version: (.*)$", citation, re.MULTILINE)[1] == treecca.__version__
