"""Rows of artifacts and uploads: parameters of statements, and values read from their columns."""

from collections.abc import Collection, Sequence
from typing import Any

from camillo_server.features.artifacts.artifact import (
    Artifact,
    ArtifactDraft,
    ArtifactFilter,
    ArtifactId,
    Content,
    ContentFacts,
    ContentId,
    UploadId,
)
from camillo_server.features.artifacts.upload import Upload, UploadProgress
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.lib.outputs.summary.sample import ContentKind, Preview
from camillo_server.lib.redaction.redaction import FoundSecret
from camillo_server.storage.encrypted_json import EncryptedJson, Json, JsonLocation
from camillo_server.storage.statements import scope_parameters

ARTIFACT_PURPOSE = "artifact-details"
UPLOAD_PURPOSE = "upload-details"
# Fields that are stored as they are: in a column of their name, or in the details.
DRAFT_COLUMNS = ("session_id", "tool", "expires_at", "pinned")
DRAFT_DETAILS = ("name", "description", "media_type", "command", "exit_code")
CONTENT_DETAILS = ("encoding", "line_count", "description", "summary", "summary_model_id")


class ArtifactRows:
    """Turns artifacts and uploads into rows and back. Values that would reveal anything of encrypted bytes, hashes
    above all, are encrypted like these bytes."""

    def __init__(self, keyring: Keyring) -> None:
        self._json = EncryptedJson(keyring)

    def parameters(self, tenant_id: TenantId, artifact: Artifact) -> dict[str, Any]:
        """All columns of an artifact. Raises KeyMissing."""
        draft = artifact.draft
        return {
            "tenant_id": tenant_id,
            "artifact_id": artifact.artifact_id,
            "owner_id": artifact.agent_id,
            "created_by": artifact.created_by,
            "kind": int(artifact.content.kind),
            **{name: getattr(draft, name) for name in DRAFT_COLUMNS},
            "tags": list(draft.tags),
            "sensitivity": int(draft.sensitivity),
            "size": artifact.content.size,
            "created_at": artifact.created_at,
            "updated_at": artifact.updated_at,
            "version": artifact.version,
            **self._json.columns(
                _details(artifact),
                _location(tenant_id, artifact.artifact_id),
                encrypted=draft.is_encrypted,
            ),
        }

    def artifact(self, tenant_id: TenantId, row: Any) -> Artifact:
        """The artifact in a named row of the columns `artifact_columns`. Raises KeyMissing, BytesLost."""
        columns = (row.details, row.key_id, row.sealed_details)
        details = self._json.read(columns, _location(tenant_id, row.artifact_id))
        return Artifact(
            artifact_id=ArtifactId(row.artifact_id),
            agent_id=AgentId(row.agent_id),
            created_by=AgentId(row.created_by),
            content_id=ContentId(row.content_id),
            draft=_draft(row, details["stated"]),
            content=_content(row, details["content"]),
            created_at=row.created_at,
            updated_at=row.updated_at,
            version=row.version,
        )

    def progress(self, upload: Upload, progress: UploadProgress) -> dict[str, Any]:
        """`held_bytes` and the columns of the details. Raises KeyMissing."""
        details = {
            "header_digest": upload.header_digest.hex(),
            "held_sha256": progress.sha256.hex(),
            "found": _secrets_as_json(progress.found),
            "counts": dict(progress.counts),
        }
        location = _upload_location(upload.scope, upload.upload_id)
        columns = self._json.columns(details, location, encrypted=upload.content.is_encrypted)
        return {"held_bytes": progress.size, **columns}

    def upload(self, scope: Scope, upload_id: UploadId, row: Any) -> Upload:
        """The upload in a named row of the statement `find_upload`. Raises KeyMissing, BytesLost."""
        columns = (row.details, row.key_id, row.sealed_details)
        details = self._json.read(columns, _upload_location(scope, upload_id))
        # A content has no size before its upload is finished: until then what is stored can be read.
        size = row.size or row.held_bytes
        return Upload(
            scope=scope,
            upload_id=upload_id,
            content=Content(scope.tenant_id, ContentId(row.content_id), size, row.is_encrypted),
            header_digest=bytes.fromhex(details["header_digest"]),
            progress=UploadProgress(
                size=row.held_bytes,
                sha256=bytes.fromhex(details["held_sha256"]),
                found=_secrets_from(details["found"]),
                counts=details["counts"],
            ),
            artifact_id=None if row.artifact_id is None else ArtifactId(row.artifact_id),
            generation=row.generation,
        )


def upload_parameters(upload: Upload) -> dict[str, Any]:
    """The key of an upload, the content that it writes, and the call that does."""
    return {
        **scope_parameters(upload.scope),
        "upload_id": upload.upload_id,
        "content_id": upload.content.content_id,
        "generation": upload.generation,
    }


def filter_parameters(filter: ArtifactFilter, allowed: Collection[Sensitivity]) -> dict[str, Any]:
    """The parameters of the fragment `artifact_passes`, without the cursor and the present moment."""
    return {
        "session_id": filter.session_id or None,
        "tool": filter.tool or None,
        "kinds": [int(kind) for kind in filter.kinds] or None,
        "created_from": filter.created_from,
        "created_before": filter.created_before,
        "min_size": filter.min_size,
        "max_size": filter.max_size or None,
        "tags_any": list(filter.tags_any) or None,
        "tags_all": list(filter.tags_all) or None,
        "max_sensitivity": int(filter.max_sensitivity) if filter.max_sensitivity else None,
        "cited_by": filter.cited_by,
        "allowed": levels(allowed),
    }


def levels(allowed: Collection[Sensitivity]) -> list[int]:
    return [int(level) for level in allowed]


def _secrets_as_json(found: Sequence[FoundSecret]) -> list[list[str | int]]:
    return [[secret.kind, secret.offset] for secret in found]


def _secrets_from(found: Sequence[Sequence[Any]]) -> tuple[FoundSecret, ...]:
    return tuple(FoundSecret(kind, offset) for kind, offset in found)


def _location(tenant_id: str, artifact_id: str) -> JsonLocation:
    return JsonLocation(tenant_id, ARTIFACT_PURPOSE, artifact_id)


def _upload_location(scope: Scope, upload_id: UploadId) -> JsonLocation:
    return JsonLocation.in_scope(scope.tenant_id, scope.agent_id, UPLOAD_PURPOSE, upload_id)


def _details(artifact: Artifact) -> Json:
    """The fields without a column of their own. The key `stated` is in stored rows."""
    draft, content = artifact.draft, artifact.content
    return {
        "stated": {
            **{name: getattr(draft, name) for name in DRAFT_DETAILS},
            "metadata": dict(draft.metadata),
            "source_refs": list(draft.source_refs),
        },
        "content": {
            **{name: getattr(content, name) for name in CONTENT_DETAILS},
            "sha256": content.sha256.hex(),
            "head": content.preview.head,
            "tail": content.preview.tail,
            "redactions": _secrets_as_json(content.redactions),
            "redaction_counts": dict(content.redaction_counts),
        },
    }


def _draft(row: Any, details: Json) -> ArtifactDraft:
    return ArtifactDraft(
        **{name: details[name] for name in DRAFT_DETAILS},
        **{name: getattr(row, name) for name in DRAFT_COLUMNS},
        tags=tuple(row.tags),
        sensitivity=Sensitivity(row.sensitivity),
        metadata=details["metadata"],
        source_refs=tuple(details["source_refs"]),
        is_shared=row.agent_id == "",
    )


def _content(row: Any, details: Json) -> ContentFacts:
    return ContentFacts(
        **{name: details[name] for name in CONTENT_DETAILS},
        size=row.size,
        sha256=bytes.fromhex(details["sha256"]),
        kind=ContentKind(row.kind),
        preview=Preview(details["head"], details["tail"]),
        redactions=_secrets_from(details["redactions"]),
        redaction_counts=details["redaction_counts"],
    )
