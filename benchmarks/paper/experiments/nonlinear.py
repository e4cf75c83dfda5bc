"""Table 1: nonlinear relations on synthetic views."""

from __future__ import annotations

from .. import plan
from ..page import Page
from ..published import NONLINEAR, NONLINEAR_SECONDS
from ..results import Results, Row, comparison, mean
from ..scale import Scale
from ..targets import Target
from ..unit import Unit

NAME = "table1"
TITLE = "Table 1: nonlinear CCA on synthetic benchmarks"
DATA = {"signed_power": "Signed Power", "hermite": "Hermite"}
_LIMITS = {"signed_power": 2.726, "hermite": 2.987}
_WANTED = {"signed_power": 2.67, "hermite": 2.955}


def fits(scale: Scale, data: str) -> dict[str, list[Unit]]:
    """Method -> one unit per seed; other figures use the same ones."""
    return {
        "linear": [plan.linear(scale, data, s, textbook=True, seconds=0.1) for s in scale.seeds],
        "kcca": [plan.compare(scale, "kcca", data, s, seconds=50) for s in scale.seeds],
        "deepcca": [plan.deep(scale, data, s, seconds=25) for s in scale.seeds],
        "xgboost": [plan.booster(scale, "xgboost", data, s, seconds=8) for s in scale.seeds],
        "lightgbm": [plan.booster(scale, "lightgbm", data, s, seconds=3) for s in scale.seeds],
        "paper": [plan.paper(scale, data, s, extras=["variance"], seconds=3) for s in scale.seeds],
        "treecca": [plan.ours(scale, data, s, extras=["curve"], seconds=2) for s in scale.seeds],
    }


def units(scale: Scale) -> list[Unit]:
    return [unit for data in DATA for runs in fits(scale, data).values() for unit in runs]


def write(page: Page, scale: Scale, results: Results) -> None:
    for data, title in DATA.items():
        runs = {method: results.all(own) for method, own in fits(scale, data).items()}
        printed = NONLINEAR[data]
        page.heading(f"{title} (K = 3; no method can pass {_LIMITS[data]})", 3)
        page.table(
            comparison(
                [
                    Row("Linear CCA", printed["linear"], runs["linear"]),
                    Row("KCCA, RBF (cca-zoo)", printed["kcca"], runs["kcca"]),
                    Row("DeepCCA, EY loss, 1,000 epochs", printed["deepcca"], runs["deepcca"]),
                    Row("XGBoostCCA (cca-zoo), defaults", "", runs["xgboost"]),
                    Row("LightGBMCCA (cca-zoo), defaults", "", runs["lightgbm"]),
                    Row("TreeCCA, `preset=paper`", printed["treecca"], runs["paper"]),
                    Row("TreeCCA, defaults", "", runs["treecca"], bold=True),
                ]
            )
        )
    seconds = ", ".join(f"{method} {text}" for method, text in NONLINEAR_SECONDS.items())
    page.text(f"The paper's seconds per fit, on an Apple M3: {seconds}.")


def targets(scale: Scale, results: Results) -> list[Target]:
    return [
        Target(f"{DATA[data]}, TCC", wanted, mean(results.all(fits(scale, data)["treecca"]), "test"), "defaults")
        for data, wanted in _WANTED.items()
    ]
