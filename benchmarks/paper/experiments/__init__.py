"""One file per table or figure of the paper.

Each has NAME, TITLE, units(scale) and write(page, scale, results).
"""

from __future__ import annotations

import importlib
from types import ModuleType

# In the order of the page.
_NAMES = (
    "nonlinear", "convergence", "seeds", "mnist", "har", "sparse", "multiview", "tsne", "ssl", "four_view",
    "alternating", "design", "hyperparameters", "scalability", "starts", "schedule", "variance", "differences",
)  # fmt: skip


def all_experiments() -> list[ModuleType]:
    return [importlib.import_module(f"{__name__}.{name}") for name in _NAMES]


def named(names: list[str] | None) -> list[ModuleType]:
    """Return these experiments in the order of the page; None means all."""
    known = {experiment.NAME: experiment for experiment in all_experiments()}
    unknown = [name for name in names or [] if name not in known]
    if unknown:
        raise ValueError(f"Unknown experiment {', '.join(unknown)}. Known: {', '.join(known)}.")
    return [experiment for name, experiment in known.items() if names is None or name in names]
