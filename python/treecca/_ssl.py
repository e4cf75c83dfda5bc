"""Learning from one table without labels: TreeCCA-SSL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._augmentation import Augmentation, core_augmentation
from ._base import ModelEstimator
from ._engines import engine_settings
from ._progress import Progress
from ._samples import per_sample
from ._views import View

_ROWS = ("stacked", "symmetrised")


class TreeCCASSL(ModelEstimator):
    """Self-supervised learning with gradient-boosted trees (TreeCCA-SSL).

    Two disturbed copies of all rows (augmentations) are drawn in every round, and one shared encoder is boosted so that
    the embeddings of the two copies correlate. What it finds is what survives the disturbance; choose one that leaves
    alone what matters. `transform` embeds rows as they are.

    Parameters left at None take the value of the preset; the reference of all parameters is docs/parameters.md.

    Parameters
    ----------
    n_components : int, default=2
        Number of components to find; at most half the number of samples.
    augmentation : mapping or callable, default=None
        How rows are disturbed. A mapping of any of: ``"swap"`` (share of cells that take the value of another row, as
        in SCARF), ``"mask"`` (share of cells that become missing), ``"sign_flip"`` (True: every cell changes its sign
        with probability 1/2), ``"noise"`` (standard deviation of Gaussian noise, in units of the feature's own). Or a
        function ``augmentation(X, rng) -> array`` of the same shape: finite numbers, NaN where a value is missing, and
        two copies that differ because they are drawn from `rng`. None stands for ``{"swap": 0.3}``.
    rows : {"stacked", "symmetrised"}, default=None
        Let trees learn from both copies, or (as in the paper) from the first with the mean of both gradients. None
        takes "stacked", and "symmetrised" with ``preset="paper"``.
    n_oversamples : int, default=None
        Components fitted beyond those asked for; the rotation keeps the best. None takes 5, and 0 without rotation or
        with ``preset="paper"``.
    preset : {"default", "paper"}, default="default"
        Where unset parameters come from. "paper" follows the appendix of the TreeCCA paper.
    objective, trees, cross_fit, n_estimators, learning_rate, max_depth, min_child_weight, subsample, \
colsample_bytree, reg_lambda, max_bin, init, init_fade, rotate, engine, engine_params, n_jobs, random_state, verbose
        As in :class:`TreeCCA`. Cross-fitting is off unless it is asked for: it makes the correlations honest for rows
        that were not seen.

    Attributes
    ----------
    correlations_ : ndarray of shape (n_components,)
        Correlations between two fresh copies of rows that the trees have not seen. NaN without cross-fitting.
    train_correlations_ : ndarray of shape (n_components,)
        The same for the training rows.
    linear_correlations_, linear_train_correlations_ : ndarray of shape (n_components,)
        Linear CCA of the two copies: what a linear encoder could find.
    feature_importances_ : ndarray of shape (n_features,)
        Gain per feature; sums to 1.
    component_importances_ : list with one ndarray of shape (n_components, n_features)
        The same per component.
    history_ : dict of ndarray
        Per round: "loss", "tcc" (out of fold with cross-fitting), "train_tcc", "variance".
    embedding_ : ndarray of shape (n_samples, n_components)
        The training rows, as `transform` gives them.
    n_iter_ : int
    timings_ : dict of float
    warnings_ : list of str
    model_ : treecca._core.Model

    Examples
    --------
    >>> import numpy as np
    >>> from treecca import TreeCCASSL
    >>> rng = np.random.default_rng(0)
    >>> size = np.abs(rng.normal(size=(300, 1)))
    >>> X = size * rng.choice([-1, 1], size=(300, 6)) + 0.1 * rng.normal(size=(300, 6))
    >>> model = TreeCCASSL(1, augmentation={"sign_flip": True, "noise": 0.1}, n_estimators=30, random_state=0).fit(X)
    >>> bool(abs(np.corrcoef(model.transform(X)[:, 0], size[:, 0])[0, 1]) > 0.9)
    True
    """

    def __init__(
        self,
        n_components: int = 2,
        *,
        augmentation: Mapping[str, Any] | Augmentation | None = None,
        rows: str | None = None,
        n_oversamples: int | None = None,
        preset: str = "default",
        objective: str | None = None,
        trees: str | None = None,
        cross_fit: int | None = None,
        n_estimators: int | None = None,
        learning_rate: float | None = None,
        max_depth: int | None = None,
        min_child_weight: float | str | None = None,
        subsample: float | None = None,
        colsample_bytree: float | str | None = None,
        reg_lambda: float | None = None,
        max_bin: int | None = None,
        init: str | None = None,
        init_fade: int | None = None,
        rotate: bool | None = None,
        engine: str | None = None,
        engine_params: Mapping[str, Any] | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.Generator | np.random.RandomState | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.augmentation = augmentation
        self.rows = rows
        self.n_oversamples = n_oversamples
        self.preset = preset
        self.objective = objective
        self.trees = trees
        self.cross_fit = cross_fit
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.max_depth = max_depth
        self.min_child_weight = min_child_weight
        self.subsample = subsample
        self.colsample_bytree = colsample_bytree
        self.reg_lambda = reg_lambda
        self.max_bin = max_bin
        self.init = init
        self.init_fade = init_fade
        self.rotate = rotate
        self.engine = engine
        self.engine_params = engine_params
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None, groups: Any = None) -> TreeCCASSL:
        """Fits the model.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            NaN is a missing value.
        y : ignored
            For scikit-learn's sake.
        groups : array-like of shape (n_samples,), default=None
            Samples of one group share a fold of cross-fitting.

        Returns
        -------
        self
        """
        view = self._view(X, reset=True)
        group_numbers, _ = per_sample([view], groups, None)
        if self.rows is not None and self.rows not in _ROWS:
            raise ValueError(f"The 'rows' parameter must be one of {', '.join(_ROWS)}, got {self.rows!r}.")
        rows = self.rows or ("symmetrised" if self.preset == "paper" else "stacked")
        settings = self._settings()
        built_in, augment = core_augmentation(self.augmentation, view.values, int(dict(settings)["random_state"]))
        progress = Progress() if self.verbose else None
        try:
            result = _core.fit_ssl(
                (view.name, view.values, view.feature_names),
                settings,
                built_in,
                augment,
                rows == "symmetrised",
                group_numbers,
                progress,
                engine_settings(self),
            )
        finally:
            if progress is not None:
                progress.close()
        self._take_model(result.model)
        self.embedding_: NDArray[np.float32] = result.variates[0]
        self.timings_: dict[str, float] = dict(result.timings)
        self._take_warnings(result.warnings, [view], groups)
        return self

    def _take_model(self, model: _core.Model) -> None:
        super()._take_model(model)
        self.feature_importances_: NDArray[np.float64] = self.feature_importances_per_view_[0]

    def transform(self, X: Any) -> Any:
        """The components of rows as they are: an array of shape (n_samples, n_components)."""
        check_is_fitted(self, "model_")
        view = self._view(X, reset=False)
        return self._in_container(self._variates(0, view), view.index, self.get_feature_names_out())

    def _view(self, X: Any, *, reset: bool) -> View:
        values, names, index = self._single_table(X, reset=reset, min_samples=10 if reset else 1)
        return View("X", values, names, index)
