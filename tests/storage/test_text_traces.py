"""Forgotten texts leave no trace in the text index and none in the planner's statistics."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import psycopg
import pytest
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import MemoryKind
from camillo_server.storage.migrate import MAINTAIN_VERSION
from camillo_server.storage.scopes import tsquery_texts
from camillo_server.storage.statements import scope_parameters, statements
from camillo_server.storage.vacuum import vacuum_texts
from psycopg import Connection

from tests.postgres_fixtures import TestDatabase
from tests.rpc.forgetting.test_forget import forget
from tests.rpc.memories.calls import remember
from tests.rpc.records import decide, open_task, put_view, record
from tests.server_fixtures import Server
from tests.storage.context.ground_store import ALICE, NOW

WORD, CONTROL = "schieferdach", "dachdecker"
ROWS = 2_000
SOME_ID = MemoryId(UUID(int=1))
MEMORIES = statements("rows/store/writes")
RECORDS = statements("across/context/store/records")
FORGETTING = statements("across/forgetting/store/forgetting")
# The columns of texts that were left out of statistics, against those that plans rest on.
OF_TEXTS = """
select tablename, attname, most_common_vals::text || coalesce(most_common_elems::text, '') from pg_stats
where schemaname = 'camillo' and (most_common_vals::text ~* %(word)s or most_common_elems::text ~* %(word)s
    or histogram_bounds::text ~* %(word)s)
"""


@pytest.fixture
def sql_shell(database: TestDatabase) -> Iterator[Connection[Any]]:
    with psycopg.connect(database.superuser_url, autocommit=True) as connection:
        connection.execute("set search_path to camillo, public")
        yield connection


def index_has(sql_shell: Connection[Any], word: str) -> bool:
    """Whether a word stands in the file of the text index."""
    sql_shell.execute("checkpoint")
    (content,) = sql_shell.execute(
        "select pg_read_binary_file(pg_relation_filepath('memories_terms_idx'))"
    ).fetchone() or (b"",)
    return word.encode() in content


async def test_words_leave_the_text_index_when_it_is_rebuilt(server: Server, sql_shell: Connection[Any]) -> None:
    gone = await remember(server.alice, f"Hinter dem {WORD} 🏠")
    await remember(server.alice, f"Der {CONTROL} kommt")
    await server.alice(forget(gone.memory_id))
    sql_shell.execute("vacuum memories")
    assert index_has(sql_shell, WORD)
    await vacuum_texts(server.database.server_url, 10)
    if sql_shell.info.server_version >= MAINTAIN_VERSION:
        assert (index_has(sql_shell, CONTROL), index_has(sql_shell, WORD)) == (True, False)
        assert sql_shell.execute("select count(*) from pg_index where not indisvalid").fetchone() == (0,)


async def test_statistics_hold_no_texts(server: Server, sql_shell: Connection[Any]) -> None:
    for number in range(3):
        event = await record(server.alice, f"{WORD} {number}", tags=[WORD])
        await remember(server.alice, f"{WORD} {number}", tags=[WORD], session_id=WORD)
        await decide(server.alice, WORD, event.event_id, tags=[WORD])
        await open_task(server.alice, WORD, tags=[WORD])
    await put_view(server.alice, "rules", WORD)
    sql_shell.execute("create table control as select 'schieferdach' from generate_series(1, 9)")
    sql_shell.execute("analyze")
    found = sql_shell.execute(OF_TEXTS, {"word": WORD}).fetchall()
    assert {table for table, *_ in found} == {"control"}


def shape(connection: Connection[Any], sql: str, parameters: dict[str, Any]) -> list[str]:
    """The nodes of a plan with the indexes that they read."""
    rows = connection.execute(f"explain (costs off) {sql}", parameters).fetchall()
    return [line.strip() for (line,) in rows if "->" in line or "Scan" in line]


def test_plans_are_the_same_without_statistics_of_texts(sql_shell: Connection[Any]) -> None:
    fill(sql_shell)
    key = {**scope_parameters(ALICE), "now": NOW, "since": NOW, "size": 20}
    queries: dict[str, tuple[str, dict[str, Any]]] = {
        "words": (
            "select m.memory_id from memories m where m.terms @@ %(query)s::tsquery"
            " and m.tenant_id = 'acme' and m.agent_id = 'alice'",
            {"query": tsquery_texts(ALICE, [WORD])[0]},
        ),
        "session": (RECORDS["recent_events"], {**key, "session_id": "s7", "bytes": 1_000_000}),
        "unasked": (RECORDS["unasked"], {**key, "pinned": 50, "preferences": 8, "recent": 20}),
        "derived": (FORGETTING["with_derived"], {**key, "refs": [str(SOME_ID)]}),
        "ids": (MEMORIES["memories_of_ids"], {**key, "memory_ids": [SOME_ID]}),
    }

    def shapes() -> dict[str, list[str]]:
        sql_shell.execute("analyze")
        return {name: shape(sql_shell, *query) for name, query in queries.items()}

    without = shapes()
    columns = sql_shell.execute(
        "select attrelid::regclass::text, attname from pg_attribute a join pg_class c on c.oid = attrelid"
        " where attstattarget = 0 and attnum > 0 and c.relnamespace = 'camillo'::regnamespace"
    ).fetchall()
    assert ("memories", "terms") in columns
    for table, column in columns:
        sql_shell.execute(f"alter table {table} alter column {column} set statistics -1")
    assert shapes() == without


def fill(sql_shell: Connection[Any]) -> None:
    """Stores some memories and events in two scopes, by SQL: their texts do not matter."""
    sql_shell.execute("insert into tenants values ('acme', '', %s) on conflict do nothing", [NOW])
    for agent in ("alice", "bob"):
        sql_shell.execute(
            "insert into scopes (tenant_id, agent_id, revision, memory_count, term_count, display_name, created_at)"
            " values ('acme', %s, 5000, 0, 0, '', %s) on conflict do nothing",
            [agent, NOW],
        )
        sql_shell.execute(
            "insert into memories (tenant_id, agent_id, memory_id, revision, version, content, kind, session_id,"
            " occurred_at, tags, sensitivity, importance, metadata, expires_at, pinned, archived, source_refs, "
            "created_at,"
            " updated_at, vector_model_id, term_count, terms, term_codes, key_id, cited_refs)"
            " select 'acme', %(agent)s, gen_random_uuid(), n, 1, 'text ' || n, %(kind)s, 's' || n %% 50, %(now)s,"
            " array['t' || n %% 9], 2, 0.5, '{}', null, n %% 100 = 0, false,"
            " case when n %% 5 = 0 then array['ref' || n] else '{}' end, %(now)s, %(now)s, '', 2,"
            " (%(word)s || n %% 200)::tsvector, '', '', '{}' from generate_series(1, %(rows)s) n",
            {"agent": agent, "kind": int(MemoryKind.FACT), "now": NOW, "rows": ROWS, "word": "word"},
        )
        sql_shell.execute(
            "insert into events (tenant_id, agent_id, event_id, revision, place, session_id, channel, actor_type, "
            "actor_id,"
            " kind, sensitivity, tags, occurred_at, recorded_at, refs, importance, content_bytes, key_id, details)"
            " select 'acme', %(agent)s, gen_random_uuid(), n, 0, 's' || n %% 50, 2, 1, 'a', 1, 2, '{}', %(now)s, "
            "%(now)s,"
            " '{}', null, 2, '', '{}' from generate_series(1, %(rows)s) n",
            {"agent": agent, "now": NOW, "rows": ROWS},
        )
