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


def speed_record(program, values, **more):
    size = {"part": "trees", "n": 2400, "p": 8, "k": 3, "unit": "ms per tree"}
    return {**size, "program": program, "median": values[1], "all": values, **more}


def test_speed_is_a_ratio_of_medians():
    found = [
        speed_record("TreeCCA", [1.0, 2.0, 9.0]),
        speed_record("TreeCCA, trees alone", [1.0, 1.5, 2.0]),
        speed_record("LightGBM", [5.0, 6.0, 60.0]),
    ]
    table = tables.ratio_table(found, "trees")
    assert table.splitlines()[0].endswith("| LightGBM | LightGBM / trees alone |")
    assert table.splitlines()[2] == "| 2,400 | 8 | 3 | 2 | 1.5 | 3.0 | 4.0 |"


def test_growth_is_an_exponent():
    found = [speed_record("TreeCCA", [0, s, 0], part="growth", of="samples", n=n) for n, s in ((100, 1.0), (400, 8.0))]
    assert tables.growth_table(found).splitlines()[2] == "| samples | 100, 400 | 1, 8 | 1.50 |"
