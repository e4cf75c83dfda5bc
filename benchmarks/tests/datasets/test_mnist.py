"""Split MNIST: halves, noise and sizes."""

import numpy as np
import pytest

from benchmarks.datasets import WrongDataError
from benchmarks.datasets.mnist import load_split_mnist


def test_halves_noise_and_split(real_data):
    data = load_split_mnist(n_train=2000)
    assert [v.shape for v in (*data.views, *data.test_views)] == [(2000, 392)] * 2 + [(6000, 392)] * 2
    clean = load_split_mnist(n_train=2000, dropout=0.0)
    for noisy, view in zip(data.views, clean.views, strict=True):
        lit = view > 0
        assert (noisy[lit] == 0).mean() == pytest.approx(0.1, abs=0.005)
        np.testing.assert_array_equal(noisy[noisy > 0], view[noisy > 0])
    # The numbers of dropped pixels in the two views of a digit are uncorrelated.
    dropped = [
        ((v == 0) & (c > 0)).sum(axis=1) / (c > 0).sum(axis=1).clip(1)
        for v, c in zip(data.views, clean.views, strict=True)
    ]
    assert abs(np.corrcoef(*dropped)[0, 1]) < 0.08
    # The halves belong to the same image: pixels on both sides of the cut are similar.
    left, right = (v.reshape(-1, 28, 14) for v in clean.views)
    assert np.corrcoef(left[:, :, 13].ravel(), right[:, :, 0].ravel())[0, 1] > 0.8
    assert data.feature_names[1][:2] == ["r0c14", "r0c15"]
    fewer = load_split_mnist(n_train=500)
    np.testing.assert_array_equal(fewer.views[1], data.views[1][:500])
    np.testing.assert_array_equal(fewer.test_views[0], data.test_views[0])
    other = load_split_mnist(n_train=500, random_state=1)
    assert not np.array_equal(other.test_labels, data.test_labels)


@pytest.mark.parametrize(("options", "words"), [({"n_train": 0}, "n_train"), ({"dropout": 1.0}, "dropout")])
def test_invalid_options_are_refused(options, words):
    with pytest.raises(ValueError, match=words):
        load_split_mnist(**options)


def test_another_file_of_that_name_is_refused(data_folder):
    np.savez(data_folder / "mnist.npz", x_train=np.zeros((5, 28, 28), np.uint8), y_train=np.zeros(5, int))
    with pytest.raises(WrongDataError, match=r"mnist\.npz: x_train must be uint8 of shape"):
        load_split_mnist()
