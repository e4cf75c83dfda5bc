import numpy as np
import pytest
from conftest import related_views

import treecca
from treecca import TreeCCA

pd = pytest.importorskip("pandas")


@pytest.fixture
def frames(views):
    ids = [f"s{i}" for i in range(len(views[0]))]
    return {
        "rna": pd.DataFrame(views[0], columns=[f"g{i}" for i in range(5)], index=ids),
        "prot": pd.DataFrame(views[1], columns=[f"p{i}" for i in range(5)], index=ids),
    }


def test_pandas_names_are_kept_and_columns_matched_by_name(frames, quick):
    model = TreeCCA(**quick).fit(frames)
    assert model.feature_names_per_view_[0] == ["g0", "g1", "g2", "g3", "g4"]
    plain = model.transform(frames)
    shuffled = {name: frame.iloc[:, ::-1].assign(extra=1.0) for name, frame in frames.items()}
    for name, z in model.transform(shuffled).items():
        np.testing.assert_array_equal(z, plain[name])


def test_polars_gives_the_same(frames, quick):
    pl = pytest.importorskip("polars")
    tables = {name: pl.from_pandas(frame.reset_index(drop=True)) for name, frame in frames.items()}
    assert TreeCCA(**quick).fit(tables).model_ == TreeCCA(**quick).fit(frames).model_
    with pytest.raises(ValueError, match='column "s": expected numbers'):
        TreeCCA().fit([tables["rna"].with_columns(s=pl.lit("x")), tables["prot"]])


def test_sparse_gives_the_same(quick):
    sparse = pytest.importorskip("scipy.sparse")
    views = [np.where(np.abs(v) < 0.5, 0, v) for v in related_views()]
    dense = TreeCCA(**quick).fit(views)
    for kind in (sparse.csr_matrix, sparse.csc_array, sparse.coo_matrix):
        assert TreeCCA(**quick).fit([kind(v) for v in views]).model_ == dense.model_


def test_integers_booleans_and_nullable_columns(quick):
    rng = np.random.default_rng(0)
    a = pd.DataFrame({"i": rng.integers(0, 9, 80), "b": rng.random(80) < 0.5, "x": rng.normal(size=80)})
    b = pd.DataFrame({"y": a["x"] ** 2, "z": pd.array(rng.integers(0, 5, 80), dtype="Int64")})
    b.loc[3, "z"] = pd.NA
    model = TreeCCA(**quick).fit([a, b])
    assert model.transform([a, b])[1].shape == (80, 2)


@pytest.mark.parametrize("container", ["pandas", "polars"])
def test_set_output(frames, quick, container):
    pytest.importorskip(container)
    model = TreeCCA(**quick).fit(frames)
    plain = model.transform(frames)
    tables = model.set_output(transform=container).transform(frames)
    assert list(tables["rna"].columns) == ["rna_1", "rna_2"]
    np.testing.assert_array_equal(tables["rna"].to_numpy(), plain["rna"])
    if container == "pandas":
        assert tables["rna"].index.equals(frames["rna"].index)
    assert isinstance(model.set_output(transform="default").transform(frames)["rna"], np.ndarray)
    with pytest.raises(ValueError, match="pandas"):
        model.set_output(transform="excel")


def test_align_joins_by_index(frames):
    mixed = frames["prot"].sample(frac=1, random_state=0).iloc[:250]
    joined = treecca.align({"rna": frames["rna"], "prot": mixed})
    assert len(joined["rna"]) == 250
    assert joined["rna"].index.equals(joined["prot"].index)
    assert joined["rna"].index.tolist() == [s for s in frames["rna"].index if s in set(mixed.index)]
    TreeCCA(n_estimators=5).fit(joined)


def test_missing_values_are_allowed_anywhere(views, quick):
    holes = [v.copy() for v in views]
    rng = np.random.default_rng(1)
    for v in holes:
        v[rng.random(v.shape) < 0.2] = np.nan
    model = TreeCCA(**quick).fit(holes)
    assert model.correlations_.sum() > 0.8
    assert np.isfinite(model.transform(holes)[0]).all()
