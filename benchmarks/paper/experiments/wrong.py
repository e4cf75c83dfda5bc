"""What the paper gets wrong or leaves open, with figures of these runs."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import plan
from ..page import Page
from ..results import Results, cell, mean, values
from ..scale import Scale
from ..unit import Unit
from . import har, multiview, nonlinear, ssl

NAME = "wrong"
TITLE = "What the paper gets wrong or leaves open"


def _paces(scale: Scale) -> dict[str, Unit]:
    rounds, repeats = scale.pick(([50, 100, 200, 400], 2), ([4, 8], 1))
    more: dict[str, Any] = {"rounds": rounds, "repeats": repeats, "seconds": 60}
    same = {"max_depth": 5, "min_child_weight": 5, "subsample": 0.8, "colsample_bytree": 0.8, "learning_rate": 0.1}
    peers = {engine: {**same, "engine": engine, "gauss_seidel": False} for engine in ("xgboost", "lightgbm")}
    runs = {e: plan.other(scale, "pace", "signed_power", 42, method=e, settings=s, **more) for e, s in peers.items()}
    runs["treecca"] = plan.other(
        scale, "pace", "signed_power", 42, method="treecca", settings={"preset": "paper"}, **more
    )
    return runs


def units(scale: Scale) -> list[Unit]:
    """Figures of the multi-view sets are shown as well, where their table has been run."""
    people = har.fits(scale)
    return [
        *_paces(scale).values(),
        *(unit for data in nonlinear.DATA for unit in nonlinear.fits(scale, data)["paper"]),
        *(unit for name in ("paper", "paper_rows", "treecca_rows", "by_row") for unit in people[name]),
        *people["treecca"][0],
        *ssl.fits(scale)["oracles"],
    ]


def write(page: Page, scale: Scale, results: Results) -> None:
    _best_round(page, scale, results)
    _repeats(page, scale, results)
    _subjects(page, scale, results)
    _cost(page, scale, results)
    _covariance(page, scale, results)


def _paper_runs(scale: Scale, results: Results) -> dict[str, list]:
    runs = {title: results.all(nonlinear.fits(scale, data)["paper"]) for data, title in nonlinear.DATA.items()}
    runs["UCI HAR"] = results.all(har.fits(scale)["paper"])
    for data, title in multiview.DATA.items():
        found = results.all(multiview.fits(scale, data)["paper"])
        if values(found, "test"):
            runs[title] = found
    return runs


def _best_round(page: Page, scale: Scale, results: Results) -> None:
    page.heading("The best round is picked on the test rows", 3)
    page.text(
        'Table 1 reports "peak test TCC": the maximum over 500 rounds of the figure on the test rows. '
        "Whoever has new data cannot do that. What `preset=paper` gives at the peak, and at the last round:"
    )
    rows = [["data", "best round on the test rows", "last round", "lost"]]
    for title, runs in _paper_runs(scale, results).items():
        best, last = mean(runs, "peak"), mean(runs, "raw")
        lost = f"{best - last:.2f}" if best is not None and last is not None else ""
        rows.append([title, cell(runs, "peak"), cell(runs, "raw") if values(runs, "raw") else "", lost])
    page.table(rows)


def _repeats(page: Page, scale: Scale, results: Results) -> None:
    page.heading("Components repeat each other", 3)
    page.text(
        "The paper sums |correlation| over components and never asks whether two components of a view are the same. "
        "Three copies of one strong component count three times. `preset=paper` at the last round, as it is "
        "and decorrelated:"
    )
    rows = [["data", "TCC as the paper counts", "decorrelated", "largest correlation of two components"]]
    for title, runs in _paper_runs(scale, results).items():
        known = values(runs, "test")
        rows.append(
            [title, cell(runs, "raw"), cell(runs, "test") if known else "", cell(runs, "raw_repeat") if known else ""]
        )
    page.table(rows)
    page.text("The last column: the largest correlation of two components of one view on the test rows, as they are.")


def _subjects(page: Page, scale: Scale, results: Results) -> None:
    page.heading("Rows of one person are not independent", 3)
    page.text(
        "UCI HAR has overlapping windows of 30 people. The paper does not say whether its test rows are other people. "
        "Folds by row let the trees see the neighbours of every held-out window, and an estimate made that way "
        "promises too much:"
    )
    rows = [["folds", "the fit's own estimate", "truth: new people", "promised too much"]]
    for title, own in (("by row", har.fits(scale)["by_row"]), ("by subject", har.fits(scale)["treecca"][0])):
        runs = results.all(own)
        estimate, truth = mean(runs, "own"), mean(runs, "test")
        gap = f"{estimate - truth:+.2f}" if estimate is not None and truth is not None else ""
        rows.append([title, cell(runs, "own"), cell(runs, "test") if values(runs, "test") else "", gap])
    page.table(rows)
    page.text(
        "The same holds for the test part. Drawn at random from all rows instead of by subject, it flatters a fit:"
    )
    rows = [["method", "protocol", "test rows of new people", "test rows of the same people"]]
    for title, own, other in (
        ("TreeCCA, `preset=paper`", har.fits(scale)["paper"], har.fits(scale)["paper_rows"]),
        ("TreeCCA, defaults", har.fits(scale)["treecca"][0], har.fits(scale)["treecca_rows"]),
    ):
        for protocol, keys in (("the paper's", ("peak", "raw")), ("honest", ("test",))):
            rows.append([title, protocol, cell(results.all(own), *keys), cell(results.all(other), *keys)])
    page.table(rows)


def _cost(page: Page, scale: Scale, results: Results) -> None:
    page.heading("What a round costs", 3)
    page.text(
        "The paper's cache is said to make every round cost the same, 50 to 100 times less than walking all trees. "
        "Whole fits of 2,400 rows, 8 features, K = 3, depth 5, in milliseconds per round added:"
    )
    runs = {method: results.one(unit) for method, unit in _paces(scale).items()}
    known = next((run for run in runs.values() if run and "rounds" in run), None)
    if known is None:
        page.text("(not run)")
        return
    spans = list(zip(known["rounds"], known["rounds"][1:], strict=False))
    rows = [["", *(f"rounds {a} to {b}" for a, b in spans), "last / first"]]
    titles = {
        "xgboost": "XGBoostCCA (cca-zoo)",
        "lightgbm": "LightGBMCCA (cca-zoo)",
        "treecca": "TreeCCA, `preset=paper`",
    }
    for method, run in runs.items():
        if not run or "seconds" not in run:
            reason = (run or {}).get("missing", "not run")
            rows.append([titles[method], reason, *[""] * len(spans)])
            continue
        steps = 1000 * np.diff(run["seconds"]) / np.diff(run["rounds"])
        growth = f"{steps[-1] / steps[0]:.1f}" if steps[0] > 0 else ""
        rows.append([titles[method], *(f"{step:.1f}" for step in steps), growth])
    page.table(rows)
    page.text(
        "Where the cost of a round grows with the round (XGBoost), asking a booster for the newest tree alone drops "
        "the predictions that XGBoost keeps, so the next round walks all trees again: the whole grows with the square "
        "of the rounds, which is what the cache was to avoid."
    )


def _covariance(page: Page, scale: Scale, results: Results) -> None:
    page.heading("The covariance of the SSL benchmark is not the identity", 3)
    page.text(
        "The paper derives that PCA must fail from Cov(X) = I for 60 features that are made of 6 latents. There are "
        "only 30 ordered pairs of latents, so 60 features contain equal ones, and Z_a sgn(Z_b) correlates with Z_b "
        "sgn(Z_a) at 2/pi = 0.64. PCA still fails, but because the signs carry nothing, not because all "
        "directions are equal."
    )
    runs = results.all(ssl.fits(scale)["oracles"])
    if not values(runs, "rank"):
        page.text("(not run)")
        return
    page.table(
        [
            ["60 features", "Cov(X) = I would be", "here"],
            ["rank of the covariance", "60", cell(runs, "rank", digits=0)],
            ["pairs of equal features", "0", cell(runs, "equal_pairs", digits=0)],
            ["largest correlation of two others", "0", cell(runs, "largest_correlation")],
            ["accuracy of PCA(X), K = 5", "0.167", cell(runs, "PCA(X)", digits=3)],
        ]
    )
