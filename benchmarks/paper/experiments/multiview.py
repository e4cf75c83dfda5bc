"""Table 5: real sets with three to six views."""

from __future__ import annotations

from typing import Any

from .. import plan
from ..page import Page
from ..published import MULTIVIEW
from ..results import Results, Row, cell, comparison, mean
from ..scale import Scale
from ..targets import Target
from ..unit import Unit
from .candidates import CHOSEN, REMARK, candidates, explained

NAME = "table5"
TITLE = "Table 5: multi-view data sets (K = classes - 1)"
DATA = {
    "caltech101_7": "Caltech101-7",
    "threesources": "3Sources",
    "nus_wide": "NUS-WIDE",
    "handwritten": "Handwritten",
    "msrc_v5": "MSRC-v5",
}
ABSENT = "nus_wide"  # its file is not to be had: the page says so, and is complete without it
LINEAR_REMARK = (
    "MCCA: every view is standardised and reduced to at most a third as many principal components as there are "
    "training rows, also without shrinkage."
)
_SETTINGS = [{}, {"n_oversamples": 4}, {"n_oversamples": 4, "colsample_bytree": 0.3}]
_SECONDS = {  # of a fit with the defaults, with preset=paper, and by LightGBMCCA (which refuses Handwritten)
    "caltech101_7": (24, 90, 50),
    "threesources": (3, 10, 8),
    "nus_wide": (0.1, 0.1, 0.1),
    "handwritten": (12, 25, 0.2),
    "msrc_v5": (5, 17, 10),
}
_SLOW = 40  # seconds: what takes longer is run for the first three seeds, and its row says so
_REMARKS = {
    "caltech101_7": "The published features could not be had: ours were computed anew from the images, six views of "
    "the same kinds. The paper's figures in this table belong to other numbers.",
}
_WANTED = {"threesources": (4.0, 0.85), "handwritten": (7.4, 0.96), "msrc_v5": (4.0, 0.88), "caltech101_7": (5.2, 0.94)}
_TRIED = {
    "threesources": {
        "accuracy": "; every other setting tried with five seeds gave 0.76 to 0.80 as well (a test part has 33 rows)"
    },
    "caltech101_7": {
        "accuracy": "; of the settings tried, the one with the best TCC on training rows is not the one with the best "
        "accuracy, and accuracy was not allowed to choose"
    },
}


def fits(scale: Scale, data: str) -> dict[str, Any]:
    ours, paper, peer = _SECONDS[data]

    def seeds(seconds: float) -> tuple[int, ...]:
        return scale.seeds[:3] if seconds > _SLOW else scale.seeds

    return {
        "textbook": [plan.linear(scale, data, s, textbook=True, seconds=min(2, ours)) for s in scale.seeds],
        "linear": [plan.linear(scale, data, s, seconds=min(4, ours)) for s in scale.seeds],
        "lightgbm": [plan.booster(scale, "lightgbm", data, s, seconds=peer) for s in seeds(peer)],
        "paper": [plan.paper(scale, data, s, seconds=paper) for s in seeds(paper)],
        "treecca": candidates(scale, data, _SETTINGS, seconds=ours),
    }


def units(scale: Scale) -> list[Unit]:
    wanted = []
    for data in DATA:
        runs = fits(scale, data)
        tuned = [unit for one in runs.pop("treecca") for unit in one]
        wanted += [unit for own in runs.values() for unit in own] + tuned
    return wanted


def write(page: Page, scale: Scale, results: Results) -> None:
    for data, title in DATA.items():
        runs = fits(scale, data)
        (mcca, mcca_accuracy), (tree, tree_accuracy) = MULTIVIEW[data]
        page.heading(title, 3)
        if data in _REMARKS:
            page.text(_REMARKS[data])
        first = results.one(runs["treecca"][0][0])
        if first is not None and "missing" in first:
            page.table(
                [
                    ["method", "paper: TCC", "paper: accuracy", "here"],
                    ["MCCA", mcca, mcca_accuracy, first["missing"]],
                    ["TreeMCCA", tree, tree_accuracy, first["missing"]],
                ]
            )
            continue
        page.table(
            comparison(
                [
                    Row("MCCA, no shrinkage", mcca, results.all(runs["textbook"])),
                    Row("MCCA, shrinkage chosen on training rows", "", results.all(runs["linear"])),
                    Row("LightGBMCCA (cca-zoo), defaults", "", results.all(runs["lightgbm"])),
                    Row("TreeMCCA, `preset=paper`", tree, results.all(runs["paper"])),
                    Row("TreeMCCA, defaults", "", results.all(runs["treecca"][0])),
                    Row("TreeMCCA, settings by its own estimate", "", results.chosen(runs["treecca"]), bold=True),
                ],
                accuracy=[mcca_accuracy, "", "", tree_accuracy, "", ""],
            )
        )
    page.text(
        f"Accuracy: logistic regression on the embeddings of all views side by side. A fifth of every class is the "
        f"test part, drawn anew for every seed. {LINEAR_REMARK} Settings to choose from: {explained(_SETTINGS)}. "
        f"{REMARK}"
    )


def targets(scale: Scale, results: Results) -> list[Target]:
    wanted = []
    for data, (total, accuracy) in _WANTED.items():
        runs = fits(scale, data)["treecca"]
        chosen, default = results.chosen(runs), results.all(runs[0])
        for what, least, figure in (("TCC", total, "test"), ("accuracy", accuracy, "accuracy")):
            remark = f"{CHOSEN}; defaults: {cell(default, figure, digits=3)}{_TRIED.get(data, {}).get(figure, '')}"
            wanted.append(Target(f"{DATA[data]}, {what}", least, mean(chosen, figure), remark))
    return wanted
