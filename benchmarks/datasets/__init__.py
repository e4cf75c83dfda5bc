"""All data sets of the benchmarks by name: synthetic sets of `treecca.datasets`, and published data read from files.

Files are read from the folder named by the environment variable TREECCA_DATA. Nothing is downloaded; the error for a
missing file names its source. `python -m benchmarks.datasets` lists all data sets.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

from treecca import datasets as synthetic
from treecca.datasets import MultiviewDataset

from .files import MissingDataError, WrongDataError
from .har import har_subjects, load_uci_har
from .mnist import load_split_mnist
from .plain import PLAIN_SETS, load_linnerud

__all__ = ["MissingDataError", "WrongDataError", "har_subjects", "list_datasets", "load", "load_whole"]

_LOADERS: dict[str, Callable[..., MultiviewDataset]] = {
    "signed_power": synthetic.make_signed_power,
    "hermite": synthetic.make_hermite,
    "four_view": synthetic.make_four_view,
    **{f"sparse_{p}": partial(synthetic.make_sparse, p=p) for p in (50, 200, 500, 2000)},
    "independent": synthetic.make_independent,
    "weak_signal": synthetic.make_weak_signal,
    "sign_interaction": synthetic.make_sign_interaction,
    "split_mnist": load_split_mnist,
    "uci_har": load_uci_har,
    **{plain.name: plain.load for plain in PLAIN_SETS},
    "linnerud": load_linnerud,
}


def list_datasets() -> list[str]:
    """Return the names that `load` accepts: synthetic sets first, then published ones."""
    return list(_LOADERS)


def load(name: str, *, random_state: int = 42, **options: Any) -> MultiviewDataset:
    """Return a data set with a test part: the published one, or a fifth of every class.

    `random_state` seeds synthetic data, the noise of Split MNIST, and the split of a set without a published test part.
    `options` are further arguments of the set's own function, e.g. n_train=5000 for "split_mnist".
    """
    if name not in _LOADERS:
        raise ValueError(f"Unknown data set {name!r}. Known: {', '.join(_LOADERS)}.")
    loader = _LOADERS[name]
    if "random_state" in inspect.signature(loader).parameters:
        options["random_state"] = random_state
    return loader(**options).split(random_state)


def load_whole(name: str) -> MultiviewDataset:
    """Return a published data set as it is: a test part only if one was published."""
    return _LOADERS[name]()
