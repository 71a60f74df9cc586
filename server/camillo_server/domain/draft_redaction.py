"""What a caller states, without its secrets: memories and artifacts, whole or some of their fields."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Protocol, TypeVar

from camillo_server.domain.field_redaction import FieldRedaction
from camillo_server.domain.memory import MemoryDraft
from camillo_server.domain.off_loop import TimeSlices
from camillo_server.domain.redaction import Redaction, Redactor


class _Dataclass(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Any]]


# What a caller states, whichever of the fields below it has.
Draft = TypeVar("Draft", bound=_Dataclass)

# The fields of a memory or an artifact that hold what a caller wrote.
TEXTS = ("content", "name", "description", "media_type", "tool", "command", "session_id")
LISTS, OBJECTS = ("tags", "source_refs"), ("metadata",)
# Looking for secrets in the fields of one draft of 2,000 characters.
DRAFT_MICROSECONDS = 40.0


def redacted_draft(draft: Draft, redactor: Redactor) -> tuple[Draft, Sequence[Redaction]]:
    """The draft without secrets, and what was taken out of it."""
    names = (*TEXTS, *LISTS, *OBJECTS)
    written = {name: getattr(draft, name) for name in names if hasattr(draft, name)}
    values, redactions = redacted_values(written, redactor)
    return (replace(draft, **values) if redactions else draft), redactions


async def redacted_drafts(
    drafts: Sequence[MemoryDraft], redactor: Redactor
) -> list[tuple[MemoryDraft, Sequence[Redaction]]]:
    """The same for many, in their order, in time slices."""
    redacted, slices = [], TimeSlices()
    for draft in drafts:
        redacted.append(redacted_draft(draft, redactor))
        await slices.spend(DRAFT_MICROSECONDS)
    return redacted


def redacted_values(
    values: Mapping[str, Any], redactor: Redactor
) -> tuple[dict[str, Any], Sequence[Redaction]]:
    """The same for values by the names of their fields, whichever of them there are."""
    field = FieldRedaction(redactor)
    cleaned = dict(values)
    for name in (name for name in TEXTS if name in values):
        cleaned[name] = field.text(name, values[name])
    for name in (name for name in LISTS if name in values):
        cleaned[name] = field.tags(name, values[name])
    for name in (name for name in OBJECTS if name in values):
        cleaned[name] = field.json(name, values[name])
    return cleaned, field.redactions
