"""Permutation test: p-values of the components."""

from __future__ import annotations

import numbers
import warnings
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._covariates import covariate_inputs
from ._estimator import TreeCCA
from ._progress import progress
from ._refit import check_as_fitted, check_same_covariates, in_model_order
from ._samples import per_sample
from ._views import Views, repeated_index_warning


@dataclass(repr=False)
class PermutationTestResult:
    """p-values of the components, for M views and K components.

    Attributes
    ----------
    p_values : ndarray of shape (K,)
        For all components together (family-wise), non-decreasing. p_values[k] belongs to correlations[k], the k-th
        highest (from 0) of the test; the model may order its components otherwise. If it is small, the views share at
        least k + 1 components.
    pairwise_p_values : ndarray of shape (M, M, K)
        For each pair of views, for all pairs and components together; NaN on the diagonal.
    correlations : ndarray of shape (K,)
        The statistic: out-of-fold correlations of a smaller fit (5 folds, 30 rounds), descending. Report the
        correlations of the model instead.
    pairwise_correlations : ndarray of shape (M, M, K)
    null_ : ndarray of shape (permutations, K)
        The null distributions. Column k (from 0) has, for each permutation, the highest correlation among its first
        K - k components, in the order of its rotations: correlations[k] is compared with it. p is
        (1 + number that reach correlations[k]) / (1 + permutations). If 50 permutations reach it, later ones do not
        count: p = 50 / (permutations until the 50th). A p-value below the preceding p-value is raised to it.
    permute : str
        The units that were permuted: "rows", "groups" or "within_groups".
    """

    p_values: NDArray[np.float64]
    pairwise_p_values: NDArray[np.float64]
    correlations: NDArray[np.float64]
    pairwise_correlations: NDArray[np.float64]
    null_: NDArray[np.float64]
    permute: str

    def __repr__(self) -> str:
        pairs = zip(self.correlations, self.p_values, strict=True)
        rows = [f"cc{k}: correlation {r:.3f}, p = {p:.3g}" for k, (r, p) in enumerate(pairs, 1)]
        return f"PermutationTestResult({'; '.join(rows)}; {len(self.null_)} permutations of {self.permute})"


def permutation_test(
    model: TreeCCA,
    views: Views,
    *,
    groups: Any = None,
    sample_weight: Any = None,
    covariates: Any = None,
    n_permutations: int = 999,
    permute: Literal["auto", "rows", "groups", "within_groups"] | None = "auto",
    random_state: int = 0,
    verbose: int | None = None,
) -> PermutationTestResult:
    """Test whether the correlation of each component exceeds chance.

    The rows of all views but the first are permuted. Screening, trees, linear CCA, the choice of the blend and the
    rotation are repeated for every permutation, in a smaller fit than the model's own (5 folds, 30 rounds). The
    unpermuted data get the same fit.

    Parameters
    ----------
    model : TreeCCA
        Source of the parameters; need not be fitted. If it is, a warning says when `views` are not the data of its fit.
    views : as in :meth:`TreeCCA.fit`
        The data that the model was fitted to.
    groups, sample_weight, covariates : as in :meth:`TreeCCA.fit`
        Covariates are removed from observed and permuted data alike.
    n_permutations : int, default=999
        Maximum number. A component is decided once 50 permutations have reached its correlation; the test stops when
        all components are decided.
    permute : {"auto", "rows", "groups", "within_groups"}, default="auto"
        Units to permute: rows; whole groups, among those of equal size; rows within their group. auto (or None): groups
        if there are any, else rows.
    random_state : int, default=0
        Seed of folds, trees and permutations.
    verbose : int, default=None
        Progress, as for :class:`TreeCCA`.

    Returns
    -------
    PermutationTestResult

    Examples
    --------
    >>> import numpy as np
    >>> from treecca import TreeCCA, permutation_test
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(100, 3))
    >>> Y = X**2 + 0.5 * rng.normal(size=(100, 3))
    >>> permutation_test(TreeCCA(1), [X, Y], n_permutations=99).p_values
    array([0.01])
    """
    if not isinstance(model, TreeCCA):
        raise TypeError(f"permutation_test needs a TreeCCA, got a {type(model).__name__}.")
    if isinstance(n_permutations, bool) or not isinstance(n_permutations, numbers.Integral) or n_permutations < 1:
        raise ValueError(f"n_permutations must be an integer of at least 1, got {n_permutations!r}.")
    if hasattr(model, "model_"):
        check_as_fitted(model, groups, covariates, "p-values are too small")
    base = model.__class__(**{**model.get_params(), "random_state": random_state})
    checked = base._training_views(in_model_order(model, views))
    group_numbers, weights = per_sample(checked, groups, sample_weight)
    removed = covariate_inputs(covariates, checked)
    if hasattr(model, "model_"):
        check_same_covariates(model, removed)
    repeats = repeated_index_warning(checked) if groups is None else None
    with progress("permutation", verbose) as on_round:
        test = _core.permutation_test(
            [view.for_core() for view in checked],
            base._settings(),
            int(n_permutations),
            "auto" if permute is None else permute,
            group_numbers,
            weights,
            on_round,
            removed,
            getattr(model, "model_", None),
        )
    for warning in [*filter(None, [repeats]), *test.warnings]:
        warnings.warn(warning, UserWarning, stacklevel=2)
    shape = (len(checked), len(checked), len(test.p_values))
    return PermutationTestResult(
        p_values=test.p_values,
        pairwise_p_values=test.pairwise_p_values.reshape(shape),
        correlations=test.correlations,
        pairwise_correlations=test.pairwise_correlations.reshape(shape),
        null_=test.null,
        permute=test.permute,
    )
