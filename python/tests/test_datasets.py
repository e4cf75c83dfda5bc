"""treecca.datasets: the package, its data type, sets by name, and the real files.

Tests of the real data need the files, in the folder named by TREECCA_DATA.
"""

import os
import subprocess
import sys

import numpy as np
import pytest
from conftest import write_npz

from treecca import datasets
from treecca.datasets import MultiviewDataset


@pytest.fixture
def real_data():
    if not os.environ.get("TREECCA_DATA"):
        pytest.skip("TREECCA_DATA does not name the folder with the data files.")


def test_importing_loads_nothing_heavy():
    code = "import sys, treecca; print('treecca.datasets' in sys.modules)\nimport treecca.datasets\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    at_first, loaded = done.stdout.splitlines()
    assert at_first == "False"
    assert {"sklearn", "scipy", "pandas"}.isdisjoint(loaded.split())


# The data type


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
    with pytest.raises(ValueError, match="test_size is the share of the test part, above 0 and below 1, not"):
        small().split(test_size=share)


@pytest.mark.parametrize(
    ("fields", "share", "words"),
    [
        ({}, 0.001, r"test_size=0\.001 no rows are left for testing"),
        ({}, 0.999, r"test_size=0\.999 no rows are left for training"),
        ({"groups": np.arange(50) % 3}, 0.1, "no groups are left for testing"),
        ({"groups": np.arange(50) % 3}, 0.9, "no groups are left for training"),
        ({"labels": np.repeat([0, 7], [48, 2])}, 0.8, "all rows of class 7 are in the test part"),
        ({"labels": np.repeat([0, 1], [25, 25]), "groups": np.repeat([0, 1], [25, 25])}, 0.5, "all rows of class"),
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
        ({"test_views": [np.zeros((4, 3))]}, "do not fit"),
        ({"test_views": [np.zeros((4, 3)), np.zeros((5, 2))]}, "test view b 5"),
        ({"test_views": [np.zeros((4, 3)), np.zeros((4, 9))]}, "other features"),
        ({"test_labels": np.zeros(4)}, "no test views"),
        ({"feature_names": [["x"], ["y"]]}, "names of the features"),
    ],
)
def test_parts_must_fit(fields, words):
    with pytest.raises(ValueError, match=f"small: .*{words}"):
        small(**fields)


def test_views_must_be_tables_with_names():
    with pytest.raises(ValueError, match="2 views, but 1 names"):
        MultiviewDataset("x", [np.zeros((3, 1))] * 2, ["a"], k=1)
    with pytest.raises(ValueError, match="view a has 1 dimensions"):
        MultiviewDataset("x", [np.zeros(3)], ["a"], k=1)


# By name


def test_load_by_name():
    assert {"signed_power", "split_mnist", "uci_har", "nus_wide"} <= set(datasets.list_datasets())
    data = datasets.load("sparse_50", random_state=3)
    np.testing.assert_array_equal(data.views[0], datasets.make_sparse(p=50, random_state=3).views[0])
    assert [len(v) for v in datasets.load("linnerud").test_views] == [4, 4]
    assert datasets.load("hermite", noise=0.0, n_samples=100).limit == 3
    with pytest.raises(ValueError, match=r"no data set called 'nonsense'\. Known: signed_power, "):
        datasets.load("nonsense")


def test_the_list_of_all_sets_names_what_is_missing_or_damaged(tmp_path):
    (tmp_path / "msrc_v5.npz").write_bytes(b"nonsense")
    (tmp_path / "NUS-WIDE.mat").write_bytes(b"nonsense")
    write_npz(tmp_path / "handwritten.npz")
    done = subprocess.run(
        [sys.executable, "-m", "treecca.datasets"],
        env=os.environ | {"TREECCA_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = {line.split(" | ")[0].strip("| "): line for line in done.stdout.splitlines()[2:]}
    assert list(lines) == datasets.list_datasets()
    assert lines["hermite"] == "| hermite | 3 | 2400 | 600 | 8, 8 |  |  |"
    assert "mnist.npz was looked for" in lines["split_mnist"]
    assert lines["msrc_v5"].startswith("| msrc_v5 | damaged: The data file ")
    assert lines["nus_wide"].startswith("| nus_wide | damaged: The data file ")
    assert "no rows are left for testing" in lines["handwritten"]  # two rows per class


# The real files


@pytest.mark.parametrize(
    ("name", "k", "rows", "widths", "classes"),
    [
        ("handwritten", 9, (1600, 400), [216, 76, 64, 6, 240, 47], 10),
        ("msrc_v5", 6, (168, 42), [24, 576, 512, 256, 254], 7),
        ("threesources", 5, (136, 33), [3560, 3631, 3068], 6),
        ("caltech101_7", 6, (1179, 295), [48, 40, 254, 1984, 512, 928], 7),
        ("breast_tcga", 3, (120, 30), [200, 184, 142], 3),
        ("breast_tcga_two", 3, (150, 70), [200, 184], 3),
        ("brca_tcga769", 4, (615, 154), [1000, 1000, 503], 5),
        ("nutrimouse", 3, (30, 10), [120, 21], 5),
        ("liver_toxicity", 3, (52, 12), [3116, 10], 4),
        ("multidrug_nci60", 3, (48, 12), [48, 1429], 9),
        ("uci_har", 6, (7352, 2947), [36, 36], 6),
    ],
)
def test_real_sets_are_as_published(name, k, rows, widths, classes, real_data):
    data = datasets.load(name, random_state=42)
    assert (data.name, data.k) == (name, k)
    assert (data.n_samples, len(data.test_views[0])) == rows
    assert [v.shape[1] for v in data.views] == widths
    np.testing.assert_array_equal(np.unique(data.labels), np.arange(classes))
    assert set(data.test_labels) <= set(data.labels)
    assert data.class_names is None or len(data.class_names) == classes
    assert ("SUBSTITUTE" in data.description) == (name == "caltech101_7")
    assert any(np.isnan(v).any() for v in data.views) == (name == "multidrug_nci60")


def test_har_subjects_and_gravity(real_data):
    data = datasets.load_uci_har()
    assert len(np.unique(data.groups)) == 21
    names = data.feature_names[0]
    # A standing person's phone feels 1 g.
    standing = data.views[0][data.labels == data.class_names.index("STANDING")]
    assert standing[:, names.index("acc_mag_mean")].mean() == pytest.approx(1.0, abs=0.05)


def test_multidrug_keeps_its_missing_values(real_data):
    data = datasets.load_multidrug()
    assert [int(np.isnan(v).sum()) for v in data.views] == [1, 3300]


def test_other_labels_of_the_same_rows(real_data):
    mice = datasets.load_nutrimouse(target="genotype")
    assert (mice.class_names, list(np.bincount(mice.labels))) == (["wt", "ppar"], [20, 20])
    assert mice.feature_names[1][0] == "C14.0"
    rats = datasets.load_liver_toxicity(target="time")
    assert (rats.class_names[0], list(np.bincount(rats.labels))) == ("6.0", [16] * 4)


def test_linnerud_of_scikit_learn_is_that_of_mixomics(real_data):
    data = datasets.load_linnerud()
    path = os.path.join(os.environ["TREECCA_DATA"], "linnerud.npz")
    if not os.path.exists(path):
        pytest.skip("linnerud.npz is not there.")
    with np.load(path) as content:
        for i, view in enumerate(data.views):
            np.testing.assert_array_equal(view, content[f"view{i}"])


def test_split_mnist(real_data):
    data = datasets.load_split_mnist(n_train=2000)
    assert [v.shape for v in (*data.views, *data.test_views)] == [(2000, 392)] * 2 + [(6000, 392)] * 2
    clean = datasets.load_split_mnist(n_train=2000, dropout=0.0)
    for noisy, view in zip(data.views, clean.views, strict=True):
        lit = view > 0
        assert (noisy[lit] == 0).mean() == pytest.approx(0.1, abs=0.005)
        np.testing.assert_array_equal(noisy[noisy > 0], view[noisy > 0])
    # How many of a digit's pixels are dropped in one view says nothing about the other.
    shares = [
        ((v == 0) & (c > 0)).sum(axis=1) / (c > 0).sum(axis=1).clip(1)
        for v, c in zip(data.views, clean.views, strict=True)
    ]
    assert abs(np.corrcoef(*shares)[0, 1]) < 0.08
    # The halves belong together: across the seam, the pixel to the right is nearly the pixel to the left.
    left, right = (v.reshape(-1, 28, 14) for v in clean.views)
    assert np.corrcoef(left[:, :, 13].ravel(), right[:, :, 0].ravel())[0, 1] > 0.8
    assert data.feature_names[1][:2] == ["r0c14", "r0c15"]
    fewer = datasets.load_split_mnist(n_train=500)
    np.testing.assert_array_equal(fewer.views[1], data.views[1][:500])
    np.testing.assert_array_equal(fewer.test_views[0], data.test_views[0])
    other = datasets.load_split_mnist(n_train=500, random_state=1)
    assert not np.array_equal(other.test_labels, data.test_labels)


@pytest.mark.parametrize(("options", "words"), [({"n_train": 0}, "n_train"), ({"dropout": 1.0}, "dropout")])
def test_split_mnist_refuses_nonsense(options, words):
    with pytest.raises(ValueError, match=words):
        datasets.load_split_mnist(**options)
