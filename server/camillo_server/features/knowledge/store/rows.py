"""Documents as rows: converted to parameters of statements and back."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from camillo_server.features.knowledge.document import (
    Document,
    DocumentDraft,
    DocumentFilter,
    DocumentId,
    DocumentKey,
    DocumentReach,
)
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.off_loop import map_off_loop, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.forgettable import Forgettable
from camillo_server.rows.row import NewRow
from camillo_server.rows.store.rows import ARCHIVED, encrypted_parameters
from camillo_server.storage.encrypted_json import (
    MIN_ENCRYPTED,
    DraftRows,
    EncryptedJson,
    JsonLocation,
)
from camillo_server.storage.statements import json_text, statements

COLUMNS = {"sensitivity": Sensitivity, "categories": tuple, "tags": tuple}
DOCUMENT_TEXTS = ("title", "media_type", "source_url", "provenance")
LAST_CHARACTER = "\U0010ffff"


class DocumentRows:
    """Converts documents to rows and back; what is sensitive is encrypted in the row. Names, categories and tags are
    not: lists look for them."""

    def __init__(self, keyring: Keyring) -> None:
        self._drafts = DraftRows(keyring, DocumentDraft, purpose="document", columns=COLUMNS, texts=DOCUMENT_TEXTS)
        self._json = EncryptedJson(keyring)

    def parameters(self, scope: Scope, document: Document) -> dict[str, Any]:
        """The parameters that store a version, without the revision. Raises KeyMissing."""
        stated = document.stated
        return {
            **self._drafts.parameters(scope, _row_id(document), stated),
            "document_id": document.document_id,
            "name": stated.name,
            "version": document.version,
            "text_version": document.text_version,
            "archived": document.archived,
            "created_at": document.created_at,
            "effective_from": stated.effective_from,
            "effective_until": stated.effective_until,
            "sha256": document.sha256,
            "text_bytes": document.text_bytes,
            "passages": document.passages,
            "credential": document.credential,
            "updated_at": document.updated_at,
        }

    async def text_parameters(self, scope: Scope, document: Document, text: str) -> dict[str, Any]:
        """The parameters that store the text of a version. Raises KeyMissing."""
        location = _text_location(scope.tenant_id, document)
        encrypted = document.stated.sensitivity >= MIN_ENCRYPTED
        columns = await off_loop(
            document.text_bytes / 16 if encrypted else 0.0,
            lambda: self._json.columns({"text": text}, location, encrypted=encrypted),
        )
        return {
            **columns,
            "tenant_id": scope.tenant_id,
            "document_id": document.document_id,
            "version": document.version,
        }

    async def documents(self, tenant_id: TenantId, rows: Sequence[Any]) -> list[Document]:
        """The versions in rows with the columns of the fragment `document_columns`. Raises KeyMissing, BytesLost."""
        return await map_off_loop(partial(self._document, tenant_id), rows)

    async def text(self, tenant_id: TenantId, document: Document, row: Any) -> str:
        """The text in a row of its key and its bytes. Raises KeyMissing, BytesLost."""
        location = _text_location(tenant_id, document)
        columns = (row.details, row.key_id, row.sealed_details)
        text: str = await off_loop(
            document.text_bytes / 16,
            lambda: self._json.read(columns, location)["text"],
        )
        return text

    def _document(self, tenant_id: TenantId, row: Any) -> Document:
        row_id = f"{row.document_id}\0{row.version}"
        stated = self._drafts.draft(
            tenant_id,
            row_id,
            row,
            name=row.name,
            effective_from=row.effective_from,
            effective_until=row.effective_until,
        )
        return Document(
            document_id=DocumentId(row.document_id),
            stated=stated,
            version=row.version,
            text_version=row.text_version,
            sha256=bytes(row.sha256),
            text_bytes=row.text_bytes,
            passages=row.passages,
            archived=row.archived,
            revision=row.revision,
            created_at=row.created_at,
            updated_at=row.updated_at,
            credential=row.credential,
        )


def _row_id(document: Document) -> str:
    return f"{document.document_id}\0{document.version}"


def _text_location(tenant_id: str, document: Document) -> JsonLocation:
    row_id = f"{document.document_id}\0{document.text_version}"
    return JsonLocation.in_scope(tenant_id, "", "document_text", row_id)


def key_parameters(tenant_id: TenantId, key: DocumentKey) -> dict[str, Any]:
    """The parameters of the fragment `named_document`."""
    is_name = isinstance(key, str)
    return {
        "tenant_id": tenant_id,
        "name": key if is_name else None,
        "document_id": None if is_name else key,
    }


def reach_parameters(reach: DocumentReach) -> dict[str, Any]:
    """The parameters of the fragments `readable_version` and `newest_is_readable`."""
    granted = reach.categories
    return {
        "sensitivities": [int(level) for level in reach.sensitivities],
        "granted": None if granted is None else sorted(granted),
    }


def filter_parameters(filter: DocumentFilter) -> dict[str, Any]:
    """The parameters by which the statement `page` filters."""
    return {
        "name_from": filter.name_prefix,
        "name_until": _behind_prefix(filter.name_prefix),
        "archived": ARCHIVED[filter.archived],
        "categories_any": list(filter.categories_any) or None,
        "tags_any": list(filter.tags_any) or None,
    }


def _behind_prefix(prefix: str) -> str | None:
    """The first text, by the order of code points, behind all that begin so; None where there is none."""
    beginning = prefix.rstrip(LAST_CHARACTER)
    if not beginning:
        return None
    code = ord(beginning[-1]) + 1
    return beginning[:-1] + chr(0xE000 if 0xD800 <= code < 0xE000 else code)


def kept_json(scope: Scope, rows: Sequence[NewRow], keyring: Keyring) -> str:
    """A JSON array of chunks whose texts are stored already, as the statement `keep_passages` reads them. Raises
    KeyMissing."""
    return json_text([_kept_columns(scope, row, keyring) for row in rows])


def _kept_columns(scope: Scope, row: NewRow, keyring: Keyring) -> dict[str, Any]:
    memory = row.memory
    columns: dict[str, Any] = {"metadata": dict(memory.metadata), "key_id": "", "sealed": None}
    if memory.sensitivity >= MIN_ENCRYPTED:
        encrypted = encrypted_parameters(scope, row, keyring)
        columns = {name: encrypted[name] for name in columns}
    return {
        **columns,
        "memory_id": memory.memory_id,
        "version": memory.version,
        "occurred_at": memory.occurred_at,
        "tags": memory.tags,
        "sensitivity": memory.sensitivity,
        "expires_at": memory.expires_at,
        "archived": memory.archived,
        "updated_at": memory.updated_at,
        "credential": memory.credential,
    }


FORGETTING = statements("features/knowledge/forgetting")
DOCUMENT_RECORDS = Forgettable(
    "documents", FORGETTING, "document", has_chunks=True, is_cited=True, versions="document_versions"
)
DOCUMENT_TEXT_ROWS = Forgettable(
    "document_texts", FORGETTING, "document_text", own_texts=("text",), part_of="documents"
)
SKILLS = Forgettable("skills", FORGETTING, "skill", own_texts=("text",), versions="skill_versions")
