"""treecca.datasets: the import, and the type that every generator returns."""

import subprocess
import sys

import numpy as np
import pytest

from treecca.datasets import MultiviewDataset


def test_importing_loads_nothing_heavy():
    code = "import sys, treecca; print('treecca.datasets' in sys.modules)\nimport treecca.datasets\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    at_first, loaded = done.stdout.splitlines()
    assert at_first == "False"
    assert {"sklearn", "scipy", "pandas"}.isdisjoint(loaded.split())


def small(n=50, **fields):
    rng = np.random.default_rng(0)
    views = [rng.normal(size=(n, 3)), rng.normal(size=(n, 2))]
    return MultiviewDataset("small", views, ["a", "b"], k=2, **fields)


def test_split_is_stratified_and_keeps_rows_together():
    labels = np.repeat([0, 1, 2], [30, 15, 5])
    data = small(labels=labels)
    whole = {tuple(np.hstack(row)): label for *row, label in zip(*data.views, labels, strict=True)}
    split = data.split(seed=3)
    assert list(np.bincount(split.test_labels)) == [6, 3, 1]
    assert list(np.bincount(split.labels)) == [24, 12, 4]
    for views, part_labels in ((split.views, split.labels), (split.test_views, split.test_labels)):
        for *row, label in zip(*views, part_labels, strict=True):
            assert whole.pop(tuple(np.hstack(row))) == label
    assert not whole
    np.testing.assert_array_equal(data.split(seed=3).test_views[0], split.test_views[0])
    assert not np.array_equal(data.split(seed=4).test_views[0], split.test_views[0])
    assert split.split(seed=9) is split


def test_split_draws_whole_groups():
    groups = np.tile(np.arange(10), 5)
    data = small(groups=groups)
    split = data.split(seed=0)
    assert len(np.unique(split.groups)) == 8
    assert len(split.views[0]) == 40
    in_test = {tuple(row) for row in split.test_views[0]}
    test_groups = {group for row, group in zip(data.views[0], groups, strict=True) if tuple(row) in in_test}
    assert test_groups.isdisjoint(split.groups)


@pytest.mark.parametrize("share", [5, 1.0, 0.0, -0.5, np.nan, np.inf, "half", None])
def test_a_split_takes_a_share(share):
    with pytest.raises(ValueError, match="test_size must be a fraction between 0 and 1, not"):
        small().split(test_size=share)


@pytest.mark.parametrize(
    ("fields", "share", "words"),
    [
        ({}, 0.001, r"test_size=0\.001 no samples are left for testing"),
        ({}, 0.999, r"test_size=0\.999 no samples are left for training"),
        ({"groups": np.arange(50) % 3}, 0.1, "no groups are left for testing"),
        ({"groups": np.arange(50) % 3}, 0.9, "no groups are left for training"),
        ({"labels": np.repeat([0, 7], [48, 2])}, 0.8, "all samples of class 7 are in the test part"),
        ({"labels": np.repeat([0, 1], [25, 25]), "groups": np.repeat([0, 1], [25, 25])}, 0.5, "all samples of class"),
    ],
)
def test_no_part_of_a_split_goes_without(fields, share, words):
    with pytest.raises(ValueError, match=f"small: .*{words}"):
        small(**fields).split(test_size=share)


def test_a_small_class_may_be_missing_from_the_test_part():
    split = small(labels=np.repeat([0, 7], [48, 2])).split()
    assert (set(split.labels), set(split.test_labels)) == ({0, 7}, {0})


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"labels": np.zeros(49)}, "labels 49"),
        ({"groups": np.zeros(3)}, "groups 3"),
        ({"test_views": [np.zeros((4, 3))]}, "numbers of samples differ"),
        ({"test_views": [np.zeros((4, 3)), np.zeros((5, 2))]}, "test view b 5"),
        ({"test_views": [np.zeros((4, 3)), np.zeros((4, 9))]}, "other numbers of features"),
        ({"test_labels": np.zeros(4)}, "no test views"),
        ({"feature_names": [["x"], ["y"]]}, "numbers of feature names"),
    ],
)
def test_parts_must_fit(fields, words):
    with pytest.raises(ValueError, match=f"small: .*{words}"):
        small(**fields)


def test_views_must_be_tables_with_names():
    with pytest.raises(ValueError, match="2 views, but 1 view names"):
        MultiviewDataset("x", [np.zeros((3, 1))] * 2, ["a"], k=1)
    with pytest.raises(ValueError, match="view a has 1 dimensions"):
        MultiviewDataset("x", [np.zeros(3)], ["a"], k=1)
