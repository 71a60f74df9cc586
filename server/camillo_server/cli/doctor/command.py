"""doctor: runs all checks, and prints their findings."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from camillo_cli.failures import CliError, ExitCode, one_line
from camillo_cli.options import AsJson
from camillo_cli.output import print_json
from camillo_cli.tables import Column, show_items
from typer import Option

from camillo_server.cli.doctor import Finding, Status, fail, ok, warn
from camillo_server.cli.doctor.tenants import check_spool
from camillo_server.cli.server import ServerOptions, lock_holder, running_embedded_url

if TYPE_CHECKING:
    from camillo_server.settings.settings import Settings

COLUMNS = (
    Column(
        "status",
        lambda finding: finding.status.value,
        styles={
            Status.OK.value: "green",
            Status.WARN.value: "yellow",
            Status.FAIL.value: "bold red",
        },
    ),
    Column("checked", lambda finding: finding.subject),
    Column("found → what to do", lambda finding: finding.text),
)


def doctor(
    options: ServerOptions,
    address: Annotated[
        str | None,
        Option(envvar="CAMILLO_ADDRESS", help="The server to check. Default: as configured."),
    ] = None,
    deep: Annotated[
        bool,
        Option(
            "--deep",
            help="Also look for inconsistent rows, and compare the indexes in the server's memory with the database.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check configuration, disk, database, embedder, key and server, and say what to do. Exit code 1 if a check fails.

    It is safe to run while a server runs.

    Example: camillo doctor --data-dir ./data
    """
    findings = list(examine(options, address, deep=deep))
    fails = any(finding.status is Status.FAIL for finding in findings)
    if as_json:
        status = Status.FAIL if fails else Status.OK
        print_json({"status": status, "findings": [asdict(finding) for finding in findings]})
    else:
        show_items(findings, COLUMNS, lines=6)
    if fails:
        raise typer.Exit(ExitCode.ERROR)


def examine(options: ServerOptions, address: str | None, *, deep: bool = False) -> Iterator[Finding]:
    """Runs all checks."""
    from camillo_server.cli.doctor.machine import (
        check_data_directory,
        check_embedder,
        check_hooks,
        check_indexes,
        check_key_file,
        check_reranker,
        check_server,
    )

    yield from check_hooks()
    try:
        settings = options.settings()
    except CliError as error:
        yield fail("configuration", str(error), "correct it: nothing else can be checked without it")
        return
    config = options.config or os.environ.get("CAMILLO_CONFIG")
    yield ok("configuration", f"valid, from {config}" if config else "valid, without a file")
    yield from check_data_directory(settings.data_dir)
    yield check_spool(settings.spool_dir)
    embedder, model_id = check_embedder(settings)
    yield from _check_database(settings, model_id, deep=deep)
    yield embedder
    yield check_reranker(settings)
    if settings.database.url is None:
        yield check_key_file(settings.data_dir)
    where = address or f"{settings.server.host}:{settings.server.port}"
    yield check_server(settings, where)
    if deep:
        yield from check_indexes(settings, where)


def _check_database(settings: Settings, model_id: str, *, deep: bool) -> Iterator[Finding]:
    """Checks the configured database, or the embedded one, which is started for this unless a server runs it."""
    from camillo_server.assembly.processes.serve import open_database
    from camillo_server.storage.embedded.account import EmbeddedPostgresError

    directory = settings.data_dir
    if settings.database.url is None and lock_holder(directory):
        if running := running_embedded_url(directory):
            yield from _check_connected(settings, running, "embedded", model_id, deep=deep)
        else:
            yield warn("database", "embedded, being started or stopped", "run doctor again in a moment")
        return
    if settings.database.url is None and not (directory / "postgres").exists():
        yield ok("database", "embedded, created by the first 'camillo serve'")
        return
    try:
        with open_database(settings) as urls:
            yield from _check_connected(settings, urls.server_url, urls.shown, model_id, deep=deep)
    except EmbeddedPostgresError as error:
        yield fail("database", one_line(str(error)), "see postgres.log in the data directory")


def _check_connected(settings: Settings, url: str, shown: str, model_id: str, *, deep: bool) -> Iterator[Finding]:
    from camillo_server.assembly.kernel import keyring
    from camillo_server.assembly.processes.connections import connections_needed
    from camillo_server.cli.doctor.database import check_database, check_invariants
    from camillo_server.search.index.budget import LARGEST_SHARE
    from camillo_server.search.index.engine import cache_bytes

    cached_bytes = cache_bytes(settings.retrieval, settings.server.workers)
    yield from check_database(
        url,
        shown,
        int(cached_bytes * LARGEST_SHARE),
        connections_needed(settings),
        settings.lifecycle.memory_quota,
        model_id,
    )
    if deep:
        yield from check_invariants(url, keyring(settings))
