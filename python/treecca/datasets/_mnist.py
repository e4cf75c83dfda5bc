"""Split MNIST: the left and the right half of every digit."""

from __future__ import annotations

import numpy as np

from ._dataset import MultiviewDataset
from ._files import DataHome, WrongDataError, find_file, read_npz

_ROWS, _TEST_ROWS = 60_000, 6_000


def load_split_mnist(
    *,
    n_train: int = _ROWS - _TEST_ROWS,
    dropout: float = 0.1,
    random_state: int = 42,
    data_home: DataHome = None,
) -> MultiviewDataset:
    """Left and right halves of MNIST's 60,000 training images (14 x 28 pixels each), with dropout noise.

    Parameters
    ----------
    n_train : int, default=54000
        Number of training rows. Fewer are the first ones of the full set, with the same noise.
    dropout : float, default=0.1
        Probability of a pixel to be set to 0, independently in both views.
    random_state : int, default=42
        Seed of the noise, and of the split: 6,000 images are the test part.
    data_home : str or path, default=None
        The folder that holds mnist.npz; None takes the one named by the environment variable TREECCA_DATA.

    Returns
    -------
    MultiviewDataset
        Pixels from 0 to 1; the labels are the digits.
    """
    if not 1 <= n_train <= _ROWS - _TEST_ROWS:
        raise ValueError(f"n_train must be from 1 to {_ROWS - _TEST_ROWS}, not {n_train}.")
    if not 0 <= dropout < 1:
        raise ValueError(f"dropout must be at least 0 and less than 1, not {dropout}.")
    path = find_file(["mnist.npz"], "mnist.npz as of keras.datasets.mnist, or made from the published files", data_home)
    content = read_npz(path, ["x_train", "y_train"])
    images, labels = content["x_train"], content["y_train"]
    if images.shape != (_ROWS, 28, 28) or images.dtype != np.uint8 or labels.shape != (_ROWS,):
        raise WrongDataError(path, "x_train must be uint8 of shape (60000, 28, 28), and y_train of shape (60000,).")

    rng = np.random.default_rng(random_state)
    order = rng.permutation(_ROWS)
    kept = np.r_[:n_train, _ROWS - _TEST_ROWS : _ROWS]  # places in the order: training rows, then test rows
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
