"""The common parts of all displays: the table, the axes, the colours, names and percentages."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

Columns = dict[str, NDArray[Any]]

# Distinguishable with colour blindness (Okabe and Ito).
OUT_OF_FOLD, IN_SAMPLE, LINEAR, NOISE = "#0072B2", "#8FBCDB", "#999999", "#B3400A"
PALETTE = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000"]


class Display:
    """A plot and the table it is drawn from."""

    def __init__(self, table: Columns) -> None:
        self.table_ = table
        self.ax_: Any = None
        self.figure_: Any = None

    def _axes(self, ax: Any, **figure: Any) -> Any:
        if ax is None:
            _, ax = _pyplot().subplots(layout="constrained", **figure)
        self.ax_ = ax
        self.figure_ = ax.figure
        return ax


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("Plots need matplotlib. Install it with: pip install matplotlib") from error
    return plt


def as_shown(name: Any, most: int = 24) -> str:
    """A name for a plot: cut to a maximum length, with dollar signs that are not formulas."""
    text = str(name)
    if len(text) > most:
        # Names often differ at the end ("..._1", "..._2"), so both ends are kept.
        text = f"{text[: most - most // 3 - 1]}…{text[len(text) - most // 3 :]}"
    return text.replace("$", r"\$")


def as_percent(share: float) -> str:
    """Return a fraction as in the report: "12%"; "<1%" for less than half a percent."""
    return "<1%" if 0 < share < 0.005 else f"{100 * share:.0f}%"


def percent_axis(axis: Any) -> None:
    """Ticks of a fraction as percentages."""
    from matplotlib.ticker import FuncFormatter

    axis.set_major_formatter(FuncFormatter(lambda share, _: f"{100 * share:.3g}%"))


def component_title(model: Any, component: int | None) -> str:
    """Return "component 2", with a remark if it is below its noise threshold; "all components" for None."""
    if component is None:
        return "all components"
    found = model.model_.found  # empty without cross-fitting
    return f"component {component + 1}" + (" (below noise)" if len(found) and not found[component] else "")


def whole_numbers_only(axis: Any, values: Any) -> None:
    """Show ticks at integers only, for quantities that are integers."""
    if all(float(value).is_integer() for value in values):
        from matplotlib.ticker import MaxNLocator

        axis.set_major_locator(MaxNLocator(integer=True))


def fitted(model: Any) -> Any:
    check_is_fitted(model, "model_")
    return model


def component_number(model: Any, component: int) -> int:
    """The checked number of a component. Arguments count components from 0, as in NumPy; plots show them from 1."""
    return int(model._component_number(component))


def shown_variates(model: Any, views: Any) -> tuple[list[Any], str]:
    """Variates per view (None where a view was not given) and their kind.

    Without `views`, the variates of the training samples: out-of-fold if the model was cross-fitted.
    """
    if views is not None:
        variates = model.transform(views)
        if isinstance(variates, dict):
            variates = [variates.get(name) for name in model.view_names_]
        return variates, "given samples"
    variates, out_of_fold = model._training_variates()
    if not variates:
        raise ValueError(
            "This model does not hold its training samples (it was loaded, or fitted on Dask without cross-fitting): "
            "give `views`."
        )
    return variates, "out-of-fold" if out_of_fold else "in-sample"


def colours_of(labels: Any, n: int) -> tuple[list[Any], list[Any]] | None:
    """(distinct labels, index of each sample's label), or None for numbers to be shown on a scale."""
    values = np.asarray(labels)
    if values.shape != (n,):
        raise ValueError(f"labels must have one entry per sample: expected shape ({n},), got {values.shape}.")
    distinct, place = np.unique(values, return_inverse=True)
    if values.dtype.kind == "f" and len(distinct) > len(PALETTE):
        return None
    return list(distinct), list(place)


def scatter(ax: Any, x: NDArray[Any], y: NDArray[Any], labels: Any, **points: Any) -> None:
    """Points coloured by labels: classes with a legend, numbers with a colour bar."""
    style = {"s": 12, "alpha": 0.7, "linewidths": 0, **points}
    if labels is None:
        ax.scatter(x, y, color=OUT_OF_FOLD, **style)
        return
    classes = colours_of(labels, len(x))
    if classes is None:
        drawn = ax.scatter(x, y, c=np.asarray(labels), cmap="viridis", **style)
        ax.figure.colorbar(drawn, ax=ax)
        return
    distinct, place = classes
    for number, label in enumerate(distinct):
        chosen = np.asarray(place) == number
        ax.scatter(x[chosen], y[chosen], color=PALETTE[number % len(PALETTE)], label=as_shown(label), **style)
    ax.legend(frameon=False, markerscale=2)
