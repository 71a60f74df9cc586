"""The capacity model's parts."""

import numpy as np
import pytest

from bench.scale.model import Check, calls_per_second, fit_and_check, fit_line, hit_share, zipf_shares


def test_points_on_a_line_give_the_line() -> None:
    rows = [1_000, 10_000, 100_000]
    line = fit_line(rows, [0.5 + 0.0001 * each for each in rows])
    assert line.fixed == pytest.approx(0.5)
    assert line.per_row == pytest.approx(0.0001)
    assert line.at(50_000) == pytest.approx(5.5)


def test_a_line_has_no_negative_part() -> None:
    falling = fit_line([1, 2, 3], [3.0, 2.0, 1.0])
    assert falling.per_row == 0
    assert falling.fixed > 0
    steep = fit_line([1, 2, 3], [0.1, 2.0, 6.0])
    assert steep.fixed == 0
    assert steep.per_row > 0


def test_small_scopes_count_as_much_as_large_ones() -> None:
    # By absolute errors the largest would decide alone.
    line = fit_line([1, 1_000, 1_000_000], [1.0, 1.0, 3.0])
    assert line.at(1) == pytest.approx(1.0, rel=0.1)


def test_every_other_point_is_kept_back_from_the_fit() -> None:
    line, checks = fit_and_check("cost", [1, 2, 3], [1.0, 10.0, 3.0])
    assert line.at(2) == pytest.approx(2.0)
    assert [check.is_fitted for check in checks] == [True, False, True]
    assert checks[1].error == pytest.approx(-0.8)


def test_an_error_is_a_share_of_what_was_measured() -> None:
    assert Check("rate", 150, 100).error == pytest.approx(0.5)


def test_a_budget_for_everything_always_hits_and_none_never_does() -> None:
    shares = zipf_shares(100, 1.0)
    assert hit_share(shares, 100) == 1
    assert hit_share(shares, 0) == 0


def test_where_all_are_asked_for_alike_the_budget_is_the_hit_share() -> None:
    assert hit_share(zipf_shares(1_000, 0.0), 250) == pytest.approx(0.25, abs=0.001)


@pytest.mark.parametrize(("exponent", "resident"), [(0.8, 50), (0.8, 300), (1.2, 50)])
def test_the_approximation_agrees_with_a_cache_played_through(exponent: float, resident: int) -> None:
    shares = zipf_shares(1_000, exponent)
    asked = np.random.default_rng(1).choice(1_000, 60_000, p=shares).tolist()
    held: dict[int, None] = {}
    hits = 0
    for place, scope in enumerate(asked):
        hits += scope in held and place >= 20_000
        held.pop(scope, None)
        held[scope] = None
        if len(held) > resident:
            del held[next(iter(held))]
    assert hit_share(shares, resident) == pytest.approx(hits / 40_000, abs=0.015)


def test_the_scarcest_of_three_limits_the_rate() -> None:
    def rate(workers: int, cores: float, clients: int) -> float:
        return calls_per_second(workers, cores, server_seconds=0.001, client_seconds=0.0005, clients=clients)

    assert rate(1, 16, 8) == pytest.approx(1_000)
    assert rate(8, 16, 1) == pytest.approx(2_000)
    assert rate(8, 2, 8) == pytest.approx(2 / 0.0015)
