from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._partners import shown_component, top_features
from ._display import PALETTE, Display, as_shown, component_title, fitted

POSITIVE, NEGATIVE, NONLINEAR = "#C8452F", "#2F6FB5", "#8659A8"


def association_colours(strength: NDArray[Any], correlation: NDArray[Any]) -> NDArray[Any]:
    """Colours by the sign of the linear part; a third colour if it is less than half of the strength."""
    signed = np.where(correlation < 0, NEGATIVE, POSITIVE)
    return np.where(np.abs(correlation) < 0.5 * strength, NONLINEAR, signed)


def _key() -> list[Any]:
    from matplotlib.patches import Patch

    names = {"positive": POSITIVE, "negative": NEGATIVE, "mostly nonlinear": NONLINEAR}
    return [Patch(color=colour, label=name) for name, colour in names.items()]


def _cluster_order(rows: NDArray[Any]) -> NDArray[Any]:
    """Leaves of average linkage: similar rows become neighbours."""
    if len(rows) < 3:
        return np.arange(len(rows))
    from scipy.cluster.hierarchy import leaves_list, linkage

    return np.asarray(leaves_list(linkage(rows, "average")))


class PartnersDisplay(Display):
    """Heatmap of the relations between the most important features of two views (clustered image map).

    The strength of the colour is the strength of the relation through the components, in any form (see
    `TreeCCA.partners`). Rows and columns are ordered by average linkage, so that similar features are neighbours. The
    table has one row per cell.
    """

    def __init__(self, table: dict[str, Any], names: tuple[str, str], title: str) -> None:
        super().__init__(table)
        self.names = names
        self.title = title

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        *,
        pair: tuple[int | str, int | str] = (0, 1),
        component: int | None = None,
        n_features: int = 20,
        ax: Any = None,
    ) -> PartnersDisplay:
        """`component`: counted from 0; None takes all together. `n_features`: number of top features per view."""
        model = fitted(model)
        k = None if component is None else model._component_number(component)
        first, second = (model._view_number(view) for view in pair)
        rows, columns = (top_features(model, view, k, n_features) for view in (first, second))
        strength, correlation = model.model_.associations(first, rows, second, columns, shown_component(k))
        signed = np.where(correlation < 0, -strength, strength)
        by_row, by_column = _cluster_order(signed), _cluster_order(signed.T)
        names = [
            np.asarray([model.feature_names_per_view_[view][j] for j in features], dtype=object)[order]
            for view, features, order in ((first, rows, by_row), (second, columns, by_column))
        ]
        strength, correlation = (cells[np.ix_(by_row, by_column)] for cells in (strength, correlation))
        table = {
            "feature": np.repeat(names[0], len(columns)),
            "partner": np.tile(names[1], len(rows)),
            "strength": strength.ravel(),
            "correlation": correlation.ravel(),
        }
        title = component_title(model, k)
        return cls(table, (model.view_names_[first], model.view_names_[second]), title).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> PartnersDisplay:
        from matplotlib.colors import to_rgb

        rows = list(dict.fromkeys(self.table_["feature"]))
        columns = list(dict.fromkeys(self.table_["partner"]))
        ax = self._axes(ax, figsize=(max(6, 3 + 0.28 * len(columns)), 3 + 0.26 * len(rows)))
        strength = self.table_["strength"].reshape(len(rows), len(columns))
        colours = association_colours(strength, self.table_["correlation"].reshape(strength.shape))
        full = np.array([[to_rgb(colour) for colour in row] for row in colours]).reshape(*strength.shape, 3)
        weight = np.clip(strength, 0, 1)[:, :, None]
        ax.imshow(1 - weight * (1 - full), aspect="auto", interpolation="nearest")
        ax.set_xticks(range(len(columns)), labels=[as_shown(name) for name in columns], rotation=90)
        ax.set_yticks(range(len(rows)), labels=[as_shown(name) for name in rows])
        ax.set(xlabel=as_shown(self.names[1]), ylabel=as_shown(self.names[0]))
        ax.legend(handles=_key(), frameon=False, loc="lower right", bbox_to_anchor=(1, 1), ncols=3, title=self.title)
        return self


class NetworkDisplay(Display):
    """Relevance network: the strongest relations between the most important features of different views.

    Features are on a circle, view by view; the table has one row per line (see `TreeCCA.partners`).
    """

    def __init__(self, table: dict[str, Any], views: list[str], nodes: list[tuple[str, str]], title: str) -> None:
        super().__init__(table)
        self.views = views
        self.nodes = nodes
        self.title = title

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        *,
        component: int | None = None,
        n_features: int = 15,
        threshold: float = 0.3,
        n_edges: int = 60,
        ax: Any = None,
    ) -> NetworkDisplay:
        """`n_features`: per view. `threshold`: lowest strength of a line. `n_edges`: maximum number of lines."""
        model = fitted(model)
        k = None if component is None else model._component_number(component)
        names = model.feature_names_per_view_
        features = [top_features(model, view, k, n_features) for view in range(len(names))]
        found: list[tuple[float, float, int, int, int, int]] = []
        for v in range(len(names)):
            for w in range(v + 1, len(names)):
                strength, correlation = model.model_.associations(v, features[v], w, features[w], shown_component(k))
                for i, j in zip(*np.nonzero(strength >= threshold), strict=True):
                    found.append((strength[i, j], correlation[i, j], v, features[v][i], w, features[w][j]))
        edges = sorted(found, key=lambda edge: -edge[0])[:n_edges]
        table = {
            "view": np.asarray([model.view_names_[edge[2]] for edge in edges], dtype=object),
            "feature": np.asarray([names[edge[2]][edge[3]] for edge in edges], dtype=object),
            "partner_view": np.asarray([model.view_names_[edge[4]] for edge in edges], dtype=object),
            "partner": np.asarray([names[edge[4]][edge[5]] for edge in edges], dtype=object),
            "strength": np.asarray([edge[0] for edge in edges], dtype=float),
            "correlation": np.asarray([edge[1] for edge in edges], dtype=float),
        }
        linked = {(edge[2], edge[3]) for edge in edges} | {(edge[4], edge[5]) for edge in edges}
        nodes = [
            (model.view_names_[v], names[v][j]) for v in range(len(names)) for j in features[v] if (v, j) in linked
        ]
        title = component_title(model, k)
        return cls(table, model.view_names_, nodes, title).plot(ax=ax)

    def places(self) -> dict[tuple[str, str], float]:
        """Angle of every (view, feature): views follow each other, with a gap of one place between them."""
        place, places = 0.0, {}
        for number, node in enumerate(self.nodes):
            place += 1 if number == 0 or node[0] == self.nodes[number - 1][0] else 2
            places[node] = place
        return {node: 2 * np.pi * at / (place + 1) + np.pi / 2 for node, at in places.items()}

    def plot(self, *, ax: Any = None) -> NetworkDisplay:
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        ax = self._axes(ax, figsize=(7, 7))
        angles = self.places()
        at = {node: (np.cos(angle), np.sin(angle)) for node, angle in angles.items()}
        colours = association_colours(self.table_["strength"], self.table_["correlation"])
        columns = ("view", "feature", "partner_view", "partner", "strength")
        for colour, v, a, w, b, strength in zip(colours, *(self.table_[name] for name in columns), strict=True):
            path = Path([at[v, a], (0, 0), at[w, b]], [Path.MOVETO, Path.CURVE3, Path.CURVE3])
            ax.add_patch(PathPatch(path, fill=False, edgecolor=str(colour), linewidth=0.5 + 4 * strength, alpha=0.7))
        for number, view in enumerate(self.views):
            own = [at[node] for node in self.nodes if node[0] == view]
            colour = PALETTE[number % len(PALETTE)]
            ax.scatter(*np.reshape(own, (-1, 2)).T, s=40, color=colour, zorder=2, label=as_shown(view))
        for node, angle in angles.items():
            left = np.cos(angle) < 0
            ax.text(
                1.05 * np.cos(angle),
                1.05 * np.sin(angle),
                as_shown(node[1]),
                rotation=np.degrees(angle) + (180 if left else 0),
                rotation_mode="anchor",
                ha="right" if left else "left",
                va="center",
                fontsize="small",
            )
        ax.set(xlim=(-1.75, 1.75), ylim=(-1.75, 1.75), aspect="equal")
        ax.set_axis_off()
        ax.set_title(self.title)
        views = ax.get_legend_handles_labels()[0]
        ax.legend(handles=[*views, *_key()], frameon=False, loc="upper center", bbox_to_anchor=(0.5, 0.02), ncols=3)
        return self
