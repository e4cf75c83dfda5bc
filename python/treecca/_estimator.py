"""TreeCCA as a scikit-learn estimator."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metadata_routing import UNUSED
from sklearn.utils.validation import check_is_fitted

from . import _core, metrics
from ._base import ModelEstimator, file_path
from ._covariates import Covariates, covariate_inputs
from ._engines import engine_settings
from ._parameters import from_text, thread_number
from ._partners import PartnersMixin
from ._permutation_importance import PermutationImportanceMixin
from ._progress import progress
from ._samples import per_sample
from ._signature import CCA_PARAMETERS, CCAParameters
from ._slices import columns_at, split_columns
from ._views import (
    Table,
    View,
    Views,
    as_views,
    check_same_samples,
    is_named,
    is_single_table,
    named_tables,
)


class TreeCCA(CCAParameters, PartnersMixin, PermutationImportanceMixin, ModelEstimator):
    __doc__ = f"""Nonlinear canonical correlation analysis with gradient-boosted trees.

    Boosted trees embed two or more views (tables about the same samples) so that the embeddings correlate as much as
    possible. By default (preset "auto") the model is the mean of several fits, each to a part of the samples, blended
    with linear CCA where that is better. The reported correlations are out-of-fold: each sample is embedded by fits
    that have not seen it.

    A parameter that is None takes the value of the preset, shown after "default=None:". Where a list is allowed, it has
    one value per view.

    Parameters
    ----------
{CCA_PARAMETERS}
    Attributes
    ----------
    correlations_ : ndarray of shape (n_components,)
        Out-of-fold canonical correlations (mean over pairs of views for more than two), in the order of the components.
        NaN without cross-fitting; then use `score` on new data.
    standard_errors_ : ndarray of shape (n_components,)
        Standard errors of `correlations_`. With groups, groups count as independent instead of samples. NaN without
        cross-fitting.
    correlation_intervals_ : ndarray of shape (n_components, 2)
        95% confidence intervals for the correlation of the model on new samples. NaN without
        cross-fitting.
    found_ : ndarray of bool of shape (n_components,)
        Whether the component is above noise: its correlation exceeds the noise threshold, about five standard errors
        of a correlation of 0, more with few groups.
        With more than two views, one pair of views is enough (`found_pairs_`). False without cross-fitting.
    linear_weight_ : float
        Weight of linear CCA in the variates: 0 means trees only, 1 means linear CCA only.
    candidates_ : list of dict
        The weights of linear CCA that were compared, one row each: "linear" (the weight), "judged" (the TCC that
        decided the choice, of a mean over the repeats), "correlations" and "tcc" (their sum, negatives count 0) of the
        mean of all parts, and "chosen". With one row, nothing was compared; the numbers are NaN without cross-fitting.
    train_correlations_ : ndarray of shape (n_components,)
        In-sample canonical correlations: the final model on its own training samples.
    linear_correlations_, linear_train_correlations_ : ndarray of shape (n_components,)
        Out-of-fold and in-sample correlations of linear CCA, on the same samples and folds.
    covariates_ : list of str
        Names of the covariates whose effect is removed from the variates.
    linear_unadjusted_correlations_ : ndarray of shape (n_components,) or None
        As `linear_correlations_`, but without removing the covariates: the difference is the part of the linear
        correlation that the covariates explain. None without covariates.
    pairwise_correlations_ : ndarray of shape (n_views, n_views, n_components)
        Out-of-fold correlations of each pair of views; `correlations_` is their mean over the pairs.
    pairwise_standard_errors_ : ndarray of shape (n_views, n_views, n_components)
        Standard errors of `pairwise_correlations_`.
    pairwise_correlation_intervals_ : ndarray of shape (n_views, n_views, n_components, 2)
        95% confidence intervals of `pairwise_correlations_`.
    found_pairs_ : ndarray of bool of shape (n_views, n_views, n_components)
        Whether two views share the component: their correlation exceeds its noise threshold.
    feature_importances_per_view_ : list of ndarray of shape (n_features,)
        Importance (gain, blended with linear CCA as in the variates) of each feature over all components, including
        components below noise; sums to 1.
    component_importances_ : list of ndarray of shape (n_components, n_features)
        The same per component.
    loadings_ : list of ndarray of shape (n_features, n_components)
        Correlation of each feature with the variate of its view, out-of-fold (in-sample without cross-fitting).
        `loadings()` gives them as a table. For a category: the correlation ratio, corrected for the number of levels,
        which has no sign. NaN for models of earlier releases.
    loading_intervals_ : list of ndarray of shape (n_features, n_components, 2)
        95% confidence intervals of `loadings_`, for these components. They ignore that another fit may find others.
        With groups, groups count as independent instead of samples.
    cross_loadings_, cross_loading_intervals_ : list of ndarray
        The same with the mean variate of the other views. NaN without cross-fitting.
    explained_variance_, redundancy_ : list of ndarray of shape (n_components,)
        Mean over the features of the squared loadings and cross-loadings: fraction of the variance of a view that its
        own variate, and the variate of the other views, explains linearly.
    history_ : dict of ndarray
        Per measured round (counted from 1): "round", "tcc" (out-of-fold with cross-fitting; mean over parts), and of
        one fit to all samples also "loss", "train_tcc" and "variance" (rounds x views x trained components). With parts
        (preset "auto") these three are empty.
    variates_, out_of_fold_variates_ : list of ndarray of shape (n_samples, n_components)
        Variates of the training samples: by the final model, as `transform` gives them, and by fits that have not seen
        the sample (empty without cross-fitting). NaN where a sample lacks the view. With preset "auto" each out-of-fold
        variate is a mean over the repeats, of fewer parts than the model has, while `correlations_` estimates the
        correlations of the model. With preset "plain" the out-of-fold variates have the correlations `correlations_`.
        With early stopping they differ slightly, because each fold is scored at the round that the other folds choose.
    shared_samples_ : ndarray of int of shape (n_views, n_views)
        Number of training samples that have both views (on the diagonal: that have the view).
    screening_ : list of dict or None
        Result of feature screening per view (None: not used): "kept" (folds x features, True where the trees of a fold
        may use the feature), and from all training samples "score", "partner_view", "partner" and "p_value" as in
        :func:`treecca.screen` (empty if the view has few features; "p_value" with "auto" only).
    view_names_, feature_names_per_view_ : list
        Names of the views and of their features.
    levels_per_view_ : list of dict
        The levels of the features that are categories, by name.
    n_features_per_view_ : list of int
        Number of features of each view.
    n_iter_ : int
        Number of boosting rounds that were kept (with parts, the largest of all parts).
    timings_ : dict of float
        Seconds per stage of the fit.
    warnings_ : list of str
        Warnings of the fit.
    model_ : treecca._core.Model
        The model itself; `save` writes it, `treecca.load` reads it.

    Examples
    --------
    >>> import numpy as np
    >>> from treecca import TreeCCA
    >>> rng = np.random.default_rng(0)
    >>> shared = rng.normal(size=500)
    >>> X1 = np.c_[shared + 0.3 * rng.normal(size=500), rng.normal(size=500)]
    >>> X2 = np.c_[shared**2 + 0.3 * rng.normal(size=500), rng.normal(size=500)]
    >>> model = TreeCCA(n_components=1, random_state=0).fit([X1, X2])
    >>> bool(model.correlations_[0] > 0.75 > 0.3 > model.linear_correlations_[0])
    True
    """

    # "views" is data, not routed metadata.
    __metadata_request__fit: ClassVar[dict[str, Any]] = {"views": UNUSED}
    __metadata_request__transform: ClassVar[dict[str, Any]] = {"views": UNUSED, "view": UNUSED}
    __metadata_request__score: ClassVar[dict[str, Any]] = {"views": UNUSED}
    __metadata_request__predict: ClassVar[dict[str, Any]] = {"views": UNUSED, "source": UNUSED, "target": UNUSED}

    # Fitting ------------------------------------------------------------------------------------------------------

    def fit(
        self, views: Views, y: Any = None, groups: Any = None, sample_weight: Any = None, covariates: Any = None
    ) -> TreeCCA:
        """Fit the model.

        Parameters
        ----------
        views : list of tables, mapping of name -> table, MuData, or one table with `view_slices`
            Two or more views of the same samples in the same order: arrays, pandas or polars DataFrames, SciPy sparse
            matrices, AnnData. NaN is a missing value. A sample whose features are all NaN lacks the view: it counts for
            the pairs of views that it has. `treecca.align(tables, join="outer")` makes such tables. Columns of a
            categorical type (pandas category, polars Categorical and Enum) are categories; `categorical_features` names
            others. Booleans are 0 and 1.
        y : ignored
            Accepted for compatibility with scikit-learn.
        groups : array-like of shape (n_samples,), default=None
            Samples of one group (a patient, a site) share a fold.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each sample; only ratios matter.
        covariates : DataFrame, mapping of name -> values, or array of shape (n_samples, n_covariates), default=None
            Properties of the samples (age, sex, batch) whose effect is removed from the variates, inside the folds:
            numbers by a natural cubic spline, all others as classes. A mapping may have products too, as
            ``{"age": age, "sex": sex, "age*sex": None}``: the effect of age may then differ by sex. `transform`,
            `score`, `explain`, `predict` and `permutation_test` need the covariates too.

        Returns
        -------
        self
        """
        if is_single_table(views) and self.view_slices is None and getattr(y, "ndim", 0) == 2:
            raise ValueError("Views are given together: fit([X, Y]) instead of fit(X, Y).")
        checked = self._training_views(views)
        inputs = [v.for_core() for v in checked]
        group_numbers, weights = per_sample(checked, groups, sample_weight)
        removed = covariate_inputs(covariates, checked)
        index = next((v.index for v in checked if v.index is not None), None)
        names = [] if index is None else [str(sample) for sample in index]
        in_messages = [str(sample) for sample in range(len(checked[0].values))] if removed and not names else names
        with progress("round", self.verbose) as on_round:
            settings, engine_params = self._settings(), engine_settings(self)
            result = _core.fit(
                inputs,
                settings,
                group_numbers,
                weights,
                on_round,
                engine_params,
                sample_names=in_messages,
                covariates=removed,
            )
        self._take_model(result.model)
        self.variates_: list[NDArray[np.float32]] = list(result.variates)
        self.out_of_fold_variates_: list[NDArray[np.float32]] = list(result.out_of_fold)
        self.timings_: dict[str, float] = dict(result.timings)
        self._sample_ids_ = names
        self._take_warnings(result.warnings, checked, groups)
        return self

    def fit_transform(
        self, views: Views, y: Any = None, groups: Any = None, sample_weight: Any = None, covariates: Any = None
    ) -> Any:
        """Fit the model and return the variates of the training samples by the final model, as `transform` does."""
        self.fit(views, y, groups=groups, sample_weight=sample_weight, covariates=covariates)
        return self.transform(views, covariates=covariates)

    def _training_views(self, views: Views) -> list[View]:
        if is_single_table(views):
            checked = self._sliced(views, reset=True)
        else:
            tables = named_tables(views)
            checked = as_views(tables, self.categorical_features, min_samples=_core.min_samples)
            self.n_features_in_ = sum(v.values.shape[1] for v in checked)
        if len(checked) < 2:
            raise ValueError(f"Canonical correlation needs at least two views, got {len(checked)}.")
        check_same_samples(checked)
        return checked

    def _sliced(self, table: Table, *, reset: bool) -> list[View]:
        """One table, cut into views by `view_slices`."""
        if self.view_slices is None and not reset:
            raise ValueError(
                f"Expected {len(self.view_names_)} views ({', '.join(self.view_names_)}), got one table. "
                f'Say which view it is: view="{self.view_names_[0]}".'
            )
        if self.view_slices is None:
            raise ValueError(
                "Expected several views (a list of tables, a mapping of name -> table, a MuData), got one table of "
                f"type {type(table).__name__}. Set view_slices to say which of its columns make up each view."
            )
        X, names, index, levels = self._single_table(
            table, reset=reset, min_samples=_core.min_samples if reset else 1, min_features=2 if reset else 1
        )
        return [
            View(
                name,
                columns_at(X, columns),
                [names[c] for c in columns] if names else [],
                index,
                [levels[c] for c in columns] if levels else [],
            )
            for name, columns in split_columns(self.view_slices, X.shape[1], names)
        ]

    # Using --------------------------------------------------------------------------------------------------------

    def transform(self, views: Views, view: int | str | None = None, covariates: Any = None) -> Any:
        """Return the variates of new samples.

        Parameters
        ----------
        views : as in `fit`
            Views may be absent: None in a list, or not in a mapping. Columns of named tables and levels of categories
            are matched by name. A level that the fit did not have counts as missing, with a warning. A sample whose
            features are all NaN lacks the view: its variates are NaN.
        view : int or str, default=None
            The name or number of the view if `views` is a single table.
        covariates : as in `fit`, default=None
            Covariates of these samples; needed if the model was fitted with covariates.

        Returns
        -------
        list, dict or ndarray
            As given: a list of arrays (n_samples, n_components) for a list (None where a view was absent), a dict for a
            mapping or MuData, one array for `view=`, all views side by side for one table with `view_slices`.
        """
        check_is_fitted(self, "model_")
        if view is None and is_single_table(views):
            sliced = self._sliced(views, reset=False)
            parts = [self._variates(number, one, covariates) for number, one in enumerate(sliced)]
            return self._in_container(np.hstack(parts), sliced[0].index, self.get_feature_names_out())
        return self._each_view(views, view, lambda number, one: self._transform_view(number, one, covariates))

    def _transform_view(self, number: int, checked: View, covariates: Any) -> Any:
        variates = self._variates(number, checked, covariates)
        return self._in_container(variates, checked.index, self._variate_names(number))

    def explain(
        self,
        views: Views,
        view: int | str | None = None,
        component: int | None = None,
        interactions: bool = False,
        covariates: Any = None,
    ) -> Any:
        """Return SHAP values: the contribution of every feature to the variates of every sample.

        Exact path-dependent TreeSHAP for the variates that `transform` returns: all trees of all parts, the rotation,
        the base margin and linear CCA. For each sample and component, the base value plus the SHAP values of all
        features is the variate. A feature that is left out is averaged over the training samples that passed its
        splits. A sample that lacks the view (all its values are missing) has no variate: its numbers are NaN.

        Parameters
        ----------
        views : as in `transform`
        view : int or str, default=None
            The name or number of the view if `views` is a single table.
        component : int, default=None
            Counted from 0; None explains all components.
        interactions : bool, default=False
            SHAP interaction values of `component`: a symmetric matrix per sample, whose rows add up to the SHAP values.
            An entry off the diagonal is half of the joint contribution of two features.
        covariates : as in `transform`, default=None
            Their effect is part of the base values.

        Returns
        -------
        list, dict or Explanation
            As given, one explanation per view: a list for a list (None where a view was absent) and for one table with
            `view_slices`, a dict for a mapping or MuData, one for `view=`. An explanation is a ``shap.Explanation`` if
            the package shap is installed, else an object with the same attributes: `values` (n_samples, n_features,
            n_components), `base_values` (n_samples, n_components), `data`, `feature_names` and `output_names`.
            With `component` the last axis is absent; with `interactions` values is (n_samples, n_features, n_features).
        """
        check_is_fitted(self, "model_")
        return self._each_view(
            views, view, lambda number, one: self._explanation(number, one, component, interactions, covariates)
        )

    def _each_view(self, views: Views, view: int | str | None, compute: Callable[[int, View], Any]) -> Any:
        """compute(view number, checked view) of every view: as given, a list, a dict, or one result for `view=`."""
        if view is not None:
            return self._compute_table(self._view_number(view), views, compute)
        if is_single_table(views):
            return [compute(number, one) for number, one in enumerate(self._sliced(views, reset=False))]
        if is_named(views):
            tables = named_tables(views)
            return {
                name: self._compute_table(self._view_number(name), table, compute) for name, table in tables.items()
            }
        tables = named_tables(views, self.view_names_)
        return [
            None if table is None else self._compute_table(number, table, compute)
            for number, table in enumerate(tables.values())
        ]

    def _compute_table(self, number: int, table: Table, compute: Callable[[int, View], Any]) -> Any:
        return compute(number, self._new_view(number, table))

    def predict(
        self, views: Views, source: int | str = 0, target: int | str = 1, covariates: Any = None
    ) -> NDArray[Any]:
        """Predict the variates of one view from another, for samples without the `target` view.

        Parameters
        ----------
        views : as in `transform`, or the table of the `source` view alone
        source, target : int or str
            Position or name of the view to predict from and of the view to predict.
        covariates : as in `transform`, default=None

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        check_is_fitted(self, "model_")
        start, goal = self._view_number(source), self._view_number(target)
        if not is_single_table(views):
            tables = named_tables(views, None if is_named(views) else self.view_names_)
            table = tables.get(self.view_names_[start])
            if table is None:
                raise ValueError(f'view "{self.view_names_[start]}" is needed to predict from, but it is not given.')
            known = self._variates(start, self._new_view(start, table), covariates)
        elif self.view_slices is not None:
            known = self._variates(start, self._sliced(views, reset=False)[start], covariates)
        else:
            known = self._variates(start, self._new_view(start, views), covariates)
        guess: NDArray[Any] = known * self.model_.regression(start, goal).astype(known.dtype)
        return guess

    def score_components(self, views: Views, covariates: Any = None) -> NDArray[np.float64]:
        """Return the canonical correlations on new data per component (mean over pairs), which `score` adds up."""
        return metrics.component_correlations(self._scored_variates(views, covariates))

    def score_pairs(self, views: Views, covariates: Any = None) -> NDArray[np.float64]:
        """Return the same per pair of views: shape (n_views, n_views, n_components)."""
        return metrics.pairwise_correlations(self._scored_variates(views, covariates))

    def score(self, views: Views, y: Any = None, covariates: Any = None) -> float:
        """Return the total correlation captured on new data: the sum of the correlations, negative ones as 0.

        Warns if components repeat each other on these samples (`treecca.metrics.distinct_tcc` is more than 5% below
        `treecca.metrics.tcc`), if these are samples of the fit, and if the correlations are far below the fit's. Views
        with an index must have the same index.
        """
        return metrics.score(self._scored_variates(views, covariates))

    def _checked_views(self, views: Views, what: str) -> list[tuple[NDArray[Any], View]]:
        """Every view of the model as it was given, and its values with the model's columns."""
        check_is_fitted(self, "model_")
        if is_single_table(views):
            checked = self._sliced(views, reset=False)
        else:
            tables = self._all_tables(views, what)
            checked = [self._new_view(number, table) for number, table in enumerate(tables.values())]
            check_same_samples(checked)
        return [(self._matched(number, view), view) for number, view in enumerate(checked)]

    def _all_tables(self, views: Views, what: str) -> dict[str, Table]:
        """Every view of the model as it was given, in the model's order."""
        tables = named_tables(views, None if is_named(views) else self.view_names_)
        absent = [name for name in self.view_names_ if tables.get(name) is None]
        if absent:
            raise ValueError(f"{what} needs every view of the model; missing: {', '.join(absent)}.")
        return {name: tables[name] for name in self.view_names_}

    def _all_views(self, views: Views, covariates: Any, what: str) -> tuple[list[NDArray[Any]], Covariates]:
        """The values of every view, columns as in the model, and the covariates of the samples."""
        checked = self._checked_views(views, what)
        return [values for values, _ in checked], covariate_inputs(covariates, [view for _, view in checked])

    def _report_data(self, views: Views) -> list[NDArray[Any]]:
        return [values for values, _ in self._checked_views(views, "report")]

    def _scored_variates(self, views: Views, covariates: Any) -> list[NDArray[Any]]:
        values, given = self._all_views(views, covariates, "score")
        variates = [self._variates_of(number, one, given) for number, one in enumerate(values)]
        seen = self.model_.seen_samples(values, thread_number(self.n_jobs))
        below = self.model_.far_below_fit(list(metrics.component_correlations(variates)), _least_shared(variates))
        for warning in filter(None, (seen, below)):
            warnings.warn(warning, UserWarning, stacklevel=3)
        return variates

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True  # predict gives one column per component
        tags.target_tags.single_output = False
        return tags


def _least_shared(variates: list[NDArray[Any]]) -> int:
    """The smallest number of samples that two views share."""
    present = [~np.isnan(z).any(axis=1) for z in variates]
    return min(int((one & other).sum()) for one in present for other in present)


class TreeMCCA(TreeCCA):
    """The same as :class:`TreeCCA`, under the paper's name for more than two views."""


def fitted_with(model: _core.Model, kind: type[ModelEstimator] = TreeCCA) -> ModelEstimator:
    """An estimator with this model and the parameters that were given for it."""
    known = set(kind().get_params(deep=False))
    estimator = kind(**{name: from_text(text) for name, text in model.asked.items() if name in known})
    estimator.engine_params = dict(model.engine_params) or None
    estimator._take_model(model)
    estimator.n_features_in_ = sum(estimator.n_features_per_view_)
    return estimator


def load(path: Any) -> ModelEstimator:
    """Read a model file, written by Python, C++ or the command line.

    A model of one view is a :class:`TreeCCASSL`, any other a :class:`TreeCCA`. Its parameters are those given for
    the fit, with values of the preset filled in ("auto" stays "auto").
    """
    model = _core.Model.load(file_path(path))
    kind: type[ModelEstimator] = TreeCCA
    if model.n_views == 1:
        from ._ssl import TreeCCASSL

        kind = TreeCCASSL
    estimator = fitted_with(model, kind)
    names = estimator.feature_names_per_view_[0]
    if model.n_views == 1 and not _core.are_generated(names):
        estimator.feature_names_in_ = np.asarray(names, dtype=object)
    return estimator
