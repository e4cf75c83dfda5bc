"""TreeCCA-SSL: learns from one table without labels."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._augmentation import core_augmentation
from ._base import ModelEstimator
from ._engines import engine_settings
from ._progress import progress
from ._samples import per_sample
from ._signature import SSL_PARAMETERS, SSLParameters
from ._views import View

_ROWS = ("stacked", "symmetrised")


class TreeCCASSL(SSLParameters, ModelEstimator):
    __doc__ = f"""Self-supervised learning with gradient-boosted trees (TreeCCA-SSL).

    Each boosting round draws two augmented copies of all rows, and one shared encoder is trained so that the embeddings
    of the two copies correlate. The components ignore properties that the augmentation changes: choose one that
    changes only irrelevant properties. `transform` embeds rows without augmentation.

    A parameter that is None takes the value of the preset, shown after "default=None:".

    Parameters
    ----------
{SSL_PARAMETERS}
    Attributes
    ----------
    correlations_ : ndarray of shape (n_components,)
        Out-of-fold correlations between two new augmented copies, in the order of the components. NaN without
        cross-fitting.
    standard_errors_ : ndarray of shape (n_components,)
        Standard errors of `correlations_`. NaN without cross-fitting.
    found_ : ndarray of bool of shape (n_components,)
        Whether the component is above noise: its correlation exceeds the noise threshold. False without
        cross-fitting.
    linear_weight_, candidates_ : float, list of dict
        As in :class:`TreeCCA`: here always 0 and one row, because trees are not blended with linear CCA.
    train_correlations_ : ndarray of shape (n_components,)
        In-sample correlations between two new augmented copies.
    linear_correlations_, linear_train_correlations_ : ndarray of shape (n_components,)
        Out-of-fold and in-sample correlations of linear CCA between the two copies.
    feature_importances_ : ndarray of shape (n_features,)
        Importance (gain) of each feature; sums to 1.
    component_importances_ : list with one ndarray of shape (n_components, n_features)
        The same per component.
    history_ : dict of ndarray
        Per round: "round" (from 1), "loss", "tcc" (out-of-fold with cross-fitting), "train_tcc", "variance".
    embedding_ : ndarray of shape (n_samples, n_components)
        Variates of the training samples, as `transform` gives them.
    n_iter_ : int
        Number of boosting rounds that were kept.
    timings_ : dict of float
        Seconds per stage of the fit.
    warnings_ : list of str
        Warnings of the fit.
    model_ : treecca._core.Model
        The model itself; `save` writes it, `treecca.load` reads it.

    Examples
    --------
    >>> import numpy as np
    >>> from treecca import TreeCCASSL
    >>> rng = np.random.default_rng(0)
    >>> size = np.abs(rng.normal(size=(300, 1)))
    >>> X = size * rng.choice([-1, 1], size=(300, 6)) + 0.1 * rng.normal(size=(300, 6))
    >>> model = TreeCCASSL(1, augmentation={{"sign_flip": True, "noise": 0.1}}, n_estimators=30, random_state=0).fit(X)
    >>> bool(abs(np.corrcoef(model.transform(X)[:, 0], size[:, 0])[0, 1]) > 0.9)
    True
    """

    def fit(self, X: Any, y: Any = None, groups: Any = None) -> TreeCCASSL:
        """Fit the model.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            NaN is a missing value.
        y : ignored
            Accepted for compatibility with scikit-learn.
        groups : array-like of shape (n_samples,), default=None
            Samples of one group share a fold.

        Returns
        -------
        self
        """
        view = self._view(X, reset=True)
        group_numbers, _ = per_sample([view], groups, None)
        if self.rows is not None and self.rows not in _ROWS:
            raise ValueError(f"The 'rows' parameter must be one of {', '.join(_ROWS)}, got {self.rows!r}.")
        if self.preset == "auto":
            warnings.warn(
                'TreeCCASSL uses preset="plain" instead of "auto": one table has no parts to fit, and no linear CCA to '
                "blend with.",
                UserWarning,
                stacklevel=2,
            )
        settings = self._settings()
        built_in, augment = core_augmentation(self.augmentation, view.values, int(dict(settings)["random_state"]))
        with progress("round", self.verbose) as on_round:
            result = _core.fit_ssl(
                view.for_core(),
                settings,
                built_in,
                augment,
                None if self.rows is None else self.rows == "symmetrised",
                group_numbers,
                on_round,
                engine_settings(self),
            )
        self._take_model(result.model)
        self.embedding_: NDArray[np.float32] = result.variates[0]
        self.timings_: dict[str, float] = dict(result.timings)
        self._take_warnings(result.warnings, [view], groups)
        return self

    def _take_model(self, model: _core.Model) -> None:
        super()._take_model(model)
        self.feature_importances_: NDArray[np.float64] = self.feature_importances_per_view_[0]

    def transform(self, X: Any) -> Any:
        """Return the variates of new samples, without augmentation: shape (n_samples, n_components)."""
        check_is_fitted(self, "model_")
        view = self._view(X, reset=False)
        return self._in_container(self._variates(0, view), view.index, self.get_feature_names_out())

    def explain(self, X: Any, component: int | None = None, interactions: bool = False) -> Any:
        """Return SHAP values: the contribution of every feature to the variates of every sample.

        As :meth:`TreeCCA.explain`, for one table: returns one explanation.
        """
        check_is_fitted(self, "model_")
        return self._explanation(0, self._view(X, reset=False), component, interactions)

    def _view(self, X: Any, *, reset: bool) -> View:
        values, names, index, levels = self._single_table(X, reset=reset, min_samples=_core.min_samples if reset else 1)
        return View("X", values, names, index, levels)
