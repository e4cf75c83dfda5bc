"""Evaluates the trees of a model file in NumPy, round by round: for curves, and as a check of transform.

`model` is the parsed JSON of a model file (schema: docs/model-file.md); views are float32 matrices in the model's order
of views and columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np


@dataclass
class Tree:
    component: int  # -1: a vector of all components in every leaf
    feature: np.ndarray  # per node; -1 in leaves
    threshold: np.ndarray  # per node, like the rest
    left: np.ndarray
    right: np.ndarray
    default_left: np.ndarray
    leaf: np.ndarray  # row of `values`
    values: np.ndarray  # leaves x (1 or K)

    def leaves(self, x: np.ndarray) -> np.ndarray:
        """Return for every row of x its leaf: a row of `values`."""
        node = np.zeros(len(x), dtype=np.intp)
        rows = np.flatnonzero(self.feature[node] >= 0)
        while len(rows):
            at = node[rows]
            value = x[rows, self.feature[at]]
            goes_left = np.where(np.isnan(value), self.default_left[at], value < self.threshold[at])
            node[rows] = np.where(goes_left, self.left[at], self.right[at])
            rows = rows[self.feature[node[rows]] >= 0]
        return self.leaf[node]


def encoder_trees(encoder: dict, k: int) -> Iterator[Tree]:
    """Yield the trees in the order they were grown. Split and leaf arrays are expanded to one entry per node."""
    feature = np.asarray(encoder["feature"], dtype=np.intp)
    is_leaf = feature < 0

    def per_node(key: str, where: np.ndarray, dtype) -> np.ndarray:
        spread = np.zeros(len(feature), dtype=dtype)
        spread[where] = encoder[key]
        return spread

    columns = {
        "threshold": per_node("threshold", ~is_leaf, np.float32),
        "left": per_node("left", ~is_leaf, np.intp),
        "right": per_node("right", ~is_leaf, np.intp),
        "default_left": per_node("default_left", ~is_leaf, bool),
        "leaf": per_node("leaf", is_leaf, np.intp),
    }
    leaf_values = np.asarray(encoder["leaf_values"], dtype=np.float32)
    first_node = first_value = 0
    for size, component in zip(encoder["tree_sizes"], encoder["component"], strict=True):
        nodes = slice(first_node, first_node + size)
        width = k if component < 0 else 1
        count = int(is_leaf[nodes].sum()) * width
        values = leaf_values[first_value : first_value + count].reshape(-1, width)
        yield Tree(component, feature[nodes], **{key: column[nodes] for key, column in columns.items()}, values=values)
        first_node += size
        first_value += count


def _linear(linear_map: dict | None, x: np.ndarray, k: int) -> np.ndarray:
    """Return what a linear map of the model (base margin, linear CCA) gives; zeros if there is none."""
    if linear_map is None:
        return np.zeros((len(x), k))
    weights = np.asarray(linear_map["weights"]).reshape(-1, k)
    centred = np.nan_to_num(x - np.asarray(linear_map["mean"]))  # a missing value counts as the mean
    return centred @ weights


def _add(tree: Tree, x: np.ndarray, weight: float, embedding: np.ndarray) -> None:
    added = weight * tree.values[tree.leaves(x)]
    if tree.component < 0:
        embedding += added
    else:
        embedding[:, tree.component] += added[:, 0]


def _view_embeddings_by_round(model: dict, index: int, x: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the N x K embedding after every round: the same array each time, so copy it to keep it."""
    view = model["views"][index]
    if len(view.get("parts", [])) != 1:
        raise ValueError("A mean of parts, or linear CCA alone, has no embeddings by round.")
    part = view["parts"][0]
    k = len(part["mean"])  # n_components + n_oversamples
    x = np.asarray(x, dtype=np.float32)
    embedding = _linear(view["base_margin"], x, k)
    weight = 1.0 / len(part["encoders"])
    encoders = [list(encoder_trees(encoder, k)) for encoder in part["encoders"]]
    rounds = int(model["rounds"])
    for trees in encoders:
        if rounds == 0 or len(trees) % rounds:
            raise ValueError(f"{len(trees)} trees do not divide into {rounds} rounds.")
    for r in range(rounds):
        for trees in encoders:
            per_round = len(trees) // rounds
            for tree in trees[r * per_round : (r + 1) * per_round]:
                _add(tree, x, weight, embedding)
        yield embedding


def embeddings_by_round(model: dict, views: list[np.ndarray]) -> Iterator[list[np.ndarray]]:
    """Yield after every round the embeddings of all views, before centring and rotation. For models of one part."""
    yield from map(list, zip(*(_view_embeddings_by_round(model, i, x) for i, x in enumerate(views)), strict=True))


def variates(model: dict, views: list[np.ndarray]) -> list[np.ndarray]:
    """Return the expected result of transform: the parts' embeddings, centred, rotated and added up, and linear CCA."""
    n_components = int(model["parameters"]["n_components"])
    return [_view_variates(view, x, n_components) for view, x in zip(model["views"], views, strict=True)]


def _view_variates(view: dict, x: np.ndarray, n_components: int) -> np.ndarray:
    x = np.asarray(x, dtype=np.float32)
    total = _linear(view["linear"], x, n_components)
    for part in view.get("parts", []):
        k = len(part["mean"])
        embedding = _linear(view["base_margin"], x, k)
        for encoder in part["encoders"]:
            for tree in encoder_trees(encoder, k):
                _add(tree, x, 1.0 / len(part["encoders"]), embedding)
        total += (embedding - np.asarray(part["mean"])) @ np.asarray(part["rotation"]).reshape(k, n_components)
    return total
