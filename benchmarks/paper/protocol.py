"""How embeddings are judged.

The paper's protocol: the sum over components of |correlation| on test rows ("raw": components may repeat each other).
Where the paper says that it reports the peak, that of the round or epoch that is best ON THE TEST ROWS ("peak"). No
honest figure is made like that.

The honest protocol: nothing is chosen on test rows, the last round counts, and components are decorrelated by a
rotation that was fitted to training rows ("test"). For more than two views both are means over all pairs of views.

Embeddings are lists of one array (rows x components) per view.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from metrics import canonical_rotation, largest_repeat, probe_accuracy, tcc

from treecca import datasets
from treecca.datasets import MultiviewDataset

from .scale import PAPER_SEEDS
from .unit import Missing

Embeddings = list[np.ndarray]


def load(name: str, seed: int, options: dict[str, Any], max_rows: int | None = None) -> MultiviewDataset:
    """A data set with a test part; `max_rows` keeps that many training and test rows, spread over the set.

    options: of the set's own function, and {"split_by_row": true} for a test part of rows drawn from all of them.
    """
    return _loaded(name, seed, tuple(sorted(options.items())), max_rows)


@lru_cache(maxsize=len(PAPER_SEEDS))  # methods follow each other on the same seeds
def _loaded(name: str, seed: int, options: tuple[tuple[str, Any], ...], max_rows: int | None) -> MultiviewDataset:
    given = dict(options)
    by_row = given.pop("split_by_row", False)
    try:
        data = datasets.load(name, random_state=seed, **given)
    except datasets.MissingDataError as reason:
        raise Missing(f"data absent: {_source(reason)}") from reason
    if by_row:
        data = split_by_row(data, seed)
    return data if max_rows is None else thinned(data, max_rows)


def split_by_row(data: MultiviewDataset, seed: int) -> MultiviewDataset:
    """A set that has a test part of its own, split anew: a fifth of the rows, whoever they belong to."""
    labels = None if data.labels is None else np.concatenate([data.labels, data.test_labels])
    views = [np.vstack(both) for both in zip(data.views, data.test_views, strict=True)]
    pooled = replace(data, views=views, labels=labels, test_views=None, test_labels=None, groups=None)
    return pooled.split(seed)


def _source(reason: Exception) -> str:
    """The file and where to get it, without the folder on this machine."""
    text = str(reason)
    wanted = text.split(" was looked for")[0].split(" is needed")[0]
    return f"{wanted} ({text.split('Source: ')[-1].rstrip('.')})"


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
    """All figures of given embeddings. `rotate`: decorrelate them here, for they are not yet.

    `unseen`: the training rows as embedded by trees that never saw them, where a method has them. The honest probe
    learns from these, for they are what embeddings of new rows are like; without them it is the paper's probe.
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
    """The best of a curve of raw test figures, and where it was: the paper's choice."""
    values, at = list(curve), list(steps)
    best = int(np.argmax(values))
    return {"peak": float(values[best]), "peak_round": int(at[best]), "curve": values, "curve_rounds": at}


def precision_at(importances: np.ndarray, causal: int) -> float:
    """Share of truly causal features (the first ones) among as many of the most important ones.

    Where features tie for the last places, it is the expected share of a draw among them: a method that ranks all
    features alike gets what guessing gets.
    """
    gains = np.asarray(importances, dtype=np.float64)
    if np.isnan(gains).any():
        raise ValueError(f"{np.isnan(gains).sum()} of {len(gains)} importances are NaN: they have no order.")
    last = np.sort(gains)[-causal]
    above, tied = gains > last, gains == last
    places = causal - above.sum()
    return float((above[:causal].sum() + places * tied[:causal].sum() / tied.sum()) / causal)


def needs(package: str, install: str | None = None) -> None:
    """Raises Missing with what to install where a package cannot be imported."""
    import importlib

    try:
        importlib.import_module(package)
    except ImportError as reason:
        raise Missing(f"not run: `pip install {install or package}`") from reason
