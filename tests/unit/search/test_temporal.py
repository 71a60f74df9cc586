"""How well candidates fit a window of time."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from camillo_server.kernel.clock import microseconds
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.search.signals import temporal
from camillo_server.search.signals.temporal import TimeWindow, fit_of_moments, fit_of_texts, time_window

MAY = datetime(2024, 5, 1, tzinfo=UTC)
JUNE = datetime(2024, 6, 1, tzinfo=UTC)
IN_MAY = TimeWindow(MAY, JUNE, "May")


def moments(window: TimeWindow, *at: datetime) -> list[float]:
    fit: list[float] = fit_of_moments(window, np.array([microseconds(each) for each in at])).tolist()
    return fit


def texts(window: TimeWindow, *contents: str, said_at: datetime = JUNE) -> list[float]:
    at = np.full(len(contents), microseconds(said_at))
    fit: list[float] = fit_of_texts(window, contents, at, {}).tolist()
    return fit


def test_within_the_window_all_fit_alike() -> None:
    last = JUNE - timedelta(microseconds=1)
    assert moments(IN_MAY, MAY, MAY + timedelta(days=12), last) == [1, 1, 1]


def test_beside_the_window_the_fit_halves_with_each_quarter_of_its_length() -> None:
    scale = timedelta(days=31) / 4
    early, earlier, late = moments(IN_MAY, MAY - scale, MAY - 2 * scale, JUNE + scale)
    assert (early, earlier, late) == pytest.approx((0.5, 0.25, 0.5), abs=1e-6)


def test_a_short_window_has_edges_of_a_day_and_a_long_one_of_45() -> None:
    hour = TimeWindow(MAY, MAY + timedelta(hours=1), "an hour")
    assert moments(hour, MAY - timedelta(days=1)) == pytest.approx([0.5])
    years = TimeWindow(MAY - timedelta(days=2_000), MAY, "long")
    assert moments(years, MAY + timedelta(days=45)) == pytest.approx([0.5], abs=1e-6)


def test_a_window_without_an_end_has_one_edge() -> None:
    since = TimeWindow(MAY, None, "since May")
    far, before = moments(since, JUNE + timedelta(days=10_000), MAY - timedelta(days=3))
    assert (far, before) == pytest.approx((1, 0.5))
    until = TimeWindow(None, MAY, "until May")
    assert moments(until, datetime(1, 1, 1, tzinfo=UTC), MAY) == pytest.approx([1, 1], abs=1e-6)


def test_a_text_fits_by_the_share_of_the_time_that_it_names() -> None:
    day, month, year, other, none = texts(
        IN_MAY,
        "the feast was on May 3, 2024 🎉",
        "за май 2024 года",
        "in 2024 she moved",
        "on 2024-07-03",
        "she may march on",
    )
    assert (day, month, other, none) == (1, 1, 0, 0)
    assert year == pytest.approx(31 / 366)


def test_what_a_text_calls_yesterday_was_the_day_before_it_was_said() -> None:
    day = TimeWindow(MAY, MAY + timedelta(days=1), "1 May")
    contents = ("I sang yesterday", "昨天我唱歌了", "غنيت أمس", "I sang today")
    assert texts(day, *contents, said_at=MAY + timedelta(days=1, hours=9)) == [1, 1, 1, 0]


def test_the_best_of_several_times_in_a_text_counts() -> None:
    assert texts(IN_MAY, "begun on 2 January 2024, done on 2 May 2024, sold in 2025") == [1]


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    long = "word " * (temporal.MAX_TEXT_CHARACTERS // 5)
    assert texts(IN_MAY, f"on 2 May 2024 {long}", f"{long} on 2 May 2024") == [1, 0]


def test_texts_are_read_up_to_a_bound_of_all_together(monkeypatch: pytest.MonkeyPatch) -> None:
    contents = ["no time", "on 2 May 2024", "on 3 May 2024", "on 4 May 2024"]
    assert texts(IN_MAY, *contents) == [0, 1, 1, 1]
    monkeypatch.setattr(temporal, "MAX_CHARACTERS", 30)
    assert texts(IN_MAY, *contents) == [0, 1, 1, 0]


async def test_a_long_query_names_no_time() -> None:
    now = datetime(2024, 6, 12, tzinfo=UTC)
    assert await time_window("what was in May 2024?", now) == TimeWindow(MAY, JUNE, "May 2024")
    assert await time_window("what was in May 2024?" + " x" * 500, now) is None


def test_texts_that_are_known_fit_as_they_did_when_they_were_read(monkeypatch: pytest.MonkeyPatch) -> None:
    contents = ["no time 茶", "on 2 May 2024", "أمس", "in 2024", "on 4 May 2024", "on 5 May 2024"]
    at = np.full(len(contents), microseconds(MAY + timedelta(days=1)))
    monkeypatch.setattr(temporal, "MAX_CHARACTERS", 40)
    known: temporal.KnownTimes = {}
    unread_cost = temporal.texts_cost(contents, at, known)
    read = fit_of_texts(IN_MAY, contents, at, known).tolist()
    assert temporal.texts_cost(contents, at, known) < unread_cost
    # The last is beyond the bound, known or not.
    assert read == pytest.approx([0, 1, 1, 31 / 366, 1, 0])
    assert fit_of_texts(IN_MAY, contents, at, known).tolist() == read
    # The same text said at another time is another text, and so is what is asked of it.
    day = TimeWindow(MAY, MAY + timedelta(days=1), "1 May")
    assert fit_of_texts(day, contents[2:3], at[:1], known).tolist() == [1]
    later = at[:1] + microseconds(MAY) - microseconds(MAY - timedelta(days=9))
    assert fit_of_texts(day, contents[2:3], later, known).tolist() == [0]


def test_scopes_know_their_own_texts_and_the_latest_asked_for_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(temporal, "MAX_KNOWN_TEXTS", 3)
    monkeypatch.setattr(temporal, "MAX_KNOWN_SCOPES", 2)
    ana, ben, cleo = (Scope(TenantId("acme"), AgentId(name)) for name in ("ana", "ben", "cleo"))
    times = temporal.TimesOfScopes()
    times.of(ana)[1, 1] = None
    assert times.of(ben) == {}
    assert times.of(ana) == {(1, 1): None}
    times.of(cleo)
    assert times.of(ana) == {(1, 1): None}
    # Ben, who was not asked for the longest, has gone; and more than all may have together goes, too.
    times.of(ben).update({(2, number): () for number in range(3)})
    assert len(times.of(ben)) == 3
    assert times.of(ana) == {}
    times.of(ana).update({(3, number): None for number in range(9)})
    assert times.of(ana) == {}
