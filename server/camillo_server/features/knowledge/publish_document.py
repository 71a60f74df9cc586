"""PublishDocument: reads what was sent, takes secrets out, and stores the next version with its passages."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from camillo_server.features.knowledge.conversion.document import ReadingLimits
from camillo_server.features.knowledge.conversion.read_document import read_document
from camillo_server.features.knowledge.document import (
    EVERY_DOCUMENT,
    Document,
    DocumentDraft,
    DocumentId,
    DocumentReplay,
    Publication,
)
from camillo_server.features.knowledge.new_version import (
    StatedVersion,
    prepared_version,
    require_version,
    title_or_name,
)
from camillo_server.features.knowledge.passage_vectors import with_vectors
from camillo_server.features.knowledge.store.reader import CurrentDocument, DocumentReader
from camillo_server.features.knowledge.store.writer import DocumentMoved, DocumentWriter
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import NotFound
from camillo_server.kernel.off_loop import off_loop
from camillo_server.kernel.scope import Scope, shared_scope
from camillo_server.kernel.writes import Written
from camillo_server.lib.redaction.redaction import (
    Redaction,
    Redactor,
    redacted_draft_off_loop,
)
from camillo_server.lib.text.json_lines import texts_of
from camillo_server.models.embedding.text_embedding import TextEmbedding
from camillo_server.settings.knowledge import KnowledgeSettings
from camillo_server.storage.blocklist import OmittedText, offset_in

# Fields that `redacted_draft` does not look at in any draft.
REDACTED = ("title", "source_url")
TEXT = "text"


@dataclass(frozen=True, slots=True)
class Published:
    """The version that is stored, and the revision that holds it; `kept` passages kept their vectors."""

    document: Document
    revision: int
    is_unchanged: bool = False
    kept: int = 0
    redactions: Sequence[Redaction] = ()
    omitted: Sequence[OmittedText] = ()


@dataclass(frozen=True, slots=True)
class CleanDocument:
    """A document as it was sent, without secrets and, on request, without forgotten sentences; every default is filled
    in."""

    draft: DocumentDraft
    text: str
    redactions: Sequence[Redaction]
    omitted: Sequence[OmittedText]


class PublishDocument:
    """Stores documents whole: what is read of one is never there in part."""

    def __init__(
        self,
        reader: DocumentReader,
        writer: DocumentWriter,
        redactor: Redactor,
        settings: KnowledgeSettings,
        clock: Clock,
        embedding: TextEmbedding | None,
    ) -> None:
        """With an `embedding`, few passages are stored with their vectors; else vectors follow."""
        self._embedding = embedding
        self._reader = reader
        self._writer = writer
        self._redactor = redactor
        self._limits = ReadingLimits(max_text_bytes=settings.max_text_bytes)
        self._clock = clock

    async def __call__(self, scope: Scope, publication: Publication, credential: str) -> Published:
        """Raises DocumentUnreadable, VersionConflict, ValueRejected, RequestIdReused, KeyMissing, StorageUnavailable; NotFound for
        a repeat where the document was deleted since."""
        now, shared = self._clock.now(), shared_scope(scope)
        draft, redactions = await redacted_draft_off_loop(publication.draft, self._redactor, REDACTED)
        first = await self._writer.first_answer(shared, publication.request, now=now)
        current: CurrentDocument = None, ()
        if first is None:
            current = await self._reader.newest(shared, draft.name)
            base, _ = current
            require_version(base, publication.expected_version, draft.name)
            if base is not None and _says_the_same(base, draft, publication.sha256):
                return Published(base, base.revision, is_unchanged=True, redactions=redactions)
        cleaned = await self._cleaned(shared, publication, draft, redactions)
        if first is None:
            return await self._put(shared, publication, cleaned, credential, current)
        return await self._answered(shared, first, cleaned)

    async def _put(
        self,
        shared: Scope,
        publication: Publication,
        cleaned: CleanDocument,
        credential: str,
        current: CurrentDocument,
    ) -> Published:
        """Publishes the version after the one that is there; `current` is what was there before the text was read."""
        draft, now = cleaned.draft, self._clock.now()
        stated = StatedVersion(
            draft=draft,
            text=cleaned.text,
            sha256=publication.sha256,
            texts={**texts_of(draft), TEXT: cleaned.text},
            credential=credential,
        )
        while True:
            base, stored_ids = current
            require_version(base, publication.expected_version, draft.name)
            if base is not None and _says_the_same(base, draft, publication.sha256):
                return Published(base, base.revision, is_unchanged=True, redactions=cleaned.redactions)
            version = await prepared_version(stated, base, stored_ids, now)
            version = replace(version, new=await with_vectors(self._embedding, version.new))
            try:
                written = await self._writer.put(shared, version, publication.request, now=now)
            except DocumentMoved:
                # Somebody else published it meanwhile.
                current = await self._reader.newest(shared, draft.name)
                continue
            if written.is_repeat:
                return await self._answered(shared, written, cleaned)
            return Published(
                document=version.document,
                revision=written.revision,
                kept=written.record.kept,
                redactions=cleaned.redactions,
                omitted=cleaned.omitted,
            )

    async def _answered(self, shared: Scope, first: Written[DocumentReplay], cleaned: CleanDocument) -> Published:
        """The first answer to a request, once more."""
        record = first.record
        document = await self._reader.readable(shared, DocumentId(record.document_id), record.version, EVERY_DOCUMENT)
        if document is None:
            raise NotFound("document", record.document_id)
        return Published(
            document=document,
            revision=first.revision,
            kept=record.kept,
            redactions=cleaned.redactions,
            omitted=cleaned.omitted,
        )

    async def _cleaned(
        self,
        shared: Scope,
        publication: Publication,
        draft: DocumentDraft,
        redactions: Sequence[Redaction],
    ) -> CleanDocument:
        read = await read_document(publication.content, draft.media_type, draft.name, self._limits)
        text, found = await off_loop(len(read.text), lambda: self._redactor.redact(read.text))
        title, _ = self._redactor.redact(read.title.strip())
        omitted: Sequence[OmittedText] = ()
        offsets = {each: each.offset for each in found}
        if publication.omit_forgotten:
            shortened = await self._reader.without_forgotten(shared, {TEXT: text})
            if TEXT in shortened:
                omitted, text = shortened[TEXT].omitted(TEXT), shortened[TEXT].text
                moved = {each: offset_in(shortened, TEXT, each.offset) for each in found}
                offsets = {each: at for each, at in moved.items() if at is not None}
        in_text = [Redaction(TEXT, each.kind, at) for each, at in offsets.items()]
        return CleanDocument(
            draft=replace(
                draft,
                # A heading that was forgotten is no title.
                title=draft.title or title_or_name(title if title in text else "", draft.name),
                media_type=draft.media_type or read.media_type,
            ),
            text=text,
            redactions=[*redactions, *in_text],
            omitted=omitted,
        )


def _says_the_same(base: Document, draft: DocumentDraft, sha256: bytes) -> bool:
    """Whether the same bytes are sent again with the same header. A title or media type that is left out is as it
    was."""
    stated = base.stated
    filled = replace(draft, title=draft.title or stated.title, media_type=draft.media_type or stated.media_type)
    return sha256 == base.sha256 and filled == stated
