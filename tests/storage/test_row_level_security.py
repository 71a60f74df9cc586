"""Tenant isolation by the database alone: bare statements of the server's role, with no filter of the application."""

from typing import Any

import psycopg
import pytest
from psycopg import sql

from tests.postgres_fixtures import TestDatabase
from tests.storage.every_table import (
    NEVER_CHANGE,
    READ_ONLY,
    changed_rows,
    enter,
    tenant_tables,
    tenants_in,
    written_columns,
)


def test_every_table_but_three_belongs_to_tenants_and_forces_its_policy(
    filled: TestDatabase, tables: list[str]
) -> None:
    assert len(tables) >= 9
    with psycopg.connect(filled.superuser_url) as superuser:
        for table in tables:
            row = superuser.execute(
                "select relrowsecurity, relforcerowsecurity, exists (select from pg_attribute"
                " where attrelid = c.oid and attname = 'tenant_id' and attnotnull and attnum = 1)"
                " from pg_class c where oid = %s::regclass",
                (f"camillo.{table}",),
            ).fetchone()
            assert row == (True, True, True), table
            key = superuser.execute(
                "select a.attname from pg_index i join pg_attribute a"
                " on a.attrelid = i.indrelid and a.attnum = i.indkey[0]"
                " where i.indrelid = %s::regclass and i.indisprimary",
                (f"camillo.{table}",),
            ).fetchone()
            assert key == ("tenant_id",), table


def test_the_checker_would_notice_a_table_without_a_policy(filled: TestDatabase) -> None:
    with psycopg.connect(filled.superuser_url) as superuser:
        superuser.execute("create table camillo.unguarded (tenant_id text primary key)")
        superuser.execute("grant all on camillo.unguarded to camillo_server")
        superuser.execute("insert into camillo.unguarded values ('acme'), ('rival')")
    assert "unguarded" in tenant_tables(filled)
    with psycopg.connect(filled.server_url) as connection:
        enter(connection, "acme")
        assert tenants_in(connection, "unguarded") == {"acme", "rival"}


def test_a_bare_select_sees_the_entered_tenant_alone(connection: psycopg.Connection, tables: list[str]) -> None:
    for table in tables:
        enter(connection, "acme")
        assert tenants_in(connection, table) == {"acme"}, table
        enter(connection, "rival")
        assert tenants_in(connection, table) == {"rival"}, table


def test_without_a_tenant_nothing_is_seen_or_changed(connection: psycopg.Connection, tables: list[str]) -> None:
    for table in tables:
        connection.execute("reset camillo.tenant")
        assert tenants_in(connection, table) == set(), table
        enter(connection, "")
        assert tenants_in(connection, table) == set(), table
        if table not in READ_ONLY:
            assert changed_rows(connection, "delete from camillo.{}", table) == 0, table


def test_a_bare_update_and_delete_reach_the_entered_tenant_alone(
    connection: psycopg.Connection, filled: TestDatabase, tables: list[str]
) -> None:
    for table in tables:
        with psycopg.connect(filled.superuser_url) as superuser:
            statement = sql.SQL("select count(*) from camillo.{} where tenant_id = 'acme'")
            row = superuser.execute(statement.format(sql.Identifier(table))).fetchone()
        assert row is not None
        enter(connection, "acme")
        if table in NEVER_CHANGE:
            continue
        update_all = "update camillo.{} set tenant_id = tenant_id"
        assert changed_rows(connection, update_all, table) == row[0] > 0, table
        assert changed_rows(connection, "delete from camillo.{}", table) == row[0], table


def test_no_row_can_be_put_into_another_tenant(connection: psycopg.Connection, tables: list[str]) -> None:
    for table in tables:
        enter(connection, "acme")
        refusal = "permission denied" if table in {"events", *READ_ONLY} else "row-level security"
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match=refusal):
            changed_rows(connection, "update camillo.{} set tenant_id = 'rival'", table)
        written = sql.SQL(", ").join(written_columns(connection, table))
        columns = sql.SQL("select {} from camillo.{} limit 1").format(written, sql.Identifier(table))
        cursor = connection.execute(columns)
        row = cursor.fetchone()
        assert cursor.description is not None
        assert row is not None
        names = [column.name for column in cursor.description]
        copied: list[Any] = ["rival" if n == "tenant_id" else None for n in names]
        insert = sql.SQL("insert into camillo.{} ({}) values ({})").format(
            sql.Identifier(table),
            sql.SQL(", ").join(map(sql.Identifier, names)),
            sql.SQL(", ").join(sql.Placeholder() * len(names)),
        )
        refusal = "permission denied" if table in READ_ONLY else "row-level security"
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match=refusal):
            connection.execute(insert, copied)


def test_the_owner_of_the_tables_is_bound_too(filled: TestDatabase, tables: list[str]) -> None:
    with psycopg.connect(filled.owner_url) as owner:
        for table in tables:
            assert tenants_in(owner, table) == set(), table
        enter(owner, "rival")
        for table in tables:
            assert tenants_in(owner, table) == {"rival"}, table


def test_a_key_is_seen_by_whoever_has_its_digest_and_by_no_one_else(
    connection: psycopg.Connection, filled: TestDatabase
) -> None:
    with psycopg.connect(filled.superuser_url) as superuser:
        found = superuser.execute(
            "select encode(secret_digest, 'hex'), key_id from camillo.api_keys where tenant_id = 'rival'"
        ).fetchone()
    assert found is not None
    enter(connection, "")
    connection.execute("select set_config('camillo.key_digest', %s, false)", (found[0],))
    seen = connection.execute("select key_id from camillo.api_keys").fetchall()
    assert seen == [(found[1],)]
    assert changed_rows(connection, "update camillo.{} set role = 4", "api_keys") == 0
    assert changed_rows(connection, "delete from camillo.{}", "api_keys") == 0
    connection.execute("select set_config('camillo.key_digest', %s, false)", ("00" * 32,))
    assert connection.execute("select key_id from camillo.api_keys").fetchall() == []


def test_no_setting_of_the_session_lists_tenants(connection: psycopg.Connection, tables: list[str]) -> None:
    connection.execute("select set_config('camillo.tenant_list', 'on', false)")
    for table in tables:
        assert tenants_in(connection, table) == set(), table
    listed = connection.execute("select tenant_id from camillo.all_tenants()").fetchall()
    assert {tenant_id for (tenant_id,) in listed} == {"acme", "rival"}
    assert tenants_in(connection, "tenants") == set()


def test_a_session_of_a_tenant_sees_its_jobs_alone(connection: psycopg.Connection) -> None:
    connection.execute("set search_path to camillo_jobs")
    for tenant_id in ("acme", "rival"):
        connection.execute(
            "insert into procrastinate_jobs (queue_name, task_name, args) values ('q', 't', jsonb_build_object("
            "'tenant_id', %s::text, 'agent_id', ''))",
            (tenant_id,),
        )
    connection.execute(
        "insert into procrastinate_periodic_defers (task_name, job_id) select 't', min(id) from procrastinate_jobs"
    )

    def seen() -> list[int]:
        tables = ("procrastinate_jobs", "procrastinate_events", "procrastinate_periodic_defers")
        counts = (connection.execute(f"select count(*) from {each}").fetchone() for each in tables)
        return [count[0] for count in counts if count]

    assert seen() == [2, 2, 1]
    for tenant_id, expected in (("acme", 1), ("rival", 1), ("other", 0)):
        enter(connection, tenant_id)
        assert seen() == [expected, expected, 0]
        removed = connection.execute(
            "update procrastinate_jobs set args = '{}' where args ->> 'tenant_id' <> %s", (tenant_id,)
        )
        assert removed.rowcount == 0
    enter(connection, "acme")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute(
            "insert into procrastinate_jobs (queue_name, task_name, args)"
            " values ('q', 't', '{\"tenant_id\": \"rival\"}')"
        )


def test_global_skills_are_read_by_every_tenant_and_written_by_none(connection: psycopg.Connection) -> None:
    insert = (
        "insert into camillo.global_skills select %s, 1, to_timestamp(0), 'd', '{}', '{}', 'x', 1, false, '', 1, 't'"
    )
    enter(connection, "")
    connection.execute(insert, ("review",))
    for tenant_id in ("acme", "rival"):
        enter(connection, tenant_id)
        assert connection.execute("select name from camillo.global_skills").fetchall() == [("review",)]
        for statement in ("update camillo.global_skills set text = 'mine'", "delete from camillo.global_skills"):
            assert connection.execute(statement).rowcount == 0
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
            connection.execute(insert, ("mine",))
    enter(connection, "")
    assert connection.execute("update camillo.global_skills set text = 'changed'").rowcount == 1
    assert connection.execute("delete from camillo.global_skills").rowcount == 1


def test_the_servers_role_can_neither_bypass_policies_nor_change_the_schema(connection: psycopg.Connection) -> None:
    row = connection.execute(
        "select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user"
    ).fetchone()
    assert row == (False, False, False, False)
    for statement in (
        "create table camillo.mine (x int)",
        "create table public.mine (x int)",
        "alter table camillo.memories disable row level security",
        "drop policy tenant_isolation on camillo.memories",
        "set role camillo_owner",
        "set session authorization camillo_owner",
        "truncate camillo.memories",
        "update camillo.schema_version set version_num = '9'",
        "delete from camillo.database_identity",
        "insert into camillo.key_secrets default values",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(statement)
