"""TreeCCA-SSL: table and figure."""

from __future__ import annotations

from typing import Any

from .. import plan
from ..page import COLOURS, Page, curve, grid, legend
from ..published import SSL
from ..results import Results, cell, duration, mean
from ..scale import Scale
from ..targets import Target
from ..unit import Unit

NAME = "ssl"
TITLE = "Learning without labels: TreeCCA-SSL (K = 5, 6 classes)"
_DATA = "sign_interaction"


def fits(scale: Scale) -> dict[str, list[Unit]]:
    seeds = scale.seeds

    def encoders(settings: dict[str, Any], fitted_to: str, seconds: float) -> list[Unit]:
        return [
            plan.other(
                scale,
                "self_supervised",
                _DATA,
                s,
                settings=settings,
                fitted_to=fitted_to,
                curve=s == seeds[0] and fitted_to == "all rows",
                seconds=seconds,
            )
            for s in seeds
        ]

    return {
        "oracles": [plan.other(scale, "oracles", _DATA, s, seconds=2) for s in seeds],
        "paper": encoders({"preset": "paper", **scale.rounds(1500)}, "all rows", 90),
        "treecca": encoders(scale.defaults(), "all rows", 45),
        "unseen": encoders(scale.defaults(), "training rows", 35),
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
        ("unseen", "TreeCCA-SSL, defaults, test rows unseen", "fitted to the training rows alone"),
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
        "Encoders are fitted to all rows without their labels, as in the paper (N = 4,000); the probe learns from the "
        'labels of four fifths of the clean rows and is judged on the rest. Where "test rows unseen" is said, that '
        "rest was no part of the encoder's fit either."
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
    unseen = cell(results.all(runs["unseen"]), "accuracy", digits=3)
    note = f"labels of test rows unseen; rows unseen as well: {unseen}"
    return [Target("SSL, accuracy", 0.75, mean(results.all(runs["treecca"]), "accuracy"), note)]
