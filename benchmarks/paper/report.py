"""The whole page: all experiments in order, what the paper gets wrong, and what was to be shown."""

from __future__ import annotations

from pathlib import Path

from . import experiments, targets
from .page import Page, machine
from .results import Results
from .scale import Scale
from .unit import version

_PACKAGES = ("treecca", "scikit-learn", "cca-zoo", "xgboost", "lightgbm", "jax")


def write_page(out: Path, scale: Scale, results: Results) -> None:
    """From results alone: nothing is run. What was not run is said to be so."""
    page = Page(out, quick=scale.quick)
    wanted = []
    for experiment in experiments.all_experiments():
        page.heading(experiment.TITLE)
        experiment.write(page, scale, results)
        wanted += getattr(experiment, "targets", lambda *_: [])(scale, results)
    page.heading("What was to be shown")
    page.text(
        f"Means over the seeds {', '.join(map(str, scale.seeds))}; honest protocol, decorrelated TCC unless said "
        "otherwise. Where the remark says so, the setting was chosen per seed by the fit's own estimate, or by people "
        "who knew test figures."
    )
    page.table(targets.table(wanted))
    page.heading("Made with")
    used = ", ".join(f"{name} {version(name)}" for name in _PACKAGES if version(name))
    page.text(f"{machine()}; {used}. Seeds {', '.join(map(str, scale.seeds))}.")
    page.save()
