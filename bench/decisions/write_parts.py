"""Measures what the parts of the schema cost a Remember in Postgres: `python -m bench.decisions.write_parts`
(docs/performance.md).

Each variant is a copy of the database that lacks some indexes, triggers or policies. The statement of Remember is run
on all of them in turns, by a connection of each, with fsync on. The figures are microseconds of the processor that the
connection's process took for one statement, the least of the rounds, since other work on the machine only adds to it.
"""

import asyncio
from statistics import median

import psycopg
from camillo_server.storage.database import Session
from camillo_server.storage.embedded.account import DATABASE, SERVER, SUPERUSER
from camillo_server.storage.embedded.server import EmbeddedPostgres
from camillo_server.storage.wire import register_vectors
from rich.console import Console
from rich.table import Table

from bench.decisions.scratch import scratch_postgres
from bench.decisions.write_limits import WRITES, remembers
from bench.measure.servers import backend_seconds

ROUNDS = 12
OTHERS = "without_vector hideable session sealed origin summary pinned dated standing"
WITHOUT_POLICIES = """do $$ declare each regclass; begin
    for each in select oid::regclass from pg_class where relnamespace = 'camillo'::regnamespace and relrowsecurity loop
        execute format('alter table %s disable row level security', each);
    end loop;
end $$"""
WITHOUT_TRIGGERS = [f"alter table {name} disable trigger all" for name in ("memories", "memory_vectors", "requests")]
WITHOUT_CHAIN = """create or replace function chain_audit_entry() returns trigger language plpgsql as $$
begin new.position := new.revision; new.hash := ''; new.transaction_id := '1'; return new; end $$"""
VARIANTS = {
    "as it is": "",
    "without the index of terms": "drop index memories_terms_idx",
    "without those by creation and by time": "drop index memories_created_idx, memories_occurred_idx",
    "without that by revision": "drop index memories_revision_idx",
    "without that of fingerprints": "drop index memories_fingerprint_key",
    "without the nine partial ones": f"drop index {', '.join(f'memories_{name}_idx' for name in OTHERS.split())}",
    "without requests by time": "drop index requests_created_idx",
    "without audit entries in order": "drop index audit_entries_order_idx",
    "without counting bytes": "alter table memories disable trigger memory_bytes_on_insert",
    "without any trigger or foreign key": "; ".join(WITHOUT_TRIGGERS),
    "without the chain of hashes": WITHOUT_CHAIN,
    "without row-level security": WITHOUT_POLICIES,
}


async def session_of(postgres: EmbeddedPostgres, database: str, change: str) -> Session:
    with psycopg.connect(
        postgres.url(SUPERUSER, database), autocommit=True, cursor_factory=psycopg.ClientCursor
    ) as superuser:
        superuser.execute("set search_path to camillo, public")
        if change:
            superuser.execute(change.encode())
    session = await Session.connect(postgres.url(SERVER, database), autocommit=True)
    await session.execute("select set_config('search_path', 'camillo, public', false)")
    await register_vectors(session)
    return session


async def measure(postgres: EmbeddedPostgres) -> dict[str, list[float]]:
    """Microseconds of each variant, round by round."""
    with psycopg.connect(postgres.url(SUPERUSER, "postgres"), autocommit=True) as superuser:
        for number in range(len(VARIANTS)):
            superuser.execute(f"create database variant_{number} template {DATABASE}".encode())
    sessions = {
        name: await session_of(postgres, f"variant_{number}", change)
        for number, (name, change) in enumerate(VARIANTS.items())
    }
    found: dict[str, list[float]] = {name: [] for name in VARIANTS}
    for number in range(ROUNDS + 1):
        for name, session in sessions.items():
            before = backend_seconds(session.info.backend_pid)
            await remembers(session)
            if number:
                found[name].append(1e6 * (backend_seconds(session.info.backend_pid) - before) / WRITES)
    for session in sessions.values():
        await session.close()
    return found


def main() -> None:
    with scratch_postgres() as postgres:
        found = asyncio.run(measure(postgres))
    table = Table("the statement of Remember", "us of Postgres, least", "median")
    for name, each in found.items():
        table.add_row(name, f"{min(each):.0f}", f"{median(each):.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
