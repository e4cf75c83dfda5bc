"""Constructors of the estimators. Written by `make docs` from include/treecca/parameters.hpp: do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._augmentation import Augmentation
from ._slices import Columns


class CCAParameters:
    """The parameters of :class:`treecca.TreeCCA`."""

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_oversamples: int | None = None,
        preset: str = "default",
        objective: str | None = None,
        trees: str | None = None,
        cross_fit: int | None = None,
        n_estimators: int | None = None,
        learning_rate: float | Sequence[float] | None = None,
        max_depth: int | Sequence[int] | None = None,
        min_child_weight: float | str | Sequence[float] | None = None,
        subsample: float | Sequence[float] | None = None,
        colsample_bytree: float | str | Sequence[float] | None = None,
        reg_lambda: float | Sequence[float] | None = None,
        max_bin: int | Sequence[int] | None = None,
        screen: int | str | Sequence[int | None] | None = None,
        schedule: str | None = None,
        init: str | None = None,
        init_fade: int | None = None,
        rotate: bool | None = None,
        early_stopping_rounds: int | None = None,
        engine: str | None = None,
        engine_params: Mapping[str, Any] | None = None,
        view_slices: Sequence[Columns] | Mapping[str, Columns] | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.Generator | np.random.RandomState | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
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
        self.screen = screen
        self.schedule = schedule
        self.init = init
        self.init_fade = init_fade
        self.rotate = rotate
        self.early_stopping_rounds = early_stopping_rounds
        self.engine = engine
        self.engine_params = engine_params
        self.view_slices = view_slices
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose


class SSLParameters:
    """The parameters of :class:`treecca.TreeCCASSL`."""

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


CCA_PARAMETERS = """\
    n_components : int, default=2
        Number of components, at most half the number of samples. Range: 1 to 1024.
    n_oversamples : int, default=None: 0
        Extra components to fit; the rotation keeps the best n_components of all. Worth trying with few samples. Without
        rotation the default is 0. Range: 0 to 1024.
    preset : {"default", "paper"}, default="default"
        Values of all parameters that are not given. paper: Algorithm 1 of the TreeCCA paper. TreeCCASSL: the appendix
        of the paper.
    objective : {"whitened", "ey"}, default=None: "whitened" (preset "paper": "ey")
        Targets of the trees. whitened: whitened embeddings of the other views; ey: the paper's Eckart-Young gradient.
    trees : {"joint", "scalar"}, default=None: "joint" (preset "paper": "scalar")
        Kind of trees. joint: one per boosting round, with a vector in each leaf; scalar: one per component.
    cross_fit : int, default=None: 5 (preset "paper": 0)
        Number of folds; needed for out-of-fold correlations. 0: off, in-sample correlations only. Range: 0 to 1000.
    n_estimators : int, default=None: 150 (preset "paper": 500)
        Number of boosting rounds. Range: 1 to 1000000.
    learning_rate : float or list of float, default=None: 0.1
        Step size of every tree. Range: above 0 and up to 1.
    max_depth : int or list of int, default=None: 4 (preset "paper": 5)
        Maximum depth of a tree. Range: 1 to 16.
    min_child_weight : float, list of float or "auto", default=None: "auto" (preset "paper": 5)
        Minimum number of training rows per leaf. "auto": rows / 50, limited to 3..10. Range: 0 to 1000000000.
    subsample : float or list of float, default=None: 1 (preset "paper": 0.8)
        Fraction of the rows drawn for each boosting round. Range: above 0 and up to 1.
    colsample_bytree : float, list of float or "auto", default=None: "auto" (preset "paper": 0.8)
        Fraction of the features drawn for each tree. "auto": 100 / features, limited to 0.1..0.8. Range: above 0 and up
        to 1.
    reg_lambda : float or list of float, default=None: 1
        L2 penalty on leaf values. Range: 0 or more.
    max_bin : int or list of int, default=None: 255
        Maximum number of histogram bins per feature. Range: 2 to 255.
    screen : int, list of int or "auto", default=None: 0
        Use only this number of features per view, those that depend most on another view; for more features than
        samples. 0: all. "auto": those that beat permuted data; all if features are few, none does, or the signal is
        widespread. Each fold chooses without its own rows. Screening misses signals that exist only in interactions of
        features: compare with a fit without it. Range: 0 to 16777216.
    schedule : {"gauss-seidel", "jacobi"}, default=None: "jacobi"
        Order of updates. jacobi: all views from the same state; gauss-seidel: each from the newest state.
    init : {"pca", "pca-scaled", "random-orthogonal", "random", "zero"}, default=None: "pca"
        Initial values of the embeddings.
    init_fade : int, default=None: 20 (preset "paper": 0)
        Rounds over which the initial values fade out. 0: keep them in the model as a base margin. Range: 0 to 1000000.
    rotate : bool, default=None: True (preset "paper": False)
        Rotate the components after training, so that they are ordered and uncorrelated.
    early_stopping_rounds : int, default=None: 0
        Stop after this number of rounds without a higher out-of-fold TCC (sum of the correlations). 0: run all rounds.
        Range: 0 to 1000000.
    engine : {"native", "xgboost", "lightgbm"}, default=None: "native"
        Library that grows the trees: TreeCCA itself, or an installed XGBoost or LightGBM. The fitted model does not
        need that library. LightGBM has scalar trees only.
    engine_params : mapping, default=None
        Parameters passed on to XGBoost or LightGBM, e.g. ``{"device": "cuda"}``.
    view_slices : sequence or mapping of columns, default=None
        The columns of each view if `fit` gets one table instead of several views, as in pipelines and grid search:
        slices, lists of positions, lists of column names or masks.
    n_jobs : int, default=None: -1
        Number of threads; does not change the result. -1: all processors. -2: all but one.
    random_state : int or NumPy generator, default=None: a random seed
        Seed. The same seed gives the same model, byte for byte.
    verbose : int, default=0
        1 shows progress.
"""

SSL_PARAMETERS = """\
    n_components : int, default=2
        Number of components, at most half the number of samples. Range: 1 to 1024.
    augmentation : mapping or callable, default=None: {"swap": 0.3}
        Random change of each row. A mapping with any of: ``"swap"`` (fraction of cells that take the value of another
        row, as in SCARF), ``"mask"`` (fraction of cells that become missing), ``"sign_flip"`` (True: each cell changes
        its sign with probability 1/2), ``"noise"`` (standard deviation of Gaussian noise, relative to that of the
        feature). Or a function ``augmentation(X, rng) -> array`` of the same shape: finite numbers, or NaN where a
        value is missing. It must draw from `rng`, so that two copies differ.
    rows : {"stacked", "symmetrised"}, default=None: "stacked" (preset "paper": "symmetrised")
        stacked: trees are trained on both augmented copies; symmetrised: on the first copy, with the mean of both
        gradients.
    n_oversamples : int, default=None: 5 (preset "paper": 0)
        Extra components to fit; the rotation keeps the best n_components of all. Worth trying with few samples. Without
        rotation the default is 0. Range: 0 to 1024.
    preset : {"default", "paper"}, default="default"
        Values of all parameters that are not given. paper: Algorithm 1 of the TreeCCA paper. TreeCCASSL: the appendix
        of the paper.
    objective : {"whitened", "ey"}, default=None: "whitened" (preset "paper": "ey")
        Targets of the trees. whitened: whitened embeddings of the other views; ey: the paper's Eckart-Young gradient.
    trees : {"joint", "scalar"}, default=None: "scalar"
        Kind of trees. joint: one per boosting round, with a vector in each leaf; scalar: one per component.
    cross_fit : int, default=None: 0
        Number of folds; needed for out-of-fold correlations. 0: off, in-sample correlations only. Range: 0 to 1000.
    n_estimators : int, default=None: 150 (preset "paper": 1500)
        Number of boosting rounds. Range: 1 to 1000000.
    learning_rate : float, default=None: 0.1
        Step size of every tree. Range: above 0 and up to 1.
    max_depth : int, default=None: 7 (preset "paper": 5)
        Maximum depth of a tree. Range: 1 to 16.
    min_child_weight : float or "auto", default=None: 20 (preset "paper": 5)
        Minimum number of training rows per leaf. "auto": rows / 50, limited to 3..10. Range: 0 to 1000000000.
    subsample : float, default=None: 1 (preset "paper": 0.8)
        Fraction of the rows drawn for each boosting round. Range: above 0 and up to 1.
    colsample_bytree : float or "auto", default=None: "auto" (preset "paper": 0.8)
        Fraction of the features drawn for each tree. "auto": 100 / features, limited to 0.1..0.8. Range: above 0 and up
        to 1.
    reg_lambda : float, default=None: 1
        L2 penalty on leaf values. Range: 0 or more.
    max_bin : int, default=None: 255
        Maximum number of histogram bins per feature. Range: 2 to 255.
    init : {"pca", "pca-scaled", "random-orthogonal", "random", "zero"}, default=None: "random-orthogonal"
        Initial values of the embeddings.
    init_fade : int, default=None: 20 (preset "paper": 0)
        Rounds over which the initial values fade out. 0: keep them in the model as a base margin. Range: 0 to 1000000.
    rotate : bool, default=None: True (preset "paper": False)
        Rotate the components after training, so that they are ordered and uncorrelated.
    engine : {"native", "xgboost", "lightgbm"}, default=None: "native"
        Library that grows the trees: TreeCCA itself, or an installed XGBoost or LightGBM. The fitted model does not
        need that library. LightGBM has scalar trees only.
    engine_params : mapping, default=None
        Parameters passed on to XGBoost or LightGBM, e.g. ``{"device": "cuda"}``.
    n_jobs : int, default=None: -1
        Number of threads; does not change the result. -1: all processors. -2: all but one.
    random_state : int or NumPy generator, default=None: a random seed
        Seed. The same seed gives the same model, byte for byte.
    verbose : int, default=0
        1 shows progress.
"""
