"""Variation over seeds (the paper's appendix on seeds)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..page import COLOURS, Page, grid
from ..results import Results, values
from ..scale import Scale
from ..unit import Unit
from . import nonlinear

NAME = "seeds"
TITLE = "Variation over seeds"
_BARS = (
    ("linear", "linear"),
    ("kcca", "KCCA"),
    ("deepcca", "DeepCCA"),
    ("paper", "preset\npaper"),
    ("plain", "preset\nplain"),
    ("treecca", "defaults"),
)


def units(scale: Scale) -> list[Unit]:
    return nonlinear.units(scale)


def write(page: Page, scale: Scale, results: Results) -> None:
    def draw(pyplot: Any) -> Any:
        figure, axes = grid(pyplot, 2, width=3.8)
        drawn = False
        for axis, (data, title) in zip(axes, nonlinear.DATA.items(), strict=True):
            runs = nonlinear.fits(scale, data)
            for place, (method, _) in enumerate(_BARS):
                found = values(results.all(runs[method]), "test")
                if found:
                    drawn = True
                    axis.bar(place, np.mean(found), yerr=np.std(found), color=COLOURS[method], capsize=3)
                    axis.plot(np.full(len(found), place), found, "k.", ms=3)
            axis.set(title=title, ylabel="test TCC", xticks=range(len(_BARS)))
            axis.set_xticklabels([label for _, label in _BARS], fontsize=7)
        return figure if drawn else None

    page.plot("seeds", f"Mean, standard deviation and single seeds ({', '.join(map(str, scale.seeds))}).", draw)
