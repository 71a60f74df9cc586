"""The crowd's least of HTTP/2, its bound, and how many connections fit."""

import pytest

from bench.drills.crowd import LONG, bound_mb, that_fits
from bench.drills.crowd_members import Size
from bench.drills.http2 import ACK, GREETING, PING, PREFACE, SETTINGS, Answers, frame

WINDOW_UPDATE = 8
OPAQUE = bytes(range(8))


def test_a_frame_has_its_length_kind_flags_and_stream_0() -> None:
    assert frame(PING, ACK, OPAQUE) == bytes((0, 0, 8, 6, 1, 0, 0, 0, 0)) + OPAQUE
    assert GREETING.removeprefix(PREFACE) == bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))


@pytest.mark.parametrize("size", [1, 5, 9, 1_000])
def test_settings_and_pings_are_acknowledged_in_whatever_pieces_they_come(size: int) -> None:
    answers = Answers()
    sent = frame(SETTINGS, 0, bytes(12)) + frame(WINDOW_UPDATE, 0, bytes(4)) + frame(PING, 0, OPAQUE)
    pieces = [sent[start : start + size] for start in range(0, len(sent), size)]
    answered = b"".join(answers.to(piece) for piece in pieces)
    assert answered == frame(SETTINGS, ACK) + frame(PING, ACK, OPAQUE)


def test_an_acknowledgement_is_not_answered() -> None:
    answers = Answers()
    assert answers.to(frame(SETTINGS, ACK) + frame(PING, ACK, OPAQUE)) == b""
    # But what comes behind them is.
    assert answers.to(frame(PING, 0, OPAQUE)) == frame(PING, ACK, OPAQUE)


def test_fewer_connections_come_where_fewer_files_may_be_open() -> None:
    assert that_fits(LONG, 20_000) == LONG
    fewer = that_fits(LONG, 4_096)
    assert 0 < fewer.connections < 4_096 - LONG.watches - LONG.readers
    assert (fewer.watches, fewer.readers) == (LONG.watches, LONG.readers)


def test_the_bound_grows_with_each_kind() -> None:
    none = bound_mb(Size(0, 0, 0))
    assert all(bound_mb(one) > none for one in (Size(1, 0, 0), Size(0, 1, 0), Size(0, 0, 1)))
