"""A writer at a steady pace that numbers its writes, and what has to be found of them: each once, in their order."""

import asyncio
import itertools
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import grpc
from camillo.v1 import actor_pb2 as actors
from camillo.v1 import event_pb2 as events
from camillo.v1 import event_service_pb2 as event_service
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import run_pb2 as runs
from camillo.v1 import run_service_pb2 as run_service
from camillo.v1 import slot_service_pb2 as slot_service
from camillo.v1.consistency_pb2 import DURABILITY_SPOOLED
from camillo.v1.slot_pb2 import Slot, SlotSource
from google.protobuf.message import Message

from bench.lifecycle.ledger import Verdict
from bench.lifecycle.writer import PASSING, SCRIPTS
from bench.measure.client import Client

CALL_SECONDS = 5.0
# Beyond its deadline, what a busy machine may take to tell a caller.
MARGIN_SECONDS = 1.0
RENDERED_TOKENS = 100_000
NUMBER = re.compile(r"no(\d+)\.")


@dataclass(slots=True)
class Acknowledged:
    """Acknowledged writes: the number of each, by the id or key that finds it again."""

    memories: dict[str, int] = field(default_factory=dict)
    events: dict[str, int] = field(default_factory=dict)
    slots: dict[str, int] = field(default_factory=dict)
    rounds: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.memories) + len(self.events) + len(self.slots) + len(self.rounds)


class PacedWriter:
    """The only writer of its agent. One write after the other, each repeated under its request id until it is
    acknowledged."""

    def __init__(self, agent_id: str, writes_per_second: float) -> None:
        self.agent_id = agent_id
        self.acknowledged = Acknowledged()
        self.spooled = 0
        self.refused = 0
        self.hung: list[str] = []
        self._pause_seconds = 1 / writes_per_second
        self._run_id = ""
        self._kinds = (self._memory, self._event, self._slot, self._round)

    async def start(self, client: Client) -> None:
        request = run_service.StartRunRequest(
            agent_id=self.agent_id, trigger=runs.Trigger(type="drill"), skip_snapshot=True
        )
        self._run_id = (await client(request)).run.run_id

    async def write(self, client: Client, over: asyncio.Event) -> None:
        """Writes until `over` is set, and the last write is acknowledged."""
        number, due = 0, time.monotonic()
        while not over.is_set():
            due = max(due + self._pause_seconds, time.monotonic())
            await asyncio.sleep(due - time.monotonic())
            request, acknowledge = self._kinds[number % len(self._kinds)](number)
            answer = await self._until_acknowledged(client, request)
            self.spooled += answer.durability == DURABILITY_SPOOLED
            acknowledge(answer)
            number += 1

    async def _until_acknowledged(self, client: Client, request: Message) -> Any:
        while True:
            started = time.monotonic()
            try:
                return await client(request, CALL_SECONDS)
            except grpc.aio.AioRpcError as error:
                if error.code() not in PASSING:
                    raise
                self.refused += 1
            finally:
                took = time.monotonic() - started
                if took > CALL_SECONDS + MARGIN_SECONDS:
                    self.hung.append(f"{type(request).__name__} took {took:.1f} s")
            # At its pace, too.
            await asyncio.sleep(self._pause_seconds)

    def _text(self, number: int) -> str:
        return f"{self.agent_id} no{number}. {SCRIPTS[number % len(SCRIPTS)]}"

    def _ids(self, number: int) -> dict[str, Any]:
        return {"request_id": f"{self.agent_id}-{number}", "agent_id": self.agent_id}

    def _memory(self, number: int) -> tuple[Message, Callable[[Any], None]]:
        memory = pb.NewMemory(content=self._text(number))
        request = service.RememberRequest(**self._ids(number), memory=memory)
        known = self.acknowledged.memories
        return request, lambda answer: known.update({answer.memory.memory_id: number})

    def _event(self, number: int) -> tuple[Message, Callable[[Any], None]]:
        actor = actors.Actor(type=actors.ACTOR_TYPE_HUMAN, id="ada")
        event = events.NewEvent(session_id="drill", actor=actor, text=self._text(number))
        request = event_service.RecordEventRequest(**self._ids(number), event=event)
        known = self.acknowledged.events
        return request, lambda answer: known.update({answer.recorded.event_id: number})

    def _slot(self, number: int) -> tuple[Message, Callable[[Any], None]]:
        key = f"/drill/{number}"
        request = slot_service.SetMemoryRequest(
            **self._ids(number),
            key=key,
            json_content=f'"{self._text(number)}"',
            source=SlotSource(text="a drill"),
        )
        return request, lambda _: self.acknowledged.slots.update({key: number})

    def _round(self, number: int) -> tuple[Message, Callable[[Any], None]]:
        steps = [runs.RunStep(llm_response=self._text(number))]
        request = run_service.AppendRunRequest(**self._ids(number), run_id=self._run_id, steps=steps)
        return request, lambda _: self.acknowledged.rounds.append(number)

    async def verdict(self, client: Client) -> Verdict:
        """Acknowledged writes that are not there, or there twice."""
        known = self.acknowledged
        memories = {each.memory_id: each.content async for each in client.memories(self.agent_id)}
        recorded = await self._events(client)
        slots = {key: slot.json_content for key, slot in (await self._slots(client)).items()}
        rounds = await self._rounds(client)
        lost = [
            f"{self.agent_id}: {what} {number}"
            for what, found, wanted in (
                ("memory", memories, known.memories),
                ("event", recorded, known.events),
                ("slot", slots, known.slots),
            )
            for key, number in wanted.items()
            if self._text(number) not in found.get(key, "")
        ]
        lost += [f"{self.agent_id}: round {n}" for n in known.rounds if n not in rounds]
        texts = [*memories.values(), *recorded.values(), *slots.values()]
        numbers = Counter([*map(_number, texts), *rounds])
        doubled = [f"{self.agent_id}: write {n}" for n, count in numbers.items() if count > 1]
        return Verdict(lost, doubled)

    async def out_of_order(self, client: Client, rows: Iterable[tuple[str, str]]) -> list[str]:
        """Writes that stand behind later ones of this writer. `rows` are the kind and key of its rows by their
        revisions, the key an id."""
        known = self.acknowledged
        slots = {slot.slot_id: known.slots[key] for key, slot in (await self._slots(client)).items()}
        by_kind = {"memory": known.memories, "event": known.events, "slot": slots}
        numbers = [by_kind[kind][key] for kind, key in rows if key in by_kind[kind]]
        rounds = await self._rounds(client)
        # Else a row that is not known would hide that nothing is compared.
        assert len(numbers) + len(rounds) >= len(known), (len(numbers), len(rounds), len(known))
        return [
            f"{self.agent_id}: {later} stands behind {earlier}"
            for order in (numbers, rounds)
            for earlier, later in itertools.pairwise(order)
            if later < earlier
        ]

    async def _events(self, client: Client) -> dict[str, str]:
        request = event_service.ListEventsRequest(agent_id=self.agent_id, page_size=1_000)
        return {event.event_id: event.stated.text async for page in client.pages(request) for event in page.events}

    async def _slots(self, client: Client) -> dict[str, Slot]:
        request = slot_service.ListSlotsRequest(agent_id=self.agent_id, page_size=1_000)
        return {
            entry.slot.key: entry.slot
            async for page in client.pages(request)
            for entry in page.entries
            if entry.HasField("slot")
        }

    async def _rounds(self, client: Client) -> list[int]:
        """The numbers of its rounds as the run tells them."""
        request = run_service.RenderRunRequest(agent_id=self.agent_id, run_id=self._run_id, max_tokens=RENDERED_TOKENS)
        prompt = (await client(request)).prompt
        return [int(found) for found in NUMBER.findall(prompt)]


def _number(text: str) -> int:
    found = NUMBER.search(text)
    assert found is not None, text
    return int(found[1])
