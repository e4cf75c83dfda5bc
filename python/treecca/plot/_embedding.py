from __future__ import annotations

from typing import Any

import numpy as np

from ._display import Display, fitted, scatter, shown_variates


class EmbeddingDisplay(Display):
    """A t-SNE map of the samples, from the variates of all views.

    Distances within a cluster mean more than distances between clusters.
    """

    def __init__(self, table: dict[str, Any], labels: Any) -> None:
        super().__init__(table)
        self.labels = labels

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        views: Any = None,
        *,
        labels: Any = None,
        perplexity: float | None = None,
        random_state: int = 0,
        ax: Any = None,
    ) -> EmbeddingDisplay:
        from sklearn.manifold import TSNE

        model = fitted(model)
        variates, _ = shown_variates(model, views)
        stacked = np.hstack([np.asarray(z) for z in variates if z is not None])
        if perplexity is None:
            perplexity = min(30.0, (len(stacked) - 1) / 3)
        places = TSNE(perplexity=perplexity, init="pca", random_state=random_state).fit_transform(stacked)
        return cls({"x": places[:, 0], "y": places[:, 1]}, labels).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> EmbeddingDisplay:
        ax = self._axes(ax)
        scatter(ax, self.table_["x"], self.table_["y"], self.labels)
        ax.set(xlabel="t-SNE 1", ylabel="t-SNE 2", aspect="equal")
        ax.set_xticks([])
        ax.set_yticks([])
        return self
