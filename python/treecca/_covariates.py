"""Covariates: properties of the samples whose effect is removed from the variates."""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ._missing import is_missing
from ._views import View, check_same_index, is_polars

# Name, one number per sample (of a class its position in the levels), levels of a class: as the core takes them.
Covariates = list[tuple[str, list[float], list[str]]]


def covariate_inputs(covariates: Any, views: list[View]) -> Covariates:
    """Covariates for the core, from a DataFrame, a Series, a mapping of name -> values, or an array.

    A pandas index must equal the index of the views. Columns that are not numbers are classes. A mapping may have
    products, as ``"age*sex": None``.
    """
    if covariates is None:
        return []
    if isinstance(covariates, Mapping):
        for name, values in covariates.items():
            check_same_index(values, views, f'covariate "{name}"')
    else:
        check_same_index(covariates, views, "covariates")
    index = next((view.index for view in views if view.index is not None), None)
    samples = range(len(views[0].values)) if index is None else [f'"{label}"' for label in index]
    return [
        _product(name) if values is None and "*" in name else _covariate(name, values, samples)
        for name, values in _columns(covariates).items()
    ]


def _columns(covariates: Any) -> dict[str, Any]:
    if isinstance(covariates, Mapping):
        return {str(name): values for name, values in covariates.items()}
    if hasattr(covariates, "columns"):
        if is_polars(covariates) and hasattr(covariates, "collect"):
            covariates = covariates.collect()
        return {str(name): covariates[name] for name in covariates.columns}
    if getattr(covariates, "name", None) is not None:
        return {str(covariates.name): covariates}
    array = np.asarray(covariates)
    if array.ndim == 1:
        array = array[:, np.newaxis]
    if array.ndim != 2:
        raise ValueError(f"covariates must be a table with one row per sample, got an array of shape {array.shape}.")
    return {f"covariate{number}": column for number, column in enumerate(array.T, 1)}


def _product(name: str) -> tuple[str, list[float], list[str]]:
    factors = [factor.strip() for factor in name.split("*")]
    if len(factors) != len(set(factors)):
        raise ValueError(f'Covariate "{name}": a product needs two different covariates.')
    return name, [], []


def _covariate(name: str, column: Any, samples: Any) -> tuple[str, list[float], list[str]]:
    """One covariate for the core. `samples`: the word for them in messages."""
    values = np.asarray(column.to_numpy() if hasattr(column, "to_numpy") else column)
    if values.shape != (len(samples),):
        raise ValueError(
            f'Covariate "{name}" must have one value per sample: expected shape ({len(samples)},), got {values.shape}.'
        )
    for sample, value in zip(samples, values, strict=True):
        if is_missing(value):
            raise ValueError(f'Covariate "{name}": sample {sample} has no value. Fill it in, or leave the sample out.')
    if values.dtype.kind in "mM" or all(isinstance(value, datetime.date) for value in values):
        raise ValueError(
            f'Covariate "{name}" has dates. Give a number, such as days since the first date; if every date is a '
            "class, give text."
        )
    if values.dtype.kind in "biuf" or all(
        isinstance(value, (bool, int, float, np.number, np.bool_)) for value in values
    ):
        for sample, value in zip(samples, values, strict=True):
            if math.isinf(value):
                raise ValueError(f'Covariate "{name}": sample {sample} has an infinite value.')
        return name, [float(value) for value in values], []
    levels: dict[str, int] = {}
    numbers = [float(levels.setdefault(str(value), len(levels))) for value in values]
    return name, numbers, list(levels)
