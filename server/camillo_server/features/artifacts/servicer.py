"""ArtifactService: converts, calls the use case, converts back."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import google_crc32c
from camillo.v1 import artifact_service_pb2 as service
from camillo.v1 import artifact_service_pb2_grpc as stubs

from camillo_server.doors.rpc import tokens
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.field_limits import stated_or_default
from camillo_server.doors.rpc.fields import redaction_messages_off_loop
from camillo_server.features.artifacts import messages
from camillo_server.features.artifacts import request_messages as requests
from camillo_server.features.artifacts.artifacts import Artifacts
from camillo_server.features.artifacts.offload_output import OffloadOutput
from camillo_server.features.artifacts.put_artifact import PutArtifact
from camillo_server.features.artifacts.read_artifact import ReadArtifact


class ArtifactServicer(stubs.ArtifactServiceServicer):
    """The service of proto/camillo/v1/artifact_service.proto."""

    def __init__(
        self,
        artifacts: Artifacts,
        put: PutArtifact,
        offload: OffloadOutput,
        read: ReadArtifact,
        calls: CallReader,
    ) -> None:
        self._artifacts = artifacts
        self._put = put
        self._offload = offload
        self._read = read
        self._calls = calls

    async def PutArtifact(
        self, request_iterator: AsyncIterator[service.PutArtifactRequest], context: Any
    ) -> service.PutArtifactResponse:
        stream = aiter(request_iterator)
        header = await requests.upload_header(stream)
        artifact, redactions = await self._put(header, requests.upload_messages(stream))
        return messages.put_response(artifact, redactions)

    async def GetUpload(self, request: service.GetUploadRequest, context: Any) -> service.GetUploadResponse:
        call = await self._calls.read(request)
        upload = await self._put.find_upload(call.scope, requests.upload_id(request.upload_id))
        return service.GetUploadResponse(held_bytes=upload.progress.size, artifact_id=upload.artifact_id or "")

    async def OffloadOutput(self, request: service.OffloadOutputRequest, context: Any) -> service.OffloadOutputResponse:
        call = await self._calls.read(request)
        output = requests.output_to_offload(request, call)
        return messages.offload_response(await self._offload(output))

    async def GetArtifact(self, request: service.GetArtifactRequest, context: Any) -> service.GetArtifactResponse:
        call = await self._calls.read(request)
        lookup = requests.lookup_of(request, call)
        return messages.get_response(await self._artifacts.get(lookup))

    async def ReadArtifact(
        self, request: service.ReadArtifactRequest, context: Any
    ) -> AsyncIterator[service.ReadArtifactResponse]:
        call = await self._calls.read(request)
        lookup = requests.lookup_of(request, call)
        range = requests.range_of(request.range)
        crc32c = request.resume_crc32c
        compressed = messages.ZSTD in request.accept_encodings
        resume_after = request.resume_after_bytes
        chunks = self._read.chunks(lookup, range, resume_after, compressed=compressed)
        async with aclosing(chunks):
            async for chunk in chunks:
                crc32c = google_crc32c.extend(crc32c, chunk.data)
                yield messages.read_response(chunk, crc32c)

    async def ReadArtifactPage(
        self, request: service.ReadArtifactPageRequest, context: Any
    ) -> service.ReadArtifactPageResponse:
        call = await self._calls.read(request)
        lookup = requests.lookup_of(request, call)
        range = requests.range_of(request.range)
        max_tokens = stated_or_default(request, "max_tokens")
        binding = messages.text_binding(request, lookup)
        after = tokens.read_number_page_token(binding, request.page_token) or 0
        page = await self._read.page(lookup, range, max_tokens, after)
        return messages.page_response(page, messages.after_token(binding, page.next_after))

    async def SearchArtifact(
        self, request: service.SearchArtifactRequest, context: Any
    ) -> AsyncIterator[service.SearchArtifactResponse]:
        call = await self._calls.read(request)
        lookup = requests.lookup_of(request, call)
        query = requests.search_query(request)
        async with aclosing(self._read.search(lookup, query)) as progress:
            async for each in progress:
                yield messages.search_response(each)

    async def ListArtifacts(self, request: service.ListArtifactsRequest, context: Any) -> service.ListArtifactsResponse:
        call = await self._calls.read(request)
        query = requests.query_of(request, call)
        size = stated_or_default(request, "page_size")
        binding = messages.list_binding(request, query)
        after = messages.read_list_token(binding, request.page_token)
        rows = await self._artifacts.list(query, after, size)
        return messages.list_response(rows, size, binding)

    async def UpdateArtifact(
        self, request: service.UpdateArtifactRequest, context: Any
    ) -> service.UpdateArtifactResponse:
        call = await self._calls.read(request)
        artifact_id = requests.artifact_id(request.artifact_id)
        artifact, redactions = await self._artifacts.update(
            call.scope,
            artifact_id,
            request.expected_version,
            requests.artifact_changes(request),
            call.request_key,
            is_operator=call.is_operator,
        )
        return service.UpdateArtifactResponse(
            artifact=messages.artifact_message(artifact),
            field_redactions=await redaction_messages_off_loop(redactions),
        )

    async def DeleteArtifact(
        self, request: service.DeleteArtifactRequest, context: Any
    ) -> service.DeleteArtifactResponse:
        call = await self._calls.read(request)
        artifact_id = requests.artifact_id(request.artifact_id)
        deletion = await self._artifacts.delete(call.scope, artifact_id, call.request_key, is_operator=call.is_operator)
        receipt = messages.receipt_message(artifact_id, deletion)
        return service.DeleteArtifactResponse(receipt=receipt)

    async def ListCitations(self, request: service.ListCitationsRequest, context: Any) -> service.ListCitationsResponse:
        call = await self._calls.read(request)
        size = stated_or_default(request, "page_size")
        artifact_id = requests.artifact_id(request.artifact_id)
        binding = messages.citation_binding(call.scope, artifact_id)
        after = messages.read_citation_token(binding, request.page_token)
        rows = await self._artifacts.citations(call.scope, artifact_id, after, size)
        return messages.citations_response(rows, size, binding)
