"""How long to wait before trying again."""

from __future__ import annotations

import random

FIRST_SECONDS = 0.1
MAX_SECONDS = 5.0
# What has no deadline waits no longer than this for a server that asks for it; its caller may.
MAX_ASKED_SECONDS = 60.0


def is_worth_waiting(asked_seconds: float | None) -> bool:
    """Whether the server asks for a pause that a stream can be held up for."""
    return asked_seconds is None or asked_seconds <= MAX_ASKED_SECONDS


def pause_seconds(failures: int, asked_seconds: float | None = None) -> float:
    """What the server asked for, else twice as long after each failure; spread so that clients do not return as one."""
    if asked_seconds is not None:
        return asked_seconds
    longest: float = min(MAX_SECONDS, FIRST_SECONDS * 2 ** (failures - 1))
    return longest * random.uniform(0.5, 1.0)  # noqa: S311 (spread, not secrecy)
