import warnings

import numpy as np
import pytest
from conftest import related_views

import treecca
from treecca import TreeCCA

mudata = pytest.importorskip("mudata")
anndata = pytest.importorskip("anndata")
pd = pytest.importorskip("pandas")


def modality(values, prefix, samples):
    return anndata.AnnData(
        values.astype(np.float32),
        obs=pd.DataFrame(index=samples),
        var=pd.DataFrame(index=[f"{prefix}{j}" for j in range(values.shape[1])]),
    )


@pytest.fixture
def mdata():
    views = related_views(220)
    samples = np.array([f"s{i}" for i in range(220)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # Each modality lacks some samples, and they come in another order.
        order = np.random.default_rng(0).permutation(200)
        data = mudata.MuData(
            {
                "rna": modality(views[0][:200], "g", samples[:200]),
                "prot": modality(views[1][20:][order], "p", samples[20:][order]),
            }
        )
    data.obs["donor"] = [f"d{i % 40}" for i in range(220)]
    return data


def test_fit_writes_where_muon_users_look(mdata, quick):
    model = treecca.mu.fit(mdata, 2, n_estimators=30, random_state=0)
    assert model.model_.n_samples == 180
    assert model.correlations_.sum() > 1.3
    assert mdata.obsm["X_treecca"].shape == (220, 2)
    assert np.isfinite(mdata.obsm["X_treecca"]).all()  # every sample has some modality
    assert mdata["rna"].obsm["X_treecca"].shape == (200, 2)
    np.testing.assert_allclose(mdata["rna"].varm["treecca"].sum(axis=0), 1)
    assert mdata.varm["treecca"].shape == (10, 2)
    np.testing.assert_array_equal(mdata.uns["treecca"]["correlations"], model.correlations_)
    both = mdata.obsm["X_treecca"][mdata.obs_names.get_loc("s100")]
    parts = [mdata[m].obsm["X_treecca"][mdata[m].obs_names.get_loc("s100")] for m in ("rna", "prot")]
    np.testing.assert_allclose(both, np.mean(parts, axis=0), rtol=1e-5)


def test_results_survive_a_file(mdata, tmp_path):
    treecca.mu.fit(mdata, 2, n_estimators=5, random_state=0)
    mdata.write(tmp_path / "m.h5mu")
    again = mudata.read(tmp_path / "m.h5mu")
    np.testing.assert_array_equal(again.obsm["X_treecca"], mdata.obsm["X_treecca"])


def test_groups_layers_and_modalities(mdata):
    mdata["rna"].layers["log"] = mdata["rna"].X
    mdata["prot"].layers["log"] = mdata["prot"].X
    grouped = treecca.mu.fit(mdata, 1, groups="donor", layer="log", n_estimators=5, random_state=0)
    plain = treecca.mu.fit(mdata, 1, n_estimators=5, random_state=0, modalities=["rna", "prot"])
    assert grouped.model_ != plain.model_
    with pytest.raises(ValueError, match="no modality lipid"):
        treecca.mu.fit(mdata, modalities=["rna", "lipid"])
    with pytest.raises(ValueError, match="at least two"):
        treecca.mu.fit(mdata, modalities=["rna"])
    with pytest.raises(ValueError, match='no column "site"'):
        treecca.mu.fit(mdata, groups="site")
    with pytest.raises(ValueError, match="Expected a MuData"):
        treecca.mu.fit([1, 2])


def test_weights_by_name_or_value(mdata):
    weight = np.where(np.arange(220) % 2 == 0, 1.0, 3.0)
    mdata.obs["weight"] = weight
    settings = {"n_components": 1, "n_estimators": 5, "random_state": 0}
    by_name = treecca.mu.fit(mdata, **settings, sample_weight="weight")
    assert by_name.model_ == treecca.mu.fit(mdata, **settings, sample_weight=weight).model_
    assert by_name.model_ == treecca.mu.fit(mdata, **settings, sample_weight=mdata.obs["weight"]).model_
    assert by_name.model_ != treecca.mu.fit(mdata, **settings).model_
    by_column = treecca.mu.fit(mdata, **settings, groups="donor")
    assert by_column.model_ == treecca.mu.fit(mdata, **settings, groups=mdata.obs["donor"].to_numpy()).model_
    with pytest.raises(ValueError, match=r"expected shape \(220,\), got \(3,\)"):
        treecca.mu.fit(mdata, sample_weight=[1, 2, 3])
    with pytest.raises(ValueError, match="index of sample_weight differs"):
        treecca.mu.fit(mdata, sample_weight=mdata.obs["weight"][::-1])
    with pytest.raises(ValueError, match='no column "mass"'):
        treecca.mu.fit(mdata, sample_weight="mass")


def test_missing_labels_are_no_group(mdata):
    donors = mdata.obs["donor"].astype(object)
    donors["s100"] = np.nan
    for labels in (donors, donors.astype("category"), donors.astype("string")):
        mdata.obs["donor"] = labels
        with pytest.raises(ValueError, match=r'obs\["donor"\] has no value for 1 of 180 samples, for example "s100"'):
            treecca.mu.fit(mdata, groups="donor")
    donors["s100"], donors["s0"] = "d1", np.nan  # s0 is not in all modalities, so nobody asks for its donor
    mdata.obs["donor"] = donors
    treecca.mu.fit(mdata, 1, groups="donor", n_estimators=3)


def test_what_is_refused_with_a_sentence(mdata):
    mdata["rna"].layers["log"] = mdata["rna"].X
    with pytest.raises(ValueError, match='Modality "prot" has no layer "log"; its layers are: none'):
        treecca.mu.fit(mdata, layer="log")
    with pytest.raises(ValueError, match="list of names"):
        treecca.mu.fit(mdata, modalities="rna")


def test_repeated_obs_names(quick):
    samples = np.repeat([f"p{i}" for i in range(50)], 4)
    views = related_views(200)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tables = {"rna": modality(views[0], "g", samples), "prot": modality(views[1], "p", samples)}
        data = mudata.MuData(tables)
    with pytest.warns(UserWarning, match="200 samples but only 50 different labels"):
        TreeCCA(**quick).fit(tables)
    with pytest.raises(ValueError, match='Modality "rna" has the sample "p0" more than once'):
        treecca.mu.fit(data)


def test_estimator_takes_mudata_of_equal_samples(mdata, quick):
    with pytest.raises(ValueError, match=r"treecca\.mu\.fit"):
        TreeCCA(**quick).fit(mdata)
    common = mdata["rna"].obs_names.intersection(mdata["prot"].obs_names)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        equal = mudata.MuData({name: mdata[name][common].copy() for name in ("rna", "prot")})
    model = TreeCCA(**quick).fit(equal)
    assert model.feature_names_per_view_[0][0] == "g0"
    assert set(model.transform(equal)) == {"rna", "prot"}
