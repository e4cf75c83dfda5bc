"""Scalar trees (one per component) against joint trees: by rounds, trees and time (the paper's Appendix D)."""

from __future__ import annotations

from typing import Any

from .. import plan
from ..page import COLOURS, Page, grid, legend
from ..results import Results, cell, duration, values
from ..scale import Scale
from ..unit import Unit
from .nonlinear import DATA

NAME = "design"
TITLE = "Design comparison: scalar and joint trees"
_K = 3


def _fits(scale: Scale, data: str) -> dict[str, Unit]:
    seed = scale.seeds[0]
    return {
        "paper": plan.paper(scale, data, seed, extras=["variance"], seconds=3),
        "joint": plan.paper(scale, data, seed, {"trees": "joint", "n_estimators": 500 * _K}, seconds=5),
        "plain": plan.plain(scale, data, seed, seconds=2),
        "lightgbm": plan.booster(scale, "lightgbm", data, seed, plan.PAPER_BOOSTER, extras=["curve"], seconds=7),
        "engine": plan.paper(scale, data, seed, {"engine": "lightgbm"}, seconds=10),
    }


_TITLES = {
    "paper": ("TreeCCA, scalar trees", _K),
    "joint": ("TreeCCA, joint trees, three times the rounds", 1),
    "plain": ("TreeCCA, `preset=plain` (whitened, joint, five folds)", 5),
    "lightgbm": ("LightGBMCCA (cca-zoo), the same settings", _K),
    "engine": ("TreeCCA, LightGBM as engine", _K),
}


def units(scale: Scale) -> list[Unit]:
    return [unit for data in DATA for unit in _fits(scale, data).values()]


def _cost_of_a_tree(scale: Scale, results: Results) -> str:
    costs, gains = [], []
    for data, name in DATA.items():
        runs = _fits(scale, data)
        scalar, joint = (results.one(runs[design]) for design in ("paper", "joint"))
        if scalar and joint and "seconds" in scalar and "seconds" in joint:
            costs.append((joint["seconds"] / joint["rounds"]) / (scalar["seconds"] / scalar["rounds"] / _K))
            gains.append(f"{joint['test']:.2f} (scalar: {scalar['test']:.2f}) on {name}")
    if not costs:
        return ""
    times = sum(costs) / len(costs)
    return (
        f"Here a joint tree costs {times:.1f} times as much as a scalar tree, of which a round needs {_K}. With the "
        f"same number of trees, joint trees reach {', '.join(gains)}."
    )


def write(page: Page, scale: Scale, results: Results) -> None:
    totals = ("here, paper's protocol (last round)", "here, test TCC")
    rows = [["data", "design", "rounds", "trees per view", *totals, "seconds"]]
    for data, name in DATA.items():
        for design, unit in _fits(scale, data).items():
            runs = results.all([unit])
            title, per_round = _TITLES[design]
            rounds = values(runs, "rounds")
            rows.append(
                [
                    name,
                    title,
                    str(rounds[0]) if rounds else "",
                    str(rounds[0] * per_round) if rounds else "",
                    cell(runs, "raw") if rounds else "",
                    cell(runs, "test"),
                    duration(runs),
                ]
            )
    page.table(rows)
    page.text("The paper finds joint trees better per tree and slower in time. " + _cost_of_a_tree(scale, results))

    def draw(pyplot: Any) -> Any:
        figure, axes = grid(pyplot, 3, 2, width=3.0, height=2.3)
        drawn = False
        for row, (data, name) in enumerate(DATA.items()):
            for design, unit in _fits(scale, data).items():
                run = results.one(unit)
                if run is None or "curve" not in run:
                    continue
                drawn = True
                rounds = run["curve_rounds"]
                per_tree = [r * _TITLES[design][1] for r in rounds]
                clock = [run["seconds"] * r / run["rounds"] for r in rounds]
                for axis, x in zip(axes[3 * row : 3 * row + 3], (rounds, per_tree, clock), strict=True):
                    axis.plot(
                        x,
                        run["curve"],
                        color=COLOURS.get(design, "black"),
                        lw=1,
                        label=_TITLES[design][0].replace("`", ""),
                    )
            for axis, label in zip(axes[3 * row : 3 * row + 3], ("round", "trees per view", "seconds"), strict=True):
                axis.set(xlabel=label, xscale="log", title=name)
            axes[3 * row].set_ylabel("TCC, raw")
        legend(axes[-1])
        return figure if drawn else None

    page.plot("design", "Test TCC, raw, by rounds, trees and seconds (time of the fit divided by its rounds).", draw)
