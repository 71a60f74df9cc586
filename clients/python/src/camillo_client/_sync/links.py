# Generated from _async/links.py by tools/generate_sync.py: do not edit.
"""Links: what belongs together, stated by callers or told by what texts mention."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence

from grpc import Channel

from camillo.v1.link_pb2 import EntityType, Link, LinkType, Related
from camillo.v1.link_service_pb2 import (
    AddLinksRequest,
    ListRelatedRequest,
    ListRelatedResponse,
    RemoveLinksRequest,
)
from camillo.v1.link_service_pb2_grpc import LinkServiceStub
from camillo_client._sync.caller import Caller
from camillo_client._sync.calls import Calls
from camillo_client.artifact_fields import ChannelLike, to_channel
from camillo_client.convert import to_enum
from camillo_client.link_fields import (
    EndLike,
    EntityTypeName,
    LinkLike,
    LinkTypeName,
    entity,
    link_end,
    new_links,
)
from camillo_client.revisions import WrittenRevisions


class Links(Caller):
    """An end is the id of a memory, `event:ID`, `decision:ID`, `document:ID`, or the key of a slot, which begins with
    `/`.

    `agent_id` and `timeout` of a method apply to that call in place of the client's own. `channel` is the channel in
    which the answer will be shown. Failed calls raise CamilloError."""

    def __init__(self, channel: Channel, calls: Calls, written: WrittenRevisions, agent_id: str) -> None:
        super().__init__(calls, written, agent_id)
        self._links = LinkServiceStub(channel)

    def add(
        self,
        links: Iterable[LinkLike],
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> Sequence[Link]:
        """States up to 100 links, each `(from, type, to)`, in one transaction; RefNotFound where an end is not
        there."""
        request = AddLinksRequest(agent_id=self._agent(agent_id), links=new_links(links))
        answer = self._write(self._links.AddLinks, request, request_id, timeout)
        return answer.links

    def remove(
        self,
        links: Iterable[LinkLike],
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> int:
        """Takes links away; how many were there."""
        request = RemoveLinksRequest(agent_id=self._agent(agent_id), links=new_links(links))
        answer = self._write(self._links.RemoveLinks, request, request_id, timeout)
        return answer.removed

    def related(
        self,
        item: EndLike,
        *,
        types: Iterable[LinkTypeName | LinkType] = (),
        channel: ChannelLike | None = None,
        page_size: int = 0,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Generator[Related]:
        """Items one step away from an item: by links, then by entities that both mention, the rarest first; with
        `types`, only by links of these types. The timeout applies to each page."""
        request = ListRelatedRequest(
            agent_id=self._agent(agent_id),
            item=link_end(item),
            types=[to_enum(LinkType, each) for each in types],
            channel=to_channel(channel),
            page_size=page_size,
        )
        for page in self._pages(request, timeout):
            for related in page.related:
                yield related

    def mentioning(
        self,
        type: EntityTypeName | EntityType,
        name: str,
        *,
        channel: ChannelLike | None = None,
        page_size: int = 0,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Generator[Related]:
        """Items that mention an entity, such as `("ticket", "ABC-123")`, newest first. The timeout is for each page."""
        request = ListRelatedRequest(
            agent_id=self._agent(agent_id),
            entity=entity(type, name),
            channel=to_channel(channel),
            page_size=page_size,
        )
        for page in self._pages(request, timeout):
            for related in page.related:
                yield related

    def _pages(self, request: ListRelatedRequest, timeout: float | None) -> Generator[ListRelatedResponse]:
        pages = self._calls.pages(lambda page: self._read(self._links.ListRelated, page, timeout), request)
        for page in pages:
            yield page
