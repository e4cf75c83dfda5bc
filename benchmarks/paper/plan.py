"""Makes units: the same arguments give the same unit, whichever experiment asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .methods import METHODS
from .scale import Scale
from .unit import Unit

_ROWS = {  # synthetic sets whose size is the paper's to give; all others are real
    "signed_power": 3000,
    "hermite": 3000,
    "four_view": 3000,
    "sign_interaction": 4000,
    "sparse_50": 500,
    "sparse_200": 500,
    "sparse_500": 500,
    "sparse_2000": 500,
}


def _source(scale: Scale, data: str, seed: int, options: dict[str, Any] | None) -> dict[str, Any]:
    synthetic = data in _ROWS
    return {
        "data": data,
        "seed": seed,
        "options": (scale.samples(_ROWS[data]) if synthetic else {}) | (options or {}),
        "max_rows": None if synthetic else scale.thin(),
    }


def compare(
    scale: Scale,
    method: str,
    data: str,
    seed: int,
    settings: dict[str, Any] | None = None,
    *,
    extras: Sequence[str] = (),
    options: dict[str, Any] | None = None,
    seconds: float = 1.0,
    task: str = "compare",
) -> Unit:
    """One method on one data set. `settings` are the method's own; `options` those of the data set."""
    arguments = _source(scale, data, seed, options) | {"method": method, "settings": settings or {}}
    if task == "compare":
        arguments["extras"] = list(extras)
    packages = METHODS[method].packages
    engine = arguments["settings"].get("engine", "native")
    if engine not in ("native", *packages):
        packages = (*packages, engine)
    return Unit(task, arguments, packages, 0.1 if scale.quick else seconds)


def ours(scale: Scale, data: str, seed: int, settings: dict[str, Any] | None = None, **more: Any) -> Unit:
    """TreeCCA with its defaults and these settings; few rounds in a quick run."""
    return compare(scale, "treecca", data, seed, scale.defaults() | (settings or {}) | _quick(scale), **more)


def paper(scale: Scale, data: str, seed: int, settings: dict[str, Any] | None = None, **more: Any) -> Unit:
    """Algorithm 1 of the paper, with the test figure of every round."""
    extras = list(dict.fromkeys(["curve", *more.pop("extras", ())]))
    settings = {"preset": "paper", **(settings or {}), **_quick(scale)}
    return compare(scale, "treecca", data, seed, settings, extras=extras, **more)


def _quick(scale: Scale) -> dict[str, Any]:
    return {"n_estimators": 12} if scale.quick else {}


def linear(scale: Scale, data: str, seed: int, *, textbook: bool = False, **more: Any) -> Unit:
    """Linear CCA or MCCA: with a shrinkage chosen on training rows, or without any, as in the paper."""
    return compare(scale, "linear", data, seed, {"shrinkage": 0.0} if textbook else {}, **more)


def deep(scale: Scale, data: str, seed: int, settings: dict[str, Any] | None = None, **more: Any) -> Unit:
    """DeepCCA with the Eckart-Young loss."""
    quick = {"epochs": 20, "hidden": [16, 8], "batch_size": None} if scale.quick else {}
    return compare(scale, "deepcca", data, seed, (settings or {}) | quick, **more)


def booster(
    scale: Scale, engine: str, data: str, seed: int, settings: dict[str, Any] | None = None, **more: Any
) -> Unit:
    """cca-zoo's XGBoostCCA or LightGBMCCA with its defaults."""
    return compare(scale, engine, data, seed, {"engine": engine} | (settings or {}) | _quick(scale), **more)


def other(scale: Scale, task: str, data: str, seed: int, *, seconds: float = 1.0, **arguments: Any) -> Unit:
    """A task of another kind (see tasks.py)."""
    packages = ("scikit-learn",) if task in ("oracles", "collapse") else ("treecca",)
    options = arguments.pop("options", None)
    if "method" in arguments:
        packages = METHODS[arguments["method"]].packages
    return Unit(task, _source(scale, data, seed, options) | arguments, packages, 0.1 if scale.quick else seconds)
