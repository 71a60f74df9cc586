"""backup: everything that an installation needs to go on elsewhere, but for its keys."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import counted, size
from camillo_cli.options import AsJson
from camillo_cli.output import note, print_value, progress_bar
from typer import Argument, Option

from camillo_server.cli.server import ServerOptions, database_urls, operator_errors

if TYPE_CHECKING:
    from camillo_server.across.backup.manifest import Manifest
    from camillo_server.lib.crypto.keyring import Keyring
    from camillo_server.settings.settings import Settings
    from camillo_server.storage.parts.owned_store import OwnedStore


def backup(
    options: ServerOptions,
    directory: Annotated[Path, Argument(help="A new or empty directory.", metavar="DIR")],
    keys: Annotated[
        Path | None,
        Option(help="Also write the encryption keys to this new file, outside of the backup."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Back up the database, artifacts and spooled writes into a directory, while servers work.

    It shows one moment, and has no encryption keys: what it prints names those that are needed to read it. Keep them
    elsewhere. A backup that fails leaves an empty directory; one that is killed leaves a directory without
    manifest.json, which is not a backup. If bytes of artifacts are missing in their store, it names them, puts all
    else in the backup, and exits with code 1.

    Example: camillo backup /backups/2026-11-28 --data-dir ./data --keys ./camillo.keys
    """
    settings = options.settings()

    from camillo_server.across.backup.take_backup import BackupSource, take_backup

    with (
        operator_errors(OSError),
        database_urls(settings) as urls,
        progress_bar("backup", 1.0, "rows") as report,
    ):
        keyring = known_keys(settings)
        if keys is not None:
            write_keys(settings, keys, directory)
        store = partial(open_store, settings, urls.server_url) if settings.artifacts.store_url else None
        source = BackupSource(urls.owner_url, store, settings.spool_dir, keyring, version("camillo-server"))
        manifest = take_backup(source, directory, report)
    print_value(summary(manifest, directory), _sentence(manifest, directory), as_json=as_json)
    _warn(manifest)


def summary(manifest: Manifest, directory: Path) -> dict[str, Any]:
    """The figures of a backup."""
    artifacts, origin = manifest.artifacts, manifest.origin
    return {
        "directory": str(directory),
        "at": origin.at,
        "database_id": origin.database_id,
        "schema_version": origin.schema_version,
        "tenants": manifest.tenants,
        "rows": manifest.rows,
        "bytes": sum(file.bytes for file in manifest.files),
        "artifact_contents": artifacts.contents,
        "artifact_bytes": artifacts.bytes,
        "lost_contents": list(artifacts.lost),
        "key_ids": sorted(manifest.keys),
    }


def _sentence(manifest: Manifest, directory: Path) -> str:
    stored = sum(file.bytes for file in manifest.files)
    artifacts = manifest.artifacts
    outside = f", {size(artifacts.bytes)} of artifacts" if artifacts.parts else ""
    lines = [
        f"{directory}: {counted(manifest.tenants, 'tenant', 'tenants')}, "
        f"{counted(manifest.rows, 'row', 'rows')}{outside}, {size(stored)}, "
        f"as of {manifest.origin.at}",
    ]
    if manifest.keys:
        lines.append(f"to read it, these encryption keys are needed: {', '.join(sorted(manifest.keys))}")
    return "\n".join(lines)


def _warn(manifest: Manifest) -> None:
    """Raises CliError where something could not be backed up."""
    if missing := [key_id for key_id, check in manifest.keys.items() if not check]:
        note(f"note: this server does not have the keys {', '.join(missing)} either")
    if lost := manifest.artifacts.lost:
        raise CliError(
            f"the backup is complete but for {counted(len(lost), 'content', 'contents')} of artifacts whose bytes are "
            f"missing in their store: {', '.join(lost[:3])}"
        )


def write_keys(settings: Settings, path: Path, directory: Path) -> None:
    """Copies the key file for its owner's eyes; says so where there is none. Raises CliError, OSError."""
    from camillo_server.lib.crypto.keyring import KEY_FILE

    if path.resolve().is_relative_to(directory.resolve()):
        raise CliError("--keys is in the backup: keep the keys elsewhere", ExitCode.USAGE)
    given = settings.encryption
    if given.keys is not None:
        text = given.keys.get_secret_value().replace(",", "\n") + "\n"
    else:
        source = given.key_file or settings.data_dir / KEY_FILE
        if not source.exists():
            note(f"note: there are no encryption keys to write: {source} does not exist")
            return
        text = source.read_text("utf-8")
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def known_keys(settings: Settings) -> Keyring:
    """The keys that are configured, or that the data directory has; unlike a server, it makes none."""
    from camillo_server.assembly.kernel import keyring
    from camillo_server.lib.crypto.keyring import KEY_FILE, Keyring

    given = settings.encryption
    has_own = (settings.data_dir / KEY_FILE).exists()
    if given.keys is None and given.key_file is None and not has_own:
        return Keyring.empty()
    return keyring(settings)


@asynccontextmanager
async def open_store(settings: Settings, url: str) -> AsyncIterator[OwnedStore]:
    """The store of bytes outside of Postgres, as the property of the database at the URL."""
    from camillo_server.storage.database import Database
    from camillo_server.storage.parts.owned_store import owned_store

    database = Database(url, settings.database)
    await database.open()
    try:
        store = owned_store(settings, database)
        assert store is not None  # noqa: S101 (the setting is there)
        yield store
    finally:
        await database.close()
