from __future__ import annotations

from typing import Any

import numpy as np

from ._display import OUT_OF_FOLD, Display, as_shown, fitted


class ImportancesDisplay(Display):
    """The most important features of a view, for one component or for all."""

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
        which = "all components" if component is None else f"component {component + 1}"
        title = f"{model.view_names_[model._view_number(view)]}, {which}"
        return cls({name: column[:n_features] for name, column in ranked.items()}, title, kind).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> ImportancesDisplay:
        names, values = self.table_["feature"], self.table_["importance"]
        ax = self._axes(ax, figsize=(6, 1 + 0.28 * len(names)))
        place = np.arange(len(names))[::-1]
        ax.barh(place, values, color=OUT_OF_FOLD)
        ax.set_yticks(place, labels=[as_shown(name, most=32) for name in names])
        ax.set(xlabel=f"importance ({self.kind})", title=as_shown(self.title, most=48), xlim=(0, None))
        return self
