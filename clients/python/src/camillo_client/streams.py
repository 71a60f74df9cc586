"""Where a watch begins, and how long to wait before a broken stream is begun again."""

from __future__ import annotations

import random

from camillo.v1.consistency_pb2 import Revision

FIRST_SECONDS = 0.1
MAX_SECONDS = 5.0
# Longest pause asked for by a server that a call without a deadline accepts; its caller may wait longer.
MAX_ASKED_SECONDS = 60.0


def is_worth_waiting(asked_seconds: float | None) -> bool:
    """Whether the pause that the server asks for is short enough for a stream."""
    return asked_seconds is None or asked_seconds <= MAX_ASKED_SECONDS


def pause_seconds(failures: int, asked_seconds: float | None = None) -> float:
    """The seconds that the server asked for, else twice as many after each failure; spread, so that clients do not
    return all at once."""
    if asked_seconds is not None:
        return asked_seconds
    longest: float = min(MAX_SECONDS, FIRST_SECONDS * 2 ** (failures - 1))
    return longest * random.uniform(0.5, 1.0)  # noqa: S311 (spread, not secrecy)


def check_start(resume_token: str, after_revision: Revision | None, from_beginning: bool) -> None:
    """Raises ValueError unless exactly one start is given."""
    starts = bool(resume_token) + (after_revision is not None) + from_beginning
    if not starts:
        raise ValueError(
            "a watch has to be told where it begins: from_beginning=True for everything there is and then what changes,"
            " after_revision=... for what changes after an answer, resume_token=... to go on behind a change"
        )
    if starts > 1:
        raise ValueError("a watch begins at one place: give one of resume_token, after_revision and from_beginning")
