"""treecca.datasets: files that are missing, foreign or damaged."""

import numpy as np
import pytest
from conftest import write_npz

from treecca import datasets
from treecca.datasets import MissingDataError, WrongDataError

FILE_LOADERS = [
    datasets.load_3sources,
    datasets.load_brca_tcga,
    datasets.load_breast_tcga,
    datasets.load_caltech101_7,
    datasets.load_handwritten,
    datasets.load_liver_toxicity,
    datasets.load_msrc_v5,
    datasets.load_multidrug,
    datasets.load_nus_wide,
    datasets.load_nutrimouse,
    datasets.load_split_mnist,
    datasets.load_uci_har,
]


@pytest.mark.parametrize("load", FILE_LOADERS, ids=lambda load: load.__name__)
def test_a_missing_file_is_named_with_its_source(load, tmp_path, monkeypatch):
    monkeypatch.delenv("TREECCA_DATA", raising=False)
    with pytest.raises(FileNotFoundError, match=r"\.(npz|mat).* is needed, .*data_home.*TREECCA_DATA.* Source: "):
        load()
    with pytest.raises(MissingDataError, match=rf"looked for in {tmp_path} \(data_home\), but it is not.*Source: "):
        load(data_home=tmp_path)
    monkeypatch.setenv("TREECCA_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(MissingDataError, match=r"nowhere \(TREECCA_DATA\), but the folder does not exist"):
        load()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"y": None}, "no array y"),
        ({"view0": None, "view1": None}, "no array view0"),
        ({"y": np.arange(5)}, "labels 5"),
        ({"y": np.arange(6.0)}, "y is not a vector of class numbers"),
        ({"y": np.zeros(6, dtype=int)}, "all rows have the same class in y"),
        ({"test_view0": np.ones((1, 3)), "test_view1": np.ones((1, 2)), "y_test": np.array([np.nan])}, "y_test is not"),
        ({"view1": np.zeros((5, 2))}, "view b 5"),
        ({"view1": np.zeros(6)}, "view1 is not a matrix"),
        ({"view1": np.array([["x"]] * 6)}, "view1 is not a matrix of numbers"),
        ({"view_names": np.array(["a"])}, "2 views, but 1 names"),
        ({"missing0": np.zeros((2, 2), dtype=bool)}, "missing0 does not fit"),
        ({"extra": np.array([{}], dtype=object)}, "cannot be read"),
    ],
)
def test_a_file_with_wrong_contents_is_named(changes, words, tmp_path):
    write_npz(tmp_path / "msrc_v5.npz", **changes)
    with pytest.raises(WrongDataError, match=rf"msrc_v5\.npz cannot be used: .*{words}"):
        datasets.load_msrc_v5(data_home=tmp_path)


@pytest.mark.parametrize("name", ["mnist.npz", "msrc_v5.npz", "uci_har_raw.npz", "NUS-WIDE.mat"])
@pytest.mark.parametrize("content", [b"", b"nonsense", b"PK\x03\x04" + bytes(40), "npy", "half"])
def test_foreign_bytes_are_refused(name, content, tmp_path):
    loader = {
        "mnist.npz": datasets.load_split_mnist,
        "msrc_v5.npz": datasets.load_msrc_v5,
        "uci_har_raw.npz": datasets.load_uci_har,
        "NUS-WIDE.mat": datasets.load_nus_wide,
    }[name]
    if content == "npy":
        np.save(tmp_path / "x.npy", np.zeros(3))
        content = (tmp_path / "x.npy").read_bytes()
    elif content == "half":
        write_npz(tmp_path / "x.npz")
        content = (tmp_path / "x.npz").read_bytes()[:600]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=name):
        loader(data_home=tmp_path)


def test_a_plain_file_is_read_whole(tmp_path):
    mask = np.zeros((6, 3), dtype=bool)
    mask[2, 1] = True
    content = write_npz(
        tmp_path / "multidrug_nci60.npz",
        missing0=mask,
        class_names=np.array(["u", "v", "w"]),
        feature_names0=np.array(["p", "q", "r"]),
        feature_names1=np.array(["s", "t"]),
    )
    data = datasets.load_multidrug(data_home=tmp_path)
    assert (data.k, data.view_names, data.class_names) == (3, ["a", "b"], ["u", "v", "w"])
    assert data.feature_names == [["p", "q", "r"], ["s", "t"]]
    np.testing.assert_array_equal(np.isnan(data.views[0]), mask)
    np.testing.assert_array_equal(data.views[1], content["view1"])
    np.testing.assert_array_equal(data.labels, content["y"])


def test_views_are_counted_not_spelled(tmp_path):
    views = {f"view{i}": np.full((6, 1), i) for i in range(11)}
    write_npz(tmp_path / "handwritten.npz", view_names=None, **views)
    data = datasets.load_handwritten(data_home=tmp_path)
    assert [v[0, 0] for v in data.views] == list(range(11))
    assert data.k == 2


def test_a_test_part_that_lacks_a_view_is_left_out(tmp_path):
    test = {f"test_view{i}": np.ones((4, d)) for i, d in enumerate((3, 2))}
    write_npz(tmp_path / "breast_tcga_mixomics.npz", **test, y_test=np.arange(4), view2=np.zeros((6, 5)),
              view_names=np.array(["mRNA", "miRNA", "protein"]))  # fmt: skip
    three = datasets.load_breast_tcga(data_home=tmp_path)
    assert (three.n_views, three.test_views, three.test_labels) == (3, None, None)
    two = datasets.load_breast_tcga(protein=False, data_home=tmp_path)
    assert (two.view_names, len(two.test_views[0])) == (["mRNA", "miRNA"], 4)
    np.testing.assert_array_equal(two.test_labels, np.arange(4))


@pytest.mark.parametrize("load", [datasets.load_nutrimouse, datasets.load_liver_toxicity])
def test_an_unknown_target_is_refused(load, tmp_path):
    with pytest.raises(ValueError, match=r"target must be one of .*, not 'nonsense'"):
        load(target="nonsense", data_home=tmp_path)
