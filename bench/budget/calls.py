"""The calls whose cost is watched, and the scopes that they need: for the benchmark, and for the test that counts
functions."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from camillo.v1 import run_pb2 as runs
from camillo.v1 import run_service_pb2 as run_service

from bench.against.recall import import_corpus
from bench.context.calls import ContextCalls, message
from bench.material.chats import EventRecorder
from bench.material.corpus import Corpus
from bench.material.texts import Texts
from bench.measure import echo_server
from bench.measure.client import PAYLOAD, Client, Material, remember_call
from bench.measure.timing import Call
from bench.recall.calls import Recaller, by_texts, by_vectors

MEMORIES, EVENTS = "budget-memories", "budget-events"
SESSION = "now"
VIEWS = {
    "identity": "# Identity\n\nYou are a careful engineer who keeps an old service running.\n",
    "rules": "# Rules\n\n" + "\n".join(f"- Rule {number}: say what you did." for number in range(40)),
}
NAMES = (
    *("recall_vector", "recall_text", "recall_repeat", "recall_filtered", "recall_explained"),
    *("remember", "record_event", "append_run", "bundle_fast", "bundle_retrieval"),
)
ROUNDS_OF_A_RUN = 500
EVENTS_AT_ONCE = 500
WARM_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much the scopes hold, and how many different vectors and texts are sent."""

    memories: int = 10_000
    events: int = 2_000
    queries: int = 500

    @property
    def corpus(self) -> Corpus:
        return Corpus(self.memories, block_rows=1_000)


async def fill(client: Client, sizes: Sizes) -> None:
    """A scope of memories and one of events, both in the server's memory when this returns."""
    await import_corpus(client, MEMORIES, sizes.corpus)
    await Recaller(client, MEMORIES).until_warm(by_vectors(MEMORIES, sizes.corpus.queries(1))[0], WARM_SECONDS)
    calls = ContextCalls(client, EVENTS)
    for name, text in VIEWS.items():
        await calls.put_view(name, text)
    events = [message(SESSION, "Ann", text) for text in Texts(7).sentences(sizes.events)]
    for first in range(0, len(events), EVENTS_AT_ONCE):
        await calls.record_many(events[first : first + EVENTS_AT_ONCE])
    await EventRecorder(client).until_embedded(EVENTS)


def agent_of(caller: int) -> str:
    """The agent whose scope this caller writes into."""
    return f"budget-{caller}"


async def calls_of(client: Client, sizes: Sizes, questions: Iterator[str], caller: int = 0) -> dict[str, Call]:
    """The echo and the calls of NAMES. Each caller writes into a scope of its own, which the server has in memory."""
    agent_id = agent_of(caller)
    await client.remember(agent_id, "There is a memory.")
    await Recaller(client, agent_id).until_warm(next(by_texts(agent_id, ["Is there a memory?"])), WARM_SECONDS)
    texts = itertools.cycle(Texts(20 + caller).sentences(sizes.queries))
    context, own_context = ContextCalls(client, EVENTS), ContextCalls(client, agent_id)
    echo = client.raw(echo_server.METHOD)
    return {
        "echo": lambda: echo(PAYLOAD),
        **_recalls(client, sizes, questions),
        "remember": remember_call(client, Material.with_vectors(sizes.queries), agent_id),
        "record_event": lambda: own_context.record(message(SESSION, "Ann", next(texts))),
        "append_run": _append_call(client, agent_id, texts),
        "bundle_fast": lambda: context.bundle(session_id=SESSION),
        "bundle_retrieval": lambda: context.bundle(next(questions)),
    }


def _recalls(client: Client, sizes: Sizes, questions: Iterator[str]) -> dict[str, Call]:
    """Recalls by vector, by new texts, by one text again and again, by vector among few, and by vector explained."""
    vectors = sizes.corpus.queries(sizes.queries)
    explained = by_vectors(MEMORIES, vectors)
    for request in explained:
        request.explain = True
    requests: dict[str, Any] = {
        "recall_vector": by_vectors(MEMORIES, vectors),
        "recall_text": by_texts(MEMORIES, questions),
        "recall_repeat": by_texts(MEMORIES, itertools.repeat("which engine was it that began")),
        "recall_filtered": by_vectors(MEMORIES, vectors, rare_only=True),
        "recall_explained": explained,
    }
    return {name: Recaller(client, MEMORIES).recalls(each) for name, each in requests.items()}


def _append_call(client: Client, agent_id: str, texts: Iterator[str]) -> Call:
    """Adds a round of one step to a run; now and then to a new one."""
    run_id, numbers = "", itertools.count()

    async def append() -> None:
        nonlocal run_id
        if next(numbers) % ROUNDS_OF_A_RUN == 0:
            run_id = await _start_run(client, agent_id)
        step = runs.RunStep(llm_response=next(texts))
        await client(run_service.AppendRunRequest(agent_id=agent_id, run_id=run_id, steps=[step]))

    return append


async def _start_run(client: Client, agent_id: str) -> str:
    trigger = runs.Trigger(type="message")
    started = await client(run_service.StartRunRequest(agent_id=agent_id, trigger=trigger, skip_snapshot=True))
    return str(started.run.run_id)
