"""MultiviewDataset, which every generator returns: views with a test part, labels and groups."""

from __future__ import annotations

import numbers
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True, eq=False, repr=False)
class MultiviewDataset:
    """Views of the same samples, with labels, groups and a test part.

    Views are arrays of shape (n_samples, n_features), float32 from all generators, with the same samples in the same
    order; NaN marks a missing value. Nothing is standardised.

    Attributes
    ----------
    name : str
    views : list of ndarray
        The training samples of every view.
    view_names : list of str
    k : int
        A sensible number of components.
    test_views : list of ndarray or None
        The test samples of every view; None without a test part (see `split`).
    feature_names : list of list of str, or None
        Per view; None if unknown.
    labels, test_labels : ndarray of int, or None
        Classes, counted from 0. Fits do not use them.
    class_names : list of str or None
    groups : ndarray or None
        Groups of the training samples, e.g. subjects: samples of one group must share a fold.
    limit : float or None
        Largest total correlation of k components that transforms of the views can reach; None if unknown. Computed
        with the default resolution of `population_limit`; finer intervals may raise it (they do for `make_hermite`).
    description : str
    """

    name: str
    views: list[Array]
    view_names: list[str]
    k: int
    test_views: list[Array] | None = None
    feature_names: list[list[str]] | None = None
    labels: Array | None = None
    test_labels: Array | None = None
    class_names: list[str] | None = None
    groups: Array | None = None
    limit: float | None = None
    description: str = ""

    def __post_init__(self) -> None:
        if not self.views or len(self.view_names) != len(self.views):
            raise ValueError(f"{self.name}: {len(self.views)} views, but {len(self.view_names)} view names.")
        self._check_part(self.views, {"labels": self.labels, "groups": self.groups}, "")
        if self.test_views is not None:
            self._check_part(self.test_views, {"labels": self.test_labels}, "test ")
            if [v.shape[1] for v in self.test_views] != [v.shape[1] for v in self.views]:
                raise ValueError(f"{self.name}: the test views have other numbers of features than the views.")
        elif self.test_labels is not None:
            raise ValueError(f"{self.name}: there are test labels, but no test views.")
        if self.feature_names is not None and [len(n) for n in self.feature_names] != [v.shape[1] for v in self.views]:
            raise ValueError(f"{self.name}: the numbers of feature names and of features differ.")

    def _check_part(self, views: list[Array], others: dict[str, Array | None], part: str) -> None:
        for view_name, view in zip(self.view_names, views, strict=False):
            if view.ndim != 2:
                raise ValueError(f"{self.name}: the {part}view {view_name} has {view.ndim} dimensions instead of 2.")
        rows = {f"{part}view {name}": len(view) for name, view in zip(self.view_names, views, strict=False)}
        rows |= {part + name: len(values) for name, values in others.items() if values is not None}
        if len(views) != len(self.view_names) or len(set(rows.values())) != 1:
            counts = ", ".join(f"{name} {count}" for name, count in rows.items())
            raise ValueError(f"{self.name}: the numbers of samples differ ({counts}).")

    def __repr__(self) -> str:
        rows = f"{self.n_samples}" + ("" if self.test_views is None else f" + {len(self.test_views[0])}")
        widths = ", ".join(f"{name} ({v.shape[1]})" for name, v in zip(self.view_names, self.views, strict=True))
        return f"MultiviewDataset({self.name!r}, {rows} samples, views {widths}, k={self.k})"

    @property
    def n_views(self) -> int:
        return len(self.views)

    @property
    def n_samples(self) -> int:
        """Number of training samples."""
        return len(self.views[0])

    def split(self, seed: int = 42, test_size: float = 0.2) -> MultiviewDataset:
        """Return the data with a test part; itself if it has one already.

        The test part has the same fraction of every class, rounded, so it may lack small classes. If there are groups,
        whole groups are drawn.

        Parameters
        ----------
        seed : int, default=42
        test_size : float, default=0.2
            Fraction of the test part, between 0 and 1. ValueError if the test part would be empty, or the training
            part would lack a class.
        """
        if not isinstance(test_size, numbers.Real) or not 0 < test_size < 1:
            raise ValueError(f"test_size must be a fraction between 0 and 1, not {test_size!r}.")
        if self.test_views is not None:
            return self
        if self.groups is not None:
            kinds, members = np.unique(self.groups, return_inverse=True)
            is_test = _draw(np.zeros(len(kinds), dtype=int), seed, test_size)[members]
        else:
            strata = np.zeros(self.n_samples, dtype=int) if self.labels is None else self.labels
            is_test = _draw(strata, seed, test_size)
        self._check_split(is_test, test_size)
        labels = self.labels
        return replace(
            self,
            views=[v[~is_test] for v in self.views],
            test_views=[v[is_test] for v in self.views],
            labels=None if labels is None else labels[~is_test],
            test_labels=None if labels is None else labels[is_test],
            groups=None if self.groups is None else self.groups[~is_test],
        )

    def _check_split(self, is_test: NDArray[np.bool_], test_size: float) -> None:
        what = "samples" if self.groups is None else "groups"
        if not is_test.any():
            raise ValueError(f"{self.name}: with test_size={test_size} no {what} are left for testing; raise it.")
        if is_test.all():
            raise ValueError(f"{self.name}: with test_size={test_size} no {what} are left for training; lower it.")
        if self.labels is None:
            return
        untrained = np.setdiff1d(self.labels, self.labels[~is_test])
        if untrained.size:
            raise ValueError(
                f"{self.name}: with test_size={test_size} and this seed all samples of class {untrained[0]} are in "
                "the test part; lower test_size, or use another seed."
            )


def _draw(strata: Array, seed: int, fraction: float) -> NDArray[np.bool_]:
    """Return a mask that draws the same fraction of every stratum."""
    rng = np.random.default_rng(seed)
    drawn = np.zeros(len(strata), dtype=bool)
    for stratum in np.unique(strata):
        rows = rng.permutation(np.flatnonzero(strata == stratum))
        drawn[rows[: round(len(rows) * fraction)]] = True
    return drawn
