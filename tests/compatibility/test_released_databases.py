"""Databases of earlier releases, each from its dump: migrated while others read and write it, then served as it was."""

import gzip
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import psycopg
import pytest
from camillo_server.across.admin.store.invariants import violations
from camillo_server.doors.identity.key_cache import digest
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.storage.embedded.account import OWNER, SERVER, SUPERUSER
from camillo_server.storage.embedded.server import EmbeddedPostgres
from camillo_server.storage.migrate import latest_version, migrate
from psycopg import sql

from tests.compatibility.release_database import ENCRYPTION_KEYS
from tests.faults.test_old_database import Load
from tests.postgres_fixtures import TestDatabase, numbers
from tests.rpc.memories.calls import listed, recall, remember
from tests.server_fixtures import servers
from tests.storage.backup.backups import back_up, restore
from tests.storage.backup.conftest import other
from tests.storage.next_migrations import know_next_migrations
from tests.tenant_keys import Keys
from tests.unit.identity.listed_keys import unsigned_secret
from tests.unit.identity.moving_clock import MovingClock

__all__ = ["other"]
ROOT = Path(__file__).parents[2]
RELEASED = Path(__file__).parent / "released"
NAME = re.compile(r"camillo-database-(.+)\.sql\.gz")
HEADING = re.compile(r"-- Camillo (\S+), schema (\d{4})\n")
RELEASE = re.compile(r"^## \[?(\d+\.\d+\.\d+)", re.MULTILINE)
# Statements of servers of every release meanwhile: they find rows, lock a scope, and write.
STATEMENTS = (
    "select memory_id, content from camillo.memories order by memory_id desc limit 20",
    "select key_id from camillo.api_keys where tenant_id = 'default'",
    "update camillo.scopes set revision = revision where tenant_id = 'default'",
    "update camillo.memory_access set access_count = access_count",
)
STATEMENTS_BEFORE = 50
TEXTS = {"Ada prefers tea", "أدا تفضل الشاي", "changed 🍵"}
OF_ADA = {"艾达喜欢喝茶 🍵", "עדה מעדיפה תה"}
KEYRING = Keyring.parse(ENCRYPTION_KEYS)
ARCHIVES = sorted(RELEASED.glob("camillo-database-*.sql.gz"))


def version_of(archive: Path) -> str:
    found = NAME.fullmatch(archive.name)
    assert found is not None
    return found[1]


def without_archive(changelog: str, archives: list[Path]) -> set[str]:
    """Releases of the changelog of which no database is kept."""
    return set(RELEASE.findall(changelog)) - set(map(version_of, archives))


@pytest.fixture
def released(
    embedded_postgres: EmbeddedPostgres, drop: Callable[[str], None], request: pytest.FixtureRequest
) -> Iterator[TestDatabase]:
    """The database of a release, as it was dumped."""
    name = f"released_{next(numbers)}"
    identifier = sql.Identifier(name)
    with psycopg.connect(embedded_postgres.superuser_url, autocommit=True) as superuser:
        create = sql.SQL("create database {} owner {}")
        superuser.execute(create.format(identifier, sql.Identifier(OWNER)))
        grant = sql.SQL("grant temporary on database {} to {}")
        superuser.execute(grant.format(identifier, sql.Identifier(SERVER)))
    with psycopg.connect(embedded_postgres.url(SUPERUSER, name), autocommit=True) as superuser:
        superuser.execute("create extension vector")
        superuser.execute(gzip.decompress(request.param.read_bytes()))
    yield TestDatabase.of(embedded_postgres, name)
    drop(name)


def issue(database: TestDatabase, agent_id: str | None) -> str:
    """A key without a signature, as a database may hold that had keys before there were signatures."""
    secret = unsigned_secret()
    with psycopg.connect(database.superuser_url) as superuser:
        superuser.execute(
            "insert into camillo.api_keys (tenant_id, key_id, agent_id, secret_digest, role, description, created_at)"
            " values ('default', %s, %s, %s, 2, '', '2026-01-01')",
            (secret[-8:], agent_id, digest(secret)),
        )
        superuser.execute("update camillo.database_identity set has_unsigned_keys = true")
    return secret


async def contents(database: TestDatabase, secrets: Sequence[str], data_dir: Path) -> list[set[str]]:
    """Texts that a server lists for each key, before it writes another one and finds it."""
    keys = Keys("", "", secrets[0], "", secrets[1])
    async with servers(database, keys, MovingClock(), data_dir) as start:
        server = await start(encryption={"keys": ENCRYPTION_KEYS})
        found = [set(await listed(caller)) for caller in (server.alice, server.rival)]
        await remember(server.alice, "after the upgrade")
        assert (await recall(server.alice, "after the upgrade")).hits
    return found


@pytest.mark.parametrize("released", ARCHIVES, indirect=True, ids=version_of)
async def test_the_database_of_a_release_is_migrated_under_load_and_served(
    released: TestDatabase, other: TestDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    know_next_migrations(tmp_path, monkeypatch)
    secrets = [issue(released, agent) for agent in ("default", "ada")]
    before = back_up(released, tmp_path / "before", keyring=KEYRING)
    assert before.origin.schema_version < latest_version()
    restore(tmp_path / "before", other, keyring=KEYRING)
    assert await contents(other, secrets, tmp_path) == [TEXTS, OF_ADA]
    load = Load(released.superuser_url, STATEMENTS)
    with load.running():
        while load.done < STATEMENTS_BEFORE:
            assert load.failure is None
        assert migrate(released.owner_url, SERVER) == latest_version()
    assert load.failure is None
    # A migrated database can be backed up, too.
    back_up(released, tmp_path / "backup", keyring=KEYRING)
    restore(tmp_path / "backup", other, keyring=KEYRING)
    for database in (released, other):
        assert await contents(database, secrets, tmp_path) == [TEXTS, OF_ADA]
        with psycopg.connect(database.owner_url, autocommit=True) as owner:
            assert list(violations(owner)) == []


@pytest.mark.parametrize("archive", ARCHIVES, ids=version_of)
def test_an_archive_names_its_release_and_schema(archive: Path) -> None:
    text = gzip.decompress(archive.read_bytes()).decode()
    heading = HEADING.match(text)
    assert heading is not None
    assert heading[1] == version_of(archive)
    assert f"INSERT INTO camillo.schema_version VALUES ('{heading[2]}')" in text
    assert f"`{archive.name}`" in (RELEASED / "README.md").read_text("utf-8")


def test_every_release_has_an_archive() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert RELEASE.findall(changelog)
    assert not without_archive(changelog, ARCHIVES)


def test_a_release_without_an_archive_is_noticed() -> None:
    changelog = "## [Unreleased]\n\n## [7.1.0]\n\n## 0.1.0\n"
    assert without_archive(changelog, ARCHIVES) == {"7.1.0"}
