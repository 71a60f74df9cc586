"""Fields that requests for events, decisions, tasks and bundles have in common."""

import re
from collections.abc import Sequence
from enum import IntEnum
from typing import TypeVar
from uuid import UUID

from camillo_server.domain.memory import Sensitivity
from camillo_server.rpc import convert, limits
from camillo_server.rpc.validate import Checks

Known = TypeVar("Known", bound=IntEnum)

SHORT_NAME = re.compile(r"[a-z0-9_-]{1,64}")
SHORT_NAME_RULE = "1 to 64 of a-z, 0-9, '_' and '-'"


def short_name(value: str, checks: Checks, field: str) -> str:
    """The name of a view or a recipe."""
    if not SHORT_NAME.fullmatch(value):
        checks.fail(field, f"must be {SHORT_NAME_RULE}")
    return value


def refs(values: Sequence[str], checks: Checks, field: str) -> tuple[str, ...]:
    """Ids of anything, without repeats. Whether they name something is for the use case to say."""
    return tuple(checks.texts(field, values, limits.REFS, limits.REF_CHARACTERS))


def ref(value: str, checks: Checks, field: str) -> str:
    """One such id, or none."""
    return checks.text(field, value, 0, limits.REF_CHARACTERS)


def statements(values: Sequence[str], checks: Checks, field: str) -> tuple[str, ...]:
    """Short texts as they were sent, repeats and all."""
    if len(values) > limits.STATEMENTS:
        checks.fail(field, f"must have at most {limits.STATEMENTS} values, has {len(values)}")
        return ()
    return tuple(
        checks.text(f"{field}[{i}]", value, 1, limits.STATEMENT_CHARACTERS)
        for i, value in enumerate(values)
    )


def statement(value: str, checks: Checks, field: str, least: int = 0) -> str:
    """One such text; without `least`, or none."""
    return checks.text(field, value, least, limits.STATEMENT_CHARACTERS)


def session_id(value: str, checks: Checks, field: str) -> str:
    """A conversation that has to be named."""
    return checks.text(field, value, 1, limits.SESSION_ID_CHARACTERS)


def large_text(value: str, checks: Checks, field: str, byte_bounds: tuple[int, int]) -> str:
    """A text whose bytes are bounded; what is larger is an artifact's."""
    least, most = byte_bounds
    size = len(value.encode())
    if size > most:
        checks.fail(
            field,
            f"must have at most {most} bytes, has {size}; store what is larger by "
            "ArtifactService.PutArtifact",
        )
    elif size < least:
        checks.fail(field, f"must have at least {least} byte")
    elif "\0" in value:
        checks.fail(field, "must not contain NUL")
    return value


def uuids(values: Sequence[str], checks: Checks, field: str, bounds: tuple[int, int]) -> list[UUID]:
    """Ids without repeats, in the order given, as many as the bounds allow."""
    least, most = bounds
    if not least <= len(values) <= most:
        checks.fail(field, f"must have {least} to {most} values, has {len(values)}")
        return []
    found = [checks.uuid(f"{field}[{i}]", value) for i, value in enumerate(values)]
    return list(dict.fromkeys(found))


def levels_up_to(value: int, checks: Checks, field: str) -> tuple[Sensitivity, ...]:
    """The levels that are at most this one; unspecified is any."""
    checks.known(field, value, convert.SENSITIVITIES)
    return tuple(level for level in Sensitivity if not value or level <= value)


def expected_version(value: int, checks: Checks) -> int:
    """The version that the caller has seen of what it changes."""
    if value < 1:
        checks.fail("expected_version", "must be 1 or more: the version that you have read")
    return value


def tags(values: Sequence[str], checks: Checks, field: str) -> tuple[str, ...]:
    return tuple(convert.tags(values, checks, field))


def values_known(
    values: Sequence[int], checks: Checks, field: str, known: type[Known]
) -> tuple[Known, ...]:
    """Members of an enumeration without repeats; the unspecified one is passed over."""
    if checks.are_too_many(field, values, limits.ENUM_VALUES):
        return ()
    numbers: frozenset[int] = frozenset(known)
    for value in values:
        checks.known(field, value, numbers | {0})
    return tuple(known(value) for value in dict.fromkeys(values) if value in numbers)


def value_known(value: int, checks: Checks, field: str, default: Known) -> Known:
    """A member of the default's enumeration; the unspecified one is the default."""
    found = values_known([value], checks, field, type(default))
    return found[0] if found else default
