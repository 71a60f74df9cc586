"""Measures a write by how it travels to Postgres: `python -m bench.decisions.write_round_trips` (docs/adr/0001).

The same statement in a transaction sent step by step, in one sent as a pipeline, and alone in autocommit by the driver's cursor: on a
connection that is bound already, and on one that is bound first. And as the server does it (docs/adr/revisions-and-writes.md).
"""

import asyncio
import itertools
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

from camillo_server.crypto.keyring import Keyring
from camillo_server.memories.store.rows import row_parameters
from camillo_server.storage.blocklist import fingerprint_texts
from camillo_server.storage.database import Binding, Session
from camillo_server.storage.requests import request_parameters
from camillo_server.storage.statements import scope_parameters, statements
from pgvector.psycopg import register_vector_async

from bench.decisions.scratch import SCOPE, new_row, scratch_postgres
from bench.measure.timing import percentile, taking_turns

ROUNDS = 8
WRITES_A_ROUND = 60
BINDING = Binding(SCOPE, 30_000)
BIND_SESSION, BOUND = BINDING.statement
BIND_TRANSACTION = (
    "select set_config('camillo.tenant', %(tenant_id)s, true), set_config('camillo.agent', %(agent_id)s, true),"
    " set_config('statement_timeout', %(timeout_ms)s::text, true)"
)
REMEMBER = statements("memories/store/writes")["remember"]

# Each memory is new: a repeat is another statement.
numbers = itertools.count()

Write = Callable[[dict[str, Any]], Awaitable[None]]


def main() -> None:
    with scratch_postgres() as postgres:
        asyncio.run(_compare(postgres.server_url))


async def _compare(url: str) -> None:
    session = await Session.connect(url, autocommit=True, prepare_threshold=0)
    async with session:
        await session.execute("set search_path to camillo, public")
        await register_vector_async(session)
        ways = _ways(session)
        for write in ways.values():
            await _round(write, session)
        taken: dict[str, list[float]] = {name: [] for name in ways}
        busy = dict.fromkeys(ways, 0.0)
        for name in taking_turns(list(ways), ROUNDS):
            milliseconds, cpu_seconds = await _round(ways[name], session)
            taken[name] += milliseconds
            busy[name] += cpu_seconds
    writes = ROUNDS * WRITES_A_ROUND
    print(f"{writes} writes each, one caller, fsync on; milliseconds")
    print(f"{'':28}{'p50':>6}{'p95':>7}{'client CPU':>12}")
    for name, milliseconds in taken.items():
        p50, p95 = percentile(milliseconds, 50), percentile(milliseconds, 95)
        print(f"{name:28}{p50:6.2f}{p95:7.2f}{busy[name] * 1000 / writes:12.2f}")


def _ways(session: Session) -> dict[str, Write]:
    async def step_by_step(parameters: dict[str, Any]) -> None:
        async with session.transaction():
            await session.execute(BIND_TRANSACTION, BOUND)
            await session.only_row(REMEMBER, parameters)

    async def pipelined(parameters: dict[str, Any]) -> None:
        async with session.pipeline(), session.transaction():
            await session.execute(BIND_TRANSACTION, BOUND)
            cursor = session.cursor(binary=True)
            await cursor.execute(REMEMBER, parameters)
        await cursor.fetchone()

    async def alone(parameters: dict[str, Any]) -> None:
        await session.only_row(REMEMBER, parameters)

    async def bound_before(parameters: dict[str, Any]) -> None:
        await session.execute(BIND_SESSION, BOUND)
        await session.only_row(REMEMBER, parameters)

    async def together(parameters: dict[str, Any]) -> None:
        session.bound = None
        (await session.run_alone(BINDING, (REMEMBER, parameters))).rows()

    async def together_when_bound(parameters: dict[str, Any]) -> None:
        session.bound = BINDING
        (await session.run_alone(BINDING, (REMEMBER, parameters))).rows()

    return {
        "transaction, step by step": step_by_step,
        "transaction, pipelined": pipelined,
        "one statement, autocommit": alone,
        "binding, then one statement": bound_before,
        "binding and statement": together,
        "the same, bound already": together_when_bound,
    }


async def _round(write: Write, session: Session) -> tuple[list[float], float]:
    """Milliseconds of each write, and the seconds of processor time that this process took for all of them."""
    # Where a transaction binds itself, the session's own binding changes nothing.
    await session.execute(BIND_SESSION, BOUND)
    prepared = [_parameters(next(numbers)) for _ in range(WRITES_A_ROUND)]
    taken = []
    busy = time.process_time()
    for parameters in prepared:
        started = time.perf_counter()
        await write(parameters)
        taken.append((time.perf_counter() - started) * 1000)
    return taken, time.process_time() - busy


def _parameters(number: int) -> dict[str, Any]:
    row = new_row(f"The customer prefers option {number}", number)
    stored = row_parameters(SCOPE, row)
    return {
        **scope_parameters(SCOPE),
        **stored,
        **request_parameters(Keyring.empty(), SCOPE, None, {}),
        "marks": fingerprint_texts(SCOPE, row.memory.texts).all(),
        "added_memories": 1,
        "added_terms": stored["term_count"],
        "now": datetime.now(UTC),
    }


if __name__ == "__main__":
    main()
