"""Collections that suites ask about: statements that an agent keeps, and questions whose answers are known.

No server is needed to make them: they can as well be embedded and ranked elsewhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from uuid import NAMESPACE_URL, UUID, uuid5

# Everything was said before this moment, whatever the clock of the server says.
EPOCH = datetime(2025, 6, 1, 9, tzinfo=UTC)
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
