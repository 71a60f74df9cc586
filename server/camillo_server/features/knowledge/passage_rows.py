"""Passages of documents as chunks, by which a search finds them."""

from collections import Counter
from collections.abc import AsyncGenerator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from uuid import UUID

from camillo_server.features.knowledge.document import EVERY_DOCUMENT, Document, DocumentFilter
from camillo_server.features.knowledge.passages.passages import DocumentPassage, split_document
from camillo_server.features.knowledge.store.reader import DocumentReader
from camillo_server.kernel.ids import AgentId, MemoryId
from camillo_server.kernel.kinds import ChunkKind, Scalar
from camillo_server.kernel.off_loop import ROW, off_loop
from camillo_server.kernel.scope import Scope, TrustLevel
from camillo_server.rows.row import NewRow, Row
from camillo_server.rows.row_filter import CATEGORY_PREFIX, Archived
from camillo_server.storage.encrypted_json import MIN_ENCRYPTED

IMPORTANCE_OF_PASSAGES = 0.5
_LOW_BITS = 2**62 - 1
DOCUMENTS_AT_ONCE = 200
ALL = DocumentFilter(archived=Archived.INCLUDE)


def passage_rows(document: Document, passages: Sequence[DocumentPassage]) -> list[NewRow]:
    """The chunk of each passage. A passage with the same text under the same headings has the same id in every version,
    so that its vector is kept, unless one version is encrypted and the other is not."""
    seen = Counter[str]()
    rows = []
    for index, passage in enumerate(passages):
        rows.append(_row(document, passage, index, seen[passage.text]))
        seen[passage.text] += 1
    return rows


def passage_id(document: Document, content: str, occurrence: int) -> MemoryId:
    """A UUID version 8 (RFC 9562): the first half is that of the document, the second a digest of the document, the
    text, and how many passages before it say the same."""
    is_encrypted = document.stated.sensitivity >= MIN_ENCRYPTED
    digest = sha256(document.document_id.bytes + sha256(content.encode()).digest())
    digest.update(b"%d %d" % (occurrence, is_encrypted))
    high = document.document_id.int >> 64 & ~(0xF << 12) | 0x8 << 12
    low = int.from_bytes(digest.digest()[:8], "big") & _LOW_BITS
    return MemoryId(UUID(int=high << 64 | 0b10 << 62 | low))


def _row(document: Document, passage: DocumentPassage, index: int, occurrence: int) -> NewRow:
    stated = document.stated
    categories = [f"{CATEGORY_PREFIX}{each}" for each in stated.categories]
    return NewRow(
        Row(
            memory_id=passage_id(document, passage.text, occurrence),
            agent_id=AgentId(""),
            content=passage.text,
            kind=ChunkKind.PASSAGE,
            session_id="",
            occurred_at=stated.effective_from or document.updated_at,
            tags=(*stated.tags, *categories),
            sensitivity=stated.sensitivity,
            importance=IMPORTANCE_OF_PASSAGES,
            metadata=_citation(document, passage, index),
            expires_at=stated.effective_until,
            pinned=False,
            archived=document.archived,
            version=document.version,
            source_refs=(str(document.document_id),),
            created_at=document.created_at,
            updated_at=document.updated_at,
            vector_model_id="",
            trust_level=TrustLevel.TOOL,
            credential=document.credential,
        ),
        vector=None,
    )


def _citation(document: Document, passage: DocumentPassage, index: int) -> Mapping[str, Scalar]:
    stated = document.stated
    citation: dict[str, Scalar] = {
        "document": stated.name,
        "title": stated.title,
        "version": document.version,
        "heading": passage.heading,
        "byte_from": passage.byte_from,
        "byte_until": passage.byte_until,
        "place": index,
    }
    if stated.source_url:
        citation["source_url"] = stated.source_url
    return citation


async def document_chunks(reader: DocumentReader, scope: Scope) -> AsyncGenerator[Sequence[NewRow]]:
    """The passages of one document after the other, where this is the tenant's shared scope. Raises StorageUnavailable,
    KeyMissing, BytesLost."""
    after = ""
    while not scope.agent_id:
        page = await reader.page(scope, ALL, EVERY_DOCUMENT, after, DOCUMENTS_AT_ONCE)
        for document in page:
            text = await reader.text(scope, document)
            passages = await split_document(text, document.stated.media_type)
            yield await off_loop(len(passages) * ROW, partial(passage_rows, document, passages))
        if len(page) < DOCUMENTS_AT_ONCE:
            return
        after = page[-1].stated.name
