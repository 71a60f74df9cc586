"""How much of the evidence for a question reaches a bundle of 4,096 tokens."""

import asyncio
import statistics
import sys
from collections.abc import Mapping
from pathlib import Path

from bench.context.calls import ContextCalls
from bench.context.options import ContextOptions
from bench.material.chat_events import EventRecorder, share_of
from bench.material.chat_files import read_chats
from bench.measure.servers import AppServer
from bench.measure.timing import Figure
from bench.recall.calls import connected

BUDGET = 4_096


def measure(options: ContextOptions, app: AppServer) -> dict[str, Figure]:
    """Shares, of each directory of chats that is given."""
    given = {"evidence_4k_beam": options.beam, "evidence_4k_locomo": options.locomo}
    return {
        name: Figure((asyncio.run(_measure(name, directory, app)),))
        for name, directory in given.items()
        if directory
    }


async def _measure(name: str, directory: Path, app: AppServer) -> float:
    shares = []
    async with connected(app.port) as channel:
        recorder = EventRecorder(channel, app.secret)
        for chat in read_chats(directory):
            print(f"{chat.name} ...", file=sys.stderr, flush=True)
            agent_id = f"{name}-{chat.name}"
            message_of, _ = await recorder.record(chat, agent_id)
            await recorder.until_embedded(agent_id)
            calls = ContextCalls(channel, app.secret, agent_id)
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
