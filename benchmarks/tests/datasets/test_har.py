"""UCI HAR: features, the published folder, wrong contents."""

import numpy as np
import pytest

from benchmarks.datasets import WrongDataError
from benchmarks.datasets.har import load_uci_har


def har_windows(rows, seed):
    rng = np.random.default_rng(seed)
    return {key: rng.normal(size=(rows, 128, 3)).astype(np.float32) for key in ("acc", "gyro")}


def write_published_har(folder):
    windows, y, subject = har_windows(8, seed=1), np.array([1, 2, 3, 4, 5, 6, 1, 2]), np.arange(8) // 2 + 1
    for part, rows in (("train", slice(0, 5)), ("test", slice(5, 8))):
        signals = folder / "UCI HAR Dataset" / part / "Inertial Signals"
        signals.mkdir(parents=True)
        for key, signal in (("acc", "total_acc"), ("gyro", "body_gyro")):
            for i, axis in enumerate("xyz"):
                np.savetxt(signals / f"{signal}_{axis}_{part}.txt", windows[key][rows, :, i], fmt="%.9e")
        np.savetxt(signals.parent / f"y_{part}.txt", y[rows], fmt="%d")
        np.savetxt(signals.parent / f"subject_{part}.txt", subject[rows], fmt="%d")
    return windows, y, subject


def test_features_are_those_of_the_paper(data_folder):
    windows = har_windows(4, seed=0)
    train = np.array([True, True, False, True])
    np.savez(data_folder / "uci_har_raw.npz", **windows, y=np.arange(4), subject=np.array([7, 7, 8, 9]), train=train)
    data = load_uci_har()
    assert (data.view_names, data.k) == (["acc", "gyro"], 6)
    np.testing.assert_array_equal(data.groups, [7, 7, 9])
    np.testing.assert_array_equal(data.test_labels, [2])
    statistics = {
        "mean": np.mean,
        "std": np.std,
        "min": np.min,
        "max": np.max,
        "q25": lambda w: np.quantile(w, 0.25),
        "q75": lambda w: np.quantile(w, 0.75),
        "rms": lambda w: np.sqrt(np.mean(w**2)),
        "iqr": lambda w: np.quantile(w, 0.75) - np.quantile(w, 0.25),
        "range": np.ptp,
    }
    for view, key, prefix, names in zip(data.views, ("acc", "gyro"), ("acc", "gyr"), data.feature_names, strict=True):
        assert view.shape == (3, 36)
        for statistic, compute in statistics.items():
            by_axis = [compute(windows[key][3, :, axis].astype(float)) for axis in range(3)]
            for axis, value in zip("xyz", by_axis, strict=True):
                found = view[2, names.index(f"{prefix}_{axis}_{statistic}")]
                assert found == pytest.approx(value, rel=1e-4, abs=1e-5)
            norm = view[2, names.index(f"{prefix}_mag_{statistic}")]
            assert norm == pytest.approx(np.linalg.norm(by_axis), rel=1e-4, abs=1e-5)


def test_the_published_folder_is_read(data_folder, monkeypatch):
    windows, y, subject = write_published_har(data_folder)
    published = load_uci_har()
    packed = data_folder / "packed"
    packed.mkdir()
    np.savez(packed / "uci_har_raw.npz", **windows, y=y - 1, subject=subject, train=np.arange(8) < 5)
    monkeypatch.setenv("TREECCA_DATA", str(packed))
    expected = load_uci_har()
    for part in ("views", "test_views"):
        for found, view in zip(getattr(published, part), getattr(expected, part), strict=True):
            np.testing.assert_allclose(found, view, rtol=1e-5, atol=1e-6)
    for part in ("labels", "test_labels", "groups"):
        np.testing.assert_array_equal(getattr(published, part), getattr(expected, part))


@pytest.mark.parametrize("content", [None, "1 2\nx y\n", "1 2 3\n"])
def test_a_bad_file_of_the_published_folder_is_named(content, data_folder):
    write_published_har(data_folder)
    bad = data_folder / "UCI HAR Dataset" / "test" / "Inertial Signals" / "body_gyro_y_test.txt"
    bad.unlink() if content is None else bad.write_text(content)
    with pytest.raises(WrongDataError, match=r"body_gyro_y_test\.txt: "):
        load_uci_har()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"acc": np.zeros((4, 128))}, "acc must have the shape"),
        ({"train": np.ones(4)}, "true or false"),
        ({"subject": np.ones(3)}, "4 elements"),
        ({"y": np.ones(4)}, "class numbers"),
    ],
)
def test_wrong_contents_are_refused(changes, words, data_folder):
    content = har_windows(4, seed=0) | {"y": np.arange(4), "subject": np.ones(4), "train": np.ones(4, dtype=bool)}
    np.savez(data_folder / "uci_har_raw.npz", **content | changes)
    with pytest.raises(WrongDataError, match=words):
        load_uci_har()


def test_the_real_data_have_21_training_subjects_and_gravity(real_data):
    data = load_uci_har()
    assert len(np.unique(data.groups)) == 21
    # The phone of a standing subject measures 1 g.
    standing = data.views[0][data.labels == data.class_names.index("STANDING")]
    assert standing[:, data.feature_names[0].index("acc_mag_mean")].mean() == pytest.approx(1.0, abs=0.05)
