"""A backup has every row of every table, and becomes the same database again."""

from pathlib import Path

import psycopg
from camillo_server.across.backup.files import check_file
from camillo_server.features.audit.audit import SQL as AUDIT

from tests.postgres_fixtures import TestDatabase
from tests.storage.backup.backups import back_up, catalog, digests, nothing, restore

NAME = "Ünïcödé 记忆 🧠 שלום \\ \t\n"
JOBS = """
insert into camillo_jobs.procrastinate_jobs (task_name, args, queue_name)
values ('none', '{"tenant_id": "acme"}', 'q'), ('none', '{}', 'q')
"""


def test_every_row_of_every_table_comes_back(filled: TestDatabase, other: TestDatabase, tmp_path: Path) -> None:
    with psycopg.connect(filled.superuser_url) as superuser:
        superuser.execute("update camillo.tenants set display_name = %s", (NAME,))
        superuser.execute("set search_path to camillo_jobs")
        superuser.execute(JOBS)
    with psycopg.connect(filled.owner_url) as owner:
        owner.execute("select camillo.create_audit_partition('2024-02-01 00:00:00+00')")
    before, tables = digests(filled), catalog(filled)
    manifest = back_up(filled, tmp_path / "backup")
    restored = restore(tmp_path / "backup", other)
    assert digests(other) == before
    assert catalog(other) == tables
    assert {table.name for table in manifest.tables} == before.keys() - {
        "camillo.schema_version",
        "camillo_jobs.last_migration",
    } | {"camillo.database_identity"}
    assert manifest.rows > len(manifest.tables)
    assert restored.database_id != manifest.origin.database_id


def test_another_row_is_noticed_by_what_compares(filled: TestDatabase, other: TestDatabase) -> None:
    before, tables = digests(filled), catalog(filled)
    with psycopg.connect(filled.superuser_url) as superuser:
        superuser.execute("update camillo.memories set pinned = not pinned")
        superuser.execute("alter table camillo.events disable trigger events_never_change")
    assert digests(filled)["camillo.memories"] != before["camillo.memories"]
    assert catalog(filled) != tables


def test_row_groups_are_left_out(filled: TestDatabase, other: TestDatabase, tmp_path: Path) -> None:
    back_up(filled, tmp_path / "backup")
    restore(tmp_path / "backup", other)
    counts = list[int]()
    for database in (filled, other):
        with psycopg.connect(database.superuser_url) as superuser:
            counts += superuser.execute("select count(*) from camillo.row_groups").fetchone() or ()
    assert counts[0] > 0 == counts[1]
    assert not [*(tmp_path / "backup").rglob("*row_groups*")]
    assert [*(tmp_path / "backup").rglob("*memory_vectors*")]


def test_ids_of_jobs_go_on_where_they_were(filled: TestDatabase, other: TestDatabase, tmp_path: Path) -> None:
    with psycopg.connect(filled.superuser_url) as superuser:
        superuser.execute("set search_path to camillo_jobs")
        superuser.execute(JOBS)
    back_up(filled, tmp_path / "backup")
    restore(tmp_path / "backup", other)
    with psycopg.connect(other.superuser_url) as superuser:
        superuser.execute("set search_path to camillo_jobs")
        superuser.execute(JOBS)
        row = superuser.execute("select count(*), count(distinct id) from procrastinate_jobs")
        assert len(set(row.fetchone() or ())) == 1


def test_the_audit_trail_goes_on_behind_what_another_cluster_counted(
    filled: TestDatabase, other: TestDatabase, tmp_path: Path
) -> None:
    with psycopg.connect(filled.superuser_url) as superuser:
        superuser.execute("set session_replication_role = replica")
        superuser.execute(
            "update camillo.audit_entries set transaction_id = (transaction_id::text::bigint + 1000000000)::text::xid8"
        )
    back_up(filled, tmp_path / "backup")
    restore(tmp_path / "backup", other)
    with psycopg.connect(other.superuser_url) as superuser:
        superuser.execute("select set_config('camillo.tenant', 'acme', true), set_config('camillo.agent', '*', true)")
        superuser.execute(
            "insert into camillo.audit_entries (tenant_id, agent_id, at, revision, method, credential, facts)"
            " values ('acme', 'alice', now(), 9, 'behind them', 'x', '{}')"
        )
    with psycopg.connect(other.superuser_url) as superuser:
        superuser.execute("set search_path = camillo")
        (horizon,) = superuser.execute(AUDIT["horizon"]).fetchone() or ()
        rows = superuser.execute(
            "select transaction_id::text::bigint, method from audit_entries order by transaction_id, agent_id, position"
        ).fetchall()
    assert len(rows) > 1
    assert rows[0][0] > 1_000_000_000
    assert rows[-1][1] == "behind them"
    assert rows[-2][0] < rows[-1][0] < horizon


def test_a_role_that_no_policy_binds_backs_up_each_row_once(filled: TestDatabase, tmp_path: Path) -> None:
    as_superuser = TestDatabase(filled.superuser_url, filled.server_url, filled.superuser_url, filled.name)
    by_owner, by_superuser = (
        back_up(database, tmp_path / name) for database, name in ((filled, "owner"), (as_superuser, "superuser"))
    )
    rows = [[(each.name, each.rows) for each in one.tables] for one in (by_owner, by_superuser)]
    assert rows[0] == rows[1]
    for file in by_superuser.files:
        check_file(tmp_path / "superuser", file, nothing)
