"""Jacobi against Gauss-Seidel (the paper's Appendix H)."""

from __future__ import annotations

from typing import Any

from .. import plan
from ..page import COLOURS, Page, grid, legend, mean_curve
from ..results import Results, cell, values
from ..scale import Scale
from ..unit import Unit
from .nonlinear import DATA

NAME = "schedule"
TITLE = "Jacobi against Gauss-Seidel"
_SCHEDULES = ("jacobi", "gauss-seidel")


def _fits(scale: Scale, data: str) -> dict[str, list[Unit]]:
    return {s: [plan.paper(scale, data, seed, {"schedule": s}, seconds=3) for seed in scale.seeds] for s in _SCHEDULES}


def units(scale: Scale) -> list[Unit]:
    return [unit for data in DATA for runs in _fits(scale, data).values() for unit in runs]


def write(page: Page, scale: Scale, results: Results) -> None:
    rows = [["data", "schedule", "here, paper's protocol, best round", "here, test TCC"]]
    for data, name in DATA.items():
        for schedule, own in _fits(scale, data).items():
            runs = results.all(own)
            rows.append([name, schedule, cell(runs, "peak") if values(runs, "peak") else "", cell(runs, "test")])
    page.table(rows)
    page.text("The paper: the two differ by at most 0.004 at their peaks (one seed).")

    def draw(pyplot: Any) -> Any:
        figure, axes = grid(pyplot, 2)
        drawn = False
        for axis, (data, name) in zip(axes, DATA.items(), strict=True):
            for (schedule, own), colour in zip(_fits(scale, data).items(), ("treecca", "paper"), strict=True):
                runs = results.all(own)
                drawn = mean_curve(axis, runs, color=COLOURS[colour], label=schedule, lw=1) or drawn
            axis.set(title=name, xlabel="round", ylabel="test TCC, raw")
        legend(axes[0])
        return figure if drawn else None

    page.plot("schedule", "Test TCC, raw, by round, mean over the seeds, `preset=paper`.", draw)
