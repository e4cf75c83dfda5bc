"""The .mat files of the published collections, and damaged ones."""

import numpy as np
import pytest
from scipy import sparse
from scipy.io import savemat

from benchmarks.datasets import WrongDataError
from benchmarks.datasets.mat import read_mat


def cells(views):
    packed = np.empty((1, len(views)), dtype=object)
    packed[0, :] = views
    return packed


LABELS = np.array([3, 1, 2, 3, 1, 2, 3, 1])


def variants():
    rng = np.random.default_rng(0)
    views = [rng.normal(size=(8, width)) for width in (65, 226, 145)]
    one_hot = (LABELS[:, None] == [1, 2, 3]).astype(float)
    return views, {
        "X, Y": {"X": cells(views), "Y": LABELS[:, None]},
        "column of cells, gt": {"X": cells(views).T, "gt": LABELS},
        "fea, row of labels": {"fea": cells(views), "gt": LABELS[None, :]},
        "data in columns": {"data": cells([v.T for v in views]), "truelabel": cells([LABELS] * 3)},
        "numbered arrays": {f"X{i + 1}": v for i, v in enumerate(views)} | {"Y": LABELS[:, None]},
        "numbered views": {f"view{i + 1}": v for i, v in enumerate(views)} | {"labels": LABELS[:, None]},
        "sparse": {"X": cells([sparse.csc_matrix(v) for v in views]), "Y": LABELS[:, None]},
        "one column per class": {"X": cells(views), "Y": one_hot},
        "one row per class, -1 or 1": {"X": cells(views), "Y": 2.0 * one_hot.T - 1},
    }


@pytest.mark.parametrize("variant", variants()[1])
def test_all_published_layouts_are_read(variant, tmp_path):
    views, layouts = variants()
    savemat(tmp_path / "x.mat", layouts[variant])
    content = read_mat(tmp_path / "x.mat")
    assert list(content) == ["view0", "view1", "view2", "y"]
    np.testing.assert_array_equal(content["y"], LABELS - 1)
    for i, view in enumerate(views):
        np.testing.assert_array_equal(content[f"view{i}"], view)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"A": np.ones((3, 3))}, "it holds A"),
        ({"X": cells([np.ones((4, 2))] * 2)}, "vector Y of labels"),
        ({"X": np.ones((4, 2)), "Y": [1, 2, 1, 2]}, "cell array X"),
        ({"X": cells([np.ones((4, 2)), np.array(["text"])]), "Y": [1, 2, 1, 2]}, "not a matrix of numbers"),
        ({"X": cells([np.ones((4, 2, 2))] * 2), "Y": [1, 2, 1, 2]}, "not a matrix of numbers"),
        ({"X": cells([np.ones((4, 2)), cells([np.ones((4, 2))])]), "Y": [1, 2, 1, 2]}, "not a matrix of numbers"),
        ({"X": cells([np.ones((4, 2)), np.ones((4, 2)) * 1j]), "Y": [1, 2, 1, 2]}, "not a matrix of numbers"),
        ({"X": cells([np.ones((4, 2))] * 2), "Y": np.zeros((0, 0))}, "vector Y of labels"),
        ({"X": cells([np.ones((4, 2))] * 2), "Y": [1, 2, np.nan, 2]}, "class numbers, but row 1, column 3 is nan"),
        ({"X": cells([np.ones((4, 2))] * 2), "Y": [1, 2, np.inf, 2]}, "class numbers, but row 1, column 3 is inf"),
        ({"X": cells([np.ones((4, 2))] * 2), "Y": [1, 2, 0.5, 2]}, r"class numbers, but row 1, column 3 is 0\.5"),
        (
            {"X": cells([np.ones((4, 2))] * 2), "Y": [[1, 0, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1]]},
            "y must give each of the 4 samples exactly one class, but sample 3 has 2; 1 samples",
        ),
        (
            {"X": cells([np.ones((4, 2))] * 2), "Y": np.transpose([[1, 0, 0], [0, 0, 0], [0, 1, 1], [0, 0, 1]])},
            "exactly one class, but sample 2 has 0; 2 samples",
        ),
    ],
)
def test_wrong_contents_are_refused_by_file_name(content, words, tmp_path):
    savemat(tmp_path / "x.mat", content)
    with pytest.raises(WrongDataError, match=rf"x\.mat: .*{words}"):
        read_mat(tmp_path / "x.mat")


@pytest.mark.parametrize("content", [b"", b"nonsense", b"PK\x03\x04" + bytes(40)])
def test_damaged_files_are_refused(content, tmp_path):
    (tmp_path / "x.mat").write_bytes(content)
    with pytest.raises(WrongDataError, match=r"x\.mat: not a MATLAB file"):
        read_mat(tmp_path / "x.mat")


def test_files_of_version_7_3_need_to_be_saved_again(tmp_path):
    header = b"MATLAB 7.3 MAT-file".ljust(124) + b"\x00\x02IM"
    (tmp_path / "x.mat").write_bytes(header + bytes(512))
    with pytest.raises(WrongDataError, match=r"version 7\.3; save it with '-v7'"):
        read_mat(tmp_path / "x.mat")
