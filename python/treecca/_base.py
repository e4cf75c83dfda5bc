"""Base of all estimators: parameters for the core, the fitted model and its attributes."""

from __future__ import annotations

import numbers
import os
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from . import _core
from ._categories import Levels, check_named, encoded, of_view
from ._containers import OutputContainer
from ._covariates import Covariates, covariate_inputs
from ._explain import explanation
from ._parameters import as_setting, thread_number
from ._screen import screening_of
from ._views import (
    View,
    aligned,
    as_view,
    cells_named,
    float_types,
    frame_values,
    is_polars,
    is_sound,
    match_columns,
    repeated_index_warning,
)

# Python's own parameters; all others go to the core by name.
_NOT_FOR_THE_CORE = {
    "verbose",
    "view_slices",
    "categorical_features",
    "random_state",
    "augmentation",
    "rows",
    "engine_params",
}


def file_path(path: Any) -> str:
    """A path as text. ValueError for a path that the system would cut off or that is not Unicode."""
    text = os.fsdecode(path)
    if "\0" in text:
        raise ValueError(f"The path {text!r} has a null character.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"The path {text!r} is not valid Unicode text.") from None
    return text


class ModelEstimator(OutputContainer, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Passes the parameters to the core and keeps the fitted `model_`; subclasses define `fit` and `transform`."""

    def _core_parameters(self) -> list[str]:
        """Names of the parameters that the core has."""
        return [name for name in self.get_params(deep=False) if name not in _NOT_FOR_THE_CORE]

    def _settings(self) -> list[tuple[str, str]]:
        """(name, text) of every parameter that is given, the preset first: it sets all others."""
        settings = [(name, as_setting(name, getattr(self, name))) for name in ("preset", "random_state")]
        for name in self._core_parameters():
            value = getattr(self, name)
            if value is not None and name != "preset":
                settings.append((name, as_setting(name, value)))
        return settings

    def _single_table(
        self, table: Any, *, reset: bool, min_samples: int, min_features: int = 1
    ) -> tuple[NDArray[Any], list[str], Any, Levels]:
        """(numbers, column names or none, index or None, levels) of a table, checked by scikit-learn's rules."""
        categorical = self.categorical_features
        if isinstance(categorical, Mapping):
            raise ValueError("categorical_features of one table lists its columns; a mapping is for several views.")
        if reset and categorical is not None and hasattr(table, "columns"):
            check_named(categorical, {"X": [str(column) for column in table.columns]})
        table, levels = encoded("X", table, of_view(categorical, "X"))
        index = getattr(table, "index", None) if hasattr(table, "iloc") else None
        rules = {
            "dtype": float_types(table),
            "accept_sparse": True,
            "ensure_all_finite": "allow-nan",
            "ensure_min_samples": min_samples,
            "ensure_min_features": min_features,
        }
        with cells_named(table, [str(column) for column in getattr(table, "columns", [])]):
            if is_polars(table):  # which scikit-learn would copy twice
                validate_data(self, table, reset=reset, skip_check_array=True)
                values = check_array(frame_values("X", table), estimator=self, input_name="X", **rules)
            elif is_sound(table, min_samples) and table.shape[1] >= min_features:
                values = validate_data(self, table, reset=reset, skip_check_array=True)
            else:
                values = validate_data(self, table, reset=reset, **rules)
        if hasattr(values, "toarray"):
            values = values.toarray()
        values = aligned(values)
        names = list(self.feature_names_in_) if hasattr(self, "feature_names_in_") else []
        return values, names, index, levels

    def _take_model(self, model: _core.Model) -> None:
        """Set the attributes that follow from the model alone."""
        self.model_ = model
        views = range(model.n_views)
        correlations = model.correlations
        out_of_fold = correlations["out_of_fold"]
        unknown = np.full(model.n_components, np.nan)
        self.correlations_: NDArray[np.float64] = out_of_fold if len(out_of_fold) else unknown
        errors = correlations["standard_errors"]
        self.standard_errors_: NDArray[np.float64] = errors if len(errors) else unknown.copy()
        intervals = correlations["intervals"]
        self.correlation_intervals_: NDArray[np.float64] = (
            intervals if len(intervals) else np.full((model.n_components, 2), np.nan)
        )
        self.found_: NDArray[np.bool_] = np.asarray(model.found or [False] * model.n_components, dtype=bool)
        self.candidates_: list[dict[str, Any]] = [
            {**one, "correlations": one["correlations"] if len(one["correlations"]) else unknown.copy()}
            for one in model.candidates
        ]
        self.linear_weight_: float = next(one["linear"] for one in self.candidates_ if one["chosen"])
        self.train_correlations_: NDArray[np.float64] = correlations["in_sample"]
        linear = correlations["linear_out_of_fold"]
        self.linear_correlations_: NDArray[np.float64] = linear if len(linear) else unknown.copy()
        self.linear_train_correlations_: NDArray[np.float64] = correlations["linear_in_sample"]
        pairwise = correlations["pairwise"]
        self.pairwise_correlations_: NDArray[np.float64] = (
            pairwise if len(out_of_fold) else np.full_like(pairwise, np.nan)
        )
        errors = correlations.get("pairwise_standard_errors")
        self.pairwise_standard_errors_: NDArray[np.float64] = (
            np.full_like(pairwise, np.nan) if errors is None else errors
        )
        shared = np.asarray(model.shared_samples, dtype=np.int64).reshape(-1, model.n_views)
        everywhere = np.full((model.n_views, model.n_views), model.n_samples, dtype=np.int64)
        self.shared_samples_: NDArray[np.int64] = shared if len(shared) else everywhere
        pairwise_intervals = correlations.get("pairwise_intervals")
        self.pairwise_correlation_intervals_: NDArray[np.float64] = (
            np.full((*pairwise.shape, 2), np.nan) if pairwise_intervals is None else pairwise_intervals
        )
        self.found_pairs_: NDArray[np.bool_] = np.asarray(
            model.found_pairs or [False] * pairwise.size, dtype=bool
        ).reshape(pairwise.shape)
        self.view_names_: list[str] = [model.view_name(v) for v in views]
        self.feature_names_per_view_: list[list[str]] = [list(model.feature_names(v)) for v in views]
        self.levels_per_view_: list[dict[str, list[str]]] = [
            {name: levels for name, levels in zip(names, model.levels(v), strict=False) if levels}
            for v, names in enumerate(self.feature_names_per_view_)
        ]
        self.n_features_per_view_: list[int] = [len(names) for names in self.feature_names_per_view_]
        self.feature_importances_per_view_: list[NDArray[np.float64]] = [model.feature_importances(v) for v in views]
        self.component_importances_: list[NDArray[np.float64]] = [model.component_importances(v) for v in views]
        self._take_loadings(model)
        self.covariates_: list[str] = list(model.covariates)
        self.linear_unadjusted_correlations_: NDArray[np.float64] | None = (
            correlations["linear_unadjusted"] if len(correlations["linear_unadjusted"]) else None
        )
        self.history_: dict[str, NDArray[np.float64]] = dict(model.history)
        self.screening_: list[dict[str, NDArray[Any]] | None] = [
            screening_of(model, v, self.view_names_, self.feature_names_per_view_) for v in views
        ]
        self.n_iter_: int = model.rounds

    def _take_loadings(self, model: _core.Model) -> None:
        known = [model.loadings(v) for v in range(model.n_views)]
        shapes = [(features, model.n_components) for features in self.n_features_per_view_]

        def arrays(kind: str, which: int, *more: int) -> list[NDArray[np.float64]]:
            nothing = [np.full((*shape, *more), np.nan) for shape in shapes]
            return [one[kind][which] if kind in one else other for one, other in zip(known, nothing, strict=True)]

        self.loadings_: list[NDArray[np.float64]] = arrays("own", 0)
        self.loading_intervals_: list[NDArray[np.float64]] = arrays("own", 1, 2)
        self.cross_loadings_: list[NDArray[np.float64]] = arrays("cross", 0)
        self.cross_loading_intervals_: list[NDArray[np.float64]] = arrays("cross", 1, 2)
        views = range(model.n_views)
        unknown = np.full(model.n_components, np.nan)
        self.explained_variance_: list[NDArray[np.float64]] = [
            model.explained_variance(v) if "own" in known[v] else unknown.copy() for v in views
        ]
        self.redundancy_: list[NDArray[np.float64]] = [
            model.redundancy(v) if "cross" in known[v] else unknown.copy() for v in views
        ]

    def _take_warnings(self, warned: list[str], views: list[View], groups: Any) -> None:
        """Issue the warnings of the fit, and a warning of repeated index labels, which the core does not know."""
        self.warnings_: list[str] = list(warned)
        repeats = (
            repeated_index_warning(views) if groups is None and self.model_.parameters["cross_fit"] != "off" else None
        )
        if repeats is not None:
            self.warnings_.append(repeats)
        for warning in self.warnings_:
            warnings.warn(warning, UserWarning, stacklevel=3)

    def _training_variates(self) -> tuple[list[NDArray[Any]], bool]:
        """(variates of the training samples per view, whether they are out-of-fold); no variates for a loaded model."""
        out_of_fold = getattr(self, "out_of_fold_variates_", None)
        return (out_of_fold, True) if out_of_fold else (getattr(self, "variates_", []), False)

    def _view_number(self, view: int | str) -> int:
        if isinstance(view, str):
            if view not in self.view_names_:
                raise ValueError(f'The model has no view "{view}"; its views are: {", ".join(self.view_names_)}.')
            return self.view_names_.index(view)
        if not 0 <= view < len(self.view_names_):
            raise ValueError(f"The model has views 0 to {len(self.view_names_) - 1}, not {view}.")
        return int(view)

    def _component_number(self, component: int) -> int:
        n = self.model_.n_components
        if not isinstance(component, numbers.Integral) or not 0 <= component < n:
            raise ValueError(f"The model has components 0 to {n - 1}, not {component}.")
        return int(component)

    def _variate_names(self, number: int) -> list[str]:
        return [f"{self.view_names_[number]}_{k + 1}" for k in range(self.model_.n_components)]

    def _variates(self, number: int, view: View, covariates: Any = None) -> NDArray[Any]:
        values = self._matched(number, view)
        return self._variates_of(number, values, covariate_inputs(covariates, [view]))

    def _matched(self, number: int, view: View) -> NDArray[Any]:
        """Columns and levels as in the model."""
        return match_columns(view, self.feature_names_per_view_[number], self.model_.levels(number))

    def _new_view(self, number: int, table: Any) -> View:
        """A checked table of a view of the model; its categorical columns are as in the model."""
        names = self.feature_names_per_view_[number]
        positions = [j for j, levels in enumerate(self.model_.levels(number)) if levels]
        columns = [str(column) for column in getattr(table, "columns", [])]
        by_name = any(names[j] in columns for j in positions)
        return as_view(self.view_names_[number], table, categorical=[names[j] if by_name else j for j in positions])

    def _variates_of(self, number: int, values: NDArray[Any], covariates: Covariates) -> NDArray[Any]:
        """Columns as in the model."""
        self._warn_if_far(number, values)
        variates = self.model_.transform(number, values, thread_number(self.n_jobs), covariates)
        return variates.astype(values.dtype, copy=False)  # computed in single precision, returned as given

    def _warn_if_far(self, number: int, values: NDArray[Any]) -> None:
        far = self.model_.far_from_training(number, values, thread_number(self.n_jobs))
        if far:
            warnings.warn(far, UserWarning, stacklevel=5)

    def _explanation(
        self, number: int, view: View, component: int | None, interactions: bool, covariates: Any = None
    ) -> Any:
        """SHAP values of the samples of one view."""
        names = self.feature_names_per_view_[number]
        outputs = [f"cc{k + 1}" for k in range(self.model_.n_components)]
        data = self._matched(number, view)
        threads = thread_number(self.n_jobs)
        self._warn_if_far(number, data)
        effect = self.model_.covariate_effect(number, covariate_inputs(covariates, [view]), len(data))
        k = None if component is None else self._component_number(component)
        if interactions:
            if k is None:
                raise ValueError("interactions=True needs a component: component=0 for the first.")
            values = self.model_.shap_interactions(number, data, k, threads)
            base = self.model_.shap_values(number, data[:0], threads)[1]
        else:
            values, base = self.model_.shap_values(number, data, threads)
            if k is not None:
                values = np.ascontiguousarray(values[:, :, k])
        bases = base - effect
        bases[np.isnan(values).reshape(len(data), -1).any(axis=1)] = np.nan  # samples that lack the view
        if k is None:
            return explanation(values, bases, data, names, outputs)
        return explanation(values, bases[:, k], data, names, outputs[k])

    def importances(
        self, view: int | str | None = None, component: int | None = None, kind: str = "gain"
    ) -> dict[str, Any]:
        """Return the features by descending importance.

        {"feature": names, "importance": fractions that sum to 1 in each view}: a dictionary of equally long arrays, as
        ``pandas.DataFrame`` takes it.

        Parameters
        ----------
        view : int or str, default=None
            None takes all views, one after the other, and adds their names: "view".
        component : int, default=None
            Counted from 0; None takes all components together, including components below noise.
        kind : {"gain", "trees", "linear", "cover", "splits"}
            gain: fraction of the trees' loss reduction, blended with linear CCA's squared standardised coefficients as
            in the variates; trees, linear: only this part. cover, splits: training rows that reach a split, and number
            of splits; with joint trees these are equal for all components.
        """
        check_is_fitted(self, "model_")
        if view is None:
            tables = [self.importances(name, component, kind) for name in self.view_names_]
            names = np.repeat(np.asarray(self.view_names_, dtype=object), self.n_features_per_view_)
            return {"view": names} | {key: np.concatenate([one[key] for one in tables]) for key in tables[0]}
        number = self._view_number(view)
        if component is None:
            values = self.model_.feature_importances(number, kind)
        else:
            values = self.model_.component_importances(number, kind)[self._component_number(component)]
        order = np.argsort(-values, kind="stable")
        names = np.asarray(self.feature_names_per_view_[number], dtype=object)
        return {"feature": names[order], "importance": values[order]}

    def loadings(self, view: int | str | None = None, component: int = 0) -> dict[str, Any]:
        """Return the features by descending absolute loading on one component, with 95% intervals.

        {"feature": names, "loading": correlations with the variate of the view, "low", "high": its interval,
        "cross_loading": correlations with the mean variate of the other views, "cross_low", "cross_high"}: a dictionary
        of equally long arrays, as ``pandas.DataFrame`` takes it. A loading is a linear correlation: if a variate
        depends on the square of a feature, its loading is near 0, but its importance is not.

        Parameters
        ----------
        view : int or str, default=None
            None takes all views, one after the other, and adds their names: "view".
        component : int, default=0
            Counted from 0.
        """
        check_is_fitted(self, "model_")
        if view is None:
            tables = [self.loadings(name, component) for name in self.view_names_]
            views = np.repeat(np.asarray(self.view_names_, dtype=object), self.n_features_per_view_)
            return {"view": views} | {key: np.concatenate([one[key] for one in tables]) for key in tables[0]}
        v, k = self._view_number(view), self._component_number(component)
        order = np.argsort(-np.abs(self.loadings_[v][:, k]), kind="stable")
        own, cross = self.loading_intervals_[v][order, k], self.cross_loading_intervals_[v][order, k]
        return {
            "feature": np.asarray(self.feature_names_per_view_[v], dtype=object)[order],
            "loading": self.loadings_[v][order, k],
            "low": own[:, 0],
            "high": own[:, 1],
            "cross_loading": self.cross_loadings_[v][order, k],
            "cross_low": cross[:, 0],
            "cross_high": cross[:, 1],
        }

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the names of the variates of all views in order: view_1, view_2, ..."""
        check_is_fitted(self, "model_")
        names = [name for number in range(len(self.view_names_)) for name in self._variate_names(number)]
        return np.asarray(names, dtype=object)

    def save(self, path: Any) -> None:
        """Write the model file (.json or .ubj) atomically; `treecca.load` and the command line read it."""
        check_is_fitted(self, "model_")
        self.model_.save(file_path(path))

    def export(self, folder: Any, format: str) -> list[str]:
        """Write the model for another program, one file per view, and return the paths.

        Each file computes the variates of its view as `transform` does, in single precision.

        Parameters
        ----------
        folder : str or path
            Created if missing. Files are named after the views.
        format : {"xgboost", "xgboost-ubj", "treelite", "onnx"}
            XGBoost's JSON or UBJSON, Treelite's serialisation, or ONNX (input "features", output "variates").
        """
        check_is_fitted(self, "model_")
        return list(self.model_.export(file_path(folder), format))

    def report(self, path: Any, labels: Any = None, views: Any = None) -> None:
        """Write a report of the fit: one HTML file without external resources.

        Parameters
        ----------
        path : str or path
            Name of the file, e.g. "report.html".
        labels : array-like of shape (n_samples,), default=None
            Classes of the training samples, shown as colours. If there are more than 20 different labels, numbers
            become five ranges; of other labels the 19 most frequent are shown, the rest as "other".
        views : as in `score`, default=None
            Samples whose SHAP values the report shows (at most 100, evenly spaced): usually the samples of the fit.
            None leaves SHAP values out.
        """
        check_is_fitted(self, "model_")
        target = file_path(path)
        if not target.lower().endswith((".html", ".htm")):
            raise ValueError(f'A report is an HTML file: call it "report.html", not {target!r}.')
        variates, out_of_fold = self._training_variates()
        n_samples = len(variates[0]) if variates else 0
        if labels is not None and not variates:
            raise ValueError(
                "labels colour the training samples of two or more views, which this model does not hold: it was read "
                "from a file, or has a single view. Leave the labels out."
            )
        values = np.asarray([] if labels is None else labels)
        if labels is not None and values.shape != (n_samples,):
            raise ValueError(
                f"labels must have one entry per training sample: expected shape ({n_samples},), got {values.shape}."
            )
        given = [str(label) for label in values]
        data = [] if views is None else self._report_data(views)
        html = _core.report_html(
            self.model_,
            variates,
            out_of_fold,
            getattr(self, "_sample_ids_", []),
            given,
            getattr(self, "warnings_", []),
            getattr(self, "timings_", {}),
            data,
        )
        _core.write_file(target, html)

    def _report_data(self, views: Any) -> list[NDArray[Any]]:
        raise ValueError("A report of a single view shows no SHAP values. Leave views out.")

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        """The parameters and, if fitted, the correlations."""
        text = str(super().__repr__(N_CHAR_MAX))
        return f"{text}\n{self._findings()}" if hasattr(self, "model_") else text

    def _findings(self) -> str:
        known = not np.isnan(self.correlations_).any()
        shown = self.correlations_ if known else self.train_correlations_
        numbers = ", ".join(f"{r:.2f}" for r in shown[:10]) + (", ..." if len(shown) > 10 else "")
        sizes = zip(self.view_names_, self.n_features_per_view_, strict=True)
        views = ", ".join(f"{name} ({features} features)" for name, features in sizes)
        found = (
            f"{int(self.found_.sum())} of {len(shown)} components above noise; out-of-fold" if known else "in-sample"
        )
        return f"Fitted to {self.model_.n_samples} samples of {views}: {found} correlations {numbers}"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")
