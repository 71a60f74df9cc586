"""The chunks of every document of a tenant, made again."""

from collections.abc import AsyncGenerator, Sequence
from functools import partial

from camillo_server.features.knowledge.document import EVERY_DOCUMENT, DocumentFilter
from camillo_server.features.knowledge.passage_rows import passage_rows
from camillo_server.features.knowledge.passages.splitting import split_document
from camillo_server.features.knowledge.store.reader import DocumentReader
from camillo_server.kernel.off_loop import ROW, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.rows.row import NewRow
from camillo_server.rows.row_filter import Archived

DOCUMENTS_AT_ONCE = 200
ALL = DocumentFilter(archived=Archived.INCLUDE)


class DocumentChunks:
    """Raises StorageUnavailable, KeyMissing, BytesLost."""

    def __init__(self, reader: DocumentReader) -> None:
        self._reader = reader

    async def chunk_rows(self, scope: Scope) -> AsyncGenerator[Sequence[NewRow], None]:
        """The passages of one document after the other, where this is the tenant's shared scope."""
        after = ""
        while not scope.agent_id:
            page = await self._reader.page(scope, ALL, EVERY_DOCUMENT, after, DOCUMENTS_AT_ONCE)
            for document in page:
                text = await self._reader.text(scope, document)
                passages = await split_document(text, document.stated.media_type)
                cost = len(passages) * ROW
                yield await off_loop(cost, partial(passage_rows, document, passages))
            if len(page) < DOCUMENTS_AT_ONCE:
                return
            after = page[-1].stated.name
