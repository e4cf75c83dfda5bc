"""Puts the page together: Markdown with tables, and pictures in a folder beside it."""

from __future__ import annotations

import os
import platform
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

COLOURS = {
    "treecca": "#1f5fa8",
    "paper": "#e07b26",
    "linear": "#888888",
    "deepcca": "#3a923a",
    "kcca": "#7b4ea3",
    "lightgbm": "#b23a48",
    "joint": "#c9a227",
}

_OPENING = """# The paper, run again

Every table and figure of the TreeCCA paper, made by `make paper` (`python -m benchmarks.paper`): the paper's figure,
ours under the paper's protocol, ours under an honest one, and the baselines run here, on the same rows.

- **TCC**, total correlation captured: the sum over K components of |correlation| between the views on test rows (mean
  over pairs of views).
- **Paper's protocol**: components may repeat each other. Where the paper says that it reports the peak (Table 1, and
  its appendices on seeds, depth and rate, start values and schedule), the best round or epoch *on the test rows*
  counts, for every method that has them (the peers and DeepCCA are looked at 40 to 50 times on the way); elsewhere
  the last one. It is there to compare with the paper; a best round on the test rows is no honest figure.
- **Honest**: the last round, components decorrelated by a rotation that was fitted to training rows. The run chooses
  nothing on test rows. People did choose knowing figures of these sets: the [defaults](defaults.md), and wherever a
  table says how its settings were found. This is the figure to judge by.
- **Its own estimate**: what the fit reports from training rows alone (out of fold).
- Means ± standard deviations over the seeds; methods that are slow got fewer, as their rows say. Seconds are those of one fit, on a machine that may have had other work.
"""


class Page:
    """Collects the text; `save` writes it. Pictures are written at once, to a folder with the name of the page."""

    def __init__(self, path: Path, *, quick: bool) -> None:
        self.path = path
        self.pictures = path.with_suffix("")
        self.parts = [_OPENING]
        if quick:
            self.text(
                "**A quick run: small data, few rounds. It shows that everything works; its figures mean nothing.**"
            )

    def heading(self, title: str, level: int = 2) -> None:
        self.parts.append(f"{'#' * level} {title}\n")

    def text(self, text: str) -> None:
        self.parts.append(textwrap.fill(text.strip(), 118, break_long_words=False, break_on_hyphens=False) + "\n")

    def table(self, rows: Sequence[Sequence[str]]) -> None:
        """The first row is the heading; columns without any cell are left out."""
        kept = [c for c in range(len(rows[0])) if any(str(row[c]).strip() for row in rows[1:])]
        lines = ["| " + " | ".join(str(row[c]) for c in kept) + " |" for row in rows]
        lines.insert(1, "|---" * len(kept) + "|")
        self.parts.append("\n".join(lines) + "\n")

    def picture(self, name: str, caption: str, draw: Callable[[Any], Any], suffix: str = "svg") -> None:
        """draw(pyplot) returns a figure, or None where there is nothing to draw yet."""
        try:
            import matplotlib
        except ImportError:
            self.text(f"*{caption}* (no picture: `pip install matplotlib`)")
            return
        matplotlib.use("Agg")
        from matplotlib import pyplot

        style = {
            "svg.hashsalt": name,
            "svg.fonttype": "none",
            "font.size": 9,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "legend.frameon": False,
            "figure.constrained_layout.use": True,
        }
        with matplotlib.rc_context(style):
            figure = draw(pyplot)
            if figure is None:
                pyplot.close("all")  # axes may have been made before it was known
                self.text(f"*{caption}* (not run)")
                return
            self.pictures.mkdir(parents=True, exist_ok=True)
            target = self.pictures / f"{name}.{suffix}"
            # Without a date the same figures give the same file.
            figure.savefig(target, dpi=90, metadata={"Date": None} if suffix == "svg" else None)
            pyplot.close(figure)
        self.parts.append(f"![{caption}]({self.pictures.name}/{name}.{suffix})\n\n*{caption}*\n")

    def save(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        temporary = self.path.with_name(self.path.name + ".tmp")
        temporary.write_text("\n".join(self.parts), encoding="utf-8")
        os.replace(temporary, self.path)


def machine() -> str:
    return (
        f"{os.cpu_count()} processors ({platform.machine()}), {platform.system()}, Python {platform.python_version()}"
    )


def grid(pyplot: Any, columns: int, rows: int = 1, width: float = 3.4, height: float = 2.6) -> tuple[Any, list[Any]]:
    """A figure and its axes in one list."""
    figure, axes = pyplot.subplots(rows, columns, figsize=(width * columns, height * rows), squeeze=False)
    return figure, list(axes.ravel())


def curve(axis: Any, x: Sequence[float], y: Sequence[float], style: str = "-", **look: Any) -> Any:
    """Draws a line of at most 150 points: a picture on a page shows no more, and stays small."""
    kept = sorted({round(i * (len(x) - 1) / 149) for i in range(150)}) if len(x) > 150 else range(len(x))
    return axis.plot([x[i] for i in kept], [y[i] for i in kept], style, **look)[0]


def mean_curve(axis: Any, runs: Sequence[dict | None], **look: Any) -> bool:
    """Draws the mean over runs of their test curves; False where none has one."""
    curves = [run["curve"] for run in runs if run and "curve" in run]
    if curves:
        curve(axis, range(1, len(curves[0]) + 1), np.mean(curves, axis=0), **look)
    return bool(curves)


def legend(axis: Any) -> None:
    """A legend below the whole figure, where nothing is covered by it."""
    handles, labels = axis.get_legend_handles_labels()
    if handles:
        axis.figure.legend(handles, labels, loc="outside lower center", ncol=3, fontsize=7)
