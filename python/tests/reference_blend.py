"""Steps 5 to 11 of preset="auto" in plain NumPy: the oracle of src/fit/candidate and src/fit/choose.

Parts are given (see tests/reference/parts.cpp): variates of trees and of linear CCA for all rows, and which part never
saw a row. "Variates" are lists with one N x K matrix per view.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def min_variance(n):
    """The fraction of the plain mean's variance that the estimate may go down to."""
    return min(1.0, max(0.5, 1 - (n - 20) / 80))


def centred(variates: Any, rows: Any = slice(None)) -> Any:
    return [z[rows] - z[rows].mean(0) for z in variates]


def polar(matrix: Any) -> Any:
    u, _, vt = np.linalg.svd(matrix)
    return u @ vt


def rotation_towards(variates: Any, onto: Any, rows: Any) -> Any:
    """The one rotation for all views that brings variates nearest to others, judged on some rows only."""
    pairs = zip(centred(variates, rows), centred(onto, rows), strict=True)
    return polar(sum(z.T @ o for z, o in pairs))


def blocks(covariance: Any, n_views: int) -> Any:
    return covariance.reshape(n_views, len(covariance) // n_views, n_views, -1).transpose(0, 2, 1, 3)


def common_rotation(covariance: Any, n_views: int) -> Any:
    """A_v = V_v^(-1/2) P, P: eigenvectors of the sum over pairs of V_i^(-1/2) S_ij V_j^(-1/2), variances floored."""
    s, roots = blocks(covariance, n_views), []
    for v in range(n_views):
        w, u = np.linalg.eigh(s[v, v])
        roots.append(u / np.sqrt(np.maximum(w, 1e-3 * w[-1])) @ u.T)
    c = sum(roots[i] @ s[i, j] @ roots[j] for i in range(n_views) for j in range(n_views) if i != j)
    p = np.linalg.eigh((c + c.T) / 2)[1][:, ::-1]
    return [root @ p for root in roots]


def variate_covariances(rotation: Any, covariance: Any) -> Any:
    """M x M x K: covariance of component k of view i with that of view j."""
    s = blocks(covariance, len(rotation))
    return np.array(
        [[np.einsum("dk,de,ek->k", a, s[i, j], b) for j, b in enumerate(rotation)] for i, a in enumerate(rotation)]
    )


def view_pairs(n_views: int) -> list[tuple[int, int]]:
    return [(i, j) for i in range(n_views) for j in range(i + 1, n_views)]


def correlations(c: Any) -> Any:
    """Per component, mean over pairs of views."""
    return np.mean([c[i, j] / np.sqrt(np.maximum(c[i, i] * c[j, j], 1e-300)) for i, j in view_pairs(len(c))], 0)


def total(r: Any) -> float:
    return float(np.maximum(r, 0).sum())


def pooled(folds: Any, n: int) -> Any:
    """Correlations of n samples from folds of (covariances of the shipped mean, of the plain mean over repeats)."""
    shipped, plain = sum(folds).copy()
    for v in range(len(shipped)):
        shipped[v, v] = np.maximum(shipped[v, v], min_variance(n) * plain[v, v])
    return correlations(shipped)


def rotated_rows(views: Any, kinds: Any, rotations: Any) -> Any:
    """N x MK: each row times the matrix of its kind."""
    y = np.zeros((len(kinds), sum(z.shape[1] for z in views)))
    for kind, by in rotations.items():
        y[kinds == kind] = np.hstack([z[kinds == kind] @ by for z in views])
    return y


class Candidate:
    """One blend: parts aligned, judged on held-out rows. held_out: R x N, number of the part that never saw a row."""

    def __init__(self, variates: Any, held_out: Any) -> None:
        self.n_views, repeats = len(variates[0]), len(held_out)
        reference = variates[0]
        for _ in range(2):  # onto the first part, then onto the mean; by the rows that the part saw
            self.alignment = [rotation_towards(z, reference, ~(held_out == p).any(0)) for p, z in enumerate(variates)]
            reference = [
                np.mean([centred(z)[v] @ q for z, q in zip(variates, self.alignment, strict=True)], 0)
                for v in range(self.n_views)
            ]
        unaligned = [[np.zeros_like(z) for z in reference] for _ in held_out]
        for own, parts in zip(unaligned, held_out, strict=True):
            for p in np.unique(parts):
                for v, z in enumerate(centred(variates[p], parts == p)):
                    own[v][parts == p] = z
        aligned = [
            rotated_rows(own, parts, {p: self.alignment[p] for p in np.unique(parts)})
            for own, parts in zip(unaligned, held_out, strict=True)
        ]
        # Covariance of a mean of n parts: B + (W - B) / n. For B, part b is rotated onto part a by rows that both saw.
        products = []
        for r, s in [(r, s) for r in range(repeats) for s in range(repeats) if r != s]:
            pairs = held_out[r] * len(variates) + held_out[s]
            by = {}
            for pair in np.unique(pairs):
                a, b = divmod(pair, len(variates))
                both = ~((held_out == a) | (held_out == b)).any(0)
                by[pair] = rotation_towards(variates[b], variates[a], both) @ self.alignment[a]
            products.append((aligned[r], rotated_rows(unaligned[s], pairs, by)))
        members = [held_out[0] == p for p in np.unique(held_out[0])]
        shipped, plain = [], []
        for m in members:
            within = sum(y[m].T @ y[m] for y in aligned) / repeats
            between = within
            if repeats > 1:
                between = sum(a[m].T @ b[m] + b[m].T @ a[m] for a, b in products) / (2 * len(products))
            shipped.append(between + (within - between) / len(variates))
            plain.append(between + (within - between) / repeats)
        self.rotation = common_rotation(sum(plain), self.n_views)
        self.folds, self.rows, mean = [], [np.zeros_like(z) for z in reference], sum(aligned) / repeats
        for m, of_shipped, of_plain in zip(members, shipped, plain, strict=True):
            by_others = common_rotation(sum(plain) - of_plain, self.n_views)
            self.folds.append(
                np.array([variate_covariances(by_others, of_shipped), variate_covariances(by_others, of_plain)])
            )
            for v, z in enumerate(np.split(mean[m], self.n_views, axis=1)):
                self.rows[v][m] = z @ by_others[v]

    def own(self) -> Any:
        return pooled(self.folds, len(self.rows[0]))

    def plain(self, without: int | None = None) -> Any:
        return correlations(sum(plain for f, (_, plain) in enumerate(self.folds) if f != without))

    def standard_errors(self, groups: Any = None) -> Any:
        z = [r / np.sqrt((r**2).mean(0)) for r in self.rows]
        pairs = [(z[i], z[j], (z[i] * z[j]).mean(0)) for i, j in view_pairs(self.n_views)]
        influence = np.mean([a * b - r * (a**2 + b**2) / 2 for a, b, r in pairs], 0)
        if groups is not None:
            influence = np.array([influence[groups == g].sum(0) for g in np.unique(groups)])
        stretch = np.abs(self.own()) / np.maximum(np.abs(self.plain()), 1e-12)
        n = len(influence)
        errors = np.sqrt((influence**2).sum(0) * n / (n - 1)) / len(z[0])
        return errors * np.clip(stretch, 1, 2)


def blend(trees: Any, linear: Any, weight: float) -> Any:
    return [(1 - weight) * t + weight * z for t, z in zip(trees, linear, strict=True)]


def nested(candidates: list[Candidate]) -> Any:
    """Each fold adds the candidate that the other folds would have chosen."""
    folds = range(len(candidates[0].folds))
    chosen = [max(candidates, key=lambda c: total(c.plain(without=f))).folds[f] for f in folds]
    return pooled(chosen, len(candidates[0].rows[0]))
