"""Evidence that is still found after a value was cut out of events: `python -m bench.quality.redaction --model DIR`."""

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from camillo.v1.forgetting_pb2 import FORGET_MODE_DELETE_RECORDS, FORGET_MODE_REDACT_SPANS, ForgetMode
from camillo.v1.lifecycle_service_pb2 import ForgetRequest
from camillo_server.models.embedding.embedder import Embedder
from camillo_server.models.embedding.providers import choose_embedder

from bench.material.chats import EventRecorder
from bench.measure.client import Calls, connected
from bench.measure.command import add_model
from bench.measure.servers import app_server, embedding_by, temporary_directory
from bench.quality.suites.asking import Asker, SuiteAnswer
from bench.quality.suites.collection import Collection
from bench.quality.suites.shapes import collections
from bench.quality.variants import Variant

VALUE = "617-555-0143"
# How it is said, beside something else.
SAID = (" Ring me: (617) 555-0143.", " 电话 6175550143 📞", " رقمي +1 617 555 0143", " (+1-617-555-0143)")
LIMIT = 10
MODES = {"redact": FORGET_MODE_REDACT_SPANS, "delete": FORGET_MODE_DELETE_RECORDS}


def with_value(collection: Collection, every: int, mode: str) -> Collection:
    """The collection, in which every so many statements tell of the value, too."""
    statements = [
        each if place % every else replace(each, text=each.text + SAID[place // every % len(SAID)])
        for place, each in enumerate(collection.statements)
    ]
    return replace(collection, name=f"{collection.name}-{mode}", statements=tuple(statements))


async def found(asker: Asker) -> set[str]:
    """The questions with evidence among the first hits."""
    return {each.question.text for each in await asker.answers(Variant("", LIMIT)) if _is_answered(each)}


def _is_answered(answer: SuiteAnswer) -> bool:
    return not answer.question.right.isdisjoint(answer.found)


async def measure(call: Calls, collection: Collection, embedder: Embedder, mode: ForgetMode) -> str:
    asker = Asker(call, collection, embedder, as_events=True)
    await asker.store()
    before = await found(asker)
    agent_id = f"suite-{collection.name}"
    planned = await call(ForgetRequest(agent_id=agent_id, value=VALUE, mode=mode, dry_run=True))
    await call(ForgetRequest(agent_id=agent_id, value=VALUE, mode=mode, plan_token=planned.receipt.plan_token))
    await EventRecorder(call).until_embedded(agent_id)
    after = await found(asker)
    asked = len(collection.questions)
    return f"{asked} questions: {len(before)} before, {len(after)} after, {len(after & before)} of them as before"


async def run(call: Calls, embedder: Embedder, cases: int, every: Sequence[int]) -> None:
    for share in every:
        for name, mode in MODES.items():
            for collection in collections(cases):
                told = await measure(call, with_value(collection, share, name), embedder, mode)
                print(f"{collection.name}, 1 of {share} events, {name}: {told}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.quality.redaction", description=__doc__)
    add_model(parser)
    parser.add_argument("--cases", type=int, default=360)
    parser.add_argument("--every", type=int, nargs="+", default=[10], help="one of so many events tells of the value")
    given = parser.parse_args()
    embedding = embedding_by(given.model)
    with temporary_directory() as directory, app_server(embedding, Path(directory) / "data") as app:

        async def ask() -> None:
            embedder = choose_embedder(embedding.settings()).embedder
            async with connected(app.port, app.secret) as client:
                await run(client, embedder, given.cases, given.every)
            await embedder.close()

        asyncio.run(ask())


if __name__ == "__main__":
    main()
