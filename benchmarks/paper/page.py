"""Assembles the page: Markdown with tables, and plots in a folder of the same name."""

from __future__ import annotations

import io
import os
import platform
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

COLOURS = {
    "treecca": "#1f5fa8",
    "plain": "#5fb0d9",
    "paper": "#e07b26",
    "linear": "#888888",
    "deepcca": "#3a923a",
    "kcca": "#7b4ea3",
    "lightgbm": "#b23a48",
    "joint": "#c9a227",
}

_OPENING = """# The paper's experiments

Every table and figure of the TreeCCA paper, made by `make paper` (`python -m benchmarks.paper`): the paper's number,
our result under the paper's protocol, our test TCC, and the baselines run here, on the same samples.

- **TCC**, total correlation captured: the sum over K components of |correlation| between the views on test samples
  (mean over pairs of views).
- **Paper's protocol**: components may repeat each other. Where the paper reports the peak (Table 1, and its appendices
  on seeds, depth and rate, initial values and schedule), the best round or epoch *on the test samples* counts, for
  every method that has rounds (the other packages and DeepCCA are evaluated 40 to 50 times on the way); elsewhere the
  last one. Use it only to compare with the paper: a round chosen on test samples is biased upwards.
- **Test TCC**: the last round, components decorrelated by a rotation fitted to training samples. The run chooses
  nothing on test samples. The authors did know results on these data when they chose the [defaults](defaults.md).
  Compare methods by this number.
- **Out-of-fold TCC**: estimated by the fit from training samples alone.
- Means ± standard deviations over the seeds; slow methods have fewer seeds, as their rows say. Seconds are those of one
  fit, on a machine that may have run other jobs.
"""


class Page:
    """Collects the text; `save` writes it. Plots are written at once, to a folder with the name of the page."""

    def __init__(self, path: Path, *, quick: bool) -> None:
        self.path = path
        self.plots = path.with_suffix("")
        self.parts = [_OPENING]
        if quick:
            self.text("**A quick run with small data and few rounds, to test the code: its numbers mean nothing.**")

    def heading(self, title: str, level: int = 2) -> None:
        self.parts.append(f"{'#' * level} {title}\n")

    def text(self, text: str) -> None:
        self.parts.append(textwrap.fill(text.strip(), 118, break_long_words=False, break_on_hyphens=False) + "\n")

    def table(self, rows: Sequence[Sequence[str]]) -> None:
        """The first row is the heading; columns without any cell are omitted."""
        kept = [c for c in range(len(rows[0])) if any(str(row[c]).strip() for row in rows[1:])]
        lines = ["| " + " | ".join(str(row[c]) for c in kept) + " |" for row in rows]
        lines.insert(1, "|---" * len(kept) + "|")
        self.parts.append("\n".join(lines) + "\n")

    def plot(self, name: str, caption: str, draw: Callable[[Any], Any]) -> None:
        """draw(pyplot) returns a figure, or None if no results are there yet."""
        try:
            import matplotlib
        except ImportError:
            self.text(f"*{caption}* (no plot: `pip install matplotlib`)")
            return
        matplotlib.use("Agg")
        from matplotlib import pyplot
        from PIL import Image

        style = {
            "font.size": 9,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "legend.frameon": False,
            "figure.constrained_layout.use": True,
        }
        with matplotlib.rc_context(style):
            figure = draw(pyplot)
            if figure is None:
                pyplot.close("all")  # the axes that `draw` made
                self.text(f"*{caption}* (not run)")
                return
            self.plots.mkdir(parents=True, exist_ok=True)
            full = io.BytesIO()
            figure.savefig(full, dpi=150)
            pyplot.close(figure)
            # 128 colours show no difference and take a third of the bytes.
            Image.open(full).convert("RGB").quantize(128).save(self.plots / f"{name}.png", optimize=True)
        self.parts.append(f"![{caption}]({self.plots.name}/{name}.png)\n\n*{caption}*\n")

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
    """Return a figure and its axes in one list."""
    figure, axes = pyplot.subplots(rows, columns, figsize=(width * columns, height * rows), squeeze=False)
    return figure, list(axes.ravel())


def mean_curve(axis: Any, runs: Sequence[dict | None], **look: Any) -> bool:
    """Draw the mean of the runs' test curves; return False if none has one."""
    curves = [run["curve"] for run in runs if run and "curve" in run]
    if curves:
        axis.plot(range(1, len(curves[0]) + 1), np.mean(curves, axis=0), **look)
    return bool(curves)


def legend(axis: Any) -> None:
    """Draw a legend below the whole figure, where it covers nothing."""
    handles, labels = axis.get_legend_handles_labels()
    if handles:
        axis.figure.legend(handles, labels, loc="outside lower center", ncol=3, fontsize=7)
