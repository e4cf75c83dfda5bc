"""Split MNIST: the left and the right half of every digit."""

from __future__ import annotations

import numpy as np

from treecca.datasets import MultiviewDataset

from .files import WrongDataError, find_file, read_npz

_ROWS, _TEST_ROWS = 60_000, 6_000


def load_split_mnist(
    *, n_train: int = _ROWS - _TEST_ROWS, dropout: float = 0.1, random_state: int = 42
) -> MultiviewDataset:
    """Return left and right halves of MNIST's 60,000 training images (14 x 28 pixels each, 0 to 1), with dropout noise.

    `n_train` takes the first training samples of the full set, with the same noise. Each pixel is set to 0 with
    probability `dropout`, independently in both views. `random_state` seeds the noise and draws the 6,000 test images.
    """
    if not 1 <= n_train <= _ROWS - _TEST_ROWS:
        raise ValueError(f"n_train must be 1 to {_ROWS - _TEST_ROWS}, not {n_train}.")
    if not 0 <= dropout < 1:
        raise ValueError(f"dropout must be in [0, 1), not {dropout}.")
    path = find_file(["mnist.npz"], "mnist.npz of keras.datasets.mnist, or made from the published files")
    content = read_npz(path, ["x_train", "y_train"])
    images, labels = content["x_train"], content["y_train"]
    if images.shape != (_ROWS, 28, 28) or images.dtype != np.uint8 or labels.shape != (_ROWS,):
        raise WrongDataError(path, "x_train must be uint8 of shape (60000, 28, 28), and y_train of shape (60000,).")

    rng = np.random.default_rng(random_state)
    order = rng.permutation(_ROWS)
    kept = np.r_[:n_train, _ROWS - _TEST_ROWS : _ROWS]  # positions in `order`: training, then test samples
    images = images[order[kept]].astype(np.float32) / 255
    labels = labels[order[kept]].astype(np.int64)
    views = []
    for half in (images[:, :, :14], images[:, :, 14:]):
        on = rng.random((_ROWS, 392), dtype=np.float32) >= dropout
        views.append(half.reshape(-1, 392) * on[kept])
    return MultiviewDataset(
        "split_mnist",
        [v[:n_train] for v in views],
        ["left", "right"],
        k=50,
        test_views=[v[n_train:] for v in views],
        feature_names=[[f"r{r}c{c}" for r in range(28) for c in columns] for columns in (range(14), range(14, 28))],
        labels=labels[:n_train],
        test_labels=labels[n_train:],
        class_names=[str(digit) for digit in range(10)],
        description=f"Left and right halves of handwritten digits (MNIST), {dropout:.0%} of the pixels set to 0.",
    )
