"""How long to wait before trying again."""

from __future__ import annotations

import random

FIRST_SECONDS = 0.1
MAX_SECONDS = 5.0


def pause_seconds(failures: int, asked_seconds: float | None = None) -> float:
    """What the server asked for, else twice as long after each failure; spread so that clients do not return as one."""
    if asked_seconds is not None:
        return asked_seconds
    longest: float = min(MAX_SECONDS, FIRST_SECONDS * 2 ** (failures - 1))
    return longest * random.uniform(0.5, 1.0)  # noqa: S311 (spread, not secrecy)
