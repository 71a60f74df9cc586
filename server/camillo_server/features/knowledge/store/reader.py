"""Reads documents in Postgres."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from camillo_server.features.knowledge.document import (
    Document,
    DocumentFilter,
    DocumentId,
    DocumentKey,
    DocumentReach,
)
from camillo_server.features.knowledge.store.rows import (
    DocumentRows,
    filter_parameters,
    key_parameters,
    reach_parameters,
)
from camillo_server.kernel.errors import BytesLost
from camillo_server.kernel.ids import MemoryId, TenantId
from camillo_server.kernel.off_loop import off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.storage.blocklist import ShortenedText, TextFields, without_forgotten
from camillo_server.storage.database import Database
from camillo_server.storage.encrypted_json import MIN_ENCRYPTED
from camillo_server.storage.statements import statements

SQL = statements("features/knowledge/store/documents")
# A document as it is now, None where there is none, and the ids of its passages.
CurrentDocument = tuple[Document | None, Collection[MemoryId]]


class DocumentReader:
    """Reads the documents of the tenant of a scope. Every method raises StorageUnavailable, KeyMissing, BytesLost."""

    def __init__(self, database: Database, keyring: Keyring) -> None:
        self._database = database
        self._rows = DocumentRows(keyring)

    async def newest(self, scope: Scope, key: DocumentKey) -> CurrentDocument:
        """A document as it is now, and the ids of its passages."""
        parameters = key_parameters(scope.tenant_id, key)
        rows = await self._read(scope, "newest", parameters)
        if not rows:
            return None, ()
        (document,) = await self._rows.documents(scope.tenant_id, rows)
        return document, rows[0].passage_ids

    async def readable(
        self, scope: Scope, key: DocumentKey, version: int | None, reach: DocumentReach
    ) -> Document | None:
        """A version of a document, or its newest; None where there is none within reach."""
        parameters = {
            **key_parameters(scope.tenant_id, key),
            **reach_parameters(reach),
            "version": version,
        }
        documents = await self._documents(scope, "readable", parameters)
        return documents[0] if documents else None

    async def text(self, scope: Scope, document: Document) -> str:
        """The text of a version. Raises BytesLost where it is gone, too."""
        parameters = {
            "tenant_id": scope.tenant_id,
            "document_id": document.document_id,
            "version": document.text_version,
        }
        rows = await self._read(scope, "text", parameters)
        if not rows:
            raise BytesLost("the text of the document is missing")
        return await self._rows.text(scope.tenant_id, document, rows[0])

    async def encoded_text(self, scope: Scope, document: Document, byte_from: int, byte_until: int) -> bytes:
        """A range of the bytes of a version's text in UTF-8, as far as it goes. Raises BytesLost where it is gone,
        too."""
        if document.stated.sensitivity >= MIN_ENCRYPTED:
            text = await self.text(scope, document)
            return await off_loop(len(text) / 64, lambda: text.encode()[byte_from:byte_until])
        parameters = {
            "tenant_id": scope.tenant_id,
            "document_id": document.document_id,
            "version": document.text_version,
            "byte_from": byte_from,
            "size": byte_until - byte_from,
        }
        (row,) = await self._read(scope, "text_bytes", parameters) or (None,)
        if row is None or row.part is None:
            raise BytesLost("the text of the document is missing")
        return bytes(row.part)

    async def without_forgotten(self, shared: Scope, texts: TextFields) -> Mapping[str, ShortenedText]:
        """Returns the texts that contained forgotten sentences, by field, without these."""
        return await without_forgotten(self._database, shared, texts)

    async def page(
        self,
        scope: Scope,
        filter: DocumentFilter,
        reach: DocumentReach,
        after: str,
        size: int,
    ) -> Sequence[Document]:
        """At most `size` documents behind a name, by name."""
        parameters = {**filter_parameters(filter), **reach_parameters(reach)}
        return await self._documents(scope, "page", {**parameters, **_of_page(scope.tenant_id, size), "after": after})

    async def versions(
        self,
        scope: Scope,
        document_id: DocumentId,
        reach: DocumentReach,
        before: int,
        size: int,
    ) -> Sequence[Document]:
        """At most `size` versions below one, the newest first."""
        parameters = {
            **reach_parameters(reach),
            **_of_page(scope.tenant_id, size),
            "document_id": document_id,
            "before": before,
        }
        return await self._documents(scope, "versions", parameters)

    async def _documents(self, scope: Scope, name: str, parameters: dict[str, Any]) -> Sequence[Document]:
        rows = await self._read(scope, name, parameters)
        return await self._rows.documents(scope.tenant_id, rows)

    async def _read(self, scope: Scope, name: str, parameters: dict[str, Any]) -> Sequence[Any]:
        return await self._database.records(scope, SQL[name], parameters)


def _of_page(tenant_id: TenantId, size: int) -> dict[str, Any]:
    return {"tenant_id": tenant_id, "size": size}
