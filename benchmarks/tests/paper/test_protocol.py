"""Scores of embeddings: both protocols, precision of importances."""

import numpy as np
import pytest

from benchmarks.paper import protocol
from treecca.datasets import make_hermite


def test_repeated_components_count_only_in_the_papers_protocol():
    rng = np.random.default_rng(0)
    one = rng.normal(size=(400, 1))
    noise = [rng.normal(size=(400, 1)) for _ in range(2)]
    views = [np.hstack([one + 0.1 * n, one + 0.1001 * n]) for n in noise]
    scores = protocol.judge(make_hermite(800, test_size=400), [v[:200] for v in views], [v[200:] for v in views])
    assert scores["raw"] > 1.95
    assert scores["test"] < 1.3
    assert scores["raw_repeat"] > 0.99


def test_peak_and_precision():
    assert protocol.peak([0.1, 0.9, 0.4], [10, 20, 30])["peak_round"] == 20
    assert protocol.precision_at(np.array([5, 4, 0.1, 3, 0]), 3) == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("importances", "causal", "expected"),
    [
        ([0, 0, 0, 0, 0, 0, 0, 0], 2, 2 / 8),  # all alike: as good as guessing
        ([9, 1, 1, 1], 2, (1 + 1 / 3) / 2),  # one place for three, one of which is causal
        ([1, 1, 9, 0], 2, 1 / 2),  # one place for two, both of them causal
        ([1, 1, 2, 2], 2, 0),
        ([3, 3, 3, 1], 3, 1),
    ],
)
def test_ties_count_as_a_draw_among_them(importances, causal, expected):
    assert protocol.precision_at(np.array(importances), causal) == pytest.approx(expected)
    rng, draws = np.random.default_rng(0), []
    for _ in range(2000):
        order = np.lexsort((rng.random(len(importances)), -np.array(importances)))[:causal]
        draws.append(np.mean(order < causal))
    assert np.mean(draws) == pytest.approx(expected, abs=0.04)


def test_importances_that_are_no_numbers_are_refused():
    with pytest.raises(ValueError, match="1 of 3 importances are NaN"):
        protocol.precision_at(np.array([1, np.nan, 0]), 1)
