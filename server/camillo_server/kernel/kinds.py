"""Sources: what a recall may search in, and the kinds that each of them has.

A row's kind is one number below KIND_NUMBERS: 16 x (source - 1) + its kind within the source. So a memory's is that of
MemoryKind, and every other row is a chunk.
"""

import enum
from collections.abc import Mapping

KINDS_OF_A_SOURCE = 16
KIND_NUMBERS = 128
Scalar = str | float | bool | None


class Source(enum.IntEnum):
    """A source that a recall may search in. The numbers are those of the contract."""

    MEMORY = 1
    EVENT = 2
    DOCUMENT = 3
    SLOT = 4
    DECISION = 5
    AUDIT = 6
    WORKFLOW_STEP = 7
    ARTIFACT = 8


class ChunkKind(enum.IntEnum):
    """The source of a chunk; the number of an event's chunk is 16 + the event's kind."""

    EVENT_MESSAGE = 17
    EVENT_TOOL_CALL = 18
    EVENT_TOOL_RESULT = 19
    EVENT_DECISION = 20
    EVENT_TASK_UPDATE = 21
    EVENT_ARTIFACT = 23
    # A part of a document.
    PASSAGE = 33
    SLOT = 49
    # A preference or a decision.
    PRIVATE_SLOT = 50
    DECISION = 65
    ACTION = 81
    WORKFLOW_STEP = 97
    ARTIFACT_SUMMARY = 113


def source_of(kind: int) -> Source:
    """The source that a row's kind belongs to."""
    return Source(1 + kind // KINDS_OF_A_SOURCE)


def is_chunk(kind: int) -> bool:
    """Whether a row of this kind is a chunk, and no memory."""
    return kind >= KINDS_OF_A_SOURCE


class MemoryKind(enum.IntEnum):
    """The subject of a memory. The numbers are those of the contract."""

    FACT = 1
    PREFERENCE = 2
    CONVERSATION = 3
    TASK_OUTCOME = 4
    DECISION = 5
    ERROR = 6
    INSTRUCTION = 7
    SUMMARY = 8


Kind = MemoryKind | ChunkKind
KIND_OF_NUMBER: Mapping[int, Kind] = {int(kind): kind for kind in (*MemoryKind, *ChunkKind)}


class Sensitivity(enum.IntEnum):
    """The level that decides who may be shown a text; a higher one allows fewer."""

    PUBLIC = 1
    INTERNAL = 2
    CONFIDENTIAL = 3
    RESTRICTED = 4


class EventKind(enum.IntEnum):
    """The kind of an event. The numbers are those of the contract."""

    MESSAGE = 1
    TOOL_CALL = 2
    TOOL_RESULT = 3
    DECISION = 4
    TASK_UPDATE = 5
    WORKFLOW_STEP = 6
    ARTIFACT = 7


class ActorType(enum.IntEnum):
    """The kind of an actor. The numbers are those of the contract."""

    HUMAN = 1
    AGENT = 2
    TOOL = 3
    SYSTEM = 4


# The maximum length of a chunk's text, in characters.
MAX_CHUNK_CHARACTERS = 2_000
