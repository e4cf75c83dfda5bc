"""All methods by name, ours among them: each turns a data set into embeddings of its training and test rows."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from treecca.datasets import MultiviewDataset

from .protocol import Embeddings, needs


@dataclass
class Embedded:
    """What a method made of a data set."""

    train: Embeddings
    test: Embeddings
    seconds: float
    rotated: bool = False  # components are decorrelated already
    unseen: Embeddings | None = None  # the training rows as embedded by trees that never saw them
    figures: dict[str, Any] = field(default_factory=dict)  # whatever else the method tells


@dataclass(frozen=True)
class Method:
    module: str  # has embed(data, seed, settings, extras) -> Embedded
    packages: tuple[str, ...]  # whose versions matter, as pip calls them
    imports: tuple[str, ...] = ()  # what must be importable, in the order of `packages`
    scripts: tuple[str, ...] = ()  # files beside this package that it computes with

    @property
    def sources(self) -> tuple[str, ...]:
        """The files of the folder benchmarks that compute its embeddings."""
        return (f"paper/{self.module.replace('.', '/')}.py", *self.scripts)

    def embed(self, data: MultiviewDataset, seed: int, settings: dict[str, Any], extras: list[str]) -> Embedded:
        """Raises Missing where a package is not there, Refused where the method cannot do it."""
        for package, name in zip(self.packages, self.imports, strict=False):
            needs(name, package)
        module = importlib.import_module(f"{__package__}.{self.module}")
        return module.embed(data, seed, dict(settings), extras)


METHODS = {
    "treecca": Method("ours", ("treecca",), scripts=("walker.py",)),
    "linear": Method("baselines.linear", ("numpy",), scripts=("linear.py",)),
    "kcca": Method("baselines.kcca", ("cca-zoo",), ("cca_zoo",)),
    "pmd": Method("baselines.pmd", ("cca-zoo",), ("cca_zoo",)),
    "deepcca": Method("baselines.deepcca", ("jax",), ("jax",)),
    "xgboost": Method("baselines.boosters", ("xgboost", "cca-zoo"), ("xgboost", "cca_zoo.tree")),
    "lightgbm": Method(
        "baselines.boosters", ("lightgbm", "xgboost", "cca-zoo"), ("lightgbm", "xgboost", "cca_zoo.tree")
    ),
}


def standardised(data: MultiviewDataset) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Training and test views with the training rows' mean 0 and deviation 1; missing values count as the mean."""
    train, test = [], []
    for x, y in zip(data.views, data.test_views, strict=True):
        mean = np.nan_to_num(np.nanmean(x, axis=0, dtype=np.float64))
        scale = np.nan_to_num(np.nanstd(x, axis=0, dtype=np.float64))
        scale[scale == 0] = 1.0
        for part, views in ((x, train), (y, test)):
            views.append(np.nan_to_num((part - mean) / scale))
    return train, test
