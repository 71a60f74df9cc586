"""A line through samples, and what is flat."""

import pytest

from bench.drills.slopes import Flat, settled, slope


def test_a_line_has_its_own_slope() -> None:
    moments = [3.0, 4.0, 7.0, 20.0]
    assert slope(moments, [5 - 2 * moment for moment in moments]) == pytest.approx(-2)
    assert slope(moments, [7.0] * 4) == 0


def test_the_least_squares_of_three_points() -> None:
    assert slope([0, 1, 2], [0, 3, 3]) == pytest.approx(1.5)


def test_one_moment_has_no_slope() -> None:
    for moments in ([], [1.0], [1.0, 1.0]):
        with pytest.raises(ValueError, match="no slope"):
            slope(moments, moments)


def test_the_first_third_is_the_warm_up() -> None:
    assert settled([10, 11, 12, 13, 14, 15, 16]) == 2


def test_noise_counts_for_less_the_longer_it_is_seen() -> None:
    flat = Flat(per_hour=2, noise=1)
    assert flat.bound(3600) == 3
    assert flat.bound(36) == 102
    assert flat.bound(360_000) < 2.1
