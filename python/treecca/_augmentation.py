"""The augmentation of TreeCCASSL: the user's mapping or function for the core, and checks of its results."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core

Augmentation = Callable[[NDArray[Any], np.random.Generator], NDArray[Any]]

_DEFAULT = {"swap": 0.3}
_KNOWN = ("swap", "mask", "sign_flip", "noise")


def core_augmentation(
    given: Mapping[str, Any] | Augmentation | None, values: NDArray[Any], seed: int
) -> tuple[_core.Augmentation, Callable[[int, int], NDArray[np.float32]] | None]:
    """(built-in augmentation, function(round, copy) or None) for the core."""
    if given is None:
        given = _DEFAULT
    if isinstance(given, Mapping):
        unknown = set(given) - set(_KNOWN)
        if unknown:
            raise ValueError(
                f"The augmentation names {', '.join(sorted(map(str, unknown)))}; known are: {', '.join(_KNOWN)}."
            )
        return _core.Augmentation(**{name: _amount(name, value) for name, value in given.items()}), None
    if not callable(given):
        raise ValueError(f"The augmentation must be a mapping or a function, got {given!r}.")
    return _core.Augmentation(), OwnCopies(given, values, seed)


class OwnCopies:
    """Augmented copies of `values` by a user's function. Exceptions of the function are passed on."""

    def __init__(self, augmentation: Augmentation, values: NDArray[Any], seed: int) -> None:
        self._augmentation = augmentation
        self._values = values
        self._seed = seed
        self._first: NDArray[np.float32] | None = None

    def __call__(self, number: int, copy: int) -> NDArray[np.float32]:
        """Copy 0 or 1 of round `number`, in single precision. ValueError if it cannot be used."""
        rng = np.random.default_rng([self._seed, number, copy])
        drawn = self._numbers(self._augmentation(self._values.copy(), rng))
        if number == 0:
            self._check_differs(drawn, copy)
        return drawn

    def _numbers(self, returned: Any) -> NDArray[np.float32]:
        try:
            table = np.asarray(returned)
        except (TypeError, ValueError) as error:
            raise ValueError(f"The augmentation returned a value that is not a table of numbers ({error}).") from error
        if table.shape != self._values.shape:
            raise ValueError(
                f"The augmentation must return an array of the shape it was given: expected {self._values.shape}, got "
                f"{table.shape}."
            )
        if table.dtype.kind not in "biuf":
            raise ValueError(
                f"The augmentation returned an array of type {table.dtype}. Return real numbers, and NaN for what is "
                "missing."
            )
        with np.errstate(over="ignore"):  # reported below, with row and column
            drawn = np.ascontiguousarray(table, dtype=np.float32)
        low, high = np.fmin.reduce(drawn, axis=0), np.fmax.reduce(drawn, axis=0)  # NaN where all are missing
        limit = np.finfo(np.float32).max
        if (low <= -limit).any() or (high >= limit).any():
            row, column = np.argwhere(np.abs(drawn) >= limit)[0]
            raise ValueError(
                f"The augmentation returned a value that is infinite (or beyond single precision): row {row}, column "
                f"{column}. Return finite numbers, and NaN for what is missing."
            )
        if not (low < high).any():
            raise ValueError(
                "The augmentation returned a copy in which no feature varies from row to row, so nothing can be learnt "
                "from it. Return the rows changed, not replaced."
            )
        return drawn

    def _check_differs(self, drawn: NDArray[np.float32], copy: int) -> None:
        """Check the first round only: a weak augmentation may leave all rows unchanged in a later round."""
        if copy == 0:
            self._first = drawn.copy()  # the function may write to its array again
        elif self._first is not None:
            if np.array_equal(self._first, drawn, equal_nan=True):
                raise ValueError(
                    "The augmentation returned the same copy twice, so there is nothing to learn: change the rows at "
                    "random, with numbers drawn from its second argument (rng)."
                )
            self._first = None


def _amount(name: str, value: Any) -> Any:
    if name == "sign_flip":
        if not isinstance(value, (bool, np.bool_)):
            raise ValueError(f"sign_flip of the augmentation must be True or False, not {value!r}.")
        return bool(value)
    if not isinstance(value, numbers.Real):
        raise ValueError(f"{name} of the augmentation must be a number, not {value!r}.")
    try:
        return float(value)
    except OverflowError as error:
        raise ValueError(f"{name} of the augmentation is too large: beyond double precision.") from error
