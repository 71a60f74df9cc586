"""Writes of documents: each one transaction at the next revision of the tenant's shared scope."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from psycopg.errors import CheckViolation, NotNullViolation, UniqueViolation

from camillo_server.features.knowledge.document import (
    Document,
    DocumentId,
    DocumentKey,
    DocumentRemovedReplay,
    DocumentReplay,
)
from camillo_server.features.knowledge.store.rows import DocumentRows, kept_json, key_parameters
from camillo_server.kernel.errors import NotFound
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.off_loop import off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.row import NewRow
from camillo_server.rows.store.inserts import (
    CHUNKS_IN_A_STATEMENT,
    chunks_json,
    row_cost,
    rows_with_terms,
    store_chunks,
    store_rows,
    vector_parameters,
)
from camillo_server.rows.store.removal import chunks_of, delete_rows
from camillo_server.storage.blocklist import UNREAD
from camillo_server.storage.database import Session, violates
from camillo_server.storage.encrypted_json import MIN_ENCRYPTED
from camillo_server.storage.group_commit import GroupCommit
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import scope_parameters, statements
from camillo_server.storage.wire import Statement
from camillo_server.storage.written_requests import audit_of, audits_json, request_parameters

SQL = statements("features/knowledge/store/documents")
KEPT_AT_ONCE = 500
# Why a version cannot be stored in one round trip: its request is a repeat, a value is blocked, or the document is
# another.
CONFLICTS = (UniqueViolation, CheckViolation, NotNullViolation)


@dataclass(frozen=True, slots=True)
class NewVersion:
    """A version to be stored behind `base`, None where there is no document of its name. `text` is None where it is
    that of the version before; of its passages `kept` are stored already, and `gone` are stored and in no version any
    more; `texts` are all that its publisher stated, by field."""

    document: Document
    base: Document | None
    text: str | None
    new: Sequence[NewRow]
    kept: Sequence[NewRow]
    gone: Sequence[MemoryId]
    texts: Mapping[str, str]

    @property
    def replay(self) -> DocumentReplay:
        """The record from which a repeated request is answered."""
        document = self.document
        return DocumentReplay(document.document_id, document.version, len(self.kept))


def fits_in_a_statement(version: NewVersion) -> bool:
    """Whether it has few passages, of which none is encrypted or was."""
    levels = [each.stated.sensitivity for each in (version.document, version.base) if each]
    counts = len(version.new), len(version.kept), len(version.gone)
    return max(counts) <= CHUNKS_IN_A_STATEMENT and max(levels) < MIN_ENCRYPTED


async def put_statements(
    shared: Scope, version: NewVersion, keyring: Keyring, now: datetime
) -> tuple[Statement, Statement]:
    """The statements that lock the scope and store the version, without the parameters of its request."""
    key = {**scope_parameters(shared), "now": now}
    # Without marks, Postgres refuses it where any value is blocked: those of a text are many.
    lock = {**key, "writes": 1, "added_memories": 0, "added_terms": 0, "marks": None}
    put = {
        **DocumentRows(keyring).parameters(shared, version.document),
        **key,
        "text": version.text,
        "rows": kept_json(shared, version.kept, keyring),
        "gone": list(version.gone),
        "chunks": f"[{await chunks_json(shared, version.new, keyring)}]",
        **vector_parameters(version.new),
        "audits": audits_json([audit_of(version.replay, now)]),
    }
    return (SQL["lock_scope"], lock), (SQL["put_version"], put)


@dataclass(frozen=True, slots=True)
class PreparedVersion:
    """A version of few passages, and the two statements that store it."""

    version: NewVersion
    lock: Statement
    put: Statement

    @property
    def byte_count(self) -> int:
        """About how large it is."""
        vectors = sum(row.vector.values.nbytes for row in self.version.new if row.vector is not None)
        return len(self.version.text or "") + len(self.put[1]["chunks"]) + vectors


class DocumentMoved(Exception):
    """The document is not what it was when its next version was prepared."""


class DocumentWriter:
    """Writes documents of the tenant's shared scope. A repeated request writes nothing and gets the first record. Every
    method raises StorageUnavailable, RequestIdReused, KeyMissing."""

    def __init__(self, writes: ScopeWrites, keyring: Keyring) -> None:
        self._writes = writes
        self._keyring = keyring
        self._rows = DocumentRows(keyring)
        self._groups = GroupCommit(self._store_group)

    async def first_answer(
        self, shared: Scope, request: RequestKey | None, *, now: datetime
    ) -> Written[DocumentReplay] | None:
        """The first answer to this request, or None."""
        return await self._writes.first_answer(shared, request, DocumentReplay, now)

    async def put(
        self, shared: Scope, version: NewVersion, request: RequestKey | None, *, now: datetime
    ) -> Written[DocumentReplay]:
        """Stores a version with its passages, and takes out those that it has no more. Raises ValueRejected, and
        DocumentMoved where the document is not `base` any more."""
        rows = await rows_with_terms(version.new)

        async def store(rows: Sequence[NewRow]) -> Written[DocumentReplay]:
            return await self._put(shared, replace(version, new=rows), request, now)

        return await store_rows(self._writes, rows, store)

    async def _put(
        self, shared: Scope, version: NewVersion, request: RequestKey | None, now: datetime
    ) -> Written[DocumentReplay]:
        if fits_in_a_statement(version) and shared not in self._writes.known_blocks:
            try:
                return await self._put_at_once(shared, version, request, now)
            except CONFLICTS as error:
                # Postgres refuses the first write to a scope with blocked values.
                if violates(error, UNREAD):
                    self._writes.known_blocks.add(shared)
        return await self._put_step_by_step(shared, version, request, now)

    async def _put_at_once(
        self, shared: Scope, version: NewVersion, request: RequestKey | None, now: datetime
    ) -> Written[DocumentReplay]:
        """Does what `put` does, in one round trip, together with other versions that wait at the same time: others wait
        for the lock of the scope no longer than Postgres works. Raises one of CONFLICTS where that cannot be."""
        lock, put = await put_statements(shared, version, self._keyring, now)
        put[1].update(request_parameters(self._writes.database.keyring, shared, request, version.replay))
        prepared = PreparedVersion(version, lock, put)

        async def store_alone() -> Written[DocumentReplay]:
            (written,) = await self._store_group(shared, [prepared])
            return written

        return await self._groups.write(shared, prepared, prepared.byte_count, store_alone)

    async def _store_group(self, shared: Scope, group: Sequence[PreparedVersion]) -> list[Written[DocumentReplay]]:
        """Stores all of these versions, in their order and each at a revision of its own, or raises where one cannot be
        stored: then none is."""

        async def store(session: Session) -> int:
            pairs = (statement for each in group for statement in (each.lock, each.put))
            (stored,) = (await session.run_together(*pairs)).records()
            return int(stored.revision)

        last = await self._writes.run(shared, store)
        written = [Written(revision, each.version.replay) for revision, each in enumerate(group, last - len(group) + 1)]
        for each, prepared in zip(written, group, strict=True):
            self._writes.notify(shared, each.revision, prepared.version.new)
        return written

    async def _put_step_by_step(
        self, shared: Scope, version: NewVersion, request: RequestKey | None, now: datetime
    ) -> Written[DocumentReplay]:
        document, text = version.document, None
        parameters = self._rows.parameters(shared, document)
        if version.text is not None:
            text = await self._rows.text_parameters(shared, document, version.text)
        kept_rows = await self._kept_rows(shared, version.kept)

        async def change(session: Session, revision: int) -> DocumentReplay:
            await _require_state(session, shared, document.stated.name, version.base)
            values = {**parameters, "revision": revision}
            async with session.pipeline():
                await session.execute(SQL["put_document"], values)
                await session.execute(SQL["insert_version"], values)
                if text is not None:
                    await session.execute(SQL["insert_text"], text)
                for rows in kept_rows:
                    key = {**scope_parameters(shared), "revision": revision}
                    await session.execute(SQL["keep_passages"], {**key, "rows": rows})
            if version.gone:
                await delete_rows(session, shared, version.gone, revision, now)
            if version.new:
                await store_chunks(session, shared, version.new, self._keyring)
            return version.replay

        return await self._writes.write(shared, request, DocumentReplay, change, now, version.new, texts=version.texts)

    async def archive(
        self,
        shared: Scope,
        document_id: DocumentId,
        request: RequestKey | None,
        *,
        archived: bool,
        now: datetime,
    ) -> Written[DocumentReplay]:
        """Takes the passages of a document out of what is found, or back. Raises NotFound."""

        async def change(session: Session, revision: int) -> DocumentReplay:
            state = await _state(session, shared, document_id)
            if state is None:
                raise NotFound("document", document_id)
            values = {
                **scope_parameters(shared),
                "document_id": document_id,
                "archived": archived,
                "revision": revision,
                "now": now,
            }
            await session.execute(SQL["archive"], values)
            changed = await session.execute(SQL["archive_passages"], values)
            return DocumentReplay(document_id, state.version, changed.rowcount)

        return await self._writes.write(shared, request, DocumentReplay, change, now)

    async def delete(
        self,
        shared: Scope,
        document_id: DocumentId,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written[DocumentRemovedReplay]:
        """Removes a document with every version and passage. Raises NotFound."""

        async def change(session: Session, revision: int) -> DocumentRemovedReplay:
            if await _state(session, shared, document_id) is None:
                raise NotFound("document", document_id)
            key = {**scope_parameters(shared), "document_id": document_id}
            (versions,) = await session.only_row(SQL["count_versions"], key)
            passages = await chunks_of(session, shared, [str(document_id)])
            await delete_rows(session, shared, passages, revision, now)
            await session.execute(SQL["delete"], key)
            return DocumentRemovedReplay(document_id, versions, len(passages))

        written = await self._writes.write(shared, request, DocumentRemovedReplay, change, now)
        self._writes.notify_removal(shared)
        return written

    async def _kept_rows(self, shared: Scope, kept: Sequence[NewRow]) -> Sequence[str]:
        parts = []
        for begin in range(0, len(kept), KEPT_AT_ONCE):
            rows = kept[begin : begin + KEPT_AT_ONCE]
            write = partial(kept_json, shared, rows, self._keyring)
            parts.append(await off_loop(sum(map(row_cost, rows)), write))
        return parts


async def _state(session: Session, shared: Scope, key: DocumentKey) -> Any:
    return await session.record(SQL["state"], key_parameters(shared.tenant_id, key))


async def _require_state(session: Session, shared: Scope, name: str, expected: Document | None) -> None:
    """Raises DocumentMoved where the document of the name is another, or there is one, or none any more."""
    state = await _state(session, shared, name)
    if (state and tuple(state)) != (expected and expected.state):
        raise DocumentMoved
