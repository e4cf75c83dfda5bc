"""Differences from the paper, and what it leaves open, with results of these runs."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import plan
from ..page import Page
from ..published import HAR, MULTIVIEW, SPLIT_MNIST
from ..results import Results, cell, mean, values
from ..scale import Scale
from ..unit import Unit, version
from . import har, mnist, multiview, nonlinear, ssl, starts

NAME = "differences"
TITLE = "Differences from the paper"
_STARTS = ("pca", "zero")
_GROWS = 1.5  # report the cost of a round as growing if the last cost this many times the first


def _paces(scale: Scale) -> dict[str, Unit]:
    rounds, repeats = scale.pick(([50, 100, 200, 400], 2), ([4, 8], 1))
    more: dict[str, Any] = {"rounds": rounds, "repeats": repeats, "seconds": 60}
    peers = {engine: {**plan.PAPER_BOOSTER, "engine": engine} for engine in ("xgboost", "lightgbm")}
    runs = {e: plan.other(scale, "pace", "signed_power", 42, method=e, settings=s, **more) for e, s in peers.items()}
    runs["treecca"] = plan.other(
        scale, "pace", "signed_power", 42, method="treecca", settings={"preset": "paper"}, **more
    )
    return runs


def units(scale: Scale) -> list[Unit]:
    """The multi-view sets and DeepCCA on Split MNIST are also shown if their tables have been run."""
    subjects, start = har.fits(scale), starts.fits(scale)
    return [
        *_paces(scale).values(),
        *(unit for data in nonlinear.DATA for unit in nonlinear.fits(scale, data)["paper"]),
        *(unit for name in ("paper", "treecca", "paper_rows", "treecca_rows", "by_row") for unit in subjects[name]),
        *(unit for _, _, _, own in _linear(scale) for unit in own),
        *(unit for init in _STARTS for unit in start[init]),
        *ssl.fits(scale)["oracles"],
    ]


def write(page: Page, scale: Scale, results: Results) -> None:
    _best_round(page, scale, results)
    _repeats(page, scale, results)
    _subjects(page, scale, results)
    _weak_baselines(page, scale, results)
    _critical_points(page, scale, results)
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
    page.heading("The best round is chosen on the test samples", 3)
    page.text(
        'Table 1 reports "peak test TCC": the maximum over 500 rounds of the TCC on the test samples. This choice is '
        "not possible on new data. The paper does not say whether Tables 3 and 5 do the same. `preset=paper` at the "
        "peak and at the last round:"
    )
    rows = [["data", "best round on the test samples", "last round", "difference"]]
    for title, runs in _paper_runs(scale, results).items():
        best, last = mean(runs, "peak"), mean(runs, "raw")
        difference = f"{max(0.0, best - last):.2f}" if best is not None and last is not None else ""
        rows.append([title, cell(runs, "peak"), cell(runs, "raw") if values(runs, "raw") else "", difference])
    page.table(rows)


def _repeats(page: Page, scale: Scale, results: Results) -> None:
    page.heading("Components repeat each other", 3)
    page.text(
        "The paper sums |correlation| over components without checking whether two components of a view are equal: "
        "three copies of one strong component count three times. `preset=paper` at the last round, raw and "
        "decorrelated:"
    )
    rows = [["data", "TCC, paper's protocol", "test TCC", "largest correlation of two components"]]
    for title, runs in _paper_runs(scale, results).items():
        known = values(runs, "test")
        rows.append(
            [title, cell(runs, "raw"), cell(runs, "test") if known else "", cell(runs, "raw_repeat") if known else ""]
        )
    page.table(rows)
    page.text("The last column: the largest correlation of two raw components of one view on the test samples.")


def _subjects(page: Page, scale: Scale, results: Results) -> None:
    page.heading("Samples of one subject are not independent", 3)
    page.text(
        "UCI HAR has overlapping windows of 30 subjects. The paper does not say whether its test samples are from "
        "other subjects. With folds by row, trees see the neighbours of every held-out window, so the out-of-fold TCC "
        "may be biased upwards:"
    )
    rows = [["folds", "out-of-fold TCC", "test TCC, new subjects", "difference"]]
    gaps: dict[str, float] = {}
    for title, own in (("by row", har.fits(scale)["by_row"]), ("by subject", har.fits(scale)["treecca"])):
        runs = results.all(own)
        estimate, test = mean(runs, "out_of_fold"), mean(runs, "test")
        if estimate is not None and test is not None:
            gaps[title] = estimate - test
        gap = f"{gaps[title]:+.2f}" if title in gaps else ""
        rows.append([title, cell(runs, "out_of_fold"), cell(runs, "test") if values(runs, "test") else "", gap])
    page.table(rows)
    if len(gaps) == 2:
        more = gaps["by row"] - gaps["by subject"]
        page.text(
            f"Relative to the test TCC, folds by row estimate {abs(more):.2f} {'more' if more > 0 else 'less'} than "
            "folds by subject."
        )
    page.text(
        "The same holds for the test part: drawn from all samples instead of by subject, it may be biased upwards:"
    )
    rows = [["method", "protocol", "test samples of new subjects", "test samples of the same subjects", "difference"]]
    for title, own, other in (
        ("TreeCCA, `preset=paper`", har.fits(scale)["paper"], har.fits(scale)["paper_rows"]),
        ("TreeCCA, defaults", har.fits(scale)["treecca"], har.fits(scale)["treecca_rows"]),
    ):
        for protocol, key in (("the paper's (last round)", "raw"), ("test TCC", "test")):
            new_subjects, same_subjects = results.all(own), results.all(other)
            new, same = mean(new_subjects, key), mean(same_subjects, key)
            gain = f"{same - new:+.2f}" if new is not None and same is not None else ""
            rows.append([title, protocol, cell(new_subjects, key), cell(same_subjects, key), gain])
    page.table(rows)


def _linear(scale: Scale) -> list[tuple[str, str, tuple[str, ...], list[Unit]]]:
    """Return data, method, the paper's numbers for it and for TreeCCA (TCC and accuracy each), and the runs here."""
    rows = []
    subjects = har.fits(scale)
    for data, title in multiview.DATA.items():
        if data in (multiview.ABSENT, "caltech101_7"):  # no data; other features than in the paper
            continue
        runs = multiview.fits(scale, data)
        (mcca, mcca_accuracy), (tree, tree_accuracy) = MULTIVIEW[data]
        printed = (mcca, mcca_accuracy, tree, tree_accuracy)
        rows.append((title, "MCCA, no shrinkage", printed, runs["textbook"]))
        rows.append((title, "MCCA, shrinkage chosen on training samples", printed, runs["linear"]))
    printed = (*HAR["linear"][:2], *HAR["treecca"][:2])
    rows.append(("UCI HAR", "linear CCA, no shrinkage", printed, subjects["linear"]))
    rows.append(("UCI HAR", "linear CCA, shrinkage chosen on training samples", printed, subjects["linear_shrunk"]))
    printed = (SPLIT_MNIST["linear"][1], "", SPLIT_MNIST["treecca"][1], "")
    rows.append(("Split MNIST", "linear CCA, no shrinkage", printed, [mnist.fits(scale)["linear"]]))
    return rows


def _weak_baselines(page: Page, scale: Scale, results: Results) -> None:
    page.heading("The baselines are weak", 3)
    page.text(
        "Linear CCA and MCCA here with the same number of components, next to the paper's numbers for them and for "
        f"TreeCCA; also DeepCCA on Split MNIST. Ours is the test TCC of the tables above. {multiview.LINEAR_REMARK}"
    )
    deep = (SPLIT_MNIST["deepcca"][1], "", SPLIT_MNIST["treecca"][1], "")
    known = [*_linear(scale), ("Split MNIST", "DeepCCA", deep, [mnist.fits(scale)["deepcca"]])]
    heading = ["data", "baseline", "paper: TCC", "here: TCC", "paper: accuracy", "here: accuracy"]
    rows = [[*heading, "paper's TreeCCA: TCC", "accuracy", "seeds"]]
    above, beyond, total = 0, [], 0
    for data, method, (printed, printed_accuracy, tree, tree_accuracy), own in known:
        runs = results.all(own)
        accuracy = cell(runs, "accuracy", digits=3) if printed_accuracy and values(runs, "accuracy") else ""
        here = mean(runs, "test")
        ours = [cell(runs, "test"), printed_accuracy, accuracy]
        rows.append([data, method, printed, *ours, tree, tree_accuracy, str(len(values(runs, "test")))])
        if here is not None:
            total += 1
            above += here > _number(printed)
            if here > _number(tree):
                beyond.append(f"{method} on {data}")
    page.table(rows)
    if total:
        page.text(
            f"In {above} of {total} rows the baseline is better here than in the paper"
            + (f", and in {len(beyond)} better than the paper's TreeCCA: {'; '.join(beyond)}." if beyond else ".")
            + " The paper says neither how it splits these data, nor whether its linear baselines are reduced or "
            "regularised."
        )


def _number(printed: str) -> float:
    return float(printed.split()[0])


def _critical_points(page: Page, scale: Scale, results: Results) -> None:
    page.heading("Zero is a critical point but not a minimum", 3)
    page.text(
        'On convergence the paper says: "The EY loss has no spurious local minima under joint gradient descent: every '
        'critical point [...] over the full embedding matrices is a global minimum", a guarantee that it does not '
        'extend to boosting. Its appendix on initial values says: "zero initialisation is permanently stuck because '
        'G=0 exactly when Z=0", and describes other initial values as escaping "the saddle". These contradict each '
        "other: Z=0 is a critical point, but the loss there is 0 and the minimum is minus the sum of the squared "
        "correlations. The paper's weaker statement elsewhere, that every local minimum is global, can still hold. "
        "`preset=paper` on Hermite with the two initial values:"
    )
    runs = {init: results.all(own) for init, own in starts.fits(scale).items() if init in _STARTS}
    rows = [["init", "TCC, best round on the test samples", "test TCC"]]
    for init, own in runs.items():
        rows.append([f"`{init}`", cell(own, "peak") if values(own, "peak") else "", cell(own, "test")])
    page.table(rows)


def _cost(page: Page, scale: Scale, results: Results) -> None:
    page.heading("Cost of a round", 3)
    page.text(
        "The paper says that its cache makes every round cost the same, 50 to 100 times less than predicting with all "
        f"trees. Its code is not published; here cca-zoo {version('cca-zoo')} with XGBoost {version('xgboost')} and "
        f"LightGBM {version('lightgbm')} represents it. Whole fits of 2,400 samples, 8 features, K = 3, depth 5, in "
        "milliseconds per additional round:"
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
    growths = {}
    for method, run in runs.items():
        if not run or "seconds" not in run:
            reason = (run or {}).get("missing", "not run")
            rows.append([titles[method], reason, *[""] * len(spans)])
            continue
        steps = 1000 * np.diff(run["seconds"]) / np.diff(run["rounds"])
        if steps[0] > 0:
            growths[method] = steps[-1] / steps[0]
        growth = f"{growths[method]:.1f}" if method in growths else ""
        rows.append([titles[method], *(f"{step:.1f}" for step in steps), growth])
    page.table(rows)
    growing = [titles[method] for method, growth in growths.items() if growth > _GROWS]
    if not growing:
        page.text("The cost of a round grows for none of them, in agreement with the paper.")
        return
    page.text(f"The cost of a round grows with its number for {', '.join(growing)}.")
    if "xgboost" in growths and growths["xgboost"] > _GROWS:
        page.text(
            "For XGBoost such a cache has this effect: predicting with the newest tree alone drops the predictions "
            "that XGBoost keeps, so the next round evaluates all trees again and the total cost is quadratic in the "
            "rounds, which the cache was meant to avoid."
        )


def _covariance(page: Page, scale: Scale, results: Results) -> None:
    page.heading("The covariance of the SSL benchmark is not the identity", 3)
    page.text(
        "The paper concludes that PCA must fail from Cov(X) = I for 60 features made from 6 latents. There are only 30 "
        "ordered pairs of latents, so some of 60 features are equal, and Z_a sgn(Z_b) has correlation 2/pi = 0.64 with "
        "Z_b sgn(Z_a). PCA fails because the signs carry no information about the class, not because all directions "
        "are equal."
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
            ["accuracy of PCA(X), K = 5", "0.167", cell(runs, "PCA(X), all samples", digits=3)],
        ]
    )
