"""Comparison of parameter settings by their out-of-fold correlation."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
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
        One row per setting: the parameters of the grid, "tcc", "found" (components above the noise threshold),
        "found_tcc" (their sum), "best_round", "seconds". Ready for `pandas.DataFrame`.
    correlations : list of ndarray
        Out-of-fold canonical correlations per setting, descending.
    curves : list of ndarray
        Out-of-fold TCC after every round, per setting.
    best_params : dict
        The values of the best setting; `TreeCCA(**result.best_params)`.
    best_index : int
        The setting with the highest "found_tcc"; among settings within one standard error of it, the one with the
        fewest components.
    """

    table: dict[str, NDArray[Any]]
    correlations: list[NDArray[np.float64]]
    curves: list[NDArray[np.float64]]
    best_params: dict[str, Any]
    best_index: int
    names: list[str]

    def labels(self) -> list[str]:
        """A short text per setting: "max_depth=2, n_components=3"."""
        return [
            ", ".join(f"{name}={self.table[name][row]}" for name in self.names) for row in range(len(self.table["tcc"]))
        ]


def cv(
    views: Views,
    grid: Mapping[str, Sequence[Any]],
    *,
    groups: Any = None,
    sample_weight: Any = None,
    estimator: TreeCCA | None = None,
    verbose: int = 0,
    **parameters: Any,
) -> CVResult:
    """Compares all combinations of a grid by their out-of-fold correlation.

    Every setting is fitted with cross-fitting, so no further splitting is needed; the views are binned once for all.
    The correlation of the best setting is biased upwards, because it was chosen on the samples it is measured on.

    Parameters
    ----------
    views : as in :meth:`TreeCCA.fit`
    grid : mapping of parameter name -> values
        A value that is a list has one value per view: ``{"max_depth": [2, 4, [2, 6]]}``. None means the value of the
        preset (for `random_state` a random seed); the table shows the value used.
    groups : array-like of shape (n_samples,), default=None
        Samples of one group share a fold.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    estimator : TreeCCA, default=None
        Source of the other parameters; None: `parameters`.
    verbose : int, default=0
        1 shows progress.
    **parameters
        Of :class:`TreeCCA`, the same for all settings.

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
        raise ValueError(f"The grid names {', '.join(sorted(unknown))}, which a fit does not know.")
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
    with progress("setting", verbose) as on_setting:
        results = _core.cross_validate(
            inputs, base._settings(), axes, group_numbers, weights, on_setting, engine_settings(base)
        )
    names = list(grid)
    table: dict[str, NDArray[Any]] = {}
    for name in names:
        values = [from_text(result.parameter(name)) for result in results]
        column = np.empty(len(values), dtype=object)
        column[:] = values
        table[name] = column if any(isinstance(v, list) for v in values) else np.asarray(values)
    table["tcc"] = np.asarray([result.tcc for result in results])
    table["found"] = np.asarray([result.found for result in results])
    table["found_tcc"] = np.asarray([result.found_tcc for result in results])
    table["best_round"] = np.asarray([result.best_round for result in results])
    table["seconds"] = np.asarray([result.seconds for result in results])
    best = _core.best_setting(results)
    return CVResult(
        table=table,
        correlations=[result.correlations for result in results],
        curves=[result.curve for result in results],
        best_params={name: from_text(results[best].parameter(name)) for name in names},
        best_index=best,
        names=names,
    )


def _grid_text(name: str, value: Any, base: TreeCCA, grid: Mapping[str, Sequence[Any]]) -> str:
    """A value of the grid as text; None means the value of the preset."""
    if value is not None or name in ("n_jobs", "random_state"):
        return as_setting(name, value)
    if name == "preset" or "preset" in grid:
        raise ValueError(
            f"The grid has None for {name}, which means the value of the preset, but the preset is in the grid "
            "too: name the values."
        )
    declaration = next(one for one in _core.parameter_declarations() if one["name"] == name)
    if base.preset not in declaration["default"]:
        raise ValueError(f"There is no preset {base.preset!r}; known are: {', '.join(declaration['default'])}.")
    return str(declaration["default"][base.preset])
