"""Checks the arguments of functions that fit a model again."""

from __future__ import annotations

import warnings
from typing import Any

from ._covariates import Covariates


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


def check_same_covariates(model: Any, removed: Covariates) -> None:
    if {name for name, *_ in removed} != set(model.covariates_):
        raise ValueError(
            f"The model was fitted with other covariates: {', '.join(model.covariates_)}. Give these covariates."
        )
