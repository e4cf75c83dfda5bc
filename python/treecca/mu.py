"""TreeCCA on MuData, with results in the slots that muon uses.

After ``treecca.mu.fit(mdata)``:

- ``mdata.obsm["X_treecca"]``: one embedding per sample, the mean of its variates over the modalities it has;
- ``mdata[modality].obsm["X_treecca"]``: the variates of that modality, also for samples that other modalities lack;
- ``mdata.varm["treecca"]`` and ``mdata[modality].varm["treecca"]``: importance of every feature for every component;
- ``mdata.uns["treecca"]``: correlations (out-of-fold with standard errors, in-sample, linear), which components
  are above noise, the weight of linear CCA, settings and curves.
"""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._align import common_samples
from ._estimator import TreeCCA
from ._missing import is_missing

KEY = "treecca"


def fit(
    mdata: Any,
    n_components: int = 2,
    *,
    modalities: Sequence[str] | None = None,
    layer: str | None = None,
    groups: Any = None,
    sample_weight: Any = None,
    use_obs: str = "intersection",
    **parameters: Any,
) -> TreeCCA:
    """Fit TreeCCA to the samples that all modalities have, and write the results into `mdata`.

    Parameters
    ----------
    mdata : MuData
    n_components : int, default=2
        Number of components.
    modalities : sequence of str, default=None
        Modalities to use as views; None takes all.
    layer : str, default=None
        Take this layer of every modality instead of ``X``.
    groups : str or array-like of shape (mdata.n_obs,), default=None
        Column of ``mdata.obs``, or a label per sample: samples of one group (a donor, a batch) share a fold.
    sample_weight : str or array-like of shape (mdata.n_obs,), default=None
        Column of ``mdata.obs``, or a number per sample: its weight.
    use_obs : {"intersection", "union"}
        Samples to fit: samples that all modalities have, or samples of any modality. With "union", each pair of
        modalities learns from the samples that have both.
    **parameters
        Parameters of :class:`treecca.TreeCCA`.

    Returns
    -------
    TreeCCA
        The fitted model.
    """
    if not hasattr(mdata, "mod"):
        raise ValueError(f"Expected a MuData, got {type(mdata).__name__}.")
    if isinstance(modalities, str):
        raise ValueError(f'modalities must be a list of names, got the text "{modalities}".')
    names = list(mdata.mod) if modalities is None else list(modalities)
    absent = [name for name in names if name not in mdata.mod]
    if absent:
        raise ValueError(f"The MuData has no modality {', '.join(map(str, absent))}; it has: {', '.join(mdata.mod)}.")
    if len(names) < 2:
        raise ValueError(f"Canonical correlation needs at least two modalities, got {len(names)}.")
    for name in names:
        _check_modality(name, mdata.mod[name], layer)
    if use_obs not in ("intersection", "union"):
        raise ValueError(f'use_obs must be "intersection" or "union", not {use_obs!r}.')
    indexes = [mdata.mod[name].obs_names for name in names]
    if use_obs == "union":
        common = [sample for sample in mdata.obs_names if any(sample in index for index in indexes)]
    else:
        common = common_samples(mdata.obs_names, indexes)
    if not common:
        raise ValueError('No sample is in all modalities. use_obs="union" takes samples that lack some of them.')
    model = TreeCCA(n_components, **parameters)
    model.fit(
        {name: _frame(mdata.mod[name], layer).reindex(common) for name in names},
        groups=_of_samples(mdata, groups, "groups", common),
        sample_weight=_of_samples(mdata, sample_weight, "sample_weight", common),
    )
    _write(mdata, model, layer, len(common))
    return model


def _check_modality(name: str, modality: Any, layer: str | None) -> None:
    if layer is not None and layer not in modality.layers:
        known = ", ".join(modality.layers) or "none"
        raise ValueError(f'Modality "{name}" has no layer "{layer}"; its layers are: {known}.')
    if not modality.obs_names.is_unique:
        twice = modality.obs_names[modality.obs_names.duplicated()][0]
        raise ValueError(
            f'Modality "{name}" has the sample "{twice}" more than once. Make its obs_names unique and use '
            "`groups` for samples that belong together."
        )


def _of_samples(mdata: Any, given: Any, name: str, samples: list[str]) -> Any:
    """Values for the fitted samples, given for all samples as a column of `mdata.obs` or as values."""
    if given is None or isinstance(given, numbers.Real):
        return given
    if isinstance(given, str):
        if given not in mdata.obs:
            raise ValueError(f'mdata.obs has no column "{given}".')
        values, source = mdata.obs[given].to_numpy(), f'mdata.obs["{given}"]'
    else:
        if hasattr(given, "iloc") and not given.index.equals(mdata.obs_names):
            raise ValueError(f"The index of {name} differs from mdata.obs_names: reindex it to the same samples.")
        values, source = np.asarray(given), name
        if values.shape != (mdata.n_obs,):
            raise ValueError(
                f"{name} must have one entry per sample of the MuData: expected shape ({mdata.n_obs},), got "
                f"{values.shape}."
            )
    chosen = values[mdata.obs_names.get_indexer(samples)]
    missing = [sample for sample, value in zip(samples, chosen, strict=True) if is_missing(value)]
    if missing:
        raise ValueError(
            f'{source} has no value for {len(missing)} of {len(samples)} samples, for example "{missing[0]}".'
        )
    return chosen


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
        "standard_errors": model.standard_errors_,
        "correlation_intervals": model.correlation_intervals_,
        "found": model.found_,
        "linear_weight": model.linear_weight_,
        "train_correlations": model.train_correlations_,
        "linear_correlations": model.linear_correlations_,
        "parameters": dict(model.model_.parameters),
        "history": {name: curve for name, curve in model.history_.items() if curve.ndim == 1 and len(curve)},
    }
