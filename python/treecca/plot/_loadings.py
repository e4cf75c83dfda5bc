from __future__ import annotations

from typing import Any

import numpy as np

from ._display import LINEAR, OUT_OF_FOLD, Display, as_shown, component_number, component_title, fitted


class LoadingsDisplay(Display):
    """The highest loadings of a view on one component, signed, with 95% intervals; dashes are cross-loadings."""

    def __init__(self, table: dict[str, Any], title: str) -> None:
        super().__init__(table)
        self.title = title

    @classmethod
    def from_estimator(
        cls, model: Any, *, view: int | str = 0, component: int = 0, n_features: int = 15, ax: Any = None
    ) -> LoadingsDisplay:
        model = fitted(model)
        k = component_number(model, component)
        table = {name: column[:n_features] for name, column in model.loadings(view, k).items()}
        return cls(table, f"{model.view_names_[model._view_number(view)]}, {component_title(model, k)}").plot(ax=ax)

    def plot(self, *, ax: Any = None) -> LoadingsDisplay:
        names, values = self.table_["feature"], self.table_["loading"]
        ax = self._axes(ax, figsize=(6, 1.2 + 0.28 * len(names)))
        place = np.arange(len(names))[::-1]
        ends = np.abs(np.vstack([values - self.table_["low"], self.table_["high"] - values]))
        ax.barh(place, values, xerr=ends, color=OUT_OF_FOLD, ecolor="#555555", label="loading")
        if not np.isnan(self.table_["cross_loading"]).all():
            ax.plot(
                self.table_["cross_loading"],
                place,
                "|",
                color=LINEAR,
                markersize=11,
                markeredgewidth=2.5,
                label="cross-loading",
            )
        for y, value, low, high in zip(place, values, self.table_["low"], self.table_["high"], strict=True):
            beyond = (max(high, value), 4, "left") if value >= 0 else (min(low, value), -4, "right")
            ax.annotate(
                f"{value:+.2f}",
                (beyond[0], y),
                xytext=(beyond[1], 0),
                textcoords="offset points",
                ha=beyond[2],
                va="center",
                fontsize="small",
            )
        ax.axvline(0, color="black", linewidth=0.8)
        ax.set_yticks(place, labels=[as_shown(name, most=32) for name in names])
        ax.set(xlabel="correlation with the variate", xlim=(-1.3, 1.3), xticks=[-1, -0.5, 0, 0.5, 1])
        ax.set_title(as_shown(self.title, most=48), loc="right")
        ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(0, -0.08 - 0.7 / len(names)), ncols=2)
        return self
