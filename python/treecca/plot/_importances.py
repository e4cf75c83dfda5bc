from __future__ import annotations

from typing import Any

import numpy as np

from ._display import OUT_OF_FOLD, Display, as_percent, as_shown, component_title, fitted, percent_axis


class ImportancesDisplay(Display):
    """The most important features of a view, for one component or for all, as percentages of all its features."""

    def __init__(self, table: dict[str, Any], title: str, kind: str) -> None:
        super().__init__(table)
        self.title = title
        self.kind = kind

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        *,
        view: int | str = 0,
        component: int | None = None,
        kind: str = "gain",
        n_features: int = 15,
        ax: Any = None,
    ) -> ImportancesDisplay:
        model = fitted(model)
        ranked = model.importances(view, component, kind)
        title = f"{model.view_names_[model._view_number(view)]}, {component_title(model, component)}"
        return cls({name: column[:n_features] for name, column in ranked.items()}, title, kind).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> ImportancesDisplay:
        names, values = self.table_["feature"], self.table_["importance"]
        ax = self._axes(ax, figsize=(6, 1 + 0.28 * len(names)))
        place = np.arange(len(names))[::-1]
        bars = ax.barh(place, values, color=OUT_OF_FOLD)
        ax.bar_label(bars, [as_percent(value) for value in values], padding=3, fontsize="small")
        ax.set_yticks(place, labels=[as_shown(name, most=32) for name in names])
        ax.set(xlabel=f"importance ({self.kind})", title=as_shown(self.title, most=48))
        ax.set_xlim(0, 1.12 * max(values, default=0) or 1)  # room for the last value
        percent_axis(ax.xaxis)
        return self
