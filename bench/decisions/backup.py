"""Measures a backup and its restore, beside pg_dump: `python -m bench.decisions.backup` (docs/adr/backup.md).

Memories with vectors in one scope, then artifact bytes in a directory. The restore is into the database that was backed
up."""

import argparse
import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from uuid import uuid4

from camillo_server.across.backup.manifest import Manifest
from camillo_server.across.backup.restore_backup import Destination, OpenStore, restore_backup, verify_backup
from camillo_server.across.backup.store.target import RestoreTarget
from camillo_server.across.backup.take_backup import BackupSource, take_backup
from camillo_server.cli.backup import open_store
from camillo_server.features.artifacts.artifact import PART_BYTES
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.settings.settings import Settings
from camillo_server.storage.embedded.account import DATABASE, SERVER, SUPERUSER, account_for, binaries_for
from camillo_server.storage.embedded.server import EmbeddedPostgres
from camillo_server.storage.parts.object_parts import PartName

from bench.app_server import TENANT
from bench.decisions.scratch import MODEL, scratch_postgres, superuser_of
from bench.material.corpus import Corpus
from bench.material.fill import fill_scope

KEYRING = Keyring.empty()
ROUNDS = 3
# A command, and the most that its process took.
PEAK = """
import sys
from camillo_cli.program import run
run(sys.argv[1:])
print(next(line for line in open("/proc/self/status") if line.startswith("VmHWM:")).partition(":")[2])
"""
MIB = 1 << 20
CONTENT = """
insert into contents values (%(tenant_id)s, %(id)s, 'f', %(size)s, %(size)s, %(parts)s, false, 2, 2, now(), now());
insert into content_parts (tenant_id, content_id, number, first_line, size, stored_size, codec, key_id, bytes)
select %(tenant_id)s, %(id)s, number, 1, %(part)s, %(part)s, 0, '', null from generate_series(0, %(parts)s - 1) number;
"""


def main() -> None:
    """Prints a line for each step: the median of its rounds."""
    parser = argparse.ArgumentParser(prog="python -m bench.decisions.backup")
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--tenants", type=int, default=1_000)
    parser.add_argument("--artifact-mib", type=int, default=256)
    given = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="camillo-backup-"))
    try:
        with scratch_postgres() as postgres:
            fill_scope(postgres.url(SUPERUSER, DATABASE), "alice", Corpus(given.rows), MODEL)
            _measure_rows(postgres, work)
            _measure_memory(postgres, work)
            _measure_tenants(postgres, work, given.tenants)
            _measure_artifacts(postgres, work, given.artifact_mib)
    finally:
        shutil.rmtree(work)


def _measure_rows(postgres: EmbeddedPostgres, work: Path) -> None:
    binaries = binaries_for(account_for(work))
    superuser = postgres.url(SUPERUSER, DATABASE)

    def dump(at: Path) -> None:
        schemas = ("--schema=camillo", "--schema=camillo_jobs")
        command = [
            str(binaries / "pg_dump"),
            "-Fc",
            "--compress=gzip:1",
            *schemas,
            "-f",
            str(at),
            superuser,
        ]
        subprocess.run(command, check=True)

    def restore_dump(at: Path) -> None:
        with superuser_of(postgres) as connection:
            connection.execute("drop schema camillo cascade; drop schema camillo_jobs cascade")
        subprocess.run([binaries / "pg_restore", "-d", superuser, at], check=True)

    steps: dict[str, Callable[[Path], object]] = {
        "backup": lambda at: _take(postgres, at, None, work),
        "verify": lambda at: verify_backup(at, Manifest.read(at), lambda _: None),
        "restore": lambda at: _restore(postgres, at, None, work),
    }
    dumps = {"pg_dump": dump, "pg_restore": restore_dump}
    taken = {name: list[float]() for name in (*steps, *dumps)}
    for number in range(ROUNDS):
        for at, some in ((work / f"b{number}", steps), (work / f"d{number}", dumps)):
            for name, step in some.items():
                taken[name].append(_seconds(step, at))
    manifest = Manifest.read(work / "b0")
    raw = _table_bytes(postgres)
    for name, seconds in taken.items():
        median = sorted(seconds)[ROUNDS // 2]
        print(
            f"{name:<11}{median:6.1f} s {manifest.rows / median:10,.0f} rows/s {raw / MIB / median:8.1f} MB/s of tables"
        )
    stored = sum(file.bytes for file in manifest.files)
    dumped = (work / "d0").stat().st_size
    print(
        f"{manifest.rows:,} rows, tables {raw / MIB:.0f} MB, backup {stored / MIB:.0f} MB, dump {dumped / MIB:.0f} MB"
    )


def _measure_memory(postgres: EmbeddedPostgres, work: Path) -> None:
    """The most that a process of its own takes."""
    environ = os.environ | {
        "CAMILLO_DATABASE_URL": postgres.server_url,
        "CAMILLO_DATABASE_OWNER_URL": postgres.owner_url,
        "CAMILLO_DATA_DIR": str(work / "data"),
    }
    for words in (("backup",), ("restore", "--replace", "--yes")):
        arguments = [words[0], str(work / "m"), *words[1:]]
        command = [sys.executable, "-c", PEAK, *arguments]
        # The rows of the measurement have no fingerprints, which the check at the end of a restore tells.
        done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
        print(f"{words[0]:<11}{int(done.stdout.split()[-2]) / 1024:6.0f} MB of memory at most")


def _measure_tenants(postgres: EmbeddedPostgres, work: Path, tenants: int) -> None:
    """Prints how many more seconds a backup takes with more tenants that have nothing."""
    before = _seconds(lambda at: _take(postgres, at, None, work), work / "few")
    with superuser_of(postgres) as superuser:
        superuser.execute(
            "insert into tenants select 't' || n, '', now() from generate_series(1, %s) n",
            [tenants],
        )
    after = _seconds(lambda at: _take(postgres, at, None, work), work / "many")
    print(f"backup     {(after - before) / tenants * 1000:6.1f} s more for each 1,000 tenants")
    with superuser_of(postgres) as superuser:
        superuser.execute("delete from tenants where tenant_id <> %s", [TENANT])


def _measure_artifacts(postgres: EmbeddedPostgres, work: Path, mib: int) -> None:
    settings = Settings.model_validate({"data_dir": work, "artifacts": {"store_url": f"file://{work / 'bytes'}"}})
    store = partial(open_store, settings, postgres.owner_url)
    parts = mib * MIB // PART_BYTES
    content_id = uuid4()
    values = {"tenant_id": TENANT, "id": content_id, "parts": parts, "part": PART_BYTES}
    with superuser_of(postgres) as superuser:
        superuser.execute("truncate memories cascade")
        superuser.execute(CONTENT, {**values, "size": parts * PART_BYTES})

    async def put() -> None:
        async with store() as objects:
            for number in range(parts):
                data = Random(number).randbytes(PART_BYTES)
                await objects.put(PartName(TENANT, content_id, number), data)

    asyncio.run(put())
    at = work / "artifacts"
    for name, seconds in (
        ("backup", _seconds(lambda at: _take(postgres, at, store, work), at)),
        ("restore", _seconds(lambda at: _restore(postgres, at, store, work), at)),
    ):
        print(f"{name:<11}{seconds:6.1f} s {mib / seconds:8.1f} MB/s of artifacts in a directory")


def _take(postgres: EmbeddedPostgres, at: Path, store: OpenStore | None, work: Path) -> None:
    source = BackupSource(postgres.owner_url, store, work / "spool", KEYRING, "")
    take_backup(source, at, lambda *_: None)


def _restore(postgres: EmbeddedPostgres, at: Path, store: OpenStore | None, work: Path) -> None:
    place = Destination(RestoreTarget(postgres.owner_url, SERVER), store, work / "spool", KEYRING)
    restore_backup(at, Manifest.read(at), place, lambda *_: None)


def _seconds(step: Callable[[Path], object], at: Path) -> float:
    begun = time.perf_counter()
    step(at)
    return time.perf_counter() - begun


def _table_bytes(postgres: EmbeddedPostgres) -> int:
    with superuser_of(postgres) as superuser:
        row = superuser.execute(
            "select sum(pg_table_size(oid))::bigint from pg_class where relkind = 'r' and relnamespace = "
            "'camillo'::regnamespace"
        ).fetchone()
    return int(row[0]) if row else 0


if __name__ == "__main__":
    main()
