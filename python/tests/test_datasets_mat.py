"""treecca.datasets: .mat files as they were published, and damaged ones."""

import contextlib
import sys

import numpy as np
import pytest
from conftest import write_npz
from scipy import sparse
from scipy.io import savemat

from treecca import datasets
from treecca.datasets import WrongDataError


def cells(views):
    packed = np.empty((1, len(views)), dtype=object)
    packed[0, :] = views
    return packed


WIDTHS = (65, 226, 145, 74, 129)
LABELS = np.array([3, 1, 2, 3, 1, 2, 3, 1])


def mat_variants():
    rng = np.random.default_rng(0)
    views = [rng.normal(size=(8, width)) for width in WIDTHS]
    one_hot = (LABELS[:, None] == [1, 2, 3]).astype(float)
    variants = {
        "X, Y": {"X": cells(views), "Y": LABELS[:, None]},
        "column of cells, gt": {"X": cells(views).T, "gt": LABELS},
        "fea, row of labels": {"fea": cells(views), "gt": LABELS[None, :]},
        "data in columns": {"data": cells([v.T for v in views]), "truelabel": cells([LABELS] * 5)},
        "numbered arrays": {f"X{i + 1}": v for i, v in enumerate(views)} | {"Y": LABELS[:, None]},
        "numbered views": {f"view{i + 1}": v for i, v in enumerate(views)} | {"labels": LABELS[:, None]},
        "sparse": {"X": cells([sparse.csc_matrix(v) for v in views]), "Y": LABELS[:, None]},
        "one column per class": {"X": cells(views), "Y": one_hot},
        "one row per class, -1 or 1": {"X": cells(views), "Y": 2.0 * one_hot.T - 1},
    }
    return views, variants


@pytest.mark.parametrize("variant", mat_variants()[1])
def test_published_mat_files_are_read(variant, tmp_path):
    views, variants = mat_variants()
    savemat(tmp_path / "NUS-WIDE.mat", variants[variant])
    data = datasets.load_nus_wide(data_home=tmp_path)
    assert (data.k, data.view_names) == (2, ["CH", "CM", "CORR", "EDH", "WT"])
    np.testing.assert_array_equal(data.labels, LABELS - 1)
    for found, view in zip(data.views, views, strict=True):
        np.testing.assert_array_equal(found, view.astype(np.float32))
        assert found.flags.c_contiguous


def test_the_name_of_a_mat_file_may_vary(tmp_path):
    _, variants = mat_variants()
    savemat(tmp_path / "nus_wide.mat", variants["X, Y"])
    assert datasets.load_nus_wide(data_home=tmp_path).n_views == 5
    savemat(tmp_path / "my copy.mat", variants["X, Y"])
    assert datasets.load_nus_wide(file="my copy.mat", data_home=tmp_path).n_views == 5


def test_names_of_views_follow_their_widths(tmp_path):
    views = [np.ones((4, width)) for width in (240, 76, 216, 47, 64, 6)]
    savemat(tmp_path / "Handwritten.mat", {"X": cells(views), "Y": np.array([1, 2, 1, 2])})
    names = datasets.load_handwritten(data_home=tmp_path).view_names
    assert names == ["PIX", "FOU", "FAC", "ZER", "KAR", "MOR"]
    savemat(tmp_path / "Handwritten.mat", {"X": cells(views[:2] * 2), "Y": np.array([1, 2, 1, 2])})
    assert datasets.load_handwritten(data_home=tmp_path).view_names == ["view0", "view1", "view2", "view3"]


def test_published_features_are_no_substitute(tmp_path):
    views = [np.ones((4, width)) for width in (48, 40, 254)]
    savemat(tmp_path / "Caltech101-7.mat", {"X": cells(views), "Y": np.array([1, 2, 1, 2])})
    assert "SUBSTITUTE" not in datasets.load_caltech101_7(data_home=tmp_path).description
    (tmp_path / "Caltech101-7.mat").unlink()
    write_npz(tmp_path / "caltech101_7_recomputed.npz")
    assert "SUBSTITUTE" in datasets.load_caltech101_7(data_home=tmp_path).description


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"A": np.ones((3, 3))}, "it holds A"),
        ({"X": cells([np.ones((4, 2))] * 2)}, "vector Y of labels"),
        ({"X": np.ones((4, 2)), "Y": [1, 2, 1, 2]}, "cell array X"),
        ({"X": cells([np.ones((4, 2)), np.ones((5, 2))]), "Y": [1, 2, 1, 2]}, "do not fit"),
        ({"X": cells([np.ones((4, 2)), np.array(["text"])]), "Y": [1, 2, 1, 2]}, "not a matrix of numbers"),
        ({"X": cells([np.ones((4, 2, 2))] * 2), "Y": [1, 2, 1, 2]}, "not a matrix of numbers"),
        ({"X": cells([np.ones((4, 2)), cells([np.ones((4, 2))])]), "Y": [1, 2, 1, 2]}, "not a matrix of numbers"),
        ({"X": cells([np.ones((4, 2)), np.ones((4, 2)) * 1j]), "Y": [1, 2, 1, 2]}, "not a matrix of numbers"),
        ({"X": cells([np.ones((4, 2))] * 2), "Y": np.zeros((0, 0))}, "vector Y of labels"),
        ({"X": cells([np.ones((4, 2))] * 2), "Y": np.ones(4)}, "all rows have the same class"),
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
def test_mat_files_with_wrong_contents_are_named(content, words, tmp_path):
    savemat(tmp_path / "NUS-WIDE.mat", content)
    with pytest.raises(WrongDataError, match=rf"NUS-WIDE\.mat cannot be used: .*{words}"):
        datasets.load_nus_wide(data_home=tmp_path)


def test_a_mat_file_that_crashes_the_reader_is_named(tmp_path, monkeypatch):
    (tmp_path / "scipy" / "io").mkdir(parents=True)
    (tmp_path / "scipy" / "__init__.py").touch()
    (tmp_path / "scipy" / "io" / "__init__.py").write_text("import os\ndef loadmat(path): os.abort()\n")
    savemat(tmp_path / "NUS-WIDE.mat", mat_variants()[1]["X, Y"])
    with monkeypatch.context() as patched:
        patched.setattr(sys, "path", [str(tmp_path), *sys.path])  # what the reading process sees as SciPy
        with pytest.raises(WrongDataError, match=r"NUS-WIDE\.mat cannot be used: .*ended with code .*may be damaged"):
            datasets.load_nus_wide(data_home=tmp_path)
    assert datasets.load_nus_wide(data_home=tmp_path).n_views == 5


def test_a_wrong_bit_in_a_mat_file_does_no_harm(tmp_path):
    savemat(tmp_path / "NUS-WIDE.mat", mat_variants()[1]["X, Y"])
    content = bytearray((tmp_path / "NUS-WIDE.mat").read_bytes())
    for place, bit in ((0x90, 2), (0xC1, 3), (0xE0, 0), (0xE1, 4)):  # tags and sizes: each crashes some SciPy
        content[place] ^= 1 << bit
        (tmp_path / "NUS-WIDE.mat").write_bytes(content)
        content[place] ^= 1 << bit
        with contextlib.suppress(WrongDataError):  # another version may well be able to read it
            datasets.load_nus_wide(data_home=tmp_path)


def test_mat_files_are_read_where_no_process_can_be_started(tmp_path, monkeypatch):
    savemat(tmp_path / "NUS-WIDE.mat", mat_variants()[1]["X, Y"])
    monkeypatch.setattr(sys, "executable", "")
    assert datasets.load_nus_wide(data_home=tmp_path).n_views == 5
    (tmp_path / "NUS-WIDE.mat").write_bytes(b"nonsense")
    with pytest.raises(WrongDataError, match="cannot be read as a MATLAB file"):
        datasets.load_nus_wide(data_home=tmp_path)


def test_new_mat_files_are_told_apart(tmp_path):
    header = b"MATLAB 7.3 MAT-file".ljust(124) + b"\x00\x02IM"
    (tmp_path / "NUS-WIDE.mat").write_bytes(header + bytes(512))
    with pytest.raises(WrongDataError, match=r"version 7\.3; save it with '-v7'"):
        datasets.load_nus_wide(data_home=tmp_path)
