"""The chunks of artifacts in Postgres: one for each, stored and removed in the transaction that does so to the
artifact."""

from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from uuid import UUID

from camillo_formats.characters import border_at_or_before

from camillo_server.features.artifacts.artifact import Artifact, ArtifactId
from camillo_server.features.artifacts.store.rows import ArtifactRows
from camillo_server.kernel.ids import MemoryId, TenantId, chunk_id
from camillo_server.kernel.kinds import MAX_CHUNK_CHARACTERS, ChunkKind, Scalar
from camillo_server.kernel.off_loop import map_off_loop
from camillo_server.kernel.scope import Scope, TrustLevel
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.models.embedding.text_embedding import TextEmbedding
from camillo_server.rows.row import NewRow, Row
from camillo_server.rows.store.inserts import chunks_json, rows_with_terms, term_count, vector_parameters, with_vectors
from camillo_server.storage.database import Database
from camillo_server.storage.statements import scope_parameters, statements

IMPORTANCE_OF_ARTIFACTS = 0.5
# The maximum length of a command, so that the summary behind it finds room.
LONGEST_COMMAND = 500


def artifact_chunk_id(artifact_id: ArtifactId, version: int) -> MemoryId:
    """A different id for each version, since a removed row never comes back."""
    origin = UUID(bytes=sha256(artifact_id.encode()).digest()[:16])
    return chunk_id(origin, version % 2**32)


def artifact_row(artifact: Artifact) -> NewRow:
    """The one chunk of an artifact as it is now. It refers to nothing but the artifact: what that was made from may be
    encrypted."""
    draft = artifact.draft
    return NewRow(
        Row(
            memory_id=artifact_chunk_id(artifact.artifact_id, artifact.version),
            agent_id=artifact.agent_id,
            content=_searched(artifact),
            kind=ChunkKind.ARTIFACT_SUMMARY,
            session_id=draft.session_id,
            occurred_at=artifact.created_at,
            tags=tuple(draft.tags),
            sensitivity=draft.sensitivity,
            importance=IMPORTANCE_OF_ARTIFACTS,
            metadata=_metadata(artifact),
            expires_at=draft.expires_at,
            pinned=False,
            archived=False,
            version=artifact.version,
            source_refs=(artifact.artifact_id,),
            created_at=artifact.created_at,
            updated_at=artifact.updated_at,
            vector_model_id="",
            trust_level=TrustLevel.TOOL,
        ),
        vector=None,
    )


def _searched(artifact: Artifact) -> str:
    """A line for each thing that is known, then the summary, as much as fits in a chunk."""
    text = "\n".join(_lines(artifact)) or artifact.artifact_id
    return text[: border_at_or_before(text, MAX_CHUNK_CHARACTERS, 0)]


def _lines(artifact: Artifact) -> Iterator[str]:
    draft = artifact.draft
    command = draft.command[: border_at_or_before(draft.command, LONGEST_COMMAND, 0)]
    made_by = ": ".join(part for part in (draft.tool, command) if part.strip())
    for line in (draft.name, artifact.description, made_by, artifact.content.summary):
        if line.strip():
            yield line


def _metadata(artifact: Artifact) -> dict[str, Scalar]:
    draft = artifact.draft
    stated = {"name": draft.name, "media_type": draft.media_type, "tool": draft.tool}
    kind = artifact.content.kind.name.lower()
    return {**{key: text for key, text in stated.items() if text}, "kind": kind, "place": 0}


SQL = statements("features/artifacts/store/artifacts")
ARTIFACTS_AT_ONCE = 200
NO_CHUNK = {"added_chunks": 0, "added_terms": 0}


@dataclass(frozen=True, slots=True)
class NewChunk:
    """The chunk of an artifact that is about to be stored, and the parameters by which a statement stores it."""

    scope: Scope
    rows: Sequence[NewRow]
    parameters: dict[str, Any]


async def new_chunk(
    tenant_id: TenantId, artifact: Artifact, keyring: Keyring, embedding: TextEmbedding | None
) -> NewChunk:
    """The chunk of an artifact, in the artifact's own scope; with its vector if `embedding` is given and it is not to
    be encrypted. Raises KeyMissing."""
    scope = Scope(tenant_id, artifact.agent_id)
    rows = await rows_with_terms(await with_vectors(embedding, [artifact_row(artifact)], scope))
    return await chunk_of(scope, rows, keyring)


async def chunk_of(scope: Scope, rows: Sequence[NewRow], keyring: Keyring) -> NewChunk:
    """The chunk of this row. Raises KeyMissing."""
    parameters = {
        **scope_parameters(scope),
        "chunks": f"[{await chunks_json(scope, rows, keyring)}]",
        "added_chunks": 1,
        "added_terms": term_count(rows),
        **vector_parameters(rows),
    }
    return NewChunk(scope, rows, parameters)


async def artifact_pages(database: Database, scope: Scope, size: int) -> AsyncGenerator[Sequence[Any]]:
    """The rows of every artifact of a scope with what their contents are, the newest first, some at a time."""
    page: dict[str, Any] = {**scope_parameters(scope), "size": size, "after_at": None, "after_id": ""}
    while rows := await database.records(scope, SQL["page_of_scope"], page):
        yield rows
        page.update(after_at=rows[-1].created_at, after_id=rows[-1].artifact_id)


async def artifact_chunks(database: Database, keyring: Keyring, scope: Scope) -> AsyncGenerator[Sequence[NewRow]]:
    """The chunks of every artifact of a scope, made again, some at a time. Raises StorageUnavailable, KeyMissing,
    BytesLost."""
    reader = ArtifactRows(keyring)
    async with aclosing(artifact_pages(database, scope, ARTIFACTS_AT_ONCE)) as pages:
        async for rows in pages:
            yield await map_off_loop(lambda row: artifact_row(reader.artifact(scope.tenant_id, row)), rows)
