"""Data sets for trying, testing and comparing: generators of synthetic views, and loaders of published ones.

Generators (`make_...`) need nothing. Loaders (`load_...`) read files from `data_home` or from the folder named by the
environment variable TREECCA_DATA; nothing is downloaded, and a missing file is named together with its source.
`python -m treecca.datasets` lists all of them. Every one returns a `MultiviewDataset`.
"""

from ._dataset import MultiviewDataset
from ._files import MissingDataError, WrongDataError
from ._har import load_uci_har
from ._limits import latent_correlations, population_limit
from ._mnist import load_split_mnist
from ._plain import (
    load_3sources,
    load_brca_tcga,
    load_breast_tcga,
    load_caltech101_7,
    load_handwritten,
    load_linnerud,
    load_liver_toxicity,
    load_msrc_v5,
    load_multidrug,
    load_nus_wide,
    load_nutrimouse,
)
from ._registry import list_datasets, load
from ._synthetic import (
    TRANSFORMS,
    make_four_view,
    make_hermite,
    make_independent,
    make_sign_interaction,
    make_signed_power,
    make_sparse,
    make_weak_signal,
)

__all__ = [
    "TRANSFORMS",
    "MissingDataError",
    "MultiviewDataset",
    "WrongDataError",
    "latent_correlations",
    "list_datasets",
    "load",
    "load_3sources",
    "load_brca_tcga",
    "load_breast_tcga",
    "load_caltech101_7",
    "load_handwritten",
    "load_linnerud",
    "load_liver_toxicity",
    "load_msrc_v5",
    "load_multidrug",
    "load_nus_wide",
    "load_nutrimouse",
    "load_split_mnist",
    "load_uci_har",
    "make_four_view",
    "make_hermite",
    "make_independent",
    "make_sign_interaction",
    "make_signed_power",
    "make_sparse",
    "make_weak_signal",
    "population_limit",
]
