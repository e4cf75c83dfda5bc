"""Synthetic views with known maximum correlations, for examples, tests and benchmarks.

Every generator (`make_...`) returns a `MultiviewDataset`. `population_limit` computes the limit for other noise and
transforms. Loaders of published data are not part of the package: see benchmarks/datasets in the repository.
"""

from ._dataset import MultiviewDataset
from ._limits import latent_correlations, population_limit
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
    "MultiviewDataset",
    "latent_correlations",
    "make_four_view",
    "make_hermite",
    "make_independent",
    "make_sign_interaction",
    "make_signed_power",
    "make_sparse",
    "make_weak_signal",
    "population_limit",
]
