"""A backup has every row of every table, and becomes the same database again."""

from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from tests.postgres_fixtures import TestDatabase
from tests.storage.backup.backups import back_up, digests, restore


@pytest.fixture
def other(
    clone: Callable[[str], TestDatabase], template_database: str, drop: Callable[[str], None]
) -> Iterator[TestDatabase]:
    """A database without tenants, to restore into."""
    database = clone(template_database)
    yield database
    drop(database.name)


def test_every_row_of_every_table_comes_back(
    filled: TestDatabase, other: TestDatabase, tmp_path: Path
) -> None:
    with psycopg.connect(filled.superuser_url) as superuser:
        superuser.execute(
            "update camillo.tenants set display_name = 'Ünïcödé 记忆 🧠 שלום \\ \t\n'"
        )
        superuser.execute("set search_path to camillo_jobs")
        superuser.execute(
            "insert into camillo_jobs.procrastinate_jobs (task_name, args, queue_name)"
            " values ('none', '{\"tenant_id\": \"acme\"}', 'q'), ('none', '{}', 'q')"
        )
        superuser.execute("select camillo.create_audit_partition('2024-02-01 00:00:00+00')")
    before = digests(filled)
    manifest = back_up(filled, tmp_path / "backup")
    restored = restore(tmp_path / "backup", other)
    assert digests(other) == before
    assert {table.name: table.rows for table in manifest.tables} == {
        name: rows
        for name, (rows, _) in before.items()
        if not name.endswith(("schema_version", "last_migration"))
    } | {"camillo.database_identity": 1}
    assert manifest.rows > len(manifest.tables)
    assert restored.database_id != manifest.origin.database_id
