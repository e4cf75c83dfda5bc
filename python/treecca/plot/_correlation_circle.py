from __future__ import annotations

from typing import Any

import numpy as np

from ._display import LINEAR, PALETTE, Display, as_shown, component_number, component_title, fitted


class CorrelationCircleDisplay(Display):
    """Loadings of the features of all views on two components.

    Features in the same direction correlate positively, in opposite directions negatively; the farther from the centre,
    the more. A feature near the centre has no linear relation with the two components.
    """

    def __init__(
        self,
        table: dict[str, Any],
        components: tuple[int, int],
        n_names: int,
        titles: tuple[str, str] | None = None,
    ) -> None:
        super().__init__(table)
        self.components = components
        self.n_names = n_names
        self.titles = titles or tuple(f"component {component + 1}" for component in components)

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        *,
        components: tuple[int, int] = (0, 1),
        n_features: int = 30,
        n_names: int = 6,
        ax: Any = None,
    ) -> CorrelationCircleDisplay:
        """`n_features` and `n_names`: numbers of features shown, and named, per view: the features farthest from the
        centre.

        Names that would lie on each other are left out.
        """
        model = fitted(model)
        if model.model_.n_components < 2:
            raise ValueError("A correlation circle needs two components; the model has one.")
        first, second = (component_number(model, component) for component in components)
        columns: dict[str, list[Any]] = {"view": [], "feature": [], "x": [], "y": []}
        for name, names, loadings in zip(
            model.view_names_, model.feature_names_per_view_, model.loadings_, strict=True
        ):
            x, y = loadings[:, first], loadings[:, second]
            length = np.nan_to_num(x**2 + y**2)
            for j in np.argsort(-length, kind="stable")[:n_features]:
                if length[j] > 0:
                    columns["view"].append(name)
                    columns["feature"].append(names[j])
                    columns["x"].append(x[j])
                    columns["y"].append(y[j])
        table = {name: np.asarray(values, dtype=float if name in "xy" else object) for name, values in columns.items()}
        titles = component_title(model, first), component_title(model, second)
        return cls(table, (first, second), n_names, titles).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> CorrelationCircleDisplay:
        ax = self._axes(ax, figsize=(6, 6))
        angle = np.linspace(0, 2 * np.pi, 200)
        for radius in (0.5, 1.0):
            ax.plot(radius * np.cos(angle), radius * np.sin(angle), color=LINEAR, linewidth=0.8)
        ax.axhline(0, color=LINEAR, linewidth=0.8)
        ax.axvline(0, color=LINEAR, linewidth=0.8)
        named: dict[str, list[float]] = {"left": [], "right": []}
        for number, view in enumerate(dict.fromkeys(self.table_["view"])):
            chosen = np.flatnonzero(self.table_["view"] == view)
            x, y = self.table_["x"][chosen], self.table_["y"][chosen]
            colour = PALETTE[number % len(PALETTE)]
            ax.scatter(x, y, s=18, color=colour, label=as_shown(view))
            for place in range(min(self.n_names, len(chosen))):
                if np.hypot(x[place], y[place]) < 0.3:
                    continue  # near the centre, where a direction means little
                side = "left" if x[place] >= 0 else "right"
                if any(abs(y[place] - other) < 0.08 for other in named[side]):
                    continue  # names would lie on each other; the table has them all
                named[side].append(y[place])
                ax.annotate(
                    as_shown(self.table_["feature"][chosen[place]], most=18),
                    (x[place], y[place]),
                    xytext=(5 if side == "left" else -5, 0),
                    textcoords="offset points",
                    ha=side,
                    va="center",
                    fontsize="small",
                    color=colour,
                )
        ax.set(
            xlabel=f"loading on {self.titles[0]}",
            ylabel=f"loading on {self.titles[1]}",
            xlim=(-1.45, 1.45),
            ylim=(-1.1, 1.1),
            aspect="equal",
        )
        ax.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=3)
        return self
