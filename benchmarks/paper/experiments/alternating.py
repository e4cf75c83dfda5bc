"""Alternating least squares with trees collapses (the paper's Appendix B)."""

from __future__ import annotations

from typing import Any

from .. import plan
from ..page import COLOURS, Page, grid, legend
from ..results import Results
from ..scale import Scale
from ..unit import Unit
from .nonlinear import DATA

NAME = "alternating"
TITLE = "Why not alternating regression: the collapse"


def _fits(scale: Scale) -> dict[str, Unit]:
    iterations, trees = scale.pick((20, 50), (3, 5))
    more = {"iterations": iterations, "trees": trees, "seconds": 60}
    return {d: plan.other(scale, "collapse", d, scale.seeds[0], **more) for d in DATA}


def units(scale: Scale) -> list[Unit]:
    return list(_fits(scale).values())


def _what_happened(runs: dict[str, Any]) -> str:
    """Compare with the paper's two expectations."""
    known = [run for run in runs.values() if run and "deviation" in run]
    if not known:
        return ""
    shrunk = [run["deviation"][-1] / run["deviation"][0] for run in known]
    always = all(run["deviation"] == sorted(run["deviation"], reverse=True) for run in known)
    repeats = [run["repeat"][-1] for run in known]
    first = "It shrinks in every iteration" if always else "It does not shrink in every iteration"
    second = f"the largest correlation of two components ends at {min(repeats):.2f} to {max(repeats):.2f}"
    size = f"to between {min(shrunk):.1g} and {max(shrunk):.1g} of its size"
    return f"{first}, {size}; {second} (1: a duplicate)."


def write(page: Page, scale: Scale, results: Results) -> None:
    runs = {data: results.one(unit) for data, unit in _fits(scale).items()}
    rows = [
        [
            "data",
            "iterations",
            "standard deviation of the embedding, first -> last",
            "largest correlation of two components",
            "TCC, raw",
        ]
    ]
    for data, run in runs.items():
        if run and "deviation" in run:
            rows.append(
                [
                    DATA[data],
                    str(len(run["raw"])),
                    f"{run['deviation'][0]:.2f} -> {run['deviation'][-1]:.3f}",
                    f"{run['repeat'][-1]:.2f}",
                    f"{run['raw'][-1]:.2f}",
                ]
            )
        else:
            rows.append([DATA[data], "not run", "", "", ""])
    page.table(rows)
    page.text(
        "Each view's trees (scikit-learn's HistGradientBoostingRegressor) are fitted to the other view's embedding, "
        "alternating, without normalisation. The paper expects the embedding to shrink and all components to become "
        f"equal. {_what_happened(runs)}"
    )

    def draw(pyplot: Any) -> Any:
        figure, axes = grid(pyplot, 2)
        drawn = False
        for (data, run), colour in zip(runs.items(), ("treecca", "paper"), strict=True):
            if run and "deviation" in run:
                drawn = True
                axes[0].plot(run["deviation"], color=COLOURS[colour], label=DATA[data])
                axes[1].plot(run["repeat"], color=COLOURS[colour], label=DATA[data])
        axes[0].set(xlabel="iteration", ylabel="s.d. of the embedding", yscale="log")
        axes[1].set(xlabel="iteration", ylabel="largest correlation of components", ylim=(0, 1))
        legend(axes[0])
        return figure if drawn else None

    page.plot("alternating", "Alternating least squares with trees.", draw)
