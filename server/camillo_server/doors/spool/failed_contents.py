"""Contents of failed writes, which forgetting reaches as it reaches records: what has a forgotten value loses its
content."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any
from uuid import UUID

from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.lib.text.value_fingerprints import value_fingerprints
from camillo_server.storage.blocklist import blocked_fingerprints, has_blocks
from camillo_server.storage.database import Session
from camillo_server.storage.encrypted_json import EncryptedJson, JsonLocation
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("doors/spool/failed_contents")
PURPOSE = "spool_failure"
# The field of a failed write's JSON that holds its request, as protobuf writes messages as JSON.
REQUEST = "request"
# Each may have a megabyte.
ROWS_AT_ONCE = 20
# A text that is JSON itself: what it says is in its own texts.
JSON_TEXT = "jsonContent"
Request = Mapping[str, Any]


async def may_be_kept(session: Session, scope: Scope, request: Request | None, request_id: str) -> bool:
    """Whether no value of the request was forgotten in its scope. Call it in the transaction that keeps it, of the
    whole tenant: until that ends, nothing more is forgotten there."""
    await session.rows(SQL["lock_scopes"], scope_parameters(scope))
    if request is None or not await has_blocks(session, scope):
        return request is not None
    tenant_id = scope.tenant_id
    found = await off_loop(UNBOUNDED, partial(_fingerprints, tenant_id, request, request_id))
    return not await blocked_fingerprints(session, scope, found)


async def erase_contents(
    session: Session,
    scope: Scope,
    fingerprints: Collection[bytes],
    keyring: Keyring,
    *,
    every_agent: bool,
) -> int:
    """Erases the contents of the scope's failed writes, or of those of every agent, that have one of these values; how
    many. Call it in a transaction that reaches every agent, after the scope is locked. Raises KeyMissing, BytesLost."""
    if not fingerprints:
        return 0
    parameters = {**scope_parameters(scope), "every_agent": every_agent}
    wanted, spool_ids = frozenset(fingerprints), list[UUID]()
    async with session.cursor("failed_contents") as cursor:
        await cursor.execute(SQL["kept_contents"], parameters)
        while rows := await cursor.fetchmany(ROWS_AT_ONCE):
            search = partial(_with_values, rows, scope.tenant_id, wanted, keyring)
            spool_ids += await off_loop(UNBOUNDED, search)
    if spool_ids:
        key = {"tenant_id": scope.tenant_id, "spool_ids": spool_ids}
        await session.execute(SQL["erase_contents"], key)
    return len(spool_ids)


def location(scope: Scope, spool_id: UUID) -> JsonLocation:
    """Returns the location to which the content of a failed write is bound: its row."""
    return JsonLocation.in_scope(scope.tenant_id, scope.agent_id, PURPOSE, spool_id)


def _with_values(rows: Sequence[Any], tenant_id: TenantId, wanted: frozenset[bytes], keyring: Keyring) -> list[UUID]:
    contents = EncryptedJson(keyring)
    found = []
    for agent_id, spool_id, request_id, *columns in rows:
        read = contents.read(columns, location(Scope(tenant_id, agent_id), spool_id))
        if not wanted.isdisjoint(_fingerprints(tenant_id, read[REQUEST], request_id)):
            found.append(spool_id)
    return found


def _fingerprints(tenant_id: TenantId, request: Request, request_id: str) -> set[bytes]:
    texts = {request_id, *_texts(request)}
    return {each for text in texts for each in value_fingerprints(tenant_id, text)}


def _texts(value: object, name: str = "") -> Iterator[str]:
    """Every text in JSON, the keys of objects among them: metadata has any."""
    if isinstance(value, str):
        if name == JSON_TEXT:
            with suppress(ValueError):
                yield from _texts(json.loads(value))
        yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield key
            yield from _texts(each, key)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
