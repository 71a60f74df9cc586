"""How an importance fades."""

from datetime import UTC, datetime, timedelta

import pytest
from camillo_server.across.lifecycle.plan import decayed_importance

NOW = datetime(2030, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(("weeks", "expected"), [(0, 0.8), (1, 0.8 * 0.95), (2, 0.8 * 0.95**2), (52, 0.8 * 0.95**52)])
def test_a_twentieth_goes_with_every_week(weeks: int, expected: float) -> None:
    faded = decayed_importance(0.8, 0.95, NOW - timedelta(weeks=weeks), NOW)
    assert faded == pytest.approx(expected, rel=1e-12)


def test_parts_of_a_week_count() -> None:
    faded = decayed_importance(1.0, 0.95, NOW - timedelta(hours=84), NOW)
    assert faded == pytest.approx(0.95**0.5, rel=1e-12)


def test_a_use_in_the_future_makes_nothing_more_important() -> None:
    assert decayed_importance(0.5, 0.95, NOW + timedelta(weeks=9), NOW) == 0.5


def test_without_decay_nothing_fades() -> None:
    assert decayed_importance(0.5, 1.0, NOW - timedelta(weeks=9_000), NOW) == 0.5


@pytest.mark.parametrize("weekly_decay", [0.95, 0.5, 5e-324])
def test_what_nobody_used_for_two_thousand_years_is_still_a_number(weekly_decay: float) -> None:
    long_ago = datetime(1, 1, 1, tzinfo=UTC)
    faded = decayed_importance(1e-45, weekly_decay, long_ago, NOW)
    assert 0 < faded < 1e-100
    assert decayed_importance(0.0, weekly_decay, long_ago, NOW) == 0.0
