"""Writers of several scopes at once, which remember what was acknowledged at which revision."""

import asyncio
import base64
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import psycopg
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.admin_service_pb2 import DeleteAgentRequest
from camillo.v1.artifact_service_pb2 import DeleteArtifactRequest
from camillo.v1.consistency_pb2 import Revision
from camillo.v1.event_service_pb2 import ListEventsRequest, RecordEventRequest
from camillo.v1.slot_service_pb2 import ListSlotsRequest
from camillo_server.doors.rpc.tokens import REVISION

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.artifacts.calls import put
from tests.rpc.forgetting.test_forget import forget
from tests.rpc.records import text_event
from tests.rpc.slots.calls import setting
from tests.server_fixtures import Caller, Server

TEXTS = ("tea", "茶を飲む", "🍵 שלום", "قهوة", "Grüße\n\t\\.")
Scope = tuple[str, str]


def number_of(revision: Revision) -> int:
    """The number in a revision, which is opaque to everybody but the server."""
    token = revision.token
    packed = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
    return int(REVISION.unpack(packed)[3])


@dataclass(slots=True)
class Acknowledged:
    """Acknowledged writes of one scope: the revisions at which texts and keys were written, and forgotten."""

    scope: Scope
    written: dict[str, int] = field(default_factory=dict)
    forgotten: dict[str, int] = field(default_factory=dict)
    # Bytes by id; no revision tells of an artifact.
    artifacts: dict[str, bytes] = field(default_factory=dict)

    def holds_at(self, revision: int) -> set[str]:
        """Texts and keys that the scope holds at a revision."""
        return {
            text
            for text, since in self.written.items()
            if since <= revision and self.forgotten.get(text, revision + 1) > revision
        }

    def lacks_at(self, revision: int) -> set[str]:
        return self.written.keys() - self.holds_at(revision)


class Load:
    """Writes until it is told to stop."""

    def __init__(self, server: Server) -> None:
        self.scopes = [Acknowledged(("acme", "alice")), Acknowledged(("acme", "bob")), Acknowledged(("rival", "alice"))]
        self.done = 0
        self._server = server
        self._progress = asyncio.Condition()
        self._ended = False

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        callers = (self._server.alice, self._server.admin, self._server.rival)
        async with asyncio.TaskGroup() as tasks:
            for caller, told in zip(callers, self.scopes, strict=True):
                tasks.create_task(self._write(caller, told))
            try:
                yield
            finally:
                self._ended = True

    async def until_more(self, writes: int) -> None:
        """Waits until so many more writes were acknowledged."""
        wanted = self.done + writes
        async with asyncio.timeout(PATIENCE_SECONDS), self._progress:
            await self._progress.wait_for(lambda: self.done >= wanted)

    async def _write(self, caller: Caller, told: Acknowledged) -> None:
        number = 0
        while not self._ended:
            await self._write_round(caller, told, number)
            number += 1

    async def _write_round(self, caller: Caller, told: Acknowledged, number: int) -> None:
        agent = told.scope[1] if caller.metadata != self._server.alice.metadata else ""
        text = f"{TEXTS[number % len(TEXTS)]} {number} of {'/'.join(told.scope)}"
        remembered = [
            await self._remember(caller, agent, f"{kind}: {text}", told, sensitivity)
            for kind, sensitivity in (
                ("kept", pb.SENSITIVITY_INTERNAL),
                ("secret", pb.SENSITIVITY_CONFIDENTIAL),
                ("gone", pb.SENSITIVITY_INTERNAL),
            )
        ]
        event = text_event(f"event: {text}")
        recorded = await caller(RecordEventRequest(agent_id=agent, event=event))
        told.written[f"event {recorded.recorded.event_id}"] = number_of(recorded.revision)
        slot = await caller(setting(f"/round/{number}", '"🍵"', agent_id=agent))
        told.written[f"slot /round/{number}"] = number_of(slot.revision)
        await self._store_artifact(caller, agent, told, text)
        answer = await caller(forget(remembered[-1], agent_id=agent))
        told.forgotten[f"gone: {text}"] = number_of(answer.revision)
        if agent and number % 5 == 4:
            await self._delete_another(caller)
        async with self._progress:
            self.done += 1
            self._progress.notify_all()

    async def _remember(self, caller: Caller, agent: str, text: str, told: Acknowledged, sensitivity: int) -> str:
        memory = pb.NewMemory(content=text, sensitivity=sensitivity)  # type: ignore[arg-type]
        answer = await caller(service.RememberRequest(agent_id=agent, memory=memory))
        told.written[text] = number_of(answer.revision)
        return str(answer.memory.memory_id)

    async def _store_artifact(self, caller: Caller, agent: str, told: Acknowledged, text: str) -> None:
        data = text.encode() * 50
        kept = (await put(caller, data, agent_id=agent)).artifact.artifact_id
        gone = (await put(caller, b"gone " + data, agent_id=agent)).artifact.artifact_id
        told.artifacts[kept] = data
        await caller(DeleteArtifactRequest(artifact_id=gone, agent_id=agent))

    async def _delete_another(self, caller: Caller) -> None:
        """An agent that comes and goes."""
        if caller.metadata == self._server.admin.metadata:
            memory = pb.NewMemory(content="short-lived")
            await caller(service.RememberRequest(agent_id="carol", memory=memory))
            await caller(DeleteAgentRequest(agent_id="carol", confirm_agent_id="carol"))


def revisions(database: TestDatabase) -> Mapping[Scope, int]:
    """The revision of every scope."""
    with psycopg.connect(database.superuser_url) as superuser:
        rows = superuser.execute("select tenant_id, agent_id, revision from camillo.scopes")
        return {(tenant, agent): revision for tenant, agent, revision in rows}


async def stored(caller: Caller, agent: str) -> set[str]:
    """Names of the rows that a scope lists, in the form of `Acknowledged`."""
    memories = service.ListMemoriesRequest(agent_id=agent, page_size=200)
    events = ListEventsRequest(agent_id=agent, page_size=200)
    slots = ListSlotsRequest(agent_id=agent, prefix="/round", page_size=200)
    names = {memory.content async for page in _pages(caller, memories) for memory in page.memories}
    names |= {f"event {each.event_id}" async for page in _pages(caller, events) for each in page.events}
    return names | {f"slot {slot.key}" async for page in _pages(caller, slots) for slot in page.entries}


async def _pages(caller: Caller, request: Any) -> AsyncIterator[Any]:
    page = await caller(request)
    yield page
    while page.next_page_token:
        request.page_token = page.next_page_token
        page = await caller(request)
        yield page
