"""Kinds and their sources, and which of them a filter lets through."""

from typing import Any

from camillo_server.kernel.kinds import (
    KIND_NUMBERS,
    KIND_OF_NUMBER,
    ChunkKind,
    EventKind,
    MemoryKind,
    Sensitivity,
    Source,
    is_chunk,
    source_of,
)
from camillo_server.rows.row_filter import NO_FILTER, MemoryFilter, passing_kinds

from tests.cases import each_case

EVENTS = {kind for kind in ChunkKind if source_of(kind) is Source.EVENT}


def test_memories_are_of_one_source_and_chunks_of_others() -> None:
    assert {source_of(kind) for kind in MemoryKind} == {Source.MEMORY}
    assert not any(map(is_chunk, MemoryKind))
    assert Source.MEMORY not in {source_of(kind) for kind in ChunkKind}
    assert all(map(is_chunk, ChunkKind))
    assert source_of(ChunkKind.DECISION) is Source.DECISION
    assert source_of(ChunkKind.WORKFLOW_STEP) is Source.WORKFLOW_STEP


def test_numbers_of_kinds_differ_and_lie_below_their_bound() -> None:
    assert len(KIND_OF_NUMBER) == len(MemoryKind) + len(ChunkKind)
    assert max(KIND_OF_NUMBER) < KIND_NUMBERS
    assert all(kind == number for number, kind in KIND_OF_NUMBER.items())


def test_the_kind_of_an_event_stands_in_that_of_its_chunk() -> None:
    assert EVENTS
    for kind in EVENTS:
        assert kind.name == f"EVENT_{EventKind(kind % 16).name}"


@each_case(
    ("conditions", "passing"),
    [
        ({}, set(MemoryKind)),
        ({"kinds": [MemoryKind.FACT]}, {MemoryKind.FACT}),
        ({"hidden_kinds": [MemoryKind.FACT]}, set(MemoryKind) - {MemoryKind.FACT}),
        ({"kinds": [MemoryKind.FACT], "hidden_kinds": [MemoryKind.FACT]}, set()),
        ({"sources": [Source.EVENT]}, EVENTS),
        ({"sources": [Source.EVENT], "hidden_kinds": [ChunkKind.EVENT_DECISION]}, EVENTS - {ChunkKind.EVENT_DECISION}),
        ({"sources": [Source.EVENT], "kinds": [MemoryKind.FACT]}, EVENTS),
        (
            {"sources": [Source.MEMORY, Source.DECISION], "kinds": [MemoryKind.FACT]},
            {MemoryKind.FACT, ChunkKind.DECISION},
        ),
        ({"sources": []}, set()),
        ({"chunks_only": True}, set()),
        ({"sources": [Source.MEMORY, Source.DOCUMENT], "chunks_only": True}, {ChunkKind.PASSAGE}),
        ({"sources": Source}, {*MemoryKind, *ChunkKind}),
    ],
)
def test_a_filter_lets_through_kinds_of_its_sources(conditions: dict[str, Any], passing: set[int]) -> None:
    assert set(passing_kinds(MemoryFilter(**conditions))) == passing


@each_case(
    "conditions",
    [
        {"sources": (Source.EVENT,)},
        {"sources": (Source.MEMORY, Source.EVENT)},
        {"sources": ()},
        {"sensitivities": (Sensitivity.PUBLIC,)},
        {"hidden_kinds": (MemoryKind.FACT,)},
        {"chunks_only": True},
        {"document_categories": ("policy",)},
        {"sources": (Source.DOCUMENT,), "granted_categories": frozenset(("policy",))},
    ],
)
def test_a_filter_with_such_a_condition_is_not_empty(conditions: dict[str, Any]) -> None:
    assert not MemoryFilter(**conditions).is_empty
    assert MemoryFilter().is_empty
    assert NO_FILTER.is_empty
    # It restricts documents, and selects none.
    assert MemoryFilter().narrowed_to(frozenset(("policy",))).is_empty
