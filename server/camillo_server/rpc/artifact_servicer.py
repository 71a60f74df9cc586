"""ArtifactService: converts, calls the use case, converts back."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

import google_crc32c
from camillo.v1 import artifact_service_pb2 as service
from camillo.v1 import artifact_service_pb2_grpc as stubs

from camillo_server.domain.delete_artifact import DeleteArtifact
from camillo_server.domain.get_artifact import GetArtifact
from camillo_server.domain.get_upload import GetUpload
from camillo_server.domain.list_artifacts import ListArtifacts
from camillo_server.domain.list_citations import ListCitations
from camillo_server.domain.offload_output import OffloadOutput
from camillo_server.domain.put_artifact import PutArtifact
from camillo_server.domain.read_artifact import ReadArtifact
from camillo_server.domain.read_artifact_page import ReadArtifactPage
from camillo_server.domain.search_artifact import SearchArtifact
from camillo_server.domain.update_artifact import ArtifactChange, UpdateArtifact
from camillo_server.rpc import artifact_convert, artifact_queries, artifact_tokens, limits, tokens
from camillo_server.rpc import artifact_requests as requests
from camillo_server.rpc.artifact_convert import artifact_message
from camillo_server.rpc.artifact_list import list_of, list_response
from camillo_server.rpc.artifact_update import artifact_changes
from camillo_server.rpc.artifact_upload import upload_header, upload_messages
from camillo_server.rpc.caller import principal, request_key, scope_of
from camillo_server.rpc.convert import redaction_messages
from camillo_server.rpc.validate import Checks


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

    def __init__(self, do: ArtifactUseCases) -> None:
        self._do = do

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
        checks = Checks()
        scope = scope_of(request, checks)
        upload_id = requests.upload_id(request.upload_id, checks, "upload_id")
        checks.done()
        upload = await self._do.get_upload(scope, upload_id)
        return service.GetUploadResponse(
            held_bytes=upload.held.size, artifact_id=upload.artifact_id or ""
        )

    async def OffloadOutput(
        self, request: service.OffloadOutputRequest, context: Any
    ) -> service.OffloadOutputResponse:
        checks = Checks()
        wanted = await requests.output_to_offload(request, checks)
        checks.done()
        return artifact_convert.offload_response(await self._do.offload(wanted))

    async def GetArtifact(
        self, request: service.GetArtifactRequest, context: Any
    ) -> service.GetArtifactResponse:
        checks = Checks()
        asked = requests.asked_of(request, checks)
        checks.done()
        return artifact_convert.get_response(await self._do.get(asked))

    async def ReadArtifact(
        self, request: service.ReadArtifactRequest, context: Any
    ) -> AsyncIterator[service.ReadArtifactResponse]:
        checks = Checks()
        asked = requests.asked_of(request, checks)
        wanted = artifact_queries.range_of(request.range, checks)
        resume_after = checks.whole("resume_after_bytes", request.resume_after_bytes, 0)
        checks.done()
        crc32c = request.resume_crc32c
        async with aclosing(self._do.read(asked, wanted, resume_after)) as chunks:
            async for chunk in chunks:
                crc32c = google_crc32c.extend(crc32c, chunk.data)
                yield artifact_convert.read_response(chunk, crc32c)

    async def ReadArtifactPage(
        self, request: service.ReadArtifactPageRequest, context: Any
    ) -> service.ReadArtifactPageResponse:
        checks = Checks()
        asked = requests.asked_of(request, checks)
        wanted = artifact_queries.range_of(request.range, checks)
        max_tokens = artifact_queries.page_tokens(request.max_tokens, checks)
        checks.done()
        binding = artifact_tokens.text_binding(request, asked)
        after = tokens.read_number_page_token(binding, request.page_token) or 0
        page = await self._do.read_page(asked, wanted, max_tokens, after)
        token = artifact_tokens.text_token(binding, page.next_after)
        return artifact_convert.page_response(page, token)

    async def SearchArtifact(
        self, request: service.SearchArtifactRequest, context: Any
    ) -> AsyncIterator[service.SearchArtifactResponse]:
        checks = Checks()
        asked = requests.asked_of(request, checks)
        wanted = artifact_queries.wanted_of(request, checks)
        checks.done()
        async with aclosing(self._do.search(asked, wanted)) as steps:
            async for progress in steps:
                yield artifact_convert.search_response(progress)

    async def ListArtifacts(
        self, request: service.ListArtifactsRequest, context: Any
    ) -> service.ListArtifactsResponse:
        checks = Checks()
        asked = list_of(request, checks)
        size = checks.size(
            "page_size", request.page_size, limits.PAGE_SIZE, limits.PAGE_SIZE_DEFAULT
        )
        checks.done()
        binding = artifact_tokens.list_binding(request, asked)
        after = artifact_tokens.read_list_token(binding, request.page_token)
        return list_response(await self._do.list(asked, after, size), binding)

    async def UpdateArtifact(
        self, request: service.UpdateArtifactRequest, context: Any
    ) -> service.UpdateArtifactResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        key = request_key(request, checks)
        values = artifact_changes(request, checks)
        checks.done()
        artifact_id = requests.artifact_id(request.artifact_id)
        change = ArtifactChange(scope, artifact_id, request.expected_version, values)
        artifact, redactions = await self._do.update(change, key, is_operator=_is_operator())
        return service.UpdateArtifactResponse(
            artifact=artifact_message(artifact), field_redactions=redaction_messages(redactions)
        )

    async def DeleteArtifact(
        self, request: service.DeleteArtifactRequest, context: Any
    ) -> service.DeleteArtifactResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        key = request_key(request, checks)
        checks.done()
        artifact_id = requests.artifact_id(request.artifact_id)
        receipt = await self._do.delete(scope, artifact_id, key, is_operator=_is_operator())
        return service.DeleteArtifactResponse(receipt=artifact_convert.receipt_message(receipt))

    async def ListCitations(
        self, request: service.ListCitationsRequest, context: Any
    ) -> service.ListCitationsResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        size = checks.size(
            "page_size", request.page_size, limits.PAGE_SIZE, limits.PAGE_SIZE_DEFAULT
        )
        checks.done()
        artifact_id = requests.artifact_id(request.artifact_id)
        binding = artifact_tokens.citation_binding(scope, artifact_id)
        after = artifact_tokens.read_citation_token(binding, request.page_token)
        page = await self._do.list_citations(scope, artifact_id, after, size)
        return service.ListCitationsResponse(
            citations=[artifact_convert.citation_message(citing) for citing in page.citations],
            next_page_token=artifact_tokens.citation_token(binding, page.next_after),
        )


def _is_operator() -> bool:
    return principal().agent_id is None
