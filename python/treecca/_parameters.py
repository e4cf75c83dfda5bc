"""Parameters as text for the core, which parses and checks them."""

from __future__ import annotations

import numbers
from typing import Any

import joblib  # type: ignore[import-untyped]
import numpy as np


def as_setting(name: str, value: Any) -> str:
    """The text of a value; seeds and numbers of threads by the rules of NumPy and joblib."""
    if name == "random_state":
        return str(as_seed(value))
    if name == "n_jobs":
        return str(thread_number(value))
    return as_text(name, value)


def as_text(name: str, value: Any) -> str:
    """The text of a value, as on the command line."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    if isinstance(value, (list, tuple, np.ndarray)):
        return ",".join("none" if one is None else as_text(name, one) for one in value)
    raise ValueError(f"The '{name}' parameter of TreeCCA got {value!r}, which is neither a number nor a text.")


def as_seed(random_state: Any) -> int:
    """An integer seed; drawn at random for None, by the generator for a generator."""
    if random_state is None:
        return int(np.random.default_rng().integers(2**53))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**53))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    if isinstance(random_state, numbers.Integral):
        return int(random_state)
    raise ValueError(f"{random_state!r} cannot be used to seed TreeCCA: expected None, an int or a NumPy generator.")


def checked_integer(name: str, value: Any, minimum: int) -> int:
    """The value as an int. ValueError for other types and below `minimum`."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral) or value < minimum:
        raise ValueError(f"{name} must be an integer, {minimum} or more, not {value!r}.")
    return int(value)


def thread_number(n_jobs: Any) -> int:
    """Number of threads by joblib's rules: -1 for all processors, -2 for all but one, ..."""
    if n_jobs is None:
        return -1
    if isinstance(n_jobs, (bool, np.bool_)) or not isinstance(n_jobs, numbers.Integral) or n_jobs == 0:
        raise ValueError(
            f"n_jobs must be an integer other than 0, not {n_jobs!r}: 1, 2, ... threads, -1 for all processors, -2 "
            "for all but one."
        )
    number = int(n_jobs)
    return number if number >= -1 else max(int(joblib.cpu_count()) + 1 + number, 1)


def from_text(text: str) -> Any:
    """The Python value of a parameter as the core writes it."""
    if "," in text:
        return [from_text(part) for part in text.split(",")]
    if text in ("off", "none"):
        return 0
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
