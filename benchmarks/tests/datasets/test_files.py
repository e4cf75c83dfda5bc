"""Data files that are missing or damaged."""

import numpy as np
import pytest

from benchmarks.datasets import MissingDataError, WrongDataError
from benchmarks.datasets.files import find_file, read_npz

from .small_file import write_npz


def test_a_missing_file_is_named_with_its_source(data_folder, monkeypatch):
    with pytest.raises(
        MissingDataError, match=rf"^a\.npz or b\.mat: not in {data_folder} .*\. Source: the web\."
    ) as error:
        find_file(["a.npz", "b.mat"], "the web")
    assert error.value.remedy == "a.npz or b.mat (the web)"
    monkeypatch.setenv("TREECCA_DATA", str(data_folder / "nowhere"))
    with pytest.raises(MissingDataError, match=r"nowhere \(TREECCA_DATA\) does not exist"):
        find_file(["a.npz"], "the web")
    monkeypatch.delenv("TREECCA_DATA")
    with pytest.raises(FileNotFoundError, match=r"a\.npz: set the environment variable TREECCA_DATA"):
        find_file(["a.npz"], "the web")


def test_the_preferred_file_is_found_whatever_its_spelling(data_folder):
    (data_folder / "nus_wide.mat").touch()
    assert find_file(["other.npz", "NUS-WIDE.mat"], "").name == "nus_wide.mat"
    (data_folder / "Other.npz").touch()
    assert find_file(["other.npz", "NUS-WIDE.mat"], "").name == "Other.npz"


@pytest.mark.parametrize("content", [b"", b"nonsense", b"PK\x03\x04" + bytes(40), "npy", "half", "objects"])
def test_damaged_files_are_refused(content, tmp_path):
    path = tmp_path / "x.npz"
    if content == "npy":
        np.save(tmp_path / "x.npy", np.zeros(3))
        path.write_bytes((tmp_path / "x.npy").read_bytes())
    elif content == "half":
        write_npz(path)
        path.write_bytes(path.read_bytes()[:600])
    elif content == "objects":
        write_npz(path, extra=np.array([{}], dtype=object))
    else:
        path.write_bytes(content)
    with pytest.raises(WrongDataError, match=r"x\.npz: not an \.npz archive of plain arrays"):
        read_npz(path)


def test_arrays_that_are_needed_are_named(tmp_path):
    write_npz(tmp_path / "x.npz")
    assert set(read_npz(tmp_path / "x.npz", ["y"])) == {"view0", "view1", "view_names", "y"}
    with pytest.raises(WrongDataError, match="it has no array x_train and no array z"):
        read_npz(tmp_path / "x.npz", ["x_train", "y", "z"])
