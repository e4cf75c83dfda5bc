"""The tables of the pages are those of the committed results."""

import pytest

from benchmarks import tables

WITH_TABLES = [name for name in tables.PAGES if (tables.ROOT / name).exists()]


def text_of(name):
    return (tables.ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", WITH_TABLES)
def test_pages_show_the_results(name):
    page = text_of(name)
    assert tables.filled(page) == page, "Run python -m benchmarks.tables."


@pytest.mark.parametrize("name", [name for name in WITH_TABLES if "<!-- table: " in text_of(name)])
def test_other_tables_have_no_numbers(name):
    assert not tables.numbers_elsewhere(text_of(name)), "Add a table to benchmarks/tables.py."


def test_a_changed_number_is_noticed():
    page = tables.filled("text\n<!-- table: benchmarks -->\n<!-- end of table -->\n| other | 1.5 |\n")
    assert tables.filled(page) == page
    assert tables.filled(page.replace("2.", "3.")) == page
    assert tables.numbers_elsewhere(page) == ["| other | 1.5 |"]


def test_an_unknown_table_is_an_error():
    with pytest.raises(KeyError, match="nowhere"):
        tables.filled("<!-- table: nowhere -->\n<!-- end of table -->\n")


def test_seconds_are_shown_only_if_the_run_trusts_them(monkeypatch):
    record = {
        "n": 10,
        "p": 2,
        "k": 1,
        "seconds_per_round": {"A": 0.5, "treecca joint": 0.25},
        "times_faster": {"treecca scalar": 1, "treecca joint": 2},
        "stages": {"treecca joint": {"peak_mb": 7}},
    }
    monkeypatch.setattr(tables, "records", lambda name: [record])
    assert "0.5000" in tables.speed_table()
    record["warning"] = "busy"
    assert "0.5000" not in tables.speed_table()
