"""The end of an upload: one transaction, after which there is an artifact and no upload under way."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID
from weakref import WeakValueDictionary

from psycopg.errors import UniqueViolation

from camillo_server.artifacts.artifact import Artifact, ArtifactId, ContentId, UploadId
from camillo_server.artifacts.ports import ArtifactReplay, Content, Held, Upload
from camillo_server.artifacts.store.fingerprint import fingerprint
from camillo_server.artifacts.store.orphaned_contents import (
    Condemned,
    ContentRemoval,
    condemn_unused,
)
from camillo_server.artifacts.store.rows import ArtifactRows, secrets_as_json, secrets_from
from camillo_server.artifacts.store.writer import take_room
from camillo_server.crypto.keyring import Keyring
from camillo_server.kernel.clock import remaining_seconds
from camillo_server.kernel.errors import (
    AlreadyExists,
    DeadlineExceeded,
    NotFound,
    UploadOffsetMismatch,
)
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.storage.database import ATTEMPTS, Database, Session
from camillo_server.storage.encrypted_json import JsonPlace, SealedJson
from camillo_server.storage.errors import violates
from camillo_server.storage.requests import PRIMARY_KEY, first_answer, keep_answer
from camillo_server.storage.statements import scope_parameters, statements

PURPOSE = "upload-details"


class UploadRows:
    """Turns uploads into rows and back. What is told of sealed bytes, hashes above all, is sealed as they are."""

    def __init__(self, keyring: Keyring) -> None:
        self._sealed = SealedJson(keyring)

    def held(self, upload: Upload, held: Held) -> dict[str, Any]:
        """How far it has come: `held_bytes` and the columns of the details. Raises KeyMissing."""
        details = {
            "header_digest": upload.header_digest.hex(),
            "held_sha256": held.sha256.hex(),
            "found": secrets_as_json(held.found),
            "counts": dict(held.counts),
        }
        place = _place(upload.scope, upload.upload_id)
        columns = self._sealed.columns(details, place, is_sealed=upload.content.is_sealed)
        return {"held_bytes": held.size, **columns}

    def upload(self, scope: Scope, upload_id: UploadId, row: Sequence[Any]) -> Upload:
        """The upload in a row of the statement `find_upload`. Raises KeyMissing, BytesLost."""
        content_id, size, is_sealed, held_bytes, artifact_id, generation, *columns = row
        details = self._sealed.read(columns, _place(scope, upload_id))
        held = Held(
            held_bytes,
            bytes.fromhex(details["held_sha256"]),
            secrets_from(details["found"]),
            details["counts"],
        )
        # While it is being written nothing but what is held can be read.
        content = Content(scope.tenant_id, ContentId(content_id), size or held_bytes, is_sealed)
        finished = None if artifact_id is None else ArtifactId(artifact_id)
        header_digest = bytes.fromhex(details["header_digest"])
        return Upload(scope, upload_id, content, header_digest, held, finished, generation)


def upload_parameters(upload: Upload) -> dict[str, Any]:
    """The key of an upload, the content that it writes, and the call that does."""
    return {
        **scope_parameters(upload.scope),
        "upload_id": upload.upload_id,
        "content_id": upload.content.content_id,
        "generation": upload.generation,
    }


def _place(scope: Scope, upload_id: UploadId) -> JsonPlace:
    return JsonPlace(scope.tenant_id, PURPOSE, f"{scope.agent_id}\0{upload_id}")


ARTIFACTS = statements("artifacts/store/artifacts")
CONTENTS = statements("artifacts/store/contents")
UPLOADS = statements("artifacts/store/uploads")
# Another transaction was first: its answer, or its content, is there now.
OTHER_WAS_FIRST = (PRIMARY_KEY, "contents_fingerprint_key")


@dataclass(frozen=True, slots=True)
class Finishing:
    """What is to be finished, and how."""

    upload: Upload
    artifact: Artifact
    request: RequestKey | None
    quota_bytes: int | None
    now: datetime


class UploadFinish:
    """Finishes uploads."""

    def __init__(self, database: Database, keyring: Keyring, removal: ContentRemoval) -> None:
        self._database = database
        self._keyring = keyring
        self._rows = ArtifactRows(keyring)
        self._removal = removal

    async def __call__(self, finishing: Finishing) -> Written[ArtifactReplay]:
        parameters = {
            **upload_parameters(finishing.upload),
            **self._rows.parameters(finishing.upload.scope.tenant_id, finishing.artifact),
            "fingerprint": fingerprint(self._keyring, finishing.upload.content, finishing.artifact),
            "now": finishing.now,
        }
        written, condemned = await self._in_turn(finishing, parameters)
        await self._removal.try_to_remove(finishing.upload.scope.tenant_id, condemned)
        return written

    async def _in_turn(
        self, finishing: Finishing, parameters: Mapping[str, Any]
    ) -> tuple[Written[ArtifactReplay], list[Condemned]]:
        """Again from the start wherever another was first."""
        attempt = 1
        while True:
            try:
                return await self._database.transaction(
                    finishing.upload.scope.tenant_id,
                    lambda session: _finish(session, finishing, parameters),
                )
            except UniqueViolation as error:
                if violates(error, "artifacts_pkey"):
                    raise AlreadyExists("artifact", finishing.artifact.artifact_id) from error
                if attempt == ATTEMPTS or error.diag.constraint_name not in OTHER_WAS_FIRST:
                    raise
            attempt += 1


async def drop_upload(session: Session, upload: Upload) -> list[Condemned]:
    """Takes away an upload under way and condemns its content; nothing where it is gone or finished."""
    rows = await session.rows(UPLOADS["drop_upload"], upload_parameters(upload))
    return await condemn_unused(session, upload.scope.tenant_id, [row[0] for row in rows])


async def _finish(
    session: Session, finishing: Finishing, parameters: Mapping[str, Any]
) -> tuple[Written[ArtifactReplay], list[Condemned]]:
    upload, scope = finishing.upload, finishing.upload.scope
    # The scope first, as whoever deletes an agent does: so neither waits for the other in a circle.
    await session.execute(ARTIFACTS["keep_scope"], dict(parameters))
    found = await session.row(UPLOADS["lock_upload"], dict(parameters))
    answer = await first_answer(session, scope, finishing.request, ArtifactReplay, finishing.now)
    if answer is not None:
        return answer, await drop_upload(session, upload)
    if found is None or found[:2] != (upload.content.content_id, None):
        raise NotFound("upload", upload.upload_id)
    if found[2] != upload.generation:
        # Another call has gone on with it meanwhile, and its parts are there.
        raise UploadOffsetMismatch(found[3], finishing.artifact.content.size)
    kept = {**parameters, "kept_content_id": await _kept_content(session, finishing, parameters)}
    await session.execute(ARTIFACTS["insert"], kept)
    await session.execute(UPLOADS["finish_upload"], kept)
    condemned = await condemn_unused(session, scope.tenant_id, [upload.content.content_id])
    written = Written(0, ArtifactReplay(finishing.artifact.artifact_id))
    await keep_answer(session, scope, finishing.request, written, finishing.now)
    return written, condemned


async def _kept_content(
    session: Session, finishing: Finishing, parameters: Mapping[str, Any]
) -> UUID:
    """The content that the tenant has already, locked; or the upload's own, made ready. Raises UniqueViolation where
    another makes the same ready at once."""
    own = finishing.upload.content
    same = await session.row(CONTENTS["lock_same_content"], dict(parameters))
    if same is not None:
        found: UUID = same[0]
        return found
    size = finishing.artifact.content.size
    await take_room(session, own.tenant_id, size, finishing.quota_bytes)
    ready = await session.row(CONTENTS["make_ready"], dict(parameters))
    if ready is None:
        raise NotFound("upload", finishing.upload.upload_id)
    if ready[0] != size:
        # Another call has gone on with the same upload.
        raise UploadOffsetMismatch(ready[0], size)
    return own.content_id


LONGEST_WAIT_SECONDS = 30.0


class UploadTurns:
    """Between looking whether a part is there and storing it, no other call of this process stores one."""

    def __init__(self) -> None:
        self._turns: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def take(self, content_id: UUID) -> AsyncIterator[None]:
        """Raises DeadlineExceeded where the caller's time is up before its turn."""
        turn = self._turns.setdefault(content_id, asyncio.Lock())
        try:
            async with asyncio.timeout(remaining_seconds(LONGEST_WAIT_SECONDS)):
                await turn.acquire()
        except TimeoutError:
            raise DeadlineExceeded from None
        try:
            yield
        finally:
            turn.release()
