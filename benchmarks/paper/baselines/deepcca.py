"""Deep CCA with the Eckart-Young loss, written by hand in JAX.

Each view has an encoder of fully connected layers with ReLU, by default 128 and 64 hidden units with BatchNorm, trained
by Adam (rate 0.001) for 1,000 epochs, as in the paper. Our choices where the paper gives none: a batch is the whole
training set (`batch_size`), BatchNorm comes before every ReLU, views are standardised, initial weights follow He et
al., and BatchNorm uses the moments of the training samples for new samples. The paper's numbers are not always reached;
other batch sizes may reach them.

settings: hidden, epochs, batch_norm, batch_size (None: all samples), rate. The test TCC is recorded about 50 times, for
the best epoch on the test samples (the paper's protocol).
"""

from __future__ import annotations

import time
from itertools import pairwise
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from treecca.datasets import MultiviewDataset

from ...metrics import tcc
from ..methods import Embedded, standardised
from ..protocol import peak

_POINTS = 50  # of the curve of test TCC
_BETA1, _BETA2, _EPSILON = 0.9, 0.999, 1e-8


def embed(data: MultiviewDataset, seed: int, settings: dict[str, Any], extras: list[str]) -> Embedded:
    hidden = settings.pop("hidden", [128, 64])
    epochs, rate = settings.pop("epochs", 1000), settings.pop("rate", 1e-3)
    batch_norm, batch_size = settings.pop("batch_norm", True), settings.pop("batch_size", None)
    if settings:
        raise ValueError(f"deepcca does not know {', '.join(settings)}.")
    train, test = ([jnp.asarray(x, jnp.float32) for x in part] for part in standardised(data))
    n = len(train[0])
    batch = min(batch_size or n, n)
    rng = np.random.default_rng(seed)
    widths = [[x.shape[1], *hidden, data.k] for x in train]
    parameters = [_start(jax.random.PRNGKey(2 * seed + v), w) for v, w in enumerate(widths)]

    def loss(parameters, views):
        return _ey_loss([_encode(p, x, batch_norm)[0] for p, x in zip(parameters, views, strict=True)])

    @jax.jit
    def step(parameters, first, second, count, views):
        gradient = jax.grad(loss)(parameters, views)
        return _adam(parameters, gradient, first, second, count, rate)

    @jax.jit
    def embeddings(parameters, views, new):
        """Embed training samples, and new samples with the moments of the training samples."""
        ours, theirs = [], []
        for p, x, y in zip(parameters, views, new, strict=True):
            z, moments = _encode(p, x, batch_norm)
            ours.append(z)
            theirs.append(_encode(p, y, batch_norm, moments)[0])
        return ours, theirs

    first = jax.tree.map(jnp.zeros_like, parameters)
    second, count = first, 0
    recorded = set(np.unique(np.linspace(1, epochs, min(_POINTS, epochs)).astype(int)).tolist())
    curve, seconds = {}, 0.0
    for epoch in range(1, epochs + 1):
        start = time.perf_counter()
        order = rng.permutation(n) if batch < n else None
        for begin in range(0, n - batch + 1, batch):
            views = train if order is None else [x[order[begin : begin + batch]] for x in train]
            count += 1
            parameters, first, second = step(parameters, first, second, count, views)
        jax.block_until_ready(parameters)
        seconds += time.perf_counter() - start
        if epoch in recorded:
            curve[epoch] = tcc([np.asarray(z) for z in embeddings(parameters, train, test)[1]])
    ours, theirs = ([np.asarray(z, np.float64) for z in part] for part in embeddings(parameters, train, test))
    return Embedded(ours, theirs, seconds, scores=peak(curve.values(), curve.keys()) | {"epochs": epochs})


def _start(key, widths: list[int]):
    layers = []
    for inputs, outputs in pairwise(widths):
        key, own = jax.random.split(key)
        weights = jax.random.normal(own, (inputs, outputs)) * np.sqrt(2 / inputs)
        layers.append({"w": weights, "b": jnp.zeros(outputs), "scale": jnp.ones(outputs), "shift": jnp.zeros(outputs)})
    return layers


def _encode(layers, x, batch_norm: bool, moments=None):
    """Return the embedding, and mean and variance of every hidden layer."""
    seen = []
    for number, layer in enumerate(layers):
        x = x @ layer["w"] + layer["b"]
        if number == len(layers) - 1:
            break
        mean, variance = (x.mean(0), x.var(0)) if moments is None else moments[number]
        seen.append((mean, variance))
        if batch_norm:
            x = (x - mean) / jnp.sqrt(variance + 1e-5) * layer["scale"] + layer["shift"]
        x = jax.nn.relu(x)
    return x, seen


def _ey_loss(embeddings):
    """Return -2 tr(C) + |V|^2 summed over pairs of views; for two views the paper's loss."""
    centred = [z - z.mean(0) for z in embeddings]
    n = len(centred[0])
    total = 0.0
    for i, a in enumerate(centred):
        for b in centred[i + 1 :]:
            within = (a.T @ a + b.T @ b) / (n - 1)
            total += -4 * jnp.sum(a * b) / (n - 1) + jnp.sum(within**2)
    return total


def _adam(parameters, gradient, first, second, count, rate):
    first = jax.tree.map(lambda m, g: _BETA1 * m + (1 - _BETA1) * g, first, gradient)
    second = jax.tree.map(lambda s, g: _BETA2 * s + (1 - _BETA2) * g**2, second, gradient)

    def moved(p, m, s):
        return p - rate * (m / (1 - _BETA1**count)) / (jnp.sqrt(s / (1 - _BETA2**count)) + _EPSILON)

    return jax.tree.map(moved, parameters, first, second), first, second
