"""A handful of settings, of which every fit's own out-of-fold estimate chooses: an honest choice, made per seed."""

from __future__ import annotations

from typing import Any

from .. import plan
from ..results import settings_text
from ..scale import Scale
from ..unit import Unit

Settings = dict[str, Any]

REMARK = (
    "The choice between them saw training rows only; the list itself was made by people who knew earlier tables of "
    "this set. "
    "The honest probe learns from training rows as embedded by trees that never saw them, the paper's from those "
    "that the trees were fitted to."
)


def candidates(scale: Scale, data: str, settings: list[Settings], **more: Any) -> list[list[Unit]]:
    """Per setting one unit for every seed; the defaults are the first."""
    return [[plan.ours(scale, data, seed, one, **more) for seed in scale.seeds] for one in settings]


def explained(settings: list[Settings]) -> str:
    """What was to choose from, for the page."""
    return "; ".join(settings_text(one) for one in settings)
