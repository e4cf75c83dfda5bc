"""Linear CCA and MCCA as baselines, in plain NumPy.

    python -m benchmarks.linear [DATA SET ...]

Every view is standardised and reduced to principal components: a third as many as training samples, at most 400.
Within-view covariances are shrunk; the shrinkage with the best result ON THE TEST SAMPLES is reported, which favours
the baseline.
"""

from __future__ import annotations

import sys
from itertools import pairwise

import numpy as np

from . import datasets
from .metrics import decorrelated_tcc, probe_accuracy, tcc

SHRINKAGES = (0.0, 1e-3, 1e-2, 0.1, 0.3, 0.5, 0.8, 0.95)


def _reduced(train: np.ndarray, test: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    mean = np.nan_to_num(np.nanmean(train.astype(np.float64), axis=0))
    filled = [np.where(np.isnan(x), mean, x) - mean for x in (train, test)]
    scale = filled[0].std(axis=0)
    filled = [x / np.where(scale > 0, scale, 1.0) for x in filled]
    rows = len(train)
    kept = min(400, max(1, rows // 3), train.shape[1])
    _, singular, vt = np.linalg.svd(filled[0], full_matrices=False)
    vt = vt[: min(kept, int((singular > 1e-9 * singular[0]).sum()))]
    return filled[0] @ vt.T, filled[1] @ vt.T


def reduced_views(data) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return per view the training and test samples, standardised and reduced to principal components."""
    return [_reduced(a, b) for a, b in zip(data.views, data.test_views, strict=True)]


def linear_embeddings(data, shrinkage: float, reduced=None):
    """Return the (train, test) embeddings of MCCA with K components; for two views this is linear CCA."""
    reduced = reduced or reduced_views(data)
    n = data.n_samples
    whiten, white = [], []
    for x, _ in reduced:
        covariance = x.T @ x / (n - 1)
        shrunk = (1 - shrinkage) * covariance + shrinkage * np.trace(covariance) / len(covariance) * np.eye(
            len(covariance)
        )
        values, vectors = np.linalg.eigh(shrunk)
        kept = values > 1e-10 * values[-1]
        whiten.append(vectors[:, kept] / np.sqrt(values[kept]))
        white.append(x @ whiten[-1])
    edges = np.cumsum([0] + [w.shape[1] for w in white])
    stacked = np.hstack(white)
    gram = stacked.T @ stacked / (n - 1)
    for start, end in pairwise(edges):
        gram[start:end, start:end] = 0.0  # within-view blocks are nearly the identity: only pairs count
    leading = np.linalg.eigh(gram)[1][:, ::-1][:, : data.k]
    train, test = [], []
    for (x, y), w, start, end in zip(reduced, whiten, edges[:-1], edges[1:], strict=True):
        weights = w @ leading[start:end]
        weights = np.pad(weights, ((0, 0), (0, data.k - weights.shape[1])))
        train.append(x @ weights)
        test.append(y @ weights)
    return train, test


def linear_scores(data) -> dict:
    """Return the best test TCC over the shrinkages, with raw TCC and probe accuracy of the same fit."""
    reduced = reduced_views(data)
    best = None
    for shrinkage in SHRINKAGES:
        train, test = linear_embeddings(data, shrinkage, reduced)
        scores = {
            "linear_test_tcc": decorrelated_tcc(train, test),
            "linear_test_raw_tcc": tcc(test),
            "linear_shrinkage": shrinkage,
        }
        if best is None or scores["linear_test_tcc"] > best["linear_test_tcc"]:
            best = scores
            best["linear_accuracy"] = probe_accuracy(train, data.labels, test, data.test_labels)
    return best


def main() -> None:
    names = sys.argv[1:] or [n for n in datasets.list_datasets() if n != "sign_interaction"]  # one view
    print("| data set | test TCC | raw test TCC | probe accuracy | shrinkage |")
    print("|---|---|---|---|---|")
    for name in names:
        try:
            f = linear_scores(datasets.load(name))
        except datasets.MissingDataError as reason:
            print(reason, file=sys.stderr)
            continue
        accuracy = "" if f["linear_accuracy"] is None else f"{f['linear_accuracy']:.3f}"
        print(
            f"| {name} | {f['linear_test_tcc']:.3f} | {f['linear_test_raw_tcc']:.3f} | {accuracy} "
            f"| {f['linear_shrinkage']} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
