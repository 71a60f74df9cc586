"""LinkService: converts, calls the use case, converts back."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from camillo.v1 import link_pb2 as pb
from camillo.v1 import link_service_pb2 as service
from camillo_formats.characters import border_at_or_before
from camillo_formats.slot_keys import BadKey, normalized_key

from camillo_server.doors.rpc import fields, tokens
from camillo_server.doors.rpc.call import Call, CallReader, demanded_freshness
from camillo_server.doors.rpc.field_limits import rule, stated_or_default
from camillo_server.doors.rpc.fields import channel_of
from camillo_server.doors.rpc.page_tokens import list_binding
from camillo_server.doors.rpc.validate import Checks
from camillo_server.features.links.entity_servicer import entity_from, entity_message
from camillo_server.features.links.link import (
    LINKED_SOURCES,
    READ_SOURCES,
    Link,
    LinkEnd,
    LinkType,
    Related,
    RelatedPage,
    RelatedQuery,
    StatedLink,
)
from camillo_server.features.links.links import Links, MentionPage
from camillo_server.kernel.channel import ChannelPolicy
from camillo_server.kernel.kinds import Source
from camillo_server.rows.row_filter import MemoryFilter


class LinkServicer:
    """AddLinks, RemoveLinks and ListRelated of LinkService."""

    def __init__(self, links: Links, calls: CallReader, policy: ChannelPolicy) -> None:
        self._links = links
        self._calls = calls
        self._policy = policy

    async def AddLinks(self, request: service.AddLinksRequest, context: Any) -> service.AddLinksResponse:
        call = await self._calls.read(request)
        new = new_links(request.links, call)
        links, revision = await self._links.add(call.scope, new, call.principal, call.request_key)
        return service.AddLinksResponse(links=map(link_message, links), revision=call.revision(revision))

    async def RemoveLinks(self, request: service.RemoveLinksRequest, context: Any) -> service.RemoveLinksResponse:
        call = await self._calls.read(request)
        links = new_links(request.links, call)
        removed, revision = await self._links.remove(call.scope, links, call.request_key)
        return service.RemoveLinksResponse(removed=removed, revision=call.revision(revision))

    async def ListRelated(self, request: service.ListRelatedRequest, context: Any) -> service.ListRelatedResponse:
        call = await self._calls.read(request)
        binding, size = list_binding(request, call.scope), stated_or_default(request, "page_size")
        if request.WhichOneof("to") == "entity":
            after = tokens.read_page_token(binding, request.page_token)
            page, revision = await self._links.mentioning(
                call.scope,
                entity_from(request.entity),
                readable(request, call, self._policy),
                demanded_freshness(request.freshness, call),
                after,
                size,
            )
            return mention_response(page, revision, binding, call)
        offset = tokens.read_number_page_token(binding, request.page_token) or 0
        query = related_query(request, call, self._policy)
        related = await self._links.related(call.scope, query, offset, size)
        return related_response(related, binding, call)


MAX_TEXT = 500
_NUMBERS = frozenset(map(int, LINKED_SOURCES))
_SOURCES = ", ".join(f"SOURCE_{source.name}" for source in LINKED_SOURCES)


@rule(pb.LinkEnd)
def check_end(end: pb.LinkEnd, path: str, checks: Checks) -> None:
    """Leaves the id in its usual form to who reads the request."""
    source = int(end.source)
    if not source or not end.id:
        # It breaks a limit of the contract.
        return
    if source not in _NUMBERS:
        checks.fail(f"{path}source", f"must be one of {_SOURCES}")
        return
    try:
        is_slot = source == Source.SLOT
        checks.read[path] = normalized_key(end.id) if is_slot else str(UUID(end.id))
    except BadKey as error:
        checks.fail(f"{path}id", str(error))
    except ValueError:
        checks.fail(f"{path}id", "must be a UUID")


@rule(pb.NewLink)
def check_link(link: pb.NewLink, path: str, checks: Checks) -> None:
    """A link leads from one thing to another."""
    own = checks.read.get(f"{path}from.")
    if own is not None and own == checks.read.get(f"{path}to."):
        checks.fail(f"{path}to", "must be another thing than `from`")


@rule(service.ListRelatedRequest)
def check_related(request: service.ListRelatedRequest, path: str, checks: Checks) -> None:
    if request.WhichOneof("to") is None:
        checks.fail("item", "must say related to what; or name an entity")
    if request.WhichOneof("to") == "entity" and request.types:
        checks.fail("types", "must be empty where an entity is named, which no link leads to")


def new_links(messages: Sequence[pb.NewLink], call: Call) -> list[StatedLink]:
    """The links of a request, each once for as often as it was sent."""
    return [
        StatedLink(
            LinkType(message.type),
            _end(getattr(message, "from"), f"links[{index}].from.", call),
            _end(message.to, f"links[{index}].to.", call),
        )
        for index, message in enumerate(messages)
    ]


def _end(message: pb.LinkEnd, path: str, call: Call) -> LinkEnd:
    return LinkEnd(Source(message.source), call.read[path])


def related_query(request: service.ListRelatedRequest, call: Call, policy: ChannelPolicy) -> RelatedQuery:
    """The query for an item. Raises RevisionUnknown."""
    return RelatedQuery(
        item=_end(request.item, "item.", call),
        types=tuple(dict.fromkeys(LinkType(each) for each in request.types if each)),
        filter=readable(request, call, policy),
        freshness=demanded_freshness(request.freshness, call),
    )


def readable(request: service.ListRelatedRequest, call: Call, policy: ChannelPolicy) -> MemoryFilter:
    """The filter of rows that the caller may read in the channel of the request."""
    filter_ = MemoryFilter(sources=READ_SOURCES).narrowed(policy, channel_of(request.channel))
    return filter_.narrowed_to(call.principal.document_categories)


def link_message(link: Link) -> pb.Link:
    message = pb.Link(
        type=int(link.stated.type),  # type: ignore[arg-type]
        to=_end_message(link.stated.to_end),
        credential=link.credential,
    )
    getattr(message, "from").CopyFrom(_end_message(link.stated.from_end))
    fields.fill_timestamp(message.created_at, link.created_at)
    return message


def related_response(page: RelatedPage, binding: bytes, call: Call) -> service.ListRelatedResponse:
    token = "" if page.next_offset is None else str(page.next_offset)
    return service.ListRelatedResponse(
        related=[_related_message(each) for each in page.related],
        entities=[entity_message(each) for each in page.entities],
        next_page_token=tokens.text_page_token(binding, token) if token else "",
        revision=call.revision(page.revision),
    )


def mention_response(page: MentionPage, revision: int, binding: bytes, call: Call) -> service.ListRelatedResponse:
    return service.ListRelatedResponse(
        related=[_related_message(each) for each in page.related],
        next_page_token=tokens.page_token(binding, page.next_cursor),
        revision=call.revision(revision),
    )


def _related_message(related: Related) -> pb.Related:
    row = related.row
    message = pb.Related(
        item=_end_message(related.end),
        link=None if related.link is None else link_message(related.link),
        shared=[entity_message(each) for each in related.shared],
        text=row.content[: border_at_or_before(row.content, MAX_TEXT, 0)],
    )
    fields.fill_timestamp(message.occurred_at, row.occurred_at)
    return message


def _end_message(end: LinkEnd) -> pb.LinkEnd:
    return pb.LinkEnd(source=int(end.source), id=end.id)  # type: ignore[arg-type]
