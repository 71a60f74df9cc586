"""restore: a backup becomes a database that serves, or is only checked."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import counted
from camillo_cli.options import AsJson, Yes
from camillo_cli.output import byte_bar, note, print_value, progress_bar
from camillo_cli.removals import confirm
from typer import Argument, Option

from camillo_server.cli.backup import known_keys, open_store, summary
from camillo_server.cli.server import ServerOptions, database_urls, operator_errors

if TYPE_CHECKING:
    from camillo_server.across.backup.manifest import Manifest
    from camillo_server.across.backup.restore_backup import Restored
    from camillo_server.across.backup.store.target import RestoreTarget
    from camillo_server.settings.settings import Settings


@dataclass(frozen=True, slots=True)
class RestoreOptions:
    """Options of a restore."""

    verify: Annotated[bool, Option("--verify", help="Only check that the backup is complete and undamaged.")] = False
    keys: Annotated[
        Path | None,
        Option(help="File of the encryption keys, which becomes that of a new data directory."),
    ] = None
    replace: Annotated[bool, Option("--replace", help="Delete the tenants that are in the database first.")] = False
    adopt_store: Annotated[
        bool,
        Option("--adopt-store", help="Take over a store of artifacts that another database owns."),
    ] = False
    yes: Yes = False


def restore(
    options: ServerOptions,
    directory: Annotated[Path, Argument(help="The directory of a backup.", metavar="DIR")],
    how: RestoreOptions,
    as_json: AsJson = False,
) -> None:
    """Restore a backup into an empty database, and check it; or only check the backup.

    Before it changes anything it checks every file, the schema version, the keys, and that nothing would be lost. The
    restored database has a new identity: servers drop what they hold in memory, clients begin anew. Interrupted, it can
    be run again.

    Example: camillo restore /backups/2026-11-28 --data-dir ./new-data --keys ./camillo.keys

    Example: camillo restore /backups/2026-11-28 --verify
    """
    from camillo_server.across.backup.manifest import Manifest

    with operator_errors(OSError):
        manifest = Manifest.read(directory)
        _check(directory, manifest, deep=how.verify)
        if how.verify:
            message = f"{directory} is complete: {counted(manifest.rows, 'row', 'rows')}, as of {manifest.origin.at}"
            print_value(summary(manifest, directory), message, as_json=as_json)
            return
        restored = _restore(options.settings(), directory, manifest, how)
    _print(manifest, restored, as_json=as_json)


def _check(directory: Path, manifest: Manifest, *, deep: bool) -> None:
    from camillo_server.across.backup.restore_backup import check_digests, check_versions, verify_backup

    with byte_bar("check", sum(file.bytes for file in manifest.files)) as report:
        (verify_backup if deep else check_digests)(directory, manifest, report)
    if not deep:
        check_versions(manifest)


def _restore(settings: Settings, directory: Path, manifest: Manifest, how: RestoreOptions) -> Restored:
    from camillo_server.across.backup.restore_backup import Destination, check_keys, restore_backup
    from camillo_server.across.backup.store.target import RestoreTarget
    from camillo_server.lib.crypto.keyring import read_key_file

    keyring = known_keys(settings) if how.keys is None else read_key_file(how.keys)
    check_keys(manifest, keyring)
    with database_urls(settings) as urls:
        target = RestoreTarget(urls.owner_url, urls.granted_role)
        target.require_prepared()
        _require_room(target, how)
        _require_store(settings, manifest, target, how)
        if how.keys is not None:
            _keep_keys(settings, how.keys)
        store = partial(open_store, settings, urls.owner_url) if settings.artifacts.store_url else None
        destination = Destination(target, store, settings.spool_dir, keyring)
        with progress_bar("restore", 1.0, "rows") as report:
            return restore_backup(directory, manifest, destination, report)


def _require_room(target: RestoreTarget, how: RestoreOptions) -> None:
    """Raises CliError where tenants are in the database that may not go."""
    tenants = target.tenants()
    if not tenants:
        return
    named = ", ".join(tenants[:3]) + (", …" if len(tenants) > 3 else "")
    what = f"{counted(len(tenants), 'tenant', 'tenants')} ({named})"
    if not how.replace:
        raise CliError(f"the database has {what}: restore into an empty one, or give --replace to delete them")
    confirm("delete", what, yes=how.yes)


def _require_store(settings: Settings, manifest: Manifest, target: RestoreTarget, how: RestoreOptions) -> None:
    """Raises CliError where there is no store for the bytes of artifacts, or one of another database."""
    from camillo_server.storage.parts.owned_store import StoreMarker, part_store

    store = part_store(settings)
    if store is None:
        if manifest.artifacts.parts:
            raise CliError(
                "the backup has bytes of artifacts from outside of Postgres: give artifacts.store_url a place for them",
                ExitCode.USAGE,
            )
        return
    found = asyncio.run(store.marker())
    owner = StoreMarker.parse(found).database if found is not None else ""
    if owner not in ("", target.database_id()) and not how.adopt_store:
        raise CliError(
            f"artifacts.store_url is the store of another database (its id: {owner}): give another prefix, or "
            "--adopt-store if this database replaces that one"
        )


def _keep_keys(settings: Settings, keys: Path) -> None:
    """Makes them those of the data directory. Raises CliError where it has others, or other keys are configured."""
    from camillo_server.kernel.system import create_file, sync_directory
    from camillo_server.lib.crypto.keyring import KEY_FILE

    given = settings.encryption
    if settings.database.url is not None or given.keys is not None or given.key_file is not None:
        return
    path = settings.data_dir / KEY_FILE
    data = keys.read_bytes()
    create_file(path, data)
    sync_directory(settings.data_dir)
    if path.read_bytes() != data:
        raise CliError(f"{path} has other keys: move it away, or restore without --keys")


def _print(manifest: Manifest, restored: Restored, *, as_json: bool) -> None:
    """Raises CliError where something does not hold in what was restored."""
    value = {
        "rows": restored.rows,
        "tenants": manifest.tenants,
        "schema_version": restored.schema_version,
        "database_id": restored.database_id,
        "spool_files": restored.spool_files,
        "violations": [asdict(each) for each in restored.violations],
    }
    message = (
        f"restored {counted(manifest.tenants, 'tenant', 'tenants')}, {counted(restored.rows, 'row', 'rows')} as of"
        f" {manifest.origin.at}; row counts, invariants and audit chains are checked"
    )
    print_value(value, message, as_json=as_json)
    if restored.spool_files:
        note(f"{restored.spool_files} spooled files: the next server replays them")
    if restored.violations:
        found = "; ".join(f"{each.invariant} in {each.tenant_id}" for each in restored.violations[:3])
        raise CliError(f"the restored database is open, but not consistent: {found} (see camillo doctor --deep)")
