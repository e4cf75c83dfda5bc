"""Nonlinear canonical correlation analysis with gradient-boosted trees.

>>> from treecca import TreeCCA
>>> model = TreeCCA(n_components=3, random_state=0).fit([X1, X2])  # doctest: +SKIP
>>> model.correlations_                                             # doctest: +SKIP
"""

from . import metrics
from ._core import version as __version__
from ._estimator import TreeCCA, TreeMCCA, load
from ._views import align

__all__ = ["TreeCCA", "TreeMCCA", "__version__", "align", "load", "metrics"]
