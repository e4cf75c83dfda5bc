"""Covariates: properties of the samples whose effect is removed from the variates."""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._categories import is_category_type, level_name
from ._missing import is_missing, is_row
from ._views import View, check_same_index, is_polars

# Name, one number per sample (of a class its position in the levels), levels of a class: as the core takes them.
Covariates = list[tuple[str, list[float], list[str]]]

_MAX_TEXT_NUMBERS = 20  # different numbers that may be classes although they are given as text


def covariate_inputs(covariates: Any, views: list[View], fitted: Sequence[str] | None = None) -> Covariates:
    """Covariates for the core, from a DataFrame, a Series, a mapping of name -> values, or an array.

    `fitted`: the covariates of a fitted model; None before the fit. A pandas index must equal the index of the views.
    Columns of a categorical type and columns that are not numbers are classes. A mapping may have products, as
    ``"age*sex": None``, and numbers that are classes, as ``"class(plate)": plate``.
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
    columns = _named_columns(covariates)
    if columns is None:
        columns = _unnamed_columns(covariates)
        if fitted and not set(fitted) & set(columns):
            raise ValueError(
                f"The covariates are given without names (they are called {', '.join(columns)}), but the model needs "
                f'"{fitted[0]}". Give a DataFrame or a mapping of name -> values.'
            )
    inputs = []
    for name, values in columns.items():
        plain, is_class = _without_class(name) if isinstance(covariates, Mapping) else (name, False)
        if values is None and "*" in name:
            inputs.append(_product(name))
        else:
            inputs.append(_covariate(plain, values, samples, is_class, fitted is not None))
    return inputs


def _named_columns(covariates: Any) -> dict[str, Any] | None:
    """Name -> values; None if the covariates have no names."""
    if isinstance(covariates, Mapping):
        return {str(name): values for name, values in covariates.items()}
    if hasattr(covariates, "columns"):
        if is_polars(covariates) and hasattr(covariates, "collect"):
            covariates = covariates.collect()
        return {str(name): covariates[name] for name in covariates.columns}
    if getattr(covariates, "name", None) not in (None, ""):  # of polars "" if there is none
        return {str(covariates.name): covariates}
    return None


def _unnamed_columns(covariates: Any) -> dict[str, Any]:
    if is_category_type(getattr(covariates, "dtype", None)):
        return {"covariate1": covariates}
    array = _as_array(covariates)
    if array.ndim == 1 and any(map(is_row, array)):
        raise ValueError("covariates has rows of different lengths. Give every sample the same number of values.")
    if array.ndim == 1:
        array = array[:, np.newaxis]
    if array.ndim != 2:
        raise ValueError(f"covariates must be a table with one row per sample, got an array of shape {array.shape}.")
    return {f"covariate{number}": column for number, column in enumerate(array.T, 1)}


def _as_array(values: Any) -> NDArray[Any]:
    """An array; of a list one of objects, because NumPy would turn numbers next to text into text."""
    is_list = isinstance(values, (list, tuple))
    return np.asarray(values.to_numpy() if hasattr(values, "to_numpy") else values, dtype=object if is_list else None)


def _without_class(name: str) -> tuple[str, bool]:
    """("plate", True) of "class(plate)", as on the command line."""
    if name.startswith("class(") and name.endswith(")"):
        return name[len("class(") : -1].strip(), True
    return name, False


def _product(name: str) -> tuple[str, list[float], list[str]]:
    factors = [_without_class(factor.strip())[0] for factor in name.split("*")]
    if len(factors) != len(set(factors)):
        raise ValueError(f'Covariate "{name}": a product needs two different covariates.')
    return "*".join(factors), [], []


def _covariate(
    name: str, column: Any, samples: Any, is_class: bool, is_fitted: bool
) -> tuple[str, list[float], list[str]]:
    """One covariate for the core. `samples`: the word for them in messages. `is_class`: whatever its values are."""
    is_class = is_class or is_category_type(getattr(column, "dtype", None))
    values = _as_array(column)
    if values.shape != (len(samples),):
        raise ValueError(
            f'Covariate "{name}" must have one value per sample: expected shape ({len(samples)},), got {values.shape}.'
        )
    for sample, value in zip(samples, values, strict=True):
        if is_missing(value) or (isinstance(value, str) and value == ""):
            raise ValueError(f'Covariate "{name}": sample {sample} has no value. Fill it in, or leave the sample out.')
    if is_class:
        return _classes(name, values)
    if all(isinstance(value, (datetime.date, datetime.timedelta, np.datetime64, np.timedelta64)) for value in values):
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
    found = _classes(name, values)
    levels = found[2]
    if (
        not is_fitted
        and len(levels) > _MAX_TEXT_NUMBERS
        and all(isinstance(value, str) and _reads_as_number(value) for value in values)
    ):
        raise ValueError(
            f'Covariate "{name}" has {len(levels)} different numbers as text (such as "{levels[0]}"). Convert them to '
            f'numbers. If they are classes, give them as {{"class({name})": values}}.'
        )
    return found


def _classes(name: str, values: NDArray[Any]) -> tuple[str, list[float], list[str]]:
    levels: dict[str, int] = {}
    numbers = [float(levels.setdefault(level_name(value), len(levels))) for value in values]
    return name, numbers, list(levels)


def _reads_as_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
