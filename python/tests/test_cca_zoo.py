"""Code written for cca-zoo's trees runs with the import changed."""

import numpy as np
import pytest
from conftest import related_views

from treecca import TreeCCA, metrics

pytest.importorskip("lightgbm", reason="lightgbm is not installed")
tree = pytest.importorskip("cca_zoo.tree", reason="cca-zoo is not installed")

SHARED = {
    "n_components": 2,
    "n_estimators": 60,
    "max_depth": 4,
    "learning_rate": 0.1,
    "subsample": 0.8,
    "colsample_bytree": 0.8,
    "min_child_weight": 5,
    "random_state": 0,
}


def decorrelated_tcc(train, test):
    """Linear CCA of the variates, fitted on the training rows: components that repeat each other count once."""
    bases = []
    for z in train:
        centred = z - z.mean(axis=0)
        values, vectors = np.linalg.eigh(centred.T @ centred / len(z))
        bases.append(vectors / np.sqrt(np.maximum(values, 1e-12)))
    whitened = [(z - z.mean(axis=0)) @ basis for z, basis in zip(train, bases, strict=True)]
    u, _, vt = np.linalg.svd(whitened[0].T @ whitened[1])
    turned = [(test[0] @ bases[0]) @ u, (test[1] @ bases[1]) @ vt.T]
    return metrics.tcc(turned)


def test_the_same_parameters_on_the_same_views():
    train, test = related_views(600, seed=0), related_views(2000, seed=1)
    theirs = tree.LightGBMCCA(**SHARED).fit(train)
    ours = TreeCCA(**SHARED).fit(train)
    paper = TreeCCA(**SHARED, preset="paper").fit(train)  # the method that theirs implements
    figures = {
        name: decorrelated_tcc([np.asarray(z) for z in m.transform(train)], [np.asarray(z) for z in m.transform(test)])
        for name, m in (("theirs", theirs), ("ours", ours), ("paper", paper))
    }
    assert abs(figures["paper"] - figures["theirs"]) < 0.1, figures
    assert figures["ours"] > figures["theirs"] - 0.02, figures
    assert ours.score(test) > 1.6
    assert len(theirs.transform(test)) == len(ours.transform(test)) == 2
