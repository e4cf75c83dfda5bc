"""Table 4: which of p features carry the signal."""

from __future__ import annotations

from typing import Any

from .. import plan
from ..page import COLOURS, Page, grid, legend
from ..published import SPARSE
from ..results import Results, cell, duration, mean, values
from ..scale import Scale
from ..unit import Unit

NAME = "table4"
TITLE = "Table 4: sparse recovery (5 causal features of p per view, 400 training samples)"
_SECONDS = {50: (3, 2), 200: (8, 4), 500: (17, 5), 2000: (75, 8)}  # per fit: preset=paper, preset=plain


def _sizes(scale: Scale) -> list[int]:
    return scale.pick([50, 200, 500, 2000], [50, 200])


def _fits(scale: Scale, p: int) -> dict[str, list[Unit]]:
    data, (slow, fast) = f"sparse_{p}", _SECONDS[p]
    seeds = scale.seeds[:3] if slow > 60 else scale.seeds  # the table has a column for it
    return {
        "pmd": [plan.compare(scale, "pmd", data, s, seconds=2) for s in scale.seeds],
        "paper": [plan.paper(scale, data, s, extras=["precision"], seconds=slow) for s in seeds],
        "plain": [plan.plain(scale, data, s, extras=["precision"], seconds=fast) for s in scale.seeds],
        "treecca": [plan.ours(scale, data, s, extras=["precision"], seconds=2 * fast) for s in scale.seeds],
    }


def units(scale: Scale) -> list[Unit]:
    return [unit for p in _sizes(scale) for runs in _fits(scale, p).values() for unit in runs]


def write(page: Page, scale: Scale, results: Results) -> None:
    titles = {
        "pmd": ("PMD (cca-zoo)", "pmd"),
        "paper": ("TreeCCA, `preset=paper`", "treecca"),
        "plain": ("TreeCCA, `preset=plain`", None),
        "treecca": ("TreeCCA, defaults", None),
    }
    rows = [
        [
            "p",
            "method",
            "paper: Precision@5",
            "here: Precision@5",
            "paper: TCC",
            "here, paper's protocol (last round)",
            "here, test TCC",
            "seeds",
            "seconds",
        ]
    ]
    for p in _sizes(scale):
        for method, own in _fits(scale, p).items():
            title, printed = titles[method]
            runs = results.all(own)
            precision, total = SPARSE[p][printed] if printed else ("", "")
            known = values(runs, "test")
            rows.append(
                [
                    str(p),
                    title,
                    precision,
                    cell(runs, "precision"),
                    total,
                    cell(runs, "raw") if known else "",
                    cell(runs, "test") if known else "",
                    str(len(known)),
                    duration(runs),
                ]
            )
    page.table(rows)
    page.text(
        "PMD knows the true number of causal features. Features are ranked by gain, for PMD by the sum of |weights|. "
        "Precision is the mean over both views; features that tie for the last places count as a random draw."
    )

    def draw(pyplot: Any) -> Any:
        figure, axes = grid(pyplot, 2)
        drawn = False
        for axis, key, label in ((axes[0], "precision", "Precision@5"), (axes[1], "test", "test TCC")):
            for method, (title, _) in titles.items():
                points = [(p, mean(results.all(_fits(scale, p)[method]), key)) for p in _sizes(scale)]
                points = [(p, value) for p, value in points if value is not None]
                if points:
                    drawn = True
                    axis.plot(
                        *zip(*points, strict=True),
                        "o-",
                        color=COLOURS.get(method, COLOURS["linear"]),
                        label=title.replace("`", ""),
                    )
            axis.set(xscale="log", xlabel="features per view", ylabel=label, ylim=(0, None))
            axis.set_xticks(_sizes(scale), [str(p) for p in _sizes(scale)])
            axis.minorticks_off()
        legend(axes[1])
        return figure if drawn else None

    page.plot("sparse", "Feature recovery and test TCC by number of features.", draw)
