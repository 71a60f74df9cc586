"""Isolation of agents by the database alone, as test_row_level_security.py has it for tenants."""

import psycopg
import pytest
from psycopg import sql

from tests.postgres_fixtures import TestDatabase
from tests.storage.every_table import (
    NEVER_CHANGE,
    OF_NO_AGENT,
    READ_ONLY,
    agents_in,
    changed_rows,
    enter,
    written_columns,
)

# Sets of scopes, as a connection is bound to them.
ALICE_AMONG = ('{"alice","bob"}', '{"users/42","alice"}', "{alice}")
WITHOUT_ALICE = ('{"bob"}', "{}", '{"*"}', '{"ali%","alic","alice/*"}', '{"{alice}"}')


@pytest.fixture
def agent_tables(tables: list[str]) -> list[str]:
    return [table for table in tables if table not in OF_NO_AGENT]


def test_every_table_but_those_of_the_whole_tenant_has_the_policies_of_agents(
    filled: TestDatabase, tables: list[str]
) -> None:
    with psycopg.connect(filled.superuser_url) as superuser:
        for table in tables:
            rows = superuser.execute(
                "select polcmd::text from pg_policy where polrelid = %s::regclass and not polpermissive"
                " and polname ~ '^agent_' order by 1",
                (f"camillo.{table}",),
            ).fetchall()
            commands = "".join(command for (command,) in rows)
            assert commands == ("" if table in OF_NO_AGENT else "adrw"), table


def test_a_bare_select_sees_the_rows_of_the_entered_agent_and_the_shared_ones(
    connection: psycopg.Connection, agent_tables: list[str]
) -> None:
    for table in agent_tables:
        # A key of no agent reaches every agent: no agent sees it.
        shared, every = ({""}, {""}) if table != "api_keys" else (set[str](), {None})
        enter(connection, "acme", "bob")
        assert agents_in(connection, table) == shared, table
        enter(connection, "acme", "")
        assert agents_in(connection, table) == shared, table
        enter(connection, "acme", "alice")
        assert agents_in(connection, table) == shared | {"alice"}, table
        enter(connection, "acme")
        assert agents_in(connection, table) == every | {"alice"}, table
        for spaces in ALICE_AMONG:
            enter(connection, "acme", spaces)
            assert agents_in(connection, table) == shared | {"alice"}, (table, spaces)
        for spaces in WITHOUT_ALICE:
            enter(connection, "acme", spaces)
            assert agents_in(connection, table) == shared, (table, spaces)


def test_without_an_agent_no_agents_rows_are_seen_or_changed(filled: TestDatabase, agent_tables: list[str]) -> None:
    with psycopg.connect(filled.server_url, autocommit=True) as fresh:
        fresh.execute("select set_config('camillo.tenant', 'acme', false)")
        for table in agent_tables:
            assert agents_in(fresh, table) <= {""}, table
            if table not in NEVER_CHANGE:
                removal = "delete from camillo.{} where agent_id <> ''"
                assert changed_rows(fresh, removal, table) == 0, table


def test_a_bare_update_and_delete_reach_the_entered_agent_alone(
    connection: psycopg.Connection, agent_tables: list[str]
) -> None:
    for table in agent_tables:
        if table in NEVER_CHANGE:
            continue
        enter(connection, "acme")
        own = sql.SQL("select count(*) from camillo.{} where agent_id = 'alice'")
        row = connection.execute(own.format(sql.Identifier(table))).fetchone()
        assert row is not None
        assert row[0] > 0, table
        reached = dict.fromkeys(("bob", *WITHOUT_ALICE), 0) | dict.fromkeys(("alice", *ALICE_AMONG), row[0])
        for agent_id, count in reached.items():
            enter(connection, "acme", agent_id)
            for statement in ("update camillo.{} set agent_id = agent_id", "delete from camillo.{}"):
                assert changed_rows(connection, statement, table) == count, table


def test_no_row_can_be_put_into_another_agent(connection: psycopg.Connection, agent_tables: list[str]) -> None:
    for table in agent_tables:
        for entered, agent_id in (("alice", "bob"), ("alice", ""), (ALICE_AMONG[0], "carl"), (ALICE_AMONG[0], "")):
            enter(connection, "acme", entered)
            statement = (
                "insert into camillo.{0} ({1}) select {1} from jsonb_populate_record((select t from camillo.{0} t"
            )
            statement += " where agent_id = 'alice' limit 1), jsonb_build_object('agent_id', %s::text))"
            columns = sql.SQL(", ").join(written_columns(connection, table))
            refusal = "permission denied" if table in READ_ONLY else "row-level security"
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match=refusal):
                connection.execute(sql.SQL(statement).format(sql.Identifier(table), columns), (agent_id,))


def test_a_row_can_be_put_into_each_space_of_a_set(connection: psycopg.Connection) -> None:
    statement = (
        "insert into camillo.scopes (tenant_id, agent_id, revision, memory_count, term_count, display_name, created_at)"
        " values ('acme', %s, 1, 0, 0, '', now())"
    )
    enter(connection, "acme", '{"bob","users/42"}')
    with connection.transaction(force_rollback=True):
        for agent_id in ("bob", "users/42"):
            assert connection.execute(statement, (agent_id,)).rowcount == 1
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(statement, ("users/4",))


def test_the_policies_leave_statements_their_indexes(connection: psycopg.Connection) -> None:
    enter(connection, "acme", "alice")
    connection.execute("set enable_seqscan to off")
    rows = connection.execute(
        "explain select content from camillo.memories where tenant_id = 'acme' and agent_id = 'alice'"
        " and memory_id = '00000000-0000-4000-8000-000000000000'"
    )
    plan = "\n".join(line for (line,) in rows)
    assert "Index Cond: ((tenant_id = 'acme'::text" in plan
    # Once for the statement, not for each row.
    assert "Filter: CASE WHEN (InitPlan 1).col1 THEN true ELSE (agent_id = ANY ((InitPlan 2).col1)) END" in plan, plan
