"""Tables of docs/defaults.md equal the committed results; scores of a small set."""

import json
from pathlib import Path

import pytest

from benchmarks import null, splits

ROOT = Path(__file__).parents[2]


def _records(name="splits"):
    return json.loads((ROOT / f"benchmarks/results/{name}.json").read_text())


@pytest.mark.parametrize(("name", "seeds"), [("splits", None), ("splits_seeds_21_23", (21, 22, 23))])
def test_the_splits_are_there_and_the_page_shows_them(name, seeds):
    records = _records(name)
    expected = [(n, s) for n, (_, usual) in splits.SETS.items() for s in seeds or usual]
    assert [(r["set"], r["seed"]) for r in records] == expected
    assert splits.table(records) in (ROOT / "docs/defaults.md").read_text()
    first = splits.summary(records).splitlines()
    page = " ".join((ROOT / "docs/defaults.md").read_text().split())
    shown = []
    for line, word in zip(first, ("linear CCA", "plain", "auto"), strict=False):
        shown.append(f"{word} {line.split(';')[0].split()[-1]}")
    assert ", ".join(shown) in page


def test_scores_of_a_linear_signal():
    data = splits.SETS["linear_60"][0]("linear_60", 1)
    assert [v.shape for v in data.views + data.test_views] == [(60, 30), (60, 30), (2000, 30), (2000, 30)]
    assert splits.linear_tcc(data) > 1.5
    score = splits.fitted(data, n_repeats=1, linear=1)
    assert score["tcc"] > 1.4
    assert score["linear_weight"] == 1


def test_independent_views_find_nothing():
    views, groups = null.independent_views(40, 3, 10, 0)
    assert [v.shape for v in views] == [(40, 3), (40, 3)]
    assert len(set(groups)) == 10
    record = null.one_fit((40, 3, 0, 0))
    assert record["found"] == 0
    assert "| 40 | 3 |  | 1 |" in null.table([record])
