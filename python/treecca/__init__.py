"""Nonlinear canonical correlation analysis with gradient-boosted trees.

>>> from treecca import TreeCCA
>>> model = TreeCCA(n_components=3, random_state=0).fit([X1, X2])  # doctest: +SKIP
>>> model.correlations_                                             # doctest: +SKIP
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import _core as _core
from ._core import version as __version__

if TYPE_CHECKING:
    from . import datasets, metrics, mu, plot
    from ._align import align
    from ._cv import CVResult, cv
    from ._estimator import TreeCCA, TreeMCCA, load
    from ._permutation_importance import PermutationImportance
    from ._permutation_test import PermutationTestResult, permutation_test
    from ._screen import screen
    from ._ssl import TreeCCASSL
    from ._stability import StabilityResult, stability

__all__ = [
    "CVResult",
    "PermutationImportance",
    "PermutationTestResult",
    "StabilityResult",
    "TreeCCA",
    "TreeCCASSL",
    "TreeMCCA",
    "__version__",
    "align",
    "cv",
    "datasets",
    "load",
    "metrics",
    "mu",
    "permutation_test",
    "plot",
    "screen",
    "stability",
]

# Imported when they are first used, because importing scikit-learn takes longer than most fits.
_HOME = {
    "CVResult": "_cv",
    "PermutationImportance": "_permutation_importance",
    "PermutationTestResult": "_permutation_test",
    "StabilityResult": "_stability",
    "TreeCCA": "_estimator",
    "TreeCCASSL": "_ssl",
    "TreeMCCA": "_estimator",
    "align": "_align",
    "cv": "_cv",
    "load": "_estimator",
    "permutation_test": "_permutation_test",
    "screen": "_screen",
    "stability": "_stability",
}
_MODULES = {"datasets", "metrics", "mu", "plot"}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(import_module(f"treecca.{_HOME[name]}"), name)
    elif name in _MODULES:
        value = import_module(f"treecca.{name}")
    else:
        raise AttributeError(f"module 'treecca' has no attribute '{name}'")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME, *_MODULES})
