"""ArtifactService: converts, calls the use case, converts back."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

import google_crc32c
from camillo.v1 import artifact_service_pb2 as service
from camillo.v1 import artifact_service_pb2_grpc as stubs

from camillo_server.artifacts import messages as artifact_convert
from camillo_server.artifacts import messages as artifact_tokens
from camillo_server.artifacts import range_messages as artifact_queries
from camillo_server.artifacts import request_messages as requests
from camillo_server.artifacts.artifacts import (
    ArtifactChange,
    DeleteArtifact,
    GetArtifact,
    ListArtifacts,
    ListCitations,
    UpdateArtifact,
)
from camillo_server.artifacts.messages import artifact_message
from camillo_server.artifacts.offload_output import OffloadOutput
from camillo_server.artifacts.put_artifact import GetUpload, PutArtifact
from camillo_server.artifacts.read_artifact import ReadArtifact, ReadArtifactPage
from camillo_server.artifacts.request_messages import artifact_changes, list_of, list_response
from camillo_server.artifacts.search_artifact import SearchArtifact
from camillo_server.artifacts.upload_messages import upload_header, upload_messages
from camillo_server.rpc import tokens
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.field_limits import stated_or_default
from camillo_server.rpc.fields import redaction_messages


@dataclass(frozen=True, slots=True)
class ArtifactUseCases:
    """What ArtifactService can do."""

    put: PutArtifact
    get_upload: GetUpload
    offload: OffloadOutput
    get: GetArtifact
    read: ReadArtifact
    read_page: ReadArtifactPage
    search: SearchArtifact
    list: ListArtifacts
    update: UpdateArtifact
    delete: DeleteArtifact
    list_citations: ListCitations


class ArtifactServicer(stubs.ArtifactServiceServicer):
    """The service of proto/camillo/v1/artifact_service.proto."""

    def __init__(self, do: ArtifactUseCases, calls: CallReader) -> None:
        self._do = do
        self._calls = calls

    async def PutArtifact(
        self, request_iterator: AsyncIterator[service.PutArtifactRequest], context: Any
    ) -> service.PutArtifactResponse:
        messages = aiter(request_iterator)
        header = await upload_header(messages)
        done = await self._do.put(header, upload_messages(messages))
        return artifact_convert.put_response(done)

    async def GetUpload(
        self, request: service.GetUploadRequest, context: Any
    ) -> service.GetUploadResponse:
        call = await self._calls.read(request)
        upload = await self._do.get_upload(call.scope, requests.upload_id(request.upload_id))
        return service.GetUploadResponse(
            held_bytes=upload.held.size, artifact_id=upload.artifact_id or ""
        )

    async def OffloadOutput(
        self, request: service.OffloadOutputRequest, context: Any
    ) -> service.OffloadOutputResponse:
        call = await self._calls.read(request)
        wanted = requests.output_to_offload(request, call)
        return artifact_convert.offload_response(await self._do.offload(wanted))

    async def GetArtifact(
        self, request: service.GetArtifactRequest, context: Any
    ) -> service.GetArtifactResponse:
        call = await self._calls.read(request)
        asked = requests.asked_of(request, call)
        return artifact_convert.get_response(await self._do.get(asked))

    async def ReadArtifact(
        self, request: service.ReadArtifactRequest, context: Any
    ) -> AsyncIterator[service.ReadArtifactResponse]:
        call = await self._calls.read(request)
        asked = requests.asked_of(request, call)
        wanted = artifact_queries.range_of(request.range)
        crc32c = request.resume_crc32c
        async with aclosing(self._do.read(asked, wanted, request.resume_after_bytes)) as chunks:
            async for chunk in chunks:
                crc32c = google_crc32c.extend(crc32c, chunk.data)
                yield artifact_convert.read_response(chunk, crc32c)

    async def ReadArtifactPage(
        self, request: service.ReadArtifactPageRequest, context: Any
    ) -> service.ReadArtifactPageResponse:
        call = await self._calls.read(request)
        asked = requests.asked_of(request, call)
        wanted = artifact_queries.range_of(request.range)
        max_tokens = stated_or_default(request, "max_tokens")
        binding = artifact_tokens.text_binding(request, asked)
        after = tokens.read_number_page_token(binding, request.page_token) or 0
        page = await self._do.read_page(asked, wanted, max_tokens, after)
        token = artifact_tokens.text_token(binding, page.next_after)
        return artifact_convert.page_response(page, token)

    async def SearchArtifact(
        self, request: service.SearchArtifactRequest, context: Any
    ) -> AsyncIterator[service.SearchArtifactResponse]:
        call = await self._calls.read(request)
        asked = requests.asked_of(request, call)
        wanted = artifact_queries.wanted_of(request)
        async with aclosing(self._do.search(asked, wanted)) as steps:
            async for progress in steps:
                yield artifact_convert.search_response(progress)

    async def ListArtifacts(
        self, request: service.ListArtifactsRequest, context: Any
    ) -> service.ListArtifactsResponse:
        call = await self._calls.read(request)
        asked = list_of(request, call)
        size = stated_or_default(request, "page_size")
        binding = artifact_tokens.list_binding(request, asked)
        after = artifact_tokens.read_list_token(binding, request.page_token)
        return list_response(await self._do.list(asked, after, size), binding)

    async def UpdateArtifact(
        self, request: service.UpdateArtifactRequest, context: Any
    ) -> service.UpdateArtifactResponse:
        call = await self._calls.read(request)
        artifact_id = requests.artifact_id(request.artifact_id)
        values = artifact_changes(request)
        change = ArtifactChange(call.scope, artifact_id, request.expected_version, values)
        artifact, redactions = await self._do.update(
            change, call.request_key, is_operator=call.is_operator
        )
        return service.UpdateArtifactResponse(
            artifact=artifact_message(artifact), field_redactions=redaction_messages(redactions)
        )

    async def DeleteArtifact(
        self, request: service.DeleteArtifactRequest, context: Any
    ) -> service.DeleteArtifactResponse:
        call = await self._calls.read(request)
        artifact_id = requests.artifact_id(request.artifact_id)
        receipt = await self._do.delete(
            call.scope, artifact_id, call.request_key, is_operator=call.is_operator
        )
        return service.DeleteArtifactResponse(receipt=artifact_convert.receipt_message(receipt))

    async def ListCitations(
        self, request: service.ListCitationsRequest, context: Any
    ) -> service.ListCitationsResponse:
        call = await self._calls.read(request)
        size = stated_or_default(request, "page_size")
        artifact_id = requests.artifact_id(request.artifact_id)
        binding = artifact_tokens.citation_binding(call.scope, artifact_id)
        after = artifact_tokens.read_citation_token(binding, request.page_token)
        page = await self._do.list_citations(call.scope, artifact_id, after, size)
        return service.ListCitationsResponse(
            citations=[artifact_convert.citation_message(citing) for citing in page.citations],
            next_page_token=artifact_tokens.citation_token(binding, page.next_after),
        )
