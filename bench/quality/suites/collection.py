"""Collections that suites ask about: statements that an agent keeps, and questions whose answers are known.

No server is needed to make them: they can as well be embedded and ranked elsewhere.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from uuid import NAMESPACE_URL, UUID, uuid5

# Everything was said before this moment, whatever the clock of the server says.
EPOCH = datetime(2025, 6, 1, 9, tzinfo=UTC)
MIN_SESSION, MAX_SESSION = 8, 12
SESSION_APART, MESSAGE_APART = timedelta(hours=19), timedelta(minutes=3)
SAID = "CONVERSATION"
NO_KEYS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Statement:
    """One memory to be stored; `key` is unique in its collection, `kind` a name of MemoryKind without its prefix."""

    key: str
    text: str
    occurred_at: datetime = EPOCH
    kind: str = "FACT"
    session_id: str = ""
    supersedes: tuple[str, ...] = ()
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SuiteQuestion:
    """A question, the keys that answer it, and those that must not be returned; `as_of` and `asked_at` are sent along
    (as `as_of` and `query_time`)."""

    text: str
    category: str
    right: frozenset[str] = NO_KEYS
    wrong: frozenset[str] = NO_KEYS
    as_of: datetime | None = None
    asked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Collection:
    """Statements that one agent keeps, those that another keeps (no question may find them), and the questions."""

    name: str
    statements: tuple[Statement, ...]
    questions: tuple[SuiteQuestion, ...]
    elsewhere: tuple[Statement, ...] = ()

    def memory_id(self, key: str) -> UUID:
        """An id that is the same in every run."""
        return uuid5(NAMESPACE_URL, f"{self.name}/{key}")


def an_hour_apart(statements: Sequence[Statement], first: datetime = EPOCH) -> list[Statement]:
    """The statements in this order, one after the other; those that tell when they were said keep that."""
    return [
        replace(each, occurred_at=first + timedelta(hours=place)) if each.occurred_at == EPOCH else each
        for place, each in enumerate(statements)
    ]


def in_sessions(sessions: Sequence[Sequence[Statement]]) -> tuple[Statement, ...]:
    """The statements as messages of these sessions, one session after the other."""
    return tuple(
        Statement(
            each.key,
            each.text,
            occurred_at=EPOCH + number * SESSION_APART + place * MESSAGE_APART,
            kind=SAID,
            session_id=f"session-{number}",
        )
        for number, session in enumerate(sessions)
        for place, each in enumerate(session)
    )


def session_lengths(count: int, dice: random.Random) -> list[int]:
    """Lengths of sessions of 8 to 12 messages that together hold so many; others only where there are too few."""
    sessions = max(1, round(2 * count / (MIN_SESSION + MAX_SESSION)))
    each, more = divmod(count, sessions)
    lengths = [each + (place < more) for place in range(sessions)]
    for place in range(0, sessions - 1, 2):
        room = min(lengths[place] - MIN_SESSION, MAX_SESSION - lengths[place + 1])
        moved = dice.randint(0, max(0, room))
        lengths[place] -= moved
        lengths[place + 1] += moved
    return lengths
