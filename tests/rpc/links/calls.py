"""Short ways to say what tests of links do."""

from typing import Any

from camillo.v1 import link_pb2 as pb
from camillo.v1 import memory_pb2
from camillo.v1.link_service_pb2 import AddLinksRequest, AddLinksResponse, ListRelatedRequest, ListRelatedResponse

from tests.server_fixtures import Caller

ABOUT, DERIVED_FROM = pb.LINK_TYPE_ABOUT, pb.LINK_TYPE_DERIVED_FROM


def memory(memory_id: str) -> pb.LinkEnd:
    return pb.LinkEnd(source=memory_pb2.SOURCE_MEMORY, id=memory_id)


def event(event_id: str) -> pb.LinkEnd:
    return pb.LinkEnd(source=memory_pb2.SOURCE_EVENT, id=event_id)


def slot(key: str) -> pb.LinkEnd:
    return pb.LinkEnd(source=memory_pb2.SOURCE_SLOT, id=key)


def decision(decision_id: str) -> pb.LinkEnd:
    return pb.LinkEnd(source=memory_pb2.SOURCE_DECISION, id=decision_id)


def document(document_id: str) -> pb.LinkEnd:
    return pb.LinkEnd(source=memory_pb2.SOURCE_DOCUMENT, id=document_id)


def new_link(from_end: pb.LinkEnd, to_end: pb.LinkEnd, type_: pb.LinkType = ABOUT) -> pb.NewLink:
    # Python keeps the name `from` for itself.
    return pb.NewLink(**{"type": type_, "from": from_end, "to": to_end})  # type: ignore[arg-type]


async def add(caller: Caller, *links: pb.NewLink, **fields: Any) -> AddLinksResponse:
    answer: AddLinksResponse = await caller(AddLinksRequest(links=links, **fields))
    return answer


async def related(caller: Caller, item: pb.LinkEnd, **fields: Any) -> ListRelatedResponse:
    answer: ListRelatedResponse = await caller(ListRelatedRequest(item=item, **fields))
    return answer


async def texts_related(caller: Caller, item: pb.LinkEnd, **fields: Any) -> list[str]:
    return [each.text for each in (await related(caller, item, **fields)).related]


async def mentioning(caller: Caller, type_: pb.EntityType, name: str, **fields: Any) -> list[str]:
    """The texts of the first page of what mentions this."""
    request = ListRelatedRequest(entity=pb.Entity(type=type_, name=name), **fields)
    return [each.text for each in (await caller(request)).related]
