"""Checks the spool: whether it can be written, which writes wait in it, and which could not be stored."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from camillo_cli.format import counted

from camillo_server.cli.doctor import Finding, ok, warn

if TYPE_CHECKING:
    from psycopg import Connection

# A server that serves empties them within seconds.
OLD_SECONDS = 300.0
FAILED = "select count(*) from camillo.spool_failures where tenant_id = %(tenant)s"


def check_spool(directory: Path) -> Finding:
    """Checks whether the spool can be written, and what lies in it."""
    subject = "spool"
    existing = next(path for path in (directory, *directory.parents) if path.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        what = f"{existing} is not a directory that you can write"
        return warn(subject, what, "correct its permissions, or set spool.directory")
    files = [path.stat() for path in directory.glob("*.spool")] if existing == directory else []
    waiting = sum(found.st_size for found in files)
    if not files:
        return ok(subject, f"{directory}, empty")
    age = time.time() - min(found.st_mtime for found in files)
    what = f"{directory}, {counted(len(files), 'file', 'files')} of {waiting / 1e6:,.1f} MB, {age:,.0f} s old"
    if age < OLD_SECONDS:
        return ok(subject, what)
    return warn(subject, what, "start a server with this directory while Postgres is there")


def check_failed_writes(connection: Connection[Any]) -> Finding:
    """Names the tenant with most spooled writes that could not be stored, and counts those of all."""
    with connection.transaction():
        found = sorted(_failures(connection), key=lambda each: -each[1])
    if not found:
        return ok("failed writes", "none: everything that was spooled is stored")
    total = sum(count for _, count in found)
    what = f"{counted(total, 'spooled write', 'spooled writes')} could not be stored, most of tenant {found[0][0]}"
    return warn("failed writes", what, "camillo spool list tells why; then retry or discard them")


def _failures(connection: Connection[Any]) -> Iterator[tuple[str, int]]:
    from camillo_server.across.admin.store.invariants import ENTER_TENANT, list_tenants

    for tenant in list_tenants(connection):
        connection.execute(ENTER_TENANT, (tenant,))
        for (count,) in connection.execute(FAILED, {"tenant": tenant}):
            if count:
                yield tenant, count
