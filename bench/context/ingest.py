"""Recording whole chats: events a second, vectors following behind."""

import asyncio

from bench.context.options import ContextOptions
from bench.material.chat_events import EventRecorder
from bench.material.chat_files import Chat, Said, read_chats
from bench.material.corpus import FIRST_MOMENT
from bench.material.texts import Texts
from bench.measure.servers import AppServer
from bench.measure.timing import Figure
from bench.recall.calls import connected

MADE_UP = 300


def measure(options: ContextOptions, app: AppServer) -> dict[str, Figure]:
    """Events a second, of each run."""
    return asyncio.run(_measure(options, app))


async def _measure(options: ContextOptions, app: AppServer) -> dict[str, Figure]:
    chats = read_chats(options.beam) if options.beam else [_made_up()]
    rates = []
    async with connected(app.port) as channel:
        recorder = EventRecorder(channel, app.secret)
        for number in range(options.ingests):
            chat = chats[number % len(chats)]
            _, seconds = await recorder.record(chat, f"ingest-{number}")
            rates.append(len(chat.messages) / seconds)
    return {"ingest_per_s": Figure(tuple(rates))}


def _made_up() -> Chat:
    """Short messages, where no chats are given."""
    said = [
        Said(str(number), "made-up", ("user", "assistant")[number % 2], FIRST_MOMENT, text)
        for number, text in enumerate(Texts(3).sentences(MADE_UP))
    ]
    return Chat("made-up", tuple(said), (), ())
