"""Convergence curves (the paper's Appendix A)."""

from __future__ import annotations

from typing import Any

from ..page import COLOURS, Page, grid, legend
from ..results import Results, mean
from ..scale import Scale
from ..unit import Unit
from . import nonlinear

NAME = "convergence"
TITLE = "Convergence curves"
_LEVELS = (("linear", "Linear CCA"), ("kcca", "KCCA"), ("deepcca", "DeepCCA"), ("treecca", "TreeCCA, defaults"))


def units(scale: Scale) -> list[Unit]:
    return nonlinear.units(scale)


def write(page: Page, scale: Scale, results: Results) -> None:
    def draw(pyplot: Any) -> Any:
        figure, axes = grid(pyplot, 2, width=4.2)
        drawn = False
        for axis, (data, title) in zip(axes, nonlinear.DATA.items(), strict=True):
            runs = nonlinear.fits(scale, data)
            for method, label in (("plain", "TreeCCA, preset=plain"), ("paper", "TreeCCA, preset=paper")):
                first = results.one(runs[method][0])
                if first is None or "curve" not in first:
                    continue
                drawn = True
                axis.plot(first["curve_rounds"], first["curve"], color=COLOURS[method], label=label)
                train = first["train_curve"]
                axis.plot(range(1, len(train) + 1), train, "--", color=COLOURS[method], lw=0.8)
            for method, label in _LEVELS:
                level = mean(results.all(runs[method][:1]), "peak", "raw")
                if level is not None:
                    axis.axhline(level, color=COLOURS[method], lw=1, label=label)
            axis.set(title=title, xlabel="round", ylabel="TCC, paper's protocol")
        legend(axes[0])
        return figure if drawn else None

    page.plot("convergence", f"Test TCC (solid) and training TCC (dashed) by round, seed {scale.seeds[0]}.", draw)
