"""Filling a database past the server: the rows that an import would write, by the same statements, without gRPC.

For scopes that no server has touched: no server is notified. As superuser, without checks of foreign keys and policies,
and secondary indexes are built at the end.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from itertools import islice

import psycopg
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.kinds import ChunkKind
from camillo_server.kernel.scope import Scope
from camillo_server.rows.row import NewRow
from camillo_server.rows.store.inserts import COLUMNS
from camillo_server.rows.store.rows import row_parameters
from camillo_server.storage.statements import scope_parameters, statements
from pgvector.psycopg import register_vector

from bench.app_server import TENANT
from bench.material.corpus import Corpus, new_rows

SQL = {**statements("rows/store/writes"), **statements("storage/scopes")}
# From here on it is faster to make indexes anew than to keep them.
ROWS_FOR_NEW_INDEXES = 50_000
BATCH_ROWS = 2_500
STORE = (
    "insert_staged_memories",
    "insert_staged_vectors",
    "insert_staged_access",
    "count_staged",
)
SECONDARY_INDEXES = """
select i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid) from pg_index i
where i.indrelid = 'camillo.memories'::regclass
    and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
"""

Connection = psycopg.Connection[tuple[object, ...]]
KeptAs = Callable[[NewRow], NewRow]


def as_it_is(row: NewRow) -> NewRow:
    """A memory stays one."""
    return row


def as_chunk(row: NewRow) -> NewRow:
    """The row as a chunk of an event that had the same text."""
    memory = row.memory
    chunk = memory._replace(
        kind=ChunkKind.EVENT_MESSAGE,
        source_refs=(str(memory.memory_id),),
        metadata={"channel": "private", "actor": "Ann", "actor_type": "human", "place": 0},
    )
    return NewRow(chunk, row.vector)


@dataclass(frozen=True, slots=True)
class Filled:
    """Contents of a scope: so many memories, with texts of so many bytes in UTF-8."""

    rows: int
    text_bytes: int


def fill_scope(
    superuser_url: str,
    agent_id: str,
    corpus: Corpus,
    model_id: str,
    *,
    kept_as: KeptAs = as_it_is,
) -> Filled:
    """Stores the corpus as the scope of this agent, and updates the statistics of Postgres."""
    with _connection(superuser_url) as connection:
        with _without_indexes(connection, corpus.rows):
            text_bytes = sum(
                _store(connection, agent_id, map(kept_as, new_rows(block, agent_id, model_id)))
                for block in corpus.blocks()
            )
        connection.execute("vacuum analyze")
    return Filled(corpus.rows, text_bytes)


def fill_scopes(
    superuser_url: str,
    agent_ids: Sequence[str],
    corpus: Corpus,
    model_id: str,
    *,
    kept_as: KeptAs = as_it_is,
) -> Filled:
    """Stores each block of the corpus as a scope of its own, the first as that of the first agent."""
    text_bytes = 0
    with _connection(superuser_url) as connection:
        with _without_indexes(connection, corpus.rows):
            for agent_id, block in zip(agent_ids, corpus.blocks(), strict=True):
                rows = map(kept_as, new_rows(block, agent_id, model_id))
                text_bytes += _store(connection, agent_id, rows)
        connection.execute("vacuum analyze")
    return Filled(corpus.rows, text_bytes)


def bytes_on_disk(superuser_url: str) -> float:
    """Average bytes of a memory in Postgres, with its vector and the indexes."""
    query = """
    select (pg_total_relation_size('camillo.memories') + pg_total_relation_size('camillo.memory_vectors'))::float8
        / count(*) from camillo.memories
    """
    with psycopg.connect(superuser_url) as connection:
        row = connection.execute(query).fetchone()
    assert row is not None
    return float(row[0])


def _store(connection: Connection, agent_id: str, rows: Iterator[NewRow]) -> int:
    """Returns how many bytes of text it stored."""
    scope = Scope(TenantId(TENANT), AgentId(agent_id))
    text_bytes = 0
    while batch := list(islice(rows, BATCH_ROWS)):
        _store_batch(connection, scope, batch)
        text_bytes += sum(len(row.memory.content.encode()) for row in batch)
    return text_bytes


def _store_batch(connection: Connection, scope: Scope, rows: Sequence[NewRow]) -> None:
    """One transaction at the scope's next revision."""
    key = scope_parameters(scope)
    turn = {**key, "added_memories": 0, "added_terms": 0, "now": datetime.now(UTC)}
    with connection.transaction():
        connection.execute(SQL["create_staging"])
        with connection.cursor() as cursor, cursor.copy(SQL["copy_to_staging"]) as copy:
            copy.set_types(list(COLUMNS.values()))
            for row in rows:
                # A corpus may say the same twice, and its rows are counted: each passes for a statement of its own.
                own = scope.agent_id.encode() + row.memory.memory_id.bytes
                fingerprint = sha256(own).digest()
                stored = {**row_parameters(scope, row), "fingerprint": fingerprint}
                copy.write_row([stored[name] for name in COLUMNS])
        connection.execute(SQL["next_revision"], turn)
        for statement in STORE:
            connection.execute(SQL[statement], key)


@contextmanager
def _connection(superuser_url: str) -> Iterator[Connection]:
    with psycopg.connect(superuser_url, autocommit=True) as connection:
        register_vector(connection)
        connection.execute("set search_path to camillo, public")
        # Neither foreign keys nor a disk to wait for: what breaks is thrown away anyway.
        connection.execute("set session_replication_role to replica")
        connection.execute("set synchronous_commit to off")
        yield connection


@contextmanager
def _without_indexes(connection: Connection, rows: int) -> Iterator[None]:
    """Drops the indexes of memories that serve no constraint, and makes them again, where that saves time."""
    if rows < ROWS_FOR_NEW_INDEXES:
        yield
        return
    found = connection.execute(SECONDARY_INDEXES).fetchall()
    for name, _ in found:
        connection.execute(f"drop index {name}".encode())
    yield
    connection.execute("set maintenance_work_mem to '512MB'")
    for _, definition in found:
        connection.execute(str(definition).encode())
