"""All data sets by name, and `python -m benchmarks.datasets`."""

import numpy as np
import pytest

from benchmarks.datasets import MissingDataError, __main__, list_datasets, load
from treecca.datasets import make_sparse

from .small_file import write_npz

ON_FILES = [
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
]


def test_load_by_name():
    assert {"signed_power", "split_mnist", "uci_har", "nus_wide"} <= set(list_datasets())
    data = load("sparse_50", random_state=3)
    np.testing.assert_array_equal(data.views[0], make_sparse(p=50, random_state=3).views[0])
    assert [len(v) for v in load("linnerud").test_views] == [4, 4]
    assert load("hermite", noise=0.0, n_samples=100).limit == 3
    with pytest.raises(ValueError, match=r"Unknown data set 'nonsense'\. Known: signed_power, "):
        load("nonsense")


@pytest.mark.parametrize("name", [name for name, *_ in ON_FILES] + ["split_mnist", "nus_wide"])
def test_every_published_set_names_its_source(name, data_folder):
    with pytest.raises(MissingDataError, match=r"\.(npz|mat).*: not in .* Source: .{20}"):
        load(name)


def test_the_table_names_missing_and_damaged_files(data_folder, capsys):
    (data_folder / "msrc_v5.npz").write_bytes(b"nonsense")
    write_npz(data_folder / "handwritten.npz")
    __main__.main()
    lines = {line.split(" | ")[0].strip("| "): line for line in capsys.readouterr().out.splitlines()[2:]}
    assert list(lines) == list_datasets()
    assert lines["hermite"] == "| hermite | 3 | 2400 | 600 | 8, 8 |  |  |"
    assert "mnist.npz: not in" in lines["split_mnist"]
    assert "msrc_v5.npz: not an .npz archive" in lines["msrc_v5"]
    assert "no samples are left for testing" in lines["handwritten"]  # two samples per class


@pytest.mark.parametrize(("name", "k", "samples", "widths", "classes"), ON_FILES)
def test_real_sets_are_as_published(name, k, samples, widths, classes, real_data):
    data = load(name, random_state=42)
    assert (data.name, data.k) == (name, k)
    assert (data.n_samples, len(data.test_views[0])) == samples
    assert [v.shape[1] for v in data.views] == widths
    np.testing.assert_array_equal(np.unique(data.labels), np.arange(classes))
    assert set(data.test_labels) <= set(data.labels)
    assert data.class_names is None or len(data.class_names) == classes
    assert ("SUBSTITUTE" in data.description) == (name == "caltech101_7")
    assert any(np.isnan(v).any() for v in data.views) == (name == "multidrug_nci60")
