"""Uploads: parts that are durable one by one, and an artifact that appears with all of them or not at all.

A process may end between any two steps. It leaves an upload under way, or a content marked as orphaned: nobody sees
either, and the collector deletes both.
"""

from collections.abc import Awaitable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from psycopg.errors import UniqueViolation

from camillo_server.features.artifacts.artifact import PART_BYTES, Artifact, ArtifactReplay, UploadId
from camillo_server.features.artifacts.store.chunks import chunk_of, new_chunk
from camillo_server.features.artifacts.store.contents import ContentLocation, PartStorage
from camillo_server.features.artifacts.store.orphaned_contents import ContentRemoval, mark_orphaned
from camillo_server.features.artifacts.store.rows import ArtifactRows, upload_parameters
from camillo_server.features.artifacts.store.upload_finish import (
    COMMITTED_FIRST,
    Finished,
    FinishRequest,
    drop_upload,
    fingerprint,
    finish_upload,
    is_under_way,
    require_quota_left,
)
from camillo_server.features.artifacts.upload import ContentPart, Upload, UploadProgress
from camillo_server.kernel.background import KeyedLocks
from camillo_server.kernel.errors import AlreadyExists, NotFound, UploadOffsetMismatch
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope, whole_tenant
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.models.embedding.text_embedding import TextEmbedding
from camillo_server.rows.row import NewRow
from camillo_server.rows.store.inserts import store_rows
from camillo_server.storage.database import Session, violates
from camillo_server.storage.parts.object_parts import ObjectParts, PartName
from camillo_server.storage.parts.part_codec import EncodedPart, PartCodec
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import scope_parameters, statements
from camillo_server.storage.wire import Parameters
from camillo_server.storage.written_requests import write_once

CONTENTS = statements("features/artifacts/store/contents")
LIFETIME = timedelta(hours=24)
UNCHANGED_PROGRESS = {
    "held_bytes": None,
    "key_id": None,
    "details": None,
    "sealed_details": None,
}


class UploadStore:
    """Stores bytes in Postgres, or in the object store. All parts are durable when `finish` returns, and none is
    visible before; a crash of Postgres may lose the last of an upload under way. Every method may raise
    StorageUnavailable, BytesUnavailable, StorageFull."""

    def __init__(
        self,
        writes: ScopeWrites,
        codec: PartCodec,
        keyring: Keyring,
        objects: ObjectParts | None,
        embedding: TextEmbedding | None = None,
    ) -> None:
        """`embedding`: where a vector takes it less than a job that embeds later."""
        self._embedding = embedding
        self._writes = writes
        self._database = database = writes.database
        self._codec = codec
        self._keyring = keyring
        self._rows = ArtifactRows(keyring)
        self._parts = PartStorage(objects)
        # Locks by content: between the check whether a part is there and its storing, no other call of this process
        # stores one.
        self._locks = KeyedLocks[UUID]()
        self._removal = ContentRemoval(database, self._parts)

    async def begin(self, upload: Upload, *, quota_bytes: int | None, now: datetime) -> None:
        """Raises QuotaExceeded where the tenant's contents have that many bytes already, AlreadyExists for the id."""
        parameters = self._beginning(upload, now)

        async def work(session: Session) -> None:
            await require_quota_left(session, upload.scope.tenant_id, quota_bytes)
            old = await session.rows(CONTENTS["drop_old_upload"], parameters)
            await mark_orphaned(session, upload.scope.tenant_id, (content_id for (content_id,) in old))
            async with session.pipeline():
                await session.execute(CONTENTS["begin_content"], parameters)
                await session.execute(CONTENTS["begin_upload"], parameters)

        with _existing_upload_refused(upload):
            await self._database.transaction(whole_tenant(upload.scope.tenant_id), work)

    async def begin_with(self, upload: Upload, part: ContentPart, *, quota_bytes: int | None, now: datetime) -> None:
        """`begin` of an upload whose id is new, and `add_part` of its first part: where parts are in Postgres, in one
        round trip. Raises QuotaExceeded, AlreadyExists, KeyMissing."""
        if self._parts.location is ContentLocation.OUTSIDE:
            await self.begin(upload, quota_bytes=quota_bytes, now=now)
            await self.add_part(upload, part, None)
            return
        encoded, progress = await off_loop(UNBOUNDED, lambda: self._encoded(upload, part, None))
        tenant = whole_tenant(upload.scope.tenant_id)
        if quota_bytes is not None:
            await self._database.read(
                tenant, lambda session: require_quota_left(session, tenant.tenant_id, quota_bytes)
            )
        begun = self._beginning(upload, now)
        with _existing_upload_refused(upload):
            await self._database.write_record(
                tenant,
                (CONTENTS["begin_content"], begun),
                (CONTENTS["begin_upload"], begun),
                (CONTENTS["add_part"], _part_parameters(upload, part, encoded, progress, encoded.data)),
            )

    def _beginning(self, upload: Upload, now: datetime) -> Parameters:
        return {
            **upload_parameters(upload),
            **self._rows.progress(upload, upload.progress),
            "is_sealed": upload.content.is_encrypted,
            "place": int(self._parts.location),
            "begun_by": now - LIFETIME,
            "now": now,
        }

    async def find(self, scope: Scope, upload_id: UploadId, *, now: datetime) -> Upload:
        """Raises NotFound("upload", id) where there is none, or it began 24 hours ago."""
        parameters = {
            **scope_parameters(scope),
            "upload_id": upload_id,
            "begun_after": now - LIFETIME,
        }
        row = await self._database.record(scope, CONTENTS["find_upload"], parameters)
        if row is None:
            raise NotFound("upload", upload_id)
        return self._rows.upload(scope, upload_id, row)

    async def resume(self, upload: Upload) -> Upload:
        """Deletes the parts after `upload.progress.size`, and returns the upload of the next generation: from here on
        only the call that has that one stores parts and finishes. Raises NotFound, UploadOffsetMismatch."""
        parameters = {
            **upload_parameters(upload),
            "number": upload.progress.size // PART_BYTES,
            "place": int(self._parts.location),
        }

        async def work(session: Session) -> Upload:
            locked = await session.record(CONTENTS["lock_upload"], parameters)
            if not is_under_way(locked, upload):
                raise NotFound("upload", upload.upload_id)
            if locked.held_bytes != upload.progress.size:
                # Another call has resumed it meanwhile, and needs the parts that it added.
                raise UploadOffsetMismatch(locked.held_bytes, upload.progress.size)
            await session.execute(CONTENTS["drop_parts_from"], parameters)
            # The server may have been given an object store meanwhile.
            await session.execute(CONTENTS["set_location"], parameters)
            (generation,) = await session.only_row(CONTENTS["next_generation"], parameters)
            return replace(upload, generation=generation)

        return await self._database.transaction(whole_tenant(upload.scope.tenant_id), work)

    async def add_part(
        self,
        upload: Upload,
        part: ContentPart,
        progress: UploadProgress | None,
        *,
        after: Awaitable[object] | None = None,
    ) -> None:
        """Stores a part, and with it the upload's progress; None leaves that as it was. In one transaction, which
        begins after `after`, the part before it, whose failure becomes its own.

        Raises KeyMissing where the content is to be encrypted and there is no key, UploadOffsetMismatch where another
        call has resumed the upload or the part before is lost, and NotFound where it is gone.
        """
        encoded, columns = await off_loop(UNBOUNDED, lambda: self._encoded(upload, part, progress))
        if after is not None:
            await after
        # Bytes outside of Postgres are in no transaction: they must not overwrite those of another call.
        async with self._locks.hold(upload.content.content_id):
            await self._add(upload, part, encoded, columns)

    async def _add(
        self,
        upload: Upload,
        part: ContentPart,
        encoded: EncodedPart,
        progress_columns: dict[str, Any],
    ) -> None:
        if self._parts.location is ContentLocation.OUTSIDE:
            await self._require_next(upload, part)
        in_row = await self._parts.put(_name(upload, part), encoded.data)
        parameters = _part_parameters(upload, part, encoded, progress_columns, in_row)

        async def work(session: Session) -> bool:
            return await session.row(CONTENTS["add_part"], parameters) is not None

        try:
            is_added = await self._database.write(upload.scope, work)
        except UniqueViolation as error:
            if not violates(error, "content_parts_pkey"):
                raise
            is_added = False
        if not is_added:
            state = await self._state(upload, part)
            raise UploadOffsetMismatch(state.held_bytes, part.number * PART_BYTES)

    async def finish(
        self,
        upload: Upload,
        artifact: Artifact,
        request: RequestKey | None,
        *,
        quota_bytes: int | None,
        now: datetime,
    ) -> Written[ArtifactReplay]:
        """Makes the artifact visible, and its chunk found, in one transaction. Bytes that the tenant has already (by
        SHA-256, of the same encryption and, if RESTRICTED, the same agent) are not kept twice; a repeated request gives
        the first record, and its bytes are deleted.

        Raises QuotaExceeded, RequestIdReused, NotFound where the upload is gone, AlreadyExists for the artifact's id,
        KeyMissing, and UploadOffsetMismatch where the parts are not as long as the artifact.
        """
        tenant_id = upload.scope.tenant_id
        finish = FinishRequest(upload, artifact, request, quota_bytes, now)
        parameters = {
            **upload_parameters(upload),
            **self._rows.parameters(tenant_id, artifact),
            "fingerprint": fingerprint(self._keyring, upload.content, artifact),
            "now": now,
        }
        chunk = await new_chunk(tenant_id, artifact, self._keyring, self._embedding)

        async def store(rows: Sequence[NewRow]) -> Finished:
            columns = (await chunk_of(chunk.scope, rows, self._keyring)).parameters
            finished = await write_once(
                lambda: self._database.transaction(
                    whole_tenant(tenant_id),
                    lambda session: finish_upload(session, finish, parameters, columns),
                ),
                COMMITTED_FIRST,
            )
            if finished.revision:
                self._writes.notify(chunk.scope, finished.revision, rows, only_added=True)
            return finished

        try:
            finished = await store_rows(self._writes, chunk.rows, store)
        except UniqueViolation as error:
            if violates(error, "artifacts_pkey"):
                raise AlreadyExists("artifact", artifact.artifact_id) from error
            raise
        await self._removal.try_to_remove(tenant_id, finished.orphaned)
        return finished.answer

    async def discard(self, upload: Upload) -> None:
        """Deletes an upload and its parts. Harmless where it is gone or finished."""
        tenant_id = upload.scope.tenant_id
        orphaned = await self._database.transaction(
            whole_tenant(tenant_id), lambda session: drop_upload(session, upload)
        )
        await self._removal.remove(tenant_id, orphaned)

    def _encoded(
        self, upload: Upload, part: ContentPart, progress: UploadProgress | None
    ) -> tuple[EncodedPart, dict[str, Any]]:
        """Takes milliseconds."""
        name = _name(upload, part) if upload.content.is_encrypted else None
        encoded = self._codec.encode(part.data, name)
        if progress is None:
            return encoded, UNCHANGED_PROGRESS
        return encoded, self._rows.progress(upload, progress)

    async def _require_next(self, upload: Upload, part: ContentPart) -> None:
        """Raises UploadOffsetMismatch where the part is stored already or another call has resumed the upload, NotFound
        where it is gone."""
        state = await self._state(upload, part)
        offset = part.number * PART_BYTES
        if state.has_part or state.held_bytes > offset or state.generation != upload.generation:
            raise UploadOffsetMismatch(state.held_bytes, offset)

    async def _state(self, upload: Upload, part: ContentPart) -> Any:
        """The upload's `held_bytes`, whether it `has_part`, and its `generation`. Raises NotFound."""
        parameters = {**upload_parameters(upload), "number": part.number}
        row = await self._database.record(upload.scope, CONTENTS["state"], parameters)
        if row is None:
            raise NotFound("upload", upload.upload_id)
        return row


@contextmanager
def _existing_upload_refused(upload: Upload) -> Iterator[None]:
    """Raises AlreadyExists where the id has an upload."""
    try:
        yield
    except UniqueViolation as error:
        if not violates(error, "uploads_pkey"):
            raise
        raise AlreadyExists("upload", upload.upload_id) from error


def _name(upload: Upload, part: ContentPart) -> PartName:
    content_id = upload.content.content_id
    return PartName(upload.scope.tenant_id, content_id, part.number, upload.generation)


def _part_parameters(
    upload: Upload, part: ContentPart, encoded: EncodedPart, progress: Parameters, in_row: bytes | None
) -> Parameters:
    """The parameters of `add_part`; without bytes in the row, they are outside."""
    return {
        **upload_parameters(upload),
        **progress,
        "number": part.number,
        "first_line": part.first_line,
        "size": len(part.data),
        "stored_size": len(encoded.data),
        "codec": encoded.codec,
        "part_key_id": encoded.key_id,
        "bytes": in_row,
    }
