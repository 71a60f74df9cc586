"""Artifacts as rows: what goes into a statement, what comes out of one."""

from collections.abc import Collection, Sequence
from typing import Any

from camillo_server.artifacts.artifact import (
    Artifact,
    ArtifactDraft,
    ArtifactFilter,
    ArtifactId,
    ContentFacts,
    ContentId,
)
from camillo_server.crypto.keyring import Keyring
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.outputs.summary.sample import ContentKind
from camillo_server.outputs.summary.text import Preview
from camillo_server.redaction.redaction import FoundSecret
from camillo_server.storage.encrypted_json import Json, JsonPlace, SealedJson

PURPOSE = "artifact-details"
COLUMN_COUNT = 18


class ArtifactRows:
    """Turns artifacts into rows and back; what is sealed is encrypted on the way."""

    def __init__(self, keyring: Keyring) -> None:
        self._sealed = SealedJson(keyring)

    def parameters(self, tenant_id: TenantId, artifact: Artifact) -> dict[str, Any]:
        """Everything that a statement stores of an artifact. Raises KeyMissing."""
        stated = artifact.stated
        return {
            "tenant_id": tenant_id,
            "artifact_id": artifact.artifact_id,
            "owner_id": artifact.agent_id,
            "created_by": artifact.created_by,
            "kind": int(artifact.content.kind),
            "session_id": stated.session_id,
            "tool": stated.tool,
            "tags": list(stated.tags),
            "sensitivity": int(stated.sensitivity),
            "size": artifact.content.size,
            "pinned": stated.pinned,
            "expires_at": stated.expires_at,
            "created_at": artifact.created_at,
            "updated_at": artifact.updated_at,
            "version": artifact.version,
            **self._sealed.columns(
                _details(artifact),
                _place(tenant_id, artifact.artifact_id),
                is_sealed=stated.is_sealed,
            ),
        }

    def artifact(self, tenant_id: TenantId, row: Sequence[Any]) -> Artifact:
        """The artifact in the columns of the fragment `artifact_columns`. Raises KeyMissing, BytesLost."""
        details = self._sealed.read((row[16], row[15], row[17]), _place(tenant_id, row[0]))
        return Artifact(
            artifact_id=ArtifactId(row[0]),
            agent_id=AgentId(row[1]),
            created_by=AgentId(row[2]),
            content_id=ContentId(row[3]),
            stated=_stated(row, details["stated"]),
            content=_content(row, details["content"]),
            created_at=row[12],
            updated_at=row[13],
            version=row[14],
        )


def filter_parameters(wanted: ArtifactFilter, allowed: Collection[Sensitivity]) -> dict[str, Any]:
    """The parameters of the fragment `artifact_passes`, but for the cursor and the present moment."""
    return {
        "session_id": wanted.session_id or None,
        "tool": wanted.tool or None,
        "kinds": [int(kind) for kind in wanted.kinds] or None,
        "created_from": wanted.created_from,
        "created_before": wanted.created_before,
        "min_size": wanted.min_size,
        "max_size": wanted.max_size or None,
        "tags_any": list(wanted.tags_any) or None,
        "tags_all": list(wanted.tags_all) or None,
        "max_sensitivity": int(wanted.max_sensitivity) if wanted.max_sensitivity else None,
        "cited_by": wanted.cited_by,
        "allowed": levels(allowed),
    }


def levels(allowed: Collection[Sensitivity]) -> list[int]:
    return [int(level) for level in allowed]


def secrets_as_json(found: Sequence[FoundSecret]) -> list[list[str | int]]:
    return [[secret.kind, secret.offset] for secret in found]


def secrets_from(found: Sequence[Sequence[Any]]) -> tuple[FoundSecret, ...]:
    return tuple(FoundSecret(kind, offset) for kind, offset in found)


def _place(tenant_id: str, artifact_id: str) -> JsonPlace:
    return JsonPlace(tenant_id, PURPOSE, artifact_id)


def _details(artifact: Artifact) -> Json:
    """All that has no column of its own."""
    stated, content = artifact.stated, artifact.content
    return {
        "stated": {
            "name": stated.name,
            "description": stated.description,
            "media_type": stated.media_type,
            "command": stated.command,
            "exit_code": stated.exit_code,
            "metadata": dict(stated.metadata),
            "source_refs": list(stated.source_refs),
        },
        "content": {
            "sha256": content.sha256.hex(),
            "encoding": content.encoding,
            "line_count": content.line_count,
            "description": content.description,
            "summary": content.summary,
            "head": content.preview.head,
            "tail": content.preview.tail,
            "redactions": secrets_as_json(content.redactions),
            "redaction_counts": dict(content.redaction_counts),
            "summary_model_id": content.summary_model_id,
        },
    }


def _stated(row: Sequence[Any], stated: Json) -> ArtifactDraft:
    return ArtifactDraft(
        name=stated["name"],
        description=stated["description"],
        media_type=stated["media_type"],
        tool=row[6],
        command=stated["command"],
        exit_code=stated["exit_code"],
        session_id=row[5],
        tags=tuple(row[7]),
        sensitivity=Sensitivity(row[8]),
        metadata=stated["metadata"],
        expires_at=row[11],
        pinned=row[10],
        source_refs=tuple(stated["source_refs"]),
        is_shared=row[1] == "",
    )


def _content(row: Sequence[Any], content: Json) -> ContentFacts:
    return ContentFacts(
        size=row[9],
        sha256=bytes.fromhex(content["sha256"]),
        encoding=content["encoding"],
        line_count=content["line_count"],
        kind=ContentKind(row[4]),
        description=content["description"],
        summary=content["summary"],
        preview=Preview(content["head"], content["tail"]),
        redactions=secrets_from(content["redactions"]),
        redaction_counts=content["redaction_counts"],
        summary_model_id=content["summary_model_id"],
    )
