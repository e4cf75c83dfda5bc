"""All data sets by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

from . import _har, _mnist, _plain, _synthetic
from ._dataset import MultiviewDataset
from ._files import DataHome

_SETS: dict[str, Callable[..., MultiviewDataset]] = {
    "signed_power": _synthetic.make_signed_power,
    "hermite": _synthetic.make_hermite,
    "four_view": _synthetic.make_four_view,
    "sparse_50": partial(_synthetic.make_sparse, p=50),
    "sparse_200": partial(_synthetic.make_sparse, p=200),
    "sparse_500": partial(_synthetic.make_sparse, p=500),
    "sparse_2000": partial(_synthetic.make_sparse, p=2000),
    "independent": _synthetic.make_independent,
    "weak_signal": _synthetic.make_weak_signal,
    "sign_interaction": _synthetic.make_sign_interaction,
    "split_mnist": _mnist.load_split_mnist,
    "uci_har": _har.load_uci_har,
    "handwritten": _plain.load_handwritten,
    "msrc_v5": _plain.load_msrc_v5,
    "threesources": _plain.load_3sources,
    "caltech101_7": _plain.load_caltech101_7,
    "nus_wide": _plain.load_nus_wide,
    "breast_tcga": _plain.load_breast_tcga,
    "breast_tcga_two": partial(_plain.load_breast_tcga, protein=False),
    "brca_tcga769": _plain.load_brca_tcga,
    "nutrimouse": _plain.load_nutrimouse,
    "liver_toxicity": _plain.load_liver_toxicity,
    "multidrug_nci60": _plain.load_multidrug,
    "linnerud": _plain.load_linnerud,
}


def list_datasets() -> list[str]:
    """The names that `load` knows: synthetic sets first, then real ones."""
    return list(_SETS)


def load(name: str, *, random_state: int = 42, data_home: DataHome = None, **options: Any) -> MultiviewDataset:
    """A data set by name, always with a test part: its own, or a stratified fifth of it.

    Parameters
    ----------
    name : str
        One of `list_datasets`.
    random_state : int, default=42
        Seed of a synthetic set, of the noise of Split MNIST, and of the split of a set without a test part.
    data_home : str or path, default=None
        The folder that holds the files; None takes the one named by the environment variable TREECCA_DATA.
    **options
        Further arguments of the set's own function, e.g. ``n_train=5000`` for "split_mnist".

    Returns
    -------
    MultiviewDataset
    """
    if name not in _SETS:
        raise ValueError(f"There is no data set called {name!r}. Known: {', '.join(_SETS)}.")
    function = _SETS[name]
    accepted = inspect.signature(function).parameters
    common = {"random_state": random_state, "data_home": data_home}
    data = function(**{key: value for key, value in common.items() if key in accepted}, **options)
    return data.split(random_state)
