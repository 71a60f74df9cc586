"""A writer of slots and artifacts, with a ledger of what was acknowledged; the other writes are LifecycleWriter's."""

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from camillo.v1 import artifact_pb2 as artifacts
from camillo.v1 import artifact_service_pb2 as artifact_service
from camillo.v1 import slot_service_pb2 as slots
from camillo.v1.slot_pb2 import SlotSource

from bench.lifecycle.ledger import Verdict
from bench.lifecycle.writer import SCRIPTS, Operation, RetryingWriter
from bench.measure.client import Client

KEYS = 5
OUTPUT_LINES = 200


@dataclass(slots=True)
class SlotLedger:
    """The contents of each key in the order in which they were acknowledged, and the bytes of each artifact."""

    agent_id: str
    slots: dict[str, list[str]] = field(default_factory=dict)
    artifacts: dict[str, bytes] = field(default_factory=dict)


class SlotWriter(RetryingWriter):
    """Writes on and on below keys of its own, in the scope of an agent in which others write as well."""

    def __init__(self, name: str, agent_id: str, on_answer: Callable[[], None]) -> None:
        self.ledger = SlotLedger(agent_id)
        self._name = name
        self._numbers = itertools.count()
        super().__init__(self._without_end(), on_answer)

    async def verdict(self, client: Client) -> Verdict:
        """Losses and duplicates in its slots and artifacts. To be called after `finish`."""
        lost: list[str] = []
        doubled: list[str] = []
        for key, contents in self.ledger.slots.items():
            stored = await self._history(client, key)
            lost += [f"slot {key}: {each}" for each in contents if each not in stored]
            doubled += [f"slot {key}: {each}" for each, n in Counter(stored).items() if n > 1]
            if not lost and not doubled and stored != contents:
                lost.append(f"slot {key}: the order of its versions")
        stored_ids = await self._artifact_ids(client)
        known = self.ledger.artifacts
        doubled += [f"artifact {each}" for each in stored_ids if each not in known]
        for artifact_id, output in known.items():
            if artifact_id not in stored_ids or await self._bytes(client, artifact_id) != output:
                lost.append(f"artifact {artifact_id}")
        return Verdict(lost, doubled)

    def _without_end(self) -> Iterator[Operation]:
        dice = random.Random(self._name)
        while True:
            number = next(self._numbers)
            yield self._offload(number) if dice.random() < 0.3 else self._set(number)

    def _set(self, number: int) -> Operation:
        key = f"/drill/{self._name}/{SCRIPTS[number % KEYS]}"
        content = f'"{number} {SCRIPTS[number % len(SCRIPTS)]}"'

        def acknowledged(_: slots.SetMemoryResponse) -> None:
            self.ledger.slots.setdefault(key, []).append(content)

        request = slots.SetMemoryRequest(
            request_id=f"{self._name}-{number}",
            agent_id=self.ledger.agent_id,
            key=key,
            json_content=content,
            source=SlotSource(text="a drill"),
        )
        return Operation(request, acknowledged)

    def _offload(self, number: int) -> Operation:
        text = "".join(f"{self._name} {number} line {line} кофе\n" for line in range(OUTPUT_LINES))

        def acknowledged(answer: artifact_service.OffloadOutputResponse) -> None:
            self.ledger.artifacts[answer.artifact.artifact_id] = text.encode()

        request = artifact_service.OffloadOutputRequest(
            request_id=f"{self._name}-{number}",
            agent_id=self.ledger.agent_id,
            output=text.encode(),
            artifact=artifacts.NewArtifact(tool="shell", session_id=self._name),
        )
        return Operation(request, acknowledged)

    async def _history(self, client: Client, key: str) -> list[str]:
        """Every version's content, the oldest first."""
        request = slots.ListSlotHistoryRequest(agent_id=self.ledger.agent_id, key=key, page_size=200)
        newest_first = [slot.json_content async for page in client.pages(request) for slot in page.versions]
        return newest_first[::-1]

    async def _artifact_ids(self, client: Client) -> list[str]:
        """Ids of the artifacts that it made."""
        request = artifact_service.ListArtifactsRequest(agent_id=self.ledger.agent_id, page_size=100)
        return [
            each.artifact_id
            async for page in client.pages(request)
            for each in page.artifacts
            if each.session_id == self._name
        ]

    async def _bytes(self, client: Client, artifact_id: str) -> bytes:
        request = artifact_service.ReadArtifactRequest(agent_id=self.ledger.agent_id, artifact_id=artifact_id)
        return b"".join([answer.data async for answer in client(request)])
