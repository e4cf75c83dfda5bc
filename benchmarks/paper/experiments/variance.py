"""V_kk over the rounds (the paper's Appendix I)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..page import Page, grid, legend
from ..results import Results
from ..scale import Scale
from ..unit import Unit
from .nonlinear import DATA, fits

NAME = "variance"
TITLE = "Variance of the embeddings, V_kk"


def units(scale: Scale) -> list[Unit]:
    return [fits(scale, data)["paper"][0] for data in DATA]


def write(page: Page, scale: Scale, results: Results) -> None:
    runs = {data: results.one(fits(scale, data)["paper"][0]) for data in DATA}
    lasts = [
        f"{DATA[d]} {', '.join(f'{v:.2f}' for v in run['variance'][-1])}"
        for d, run in runs.items()
        if run and "variance" in run
    ]
    if lasts:
        page.text(f"V_kk after the last round: {'; '.join(lasts)} (the paper: about 1 by round 200).")

    def draw(pyplot: Any) -> Any:
        figure, axes = grid(pyplot, 2)
        drawn = False
        for axis, (data, run) in zip(axes, runs.items(), strict=True):
            if run and "variance" in run:
                drawn = True
                curves = np.asarray(run["variance"])
                for k in range(curves.shape[1]):
                    axis.plot(range(1, len(curves) + 1), curves[:, k], label=f"component {k + 1}")
                axis.axhline(1, color="black", lw=0.5)
            axis.set(title=DATA[data], xlabel="round", ylabel="V_kk, sum of both views")
        legend(axes[0])
        return figure if drawn else None

    page.plot("variance", f"V_kk by round, `preset=paper`, seed {scale.seeds[0]}.", draw)
