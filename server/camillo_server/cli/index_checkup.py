"""What the doctor's deep look compares: the indexes in a server's memory with Postgres."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from camillo_server.cli.connection import ClientOptions, administering
from camillo_server.cli.failures import CliError
from camillo_server.cli.findings import Finding, fail, ok, warn
from camillo_server.cli.output import counted

if TYPE_CHECKING:
    from camillo.v1.admin_pb2 import HeldIndex
    from camillo_client import Camillo

    from camillo_server.settings import Settings

SUBJECT = "indexes"
# A scope of a million memories is read and compared in about a minute.
TIMEOUT_SECONDS = 600.0


def check_indexes(settings: Settings, address: str) -> Iterator[Finding]:
    """One finding for each index that differs or could not be compared, and one for all that agree."""
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
            SUBJECT,
            f"not compared: {error}",
            "name a server and a key of role tenant_admin or root",
        )
        return
    yield from _findings(found)


def _tenants(camillo: Camillo) -> list[str]:
    """All of them for root, else the key's own."""
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
        SUBJECT,
        f"{len(agreeing)} in memory agree with the database ({counted(memories)}, {megabytes:,.1f} MB)",
    )
    for tenant_id, index in found:
        name = f"{tenant_id}/{index.agent_id or '(shared)'}"
        if index.agreement == admin_pb2.AGREEMENT_DIFFERS:
            remedy = "it was dropped and is loaded anew; please report this"
            yield fail(SUBJECT, f"{name} differs from the database: {index.difference}", remedy)
        elif index.agreement == admin_pb2.AGREEMENT_NEVER_STILL:
            yield warn(SUBJECT, f"{name} changes all the time: not compared", "ask again later")
