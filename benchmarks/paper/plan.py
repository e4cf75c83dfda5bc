"""Makes units. The same arguments give the same unit, so experiments share results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .methods import METHODS
from .scale import Scale
from .unit import Unit, versions

_ROWS = {  # sizes of the synthetic sets, from the paper
    "signed_power": 3000,
    "hermite": 3000,
    "four_view": 3000,
    "sign_interaction": 4000,
    "sparse_50": 500,
    "sparse_200": 500,
    "sparse_500": 500,
    "sparse_2000": 500,
}

# The paper's settings for the other packages (its Appendix C and Algorithm 1: both gradients, then both updates).
PAPER_BOOSTER = {
    "n_estimators": 500,
    "max_depth": 5,
    "min_child_weight": 5,
    "learning_rate": 0.1,
    "subsample": 0.8,
    "colsample_bytree": 0.8,
    "gauss_seidel": False,
}

# The packages that tasks without a method depend on.
_PACKAGES = {"self_supervised": ("treecca",), "oracles": ("scikit-learn",), "collapse": ("scikit-learn",)}


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
    """One method on one data set. `settings` are parameters of the method, `options` of the data set."""
    arguments = _source(scale, data, seed, options) | {"method": method, "settings": settings or {}}
    if task == "compare":
        arguments["extras"] = list(extras)
    packages = METHODS[method].packages
    engine = arguments["settings"].get("engine", "native")
    if engine not in ("native", *packages):
        packages = (*packages, engine)
    return _unit(scale, task, arguments, packages, seconds)


def ours(scale: Scale, data: str, seed: int, settings: dict[str, Any] | None = None, **more: Any) -> Unit:
    """TreeCCA with its defaults except for these settings."""
    return compare(scale, "treecca", data, seed, (settings or {}) | scale.few_rounds(), **more)


def plain(scale: Scale, data: str, seed: int, **more: Any) -> Unit:
    """One cross-fit without linear CCA, with the test TCC of every round."""
    return ours(scale, data, seed, {"preset": "plain"}, extras=["curve", *more.pop("extras", ())], **more)


def paper(scale: Scale, data: str, seed: int, settings: dict[str, Any] | None = None, **more: Any) -> Unit:
    """Algorithm 1 of the paper, with the test TCC of every round."""
    extras = list(dict.fromkeys(["curve", *more.pop("extras", ())]))
    settings = {"preset": "paper", **(settings or {}), **scale.few_rounds()}
    return compare(scale, "treecca", data, seed, settings, extras=extras, **more)


def linear(scale: Scale, data: str, seed: int, *, textbook: bool = False, **more: Any) -> Unit:
    """Linear CCA or MCCA, with shrinkage chosen on training samples, or without shrinkage (`textbook`)."""
    return compare(scale, "linear", data, seed, {"shrinkage": 0.0} if textbook else {}, **more)


def deep(scale: Scale, data: str, seed: int, settings: dict[str, Any] | None = None, **more: Any) -> Unit:
    """DeepCCA with the Eckart-Young loss."""
    quick = {"epochs": 20, "hidden": [16, 8], "batch_size": None} if scale.quick else {}
    return compare(scale, "deepcca", data, seed, (settings or {}) | quick, **more)


def booster(
    scale: Scale, engine: str, data: str, seed: int, settings: dict[str, Any] | None = None, **more: Any
) -> Unit:
    """cca-zoo's XGBoostCCA or LightGBMCCA with its defaults."""
    return compare(scale, engine, data, seed, {"engine": engine} | (settings or {}) | scale.few_rounds(), **more)


def other(scale: Scale, task: str, data: str, seed: int, *, seconds: float = 1.0, **arguments: Any) -> Unit:
    """Any other task of tasks.py."""
    packages = METHODS[arguments["method"]].packages if "method" in arguments else _PACKAGES[task]
    options = arguments.pop("options", None)
    return _unit(scale, task, _source(scale, data, seed, options) | arguments, packages, seconds)


def _unit(scale: Scale, task: str, arguments: dict[str, Any], packages: tuple[str, ...], seconds: float) -> Unit:
    return Unit(task, arguments | {"versions": versions(packages)}, 0.1 if scale.quick else seconds)


def self_supervised(scale: Scale, seed: int, settings: dict[str, Any], fitted_to: str, **more: Any) -> Unit:
    """TreeCCA-SSL on the sign-interaction set, fitted to "all samples" or "training samples"."""
    settings = settings | scale.few_rounds()
    return other(scale, "self_supervised", "sign_interaction", seed, settings=settings, fitted_to=fitted_to, **more)
