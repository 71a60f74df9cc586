"""ImportMemories: one long stream with vectors, and what the server's memory does meanwhile."""

import asyncio
import time

from bench.foundation.options import Options
from bench.material.texts import Texts
from bench.measure.client import channel_to, import_batches, import_messages
from bench.measure.memory_watch import MemoryWatch
from bench.measure.servers import (
    DIMENSIONS,
    VECTORS_GIVEN,
    AppServer,
    app_server,
    temporary_directory,
)
from bench.measure.timing import Figure


def measure(options: Options) -> dict[str, Figure]:
    """Memories a second of every round, each into a scope of its own; memory growth from the first tenth of a
    stream, when every buffer has its size, to its highest point, in MB."""
    with temporary_directory() as directory, app_server(VECTORS_GIVEN, directory / "data") as app:
        return asyncio.run(_measure(options, app))


async def _measure(options: Options, app: AppServer) -> dict[str, Figure]:
    texts = Texts()
    sentences = texts.sentences(options.imported_memories)
    vectors = texts.vectors(options.imported_memories, DIMENSIONS)
    rates, growths, peaks = [], [], []
    async with channel_to(app.port) as channel:
        warm_up = import_batches("warm-up", sentences[:1_000], vectors[:1_000].tolist())
        await import_messages(channel, app.secret, warm_up)
        # The streams are the same but for the agent, which only the first message names.
        messages = import_batches("", sentences, vectors.tolist())
        for number in range(options.import_rounds):
            first = import_batches(f"scope-{number}", sentences[:500], vectors[:500].tolist())
            async with MemoryWatch(app.process.memory_mb) as watch:
                started = time.perf_counter()
                answer = await import_messages(channel, app.secret, [*first, *messages[1:]])
                seconds = time.perf_counter() - started
            # Two made-up sentences may be the same.
            assert answer.imported + answer.merged == options.imported_memories
            rates.append(options.imported_memories / seconds)
            growths.append(watch.settled_growth_mb)
            peaks.append(max(watch.samples))
    return {
        "import_per_s": Figure(tuple(rates)),
        "import_rss_growth_mb": Figure(tuple(growths)),
        "import_rss_peak_mb": Figure(tuple(peaks)),
    }
