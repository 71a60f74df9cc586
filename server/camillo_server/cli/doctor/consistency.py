"""Checks of `--deep`: invariants of the rows, and indexes in a server's memory compared with the database."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from camillo_server.cli.connection import ClientOptions, administering
from camillo_server.cli.doctor.database import CONNECT_TIMEOUT_SECONDS
from camillo_server.cli.doctor.findings import Finding, fail, ok, warn
from camillo_server.cli.failures import CliError, one_line
from camillo_server.cli.format import SHARED, counted

if TYPE_CHECKING:
    from camillo.v1.admin_pb2 import HeldIndex
    from camillo_client import Camillo

    from camillo_server.settings import Settings

INDEXES = "indexes"
INVARIANTS_SUBJECT = "invariants"
# A scope of a million memories is read and compared in about a minute.
TIMEOUT_SECONDS = 600.0
REPORT = "please report this, with the log of the hour before"
COUNT_ANEW = "camillo event rebuild --agent AGENT makes its chunks and counts again"
BACKUP = "the database was changed by hand, or damaged: compare with a backup"
REMEDIES = {
    "scope_counts": COUNT_ANEW,
    "revisions": "restore one backup as a whole: servers that hold later revisions miss changes",
    "request_revisions": "wait a day: a request id is kept for so long; then as for revisions",
    "tombstones": "forget again what came back, and restart the servers",
    "memory_parts": BACKUP,
    "versions": BACKUP,
    "vectors": f"update the memory: that makes a new vector; of a chunk, {COUNT_ANEW}",
    "memory_sources": "update the memory's sources to what they should be: that lists them again",
    "chunk_origins": COUNT_ANEW,
    "merged_memories": "camillo lifecycle revert COMPACTION brings the sources back",
    "compacted_sources": "archive the memory, or camillo lifecycle revert COMPACTION",
    "sources_once": "camillo lifecycle revert one of the compactions",
    "reverted_compactions": "forget the merged memory",
    "run_counters": "end the run",
    "blocked_values": "forget the memory; or camillo lifecycle lift, if the text may be stored",
}


def check_invariants(url: str) -> Iterator[Finding]:
    """Yields a finding for each invariant that does not hold in a tenant, or one that all hold."""
    import psycopg

    from camillo_server.admin.store.invariants import INVARIANTS, violations

    try:
        with psycopg.connect(
            url, autocommit=True, connect_timeout=CONNECT_TIMEOUT_SECONDS
        ) as connection:
            found = [*violations(connection)]
    except psycopg.Error as error:
        yield warn(
            INVARIANTS_SUBJECT, f"not checked: {one_line(str(error))}", "repair the database first"
        )
        return
    for each in found:
        named = "; ".join(each.examples)
        more = f" and {each.rows - len(each.examples)} more" * (each.rows > len(each.examples))
        what = f"{each.invariant} does not hold in {each.tenant_id}: {named}{more}"
        yield fail(INVARIANTS_SUBJECT, what, REMEDIES.get(each.invariant, REPORT))
    if not found:
        yield ok(INVARIANTS_SUBJECT, f"{len(INVARIANTS)} invariants hold")


def check_indexes(settings: Settings, address: str) -> Iterator[Finding]:
    """Yields a finding for each index that differs or could not be compared, and one for all that agree."""
    options = ClientOptions(
        address=address,
        key=os.environ.get("CAMILLO_KEY"),
        timeout=TIMEOUT_SECONDS,
        data_dir=settings.data_dir,
    )
    try:
        with administering(options) as camillo:
            found = [
                (tenant_id, index)
                for tenant_id in _tenants(camillo)
                for index in camillo.admin.list_indexes(tenant_id=tenant_id, compare=True)
            ]
    except CliError as error:
        yield warn(
            INDEXES,
            f"not compared: {error}",
            "name a server and a key of role tenant_admin or root",
        )
        return
    yield from _findings(found)


def _tenants(camillo: Camillo) -> list[str]:
    """All tenants for root, else the tenant of the key."""
    from camillo.v1.admin_pb2 import ROLE_ROOT

    caller = camillo.who_am_i()
    if caller.role != ROLE_ROOT:
        return [caller.tenant_id]
    return [tenant.tenant_id for tenant in camillo.admin.list_tenants()]


def _findings(found: list[tuple[str, HeldIndex]]) -> Iterator[Finding]:
    from camillo.v1 import admin_pb2

    agreeing = [index for _, index in found if index.agreement == admin_pb2.AGREEMENT_AGREES]
    memories = sum(index.memories for index in agreeing)
    megabytes = sum(index.bytes for index in agreeing) / 1e6
    yield ok(
        INDEXES,
        f"{len(agreeing)} in memory agree with the database ({counted(memories)}, {megabytes:,.1f} MB)",
    )
    for tenant_id, index in found:
        name = f"{tenant_id}/{index.agent_id or SHARED}"
        if index.agreement == admin_pb2.AGREEMENT_DIFFERS:
            remedy = "it was dropped and is loaded again; please report this"
            yield fail(INDEXES, f"{name} differs from the database: {index.difference}", remedy)
        elif index.agreement == admin_pb2.AGREEMENT_NEVER_STILL:
            yield warn(INDEXES, f"{name} keeps changing: not compared", "run doctor again later")
