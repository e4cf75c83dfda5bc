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
        preset: str = "auto",
        n_repeats: int | str | None = None,
        linear: float | str | None = None,
        cross_fit: int | str | None = None,
        n_estimators: int | str | None = None,
        learning_rate: float | str | Sequence[float] | None = None,
        max_depth: int | str | Sequence[int] | None = None,
        min_child_weight: float | str | Sequence[float] | None = None,
        subsample: float | Sequence[float] | None = None,
        colsample_bytree: float | str | Sequence[float] | None = None,
        reg_lambda: float | Sequence[float] | None = None,
        max_bin: int | Sequence[int] | None = None,
        screen: int | str | Sequence[int | None] | None = None,
        trees: str | None = None,
        sketch: int | str | None = None,
        leaf_sweeps: int | str | None = None,
        n_oversamples: int | str | None = None,
        rotate: bool | None = None,
        objective: str | None = None,
        schedule: str | None = None,
        init: str | None = None,
        init_fade: int | None = None,
        early_stopping_rounds: int | None = None,
        engine: str | None = None,
        engine_params: Mapping[str, Any] | None = None,
        view_slices: Sequence[Columns] | Mapping[str, Columns] | None = None,
        categorical_features: Sequence[Any] | Mapping[str, Sequence[Any]] | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.Generator | np.random.RandomState | None = None,
        verbose: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.preset = preset
        self.n_repeats = n_repeats
        self.linear = linear
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
        self.trees = trees
        self.sketch = sketch
        self.leaf_sweeps = leaf_sweeps
        self.n_oversamples = n_oversamples
        self.rotate = rotate
        self.objective = objective
        self.schedule = schedule
        self.init = init
        self.init_fade = init_fade
        self.early_stopping_rounds = early_stopping_rounds
        self.engine = engine
        self.engine_params = engine_params
        self.view_slices = view_slices
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose


CCAParameters.__init__.__qualname__ = "TreeCCA.__init__"  # for errors


class SSLParameters:
    """The parameters of :class:`treecca.TreeCCASSL`."""

    def __init__(
        self,
        n_components: int = 2,
        *,
        augmentation: Mapping[str, Any] | Augmentation | None = None,
        rows: str | None = None,
        preset: str = "plain",
        cross_fit: int | str | None = None,
        n_estimators: int | str | None = None,
        learning_rate: float | str | None = None,
        max_depth: int | str | None = None,
        min_child_weight: float | str | None = None,
        subsample: float | None = None,
        colsample_bytree: float | str | None = None,
        reg_lambda: float | None = None,
        max_bin: int | None = None,
        trees: str | None = None,
        sketch: int | str | None = None,
        n_oversamples: int | str | None = None,
        rotate: bool | None = None,
        objective: str | None = None,
        init: str | None = None,
        init_fade: int | None = None,
        engine: str | None = None,
        engine_params: Mapping[str, Any] | None = None,
        categorical_features: Sequence[Any] | Mapping[str, Sequence[Any]] | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.Generator | np.random.RandomState | None = None,
        verbose: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.augmentation = augmentation
        self.rows = rows
        self.preset = preset
        self.cross_fit = cross_fit
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.max_depth = max_depth
        self.min_child_weight = min_child_weight
        self.subsample = subsample
        self.colsample_bytree = colsample_bytree
        self.reg_lambda = reg_lambda
        self.max_bin = max_bin
        self.trees = trees
        self.sketch = sketch
        self.n_oversamples = n_oversamples
        self.rotate = rotate
        self.objective = objective
        self.init = init
        self.init_fade = init_fade
        self.engine = engine
        self.engine_params = engine_params
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose


SSLParameters.__init__.__qualname__ = "TreeCCASSL.__init__"  # for errors


CCA_PARAMETERS = """\
    n_components : int, default=2
        Number of components, 1 to half the number of samples. Range: 1 to 1024.
    preset : {"auto", "plain", "paper"}, default="auto"
        Values of all parameters that are not given. auto: several fits on parts of the samples, averaged, with linear
        CCA where it is better; plain: one cross-fit; paper: Algorithm 1 of the TreeCCA paper.
    n_repeats : int or "auto", default=None: "auto" (preset "plain": 0, preset "paper": 0)
        Number of random splits into five folds. One part is fitted without each fold and scored on it; the model is the
        mean of all parts. 0: one cross-fit of all samples. "auto": 3 below 200 samples, 2 below 1,000, 1 below 20,000,
        else 0. Range: 0 to 20.
    linear : float or "auto", default=None: "auto" (preset "plain": 0, preset "paper": 0)
        Weight of linear CCA in the variates. 0: trees only; 1: linear CCA only. "auto": 0, 0.5 or 1, by the out-of-fold
        correlations. Range: 0 to 1.
    cross_fit : int or "auto", default=None: "auto" (preset "plain": 5, preset "paper": 0)
        Number of folds inside a part; needed for out-of-fold correlations. 0: off, one encoder per view and in-sample
        correlations only. "auto": 3. Range: 0 to 1000.
    n_estimators : int or "auto", default=None: "auto" (preset "plain": 150, preset "paper": 500)
        Number of boosting rounds. "auto": until the out-of-fold TCC inside a part stops rising, at most 500; 150 if
        n_repeats or cross_fit is 0 and there are fewer than 20,000 samples. Range: 1 to 1000000.
    learning_rate : float, list of float or "auto", default=None: "auto" (preset "plain": 0.1, preset "paper": 0.1)
        Step size of every tree. "auto": 0.1; 0.2 with 20 or more components and 10,000 or more samples. Range: above 0
        and up to 1.
    max_depth : int, list of int or "auto", default=None: "auto" (preset "plain": 4, preset "paper": 5)
        Maximum depth of a tree. "auto": 3 below 200 samples, else 4; 6 with 5 or more components and 1,000 or more
        samples; 8 with 20 or more and 10,000 or more. Range: 1 to 16.
    min_child_weight : float, list of float or "auto", default=None: "auto" (preset "paper": 5)
        Minimum number of training rows per leaf. "auto": samples / 50, limited to 3..10; if max_depth=auto chooses 6,
        samples / 67, limited to 10..60; if it chooses 8, 30. Range: 0 to 1000000000.
    subsample : float or list of float, default=None: 1 (preset "paper": 0.8)
        Fraction of the rows drawn for each boosting round. Range: above 0 and up to 1.
    colsample_bytree : float, list of float or "auto", default=None: "auto" (preset "paper": 0.8)
        Fraction of the features drawn for each tree. "auto": 100 / features, limited to 0.1..0.8. Range: above 0 and up
        to 1.
    reg_lambda : float or list of float, default=None: 1
        L2 penalty on leaf values. Range: 0 or more.
    max_bin : int or list of int, default=None: 255
        Maximum number of histogram bins per feature. Range: 2 to 255.
    screen : int, list of int or "auto", default=None: "auto" (preset "plain": 0, preset "paper": 0)
        Number of features per view that the trees may use: the features that depend most on another view. 0: all.
        "auto": the features that score above permuted data; all if features are few, none scores above, or the signal
        is widespread. Each fold chooses without its own rows. Screening misses signals that exist only in interactions
        of features: compare with a fit without it. Linear CCA uses all features. Range: 0 to 16777216.
    trees : {"joint", "scalar"}, default=None: "joint" (preset "paper": "scalar")
        Kind of trees. joint: one per boosting round, with a vector in each leaf; scalar: one per component.
    sketch : int or "auto", default=None: "auto" (preset "plain": 0, preset "paper": 0)
        Number of random sums of the gradients for finding the splits of joint trees. 0: use the gradients of all
        components. "auto": 7 for native joint trees of more than 7 components, 15 with 20 or more; else 0. Range: 0 to
        1024.
    leaf_sweeps : int or "auto", default=None: "auto" (preset "plain": 0, preset "paper": 0)
        Number of refits of all leaf values after the last round. 0: none. "auto": until the out-of-fold TCC inside a
        part stops rising, at most 6, for native joint trees of more than 7 components; else 0. Range: 0 to 100.
    n_oversamples : int or "auto", default=None: "auto" (preset "plain": 0, preset "paper": 0)
        Extra components to fit; the rotation keeps the best n_components of all. "auto": 2, a quarter of the components
        with 20 or more; 0 if n_repeats is 0, unless there are 20 or more components and 10,000 or more samples. Without
        rotation the default is 0. Range: 0 to 1024.
    rotate : bool, default=None: True (preset "paper": False)
        Rotate the components after training, so that they are ordered and uncorrelated.
    objective : {"whitened", "ey"}, default=None: "whitened" (preset "paper": "ey")
        Targets of the trees. whitened: whitened embeddings of the other views; ey: the paper's Eckart-Young gradient.
    schedule : {"gauss-seidel", "jacobi"}, default=None: "jacobi"
        Order of updates. jacobi: all views from the same state; gauss-seidel: each from the newest state.
    init : {"pca", "pca-scaled", "random-orthogonal", "random", "zero"}, default=None: "pca"
        Initial values of the embeddings.
    init_fade : int, default=None: 20 (preset "paper": 0)
        Rounds over which the initial values fade out. 0: keep them in the model as a base margin. Range: 0 to 1000000.
    early_stopping_rounds : int, default=None: 0
        Stop after this number of rounds without a higher out-of-fold TCC. 0: run all rounds (n_estimators=auto stops by
        its own rule). Range: 0 to 1000000.
    engine : {"native", "xgboost", "lightgbm"}, default=None: "native"
        Library that grows the trees: TreeCCA itself, or an installed XGBoost or LightGBM. The fitted model does not
        need that library. LightGBM has scalar trees only.
    engine_params : mapping, default=None
        Parameters passed on to XGBoost or LightGBM, e.g. ``{"device": "cuda"}``.
    view_slices : sequence or mapping of columns, default=None
        The columns of each view if `fit` gets one table instead of several views, as in pipelines and grid search:
        slices, lists of positions, lists of column names or masks.
    categorical_features : list of columns, mapping of view name to such a list, default=None
        Names or positions of columns that are categories: trees split their levels into sets, linear CCA gets
        indicators. Columns of a categorical type (pandas category, polars Categorical and Enum) always are.
    n_jobs : int, default=None: -1
        Number of threads; does not change the result. -1: all processors. -2: all but one.
    random_state : int or NumPy generator, default=None: a random seed
        Seed. The same data, settings and seed give the same model, byte for byte.
    verbose : int, default=None
        Progress on standard error. None: after two seconds, in a terminal or notebook, but not in worker processes. 0:
        never. 1: always.
"""

SSL_PARAMETERS = """\
    n_components : int, default=2
        Number of components, 1 to half the number of samples. Range: 1 to 1024.
    augmentation : mapping or callable, default=None: {"swap": 0.3}
        Random change of each row. A mapping with any of: ``"swap"`` (fraction of cells that take the value of another
        row, as in SCARF), ``"mask"`` (fraction of cells that become missing), ``"sign_flip"`` (True: each cell changes
        its sign with probability 1/2), ``"noise"`` (standard deviation of Gaussian noise, relative to that of the
        feature). Or a function ``augmentation(X, rng) -> array`` of the same shape: finite numbers, or NaN where a
        value is missing. It must draw from `rng`, so that two copies differ.
    rows : {"stacked", "symmetrised"}, default=None: "stacked" (preset "paper": "symmetrised")
        stacked: trees are trained on both augmented copies; symmetrised: on the first copy, with the mean of both
        gradients.
    preset : {"auto", "plain", "paper"}, default="plain"
        Values of all parameters that are not given. plain: settings for one table; paper: Algorithm 3 of the TreeCCA
        paper; auto means plain.
    cross_fit : int or "auto", default=None: 0
        Number of folds; needed for out-of-fold correlations. 0: off, one encoder and in-sample correlations only.
        Range: 0 to 1000.
    n_estimators : int or "auto", default=None: 150 (preset "paper": 1500)
        Number of boosting rounds; auto is 150. Range: 1 to 1000000.
    learning_rate : float or "auto", default=None: 0.1
        Step size of every tree. Range: above 0 and up to 1.
    max_depth : int or "auto", default=None: 7 (preset "paper": 5)
        Maximum depth of a tree. Range: 1 to 16.
    min_child_weight : float or "auto", default=None: 20 (preset "paper": 5)
        Minimum number of training rows per leaf. Range: 0 to 1000000000.
    subsample : float, default=None: 1 (preset "paper": 0.8)
        Fraction of the rows drawn for each boosting round. Range: above 0 and up to 1.
    colsample_bytree : float or "auto", default=None: "auto" (preset "paper": 0.8)
        Fraction of the features drawn for each tree. "auto": 100 / features, limited to 0.1..0.8. Range: above 0 and up
        to 1.
    reg_lambda : float, default=None: 1
        L2 penalty on leaf values. Range: 0 or more.
    max_bin : int, default=None: 255
        Maximum number of histogram bins per feature. Range: 2 to 255.
    trees : {"joint", "scalar"}, default=None: "scalar"
        Kind of trees. joint: one per boosting round, with a vector in each leaf; scalar: one per component.
    sketch : int or "auto", default=None: 0
        Number of random sums of the gradients for finding the splits of joint trees. 0: use the gradients of all
        components. Range: 0 to 1024.
    n_oversamples : int or "auto", default=None: 5 (preset "paper": 0)
        Extra components to fit; the rotation keeps the best n_components of all. Without rotation the default is 0.
        Range: 0 to 1024.
    rotate : bool, default=None: True (preset "paper": False)
        Rotate the components after training, so that they are ordered and uncorrelated.
    objective : {"whitened", "ey"}, default=None: "whitened" (preset "paper": "ey")
        Targets of the trees. whitened: whitened embeddings of the other views; ey: the paper's Eckart-Young gradient.
    init : {"pca", "pca-scaled", "random-orthogonal", "random", "zero"}, default=None: "random-orthogonal"
        Initial values of the embeddings.
    init_fade : int, default=None: 20 (preset "paper": 0)
        Rounds over which the initial values fade out. 0: keep them in all rounds. They are never part of the model.
        Range: 0 to 1000000.
    engine : {"native", "xgboost", "lightgbm"}, default=None: "native"
        Library that grows the trees: TreeCCA itself, or an installed XGBoost or LightGBM. The fitted model does not
        need that library. LightGBM has scalar trees only.
    engine_params : mapping, default=None
        Parameters passed on to XGBoost or LightGBM, e.g. ``{"device": "cuda"}``.
    categorical_features : list of columns, mapping of view name to such a list, default=None
        Names or positions of columns that are categories: trees split their levels into sets, linear CCA gets
        indicators. Columns of a categorical type (pandas category, polars Categorical and Enum) always are.
    n_jobs : int, default=None: -1
        Number of threads; does not change the result. -1: all processors. -2: all but one.
    random_state : int or NumPy generator, default=None: a random seed
        Seed. The same data, settings and seed give the same model, byte for byte.
    verbose : int, default=None
        Progress on standard error. None: after two seconds, in a terminal or notebook, but not in worker processes. 0:
        never. 1: always.
"""
