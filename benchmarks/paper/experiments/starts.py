"""Five kinds of initial values (the paper's Appendix G)."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import plan
from ..page import Page, grid, legend
from ..results import Results, cell, values
from ..scale import Scale
from ..unit import Unit

NAME = "starts"
TITLE = "Initial values (Hermite, `preset=paper`)"
_STARTS = ("pca", "pca-scaled", "random-orthogonal", "random", "zero")


def fits(scale: Scale) -> dict[str, list[Unit]]:
    return {init: [plan.paper(scale, "hermite", s, {"init": init}, seconds=3) for s in scale.seeds] for init in _STARTS}


def units(scale: Scale) -> list[Unit]:
    return [unit for runs in fits(scale).values() for unit in runs]


def write(page: Page, scale: Scale, results: Results) -> None:
    runs = {init: results.all(own) for init, own in fits(scale).items()}
    rows = [["init", "here, paper's protocol, best round", "here, test TCC"]]
    for init, own in runs.items():
        known = values(own, "test")
        rows.append([f"`{init}`", cell(own, "peak") if known else "", cell(own, "test")])
    page.table(rows)
    page.text("The paper: unscaled PCA (`pca`) is best; all but `zero` leave their initial values, `zero` never does.")

    def draw(pyplot: Any) -> Any:
        figure, (axis,) = grid(pyplot, 1, width=5)
        drawn = False
        for init, own in runs.items():
            curves = [r["curve"] for r in own if r and "curve" in r]
            if curves:
                drawn = True
                middle, spread = np.mean(curves, axis=0), np.std(curves, axis=0)
                (line,) = axis.plot(range(1, len(middle) + 1), middle, label=init)
                for edge in (middle - spread, middle + spread):
                    axis.plot(range(1, len(middle) + 1), edge, color=line.get_color(), lw=0.4)
        axis.set(xlabel="round", ylabel="test TCC, raw")
        legend(axis)
        return figure if drawn else None

    page.plot("starts", "Test TCC, raw, by round: mean and standard deviation over the seeds.", draw)
