"""Comparison of parameter settings by their out-of-fold correlation."""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._covariates import covariate_inputs
from ._engines import engine_settings
from ._estimator import TreeCCA
from ._parameters import as_setting, from_text
from ._progress import progress
from ._samples import per_sample
from ._views import Views, repeated_index_warning


@dataclass
class CVResult:
    """Out-of-fold correlations of every setting.

    Attributes
    ----------
    table : dict of ndarray
        One row per setting: the parameters of the grid, "rank" (1 for the best, then by "found_tcc", or by "tcc" if
        nothing is found), "found_tcc" (sum of the correlations above the noise threshold), "standard_error" (of it),
        "found" (number of these components), "tcc" (sum of all positive correlations), "linear_weight" (of linear CCA
        in the variates), "best_round", "seconds". Ready for `pandas.DataFrame(result.table).sort_values("rank")`.
    correlations : list of ndarray
        Out-of-fold canonical correlations per setting, as `TreeCCA.correlations_`.
    rounds, curves : list of ndarray
        Measured rounds (counted from 1) and out-of-fold TCC after them, per setting, as in `TreeCCA.history_`.
    best_params : dict
        The values of the best setting; `TreeCCA(**result.best_params)`.
    best_index : int
        The setting with the highest "found_tcc"; among settings within one "standard_error" of it, the one with the
        fewest components.
    nested_tcc : float
        Estimate of the best setting's TCC. The "tcc" of the table is biased upwards for the best setting, because it
        was chosen on the samples it is measured on. For this estimate each fold is judged with the setting that is best
        on the other folds, among settings with the same number of components and the same folds as the best; NaN if
        there is no other.
    """

    table: dict[str, NDArray[Any]]
    correlations: list[NDArray[np.float64]]
    rounds: list[NDArray[np.float64]]
    curves: list[NDArray[np.float64]]
    best_params: dict[str, Any]
    best_index: int
    nested_tcc: float
    names: list[str]

    def labels(self) -> list[str]:
        """Return a short text per setting: "max_depth=2, n_components=3"."""
        return [
            ", ".join(f"{name}={self.table[name][row]}" for name in self.names) for row in range(len(self.table["tcc"]))
        ]


def cv(
    views: Views,
    grid: Mapping[str, Sequence[Any]],
    *,
    groups: Any = None,
    sample_weight: Any = None,
    covariates: Any = None,
    estimator: TreeCCA | None = None,
    verbose: int | None = None,
    **parameters: Any,
) -> CVResult:
    """Compare all combinations of a grid by their out-of-fold correlation.

    Every setting is fitted with out-of-fold correlations, so no further splitting is needed; the views are binned once
    for all. The correlation of the best setting is biased upwards, because it was chosen on the samples it is measured
    on; `nested_tcc` is not. Warns if the best of three or more values of a parameter is the lowest or highest of them.

    Parameters
    ----------
    views : as in :meth:`TreeCCA.fit`
    grid : mapping of parameter name -> values
        A value that is a list has one value per view: ``{"max_depth": [2, 4, [2, 6]]}``. None means the value of the
        preset (for `random_state` a random seed); the table shows this value.
    groups : array-like of shape (n_samples,), default=None
        Samples of one group share a fold.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    covariates : as in :meth:`TreeCCA.fit`, default=None
    estimator : TreeCCA, default=None
        Source of the other parameters; None: `parameters`.
    verbose : int, default=None
        Progress, as for :class:`TreeCCA`.
    **parameters
        Parameters of :class:`TreeCCA`, the same for all settings.

    Returns
    -------
    CVResult
    """
    if not grid:
        raise ValueError("The grid is empty: name at least one parameter and its values.")
    base = (
        TreeCCA(**parameters) if estimator is None else estimator.__class__(**{**estimator.get_params(), **parameters})
    )
    unknown = set(grid) - {*base._core_parameters(), "random_state"}
    if unknown:
        raise ValueError(f"The grid names {', '.join(sorted(unknown))}, which are not parameters of TreeCCA.")
    axes = []
    for name, values in grid.items():
        if isinstance(values, (str, bytes)) or not isinstance(values, (Sequence, np.ndarray)):
            raise ValueError(f"The grid needs a list of values for {name}, got {values!r}.")
        axes.append((name, [_grid_text(name, value, base, grid) for value in values]))
    checked = base._training_views(views)
    inputs = [v.for_core() for v in checked]
    group_numbers, weights = per_sample(checked, groups, sample_weight)
    repeats = repeated_index_warning(checked) if groups is None else None
    if repeats is not None:
        warnings.warn(repeats, UserWarning, stacklevel=2)
    removed = covariate_inputs(covariates, checked)
    with progress("setting", verbose) as on_setting:
        results = _core.cross_validate(
            inputs, base._settings(), axes, group_numbers, weights, on_setting, engine_settings(base), removed
        )
    names = list(grid)
    table: dict[str, NDArray[Any]] = {}
    for name in names:
        values = [from_text(result.parameter(name)) for result in results]
        column = np.empty(len(values), dtype=object)
        column[:] = values
        same_kind = all(map(_is_number, values)) or all(isinstance(v, (str, bool)) for v in values)
        table[name] = np.asarray(values) if same_kind else column  # "auto" among numbers would make them texts
    best = _core.best_setting(results)
    table["rank"] = np.empty(len(results), dtype=np.int64)
    table["rank"][_core.best_first(results)] = np.arange(1, len(results) + 1)
    for name in ("found_tcc", "standard_error", "found", "tcc", "linear_weight", "best_round", "seconds"):
        table[name] = np.asarray([getattr(result, name) for result in results])
    for sentence in _core.edge_advice(results, names):
        warnings.warn(sentence, UserWarning, stacklevel=2)
    return CVResult(
        table=table,
        correlations=[result.correlations for result in results],
        rounds=[result.rounds for result in results],
        curves=[result.curve for result in results],
        best_params={name: from_text(results[best].parameter(name)) for name in names},
        best_index=best,
        nested_tcc=_core.nested_tcc(results),
        names=names,
    )


def _declaration(name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in _core.parameter_declarations() if one["name"] == name)
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_))


def _grid_text(name: str, value: Any, base: TreeCCA, grid: Mapping[str, Sequence[Any]]) -> str:
    """A value of the grid as text; None means the value of the preset."""
    if value is not None or name in ("n_jobs", "random_state"):
        return as_setting(name, value)
    if name == "preset" or "preset" in grid:
        raise ValueError(
            f"The grid has None for {name}, which means the value of the preset, but the preset is in the grid "
            "too: name the values."
        )
    declaration = _declaration(name)
    if base.preset not in declaration["default"]:
        raise ValueError(f"There is no preset {base.preset!r}; known are: {', '.join(declaration['default'])}.")
    return str(declaration["default"][base.preset])
