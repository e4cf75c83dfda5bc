"""The README's Python block runs as printed and finds what it says."""

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "README.md"


@pytest.mark.skipif(not README.exists(), reason="the tests stand apart from the project")
def test_python_block(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (block,) = re.findall(r"\n```python\n(.*?)\n```", README.read_text(), re.S)
    names = {}
    exec(block, names)
    assert names["model"].correlations_[0] > 0.9
    assert abs(names["model"].linear_correlations_[0]) < 0.3
    assert (tmp_path / "report.html").stat().st_size > 10_000
