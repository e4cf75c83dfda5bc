"""Two, three and four views of the same latents."""

from __future__ import annotations

from typing import Any

from .. import plan
from ..page import COLOURS, Page, grid, legend, mean_curve
from ..results import Results, cell, mean, values
from ..scale import Scale
from ..unit import Unit

NAME = "four_view"
TITLE = "Two, three and four views (mean TCC over pairs of views, K = 3)"
_TITLES = {
    "linear": "MCCA",
    "paper": "TreeMCCA, `preset=paper`",
    "plain": "TreeMCCA, `preset=plain`",
    "treecca": "TreeMCCA, defaults",
}


def _fits(scale: Scale, views: int) -> dict[str, list[Unit]]:
    more = {"options": {"n_views": views}, "seconds": 2.0 * views}
    return {
        "linear": [plan.linear(scale, "four_view", s, **(more | {"seconds": 1})) for s in scale.seeds],
        "paper": [plan.paper(scale, "four_view", s, **more) for s in scale.seeds],
        "plain": [plan.plain(scale, "four_view", s, **(more | {"seconds": views})) for s in scale.seeds],
        "treecca": [plan.ours(scale, "four_view", s, **(more | {"seconds": 6 * views})) for s in scale.seeds],
    }


def units(scale: Scale) -> list[Unit]:
    return [unit for views in (2, 3, 4) for runs in _fits(scale, views).values() for unit in runs]


def write(page: Page, scale: Scale, results: Results) -> None:
    rows = [["views", "method", "here, paper's protocol (last round)", "here, test TCC", "out-of-fold TCC"]]
    for views in (2, 3, 4):
        for method, own in _fits(scale, views).items():
            runs = results.all(own)
            known = values(runs, "test")
            rows.append(
                [
                    str(views),
                    _TITLES[method],
                    cell(runs, "raw") if known else "",
                    cell(runs, "test"),
                    cell(runs, "out_of_fold") if known else "",
                ]
            )
    page.table(rows)
    page.text("The paper shows only a plot: linear CCA falls below 1.0 with four views, TreeMCCA stays well above it.")

    def draw(pyplot: Any) -> Any:
        figure, axes = grid(pyplot, 2, width=3.8)
        drawn = False
        for axis, method in zip(axes, ("plain", "paper"), strict=True):
            for views, shade in ((2, 1.0), (3, 0.65), (4, 0.35)):
                runs = results.all(_fits(scale, views)[method])
                look = {"color": COLOURS[method], "alpha": shade, "label": f"{views} views"}
                drawn = mean_curve(axis, runs, **look) or drawn
                level = mean(results.all(_fits(scale, views)["linear"]), "raw")
                if level is not None:
                    axis.axhline(level, color=COLOURS["linear"], alpha=shade, ls="--", lw=1)
            axis.set(title=_TITLES[method].replace("`", ""), xlabel="round", ylabel="TCC per pair", ylim=(0, 3))
        legend(axes[0])
        return figure if drawn else None

    page.plot("four_view", "Test TCC by round, mean over pairs and seeds; dashed: MCCA.", draw)
