"""How fast a large content is searched, reading apart: `python -m bench.decisions.line_search`.

The content is a made log in memory, handed over in blocks of 1 MiB. MB/s are of the bytes that were scanned: a search
that reaches its limit scans less. The event loop's longest delay is how long another call would have had to wait.
"""

import argparse
import asyncio
import random
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence

from camillo_server.outputs.line_search.query import Block, LinePattern, LineQuery, RankedQuery
from camillo_server.outputs.line_search.search import rank_passages, search_lines

from bench.measure.timing import Figure, taking_turns

BLOCK_BYTES = 1 << 20
MADE_BYTES = 16 << 20
LIMIT = 10_000
MESSAGES = (
    *("connection", "user", "request", "served", "handler", "cache", "miss", "query", "took"),
    *("upstream", "closed", "retry", "worker", "GET", "POST", "/api/v1/items", "200", "404"),
    *("500", "timeout", "refused"),
)

Blocks = Sequence[Block]
# Yields how many bytes were scanned, and how many lines were found.
Run = Callable[[Blocks], AsyncIterator[tuple[int, int]]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mebibytes", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    asyncio.run(_measure(_blocks(chosen.mebibytes << 20), chosen.rounds))


async def _measure(blocks: Blocks, rounds: int) -> None:
    runs = _runs()
    rates: dict[str, list[float]] = {name: [] for name in runs}
    found = dict.fromkeys(runs, 0)
    delays: dict[str, list[float]] = {name: [] for name in runs}
    for name in taking_turns(list(runs), rounds):
        watch = asyncio.create_task(_longest_delay_ms(delays[name]))
        started = time.perf_counter()
        scanned = 0
        found[name] = 0
        async for scanned_by_now, count in runs[name](blocks):
            scanned = scanned_by_now
            found[name] += count
        rates[name].append(scanned / 1e6 / (time.perf_counter() - started))
        watch.cancel()
    for name in runs:
        rate = Figure(tuple(rates[name]))
        print(
            f"{name:42} {rate.median:6.0f} MB/s (best {rate.most:6.0f}) found {found[name]:6}"
            f"  loop held up {max(delays[name]):5.1f} ms at most"
        )


def _runs() -> Mapping[str, Run]:
    return {
        "text, no match": _lines(LinePattern("needle", False, False)),
        "text, few matches": _lines(LinePattern("id=0000", False, False)),
        "text, many matches": _lines(LinePattern("id=00", False, False)),
        "text, many matches, 5 lines around": _lines(LinePattern("id=00", False, False), 5),
        "text, a match in each line": _lines(LinePattern("id=", False, False)),
        "text, any case, no match": _lines(LinePattern("Needle", False, True)),
        "text, whole word, no match": _lines(LinePattern("work", False, False, True)),
        "expression with a text, few matches": _lines(LinePattern("timeout.*id=000", True, False)),
        "expression without any text, no match": _lines(LinePattern(r"\d{3}-\pL+-x$", True, False)),
        "ranked, rare words": _ranked("certificate expired"),
        "ranked, words of many lines": _ranked("upstream timeout"),
    }


def _lines(pattern: LinePattern, context: int = 0) -> Run:
    async def run(blocks: Blocks) -> AsyncIterator[tuple[int, int]]:
        wanted = LineQuery(pattern, LIMIT, before=context, after=context)
        async for found in search_lines(_streamed(blocks), wanted):
            yield found.scanned_bytes, len(found.matches)

    return run


def _ranked(query: str) -> Run:
    async def run(blocks: Blocks) -> AsyncIterator[tuple[int, int]]:
        async def read(offset: int, length: int) -> bytes:
            held = blocks[offset // BLOCK_BYTES : (offset + length) // BLOCK_BYTES + 1]
            start = offset - held[0].offset
            return b"".join(block.data for block in held)[start : start + length]

        wanted = RankedQuery(query, 10)
        async for progress in rank_passages(_streamed(blocks), wanted, read):
            yield progress.scanned_bytes, len(progress.passages)

    return run


async def _streamed(blocks: Blocks) -> AsyncGenerator[Block]:
    for block in blocks:
        yield block


async def _longest_delay_ms(delays: list[float]) -> None:
    """Notes each time a call that wants its turn at once has waited longer than any before."""
    delays.append(0.0)
    while True:
        started = time.perf_counter()
        await asyncio.sleep(0.001)
        delays[-1] = max(delays[-1], (time.perf_counter() - started) * 1000 - 1)


def _blocks(total_bytes: int) -> Blocks:
    made = _made()
    blocks: list[Block] = []
    line = 1
    for offset in range(0, total_bytes, BLOCK_BYTES):
        start = offset % MADE_BYTES
        data = made[start : start + BLOCK_BYTES]
        blocks.append(Block(offset, line, data))
        line += data.count(b"\n")
    return blocks


def _made() -> bytes:
    chance = random.Random(1)
    lines: list[str] = []
    size = 0
    while size < MADE_BYTES:
        number = len(lines)
        text = " ".join(chance.choices(MESSAGES, k=8))
        if number % 20_000 == 7:
            text = "the certificate has expired"
        line = (
            f"2026-01-01T10:{number // 60 % 60:02d}:{number % 60:02d}.{number % 1000:03d}Z INFO worker-{number % 7} "
            f"{text} id={chance.getrandbits(64):016x}\n"
        )
        lines.append(line)
        size += len(line)
    return "".join(lines).encode()[:MADE_BYTES]


if __name__ == "__main__":
    main()
