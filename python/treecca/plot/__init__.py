"""Plots of a fitted model, with the conventions of scikit-learn: `SomethingDisplay.from_estimator(model)`.

Every plot is drawn from a table that it keeps as `table_`: a dict of equally long columns, ready for
`pandas.DataFrame`. Needs matplotlib (`pip install matplotlib`).
"""

from ._convergence import ConvergenceDisplay
from ._correlation_circle import CorrelationCircleDisplay
from ._correlations import CorrelationsDisplay
from ._cv import CVDisplay
from ._embedding import EmbeddingDisplay
from ._importances import ImportancesDisplay
from ._loadings import LoadingsDisplay
from ._partners import NetworkDisplay, PartnersDisplay
from ._permutation_test import PermutationTestDisplay
from ._shape import ShapeDisplay
from ._stability import StabilityDisplay
from ._variates import VariatesDisplay

__all__ = [
    "CVDisplay",
    "ConvergenceDisplay",
    "CorrelationCircleDisplay",
    "CorrelationsDisplay",
    "EmbeddingDisplay",
    "ImportancesDisplay",
    "LoadingsDisplay",
    "NetworkDisplay",
    "PartnersDisplay",
    "PermutationTestDisplay",
    "ShapeDisplay",
    "StabilityDisplay",
    "VariatesDisplay",
]
