"""Changes of resources, sent to clients of 2026-07-28 that listen: fed by the watches of the contract, which no change
escapes."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from typing import Any

from camillo.v1.consistency_pb2 import Revision
from camillo.v1.memory_service_pb2 import ListMemoriesRequest, WatchMemoriesRequest
from camillo.v1.slot_service_pb2 import WatchSlotsRequest
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated
from mcp_types import SubscriptionsListenRequestParams, SubscriptionsListenResult

from camillo_server.doors.gateway.mcp.calls import MemoryCallFailed, MemoryCalls
from camillo_server.doors.gateway.mcp.tool import MEMORY, SLOT, parse

# By kind and name: the address as the client wrote it, which is the one that it knows.
Followed = Mapping[tuple[str, str], str]


async def listen(
    calls: MemoryCalls, context: Any, params: SubscriptionsListenRequestParams
) -> SubscriptionsListenResult:
    """Serves one stream until its client leaves it, or the server ends its watches. Raises MemoryCallFailed."""
    bus = InMemorySubscriptionBus()
    handler = ListenHandler(bus)
    followed = dict(_followed(params.notifications.resource_subscriptions or ()))
    async with _fed(calls, followed, bus, handler):
        return await handler(context, params)


def _followed(uris: Iterable[str]) -> Iterable[tuple[tuple[str, str], str]]:
    for uri in uris:
        # An address that names no resource here never changes.
        with suppress(ValueError):
            kind, name, _ = parse(uri)
            yield (kind, name), uri


@asynccontextmanager
async def _fed(
    calls: MemoryCalls, followed: Followed, bus: InMemorySubscriptionBus, handler: ListenHandler
) -> AsyncIterator[None]:
    """Publishes what changes from now on. Where a watch ends, so does the stream: its client then listens anew."""
    kinds = {kind for kind, _ in followed}
    watches = list[Any]()
    if kinds & {MEMORY, SLOT}:
        # Before the client is told that it is heard: what it changes then comes behind this revision.
        now: Revision = (await calls.call(ListMemoriesRequest(page_size=1))).revision
        if MEMORY in kinds:
            watches.append(WatchMemoriesRequest(after_revision=now))
        if SLOT in kinds:
            watches.append(WatchSlotsRequest(after_revision=now))
    tasks = [asyncio.create_task(_publish(calls, each, followed, bus)) for each in watches]
    for task in tasks:
        task.add_done_callback(lambda _: handler.close())
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _publish(calls: MemoryCalls, watch: Any, followed: Followed, bus: InMemorySubscriptionBus) -> None:
    slots: dict[str, str] = {}
    with suppress(MemoryCallFailed):
        async with aclosing(calls.stream(watch)) as messages:
            async for message in messages:
                uri = followed.get(_changed(message.change, followed, slots))
                if uri is not None:
                    await bus.publish(ResourceUpdated(uri))


def _changed(change: Any, followed: Followed, slots: dict[str, str]) -> tuple[str, str]:
    """The resource that changed. A forgotten slot is named by its id, so the keys of followed slots are kept."""
    match change.WhichOneof("event" if hasattr(change, "changed") else "change"):
        case "changed":
            return MEMORY, change.changed.memory_id
        case "forgotten_memory_id":
            return MEMORY, change.forgotten_memory_id
        case "written":
            written = change.written
            if (SLOT, written.key) in followed:
                slots[written.slot_id] = written.key
            return SLOT, written.key
        case "forgotten_slot_id":
            return SLOT, slots.get(change.forgotten_slot_id, "")
    return "", ""
