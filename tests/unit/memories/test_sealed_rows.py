"""Rows sealed each for its own place, and opened there alone."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from camillo_server.kernel.errors import BytesLost, KeyMissing
from camillo_server.kernel.ids import AgentId, MemoryId, TenantId
from camillo_server.kernel.kinds import ChunkKind, MemoryKind, Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import DecryptionFailed, Keyring
from camillo_server.models.embedding.embedder import Vector
from camillo_server.rows.store.encrypted_rows import EncryptedRows, RowText
from camillo_server.rows.store.rows import is_encrypted
from hypothesis import given
from hypothesis import strategies as st

from tests.storage.memories.replicas import new_row

ALICE = Scope(TenantId("acme"), AgentId("alice"))
OLD = {"old": bytes(32)}
ROWS = EncryptedRows(Keyring(OLD), ALICE)
ID = MemoryId(UUID(int=1))
VECTOR = Vector("model", np.arange(4, dtype=np.float32))
# Postgres takes no NUL, and no half of a pair.
TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1)


def encrypted_columns(content: str, rows: EncryptedRows = ROWS, **fields: Any) -> tuple[Any, Any]:
    """A row as it is stored, and the columns for what is sealed of it."""
    row = new_row(content, memory_id=ID, **fields)
    columns = rows.text_columns(row.memory, row.terms())
    return row.memory._replace(content="", metadata={}), columns


@given(TEXTS, st.dictionaries(TEXTS, st.none() | st.booleans() | TEXTS | st.floats(-1e9, 1e9)))
def test_a_text_comes_back_as_it_was(content: str, metadata: dict[str, Any]) -> None:
    memory, columns = encrypted_columns(content, metadata=metadata)
    opened = ROWS.decrypt(memory, columns["key_id"], columns["sealed"])
    assert opened.content == content
    assert opened.metadata == metadata
    assert {k: type(v) for k, v in opened.metadata.items()} == {k: type(v) for k, v in metadata.items()}


@given(st.binary(), st.binary(), st.binary())
def test_the_parts_of_a_text_are_told_apart(content: bytes, metadata: bytes, codes: bytes) -> None:
    text = RowText(content, metadata, codes)
    assert RowText.unpack(text.pack()) == text


def test_nothing_of_a_text_or_a_vector_shows() -> None:
    _, columns = encrypted_columns("Zebrastreifen 斑马线", metadata={"k": "حمار"})
    for part in ("Zebrastreifen", "斑马线", "حمار"):
        assert part.encode() not in columns["sealed"]
    _, sealed = ROWS.encrypt_vector(ID, VECTOR)
    assert VECTOR.values.tobytes() not in sealed


ELSEWHERE: dict[str, Callable[[EncryptedRows], EncryptedRows]] = {
    "another agent": lambda rows: replace(rows, scope=Scope(ALICE.tenant_id, AgentId("bob"))),
    "another tenant": lambda rows: replace(rows, scope=Scope(TenantId("rival"), ALICE.agent_id)),
    "another key of that name": lambda rows: replace(rows, keyring=Keyring({"old": b"x" * 32})),
}


@pytest.mark.parametrize("elsewhere", ELSEWHERE)
def test_what_was_sealed_for_one_place_opens_in_no_other(elsewhere: str) -> None:
    other = ELSEWHERE[elsewhere](ROWS)
    memory, columns = encrypted_columns("x")
    told = (columns["key_id"], columns["sealed"])
    assert ROWS.decrypt(memory, *told).content == "x"
    with pytest.raises(BytesLost):
        other.decrypt(memory, *told)
    key_id, sealed = ROWS.encrypt_vector(ID, VECTOR)
    assert ROWS.decrypt_vector(ID, "model", key_id, sealed).values.tolist() == [0, 1, 2, 3]
    with pytest.raises(BytesLost):
        other.decrypt_vector(ID, "model", key_id, sealed)


def test_a_text_opens_in_no_other_row_and_is_no_vector() -> None:
    memory, columns = encrypted_columns("x")
    told = (columns["key_id"], columns["sealed"])
    with pytest.raises(BytesLost):
        ROWS.decrypt(memory._replace(memory_id=MemoryId(UUID(int=2))), *told)
    with pytest.raises(DecryptionFailed):
        ROWS.open_vector(ID.bytes, "", *told)
    with pytest.raises(BytesLost):
        ROWS.decrypt_vector(ID, "another model", *ROWS.encrypt_vector(ID, VECTOR))


def test_an_older_key_still_opens_and_one_that_is_gone_is_named() -> None:
    memory, columns = encrypted_columns("x")
    told = (columns["key_id"], columns["sealed"])
    both = replace(ROWS, keyring=Keyring({"new": b"n" * 32, **OLD}))
    assert both.decrypt(memory, *told).content == "x"
    assert encrypted_columns("x", both)[1]["key_id"] == "new"
    with pytest.raises(KeyMissing) as missing:
        replace(ROWS, keyring=Keyring({"new": b"n" * 32})).decrypt(memory, *told)
    assert missing.value.key_id == "old"


def test_without_any_key_nothing_is_sealed() -> None:
    with pytest.raises(KeyMissing):
        encrypted_columns("x", EncryptedRows(Keyring.empty(), ALICE))


def test_a_row_that_is_not_sealed_stays_as_it_is() -> None:
    memory = new_row("plain").memory
    assert ROWS.decrypt(memory, "", None) is memory


@pytest.mark.parametrize("level", Sensitivity)
def test_confidential_and_restricted_rows_are_sealed(level: Sensitivity) -> None:
    assert is_encrypted(new_row("x", sensitivity=level).memory) == (level >= Sensitivity.CONFIDENTIAL)


def test_artifacts_that_a_sealed_memory_cites_are_named_each_once() -> None:
    content = "see [MemoryRef: log_one - 日志] and [MemoryRef: log_two], [MemoryRef: log_one]"
    _, columns = encrypted_columns(content)
    assert columns["cited_refs"] == ["log_one", "log_two"]
    row = new_row(content)
    chunk = row.memory._replace(kind=ChunkKind.EVENT_MESSAGE)
    assert ROWS.text_columns(chunk, row.terms())["cited_refs"] == []
    assert row.memory.kind is MemoryKind.FACT
