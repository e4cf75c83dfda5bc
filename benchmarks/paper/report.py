"""Writes the whole page: all experiments in order."""

from __future__ import annotations

from pathlib import Path

from . import experiments
from .page import Page, machine
from .results import Results
from .scale import Scale
from .unit import version

_PACKAGES = ("treecca", "scikit-learn", "cca-zoo", "xgboost", "lightgbm", "jax")


def write_page(out: Path, scale: Scale, results: Results) -> None:
    """Write the page from results alone; nothing is computed. Experiments without results are marked "not run"."""
    page = Page(out, quick=scale.quick)
    for experiment in experiments.all_experiments():
        page.heading(experiment.TITLE)
        experiment.write(page, scale, results)
    page.heading("Software")
    used = ", ".join(f"{name} {version(name)}" for name in _PACKAGES if version(name))
    page.text(f"{machine()}; {used}. Seeds {', '.join(map(str, scale.seeds))}.")
    page.save()
