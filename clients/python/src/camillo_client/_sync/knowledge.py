# Generated from _async/knowledge.py by tools/generate_sync.py: do not edit.
"""Documents of a tenant: published, read, changed and removed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import BinaryIO, TypeAlias, Unpack
from uuid import UUID

from grpc import Channel

from camillo.v1.channel_pb2 import Channel as ChannelNumber
from camillo.v1.knowledge_pb2 import Document
from camillo.v1.knowledge_service_pb2 import (
    ArchiveDocumentRequest,
    ArchiveDocumentResponse,
    DeleteDocumentRequest,
    DeleteDocumentResponse,
    GetDocumentRequest,
    GetDocumentResponse,
    ListDocumentsRequest,
    ListDocumentVersionsRequest,
    PublishDocumentFinish,
    PublishDocumentHeader,
    PublishDocumentRequest,
    PublishDocumentResponse,
    UpdateDocumentResponse,
)
from camillo.v1.knowledge_service_pb2_grpc import KnowledgeServiceStub
from camillo_client._sync.caller import Caller, new_request_id
from camillo_client._sync.calls import Calls
from camillo_client._sync.resumed_streams import wait_after
from camillo_client.artifact_fields import ChannelLike
from camillo_client.call_metadata import SHARED
from camillo_client.convert import to_enum
from camillo_client.document_fields import (
    DocumentChanges,
    DocumentConditions,
    DocumentFields,
    document_filter,
    document_update,
    new_document,
)
from camillo_client.errors import CamilloError, Overloaded, Unavailable
from camillo_client.redactions import warn_of
from camillo_client.revisions import WrittenRevisions

CHUNK_BYTES = 256 * 1024
# A text is its bytes in UTF-8; a path is that of a file.
DocumentSource: TypeAlias = str | bytes | os.PathLike[str] | BinaryIO


class Documents(Caller):
    """Whoever publishes, changes or removes documents needs a key that reaches every agent. `timeout` applies to that
    call in place of the client's own. Failed calls raise CamilloError."""

    def __init__(self, channel: Channel, calls: Calls, written: WrittenRevisions, agent_id: str) -> None:
        super().__init__(calls, written, agent_id)
        self._knowledge = KnowledgeServiceStub(channel)

    def publish(
        self,
        name: str,
        content: DocumentSource,
        *,
        expected_version: int | None = None,
        omit_forgotten: bool = False,
        request_id: str | None = None,
        timeout: float | None = None,
        **fields: Unpack[DocumentFields],
    ) -> PublishDocumentResponse:
        """Stores a document, or the next version of the one of this name; the same once more stores nothing. Sends it
        again where the connection breaks. See DocumentFields for the rest; there is no timeout unless given."""
        header = PublishDocumentHeader(
            request_id=request_id or new_request_id(),
            document=new_document(name, **fields),
            expected_version=expected_version,
            omit_forgotten=omit_forgotten,
        )
        data = _bytes_of(content)
        ticket = self._written.begin(SHARED)
        answer = self._sent(header, data, timeout)
        self._written.wrote(ticket, answer.shared_revision, repeatable=bool(request_id))
        warn_of(answer.redactions)
        return answer

    def get(
        self,
        name: str,
        *,
        version: int | None = None,
        channel: ChannelLike | None = None,
        omit_text: bool = False,
        byte_from: int = 0,
        byte_until: int = 0,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> GetDocumentResponse:
        """A document by its name or its id, the newest version unless another is given, with its text or these bytes of
        it."""
        request = GetDocumentRequest(
            agent_id=self._agent(agent_id),
            version=version,
            channel=to_enum(ChannelNumber, channel or 0),
            omit_text=omit_text,
            byte_from=byte_from,
            byte_until=byte_until,
        )
        if is_id(name):
            request.document_id = name
        else:
            request.name = name
        return self._calls.unary(self._knowledge.GetDocument, request, timeout)

    def list(
        self,
        *,
        channel: ChannelLike | None = None,
        page_size: int = 0,
        agent_id: str | None = None,
        timeout: float | None = None,
        **conditions: Unpack[DocumentConditions],
    ) -> Generator[Document]:
        """Documents that pass all conditions, by name; the timeout applies to each page."""
        request = ListDocumentsRequest(
            agent_id=self._agent(agent_id),
            filter=document_filter(**conditions),
            page_size=page_size,
            channel=to_enum(ChannelNumber, channel or 0),
        )
        pages = self._calls.pages(lambda page: self._calls.unary(self._knowledge.ListDocuments, page, timeout), request)
        for page in pages:
            for document in page.documents:
                yield document

    def versions(
        self,
        document_id: str,
        *,
        channel: ChannelLike | None = None,
        page_size: int = 0,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Generator[Document]:
        """The versions of a document without their texts, the newest first; the timeout applies to each page."""
        request = ListDocumentVersionsRequest(
            agent_id=self._agent(agent_id),
            document_id=document_id,
            page_size=page_size,
            channel=to_enum(ChannelNumber, channel or 0),
        )
        pages = self._calls.pages(
            lambda page: self._calls.unary(self._knowledge.ListDocumentVersions, page, timeout),
            request,
        )
        for page in pages:
            for document in page.versions:
                yield document

    def update(
        self,
        document_id: str,
        expected_version: int,
        *,
        request_id: str | None = None,
        timeout: float | None = None,
        **changes: Unpack[DocumentChanges],
    ) -> UpdateDocumentResponse:
        """Says something else about a document, in a version of its own. See DocumentChanges for the rest."""
        request = document_update(document_id, expected_version, **changes)
        request.request_id = request_id or new_request_id()
        ticket = self._written.begin(SHARED)
        answer = self._calls.unary(self._knowledge.UpdateDocument, request, timeout)
        self._written.wrote(ticket, answer.shared_revision, repeatable=bool(request_id))
        warn_of(answer.redactions)
        return answer

    def archive(
        self,
        document_id: str,
        *,
        restore: bool = False,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> ArchiveDocumentResponse:
        """Takes a document out of what is found, or back into it."""
        request = ArchiveDocumentRequest(
            request_id=request_id or new_request_id(), document_id=document_id, restore=restore
        )
        ticket = self._written.begin(SHARED)
        answer = self._calls.unary(self._knowledge.ArchiveDocument, request, timeout)
        self._written.wrote(ticket, answer.shared_revision, repeatable=bool(request_id))
        return answer

    def delete(
        self,
        document_id: str,
        *,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> DeleteDocumentResponse:
        """Removes a document with every version."""
        request = DeleteDocumentRequest(request_id=request_id or new_request_id(), document_id=document_id)
        ticket = self._written.begin(SHARED)
        answer = self._calls.unary(self._knowledge.DeleteDocument, request, timeout)
        self._written.wrote(ticket, answer.shared_revision, repeatable=bool(request_id))
        return answer

    def _sent(self, header: PublishDocumentHeader, data: bytes, timeout: float | None) -> PublishDocumentResponse:
        failures = 0
        while True:
            try:
                return self._calls.upload(self._knowledge.PublishDocument, _messages(header, data), timeout)
            except (Unavailable, Overloaded) as error:
                error.request_id = header.request_id
                failures += 1
                wait_after(self._calls, error, failures)
            except CamilloError as error:
                error.request_id = header.request_id
                raise


def _messages(header: PublishDocumentHeader, data: bytes) -> Iterator[PublishDocumentRequest]:
    yield PublishDocumentRequest(header=header)
    for start in range(0, len(data), CHUNK_BYTES):
        yield PublishDocumentRequest(data=data[start : start + CHUNK_BYTES])
    yield PublishDocumentRequest(finish=PublishDocumentFinish(sha256=hashlib.sha256(data).digest()))


def _bytes_of(content: DocumentSource) -> bytes:
    if isinstance(content, str):
        return content.encode()
    if isinstance(content, bytes):
        return content
    if isinstance(content, os.PathLike):
        return Path(content).read_bytes()
    return content.read()


def is_id(name: str) -> bool:
    """Whether this is the id of a document, and no name."""
    try:
        return str(UUID(name)) == name
    except ValueError:
        return False
