from __future__ import annotations

from typing import Any

import numpy as np

from .._partners import feature_number
from ._display import OUT_OF_FOLD, PALETTE, Display, as_shown, component_number, component_title, fitted

MOST_LINES = 200


def _values(model: Any, views: Any, number: int, names: list[str]) -> dict[str, Any]:
    """At most MOST_LINES values of each of these features, evenly spaced by their order."""
    table = np.asarray(model._report_data(views)[number], dtype=float)
    result = {}
    for name in names:
        column = table[:, model.feature_names_per_view_[number].index(name)]
        values = np.sort(column[np.isfinite(column)])
        result[name] = values[:: max(1, -(-len(values) // MOST_LINES))]
    return result


class ShapeDisplay(Display):
    """Partial dependence: a variate as a function of its most important features, averaged over the others.

    Drawn from the model alone (see `treecca/shape.hpp`): at a split on the feature a sample follows its value; at every
    other split it takes both branches, weighted by their training samples. The plots share their vertical scale.
    """

    def __init__(
        self,
        table: dict[str, Any],
        component: int,
        view: str,
        missing: dict[str, float],
        data: dict[str, Any] | None = None,
        title: str = "",
    ) -> None:
        super().__init__(table)
        self.component = component
        self.data = data or {}
        self.title = title
        self.view = view
        self.missing = missing

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        *,
        view: int | str = 0,
        component: int = 0,
        features: list[int | str] | None = None,
        n_features: int = 3,
        views: Any = None,
        ax: Any = None,
    ) -> ShapeDisplay:
        """`views`: every view, as for `TreeCCA.report`; short lines on the axis show the values of a feature."""
        model = fitted(model)
        number = model._view_number(view)
        k = component_number(model, component)
        names = model.feature_names_per_view_[number]
        if features is None:
            ranked = model.importances(number, k)
            features = list(ranked["feature"][:n_features][ranked["importance"][:n_features] > 0])
        rows: dict[str, list[Any]] = {"feature": [], "from": [], "to": [], "variate": []}
        missing = {}
        of_levels: list[tuple[int, str]] = []  # row, level
        for feature in features:
            j = feature_number(feature, names, model.view_names_[number])
            thresholds, values, absent = model.model_.shape_curve(number, j)
            missing[names[j]] = float(absent[k])
            levels = model.levels_per_view_[number].get(names[j])
            if levels is not None:
                for position in range(len(values)):  # none where the model does not use it
                    rows["feature"].append(names[j])
                    rows["from"].append(position)
                    rows["to"].append(position)
                    rows["variate"].append(values[position, k])
                    of_levels.append((len(rows["feature"]) - 1, levels[position]))
                continue
            edges = np.concatenate([[-np.inf], thresholds, [np.inf]])
            for step in range(len(values)):
                rows["feature"].append(names[j])
                rows["from"].append(edges[step])
                rows["to"].append(edges[step + 1])
                rows["variate"].append(values[step, k])
        table = {
            name: np.asarray(column, dtype=object if name == "feature" else float) for name, column in rows.items()
        }
        if of_levels:
            table["level"] = np.full(len(table["feature"]), "", dtype=object)
            for row, level in of_levels:
                table["level"][row] = level
        data = _values(model, views, number, list(missing)) if views is not None else None
        title = component_title(model, k)
        return cls(table, k, model.view_names_[number], missing, data, title).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> ShapeDisplay:
        """Draw the curves. Several features share the axes if `ax` is given; else each has its own."""
        names = list(dict.fromkeys(self.table_["feature"]))
        if ax is None:
            from ._display import _pyplot

            self.figure_, grid = _pyplot().subplots(
                1,
                max(1, len(names)),
                sharey=True,
                squeeze=False,
                layout="constrained",
                figsize=(3.2 * max(1, len(names)), 3),
            )
            self.ax_ = axes = list(grid[0])
        else:
            self._axes(ax)
            axes = [ax] * len(names)
        own_axis = ax is None or len(names) == 1
        for number, name in enumerate(names):
            chosen = self.table_["feature"] == name
            edges = self.table_["from"][chosen][1:]
            values = self.table_["variate"][chosen]
            levels = self.table_["level"][chosen] if "level" in self.table_ else []
            if len(levels) and levels[0] != "":
                axes[number].plot(np.arange(len(levels)), values, "o", color=OUT_OF_FOLD, label=as_shown(name))
                axes[number].set_xticks(np.arange(len(levels)), [as_shown(level) for level in levels], rotation=90)
                axes[number].set(xlabel=as_shown(name) if own_axis else "feature")
                continue
            if len(edges) == 0:
                continue
            margin = 0.05 * (edges[-1] - edges[0]) or 1.0
            x = np.concatenate([[edges[0] - margin], edges, [edges[-1] + margin]])
            colour = OUT_OF_FOLD if ax is None else PALETTE[number % len(PALETTE)]
            axes[number].step(x, np.append(values, values[-1]), where="post", color=colour, label=as_shown(name))
            axes[number].set(xlabel=as_shown(name) if own_axis else "feature")
            inside = [value for value in self.data.get(name, ()) if x[0] <= value <= x[-1]]
            if inside:
                floor = axes[number].get_xaxis_transform()  # x in data, y in fractions of the axes
                axes[number].vlines(inside, 0, 0.04, transform=floor, color=colour, alpha=0.5, linewidth=0.7)
        if names:
            axes[0].set(ylabel=f"{as_shown(self.view)}, variate {self.component + 1}")
            if self.title.endswith(")"):
                axes[0].set_title(self.title, loc="left", fontsize="small")
        if not own_axis:
            ax.legend(frameon=False)
        return self
