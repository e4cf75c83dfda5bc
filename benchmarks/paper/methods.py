"""All methods by name, including TreeCCA: each embeds the training and test samples of a data set."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from treecca.datasets import MultiviewDataset

from .protocol import Embeddings, needs


@dataclass
class Embedded:
    """Embeddings of a data set by one method."""

    train: Embeddings
    test: Embeddings
    seconds: float
    rotated: bool = False  # components are already decorrelated
    unseen: Embeddings | None = None  # out-of-fold embeddings of the training samples
    scores: dict[str, Any] = field(default_factory=dict)  # further results of the method


@dataclass(frozen=True)
class Method:
    module: str  # has embed(data, seed, settings, extras) -> Embedded
    packages: tuple[str, ...]  # names for pip; their versions are part of a result's key
    imports: tuple[str, ...] = ()  # modules that must exist, in the order of `packages`

    def require(self) -> None:
        """Raise Missing if a package is not installed."""
        for package, name in zip(self.packages, self.imports, strict=False):
            needs(name, package)

    def embed(self, data: MultiviewDataset, seed: int, settings: dict[str, Any], extras: list[str]) -> Embedded:
        """Raise Missing as `require`, Refused if the method does not accept the data."""
        self.require()
        module = importlib.import_module(f"{__package__}.{self.module}")
        return module.embed(data, seed, dict(settings), extras)


METHODS = {
    "treecca": Method("ours", ("treecca",)),
    "linear": Method("baselines.linear", ("numpy",)),
    "kcca": Method("baselines.kcca", ("cca-zoo",), ("cca_zoo",)),
    "pmd": Method("baselines.pmd", ("cca-zoo",), ("cca_zoo",)),
    "deepcca": Method("baselines.deepcca", ("jax",), ("jax",)),
    "xgboost": Method("baselines.boosters", ("xgboost", "cca-zoo"), ("xgboost", "cca_zoo.tree")),
    "lightgbm": Method(
        "baselines.boosters", ("lightgbm", "xgboost", "cca-zoo"), ("lightgbm", "xgboost", "cca_zoo.tree")
    ),
}


def standardised(data: MultiviewDataset) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return training and test views scaled to mean 0 and standard deviation 1 of the training samples.

    Missing values are replaced by the mean.
    """
    train, test = [], []
    for x, y in zip(data.views, data.test_views, strict=True):
        mean = np.nan_to_num(np.nanmean(x, axis=0, dtype=np.float64))
        scale = np.nan_to_num(np.nanstd(x, axis=0, dtype=np.float64))
        scale[scale == 0] = 1.0
        for part, views in ((x, train), (y, test)):
            views.append(np.nan_to_num((part - mean) / scale))
    return train, test
