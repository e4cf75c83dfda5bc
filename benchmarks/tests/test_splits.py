"""Tables of README and docs/defaults.md equal the committed results; scores of a small set."""

import json
from pathlib import Path

import numpy as np
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


README_SETS = ["nutrimouse", "breast_tcga", "threesources", "uci_har", "handwritten", "signed_100", "sparse_500"]


def test_the_readme_has_the_means_of_the_later_splits():
    rows = [
        line for line in (ROOT / "README.md").read_text().partition("## Benchmarks")[2].splitlines() if "|" in line
    ]
    shown = [[cell.strip(" *") for cell in row.split("|")[2:-1]] for row in rows[2:]]
    expected = []
    for name in README_SETS:
        own = [r for r in _records("splits_seeds_21_23") if r["set"] == name]
        means = np.mean([[r["linear"], r["auto"]["tcc"], r["auto"]["own"]] for r in own], axis=0)
        expected.append([f"{own[0]['samples']:,}", str(own[0]["k"]), *(f"{mean:.2f}" for mean in means)])
    assert shown == expected
    for row, (_, _, linear, trees, _) in zip(rows[2:], shown, strict=True):
        assert f"**{max(linear, trees)}**" in row, f"the best result is not in bold: {row}"


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
