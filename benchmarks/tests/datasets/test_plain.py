"""Published sets in one file of views: all parts are read, wrong contents are named."""

import os
from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat

from benchmarks.datasets import WrongDataError
from benchmarks.datasets.plain import PLAIN_SETS, load_linnerud

from .small_file import write_npz

SETS = {plain.name: plain for plain in PLAIN_SETS}


def write_mat(path, widths):
    views = np.empty((1, len(widths)), dtype=object)
    views[0, :] = [np.ones((4, width)) for width in widths]
    savemat(path, {"X": views, "Y": np.array([1, 2, 1, 2])})


def test_a_file_is_read_whole(data_folder):
    mask = np.zeros((6, 3), dtype=bool)
    mask[2, 1] = True
    content = write_npz(
        data_folder / "multidrug_nci60.npz",
        missing0=mask,
        class_names=np.array(["u", "v", "w"]),
        feature_names0=np.array(["p", "q", "r"]),
        feature_names1=np.array(["s", "t"]),
    )
    data = SETS["multidrug_nci60"].load()
    assert (data.k, data.view_names, data.class_names) == (3, ["a", "b"], ["u", "v", "w"])
    assert data.feature_names == [["p", "q", "r"], ["s", "t"]]
    np.testing.assert_array_equal(np.isnan(data.views[0]), mask)
    np.testing.assert_array_equal(data.views[1], content["view1"])
    np.testing.assert_array_equal(data.labels, content["y"])


def test_views_are_ordered_by_number(data_folder):
    views = {f"view{i}": np.full((6, 1), i) for i in range(11)}
    write_npz(data_folder / "handwritten.npz", view_names=None, **views)
    data = SETS["handwritten"].load()
    assert [v[0, 0] for v in data.views] == list(range(11))
    assert data.k == 2


def test_a_test_part_that_lacks_a_view_is_ignored(data_folder):
    test = {f"test_view{i}": np.ones((4, d)) for i, d in enumerate((3, 2))}
    names = np.array(["mRNA", "miRNA", "protein"])
    path = data_folder / "breast_tcga_mixomics.npz"
    write_npz(path, **test, y_test=np.arange(4), view2=np.zeros((6, 5)), view_names=names)
    three = SETS["breast_tcga"].load()
    assert (three.n_views, three.test_views, three.test_labels) == (3, None, None)
    two = SETS["breast_tcga_two"].load()
    assert (two.name, two.view_names, len(two.test_views[0])) == ("breast_tcga_two", ["mRNA", "miRNA"], 4)
    np.testing.assert_array_equal(two.test_labels, np.arange(4))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"y": None}, "no array y"),
        ({"view0": None, "view1": None}, "no array view0"),
        ({"y": np.arange(5)}, "labels 5"),
        ({"y": np.arange(6.0)}, "y is not a vector of class numbers"),
        ({"y": np.zeros(6, dtype=int)}, "all samples have the same class"),
        ({"test_view0": np.ones((1, 3)), "test_view1": np.ones((1, 2)), "y_test": np.array([np.nan])}, "y_test is not"),
        ({"view1": np.zeros((5, 2))}, "view b 5"),
        ({"view1": np.zeros(6)}, "view1 is not a matrix"),
        ({"view1": np.array([["x"]] * 6)}, "view1 is not a matrix of numbers"),
        ({"view_names": np.array(["a"])}, "2 views, but 1 view names"),
        ({"missing0": np.zeros((2, 2), dtype=bool)}, "missing0 does not match"),
    ],
)
def test_a_file_with_wrong_contents_is_named(changes, words, data_folder):
    write_npz(data_folder / "msrc_v5.npz", **changes)
    with pytest.raises(WrongDataError, match=rf"msrc_v5\.npz: .*{words}"):
        SETS["msrc_v5"].load()


def test_views_of_mat_files_are_named_by_their_widths(data_folder):
    write_mat(data_folder / "Handwritten.mat", (240, 76, 216, 47, 64, 6))
    assert SETS["handwritten"].load().view_names == ["PIX", "FOU", "FAC", "ZER", "KAR", "MOR"]
    write_mat(data_folder / "Handwritten.mat", (240, 76, 240, 76))
    assert SETS["handwritten"].load().view_names == ["view0", "view1", "view2", "view3"]
    write_mat(data_folder / "NUS-WIDE.mat", (65, 226, 145, 74, 129))
    data = SETS["nus_wide"].load()
    assert (data.k, data.view_names) == (1, ["CH", "CM", "CORR", "EDH", "WT"])
    assert all(view.flags.c_contiguous and view.dtype == np.float32 for view in data.views)


def test_only_recomputed_features_are_called_a_substitute(data_folder):
    write_mat(data_folder / "Caltech101-7.mat", (48, 40, 254))
    assert "SUBSTITUTE" not in SETS["caltech101_7"].load().description
    (data_folder / "Caltech101-7.mat").unlink()
    write_npz(data_folder / "caltech101_7_recomputed.npz")
    assert "SUBSTITUTE" in SETS["caltech101_7"].load().description


def test_multidrug_keeps_its_missing_values(real_data):
    assert [int(np.isnan(v).sum()) for v in SETS["multidrug_nci60"].load().views] == [1, 3300]


def test_linnerud_of_scikit_learn_equals_mixomics(real_data):
    path = Path(os.environ["TREECCA_DATA"], "linnerud.npz")
    if not path.exists():
        pytest.skip("linnerud.npz is not there.")
    with np.load(path) as content:
        for i, view in enumerate(load_linnerud().views):
            np.testing.assert_array_equal(view, content[f"view{i}"])
