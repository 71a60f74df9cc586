"""Measures what a repeat costs: `python -m bench.decisions.exact_repeats` (docs/adr/0029).

One caller stores memories that are new, and repeats others: bare, and with a tag that makes a new version of them; in rounds
that take turns. Then batches of an import, new and repeated.
"""

import asyncio
import itertools
from datetime import UTC, datetime
from typing import Any

from camillo_server.memories.store.writer import MemoryWriter
from camillo_server.memories.write_records import MemoriesReplay

from bench.decisions.scratch import SCOPE, new_row, opened_database, scratch_postgres, writer_on
from bench.measure.timing import Call, latencies_ms, percentile, rounds_of

ROUNDS = 8
WRITES_A_ROUND = 200
IMPORTED = 1_000
NO_REPLAY = MemoriesReplay(datetime.now(UTC), (), ())


def main() -> None:
    with scratch_postgres() as postgres:
        asyncio.run(_compare(postgres.server_url))


async def _compare(url: str) -> None:
    async with opened_database(url, 4) as database:
        writer = writer_on(database, url)
        taken = await rounds_of(_ways(writer), ROUNDS, WRITES_A_ROUND)
        print(f"{ROUNDS * WRITES_A_ROUND} writes each, one caller, fsync on; milliseconds")
        for name, rounds in taken.items():
            each = list(itertools.chain(*rounds))
            print(f"{name:24}{percentile(each, 50):6.2f}{percentile(each, 95):7.2f}")
        await _imports(writer)


def _ways(writer: MemoryWriter) -> dict[str, Call]:
    """A repeat is of one of as many memories as a round has, which are new in its first round only."""
    numbers = {name: itertools.count() for name in ("new", "bare", "tagged")}

    async def remember(text: str, **fields: Any) -> None:
        row = new_row(_content(text), len(text), **fields)
        await writer.remember(SCOPE, row, NO_REPLAY, None, now=datetime.now(UTC))

    async def repeat_with_a_tag() -> None:
        number = next(numbers["tagged"])
        tags = (f"round {number // WRITES_A_ROUND}",)
        await remember(f"tagged {number % WRITES_A_ROUND}", tags=tags)

    return {
        "new": lambda: remember(f"new {next(numbers['new'])}"),
        "repeat": lambda: remember(f"bare {next(numbers['bare']) % WRITES_A_ROUND}"),
        "repeat with a tag": repeat_with_a_tag,
    }


async def _imports(writer: MemoryWriter) -> None:
    for name in ("new", "repeated"):
        taken: list[float] = []
        for number in range(ROUNDS):
            texts = [_content(f"imported {number} {row}") for row in range(IMPORTED)]
            rows = [new_row(text, len(text)) for text in texts]
            now = datetime.now(UTC)

            async def store(rows: Any = rows, now: datetime = now) -> None:
                await writer.import_rows(SCOPE, rows, replace=False, after=None, now=now)

            taken += await latencies_ms(store, 1)
        print(f"import of {IMPORTED:,}, {name:9}{percentile(taken, 50):6.0f}")


def _content(text: str) -> str:
    return f"The customer prefers to be called in the morning, and has said so in {text}"


if __name__ == "__main__":
    main()
