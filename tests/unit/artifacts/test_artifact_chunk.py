"""The chunk of an artifact: what it says, and how it is bounded."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from camillo_server.features.artifacts.artifact import ArtifactDraft, ArtifactId
from camillo_server.features.artifacts.store.chunks import artifact_chunk_id, artifact_row
from camillo_server.kernel.kinds import MAX_CHUNK_CHARACTERS, ChunkKind, Sensitivity, Source, source_of
from camillo_server.rows.row import Row

from tests.storage.artifacts.artifact_store import ALICE, NOW, artifact_for, upload_for


def chunk(draft: ArtifactDraft | None = None, **changed: Any) -> Row:
    draft = draft or ArtifactDraft()
    return artifact_row(artifact_for(upload_for(ALICE, draft), b"x", draft, **changed)).memory


def test_it_says_what_is_known_of_the_artifact() -> None:
    stated = ArtifactDraft(
        name="ночь.log",
        description="गोदी का लेखा 🦭",
        tool="pytest",
        command="pytest -q",
        media_type="text/plain",
        session_id="s1",
        tags=["夜"],
        sensitivity=Sensitivity.PUBLIC,
        expires_at=NOW,
        source_refs=["elsewhere"],
        pinned=True,
    )
    row = chunk(stated, version=3)
    assert row.content == "ночь.log\nगोदी का लेखा 🦭\npytest: pytest -q\nZusammenfassung ملخص"
    assert row.metadata == {"name": "ночь.log", "media_type": "text/plain", "tool": "pytest", "kind": "log", "place": 0}
    assert (row.session_id, row.tags, row.sensitivity) == ("s1", ("夜",), Sensitivity.PUBLIC)
    assert (row.occurred_at, row.expires_at, row.version) == (NOW, NOW, 3)
    assert row.kind is ChunkKind.ARTIFACT_SUMMARY
    assert source_of(row.kind) is Source.ARTIFACT
    assert len(row.source_refs) == 1
    assert not row.pinned


def test_it_is_where_the_artifact_is() -> None:
    assert chunk().agent_id == "alice"
    assert chunk(ArtifactDraft(is_shared=True)).agent_id == ""


def test_a_long_command_leaves_room_for_the_summary() -> None:
    row = chunk(ArtifactDraft(command="make " * 800))
    assert "Zusammenfassung" in row.content
    assert len(row.content) <= MAX_CHUNK_CHARACTERS


@pytest.mark.parametrize("text", ["e\u0301" * 3_000, "👩‍👩‍👧‍👦" * 600, "词" * 5_000])
def test_no_character_is_cut(text: str) -> None:
    content = chunk(content=_facts(text)).content
    assert len(content) <= MAX_CHUNK_CHARACTERS
    assert content.split("\n")[-1] in text
    assert not text[len(content.split("\n")[-1]) :].startswith(("\u0301", "\u200d"))


def _facts(summary: str) -> Any:
    return replace(artifact_for(upload_for(ALICE), b"x").content, summary=summary)


def test_of_each_version_it_has_another_id() -> None:
    first = artifact_chunk_id(ArtifactId("log_1"), 1)
    assert first == artifact_chunk_id(ArtifactId("log_1"), 1)
    ids = {artifact_chunk_id(ArtifactId(f"log_{n}"), v) for n in range(9) for v in range(9)}
    assert len(ids) == 81
    assert UUID(str(first)).version == 8
