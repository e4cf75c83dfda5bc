"""How far correlations fall when the values of a feature are permuted."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._parameters import thread_number


@dataclass
class PermutationImportance:
    """Result of :meth:`treecca.TreeCCA.permutation_importance`, of M views and K components.

    Attributes
    ----------
    importances : list of ndarray of shape (K, n_features)
        Per view: how far the correlation of its variate with those of the other views (mean over the pairs) falls when
        the feature is permuted, mean over the permutations. Exactly 0 for features that the model does not use.
    deviations : list of ndarray of shape (K, n_features)
        Standard deviation over the permutations.
    correlations : ndarray of shape (M, K)
        Correlations of the samples as they are.
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
        self: Any, views: Any, n_permutations: int = 5, random_state: int = 0, covariates: Any = None
    ) -> PermutationImportance:
        """How far the correlations fall when the values of one feature are permuted.

        Give samples that the fit has not seen: on training samples, features that trees fitted to noise look
        important. Only features that the model uses are permuted; the others have exactly 0.

        Parameters
        ----------
        views : as in `score`
        n_permutations : int, default=5
            Of every feature; the importance is the mean.
        random_state : int, default=0
        covariates : as in `transform`, default=None

        Returns
        -------
        PermutationImportance
        """
        values, given = self._all_views(views, covariates, "permutation_importance")
        threads = thread_number(self.n_jobs)
        if self.model_.seen_samples(values, threads):
            warnings.warn(
                "The model was fitted to some of these samples, so these importances are in-sample: features that "
                "trees fitted to noise look important. Give other samples.",
                UserWarning,
                stacklevel=2,
            )
        correlations, drops, deviations = self.model_.permutation_importances(
            values, n_permutations, random_state, threads, given
        )
        return PermutationImportance(
            list(drops), list(deviations), correlations, self.view_names_, self.feature_names_per_view_
        )
