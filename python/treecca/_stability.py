"""Stability: which components and features of a model reappear in refits to half of the samples."""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._covariates import covariate_inputs
from ._estimator import TreeCCA
from ._parameters import as_seed, thread_number
from ._progress import progress
from ._refit import check_as_fitted, check_same_covariates, in_model_order
from ._samples import per_sample
from ._views import Views, repeated_index_warning


@dataclass
class StabilityResult:
    """How well refits reproduce a model, for M views, K components and B subsamples.

    Attributes
    ----------
    suggested_n_components : int
        Number of components to keep: the leading components that are above noise (or significant, with `p_values`) and
        recovered by fits to half of the samples (mean at least 0.5).
    reason : str
        The reason for this number, as a sentence.
    recovered : ndarray of shape (K,)
        Correlation between the component's variates from the fits to the two halves of a pair (which share no sample),
        after both fits are rotated towards the model; mean over the pairs.
    agreement : ndarray of shape (K,)
        The same with the best-matching single components instead of rotations. If it is much lower, components have
        mixed: interpret them together.
    seed_agreement : ndarray of shape (K,)
        Correlation with the best-matching component of fits to all samples with other seeds. NaN if n_seeds=0.
    recovered_ranges, agreement_ranges, seed_agreement_ranges : ndarray of shape (K, 2)
        The ranges that hold 95% of the pairs (of the seeds); of fewer than 20, from about the lowest to the highest.
    importances : list of ndarray of shape (K, n_features)
        Importances of the model, as `component_importances_`.
    importance_ranges : list of ndarray of shape (K, n_features, 2)
        Ranges of the importances in 95% of the subsamples, shifted from their mean to the value of the model.
    frequencies : list of ndarray of shape (K, n_features)
        Fraction of the subsamples in which the feature is among the `n_top` most important of its view.
    n_top : list of int
    subsample_correlations_ : ndarray of shape (B, K)
        Out-of-fold correlations of every subsample, in its own order.
    pair_recovered_, pair_agreement_ : ndarray of shape (B / 2, K)
        The measures above for every pair of halves.
    """

    suggested_n_components: int
    reason: str
    recovered: NDArray[np.float64]
    recovered_ranges: NDArray[np.float64]
    agreement: NDArray[np.float64]
    agreement_ranges: NDArray[np.float64]
    seed_agreement: NDArray[np.float64]
    seed_agreement_ranges: NDArray[np.float64]
    importances: list[NDArray[np.float64]]
    importance_ranges: list[NDArray[np.float64]]
    frequencies: list[NDArray[np.float64]]
    n_top: list[int]
    subsample_correlations_: NDArray[np.float64]
    pair_recovered_: NDArray[np.float64]
    pair_agreement_: NDArray[np.float64]
    view_names: list[str]
    feature_names: list[list[str]]

    def components(self) -> dict[str, NDArray[Any]]:
        """Return one row per component, ready for `pandas.DataFrame`."""
        table: dict[str, NDArray[Any]] = {"component": np.arange(1, len(self.recovered) + 1)}
        for name in ("recovered", "agreement", "seed_agreement"):
            ranges = getattr(self, f"{name}_ranges")
            table |= {name: getattr(self, name), f"{name}_low": ranges[:, 0], f"{name}_high": ranges[:, 1]}
        return table

    def features(self, view: int | str) -> dict[str, NDArray[Any]]:
        """Return one row per feature and component, ready for `pandas.DataFrame`."""
        number = self.view_names.index(view) if isinstance(view, str) else view
        k, p = self.importances[number].shape
        return {
            "feature": np.tile(np.asarray(self.feature_names[number]), k),
            "component": np.repeat(np.arange(1, k + 1), p),
            "importance": self.importances[number].ravel(),
            "low": self.importance_ranges[number][..., 0].ravel(),
            "high": self.importance_ranges[number][..., 1].ravel(),
            "frequency": self.frequencies[number].ravel(),
        }


def stability(
    model: TreeCCA,
    views: Views,
    *,
    groups: Any = None,
    sample_weight: Any = None,
    covariates: Any = None,
    n_subsamples: int = 50,
    n_seeds: int = 5,
    n_top: int | None = None,
    p_values: Sequence[float] | NDArray[Any] | None = None,
    random_state: int = 0,
    verbose: int | None = None,
) -> StabilityResult:
    """Measure which components and features of a model reappear in refits, and suggest a number of components.

    The samples are split at random into halves, and the model's settings are fitted to each half; groups stay together.

    Parameters
    ----------
    model : TreeCCA
        A fitted model.
    views : as in :meth:`TreeCCA.fit`
        The data that the model was fitted to.
    groups, sample_weight, covariates : as in :meth:`TreeCCA.fit`
    n_subsamples : int, default=50
        Number of fits to half of the samples. Even: halves come in pairs.
    n_seeds : int, default=5
        Number of fits to all samples with other seeds. 0: none.
    n_top : int, default=None
        Features per component that count as selected. None: the square root of 0.8 times the features of the view.
    p_values : sequence of K numbers, default=None
        `permutation_test(...).p_values`, for the suggested number of components: p_values[k] belongs to the k-th
        highest correlation (from 0) of the test. None: the noise threshold decides.
    random_state : int, default=0
        Seed of the halves and of the fits to them.
    verbose : int, default=None
        Progress, as for :class:`TreeCCA`.

    Returns
    -------
    StabilityResult

    Examples
    --------
    >>> import numpy as np
    >>> from treecca import TreeCCA, stability
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 3))
    >>> Y = X**2 + 0.5 * rng.normal(size=(200, 3))
    >>> stability(TreeCCA(1, random_state=0).fit([X, Y]), [X, Y], n_subsamples=10).suggested_n_components
    1
    """
    if not isinstance(model, TreeCCA):
        raise TypeError(f"stability needs a fitted TreeCCA, got a {type(model).__name__}.")
    check_is_fitted(model, "model_")
    for name, value, least in (("n_subsamples", n_subsamples, 2), ("n_seeds", n_seeds, 0), ("n_top", n_top, 1)):
        if name == "n_top" and value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < least:
            raise ValueError(f"{name} must be an integer of at least {least}, got {value!r}.")
    check_as_fitted(model, groups, covariates, "results look too stable")
    checked = model.__class__(**model.get_params())._training_views(in_model_order(model, views))
    group_numbers, weights = per_sample(checked, groups, sample_weight)
    removed = covariate_inputs(covariates, checked)
    check_same_covariates(model, removed)
    repeats = repeated_index_warning(checked) if groups is None else None
    with progress("fit", verbose) as on_round:
        result = _core.stability(
            model.model_,
            [view.for_core() for view in checked],
            thread_number(model.n_jobs),
            (int(n_subsamples), int(n_seeds), int(n_top or 0)),
            [] if p_values is None else [float(p) for p in p_values],
            as_seed(random_state),
            group_numbers,
            weights,
            on_round,
            removed,
        )
    if repeats is not None:
        warnings.warn(repeats, UserWarning, stacklevel=2)

    def ranges(of: dict[str, NDArray[np.float64]]) -> NDArray[np.float64]:
        return np.stack([of["low"], of["high"]], axis=-1)

    unknown = {name: np.full(model.model_.n_components, np.nan) for name in ("mean", "low", "high")}
    of_seeds = result.seed_agreement if n_seeds > 0 else unknown
    features = result.features
    return StabilityResult(
        suggested_n_components=result.suggested,
        reason=result.reason,
        recovered=result.recovered["mean"],
        recovered_ranges=ranges(result.recovered),
        agreement=result.agreement["mean"],
        agreement_ranges=ranges(result.agreement),
        seed_agreement=of_seeds["mean"],
        seed_agreement_ranges=ranges(of_seeds),
        importances=[view["importance"] for view in features],
        importance_ranges=[ranges(view) for view in features],
        frequencies=[view["frequency"] for view in features],
        n_top=[view["n_top"] for view in features],
        subsample_correlations_=result.subsample_correlations,
        pair_recovered_=result.pair_recovered,
        pair_agreement_=result.pair_agreement,
        view_names=list(model.view_names_),
        feature_names=[list(names) for names in model.feature_names_per_view_],
    )
