"""XGBoost and LightGBM as engines: the paths of their libraries, and their parameters."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from . import _core

_LIBRARIES = {"xgboost": "lib/libxgboost.so", "lightgbm": "lib/lib_lightgbm.so"}


def engine_settings(estimator: Any = None) -> list[tuple[str, str]]:
    """(name, text) of the estimator's `engine_params`. Also gives the core the paths of the installed libraries."""
    for package, library in _LIBRARIES.items():
        spec = find_spec(package)  # without importing it
        for folder in spec.submodule_search_locations or [] if spec is not None else []:
            path = Path(folder) / library
            if path.exists():
                _core.prefer_library(package, str(path))
    params = getattr(estimator, "engine_params", None)
    if params is None:
        return []
    if not isinstance(params, Mapping):
        raise ValueError(f"engine_params must be a mapping of name -> value, got {params!r}.")
    return [
        (str(name), str(value).lower() if isinstance(value, bool) else str(value)) for name, value in params.items()
    ]
