"""Results: kept by unit, selected by out-of-fold TCC, shown as cells."""

import pytest

from benchmarks.paper import results as module
from benchmarks.paper.results import Results, Row, cell, comparison, mean
from benchmarks.paper.unit import Missing, Unit

CALLS = []


def task(**arguments):
    CALLS.append(arguments)
    if arguments.get("fails"):
        raise Missing("get it")
    return {"out_of_fold": arguments["out_of_fold"], "test": arguments["test"], "seconds": 1.0}


@pytest.fixture
def results(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "TASKS", {"task": task})
    CALLS.clear()
    return Results(tmp_path)


def unit(**arguments):
    return Unit("task", {"out_of_fold": 1.0, "test": 2.0} | arguments)


def test_a_unit_is_computed_once_also_by_later_runs(results, tmp_path):
    assert (results.one(unit()), results.is_done(unit())) == (None, False)
    results.compute(unit())
    assert results.is_done(unit())
    assert results.one(unit(test=3.0)) is None
    assert Results(tmp_path).one(unit()) == {"out_of_fold": 1.0, "test": 2.0, "seconds": 1.0}
    assert len(CALLS) == 1


def test_a_problem_is_shown_and_tried_again(results):
    with pytest.raises(Missing):
        results.compute(unit(fails=True))
    assert not results.is_done(unit(fails=True))
    results.problems[unit(fails=True).key] = {"missing": "get it"}
    assert cell(results.all([unit(fails=True)]), "test") == "get it"


@pytest.mark.filterwarnings("ignore:.*Exception while loading results")
def test_a_damaged_file_is_computed_again(results, tmp_path):
    results.compute(unit())
    (kept,) = tmp_path.rglob("output.pkl")
    kept.write_bytes(b"")
    assert results.compute(unit())["test"] == 2.0
    assert len(CALLS) == 2


def test_the_best_round_counts_only_where_the_paper_reports_it():
    runs = [{"peak": 3.0, "raw": 2.0, "test": 1.0}]
    assert comparison([Row("m", "", runs)], peak=True)[1][2] == "3.00"
    assert comparison([Row("m", "", runs)])[1][2] == "2.00"


def test_cells_have_mean_and_deviation_or_a_reason():
    assert cell([{"test": 1.0}, {"test": 2.0}], "test") == "1.50 ± 0.50"
    assert cell([{"test": 1.0}, None], "test") == "1.00 (1 of 2)"
    assert cell([None, None], "test") == "not run"
    assert cell([{"missing": "get it"}], "test") == "get it"
    assert mean([{"test": 1.0}, None], "test") is None
