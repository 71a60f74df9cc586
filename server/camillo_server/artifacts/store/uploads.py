"""Uploads: parts that are durable one by one, and an artifact that appears with all of them or not at all.

A process may end between any two steps. What it leaves is an upload under way, or a content that is condemned: nobody
sees either, and the collector removes both.
"""

from collections.abc import Awaitable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from psycopg.errors import UniqueViolation

from camillo_server.artifacts.artifact import Artifact, UploadId
from camillo_server.artifacts.contents.object_parts import ObjectParts
from camillo_server.artifacts.contents.part_codec import EncodedPart, PartCodec
from camillo_server.artifacts.contents.part_names import PartName
from camillo_server.artifacts.ports import PART_BYTES, ArtifactReplay, ContentPart, Held, Upload
from camillo_server.artifacts.store.contents import ContentPlaces, Place
from camillo_server.artifacts.store.orphaned_contents import ContentRemoval, condemn_unused
from camillo_server.artifacts.store.upload_finish import (
    Finishing,
    UploadFinish,
    UploadRows,
    UploadTurns,
    drop_upload,
    upload_parameters,
)
from camillo_server.artifacts.store.writer import require_room
from camillo_server.crypto.keyring import Keyring
from camillo_server.kernel.errors import AlreadyExists, NotFound, UploadOffsetMismatch
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.storage.database import Database, Session
from camillo_server.storage.errors import violates
from camillo_server.storage.requests import first_answer
from camillo_server.storage.statements import scope_parameters, statements

UPLOADS = statements("artifacts/store/uploads")
CONTENTS = statements("artifacts/store/contents")
LIFETIME = timedelta(hours=24)
NO_HELD = {"held_bytes": None, "key_id": None, "details": None, "sealed_details": None}


class PostgresUploads:
    """`Uploads` on Postgres, the bytes there or in a store of objects."""

    def __init__(
        self,
        database: Database,
        codec: PartCodec,
        keyring: Keyring,
        objects: ObjectParts | None,
    ) -> None:
        self._database = database
        self._codec = codec
        self._rows = UploadRows(keyring)
        self._places = ContentPlaces(objects)
        self._turns = UploadTurns()
        self._removal = ContentRemoval(database, self._places)
        self._finishing = UploadFinish(database, keyring, self._removal)

    async def begin(self, upload: Upload, *, quota_bytes: int | None, now: datetime) -> None:
        parameters = {
            **upload_parameters(upload),
            **self._rows.held(upload, upload.held),
            "is_sealed": upload.content.is_sealed,
            "place": int(self._places.of_new_parts),
            "begun_by": now - LIFETIME,
            "now": now,
        }

        async def work(session: Session) -> None:
            await require_room(session, upload.scope.tenant_id, quota_bytes)
            old = await session.rows(UPLOADS["drop_old_upload"], parameters)
            await condemn_unused(session, upload.scope.tenant_id, [row[0] for row in old])
            async with session.pipeline():
                await session.execute(CONTENTS["begin_content"], parameters)
                await session.execute(UPLOADS["begin_upload"], parameters)

        try:
            await self._database.transaction(upload.scope.tenant_id, work)
        except UniqueViolation as error:
            if not violates(error, "uploads_pkey"):
                raise
            raise AlreadyExists("upload", upload.upload_id) from error

    async def find(self, scope: Scope, upload_id: UploadId, *, now: datetime) -> Upload:
        parameters = {
            **scope_parameters(scope),
            "upload_id": upload_id,
            "begun_after": now - LIFETIME,
        }

        async def work(session: Session) -> tuple[Any, ...] | None:
            return await session.row(UPLOADS["find_upload"], parameters)

        row = await self._database.read(scope.tenant_id, work)
        if row is None:
            raise NotFound("upload", upload_id)
        return self._rows.upload(scope, upload_id, row)

    async def go_on(self, upload: Upload) -> Upload:
        parameters = {
            **upload_parameters(upload),
            "number": upload.held.size // PART_BYTES,
            "place": int(self._places.of_new_parts),
        }

        async def work(session: Session) -> Upload:
            found = await session.row(UPLOADS["lock_upload"], parameters)
            if found is None or found[:2] != (upload.content.content_id, None):
                raise NotFound("upload", upload.upload_id)
            held_bytes, _, _ = await session.only_row(UPLOADS["state"], parameters)
            if held_bytes != upload.held.size:
                # Another call has gone on with it meanwhile, and needs the parts that it added.
                raise UploadOffsetMismatch(held_bytes, upload.held.size)
            await session.execute(CONTENTS["drop_parts_from"], parameters)
            # The server may have been told of another place meanwhile.
            await session.execute(CONTENTS["set_place"], parameters)
            (generation,) = await session.only_row(UPLOADS["next_generation"], parameters)
            return replace(upload, generation=generation)

        return await self._database.transaction(upload.scope.tenant_id, work)

    async def add_part(
        self,
        upload: Upload,
        part: ContentPart,
        held: Held | None,
        *,
        after: Awaitable[object] | None = None,
    ) -> None:
        """Beside what the port says it raises UploadOffsetMismatch where another call has gone on with the upload,
        and NotFound where it is gone."""
        encoded, held_columns = await off_loop(UNBOUNDED, lambda: self._packed(upload, part, held))
        if after is not None:
            await after
        # What is outside is in no transaction: nothing is to be put in the place of another call's part.
        async with self._turns.take(upload.content.content_id):
            await self._add(upload, part, encoded, held_columns)

    async def _add(
        self, upload: Upload, part: ContentPart, encoded: EncodedPart, held_columns: dict[str, Any]
    ) -> None:
        name = _name(upload, part)
        if self._places.of_new_parts is Place.OUTSIDE:
            await self._require_next(upload, part)
        in_row = await self._places.put(name, encoded.data)
        parameters = {
            **upload_parameters(upload),
            **held_columns,
            "number": part.number,
            "first_line": part.first_line,
            "size": len(part.data),
            "stored_size": len(encoded.data),
            "codec": encoded.codec,
            "part_key_id": encoded.key_id,
            "bytes": in_row,
        }

        async def work(session: Session) -> bool:
            return await session.row(CONTENTS["add_part"], parameters) is not None

        try:
            is_added = await self._database.write(upload.scope.tenant_id, work)
        except UniqueViolation as error:
            if not violates(error, "content_parts_pkey"):
                raise
            is_added = False
        if not is_added:
            held_bytes, *_ = await self._state(upload, part)
            raise UploadOffsetMismatch(held_bytes, part.number * PART_BYTES)

    async def finish(
        self,
        upload: Upload,
        artifact: Artifact,
        request: RequestKey | None,
        *,
        quota_bytes: int | None,
        now: datetime,
    ) -> Written[ArtifactReplay]:
        """Beside what the port says it raises AlreadyExists for the artifact's id, KeyMissing, and
        UploadOffsetMismatch where the parts are not as long as the artifact."""
        return await self._finishing(Finishing(upload, artifact, request, quota_bytes, now))

    async def first_answer(
        self, scope: Scope, request: RequestKey | None, *, now: datetime
    ) -> Written[ArtifactReplay] | None:
        return await self._database.write(
            scope.tenant_id,
            lambda session: first_answer(session, scope, request, ArtifactReplay, now),
        )

    async def discard(self, upload: Upload) -> None:
        tenant_id = upload.scope.tenant_id
        condemned = await self._database.transaction(
            tenant_id, lambda session: drop_upload(session, upload)
        )
        await self._removal.remove(tenant_id, condemned)

    def _packed(
        self, upload: Upload, part: ContentPart, held: Held | None
    ) -> tuple[EncodedPart, dict[str, Any]]:
        """Takes milliseconds."""
        name = _name(upload, part)
        encoded = self._codec.encode(part.data, name if upload.content.is_sealed else None)
        return encoded, NO_HELD if held is None else self._rows.held(upload, held)

    async def _require_next(self, upload: Upload, part: ContentPart) -> None:
        """Raises UploadOffsetMismatch where the upload has come further than to this part, or another call has gone on with
        it, NotFound where it is gone."""
        held_bytes, is_there, generation = await self._state(upload, part)
        offset = part.number * PART_BYTES
        if is_there or held_bytes > offset or generation != upload.generation:
            raise UploadOffsetMismatch(held_bytes, offset)

    async def _state(self, upload: Upload, part: ContentPart) -> tuple[int, bool, int]:
        """How far the upload has come, whether it has this part, and its generation. Raises NotFound."""
        parameters = {**upload_parameters(upload), "number": part.number}

        async def work(session: Session) -> tuple[Any, ...] | None:
            return await session.row(UPLOADS["state"], parameters)

        row = await self._database.read(upload.scope.tenant_id, work)
        if row is None:
            raise NotFound("upload", upload.upload_id)
        held_bytes, is_there, generation = row
        return held_bytes, is_there, generation


def _name(upload: Upload, part: ContentPart) -> PartName:
    content_id = upload.content.content_id
    return PartName(upload.scope.tenant_id, content_id, part.number, upload.generation)
