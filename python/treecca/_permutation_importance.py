"""Permutation importance: how far correlations fall when the values of a feature are permuted."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ._covariates import covariate_inputs
from ._parameters import as_seed, thread_number
from ._progress import progress
from ._refit import check_as_fitted, check_same_covariates
from ._samples import per_sample
from ._views import is_single_table


@dataclass
class PermutationImportance:
    """Result of :meth:`treecca.TreeCCA.permutation_importance`, of M views and K components.

    Attributes
    ----------
    importances : list of ndarray of shape (K, n_features)
        Per view: the decrease of the correlation between its variate and the variates of the other views (mean over the
        pairs) when the feature is permuted, mean over the permutations. Exactly 0 for features that the model does not
        use.
    deviations : list of ndarray of shape (K, n_features)
        Standard deviation over the permutations.
    correlations : ndarray of shape (M, K)
        Correlations without permutation.
    """

    importances: list[NDArray[np.float64]]
    deviations: list[NDArray[np.float64]]
    correlations: NDArray[np.float64]
    view_names: list[str]
    feature_names_per_view: list[list[str]]

    def table(self, view: int | str = 0, component: int = 0) -> dict[str, NDArray[Any]]:
        """{"feature", "importance", "deviation"} by descending importance, as ``pandas.DataFrame`` takes it."""
        if isinstance(view, str) and view not in self.view_names:
            raise ValueError(f'There is no view "{view}"; the views are: {", ".join(self.view_names)}.')
        number = self.view_names.index(view) if isinstance(view, str) else view
        values = self.importances[number][component]
        order = np.argsort(-values, kind="stable")
        return {
            "feature": np.asarray(self.feature_names_per_view[number], dtype=object)[order],
            "importance": values[order],
            "deviation": self.deviations[number][component][order],
        }


class PermutationImportanceMixin:
    """`permutation_importance`, for models of two or more views."""

    def permutation_importance(
        self: Any,
        views: Any,
        n_permutations: int = 5,
        random_state: int = 0,
        covariates: Any = None,
        *,
        out_of_fold: bool = False,
        groups: Any = None,
        sample_weight: Any = None,
    ) -> PermutationImportance:
        """Measure how far the correlations fall when the values of one feature are permuted.

        Give samples that the fit has not seen: on training samples, features look important if trees fitted their
        noise. Without such samples, give the samples of the fit and `out_of_fold=True`. Only features that the model
        uses are permuted; all others have an importance of exactly 0.

        Parameters
        ----------
        views : as in `score`
        n_permutations : int, default=5
            Permutations of every feature; the importance is their mean.
        random_state : int, default=0
            Seed of the permutations.
        covariates : as in `transform`, default=None
        out_of_fold : bool, default=False
            Whether `views` are the data of the fit. The model is then refitted five times, each time without a fifth of
            the samples, and features are permuted among the samples left out. The result is the mean.
        groups, sample_weight : as in `fit`, default=None
            The groups and weights of the fit, for `out_of_fold`.

        Returns
        -------
        PermutationImportance
        """
        if out_of_fold:
            check_is_fitted(self, "model_")
            check_as_fitted(self, groups, covariates, "samples of one group are both in the fits and left out")
            return _out_of_fold_importance(self, views, n_permutations, random_state, covariates, groups, sample_weight)
        if groups is not None or sample_weight is not None:
            raise ValueError("groups and sample_weight are for out_of_fold=True. Leave them out, or add it.")
        values, given = self._all_views(views, covariates, "permutation_importance")
        threads = thread_number(self.n_jobs)
        if self.model_.seen_samples(values, threads):
            warnings.warn(
                "The model was fitted to some of these samples, so these importances are in-sample: features look "
                "important if trees fitted their noise. Give other samples, or out_of_fold=True.",
                UserWarning,
                stacklevel=2,
            )
        found = self.model_.permutation_importances(values, n_permutations, random_state, threads, given)
        return _importance_from(self, found)


def _out_of_fold_importance(
    model: Any,
    views: Any,
    n_permutations: int,
    random_state: int,
    covariates: Any,
    groups: Any,
    sample_weight: Any,
) -> PermutationImportance:
    if not is_single_table(views):
        views = model._all_tables(views, "permutation_importance")
    checked = model.__class__(**model.get_params())._training_views(views)
    group_numbers, weights = per_sample(checked, groups, sample_weight)
    removed = covariate_inputs(covariates, checked)
    check_same_covariates(model, removed)
    inputs = [view.for_core() for view in checked]
    threads, seed = thread_number(model.n_jobs), as_seed(random_state)
    with progress("fit", model.verbose) as on_round:
        found = model.model_.out_of_fold_importances(
            inputs, n_permutations, seed, threads, group_numbers, weights, on_round, removed
        )
    return _importance_from(model, found)


def _importance_from(model: Any, found: Any) -> PermutationImportance:
    correlations, drops, deviations = found
    return PermutationImportance(
        list(drops), list(deviations), correlations, model.view_names_, model.feature_names_per_view_
    )
