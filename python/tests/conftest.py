import os

import numpy as np
import pytest

# AddressSanitizer keeps freed memory and a map of all memory.
measures_memory = pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="memory with a sanitizer")


def related_views(n=300, seed=0, n_views=2, noise=3):
    """Views that share two latents in nonlinear ways; the first two columns of each carry them."""
    rng = np.random.default_rng(seed)
    latent = rng.normal(size=(n, 2))
    shapes = [lambda z: z, lambda z: z**3 + z, lambda z: np.tanh(2 * z), np.exp]
    views = []
    for v in range(n_views):
        signal = shapes[v % len(shapes)](latent) + 0.2 * rng.normal(size=(n, 2))
        views.append(np.hstack([signal, rng.normal(size=(n, noise))]))
    return views


@pytest.fixture
def views():
    return related_views()


@pytest.fixture
def quick():
    """Settings of a fit that is fast and still finds something."""
    return {"n_components": 2, "n_estimators": 30, "random_state": 0}


def cluster_of(n_workers, **options):
    """A Dask cluster of processes with one thread each."""
    import distributed

    return distributed.LocalCluster(
        n_workers=n_workers, threads_per_worker=1, dashboard_address=None, processes=True, **options
    )
