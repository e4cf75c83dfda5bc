"""The table of settings: kept results, failures, Markdown."""

import sys

from benchmarks import sweep
from benchmarks.datasets import load
from benchmarks.linear import linear_scores

CALLS = []
real = sweep.compute


def compute(program, build, row, settings, name, seed):
    """Linear CCA as it is, and fixed scores instead of fits by the CLI."""
    CALLS.append((row, name))
    if row == sweep.LINEAR:
        return real(program, build, row, settings, name, seed)
    return {"test_tcc": 1.25, "out_of_fold_tcc": 1.5, "raw_tcc": 1.75, "accuracy": None, "seconds": 0.1}


def test_results_are_kept_and_failures_named(tmp_path, data_folder, monkeypatch):
    tasks = [(sweep.LINEAR, "linnerud", 42), (sweep.LINEAR, "msrc_v5", 42), ("default", "linnerud", 42)]
    monkeypatch.setattr(sweep, "compute", compute)
    results, failures = sweep.run_all(sys.executable, tasks, tmp_path / "kept", processes=1)
    assert list(results) == [tasks[0], tasks[2]]
    linear = linear_scores(load("linnerud", random_state=42))
    assert results[tasks[0]]["raw_tcc"] == linear["linear_test_raw_tcc"]
    (failure,) = failures
    assert failure.startswith("linear CCA/MCCA, msrc_v5, seed 42: msrc_v5.npz")
    again, _ = sweep.run_all(sys.executable, tasks, tmp_path / "kept", processes=1)
    assert again == results
    assert [(row, name) for row, name, _ in [*tasks, tasks[1]]] == CALLS  # only the failure is tried again
    page = sweep.markdown([sweep.LINEAR, "default"], ["linnerud"], [42], results)
    assert f"| {sweep.LINEAR} | {linear['linear_test_tcc']:.2f} |  |" in page
    assert "| default | 1.25 (1.50) |  |" in page
