"""Checks the arguments of functions that fit a model again."""

from __future__ import annotations

import warnings
from typing import Any

from ._covariates import Covariates
from ._slices import columns_at
from ._views import View, Views, is_named, named_tables


def check_as_fitted(model: Any, groups: Any, covariates: Any, wrong_without_groups: str) -> None:
    """Require the groups and covariates that the model was fitted with."""
    if model.covariates_ and covariates is None:
        raise ValueError(
            f"The model was fitted with covariates ({', '.join(model.covariates_)}). Give them here too: covariates=."
        )
    if covariates is not None and not model.covariates_:
        raise ValueError("The model was fitted without covariates. Leave them out, or fit a model with them.")
    if groups is None and model.model_.independent_samples < model.model_.n_samples:
        warnings.warn(
            f"The model was fitted with groups. Give them here too (groups=), or {wrong_without_groups}.",
            UserWarning,
            stacklevel=3,
        )


def views_to_refit(model: Any, estimator: Any, views: Views) -> list[View]:
    """The views, checked as for a fit of `estimator`, with views and columns in the order of the model if it is fitted.

    Views and columns with other names than the model's are left as they are.
    """
    checked: list[View] = estimator._training_views(_in_model_order(model, views))
    if hasattr(model, "model_"):
        for view, names in zip(checked, model.feature_names_per_view_, strict=False):
            if view.feature_names != names and set(view.feature_names) == set(names):
                columns = [view.feature_names.index(name) for name in names]
                view.values = columns_at(view.values, columns)
                view.levels = [view.levels[column] for column in columns] if view.levels else []
                view.feature_names = list(names)
    return checked


def _in_model_order(model: Any, views: Views) -> Views:
    """Named views in the order of a fitted model, if they have the same names."""
    if not is_named(views) or not hasattr(model, "model_"):
        return views
    tables = named_tables(views)
    return {name: tables[name] for name in model.view_names_} if set(tables) == set(model.view_names_) else views


def check_same_covariates(model: Any, removed: Covariates) -> None:
    if {name for name, *_ in removed} != set(model.covariates_):
        raise ValueError(
            f"The model was fitted with other covariates: {', '.join(model.covariates_)}. Give these covariates."
        )
