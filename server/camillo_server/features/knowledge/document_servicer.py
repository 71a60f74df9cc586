"""The methods of KnowledgeService for documents: converts, calls the use case, converts back."""

from collections.abc import AsyncIterator
from typing import Any

from camillo.v1 import knowledge_service_pb2 as service

from camillo_server.doors.rpc import tokens
from camillo_server.doors.rpc.call import Call, CallReader, principal, scope_of
from camillo_server.doors.rpc.field_limits import stated_or_default
from camillo_server.doors.rpc.fields import omitted_messages, redaction_messages_off_loop
from camillo_server.doors.rpc.page_tokens import RESPONSE_BYTES, list_binding
from camillo_server.features.knowledge import messages as requests
from camillo_server.features.knowledge.documents import DocumentChange, TenantDocuments
from camillo_server.features.knowledge.messages import Uploads, document_message
from camillo_server.features.knowledge.publish_document import PublishDocument
from camillo_server.kernel.channel import ChannelPolicy
from camillo_server.kernel.scope import shared_scope

MAX_NAMED_REDACTIONS = 1_000


class DocumentServicer:
    """All but reads are for credentials that reach every agent."""

    def __init__(
        self,
        documents: TenantDocuments,
        publish: PublishDocument,
        uploads: Uploads,
        calls: CallReader,
        policy: ChannelPolicy,
    ) -> None:
        self._documents = documents
        self._publish = publish
        self._uploads = uploads
        self._calls = calls
        self._policy = policy

    async def PublishDocument(
        self, request_iterator: AsyncIterator[service.PublishDocumentRequest], context: Any
    ) -> service.PublishDocumentResponse:
        caller = principal()
        caller.require_agent(None)
        shared = shared_scope(scope_of(""))
        async with self._uploads.received(aiter(request_iterator)) as publication:
            published = await self._publish(shared, publication, caller.credential)
        return service.PublishDocumentResponse(
            document=document_message(published.document),
            shared_revision=self._calls.revisions.revision(shared, published.revision),
            unchanged=published.is_unchanged,
            passages_kept=published.kept,
            redactions=await redaction_messages_off_loop(published.redactions[:MAX_NAMED_REDACTIONS]),
            omitted=omitted_messages(published.omitted),
        )

    async def GetDocument(self, request: service.GetDocumentRequest, context: Any) -> service.GetDocumentResponse:
        call = await self._calls.read(request)
        document = await self._documents.get(
            call.scope,
            requests.document_key(request),
            request.version if request.HasField("version") else None,
            requests.reach_of(request, call, self._policy),
        )
        answer = service.GetDocumentResponse(document=document_message(document))
        if not request.omit_text:
            part = await self._documents.text(
                call.scope, document, request.byte_from, request.byte_until, RESPONSE_BYTES
            )
            answer.text = part.text
            answer.byte_from, answer.byte_until = part.byte_from, part.byte_until
        return answer

    async def ListDocuments(self, request: service.ListDocumentsRequest, context: Any) -> service.ListDocumentsResponse:
        call = await self._calls.read(request)
        size, binding = stated_or_default(request, "page_size"), list_binding(request, call.scope)
        documents = await self._documents.list(
            call.scope,
            requests.document_filter(request.filter),
            requests.reach_of(request, call, self._policy),
            tokens.read_text_page_token(binding, request.page_token) or "",
            size,
        )
        return requests.list_response(documents, size, binding)

    async def ListDocumentVersions(
        self, request: service.ListDocumentVersionsRequest, context: Any
    ) -> service.ListDocumentVersionsResponse:
        call = await self._calls.read(request)
        size, binding = stated_or_default(request, "page_size"), list_binding(request, call.scope)
        versions = await self._documents.versions(
            call.scope,
            requests.document_id(request.document_id),
            requests.reach_of(request, call, self._policy),
            tokens.read_number_page_token(binding, request.page_token),
            size,
        )
        return requests.versions_response(versions, size, binding)

    async def UpdateDocument(
        self, request: service.UpdateDocumentRequest, context: Any
    ) -> service.UpdateDocumentResponse:
        call = await self._operator_call(request)
        change = DocumentChange(
            document_id=requests.document_id(request.document_id),
            expected_version=request.expected_version,
            values=requests.document_changes(request),
            request=call.request_key,
            credential=call.principal.credential,
        )
        document, revision, redactions = await self._documents.update(call.scope, change)
        return service.UpdateDocumentResponse(
            document=document_message(document),
            shared_revision=call.revisions.revision(shared_scope(call.scope), revision),
            redactions=await redaction_messages_off_loop(redactions),
        )

    async def ArchiveDocument(
        self, request: service.ArchiveDocumentRequest, context: Any
    ) -> service.ArchiveDocumentResponse:
        call = await self._operator_call(request)
        document, revision = await self._documents.archive(
            call.scope,
            requests.document_id(request.document_id),
            call.request_key,
            archived=not request.restore,
        )
        return service.ArchiveDocumentResponse(
            document=document_message(document),
            shared_revision=call.revisions.revision(shared_scope(call.scope), revision),
        )

    async def DeleteDocument(
        self, request: service.DeleteDocumentRequest, context: Any
    ) -> service.DeleteDocumentResponse:
        call = await self._operator_call(request)
        document_id = requests.document_id(request.document_id)
        written = await self._documents.delete(call.scope, document_id, call.request_key)
        return service.DeleteDocumentResponse(
            shared_revision=call.revisions.revision(shared_scope(call.scope), written.revision),
            versions=written.record.versions,
            passages=written.record.passages,
        )

    async def _operator_call(self, request: Any) -> Call:
        """Raises ScopeForbidden where the credential is one of an agent."""
        call = await self._calls.read(request)
        call.principal.require_agent(None)
        return call
