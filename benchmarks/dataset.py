"""One benchmark data set: views that describe the same samples, split into training and test rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True)
class Dataset:
    """Views are float32 matrices (samples x features), rows aligned; NaN marks a missing value.

    `test` is None when the set has no test part of its own: `with_test_part` then makes one. `groups` are those of
    the training rows (rows of one group must share a fold), `limit` is the population limit of the total
    correlation where it is known.
    """

    name: str
    k: int
    view_names: list[str]
    train: list[np.ndarray]
    test: list[np.ndarray] | None = None
    labels: np.ndarray | None = None
    test_labels: np.ndarray | None = None
    groups: np.ndarray | None = None
    limit: float | None = None

    def __post_init__(self):
        for part, labels in ((self.train, self.labels), (self.test, self.test_labels)):
            if part is None:
                continue
            rows = {len(v) for v in part} | ({len(labels)} if labels is not None else set())
            if len(rows) != 1 or len(part) != len(self.view_names):
                raise ValueError(f"{self.name}: views, names and labels do not fit together")

    @property
    def n_views(self) -> int:
        return len(self.train)


def stratified_split(n: int, labels: np.ndarray | None, seed: int, test_share: float = 0.2):
    """Row numbers (training, test), both sorted; every class gives the same share of its rows to the test part."""
    rng = np.random.default_rng(seed)
    strata = np.zeros(n, dtype=int) if labels is None else labels
    is_test = np.zeros(n, dtype=bool)
    for stratum in np.unique(strata):
        rows = rng.permutation(np.flatnonzero(strata == stratum))
        is_test[rows[: round(len(rows) * test_share)]] = True
    return np.flatnonzero(~is_test), np.flatnonzero(is_test)


def with_test_part(data: Dataset, seed: int) -> Dataset:
    """The set itself when it has a test part, otherwise its stratified 80/20 split for this seed."""
    if data.test is not None:
        return data
    train, test = stratified_split(len(data.train[0]), data.labels, seed)

    def rows(values, which):
        return None if values is None else values[which]

    return replace(
        data,
        train=[v[train] for v in data.train],
        test=[v[test] for v in data.train],
        labels=rows(data.labels, train),
        test_labels=rows(data.labels, test),
        groups=rows(data.groups, train),
    )
