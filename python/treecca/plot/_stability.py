from __future__ import annotations

from typing import Any

import numpy as np

from .._stability import StabilityResult
from ._display import LINEAR, OUT_OF_FOLD, Display, as_percent, as_shown, percent_axis


class StabilityDisplay(Display):
    """How well refits recover each component, with the ranges that hold 95% of the refits.

    With a view: how often its features are selected for a component, most frequent first.
    """

    def __init__(self, result: StabilityResult, table: dict[str, Any], view: int | str | None) -> None:
        super().__init__(table)
        self.result = result
        self.view = view

    @classmethod
    def from_result(
        cls,
        result: StabilityResult,
        *,
        view: int | str | None = None,
        component: int | None = None,
        top: int = 15,
        ax: Any = None,
    ) -> StabilityDisplay:
        """`component`: of the features of a `view`, counted from 0, by default the first; `top`: number of features."""
        if view is None:
            if component is not None:
                raise ValueError("component is for the features of a view: say which, e.g. view=0.")
            return cls(result, result.components(), None).plot(ax=ax)
        component = component or 0
        table = result.features(view)
        rows = np.flatnonzero(table["component"] == component + 1)
        if not len(rows):
            raise ValueError(f"The model has components 0 to {len(result.recovered) - 1}, not {component}.")
        order = np.lexsort((-table["importance"][rows], -table["frequency"][rows]))[:top]
        return cls(result, {name: column[rows][order] for name, column in table.items()}, view).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> StabilityDisplay:
        ax = self._axes(ax)
        return self._components(ax) if self.view is None else self._features(ax)

    def _components(self, ax: Any) -> StabilityDisplay:
        table = self.table_
        for shift, name, label, colour in (
            (-0.1, "recovered", "after rotation", OUT_OF_FOLD),
            (0.1, "agreement", "one to one", LINEAR),
        ):
            reach = np.stack([table[name] - table[f"{name}_low"], table[f"{name}_high"] - table[name]]).clip(0)
            place = table["component"] + shift
            ax.errorbar(place, table[name], yerr=reach, fmt="o", color=colour, label=label)
            side = "right" if shift < 0 else "left"
            for x, value in zip(place, table[name], strict=True):
                offset = (-5 if shift < 0 else 5, 0)
                ax.annotate(
                    f"{value:.2f}",
                    (x, value),
                    xytext=offset,
                    textcoords="offset points",
                    ha=side,
                    va="center",
                    fontsize="small",
                )
        ax.axhline(0, color="black", linewidth=0.8)
        ax.set_xticks(table["component"])
        ax.set_xlim(0.4, len(table["component"]) + 0.6)
        ax.set(xlabel="component", ylabel="correlation with fits to half of the samples", ylim=(None, 1.02))
        ax.legend(frameon=False, loc="lower left")
        return self

    def _features(self, ax: Any) -> StabilityDisplay:
        place = np.arange(len(self.table_["feature"]))[::-1]
        bars = ax.barh(place, self.table_["frequency"], color=OUT_OF_FOLD)
        ax.bar_label(bars, [as_percent(share) for share in self.table_["frequency"]], padding=3, fontsize="small")
        ax.set_yticks(place, [as_shown(name) for name in self.table_["feature"]])
        number = int(self.table_["component"][0]) if len(place) else 1
        ax.set(xlabel=f"selected for component {number}, percentage of half-samples", xlim=(0, 1.12))
        ax.set_xticks([0, 0.25, 0.5, 0.75, 1])
        percent_axis(ax.xaxis)
        return self
