"""Scores in plain NumPy: an independent check of what the CLI reports.

Embeddings and variates are lists of M matrices N x K with the same samples.
"""

from __future__ import annotations

import itertools

import numpy as np


def _standardised(z: np.ndarray) -> np.ndarray:
    z = np.asarray(z, dtype=np.float64)
    centred = z - z.mean(axis=0)
    norm = np.linalg.norm(centred, axis=0)
    tiny = norm <= 1e-12 * np.maximum(np.abs(z).max(axis=0), 1e-300) * np.sqrt(len(z))
    return np.where(tiny, 0.0, centred / np.where(tiny, 1.0, norm))


def component_correlations(variates: list[np.ndarray]) -> np.ndarray:
    """Return per component the mean over pairs of views of |correlation|; constant columns count as 0."""
    units = [_standardised(z) for z in variates]
    pairs = [np.abs((a * b).sum(axis=0)) for a, b in itertools.combinations(units, 2)]
    return np.mean(pairs, axis=0)


def tcc(variates: list[np.ndarray]) -> float:
    """Return the total correlation captured: the sum of component_correlations."""
    return float(component_correlations(variates).sum())


def largest_repeat(variates: list[np.ndarray]) -> float:
    """Return the largest |correlation| between two components of one view: 0 if decorrelated, 1 for a duplicate."""
    largest = 0.0
    for z in variates:
        unit = _standardised(z)
        gram = np.abs(unit.T @ unit)
        np.fill_diagonal(gram, 0.0)
        largest = max(largest, float(gram.max()))
    return largest


def inverse_square_root(covariance: np.ndarray, tolerance: float = 1e-10) -> np.ndarray:
    """Return the symmetric V^(-1/2), without directions of negligible variance."""
    values, vectors = np.linalg.eigh(covariance)
    kept = values > tolerance * max(values[-1], 0.0)
    return (vectors[:, kept] / np.sqrt(values[kept])) @ vectors[:, kept].T


def canonical_rotation(embeddings: list[np.ndarray], iterations: int = 200) -> list[np.ndarray]:
    """Return per view a K x K matrix A_v: the components of Z_v A_v are uncorrelated within the view, and ordered.

    Linear CCA of the embeddings for two views; for more, the orthogonal rotations of the whitened embeddings that
    agree best over all pairs (optimised one view at a time against the sum of the others).
    """
    m, k = len(embeddings), embeddings[0].shape[1]
    centred = [np.asarray(z, np.float64) - np.mean(z, axis=0, dtype=np.float64) for z in embeddings]
    n = len(centred[0])
    whiten = [inverse_square_root(z.T @ z / (n - 1)) for z in centred]
    white = [z @ w for z, w in zip(centred, whiten, strict=True)]
    cross = [[a.T @ b / (n - 1) for b in white] for a in white]

    stacked = np.block(cross)
    leading = np.linalg.eigh(stacked)[1][:, ::-1][:, :k].reshape(m, k, k)
    rotations = [_polar(block) for block in leading]
    for _ in range(iterations if m > 2 else 1):
        if m == 2:
            u, _, vt = np.linalg.svd(cross[0][1])
            rotations = [u, vt.T]
            break
        for i in range(m):
            rotations[i] = _polar(sum(cross[i][j] @ rotations[j] for j in range(m) if j != i))

    agreement = sum(rotations[i].T @ cross[i][j] @ rotations[j] for i in range(m) for j in range(m) if i != j)
    common = np.linalg.eigh(agreement + agreement.T)[1][:, ::-1]
    return [w @ r @ common for w, r in zip(whiten, rotations, strict=True)]


def _polar(matrix: np.ndarray) -> np.ndarray:
    u, _, vt = np.linalg.svd(matrix)
    return u @ vt


def decorrelated_tcc(train: list[np.ndarray], test: list[np.ndarray]) -> float:
    """Return the TCC of test embeddings under the canonical rotation of the training embeddings."""
    return tcc([z @ a for z, a in zip(test, canonical_rotation(train), strict=True)])


def probe_accuracy(train, labels, test, test_labels) -> float | None:
    """Return the accuracy of logistic regression on the concatenated variates of all views; None without labels."""
    if labels is None or test_labels is None:
        return None
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    probe = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000))
    probe.fit(np.hstack(train), labels)
    return float(probe.score(np.hstack(test), test_labels))
