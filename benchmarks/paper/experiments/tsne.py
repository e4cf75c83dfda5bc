"""t-SNE of the multi-view embeddings."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import plan
from ..page import Page, grid
from ..results import Results
from ..scale import Scale
from ..unit import Unit
from . import multiview

NAME = "tsne"
TITLE = "t-SNE of the test embeddings"
_DATA = [data for data in multiview.DATA if data != multiview.ABSENT]
_ROWS = (("linear", "MCCA"), ("treecca", "TreeMCCA"))


def _fits(scale: Scale) -> dict[tuple[str, str], Unit]:
    seed = scale.seeds[0]
    return {
        (method, data): make(scale, data, seed, task="tsne", seconds=15)
        for method, make in (("linear", plan.linear), ("treecca", plan.ours))
        for data in _DATA
    }


def units(scale: Scale) -> list[Unit]:
    return list(_fits(scale).values())


def write(page: Page, scale: Scale, results: Results) -> None:
    runs = _fits(scale)

    def draw(pyplot: Any) -> Any:
        figure, axes = grid(pyplot, len(_DATA), 2, width=2.2, height=2.2)
        places = iter(axes)
        drawn = False
        for method, name in _ROWS:
            for data in _DATA:
                axis, run = next(places), results.one(runs[method, data])
                axis.set(xticks=[], yticks=[])
                if method == "linear":
                    axis.set_title(multiview.DATA[data], fontsize=8)
                if data == _DATA[0]:
                    axis.set_ylabel(name)
                if run and "points" in run:
                    drawn = True
                    points = np.asarray(run["points"])
                    axis.scatter(points[:, 0], points[:, 1], c=run["labels"], s=5, cmap="tab10")
        return figure if drawn else None

    caption = f"Embeddings of the test samples, views concatenated, coloured by class; seed {scale.seeds[0]}."
    page.plot("tsne", caption, draw)
