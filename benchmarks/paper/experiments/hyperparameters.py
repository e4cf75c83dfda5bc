"""Depth and learning rate (the paper's Appendix E)."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import plan
from ..page import Page, grid
from ..results import Results
from ..scale import Scale
from ..unit import Unit

NAME = "hyperparameters"
TITLE = "Sensitivity to depth and learning rate (Signed Power)"
_RATES = (0.05, 0.1, 0.2)


def _depths(scale: Scale) -> tuple[int, ...]:
    return scale.pick((3, 4, 5, 6), (3, 5))


def _fits(scale: Scale) -> dict[str, dict[tuple[int, float], Unit]]:
    seed = scale.seeds[0]
    settings = {(d, r): {"max_depth": d, "learning_rate": r} for d in _depths(scale) for r in _RATES}
    return {
        "peak": {at: plan.paper(scale, "signed_power", seed, s, seconds=3) for at, s in settings.items()},
        "test": {at: plan.ours(scale, "signed_power", seed, s, seconds=2) for at, s in settings.items()},
    }


def units(scale: Scale) -> list[Unit]:
    return [unit for grid_of_units in _fits(scale).values() for unit in grid_of_units.values()]


def write(page: Page, scale: Scale, results: Results) -> None:
    tables = {}
    for key, cells in _fits(scale).items():
        found = {at: (results.one(unit) or {}).get(key) for at, unit in cells.items()}
        tables[key] = np.array(
            [[found[d, r] if found[d, r] is not None else np.nan for r in _RATES] for d in _depths(scale)]
        )
    whole = not any(np.isnan(t).any() for t in tables.values())
    if whole:
        spreads = {key: np.ptp(t[:, 1:]) for key, t in tables.items()}
        page.text(
            f"Largest difference among rates of at least 0.1: {spreads['peak']:.3f} under the paper's protocol with "
            f"`preset=paper` (the paper: below 0.07), {spreads['test']:.3f} for the test TCC with defaults otherwise."
        )

    def draw(pyplot: Any) -> Any:
        if not whole:
            return None
        figure, axes = grid(pyplot, 2, width=3.6)
        titles = {"peak": "preset=paper, paper's protocol", "test": "defaults, test TCC"}
        for axis, (key, values) in zip(axes, tables.items(), strict=True):
            axis.imshow(values, cmap="viridis", aspect="auto")
            for (i, j), value in np.ndenumerate(values):
                dark = value < values.mean()
                axis.text(j, i, f"{value:.2f}", ha="center", va="center", color="white" if dark else "black")
            axis.set(
                title=titles[key],
                xlabel="learning rate",
                ylabel="depth",
                xticks=range(len(_RATES)),
                yticks=range(len(values)),
            )
            axis.set_xticklabels(_RATES)
            axis.set_yticklabels(_depths(scale))
        return figure

    page.plot("hyperparameters", f"Test TCC by depth and learning rate, seed {scale.seeds[0]}.", draw)
