from __future__ import annotations

from typing import Any

import numpy as np

from .. import metrics
from ._display import Display, as_shown, component_number, component_title, fitted, scatter, shown_variates


class VariatesDisplay(Display):
    """One component of two views against each other, a point per sample.

    Without `views` the plot shows the training samples, out-of-fold if the model was cross-fitted, and the correlation
    that the model reports. With preset "auto" it is slightly higher than the correlation of the points, which are means
    of fewer parts than the model (see `TreeCCA.out_of_fold_variates_`).
    """

    def __init__(
        self,
        table: dict[str, Any],
        names: tuple[str, str],
        component: int,
        labels: Any,
        kind: str,
        correlation: float | None,
        title: str = "",
    ) -> None:
        super().__init__(table)
        self.names = names
        self.component = component
        self.labels = labels
        self.kind = kind
        self.correlation = correlation
        self.title = title or f"component {component + 1}"

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        views: Any = None,
        *,
        component: int = 0,
        pair: tuple[int | str, int | str] = (0, 1),
        labels: Any = None,
        ax: Any = None,
    ) -> VariatesDisplay:
        model = fitted(model)
        k = component_number(model, component)
        first, second = (model._view_number(view) for view in pair)
        variates, kind = shown_variates(model, views)
        x, y = np.asarray(variates[first]), np.asarray(variates[second])
        names = (model.view_names_[first], model.view_names_[second])
        table = {names[0]: x[:, k], names[1]: y[:, k]}
        correlation = None
        if kind == "out-of-fold":
            correlation = float(model.pairwise_correlations_[first, second, k])
        elif len(x) > 1:
            correlation = float(metrics.component_correlations([x[:, [k]], y[:, [k]]])[0])
        return cls(table, names, k, labels, kind, correlation, component_title(model, k)).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> VariatesDisplay:
        ax = self._axes(ax)
        x, y = (self.table_[name] for name in self.names)
        scatter(ax, x, y, self.labels)
        number = self.component + 1
        title = self.title
        if self.correlation is not None:
            title += f": correlation {self.correlation:.2f} ({self.kind})"
        ax.set(
            xlabel=f"{as_shown(self.names[0])}, variate {number}",
            ylabel=f"{as_shown(self.names[1])}, variate {number}",
            title=title,
        )
        return self
