"""The methods of LinkService about entities: converts, calls the use case, converts back."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from camillo.v1 import link_pb2 as pb
from camillo.v1 import link_service_pb2 as service

from camillo_server.doors.rpc import fields, tokens
from camillo_server.doors.rpc.call import Call, CallReader, demanded_freshness
from camillo_server.doors.rpc.field_limits import rule, stated_or_default
from camillo_server.doors.rpc.fields import channel_of
from camillo_server.doors.rpc.page_tokens import list_binding
from camillo_server.doors.rpc.validate import Checks
from camillo_server.features.links.entities import Entities
from camillo_server.features.links.entity_names import EntityChange, EntityQuery, KnownEntity
from camillo_server.features.links.link import READ_SOURCES
from camillo_server.kernel.channel import ChannelPolicy
from camillo_server.lib.text.entities import Entity, EntityType, normal_entity
from camillo_server.rows.row_filter import MemoryFilter

# Behind every revision.
LATEST = 2**63 - 1


class EntityServicer:
    """ListEntities, MergeEntities, SplitEntity, RevertEntityChange and ListEntityChanges of LinkService."""

    def __init__(self, entities: Entities, calls: CallReader, policy: ChannelPolicy) -> None:
        self._entities = entities
        self._calls = calls
        self._policy = policy

    async def ListEntities(self, request: service.ListEntitiesRequest, context: Any) -> service.ListEntitiesResponse:
        call = await self._calls.read(request)
        binding, size = list_binding(request, call.scope), stated_or_default(request, "page_size")
        offset = tokens.read_number_page_token(binding, request.page_token) or 0
        query = EntityQuery(
            request.prefix,
            EntityType(request.type) if request.type else None,
            self._readable(request, call),
            demanded_freshness(request.freshness, call),
        )
        page = await self._entities.list(call.scope, query, offset, size)
        return service.ListEntitiesResponse(
            entities=map(_known_message, page.entities),
            next_page_token=_number_token(binding, page.next_offset),
            older_unread=page.older_unread,
            revision=call.revision(page.revision),
        )

    async def MergeEntities(self, request: service.MergeEntitiesRequest, context: Any) -> service.MergeEntitiesResponse:
        call = await self._calls.read(request)
        into, names = entity_from(request.into), entities_from(request.names)
        change, revision = await self._entities.merge(call.scope, into, names, call.principal, call.request_key)
        return service.MergeEntitiesResponse(
            change=_change_message(change) if change else None, revision=call.revision(revision)
        )

    async def SplitEntity(self, request: service.SplitEntityRequest, context: Any) -> service.SplitEntityResponse:
        call = await self._calls.read(request)
        names = entities_from(request.names)
        change, revision = await self._entities.split(call.scope, names, call.principal, call.request_key)
        return service.SplitEntityResponse(
            change=_change_message(change) if change else None, revision=call.revision(revision)
        )

    async def RevertEntityChange(
        self, request: service.RevertEntityChangeRequest, context: Any
    ) -> service.RevertEntityChangeResponse:
        call = await self._calls.read(request)
        reverted, revision = await self._entities.revert(call.scope, UUID(request.change_id), call.request_key)
        return service.RevertEntityChangeResponse(reverted=reverted, revision=call.revision(revision))

    async def ListEntityChanges(
        self, request: service.ListEntityChangesRequest, context: Any
    ) -> service.ListEntityChangesResponse:
        call = await self._calls.read(request)
        binding, size = list_binding(request, call.scope), stated_or_default(request, "page_size")
        before = tokens.read_number_page_token(binding, request.page_token) or LATEST
        filter_ = self._readable(request, call)
        changes, next_before = await self._entities.changes(call.scope, filter_, before, size)
        return service.ListEntityChangesResponse(
            changes=map(_change_message, changes), next_page_token=_number_token(binding, next_before)
        )

    def _readable(self, request: Any, call: Call) -> MemoryFilter:
        """The filter of rows that the caller may read in the channel of the request."""
        filter_ = MemoryFilter(sources=READ_SOURCES).narrowed(self._policy, channel_of(request.channel))
        return filter_.narrowed_to(call.principal.document_categories)


@rule(service.MergeEntitiesRequest)
def check_merged(request: service.MergeEntitiesRequest, path: str, checks: Checks) -> None:
    """Refuses names of which the normal form is empty."""
    _check_name(request.into, f"{path}into", checks)
    _check_names(request.names, path, checks)


@rule(service.SplitEntityRequest)
def check_split(request: service.SplitEntityRequest, path: str, checks: Checks) -> None:
    _check_names(request.names, path, checks)


def _check_names(names: Iterable[pb.Entity], path: str, checks: Checks) -> None:
    for index, each in enumerate(names):
        _check_name(each, f"{path}names[{index}]", checks)


def _check_name(message: pb.Entity, path: str, checks: Checks) -> None:
    # An unknown type breaks a limit of the contract.
    is_known = int(message.type) in list(EntityType)
    if is_known and message.name and not entity_from(message).name:
        checks.fail(f"{path}.name", "must contain a visible character")


def entity_from(message: pb.Entity) -> Entity:
    return normal_entity(EntityType(message.type), message.name)


def entities_from(messages: Iterable[pb.Entity]) -> list[Entity]:
    """Each once."""
    return list(dict.fromkeys(map(entity_from, messages)))


def entity_message(entity: Entity) -> pb.Entity:
    return pb.Entity(type=int(entity.type), name=entity.name)  # type: ignore[arg-type]


def _known_message(known: KnownEntity) -> pb.KnownEntity:
    message = pb.KnownEntity(
        entity=entity_message(known.entity),
        aliases=map(entity_message, known.aliases),
        mentions=[
            pb.SourceCount(source=int(source), records=count)  # type: ignore[arg-type]
            for source, count in known.mentions.items()
        ],
    )
    if known.last_seen_at is not None:
        fields.fill_timestamp(message.last_seen_at, known.last_seen_at)
    return message


def _change_message(change: EntityChange) -> pb.EntityChange:
    message = pb.EntityChange(
        change_id=str(change.change_id),
        into=entity_message(change.into) if change.into else None,
        names=map(entity_message, change.names),
        credential=change.credential,
    )
    fields.fill_timestamp(message.changed_at, change.changed_at)
    if change.reverted_at is not None:
        fields.fill_timestamp(message.reverted_at, change.reverted_at)
    return message


def _number_token(binding: bytes, number: int | None) -> str:
    return "" if number is None else tokens.text_page_token(binding, str(number))
