"""Texts that say exactly the same, and what becomes of two statements of one."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from camillo_server.kernel.ids import AgentId, MemoryId
from camillo_server.kernel.kinds import ChunkKind, MemoryKind, Sensitivity
from camillo_server.rows.merging import MAX_METADATA_KEYS, MAX_SOURCE_REFS, MAX_TAGS, merge
from camillo_server.rows.row import MemoryDraft, Row, canonical_bytes

from tests.cases import each_case

NOW = datetime(2030, 1, 1, tzinfo=UTC)
LATER = NOW + timedelta(days=3)
FIRST, SECOND = MemoryId(UUID(int=1)), MemoryId(UUID(int=2))


def memory(content: str = "tea", **fields: Any) -> Row:
    """A memory that was stored now."""
    return MemoryDraft(content=content, **fields).memory(AgentId("alice"), FIRST, NOW)


def again(content: str = "tea", **fields: Any) -> Row:
    """A memory of this text, stated under another id three days later."""
    return MemoryDraft(content=content, **fields).memory(AgentId("alice"), SECOND, LATER)


@each_case(
    ("content", "repeat"),
    [
        ("Alice likes tea", "  Alice   likes\n\ttea "),
        ("café 🍵", "cafe\u0301 🍵"),
        ("각", "\u1100\u1161\u11a8"),
        ("我 喜欢 茶", "我\u3000喜欢\u00a0茶"),
        ("אני אוהב תה", "אני  אוהב תה\u2029"),
        ("x\x85y\x1cz", "x y z"),
    ],
)
def test_white_space_and_composition_tell_nothing(content: str, repeat: str) -> None:
    assert canonical_bytes(memory(content)) == canonical_bytes(again(repeat))
    assert canonical_bytes(memory(content)) != canonical_bytes(again(f"{repeat}!"))


@each_case(
    ("content", "other"),
    [
        ("Alice likes tea", "alice likes tea"),
        ("Alice", "Аlice"),  # Cyrillic
        ("file 1", "ﬁle 1"),
        ("tea", "t\u200bea"),
        ("👩‍🔬", "👩🔬"),
        ("not tea", "nottea"),
    ],
)
def test_what_somebody_may_mean_differently_is_another_statement(content: str, other: str) -> None:
    assert canonical_bytes(memory(content)) != canonical_bytes(memory(other))


def test_kinds_and_sensitivities_are_told_apart() -> None:
    told = {canonical_bytes(memory(kind=kind, sensitivity=level)) for kind in MemoryKind for level in Sensitivity}
    assert len(told) == len(MemoryKind) * len(Sensitivity)


def test_a_turn_of_a_conversation_is_one_of_its_session_and_moment() -> None:
    turn: dict[str, Any] = {"kind": MemoryKind.CONVERSATION, "session_id": "s", "occurred_at": NOW}
    assert canonical_bytes(memory("ok", **turn)) == canonical_bytes(again("ok", **turn))
    assert canonical_bytes(memory("ok", **turn)) != canonical_bytes(memory("ok", **turn | {"occurred_at": LATER}))
    assert canonical_bytes(memory("ok", **turn)) != canonical_bytes(memory("ok", **turn | {"session_id": "t"}))
    # A fact is the same in whichever session it is stated.
    fact = turn | {"kind": MemoryKind.FACT}
    assert canonical_bytes(memory("ok", **fact)) == canonical_bytes(
        again("ok", **fact | {"session_id": "t", "occurred_at": LATER})
    )


def test_no_session_passes_for_a_session_and_a_moment() -> None:
    turn: dict[str, Any] = {"kind": MemoryKind.CONVERSATION, "occurred_at": NOW}
    assert len({canonical_bytes(memory("ok", session_id=each, **turn)) for each in ("", '"', "a", 'a","')}) == 4


def test_chunks_repeat_what_they_come_from() -> None:
    assert canonical_bytes(memory()._replace(kind=ChunkKind.EVENT_MESSAGE)) is None


def test_a_bare_repeat_is_counted_and_changes_nothing_else() -> None:
    kept = memory(tags=["a"], metadata={"k": 1.0}, importance=0.7)
    assert merge(kept, [again(), again()], LATER) == kept._replace(stated_count=3)


def test_what_both_state_is_joined_and_the_memory_gets_a_new_version() -> None:
    kept = memory(tags=["b", "a"], source_refs=["x"], metadata={"k": 1.0, "kept": None})
    stated = again(tags=["c", "a", "c"], source_refs=["y", "x"], metadata={"k": "茶"}, importance=0.9)
    joined = merge(kept, [stated], LATER)
    assert joined == kept._replace(
        tags=("b", "a", "c"),
        source_refs=("x", "y"),
        metadata={"k": "茶", "kept": None},
        importance=0.9,
        version=2,
        updated_at=LATER,
        stated_count=2,
    )


def test_several_statements_make_one_version() -> None:
    joined = merge(memory(), [again(tags=["a"]), again(tags=["b"])], LATER)
    assert (joined.version, joined.tags, joined.stated_count) == (2, ("a", "b"), 3)


def test_true_is_not_one() -> None:
    joined = merge(memory(metadata={"k": 1.0}), [again(metadata={"k": True})], LATER)
    assert (joined.metadata["k"] is True, joined.version) == (True, 2)
    # The control: a number is one however it is written.
    assert merge(memory(metadata={"k": 1}), [again(metadata={"k": 1.0})], LATER).version == 1


def test_a_number_as_postgres_stored_it_is_no_smaller_than_as_it_was_stated() -> None:
    stored = memory(importance=0.699999988079071)
    assert merge(stored, [again(importance=0.7)], LATER).version == 1
    assert merge(stored, [again(importance=0.71)], LATER).importance == 0.71


def test_what_has_no_room_is_left_out_of_what_is_new() -> None:
    kept = memory(
        tags=[f"t{number}" for number in range(MAX_TAGS - 1)],
        source_refs=[f"r{number}" for number in range(MAX_SOURCE_REFS)],
        metadata={f"k{number}": 0.0 for number in range(MAX_METADATA_KEYS)},
    )
    stated = again(tags=["new", "newer"], source_refs=["new"], metadata={"k0": 2.0, "new": 1.0})
    joined = merge(kept, [stated], LATER)
    assert joined.tags == (*kept.tags, "new")
    assert (joined.source_refs, joined.metadata) == (kept.source_refs, kept.metadata)
    # The control: where no key is new, there is room.
    assert merge(kept, [again(metadata={"k0": 2.0})], LATER).metadata["k0"] == 2.0


def test_metadata_that_grows_too_long_stays_as_it_was() -> None:
    kept = memory(metadata={"long": "茶" * 5_000})
    assert merge(kept, [again(metadata={"more": "茶" * 500})], LATER).metadata == kept.metadata
    assert merge(kept, [again(metadata={"more": "茶" * 100})], LATER).version == 2


@pytest.mark.parametrize(
    ("kept", "stated", "expected"), [(NOW, LATER, LATER), (LATER, NOW, LATER), (NOW, None, None), (None, NOW, None)]
)
def test_the_later_end_counts(kept: datetime | None, stated: datetime | None, expected: datetime | None) -> None:
    joined = merge(memory(expires_at=kept), [again(expires_at=stated)], LATER)
    assert joined.expires_at == expected


def test_restating_brings_back_what_was_archived() -> None:
    kept = memory(archived=True, pinned=True)
    assert merge(kept, [again()], LATER)._replace(stated_count=1) == kept._replace(
        archived=False, version=2, updated_at=LATER
    )
    assert merge(kept, [again(archived=True)], LATER).archived
    assert not merge(memory(), [again(archived=True)], LATER).archived
    assert merge(memory(), [again(pinned=True)], LATER).pinned


def test_statistics_of_imported_memories_are_added() -> None:
    kept = memory(access_count=3, accessed_at=LATER)
    stated = again(access_count=4, accessed_at=NOW, stated_count=5)
    joined = merge(kept, [stated], LATER)
    assert (joined.access_count, joined.accessed_at, joined.stated_count) == (7, LATER, 6)
    assert merge(memory(), [stated], LATER).accessed_at == NOW
