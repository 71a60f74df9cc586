# Generated from _async/entities.py by tools/generate_sync.py: do not edit.
"""Entities: who and what records mention, by all of their names."""

from __future__ import annotations

from collections.abc import Generator, Iterable

from grpc import Channel

from camillo.v1.link_pb2 import EntityChange, EntityType, KnownEntity
from camillo.v1.link_service_pb2 import (
    ListEntitiesRequest,
    ListEntityChangesRequest,
    MergeEntitiesRequest,
    RevertEntityChangeRequest,
    SplitEntityRequest,
)
from camillo.v1.link_service_pb2_grpc import LinkServiceStub
from camillo_client._sync.caller import Caller
from camillo_client._sync.calls import Calls
from camillo_client.artifact_fields import ChannelLike, to_channel
from camillo_client.caller_warnings import warn_caller
from camillo_client.convert import to_enum
from camillo_client.link_fields import EntityLike, EntityTypeName, OlderUnread, to_entities, to_entity
from camillo_client.revisions import WrittenRevisions


class Entities(Caller):
    """A name is written as it is, or with its type: `ticket:ABC-123`, `email:ana@example.com`. Records that
    mention one: `links.mentioning`.

    `agent_id` and `timeout` of a method apply to that call in place of the client's own. `channel` is the channel in
    which the answer will be shown. Failed calls raise CamilloError."""

    def __init__(self, channel: Channel, calls: Calls, written: WrittenRevisions, agent_id: str) -> None:
        super().__init__(calls, written, agent_id)
        self._links = LinkServiceStub(channel)

    def list(
        self,
        prefix: str = "",
        *,
        type: EntityTypeName | EntityType | None = None,
        channel: ChannelLike | None = None,
        page_size: int = 0,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Generator[KnownEntity]:
        """Entities with a name that begins with the prefix, the most mentioned first, as the newest 5,000 memories and
        chunks mention them; where there are older ones, an OlderUnread warning is issued. They are read anew for each
        page, to which the timeout applies."""
        request = ListEntitiesRequest(
            agent_id=self._agent(agent_id),
            prefix=prefix,
            type=None if type is None else to_enum(EntityType, type),
            channel=to_channel(channel),
            page_size=page_size,
        )
        pages = self._calls.pages(lambda page: self._read(self._links.ListEntities, page, timeout), request)
        is_warned = False
        for page in pages:
            if page.older_unread and not is_warned:
                is_warned = True
                warn_caller(OlderUnread())
            for entity in page.entities:
                yield entity

    def merge(
        self,
        into: EntityLike,
        names: Iterable[EntityLike],
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> EntityChange | None:
        """States that these names mean the same entity; None where all of them did."""
        request = MergeEntitiesRequest(
            agent_id=self._agent(agent_id), into=to_entity(into), names=to_entities(names, "names")
        )
        answer = self._write(self._links.MergeEntities, request, request_id, timeout)
        return answer.change if answer.HasField("change") else None

    def split(
        self,
        names: Iterable[EntityLike],
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> EntityChange | None:
        """Takes names out of what they were merged into; None where none of them was merged."""
        request = SplitEntityRequest(agent_id=self._agent(agent_id), names=to_entities(names, "names"))
        answer = self._write(self._links.SplitEntity, request, request_id, timeout)
        return answer.change if answer.HasField("change") else None

    def revert(
        self,
        change_id: str,
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> int:
        """Reverts a change; how many names it has, 0 if there is none or it was reverted before."""
        request = RevertEntityChangeRequest(agent_id=self._agent(agent_id), change_id=change_id)
        answer = self._write(self._links.RevertEntityChange, request, request_id, timeout)
        return answer.reverted

    def changes(
        self,
        *,
        channel: ChannelLike | None = None,
        page_size: int = 0,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Generator[EntityChange]:
        """Merges and splits, newest first, with those that were reverted. The timeout applies to each page."""
        request = ListEntityChangesRequest(
            agent_id=self._agent(agent_id), channel=to_channel(channel), page_size=page_size
        )
        pages = self._calls.pages(lambda page: self._calls.unary(self._links.ListEntityChanges, page, timeout), request)
        for page in pages:
            for change in page.changes:
                yield change
