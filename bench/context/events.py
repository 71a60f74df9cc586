"""Bundles and events of a warm scope, whole chats recorded, and how much of their evidence reaches a bundle."""

import asyncio
import itertools
import statistics
import time
from collections.abc import Mapping
from pathlib import Path

from camillo_formats.markdown import MAX_MEMORY
from camillo_server.lib.text.passages import passages
from camillo_server.models.embedding.providers import choose_embedder

from bench.context.calls import ContextCalls, ContextOptions, message
from bench.material.chats import Chat, ChatMessage, EventRecorder, read_chats, share_of
from bench.material.corpus import FIRST_MOMENT
from bench.material.texts import Texts
from bench.measure.client import connected, echo_call
from bench.measure.command import say
from bench.measure.servers import AppServer, embedding_by
from bench.measure.timing import (
    Call,
    Figure,
    Figures,
    Rounds,
    latencies_ms,
    p50_and_p95,
    percentiles,
    rounds_of,
)

AGENT = "speed"
SESSION = "now"
WARM_UP = 20
ROUNDS = 5
EVENTS = 200
IDENTITY = "# Identity\n\nYou are a careful engineer who keeps an old service running.\n"
RULES = "# Rules\n\n" + "\n".join(f"- Rule {number}: say what you did." for number in range(40))
BUDGET = 4_096


def measure_speed(options: ContextOptions, app: AppServer) -> Figures:
    """Milliseconds of bundles and events, one caller."""
    return asyncio.run(_speed(options, app))


async def _speed(options: ContextOptions, app: AppServer) -> Figures:
    texts = itertools.cycle(Texts(7).sentences(EVENTS))
    async with connected(app.port, app.secret) as client:
        calls = ContextCalls(client, AGENT)
        await calls.put_view("identity", IDENTITY)
        await calls.put_view("rules", RULES)
        await calls.record_many([message(SESSION, "Ann", next(texts)) for _ in range(EVENTS)])
        recorded = await latencies_ms(
            lambda: calls.record(message(SESSION, "Ann", next(texts))), options.records + WARM_UP
        )
        bundled: dict[str, Call] = {
            "echo": echo_call(client.channel, app.secret),
            "bundle_fast": lambda: calls.bundle(session_id=SESSION),
        }
        for call in bundled.values():
            await latencies_ms(call, WARM_UP)
        rounds = await rounds_of(bundled, ROUNDS, options.bundles // ROUNDS)
    return {
        **p50_and_p95("record", recorded[WARM_UP:]),
        "bundle_fast_p95_ms": percentiles(rounds["bundle_fast"], 95),
        "bundle_fast_echo_p95_ms": percentiles(rounds["echo"], 95),
    }


def measure_ingest(options: ContextOptions, app: AppServer) -> Figures:
    """Events a second of each run, whole chats, vectors following behind; and with a model, the time that embedding the
    same texts takes alone, over that until they are recorded and have their vectors."""
    return asyncio.run(_ingest(options, app))


async def _ingest(options: ContextOptions, app: AppServer) -> Figures:
    chats = read_chats(options.beam) if options.beam else [_generated_chat(options.messages)]
    found = Rounds()
    async with connected(app.port, app.secret) as client:
        recorder = EventRecorder(client)
        for number in range(options.ingests):
            chat, agent_id = chats[number % len(chats)], f"ingest-{number}"
            alone = await _embedding_seconds(options.model, chat) if options.model else None
            started = time.perf_counter()
            _, seconds = await recorder.record(chat, agent_id)
            found.add({"ingest_per_s": len(chat.messages) / seconds})
            if alone is not None:
                await recorder.until_embedded(agent_id)
                found.add({"ingest_of_embedding": alone / (time.perf_counter() - started)})
    return found.figures()


async def _embedding_seconds(model: Path, chat: Chat) -> float:
    """How long the model takes in this process for the texts that the server embeds of a chat."""
    texts = [
        f"{message.speaker}: {message.text[start:end]}"
        for message in chat.messages
        for start, end in passages(message.text, MAX_MEMORY)
    ]
    embedder = choose_embedder(embedding_by(model).settings()).embedder
    started = time.perf_counter()
    await embedder.embed(texts)
    seconds = time.perf_counter() - started
    await embedder.close()
    return seconds


def _generated_chat(count: int) -> Chat:
    """A chat of so many short messages, for a run to which no chats are given."""
    messages = [
        ChatMessage(str(number), "generated", ("user", "assistant")[number % 2], FIRST_MOMENT, text)
        for number, text in enumerate(Texts(3).sentences(count))
    ]
    return Chat("generated", tuple(messages), (), ())


def measure_evidence(options: ContextOptions, app: AppServer) -> Figures:
    """The share of a question's evidence in a bundle of 4,096 tokens, of each directory of chats that is given."""
    given = {"evidence_4k_beam": options.beam, "evidence_4k_locomo": options.locomo}
    return {
        name: Figure((asyncio.run(_evidence(name, directory, app)),)) for name, directory in given.items() if directory
    }


async def _evidence(name: str, directory: Path, app: AppServer) -> float:
    shares = []
    async with connected(app.port, app.secret) as client:
        recorder = EventRecorder(client)
        for chat in read_chats(directory):
            say(chat.name)
            agent_id = f"{name}-{chat.name}"
            message_of, _ = await recorder.record(chat, agent_id)
            await recorder.until_embedded(agent_id)
            calls = ContextCalls(client, agent_id)
            for question in chat.questions:
                found = await _shown(calls, question.text, message_of)
                shares.append(share_of(question.evidence, found))
    return statistics.fmean(shares)


async def _shown(calls: ContextCalls, question: str, message_of: Mapping[str, str]) -> list[str]:
    """The messages that the items of a bundle name."""
    bundle = await calls.bundle(question, max_tokens=BUDGET)
    assert bundle.tokens <= BUDGET
    refs = (ref for section in bundle.sections for item in section.items for ref in item.refs)
    return [message_of[ref] for ref in refs if ref in message_of]
