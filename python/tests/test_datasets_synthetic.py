"""treecca.datasets: generators against their closed forms."""

import numpy as np
import pytest

from treecca import datasets


@pytest.mark.parametrize(
    ("make", "first", "last", "test"),
    [
        (
            datasets.make_signed_power,
            [0.6884145, -1.1808772, 0.9238597],
            [-0.37472403, -0.9450413, 0.7256319],
            [1.0342877, 1.0867795, 0.6652346],
        ),
        (
            datasets.make_hermite,
            [-0.89165634, -0.08615598, -0.42170575],
            [0.18970403, 2.0910456, -1.7732217],
            [-0.1948043, -0.27125394, -0.8589088],
        ),
        (
            datasets.make_four_view,
            [0.6884145, -1.1808772, 0.9238597],
            [0.3474423, 1.9296157, -2.0127766],
            [1.0342877, 1.0867795, 0.6652346],
        ),
        (
            datasets.make_sparse,
            [0.55201185, -1.0197961, 0.86628586],
            [-0.8463274, -0.90768284, -0.9916204],
            [-0.672273, -0.8160133, 0.6587942],
        ),
        (
            datasets.make_independent,
            [0.3047171, -1.0399841, 0.7504512],
            [-0.34442192, -1.6570879, 0.7780962],
            [-1.6582006, 0.891207, -0.05803201],
        ),
        (
            datasets.make_weak_signal,
            [0.3047171, -1.0399841, 0.7504512],
            [0.00877642, 0.00311063, -1.7230271],
            [-0.92338187, -1.2635885, 0.26791912],
        ),
    ],
)
def test_seed_42_gives_the_data_behind_the_published_results(make, first, last, test):
    data = make(random_state=42)
    assert all(v.dtype == np.float32 for v in data.views)
    np.testing.assert_allclose(data.views[0][0, :3], first, rtol=1e-5)
    np.testing.assert_allclose(data.views[-1][-1, :3], last, rtol=1e-5)
    np.testing.assert_allclose(data.test_views[0][0, :3], test, rtol=1e-5)


def test_shapes_of_the_paper():
    data = datasets.make_signed_power(random_state=0)
    assert [v.shape for v in (*data.views, *data.test_views)] == [(2400, 8)] * 2 + [(600, 8)] * 2
    assert data.feature_names[0] == ["z1", "z2", "z3", "noise1", "noise2", "noise3", "noise4", "noise5"]
    data = datasets.make_sparse(p=50, random_state=0)
    assert (data.name, data.k, data.limit) == ("sparse_50", 5, 5.0)
    assert [v.shape for v in (*data.views, *data.test_views)] == [(400, 50)] * 2 + [(100, 50)] * 2


def test_without_noise_one_view_is_a_function_of_the_other():
    def signals(make):
        data = make(1000, noise=0.0, random_state=1)
        assert data.limit == data.k
        return [v[:, : data.k].astype(float) for v in data.views]

    root, cube = signals(datasets.make_signed_power)
    np.testing.assert_allclose(cube, root**9, rtol=1e-5)
    h2, h3 = signals(datasets.make_hermite)
    np.testing.assert_allclose(h3**2, (h2 + 1) * (h2 - 2) ** 2, rtol=1e-3, atol=1e-4)
    root, h2 = signals(datasets.make_sparse)
    np.testing.assert_allclose(h2, root**4 - 1, rtol=1e-4, atol=1e-5)


def test_noise_is_added_in_the_units_of_the_transformed_latent():
    quiet = datasets.make_hermite(20_000, noise=0.0, random_state=5)
    noisy = datasets.make_hermite(20_000, noise=0.3, random_state=5)
    for clean, view in zip(quiet.views, noisy.views, strict=True):
        difference = view[:, :3] - clean[:, :3]
        np.testing.assert_allclose(difference.std(axis=0), 0.3, rtol=0.03)
        np.testing.assert_array_equal(view[:, 3:], clean[:, 3:])
    assert noisy.limit is None


def test_fewer_of_four_views_are_the_first_ones():
    four = datasets.make_four_view(100, random_state=7)
    two = datasets.make_four_view(100, n_views=2, random_state=7)
    assert two.view_names == four.view_names[:2]
    assert (four.limit, two.limit) == (None, 2.726)
    for a, b in zip(four.views, two.views, strict=False):
        np.testing.assert_array_equal(a, b)
    signed = datasets.make_signed_power(100, random_state=7)
    np.testing.assert_array_equal(signed.views[1], two.views[1])


def test_weak_signal_has_the_correlations_it_states():
    data = datasets.make_weak_signal(random_state=0)
    first, second = (v[:, :5].astype(float) for v in data.test_views)
    found = [np.corrcoef(first[:, j], np.cbrt(second[:, j]))[0, 1] for j in range(5)]
    np.testing.assert_allclose(found, [0.5, 0.25, 0.15, 0.07, 0.03], atol=0.025)
    assert data.limit == pytest.approx(1.0)
    independent = datasets.make_independent(random_state=0)
    cross = np.corrcoef(*(v.T for v in independent.test_views))[:20, 20:]
    assert np.abs(cross).max() < 0.04


def test_sign_interaction_keeps_the_class_in_the_magnitudes():
    data = datasets.make_sign_interaction(test_size=0, random_state=42)
    (x,) = data.views
    assert (x.shape, data.k, data.test_views) == ((4000, 60), 5, None)
    np.testing.assert_allclose(x.std(axis=0), 1, rtol=1e-5)
    pairs = [name.replace("z", "").replace("sgn(", "").rstrip(")").split("*") for name in data.feature_names[0]]
    assert all(a != b for a, b in pairs)
    assert [int(a) for a, _ in pairs] == [1, 2, 3, 4, 5, 6] * 10
    # Features of the same latent have its magnitude, up to their scale; those magnitudes tell the class.
    magnitudes = np.abs(x[:, :6])
    magnitudes = magnitudes / np.sqrt((magnitudes**2).mean(axis=0))
    for j in range(6, 60):
        other = np.abs(x[:, j]) / np.sqrt((x[:, j] ** 2).mean())
        np.testing.assert_allclose(other, magnitudes[:, j % 6], rtol=1e-4)
    np.testing.assert_array_equal(magnitudes.argmax(axis=1), data.labels)
    assert np.bincount(data.labels).min() > 500


def test_sign_interaction_reconstructs_orthogonal_latents():
    data = datasets.make_sign_interaction(2000, n_latents=2, n_features=2, test_size=0, random_state=0)
    a, b = data.views[0].T.astype(float)  # z1 sgn(z2) and z2 sgn(z1): their product is |z1| |z2|
    assert data.feature_names == [["z1*sgn(z2)", "z2*sgn(z1)"]]
    assert (a * b >= 0).all()
    assert np.corrcoef(a, b)[0, 1] == pytest.approx(2 / np.pi, abs=0.03)


@pytest.mark.parametrize(("test_size", "rows"), [(0, 0), (0.25, 25), (10, 10), (np.int64(10), 10)])
def test_the_last_rows_are_the_test_part(test_size, rows):
    whole = datasets.make_hermite(100, test_size=0, random_state=1)
    data = datasets.make_hermite(100, test_size=test_size, random_state=1)
    parts = data.views[0] if rows == 0 else np.vstack([data.views[0], data.test_views[0]])
    np.testing.assert_array_equal(parts, whole.views[0])
    assert (0 if data.test_views is None else len(data.test_views[0])) == rows


@pytest.mark.parametrize(
    ("make", "options", "words"),
    [
        (datasets.make_hermite, {"test_size": 1.0}, "test_size 1.0"),
        (datasets.make_hermite, {"test_size": -1}, "test_size -1"),
        (datasets.make_four_view, {"n_views": 5}, "n_views must be 2, 3 or 4"),
        (datasets.make_sparse, {"p": 3}, "p must be at least"),
        (datasets.make_weak_signal, {"n_features": (128, 4)}, "n_features must be at least 5"),
        (datasets.make_sign_interaction, {"n_latents": 1}, "n_latents must be at least 2"),
        (datasets.make_sign_interaction, {"n_samples": 3}, "n_samples must be at least"),
    ],
)
def test_generators_refuse_nonsense(make, options, words):
    with pytest.raises(ValueError, match=words):
        make(**options)


def test_generators_take_a_generator():
    rng = np.random.default_rng(3)
    first, second = datasets.make_hermite(50, random_state=rng), datasets.make_hermite(50, random_state=rng)
    np.testing.assert_array_equal(first.views[0], datasets.make_hermite(50, random_state=3).views[0])
    assert not np.array_equal(first.views[0], second.views[0])
