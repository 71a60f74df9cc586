"""PublishDocument: reads what was sent, takes secrets out, and stores the next version with its passages."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from camillo_formats.markdown import TRAIL_SEPARATOR

from camillo_server.features.knowledge.conversion.document import MAX_TITLE_CHARACTERS, ReadingLimits
from camillo_server.features.knowledge.conversion.read_document import read_document
from camillo_server.features.knowledge.document import (
    EVERY_DOCUMENT,
    Document,
    DocumentDraft,
    DocumentId,
    DocumentReplay,
    Publication,
)
from camillo_server.features.knowledge.passage_rows import passage_rows
from camillo_server.features.knowledge.passages.passages import split_document
from camillo_server.features.knowledge.store.reader import CurrentDocument, DocumentReader
from camillo_server.features.knowledge.store.writer import DocumentMoved, DocumentWriter, NewVersion
from camillo_server.kernel.clock import Clock, time_ordered_uuid
from camillo_server.kernel.errors import DocumentUnreadable, NotFound, VersionConflict
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.off_loop import ROW, off_loop
from camillo_server.kernel.scope import Scope, shared_scope
from camillo_server.kernel.writes import Written
from camillo_server.lib.redaction.redaction import (
    Redaction,
    Redactor,
    redacted_draft_off_loop,
)
from camillo_server.lib.text.json_lines import texts_of
from camillo_server.models.embedding.text_embedding import TextEmbedding
from camillo_server.rows.store.inserts import with_vectors
from camillo_server.settings.sections import KnowledgeSettings
from camillo_server.storage.blocklist import OmittedText, offset_in
from camillo_server.storage.encrypted_json import MIN_ENCRYPTED

MAX_PASSAGES = 20_000
# Fields that `redacted_draft` does not look at in any draft.
REDACTED = ("title", "source_url")
TEXT = "text"


@dataclass(frozen=True, slots=True)
class StatedVersion:
    """The next version of a document, with every default filled in. `sha256` is None where the text is that of the
    version before."""

    draft: DocumentDraft
    text: str
    sha256: bytes | None
    texts: Mapping[str, str]
    credential: str


async def prepared_version(
    stated: StatedVersion,
    base: Document | None,
    stored_ids: Collection[MemoryId],
    now: datetime,
) -> NewVersion:
    """The version behind `base`. Raises DocumentUnreadable where it has too many passages."""
    number = base.version + 1 if base else 1
    has_new_text = base is None or stated.sha256 is not None or _crosses_encryption(stated, base)
    document = Document(
        document_id=base.document_id if base else DocumentId(time_ordered_uuid(now)),
        stated=stated.draft,
        version=number,
        text_version=number if base is None or has_new_text else base.text_version,
        sha256=stated.sha256 or (base.sha256 if base else b""),
        text_bytes=len(stated.text.encode()),
        passages=0,
        archived=base is not None and base.archived,
        revision=0,
        created_at=base.created_at if base else now,
        updated_at=now,
        credential=stated.credential,
    )

    passages = await split_document(stated.text, stated.draft.media_type)

    def with_rows() -> NewVersion:
        if len(passages) > MAX_PASSAGES:
            message = f"the document has more than {MAX_PASSAGES} passages"
            raise DocumentUnreadable("too_many_passages", MAX_PASSAGES, message)
        rows, stored = passage_rows(document, passages), set(stored_ids)
        kept = [row for row in rows if row.memory.memory_id in stored]
        return NewVersion(
            document=replace(document, passages=len(rows)),
            base=base,
            text=stated.text if has_new_text else None,
            new=[row for row in rows if row.memory.memory_id not in stored],
            kept=kept,
            gone=sorted(stored - {row.memory.memory_id for row in kept}),
            texts=stated.texts,
        )

    return await off_loop(len(passages) * ROW, with_rows)


async def default_title(text: str, draft: DocumentDraft) -> str:
    """The outermost heading above its first passage that has one, else the last part of its name."""
    passages = await split_document(text, draft.media_type)
    heading = next((each.heading for each in passages if each.heading), "")
    return title_or_name(heading.partition(TRAIL_SEPARATOR)[0].strip(), draft.name)


def title_or_name(title: str, name: str) -> str:
    """The title, cut at its limit, or else the last part of the name."""
    return (title or name.rpartition("/")[2])[:MAX_TITLE_CHARACTERS]


def require_version(base: Document | None, expected: int | None, name: str) -> None:
    """Raises VersionConflict where the document has another version than this; None: any."""
    actual = base.version if base else 0
    if expected is not None and expected != actual:
        raise VersionConflict("document", expected, actual, name=name)


def _crosses_encryption(stated: StatedVersion, base: Document) -> bool:
    """Whether one of the two is encrypted, and the other is not."""
    levels = stated.draft.sensitivity, base.stated.sensitivity
    return len({level >= MIN_ENCRYPTED for level in levels}) > 1


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
        """With an `embedding`, passages are stored with their vectors, but for very many; else vectors follow."""
        self._embedding = embedding
        self._reader = reader
        self._writer = writer
        self._redactor = redactor
        self._limits = ReadingLimits(max_text_bytes=settings.max_text_bytes)
        self._clock = clock

    async def __call__(self, scope: Scope, publication: Publication, credential: str) -> Published:
        """Raises DocumentUnreadable, VersionConflict, ValueRejected, RequestIdReused, KeyMissing, StorageUnavailable;
        NotFound for a repeat where the document was deleted since."""
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
            version = replace(version, new=await with_vectors(self._embedding, version.new, shared))
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
