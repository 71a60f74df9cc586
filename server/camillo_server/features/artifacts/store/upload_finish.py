"""The end of an upload: one transaction, after which there is an artifact and no upload under way; and quotas."""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from camillo_server.features.artifacts.artifact import Artifact, ArtifactReplay, Content
from camillo_server.features.artifacts.store.orphaned_contents import OrphanedContent, mark_orphaned
from camillo_server.features.artifacts.store.rows import upload_parameters
from camillo_server.features.artifacts.upload import Upload
from camillo_server.kernel.errors import NotFound, QuotaExceeded, UploadOffsetMismatch
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.storage.database import Session
from camillo_server.storage.parts.part_codec import encrypted_fingerprint
from camillo_server.storage.statements import statements
from camillo_server.storage.wire import Parameters, ReturnedRows
from camillo_server.storage.written_requests import PRIMARY_KEY, first_answer, keeping_answer

ARTIFACTS = statements("features/artifacts/store/artifacts")
CONTENTS = statements("features/artifacts/store/contents")
# Violated where another transaction committed first: its answer, or its content, is there now.
COMMITTED_FIRST = (PRIMARY_KEY, "contents_fingerprint_key")
QUOTA = "artifact_bytes"


@dataclass(frozen=True, slots=True)
class FinishRequest:
    """The parameters of `UploadStore.finish`."""

    upload: Upload
    artifact: Artifact
    request: RequestKey | None
    quota_bytes: int | None
    now: datetime


@dataclass(frozen=True, slots=True)
class Finished:
    """The answer, the contents that became orphaned (the upload's own where the tenant has its bytes already, or where
    the request is a repeat), and the revision of the artifact's scope that holds it, 0 for a repeat."""

    answer: Written[ArtifactReplay]
    orphaned: list[OrphanedContent]
    revision: int = 0


async def drop_upload(session: Session, upload: Upload) -> list[OrphanedContent]:
    """Deletes an upload under way and marks its content as orphaned; nothing where it is gone or finished."""
    rows = await session.rows(CONTENTS["drop_upload"], upload_parameters(upload))
    return await mark_orphaned(session, upload.scope.tenant_id, (content_id for (content_id,) in rows))


async def finish_upload(session: Session, finish: FinishRequest, parameters: Parameters, chunk: Parameters) -> Finished:
    """Stores the artifact and its chunk in the caller's transaction; where the request is a repeat, nothing. Raises
    NotFound, UploadOffsetMismatch, QuotaExceeded, RequestIdReused, and UniqueViolation where another transaction
    committed first."""
    upload, scope = finish.upload, finish.upload.scope
    # The scope first, as a deletion of the agent does, so that the two cannot deadlock.
    _, uploads, contents = await session.run_each(
        (ARTIFACTS["keep_scope"], parameters),
        (CONTENTS["lock_upload"], parameters),
        (CONTENTS["lock_same_content"], parameters),
    )
    answer = await first_answer(session, scope, finish.request, ArtifactReplay, finish.now)
    if answer is not None:
        return Finished(answer, await drop_upload(session, upload))
    locked: Any = next(iter(uploads.records()), None)
    if not is_under_way(locked, upload):
        raise NotFound("upload", upload.upload_id)
    if locked.generation != upload.generation:
        # Another call has resumed it meanwhile, and its parts are there.
        raise UploadOffsetMismatch(locked.held_bytes, finish.artifact.content.size)
    written = Written(0, ArtifactReplay(finish.artifact.artifact_id))
    # The equal content that the tenant has already is kept, else the upload's own.
    (same,) = next(iter(contents.rows()), (None,))
    if same is None:
        await _claim_quota(session, scope.tenant_id, finish.artifact.content.size, finish.quota_bytes)
    kept = {**parameters, "kept_content_id": same or upload.content.content_id}
    statements = [
        (ARTIFACTS["insert"], {**kept, **chunk}),
        (CONTENTS["finish_upload"], kept),
        keeping_answer(session, scope, finish.request, written, finish.now),
    ]
    if same is not None:
        stored, *_ = await session.run_each(*statements)
        orphaned = await mark_orphaned(session, scope.tenant_id, [upload.content.content_id])
        return Finished(written, orphaned, _revision(stored))
    made_ready, stored, *_ = await session.run_each((CONTENTS["make_ready"], parameters), *statements)
    _require_whole(made_ready, finish)
    return Finished(written, [], _revision(stored))


def _revision(stored: ReturnedRows) -> int:
    rows = stored.rows()
    if not rows:
        raise LookupError("the scope of an artifact is not there")
    revision: int
    ((revision,),) = rows
    return revision


def _require_whole(made_ready: ReturnedRows, finish: FinishRequest) -> None:
    """Raises NotFound where the upload's content is gone, UploadOffsetMismatch where another call has resumed it."""
    rows, expected_size = made_ready.rows(), finish.artifact.content.size
    if not rows:
        raise NotFound("upload", finish.upload.upload_id)
    ((size,),) = rows
    if size != expected_size:
        raise UploadOffsetMismatch(size, expected_size)


def is_under_way(row: Any, upload: Upload) -> bool:
    """Whether a named row of `lock_upload` is of this upload, not of a later one of its id, and is not finished."""
    return row is not None and row.content_id == upload.content.content_id and row.artifact_id is None


async def require_quota_left(session: Session, tenant_id: TenantId, quota_bytes: int | None) -> None:
    """Before an upload begins: raises QuotaExceeded where stored contents and uploads under way fill the quota."""
    if quota_bytes is not None:
        (used,) = await session.only_row(CONTENTS["kept_bytes"], {"tenant_id": tenant_id})
        if used >= quota_bytes:
            raise QuotaExceeded(QUOTA, quota_bytes)


async def _claim_quota(session: Session, tenant_id: TenantId, size: int, quota_bytes: int | None) -> None:
    """Checks the quota in the transaction that makes a content of this size ready: others of the tenant wait until it
    ends, so that no two claim the same bytes of the quota. Raises QuotaExceeded."""
    if quota_bytes is not None:
        await session.execute(CONTENTS["lock_quota"], {"tenant_id": tenant_id})
        (used,) = await session.only_row(CONTENTS["ready_bytes"], {"tenant_id": tenant_id})
        if used + size > quota_bytes:
            raise QuotaExceeded(QUOTA, quota_bytes)


def fingerprint(keyring: Keyring, content: Content, artifact: Artifact) -> bytes:
    """32 bytes, equal for equal bytes of the same encryption and, where they are restricted, of the same agent.

    The fingerprint of encrypted contents is keyed, so that it reveals nothing to a reader of the database. Raises
    KeyMissing.
    """
    if not content.is_encrypted:
        return sha256(b"plain" + artifact.content.sha256).digest()
    return encrypted_fingerprint(
        keyring,
        content.tenant_id,
        artifact.content.sha256,
        artifact.agent_id if artifact.draft.sensitivity is Sensitivity.RESTRICTED else "",
    )
