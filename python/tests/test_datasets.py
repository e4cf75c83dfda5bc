"""treecca.datasets: generators against their closed forms, limits against known ones, loaders against bad files.

Tests of the real data need the files, in the folder named by TREECCA_DATA.
"""

import contextlib
import os
import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse
from scipy.io import savemat

from treecca import datasets
from treecca.datasets import MissingDataError, MultiviewDataset, WrongDataError

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


# Generators


@pytest.mark.parametrize(
    ("name", "first", "last", "test"),
    [
        (
            "signed_power",
            [0.6884145, -1.1808772, 0.9238597],
            [-0.37472403, -0.9450413, 0.7256319],
            [1.0342877, 1.0867795, 0.6652346],
        ),
        (
            "hermite",
            [-0.89165634, -0.08615598, -0.42170575],
            [0.18970403, 2.0910456, -1.7732217],
            [-0.1948043, -0.27125394, -0.8589088],
        ),
        (
            "four_view",
            [0.6884145, -1.1808772, 0.9238597],
            [0.3474423, 1.9296157, -2.0127766],
            [1.0342877, 1.0867795, 0.6652346],
        ),
        (
            "sparse_200",
            [0.55201185, -1.0197961, 0.86628586],
            [-0.8463274, -0.90768284, -0.9916204],
            [-0.672273, -0.8160133, 0.6587942],
        ),
        (
            "independent",
            [0.3047171, -1.0399841, 0.7504512],
            [-0.34442192, -1.6570879, 0.7780962],
            [-1.6582006, 0.891207, -0.05803201],
        ),
        (
            "weak_signal",
            [0.3047171, -1.0399841, 0.7504512],
            [0.00877642, 0.00311063, -1.7230271],
            [-0.92338187, -1.2635885, 0.26791912],
        ),
    ],
)
def test_seed_42_gives_the_numbers_behind_the_published_figures(name, first, last, test):
    data = datasets.load(name, random_state=42)
    assert all(v.dtype == np.float32 for v in data.views)
    np.testing.assert_allclose(data.views[0][0, :3], first, rtol=1e-5)
    np.testing.assert_allclose(data.views[-1][-1, :3], last, rtol=1e-5)
    np.testing.assert_allclose(data.test_views[0][0, :3], test, rtol=1e-5)


def test_shapes_of_the_paper():
    data = datasets.make_signed_power(random_state=0)
    assert [v.shape for v in (*data.views, *data.test_views)] == [(2400, 8)] * 2 + [(600, 8)] * 2
    assert data.feature_names[0] == ["z1", "z2", "z3", "noise1", "noise2", "noise3", "noise4", "noise5"]
    data = datasets.make_sparse(p=50, random_state=0)
    assert (data.name, data.k, data.limit) == ("sparse_50", 5, 5.0)
    assert [v.shape for v in (*data.views, *data.test_views)] == [(400, 50)] * 2 + [(100, 50)] * 2


def test_without_noise_one_view_is_a_function_of_the_other():
    def signals(make):
        data = make(1000, noise=0.0, random_state=1)
        assert data.limit == data.k
        return [v[:, : data.k].astype(float) for v in data.views]

    root, cube = signals(datasets.make_signed_power)
    np.testing.assert_allclose(cube, root**9, rtol=1e-5)
    h2, h3 = signals(datasets.make_hermite)
    np.testing.assert_allclose(h3**2, (h2 + 1) * (h2 - 2) ** 2, rtol=1e-3, atol=1e-4)
    root, h2 = signals(datasets.make_sparse)
    np.testing.assert_allclose(h2, root**4 - 1, rtol=1e-4, atol=1e-5)


def test_noise_is_added_in_the_units_of_the_transformed_latent():
    quiet = datasets.make_hermite(20_000, noise=0.0, random_state=5)
    noisy = datasets.make_hermite(20_000, noise=0.3, random_state=5)
    for clean, view in zip(quiet.views, noisy.views, strict=True):
        difference = view[:, :3] - clean[:, :3]
        np.testing.assert_allclose(difference.std(axis=0), 0.3, rtol=0.03)
        np.testing.assert_array_equal(view[:, 3:], clean[:, 3:])
    assert noisy.limit is None


def test_fewer_of_four_views_are_the_first_ones():
    four = datasets.make_four_view(100, random_state=7)
    two = datasets.make_four_view(100, n_views=2, random_state=7)
    assert two.view_names == four.view_names[:2]
    assert (four.limit, two.limit) == (None, 2.726)
    for a, b in zip(four.views, two.views, strict=False):
        np.testing.assert_array_equal(a, b)
    signed = datasets.make_signed_power(100, random_state=7)
    np.testing.assert_array_equal(signed.views[1], two.views[1])


def test_weak_signal_has_the_correlations_it_states():
    data = datasets.make_weak_signal(random_state=0)
    first, second = (v[:, :5].astype(float) for v in data.test_views)
    found = [np.corrcoef(first[:, j], np.cbrt(second[:, j]))[0, 1] for j in range(5)]
    np.testing.assert_allclose(found, [0.5, 0.25, 0.15, 0.07, 0.03], atol=0.025)
    assert data.limit == pytest.approx(1.0)
    independent = datasets.make_independent(random_state=0)
    cross = np.corrcoef(*(v.T for v in independent.test_views))[:20, 20:]
    assert np.abs(cross).max() < 0.04


def test_sign_interaction_keeps_the_class_in_the_magnitudes():
    data = datasets.make_sign_interaction(test_size=0, random_state=42)
    (x,) = data.views
    assert (x.shape, data.k, data.test_views) == ((4000, 60), 5, None)
    np.testing.assert_allclose(x.std(axis=0), 1, rtol=1e-5)
    pairs = [name.replace("z", "").replace("sgn(", "").rstrip(")").split("*") for name in data.feature_names[0]]
    assert all(a != b for a, b in pairs)
    assert [int(a) for a, _ in pairs] == [1, 2, 3, 4, 5, 6] * 10
    # Features of the same latent have its magnitude, up to their scale; those magnitudes tell the class.
    magnitudes = np.abs(x[:, :6])
    magnitudes = magnitudes / np.sqrt((magnitudes**2).mean(axis=0))
    for j in range(6, 60):
        other = np.abs(x[:, j]) / np.sqrt((x[:, j] ** 2).mean())
        np.testing.assert_allclose(other, magnitudes[:, j % 6], rtol=1e-4)
    np.testing.assert_array_equal(magnitudes.argmax(axis=1), data.labels)
    assert np.bincount(data.labels).min() > 500


def test_sign_interaction_reconstructs_orthogonal_latents():
    data = datasets.make_sign_interaction(2000, n_latents=2, n_features=2, test_size=0, random_state=0)
    a, b = data.views[0].T.astype(float)  # z1 sgn(z2) and z2 sgn(z1): their product is |z1| |z2|
    assert data.feature_names == [["z1*sgn(z2)", "z2*sgn(z1)"]]
    assert (a * b >= 0).all()
    assert np.corrcoef(a, b)[0, 1] == pytest.approx(2 / np.pi, abs=0.03)


@pytest.mark.parametrize(("test_size", "rows"), [(0, 0), (0.25, 25), (10, 10), (np.int64(10), 10)])
def test_the_last_rows_are_the_test_part(test_size, rows):
    whole = datasets.make_hermite(100, test_size=0, random_state=1)
    data = datasets.make_hermite(100, test_size=test_size, random_state=1)
    parts = data.views[0] if rows == 0 else np.vstack([data.views[0], data.test_views[0]])
    np.testing.assert_array_equal(parts, whole.views[0])
    assert (0 if data.test_views is None else len(data.test_views[0])) == rows


@pytest.mark.parametrize(
    ("make", "options", "words"),
    [
        (datasets.make_hermite, {"test_size": 1.0}, "test_size 1.0"),
        (datasets.make_hermite, {"test_size": -1}, "test_size -1"),
        (datasets.make_four_view, {"n_views": 5}, "n_views must be 2, 3 or 4"),
        (datasets.make_sparse, {"p": 3}, "p must be at least"),
        (datasets.make_weak_signal, {"n_features": (128, 4)}, "n_features must be at least 5"),
        (datasets.make_sign_interaction, {"n_latents": 1}, "n_latents must be at least 2"),
        (datasets.make_sign_interaction, {"n_samples": 3}, "n_samples must be at least"),
    ],
)
def test_generators_refuse_nonsense(make, options, words):
    with pytest.raises(ValueError, match=words):
        make(**options)


def test_generators_take_a_generator():
    rng = np.random.default_rng(3)
    first, second = datasets.make_hermite(50, random_state=rng), datasets.make_hermite(50, random_state=rng)
    np.testing.assert_array_equal(first.views[0], datasets.make_hermite(50, random_state=3).views[0])
    assert not np.array_equal(first.views[0], second.views[0])


# Limits


@pytest.mark.parametrize(
    ("make", "pair", "limit"),
    [
        (datasets.make_signed_power, ("cube_root", "cube"), 2.726),
        (datasets.make_hermite, ("h2", "h3"), 2.987),
    ],
)
def test_stated_limits_are_the_computed_ones(make, pair, limit):
    assert make(50).limit == limit
    assert datasets.population_limit(*pair) == pytest.approx(limit, abs=5e-4)
    assert make(50, n_components=6).limit == pytest.approx(2 * limit, abs=1.5e-3)


def test_a_gaussian_pair_has_the_powers_of_its_correlation():
    def found(n_intervals):
        options = {"noise": 0.5, "noise_kind": "scaled", "n_intervals": n_intervals}
        return datasets.latent_correlations(lambda z: z, lambda z: 2 * z, **options)[:3]

    rho = 1 / (1 + 0.5**2)
    exact = np.array([rho, rho**2, rho**3])
    coarse, fine = found(50), found(400)
    assert fine[0] == pytest.approx(rho, abs=1e-3)
    # Functions of intervals are fewer than all functions: from below, and closer with finer intervals.
    assert (coarse < fine).all()
    assert (fine < exact + 1e-6).all()
    np.testing.assert_allclose(fine, exact, atol=0.02)


def test_noise_on_the_latent_does_not_see_bijections():
    options = {"noise": 0.5, "noise_kind": "latent", "n_intervals": 100}
    plain = datasets.latent_correlations(lambda z: z, lambda z: z, **options)
    bent = datasets.latent_correlations("cube_root", "cube", **options)
    assert bent[0] == pytest.approx(plain[0], abs=1e-6)
    assert bent[0] == pytest.approx(1 / (1 + 0.5**2), abs=5e-3)


def test_less_noise_raises_the_limit():
    limits = [datasets.population_limit("cube_root", "cube", noise=s, n_intervals=100) for s in (0.5, 0.15, 0.05)]
    assert limits == sorted(limits)
    assert limits[-1] < 3


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"noise": 0.0}, "noise must be greater"),
        ({"n_intervals": 1}, "n_intervals"),
        ({"noise_kind": "none"}, "noise_kind"),
        ({"first": "nonsense"}, "no transform called 'nonsense'"),
    ],
)
def test_limits_refuse_nonsense(options, words):
    with pytest.raises(ValueError, match=words):
        datasets.latent_correlations(**{"first": "h2", "second": "h3", **options})


# Files


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


def write_npz(path, **changes):
    """A small file in the form of the plain sets; None leaves an array out."""
    rng = np.random.default_rng(0)
    content = {
        "view0": rng.normal(size=(6, 3)).astype(np.float32),
        "view1": rng.normal(size=(6, 2)).astype(np.float32),
        "view_names": np.array(["a", "b"]),
        "y": np.array([0, 1, 2, 0, 1, 2]),
    } | changes
    np.savez(path, **{key: value for key, value in content.items() if value is not None})
    return content


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


@pytest.mark.parametrize("load", [datasets.load_nutrimouse, datasets.load_liver_toxicity])
def test_an_unknown_target_is_refused(load, tmp_path):
    with pytest.raises(ValueError, match=r"target must be one of .*, not 'nonsense'"):
        load(target="nonsense", data_home=tmp_path)


# UCI HAR


def har_windows(rows, seed):
    rng = np.random.default_rng(seed)
    return {key: rng.normal(size=(rows, 128, 3)).astype(np.float32) for key in ("acc", "gyro")}


def write_published_har(folder):
    windows, y, subject = har_windows(8, seed=1), np.array([1, 2, 3, 4, 5, 6, 1, 2]), np.arange(8) // 2 + 1
    for part, rows in (("train", slice(0, 5)), ("test", slice(5, 8))):
        signals = folder / "UCI HAR Dataset" / part / "Inertial Signals"
        signals.mkdir(parents=True)
        for key, signal in (("acc", "total_acc"), ("gyro", "body_gyro")):
            for i, axis in enumerate("xyz"):
                np.savetxt(signals / f"{signal}_{axis}_{part}.txt", windows[key][rows, :, i], fmt="%.9e")
        np.savetxt(signals.parent / f"y_{part}.txt", y[rows], fmt="%d")
        np.savetxt(signals.parent / f"subject_{part}.txt", subject[rows], fmt="%d")
    return windows, y, subject


def test_har_features_are_those_of_the_paper(tmp_path):
    windows = har_windows(4, seed=0)
    train = np.array([True, True, False, True])
    np.savez(tmp_path / "uci_har_raw.npz", **windows, y=np.arange(4), subject=np.array([7, 7, 8, 9]), train=train)
    data = datasets.load_uci_har(data_home=tmp_path)
    assert (data.view_names, data.k) == (["acc", "gyro"], 6)
    np.testing.assert_array_equal(data.groups, [7, 7, 9])
    np.testing.assert_array_equal(data.test_labels, [2])
    statistics = {
        "mean": np.mean,
        "std": np.std,
        "min": np.min,
        "max": np.max,
        "q25": lambda w: np.quantile(w, 0.25),
        "q75": lambda w: np.quantile(w, 0.75),
        "rms": lambda w: np.sqrt(np.mean(w**2)),
        "iqr": lambda w: np.quantile(w, 0.75) - np.quantile(w, 0.25),
        "range": np.ptp,
    }
    for view, key, prefix, names in zip(data.views, ("acc", "gyro"), ("acc", "gyr"), data.feature_names, strict=True):
        assert view.shape == (3, 36)
        for statistic, compute in statistics.items():
            by_axis = [compute(windows[key][3, :, axis].astype(float)) for axis in range(3)]
            for axis, value in zip("xyz", by_axis, strict=True):
                found = view[2, names.index(f"{prefix}_{axis}_{statistic}")]
                assert found == pytest.approx(value, rel=1e-4, abs=1e-5)
            norm = view[2, names.index(f"{prefix}_mag_{statistic}")]
            assert norm == pytest.approx(np.linalg.norm(by_axis), rel=1e-4, abs=1e-5)


def test_har_reads_the_published_folder(tmp_path):
    windows, y, subject = write_published_har(tmp_path)
    published = datasets.load_uci_har(data_home=tmp_path)
    packed = tmp_path / "packed"
    packed.mkdir()
    np.savez(packed / "uci_har_raw.npz", **windows, y=y - 1, subject=subject, train=np.arange(8) < 5)
    expected = datasets.load_uci_har(data_home=packed)
    for part in ("views", "test_views"):
        for found, view in zip(getattr(published, part), getattr(expected, part), strict=True):
            np.testing.assert_allclose(found, view, rtol=1e-5, atol=1e-6)
    for part in ("labels", "test_labels", "groups"):
        np.testing.assert_array_equal(getattr(published, part), getattr(expected, part))


@pytest.mark.parametrize("content", [None, "1 2\nx y\n", "1 2 3\n"])
def test_har_names_the_bad_file_of_the_published_folder(content, tmp_path):
    write_published_har(tmp_path)
    bad = tmp_path / "UCI HAR Dataset" / "test" / "Inertial Signals" / "body_gyro_y_test.txt"
    bad.unlink() if content is None else bad.write_text(content)
    with pytest.raises(WrongDataError, match=r"body_gyro_y_test\.txt cannot be used"):
        datasets.load_uci_har(data_home=tmp_path)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"acc": np.zeros((4, 128))}, "acc must have the shape"),
        ({"train": np.ones(4)}, "true or false"),
        ({"subject": np.ones(3)}, "4 elements"),
        ({"y": np.ones(4)}, "class numbers"),
    ],
)
def test_har_refuses_wrong_shapes(changes, words, tmp_path):
    content = har_windows(4, seed=0) | {"y": np.arange(4), "subject": np.ones(4), "train": np.ones(4, dtype=bool)}
    np.savez(tmp_path / "uci_har_raw.npz", **content | changes)
    with pytest.raises(WrongDataError, match=words):
        datasets.load_uci_har(data_home=tmp_path)


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
