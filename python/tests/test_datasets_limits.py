"""treecca.datasets: population limits against known ones."""

import numpy as np
import pytest

from treecca import datasets


@pytest.mark.parametrize(
    ("make", "pair", "limit"),
    [
        (datasets.make_signed_power, ("cube_root", "cube"), 2.726),
        (datasets.make_hermite, ("h2", "h3"), 2.987),
    ],
)
def test_stated_limits_are_the_computed_ones(make, pair, limit):
    assert make(50).limit == limit
    assert datasets.population_limit(*pair) == pytest.approx(limit, abs=5e-4)
    assert make(50, n_components=6).limit == pytest.approx(2 * limit, abs=1.5e-3)


def test_a_gaussian_pair_has_the_powers_of_its_correlation():
    def found(n_intervals):
        options = {"noise": 0.5, "noise_kind": "scaled", "n_intervals": n_intervals}
        return datasets.latent_correlations(lambda z: z, lambda z: 2 * z, **options)[:3]

    rho = 1 / (1 + 0.5**2)
    exact = np.array([rho, rho**2, rho**3])
    coarse, fine = found(50), found(400)
    assert fine[0] == pytest.approx(rho, abs=1e-3)
    # Functions of intervals are fewer than all functions: from below, and closer with finer intervals.
    assert (coarse < fine).all()
    assert (fine < exact + 1e-6).all()
    np.testing.assert_allclose(fine, exact, atol=0.02)


def test_noise_on_the_latent_does_not_see_bijections():
    options = {"noise": 0.5, "noise_kind": "latent", "n_intervals": 100}
    plain = datasets.latent_correlations(lambda z: z, lambda z: z, **options)
    transformed = datasets.latent_correlations("cube_root", "cube", **options)
    assert transformed[0] == pytest.approx(plain[0], abs=1e-6)
    assert transformed[0] == pytest.approx(1 / (1 + 0.5**2), abs=5e-3)


def test_less_noise_raises_the_limit():
    limits = [datasets.population_limit("cube_root", "cube", noise=s, n_intervals=100) for s in (0.5, 0.15, 0.05)]
    assert limits == sorted(limits)
    assert limits[-1] < 3


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"noise": 0.0}, "noise must be positive"),
        ({"n_intervals": 1}, "n_intervals"),
        ({"noise_kind": "none"}, "noise_kind"),
        ({"first": "nonsense"}, "Unknown transform 'nonsense'"),
    ],
)
def test_limits_refuse_nonsense(options, words):
    with pytest.raises(ValueError, match=words):
        datasets.latent_correlations(**{"first": "h2", "second": "h3", **options})
