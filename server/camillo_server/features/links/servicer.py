"""LinkService: converts, calls the use case, converts back."""

from typing import Any

from camillo.v1 import link_service_pb2 as service
from camillo.v1 import link_service_pb2_grpc as stubs

from camillo_server.doors.rpc import tokens
from camillo_server.doors.rpc.call import CallReader, demanded_freshness
from camillo_server.doors.rpc.field_limits import stated_or_default
from camillo_server.doors.rpc.page_tokens import list_binding
from camillo_server.features.links import messages
from camillo_server.features.links.links import Links
from camillo_server.kernel.channel import ChannelPolicy


class LinkServicer(stubs.LinkServiceServicer):
    """The service of proto/camillo/v1/link_service.proto."""

    def __init__(self, links: Links, calls: CallReader, policy: ChannelPolicy) -> None:
        self._links = links
        self._calls = calls
        self._policy = policy

    async def AddLinks(self, request: service.AddLinksRequest, context: Any) -> service.AddLinksResponse:
        call = await self._calls.read(request)
        stated = messages.stated_links(request.links, call)
        links, revision = await self._links.add(call.scope, stated, call.principal, call.request_key)
        return service.AddLinksResponse(links=map(messages.link_message, links), revision=call.revision(revision))

    async def RemoveLinks(self, request: service.RemoveLinksRequest, context: Any) -> service.RemoveLinksResponse:
        call = await self._calls.read(request)
        stated = messages.stated_links(request.links, call)
        removed, revision = await self._links.remove(call.scope, stated, call.request_key)
        return service.RemoveLinksResponse(removed=removed, revision=call.revision(revision))

    async def ListRelated(self, request: service.ListRelatedRequest, context: Any) -> service.ListRelatedResponse:
        call = await self._calls.read(request)
        binding, size = list_binding(request, call.scope), stated_or_default(request, "page_size")
        if request.WhichOneof("to") == "entity":
            after = tokens.read_page_token(binding, request.page_token)
            page, revision = await self._links.mentioning(
                call.scope,
                messages.entity_of(request),
                messages.readable(request, call, self._policy),
                demanded_freshness(request.freshness, call),
                after,
                size,
            )
            return messages.mention_response(page, revision, binding, call)
        offset = tokens.read_number_page_token(binding, request.page_token) or 0
        query = messages.related_query(request, call, self._policy)
        related = await self._links.related(call.scope, query, offset, size)
        return messages.related_response(related, binding, call)
