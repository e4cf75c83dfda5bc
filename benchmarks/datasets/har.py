"""UCI HAR: accelerometer and gyroscope of a smartphone, recorded at the same time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from treecca.datasets import MultiviewDataset

from .files import Array, WrongDataError, find_file, read_npz

_STATISTICS = ("mean", "std", "min", "max", "q25", "q75", "rms", "iqr", "range")
_ACTIVITIES = ("WALKING", "WALKING_UPSTAIRS", "WALKING_DOWNSTAIRS", "SITTING", "STANDING", "LAYING")


def load_uci_har() -> MultiviewDataset:
    """Return windows of 2.56 s from a smartphone on the waist of 30 subjects, six activities.

    Each sensor has 36 features: nine statistics (mean, std, min, max, q25, q75, rms, iqr, range) of each axis, then the
    Euclidean norm over the axes of each statistic: "acc_x_mean", ..., "gyr_mag_range". The test part is the published
    one. `groups` are the subjects: windows overlap and subjects repeat, so folds by row would leak.
    """
    path, content = _read()
    rows = len(content["y"])
    for key in ("acc", "gyro"):
        if content[key].shape != (rows, 128, 3):
            raise WrongDataError(path, f"{key} must have the shape ({rows}, 128, 3), not {content[key].shape}.")
    if not np.issubdtype(content["y"].dtype, np.integer):
        raise WrongDataError(path, "y must hold class numbers.")
    if any(content[key].shape != (rows,) for key in ("subject", "train")) or content["train"].dtype != bool:
        raise WrongDataError(path, f"subject and train (true or false) must have {rows} elements like y.")

    train = content["train"]
    views = [_features(content[sensor]) for sensor in ("acc", "gyro")]
    return MultiviewDataset(
        "uci_har",
        [v[train] for v in views],
        ["acc", "gyro"],
        k=6,
        test_views=[v[~train] for v in views],
        feature_names=[
            [f"{sensor}_{axis}_{statistic}" for axis in ("x", "y", "z", "mag") for statistic in _STATISTICS]
            for sensor in ("acc", "gyr")
        ],
        labels=content["y"][train],
        test_labels=content["y"][~train],
        class_names=list(_ACTIVITIES),
        groups=content["subject"][train],
        description="Accelerometer and gyroscope of a phone, six activities (Anguita et al. 2013, UCI data set 240).",
    )


def har_subjects() -> Array:
    """Return the subject of every sample: those of the training part, then those of the test part."""
    content = _read()[1]
    return np.concatenate([content["subject"][content["train"]], content["subject"][~content["train"]]])


def _read() -> tuple[Path, dict[str, Array]]:
    source = "Human Activity Recognition Using Smartphones, UCI data set 240, unpacked"
    path = find_file(["uci_har_raw.npz", "UCI HAR Dataset"], source)
    return path, _read_published(path) if path.is_dir() else read_npz(path, ["acc", "gyro", "y", "subject", "train"])


def _features(windows: Array) -> Array:
    """Return the 36 features of windows (N, time, 3)."""
    low, high = windows.min(axis=1), windows.max(axis=1)
    q25, q75 = np.quantile(windows, [0.25, 0.75], axis=1)
    rms = np.sqrt((windows.astype(np.float64) ** 2).mean(axis=1))
    statistics = np.stack(
        [windows.mean(axis=1), windows.std(axis=1), low, high, q25, q75, rms, q75 - q25, high - low], axis=2
    )  # N x axes x statistics
    magnitudes = np.linalg.norm(statistics, axis=1)
    return np.hstack([statistics.reshape(len(windows), -1), magnitudes]).astype(np.float32)


def _read_published(folder: Path) -> dict[str, Array]:
    """Read the published folder: one text file per part, sensor and axis."""
    parts = []
    for part in ("train", "test"):
        content = {}
        for sensor, signal in (("acc", "total_acc"), ("gyro", "body_gyro")):
            files = [folder / part / "Inertial Signals" / f"{signal}_{axis}_{part}.txt" for axis in "xyz"]
            axes = [_read_numbers(file, np.float32) for file in files]
            for file, values in zip(files, axes, strict=True):
                if values.shape != (len(axes[0]), 128):
                    raise WrongDataError(file, f"it must have {len(axes[0])} lines of 128 numbers.")
            content[sensor] = np.stack(axes, axis=2)
        content["y"] = _read_numbers(folder / part / f"y_{part}.txt", np.int64)[:, 0] - 1
        content["subject"] = _read_numbers(folder / part / f"subject_{part}.txt", np.int64)[:, 0]
        content["train"] = np.full(len(content["y"]), part == "train")
        parts.append(content)
    return {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}


def _read_numbers(path: Path, dtype: Any) -> Array:
    try:
        return np.loadtxt(path, dtype=dtype, ndmin=2)
    except FileNotFoundError as error:
        raise WrongDataError(path, "missing from the published folder.") from error
    except ValueError as error:
        raise WrongDataError(path, f"not a table of numbers ({error}).") from error
