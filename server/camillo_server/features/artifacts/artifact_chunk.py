"""The chunk in which a search finds an artifact: what it is, where it came from, and its summary."""

from collections.abc import Iterator
from hashlib import sha256
from uuid import UUID

from camillo_formats.characters import border_at_or_before

from camillo_server.features.artifacts.artifact import Artifact, ArtifactId
from camillo_server.kernel.attribution import TrustLevel
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import ChunkKind, Scalar
from camillo_server.rows.chunk import LONGEST, chunk_id
from camillo_server.rows.row import NewRow, Row

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
    return text[: border_at_or_before(text, LONGEST, 0)]


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
