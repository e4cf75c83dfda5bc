"""TreeCCA on MuData: results are written where muon's users look for them.

After ``treecca.mu.fit(mdata)``:

- ``mdata.obsm["X_treecca"]``: one embedding per sample, the mean of its variates over the modalities it has;
- ``mdata[modality].obsm["X_treecca"]``: the variates of that modality, also for samples that others lack;
- ``mdata.varm["treecca"]`` and ``mdata[modality].varm["treecca"]``: importance of every feature for every component;
- ``mdata.uns["treecca"]``: correlations (honest, in sample, linear), settings and curves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._estimator import TreeCCA

KEY = "treecca"


def fit(
    mdata: Any,
    n_components: int = 2,
    *,
    modalities: Sequence[str] | None = None,
    layer: str | None = None,
    groups: str | None = None,
    **parameters: Any,
) -> TreeCCA:
    """Fits TreeCCA to the samples that all modalities have, and writes the results into `mdata`.

    Parameters
    ----------
    mdata : MuData
    n_components : int, default=2
    modalities : sequence of str, default=None
        Which modalities are views; None takes all of them.
    layer : str, default=None
        Take this layer of every modality instead of ``X``.
    groups : str, default=None
        Column of ``mdata.obs``: samples of one group (a donor, a batch) share a fold.
    **parameters
        Of :class:`treecca.TreeCCA`.

    Returns
    -------
    TreeCCA
        The fitted model.
    """
    if not hasattr(mdata, "mod"):
        raise ValueError(f"Expected a MuData, got {type(mdata).__name__}.")
    names = list(mdata.mod) if modalities is None else list(modalities)
    absent = [name for name in names if name not in mdata.mod]
    if absent:
        raise ValueError(f"The MuData has no modality {', '.join(absent)}; it has: {', '.join(mdata.mod)}.")
    if len(names) < 2:
        raise ValueError(f"Canonical correlation needs at least two modalities, got {len(names)}.")
    common = [sample for sample in mdata.obs_names if all(sample in mdata.mod[name].obs_names for name in names)]
    if not common:
        raise ValueError("No sample is in all modalities.")
    labels = None
    if groups is not None:
        if groups not in mdata.obs:
            raise ValueError(f'mdata.obs has no column "{groups}".')
        labels = mdata.obs.loc[common, groups].astype(str).to_numpy()
    model = TreeCCA(n_components, **parameters)
    model.fit({name: _frame(mdata.mod[name], layer).loc[common] for name in names}, groups=labels)
    _write(mdata, model, layer, len(common))
    return model


def _frame(modality: Any, layer: str | None) -> Any:
    return modality.to_df(layer=layer)


def _write(mdata: Any, model: TreeCCA, layer: str | None, n_common: int) -> None:
    k = model.model_.n_components
    total = np.zeros((mdata.n_obs, k))
    count = np.zeros((mdata.n_obs, 1))
    loadings = np.zeros((mdata.n_vars, k))
    for number, name in enumerate(model.view_names_):
        modality = mdata.mod[name]
        variates = np.asarray(model.transform(_frame(modality, layer), view=name))
        modality.obsm[f"X_{KEY}"] = variates
        importances = model.component_importances_[number].T
        modality.varm[KEY] = importances
        rows = mdata.obs_names.get_indexer(modality.obs_names)
        total[rows] += variates
        count[rows] += 1
        loadings[np.asarray(mdata.varmap[name]).ravel() > 0] = importances
    with np.errstate(invalid="ignore"):
        mdata.obsm[f"X_{KEY}"] = np.where(count > 0, total / count, np.nan)
    mdata.varm[KEY] = loadings
    mdata.uns[KEY] = {
        "views": list(model.view_names_),
        "n_samples": n_common,
        "correlations": model.correlations_,
        "train_correlations": model.train_correlations_,
        "linear_correlations": model.linear_correlations_,
        "parameters": dict(model.model_.parameters),
        "history": {name: curve for name, curve in model.history_.items() if curve.ndim == 1},
    }
