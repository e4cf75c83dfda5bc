"""Samples that lack whole views."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

import treecca
from treecca import TreeCCA, metrics

pd = pytest.importorskip("pandas")


def three_views(n: int = 150, seed: int = 0) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    z = rng.normal(size=n)
    views = [rng.normal(size=(n, p)) for p in (5, 4, 3)]
    views[0][:, 0] += 2 * z
    views[1][:, 0] += z**3
    views[2][:, 0] += 2 * np.tanh(z)
    return views


def with_gaps(views: list[np.ndarray], seed: int = 1) -> tuple[list[np.ndarray], np.ndarray]:
    """A third of the samples lack one view each; the views, and M x N flags: absent."""
    rng = np.random.default_rng(seed)
    n = len(views[0])
    absent = np.zeros((len(views), n), dtype=bool)
    some = rng.permutation(n)[: n // 3]
    absent[rng.integers(len(views), size=len(some)), some] = True
    return [np.where(gone[:, None], np.nan, view) for view, gone in zip(views, absent, strict=True)], absent


def quick(**parameters: object) -> TreeCCA:
    return TreeCCA(n_components=1, n_repeats=1, n_estimators=25, random_state=0, n_jobs=2, **parameters)


def test_rows_of_nan_lack_the_view() -> None:
    views, absent = with_gaps(three_views())
    model = quick().fit(views)
    present = (~absent).astype(int)
    np.testing.assert_array_equal(model.shared_samples_, present @ present.T)
    assert model.correlations_[0] > 0.5
    for variates, gone in zip([*model.transform(views), *model.variates_], [*absent, *absent], strict=True):
        np.testing.assert_array_equal(np.isnan(variates[:, 0]), gone)
    for variates, gone in zip(model.out_of_fold_variates_, absent, strict=True):
        np.testing.assert_array_equal(np.isnan(variates[:, 0]), gone)
    guess = model.predict(views, source=0, target=1)
    np.testing.assert_array_equal(np.isnan(guess[:, 0]), absent[0])


def test_none_is_a_missing_row_or_cell() -> None:
    views, absent = with_gaps(three_views())
    expected = quick().fit(views).variates_
    as_rows = [
        [None if gone else row for row, gone in zip(view, away, strict=True)]
        for view, away in zip(views, absent, strict=True)
    ]
    as_lists = [[None if row is None else row.tolist() for row in view] for view in as_rows]
    as_nan = [[float("nan") if row is None else tuple(row) for row in view] for view in as_lists]
    as_cells = [np.where(np.isnan(view), np.array(None), view.astype(object)) for view in views]
    as_na = [pd.DataFrame(view).astype(object).where(~np.isnan(view), pd.NA) for view in views]
    for given in (as_rows, as_lists, as_nan, as_cells, as_na, [view.to_numpy() for view in as_na]):
        for a, b in zip(quick().fit(given).variates_, expected, strict=True):
            np.testing.assert_array_equal(a, b)
    with pytest.raises(ValueError, match="view0"):
        quick().fit([[None] * 150, *views[1:]])  # of how many columns?


def test_complete_views_share_all_samples() -> None:
    model = quick().fit(three_views(60))
    np.testing.assert_array_equal(model.shared_samples_, np.full((3, 3), 60))


def test_scores_are_those_of_the_samples_that_two_views_share() -> None:
    views, _ = with_gaps(three_views())
    model = quick().fit(views)
    test, gone = with_gaps(three_views(80, seed=5), seed=6)
    pairs = model.score_pairs(test)
    variates = model.transform(test)
    both = ~gone[0] & ~gone[2]
    assert pairs[0, 2, 0] == pytest.approx(np.corrcoef(variates[0][both, 0], variates[2][both, 0])[0, 1], abs=1e-5)
    assert model.score(test) == pytest.approx(max(0, pairs[np.triu_indices(3, 1)].mean()), abs=1e-5)
    assert metrics.tcc(variates) > 0


def test_align_outer_makes_rows_of_nan(tmp_path) -> None:
    arrays = three_views()
    frames = {f"v{i}": pd.DataFrame(a, [f"s{j}" for j in range(150)]) for i, a in enumerate(arrays)}
    frames["v1"] = frames["v1"].iloc[30:]
    frames["v0"] = frames["v0"].iloc[:140]
    joined = treecca.align(frames, join="outer")
    assert list(joined["v1"].index) == [f"s{j}" for j in range(150)]
    assert joined["v1"].iloc[:30].isna().all(axis=None)
    model = quick().fit(joined)
    assert model.shared_samples_[0, 1] == 110
    path = tmp_path / "m.json"
    model.save(path)
    np.testing.assert_array_equal(treecca.load(path).shared_samples_, model.shared_samples_)
    model.report(tmp_path / "report.html")
    assert "null" in (tmp_path / "report.html").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="join must be"):
        treecca.align(frames, join="left")


@pytest.mark.parametrize("engine", ["xgboost", "lightgbm"])
def test_other_engines(engine: str) -> None:
    if importlib.util.find_spec(engine) is None:
        pytest.skip(f"{engine} is not installed")
    views, _ = with_gaps(three_views())
    model = TreeCCA(n_components=1, preset="plain", engine=engine, trees="scalar", n_estimators=25, random_state=0).fit(
        views
    )
    assert model.correlations_[0] > 0.25


def test_mudata_with_partial_overlap() -> None:
    anndata, mudata = pytest.importorskip("anndata"), pytest.importorskip("mudata")
    arrays = three_views(120)
    names = np.array([f"s{j}" for j in range(120)])
    rows = [np.arange(100), np.arange(20, 120), np.arange(120)]
    mods = {
        f"m{i}": anndata.AnnData(a[r].astype(np.float32), obs=pd.DataFrame(index=names[r]))
        for i, (a, r) in enumerate(zip(arrays, rows, strict=True))
    }
    mdata = mudata.MuData(mods)
    parameters = {"n_repeats": 1, "n_estimators": 25, "random_state": 0}
    model = treecca.mu.fit(mdata, 1, use_obs="union", **parameters)
    np.testing.assert_array_equal(np.diag(model.shared_samples_), [100, 100, 120])
    assert mdata.obsm["X_treecca"].shape == (120, 1) and np.isfinite(mdata.obsm["X_treecca"]).all()
    assert treecca.mu.fit(mdata, 1, **parameters).model_.n_samples == 80
    with pytest.raises(ValueError, match="use_obs must be"):
        treecca.mu.fit(mdata, 1, use_obs="all")


def test_too_few_shared_samples_are_an_error() -> None:
    views = three_views(60)
    views[0][:30] = np.nan
    views[1][30:] = np.nan
    with pytest.raises(ValueError, match='"view0" and "view1" share no samples'):
        quick().fit(views)
    views[0][:] = np.nan
    with pytest.raises(ValueError, match='View "view0": all samples lack it'):
        quick().fit(views)
