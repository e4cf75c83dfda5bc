"""TreeCCA-SSL: table and figure."""

from __future__ import annotations

from typing import Any

from .. import plan
from ..page import COLOURS, Page, curve, grid, legend
from ..published import SSL
from ..results import Results, cell, duration, mean, settings_text
from ..scale import Scale
from ..targets import Target
from ..unit import Unit

NAME = "ssl"
TITLE = "Learning without labels: TreeCCA-SSL (K = 5, 6 classes)"
_DATA = "sign_interaction"
_MORE = {"n_oversamples": 10}  # components fitted beyond the five that are kept; the default is five


def fits(scale: Scale) -> dict[str, list[Unit]]:
    seeds = scale.seeds
    few = scale.defaults()
    paper = {"preset": "paper", **scale.rounds(1500)}
    return {
        "oracles": [plan.other(scale, "oracles", _DATA, s, seconds=2) for s in seeds],
        "paper": [
            plan.other(scale, "self_supervised", _DATA, s, settings=paper, curve=s == seeds[0], seconds=90)
            for s in seeds
        ],
        "treecca": [
            plan.other(scale, "self_supervised", _DATA, s, settings=few, curve=s == seeds[0], seconds=35) for s in seeds
        ],
        "more": [
            plan.other(scale, "self_supervised", _DATA, s, settings=few | _MORE, curve=False, seconds=40) for s in seeds
        ],
    }


def units(scale: Scale) -> list[Unit]:
    return [unit for runs in fits(scale).values() for unit in runs]


def _scaled(loss: list[float]) -> list[float]:
    low, high = min(loss), max(loss)
    return [(value - low) / max(high - low, 1e-12) for value in loss]


def write(page: Page, scale: Scale, results: Results) -> None:
    runs = {name: results.all(own) for name, own in fits(scale).items()}
    rows = [["method", "paper: accuracy", "here: accuracy", "seconds", "remark"]]
    rows.append(["Random chance", "0.167", "", "", "the largest class has about a sixth of the rows"])
    rows.append(["PCA(X)", SSL["PCA(X)"], cell(runs["oracles"], "PCA(X)", digits=3), "", ""])
    for name, title, remark in (
        ("paper", "TreeCCA-SSL, `preset=paper`, 1,500 rounds", "Algorithm 3 of the paper"),
        ("treecca", "TreeCCA-SSL, defaults", "sign flips and noise 0.2, as in the paper"),
        ("more", f"TreeCCA-SSL, {settings_text(_MORE)}", "ten components dropped by the rotation instead of five"),
    ):
        here = cell(runs[name], "accuracy", digits=3)
        rows.append(
            [
                title,
                SSL["treecca"] if name == "paper" else "",
                f"**{here}**" if name == "treecca" else here,
                duration(runs[name]),
                remark,
            ]
        )
    for name, remark in (
        ("PCA(|X|)", "knows to take magnitudes"),
        ("|X|", "all 60 magnitudes"),
        ("|Z|", "the latents' magnitudes"),
    ):
        rows.append(
            [f"Oracle: {name}".replace("|", "\\|"), SSL[name], cell(runs["oracles"], name, digits=3), "", remark]
        )
    page.table(rows)
    page.text(
        "The probe is fitted to clean training rows and judged on clean test rows that no fit has seen; the paper does "
        "not say which rows it uses."
    )

    def draw(pyplot: Any) -> Any:
        figure, axes = grid(pyplot, 3, width=3.2)
        drawn = False
        for method, label in (("treecca", "defaults"), ("paper", "preset=paper")):
            run = runs[method][0]
            if run is None or "curve" not in run:
                continue
            drawn = True
            axes[0].plot(run["curve_rounds"], run["curve"], "o-", ms=3, color=COLOURS[method], label=label)
            loss = _scaled(run["loss"])
            curve(axes[1], [i / len(loss) for i in range(1, len(loss) + 1)], loss, color=COLOURS[method], label=label)
        first = runs["treecca"][0]
        if first is not None and "factor_importances" in first:
            axes[2].bar([f"Z{i + 1}" for i in range(6)], first["factor_importances"], color=COLOURS["treecca"])
        for name, style in (("PCA(X)", ":"), ("PCA(|X|)", "--")):
            level = mean(runs["oracles"][:1], name)
            if level is not None:
                axes[0].axhline(level, color=COLOURS["linear"], ls=style, lw=1, label=name)
        axes[0].set(xlabel="round", ylabel="accuracy of the probe", xscale="log")
        legend(axes[0])
        axes[1].set(xlabel="share of the rounds", ylabel="loss, scaled to its range")
        axes[2].set(ylabel="share of the gain, by latent")
        return figure if drawn else None

    page.picture("ssl", f"Accuracy and loss by round, importance by latent (defaults); seed {scale.seeds[0]}.", draw)


def targets(scale: Scale, results: Results) -> list[Target]:
    runs = fits(scale)
    more = cell(results.all(runs["more"]), "accuracy", digits=3)
    note = f"defaults; with {settings_text(_MORE)}: {more}"
    return [Target("SSL, accuracy", 0.75, mean(results.all(runs["treecca"]), "accuracy"), note)]
