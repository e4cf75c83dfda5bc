"""Scores embeddings, which are lists of one array (samples x components) per view.

The paper's protocol sums |correlation| over components on test samples ("raw": components may repeat each other). Where
the paper reports the peak, it takes the round or epoch with the best value on the test samples ("peak"), which is
biased upwards.

Test TCC ("test") chooses nothing on test samples: it takes the last round and decorrelates the components by a rotation
fitted to training samples. With more than two views both are means over all pairs of views.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from treecca.datasets import MultiviewDataset

from .. import datasets
from ..metrics import canonical_rotation, largest_repeat, probe_accuracy, tcc
from .scale import PAPER_SEEDS
from .unit import Missing

Embeddings = list[np.ndarray]


def load(name: str, seed: int, options: dict[str, Any], max_rows: int | None = None) -> MultiviewDataset:
    """Return a data set with a test part; `max_rows` keeps at most that many training and test samples, evenly spaced.

    options: arguments of the data set, and {"split_by_row": true} for a test part drawn from all samples.
    """
    return _loaded(name, seed, tuple(sorted(options.items())), max_rows)


@lru_cache(maxsize=len(PAPER_SEEDS))  # methods follow each other on the same seeds
def _loaded(name: str, seed: int, options: tuple[tuple[str, Any], ...], max_rows: int | None) -> MultiviewDataset:
    given = dict(options)
    by_row = given.pop("split_by_row", False)
    try:
        data = datasets.load(name, random_state=seed, **given)
    except datasets.MissingDataError as reason:
        raise Missing(f"data absent: {reason.remedy}") from reason
    if by_row:
        data = split_by_row(data, seed)
    return data if max_rows is None else thinned(data, max_rows)


def split_by_row(data: MultiviewDataset, seed: int) -> MultiviewDataset:
    """Pool training and test part and draw a fifth of the samples for testing, ignoring groups."""
    labels = None if data.labels is None else np.concatenate([data.labels, data.test_labels])
    views = [np.vstack(both) for both in zip(data.views, data.test_views, strict=True)]
    pooled = replace(data, views=views, labels=labels, test_views=None, test_labels=None, groups=None)
    return pooled.split(seed)


def thinned(data: MultiviewDataset, max_rows: int) -> MultiviewDataset:
    train = _spread(data.n_samples, max_rows)
    test = _spread(len(data.test_views[0]), max_rows)
    return replace(
        data,
        views=[v[train] for v in data.views],
        test_views=[v[test] for v in data.test_views],
        labels=None if data.labels is None else data.labels[train],
        test_labels=None if data.test_labels is None else data.test_labels[test],
        groups=None if data.groups is None else data.groups[train],
    )


def _spread(rows: int, kept: int) -> np.ndarray:
    return np.unique(np.linspace(0, rows - 1, min(rows, kept)).astype(int))


def judge(
    data: MultiviewDataset,
    train: Embeddings,
    test: Embeddings,
    rotate: bool = True,
    unseen: Embeddings | None = None,
) -> dict[str, Any]:
    """Return all scores of given embeddings. `rotate`: decorrelate the components first.

    `unseen`: out-of-fold embeddings of the training samples, if the method has them. "accuracy" trains its probe on
    these, because embeddings of new samples look like them; without them it equals "accuracy_paper".
    """
    raw, raw_repeat = tcc(test), largest_repeat(test)
    if rotate:
        turns = canonical_rotation(train)
        train, test = ([z @ a for z, a in zip(part, turns, strict=True)] for part in (train, test))
    return {
        "raw": raw,
        "raw_repeat": raw_repeat,
        "test": tcc(test),
        "in_sample": tcc(train),
        "repeat": largest_repeat(test),
        "accuracy": probe_accuracy(unseen or train, data.labels, test, data.test_labels),
        "accuracy_paper": probe_accuracy(train, data.labels, test, data.test_labels),
    }


def peak(curve: Iterable[float], steps: Iterable[int]) -> dict[str, Any]:
    """Return the best of a curve of raw test TCC and its step, as the paper does."""
    values, at = list(curve), list(steps)
    best = int(np.argmax(values))
    return {"peak": float(values[best]), "peak_round": int(at[best]), "curve": values, "curve_rounds": at}


def precision_at(importances: np.ndarray, causal: int) -> float:
    """Return the fraction of causal features (the first `causal` ones) among the `causal` most important features.

    If features tie for the last places, it is the expected fraction of a random draw among them: a method that ranks
    all features alike scores like guessing.
    """
    gains = np.asarray(importances, dtype=np.float64)
    if np.isnan(gains).any():
        raise ValueError(f"{np.isnan(gains).sum()} of {len(gains)} importances are NaN: they have no order.")
    last = np.sort(gains)[-causal]
    above, tied = gains > last, gains == last
    places = causal - above.sum()
    return float((above[:causal].sum() + places * tied[:causal].sum() / tied.sum()) / causal)


def needs(package: str, install: str | None = None) -> None:
    """Raise Missing with what to install if a package cannot be imported."""
    import importlib

    try:
        importlib.import_module(package)
    except ImportError as reason:
        raise Missing(f"not run: `pip install {install or package}`") from reason
