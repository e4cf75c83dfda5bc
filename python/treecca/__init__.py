"""Nonlinear canonical correlation analysis with gradient-boosted trees.

>>> from treecca import TreeCCA
>>> model = TreeCCA(n_components=3, random_state=0).fit([X1, X2])  # doctest: +SKIP
>>> model.correlations_                                             # doctest: +SKIP
"""

from importlib import import_module
from typing import Any

from . import metrics
from ._core import version as __version__
from ._cv import CVResult, cv
from ._estimator import TreeCCA, TreeMCCA, load
from ._views import align

__all__ = ["CVResult", "TreeCCA", "TreeMCCA", "__version__", "align", "cv", "load", "metrics", "mu", "plot"]

_LAZY = {"mu", "plot"}  # imported when they are first used: they need, or may need, more than NumPy and scikit-learn


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return import_module(f"treecca.{name}")
    raise AttributeError(f"module 'treecca' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
