"""Documents of a tenant: read by every agent, changed and removed by those who reach every agent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from camillo_server.features.knowledge.document import (
    EVERY_DOCUMENT,
    Document,
    DocumentFilter,
    DocumentId,
    DocumentKey,
    DocumentReach,
    DocumentRemovedReplay,
    DocumentReplay,
    TextRange,
)
from camillo_server.features.knowledge.publish_document import (
    StatedVersion,
    default_title,
    prepared_version,
    require_version,
)
from camillo_server.features.knowledge.store.reader import DocumentReader
from camillo_server.features.knowledge.store.writer import DocumentMoved, DocumentWriter
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import NotFound, RangePastEnd, invalid_field
from camillo_server.kernel.off_loop import off_loop
from camillo_server.kernel.scope import Scope, shared_scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.lib.redaction.redaction import Redaction, Redactor, redacted_draft_off_loop
from camillo_server.lib.text.characters import begun_character, rest_of_character
from camillo_server.lib.text.json_lines import texts_of

# Fields that `redacted_draft` does not look at in any draft.
REDACTED = ("title", "source_url")
MAX_CHARACTER_BYTES = 4


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """The new values of a document's fields, by the names of the fields."""

    document_id: DocumentId
    expected_version: int
    values: Mapping[str, Any]
    request: RequestKey | None
    credential: str


class TenantDocuments:
    """Documents of the tenant of a scope. Every method raises StorageUnavailable, KeyMissing; reads raise BytesLost,
    writes RequestIdReused."""

    def __init__(self, reader: DocumentReader, writer: DocumentWriter, redactor: Redactor, clock: Clock) -> None:
        self._reader = reader
        self._writer = writer
        self._redactor = redactor
        self._clock = clock

    async def get(self, scope: Scope, key: DocumentKey, version: int | None, reach: DocumentReach) -> Document:
        """A version of a document, or the newest. Raises NotFound, also where it is out of reach."""
        document = await self._reader.readable(scope, key, version, reach)
        if document is None:
            raise _not_found(key)
        return document

    async def text(
        self, scope: Scope, document: Document, byte_from: int, byte_until: int, max_bytes: int
    ) -> TextRange:
        """A part of its text, moved to whole characters and cut at a size; `byte_until` 0: the end. Raises
        RangePastEnd, InvalidField for a range that ends before it begins."""
        if byte_until and byte_until < byte_from:
            raise invalid_field("byte_until", "must not be before byte_from")
        if byte_from > 0 and byte_from >= document.text_bytes:
            raise RangePastEnd("bytes", document.text_bytes)
        until = min(byte_until or document.text_bytes, byte_from + max_bytes, document.text_bytes)
        found = await self._reader.encoded_text(scope, document, byte_from, until + MAX_CHARACTER_BYTES)
        return await off_loop(len(found) / 64, lambda: text_range(found, byte_from, until))

    async def list(
        self, scope: Scope, filter: DocumentFilter, reach: DocumentReach, after: str, size: int
    ) -> Sequence[Document]:
        """At most `size` documents within reach behind a name, by name."""
        return await self._reader.page(scope, filter, reach, after, size)

    async def versions(
        self,
        scope: Scope,
        document_id: DocumentId,
        reach: DocumentReach,
        before: int | None,
        size: int,
    ) -> Sequence[Document]:
        """At most `size` versions within reach below one, the newest first. Raises NotFound where the document is
        not."""
        if before is None:
            newest = await self.get(scope, document_id, None, reach)
            before = newest.version + 1
        return await self._reader.versions(scope, document_id, reach, before, size)

    async def update(self, scope: Scope, change: DocumentChange) -> tuple[Document, int, Sequence[Redaction]]:
        """The version with the new values, and the revision that holds it. Raises NotFound, VersionConflict,
        ValueRejected."""
        now, shared = self._clock.now(), shared_scope(scope)
        first = await self._writer.first_answer(shared, change.request, now=now)
        redactions: Sequence[Redaction] = ()
        while first is None:
            base, stored_ids = await self._reader.newest(shared, change.document_id)
            if base is None:
                raise NotFound("document", change.document_id)
            require_version(base, change.expected_version, base.stated.name)
            draft, redactions = await redacted_draft_off_loop(
                replace(base.stated, **change.values), self._redactor, REDACTED
            )
            text = await self._reader.text(shared, base)
            if not draft.title:
                draft = replace(draft, title=await default_title(text, draft))
            stated = StatedVersion(draft, text, None, texts_of(draft), change.credential)
            version = await prepared_version(stated, base, stored_ids, now)
            try:
                first = await self._writer.put(shared, version, change.request, now=now)
            except DocumentMoved:
                # It was archived meanwhile; another version ends in a conflict.
                continue
        document = await self._answered(shared, first)
        return document, first.revision, redactions

    async def archive(
        self, scope: Scope, document_id: DocumentId, request: RequestKey | None, *, archived: bool
    ) -> tuple[Document, int]:
        """Takes a document out of what is found, or back into it; with the revision of that. Raises NotFound."""
        shared = shared_scope(scope)
        written = await self._writer.archive(shared, document_id, request, archived=archived, now=self._clock.now())
        document = await self._answered(shared, written)
        return replace(document, archived=archived), written.revision

    async def delete(
        self, scope: Scope, document_id: DocumentId, request: RequestKey | None
    ) -> Written[DocumentRemovedReplay]:
        """Removes a document with every version and passage. Raises NotFound."""
        return await self._writer.delete(shared_scope(scope), document_id, request, now=self._clock.now())

    async def _answered(self, shared: Scope, written: Written[DocumentReplay]) -> Document:
        """The version that a write led to. Raises NotFound where it was removed since."""
        record = written.record
        key = DocumentId(record.document_id)
        return await self.get(shared, key, record.version, EVERY_DOCUMENT)


def _not_found(key: DocumentKey) -> NotFound:
    error = NotFound("document", key)
    if isinstance(key, str):
        error.details = {"name": key}
    return error


def text_range(found: bytes, byte_from: int, byte_until: int) -> TextRange:
    """A part of a text in UTF-8 with whole characters: what it would cut at its beginning is left out, and at its end,
    too. `found` are its bytes and those of another character behind them, if there are so many."""
    begin, end = rest_of_character(found), byte_until - byte_from
    end = max(begin, end - begun_character(found[max(0, end - MAX_CHARACTER_BYTES) : end]))
    return TextRange(found[begin:end].decode(), byte_from + begin, byte_from + end)
