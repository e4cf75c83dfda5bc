"""Checks that `make site` makes of the built website."""

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "site_checks.py"
spec = importlib.util.spec_from_file_location("site_checks", SCRIPT)
site_checks = importlib.util.module_from_spec(spec)
spec.loader.exec_module(site_checks)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('<script src="https://cdn.org/a.js"></script>', ["https://cdn.org/a.js"]),
        ('<img alt="x" src="//cdn.org/a.png">', ["//cdn.org/a.png"]),
        ('<link rel="stylesheet" href="https://fonts.org/a.css">', ["https://fonts.org/a.css"]),
        ('<link rel="canonical" href="https://example.org/">', []),
        ('<a href="https://example.org/">a link, which loads nothing</a><img src="a.png">', []),
        ("@font-face { src: url(https://fonts.org/a.woff2) }", ["https://fonts.org/a.woff2"]),
        (
            '@import "https://fonts.org/a.css"; a { background: url(data:image/png;base64,AA) }',
            ["https://fonts.org/a.css"],
        ),
    ],
)
def test_what_a_browser_would_load_is_found(text, found):
    assert list(site_checks.loads(text)) == found


def test_a_website_is_checked(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "index.html").write_text('<a href="sub/a%20b.html#x">a</a> <a href="#top">b</a> <img src="gone.png">')
    (tmp_path / "sub" / "a b.html").write_text('<a href="../index.html?q=1">a</a> <a href="mailto:a@b.org">b</a>')
    (tmp_path / "404.html").write_text('<a href="/index.html">a</a>')
    (tmp_path / "a.css").write_text("a { background: url(https://cdn.org/a.png) }")
    assert site_checks.check_built(tmp_path) == [
        "a.css loads https://cdn.org/a.png",
        "index.html has gone.png, which does not exist",
    ]
