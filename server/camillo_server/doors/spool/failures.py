"""Spooled writes that could not be stored: kept in Postgres with the reason, until somebody retries or discards them.
Forgetting reaches their contents as it reaches records: what has a forgotten value loses its content."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from pydantic import TypeAdapter

from camillo_server.kernel.ids import AgentId, PageCursor, TenantId
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Caller, Scope, whole_tenant
from camillo_server.kernel.writes import RequestKey
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.lib.text.value_fingerprints import value_fingerprints
from camillo_server.lib.text.value_spans import SoughtValues
from camillo_server.storage.blocklist import blocked_fingerprints, has_blocks
from camillo_server.storage.database import Database, Session
from camillo_server.storage.encrypted_json import EncryptedJson, JsonLocation
from camillo_server.storage.statements import scope_parameters, statements
from camillo_server.storage.written_requests import enter, named

SQL = statements("doors/spool/spool")
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
    values: SoughtValues,
    keyring: Keyring,
    *,
    every_agent: bool,
) -> int:
    """Erases the contents of the scope's failed writes, or of those of every agent, that have one of these values; how
    many. Call it in a transaction that reaches every agent, after the scope is locked. Raises KeyMissing, BytesLost."""
    if not values:
        return 0
    parameters = {**scope_parameters(scope), "every_agent": every_agent}
    spool_ids = list[UUID]()
    async with session.cursor("failed_contents") as cursor:
        await cursor.execute(SQL["kept_contents"], parameters)
        while rows := await cursor.fetchmany(ROWS_AT_ONCE):
            search = partial(_with_values, rows, scope.tenant_id, values, keyring)
            spool_ids += await off_loop(UNBOUNDED, search)
    if spool_ids:
        key = {"tenant_id": scope.tenant_id, "spool_ids": spool_ids}
        await session.execute(SQL["erase_contents"], key)
    return len(spool_ids)


def location(scope: Scope, spool_id: UUID) -> JsonLocation:
    """Returns the location to which the content of a failed write is bound: its row."""
    return JsonLocation.in_scope(scope.tenant_id, scope.agent_id, PURPOSE, spool_id)


def _with_values(rows: Sequence[Any], tenant_id: TenantId, values: SoughtValues, keyring: Keyring) -> list[UUID]:
    contents = EncryptedJson(keyring)
    found = []
    for agent_id, spool_id, request_id, *columns in rows:
        read = contents.read(columns, location(Scope(tenant_id, agent_id), spool_id))
        if any(values.are_in(tenant_id, text) for text in (request_id, *_texts(read[REQUEST]))):
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


_CALLER = TypeAdapter[Caller | None](Caller | None)


@dataclass(frozen=True, slots=True)
class UnstoredWrite:
    """A write that is not in the tables yet: with a reason where it could not be stored, without one while it waits.
    `request` is the message as JSON; None where it is not kept."""

    scope: Scope
    spool_id: UUID
    method: str
    key: RequestKey
    has_request_id: bool
    # None where it could not be read.
    caller: Caller | None
    accepted_at: datetime
    byte_count: int
    reason: str
    message: str
    failed_at: datetime
    request: dict[str, Any] | None


class SpoolFailures:
    """Every method raises StorageUnavailable."""

    def __init__(self, database: Database, keyring: Keyring) -> None:
        self._database = database
        self._is_encrypted = not keyring.is_empty
        self._json = EncryptedJson(keyring)

    async def keep(self, failed: UnstoredWrite) -> None:
        """Keeps it, or its new reason; without its content where a value of that was forgotten. Raises NotFound where
        the tenant is gone."""

        async def work(session: Session) -> None:
            request_id = failed.key.request_id
            is_kept = await may_be_kept(session, failed.scope, failed.request, request_id)
            parameters = self._parameters(failed if is_kept else replace(failed, request=None))
            await session.execute(SQL["keep_failure"], parameters)

        await self._database.transaction(whole_tenant(failed.scope.tenant_id), work)

    def _parameters(self, failed: UnstoredWrite) -> Mapping[str, Any]:
        columns: Mapping[str, Any] = {"key_id": "", "details": None, "sealed_details": None}
        if failed.request is not None:
            columns = self._json.columns(
                {REQUEST: failed.request},
                location(failed.scope, failed.spool_id),
                encrypted=self._is_encrypted,
            )
        return {
            **scope_parameters(failed.scope),
            "spool_id": failed.spool_id,
            "method": failed.method,
            "request_id": failed.key.request_id,
            "content_digest": failed.key.content_digest,
            "has_request_id": failed.has_request_id,
            "caller": _CALLER.dump_json(failed.caller).decode(),
            "accepted_at": failed.accepted_at,
            "byte_count": failed.byte_count,
            "reason": failed.reason,
            "message": failed.message,
            "failed_at": failed.failed_at,
            **columns,
        }

    async def page(self, tenant_id: TenantId, after: PageCursor | None, size: int) -> Sequence[UnstoredWrite]:
        """At most `size` failed writes after a position. Raises KeyMissing, BytesLost."""
        parameters = {
            "tenant_id": tenant_id,
            "after_at": after and after.at,
            "after_id": after and after.row_id,
            "size": size,
        }
        return await self._read("failures", tenant_id, parameters)

    async def find(self, tenant_id: TenantId, ids: Sequence[UUID]) -> Mapping[UUID, UnstoredWrite]:
        """Returns the writes with these ids that are kept. Raises KeyMissing, BytesLost."""
        parameters = {"tenant_id": tenant_id, "ids": list(ids)}
        found = await self._read("failures_of", tenant_id, parameters)
        return {each.spool_id: each for each in found}

    async def remove(self, tenant_id: TenantId, ids: Sequence[UUID], now: datetime) -> int:
        """How many of these there were; entered in the audit trail by the same transaction."""
        parameters = {"tenant_id": tenant_id, "ids": list(ids)}

        async def work(session: Session) -> int:
            rows = await session.rows(SQL["delete_failures"], parameters)
            for agent_id in sorted({agent_id for agent_id, _ in rows}):
                gone = [spool_id for of_agent, spool_id in rows if of_agent == agent_id]
                shared = Scope(tenant_id, AgentId(""))
                facts = {**named("spool_ids", gone), "scope_agent_id": agent_id}
                await enter(session, shared, None, now, facts)
            return len(rows)

        return await self._database.transaction(whole_tenant(tenant_id), work)

    async def _read(self, statement: str, tenant_id: TenantId, parameters: dict[str, Any]) -> Sequence[UnstoredWrite]:
        sql = SQL[statement]
        read = partial(_records, sql, parameters)
        rows = await self._database.read(whole_tenant(tenant_id), read)
        return [self._failed(tenant_id, row) for row in rows]

    def _failed(self, tenant_id: TenantId, row: Any) -> UnstoredWrite:
        scope = Scope(tenant_id, AgentId(row.agent_id))
        request = None
        if row.details is not None or row.sealed_details is not None:
            columns = row.details, row.key_id, row.sealed_details
            request = self._json.read(columns, location(scope, row.spool_id))[REQUEST]
        return UnstoredWrite(
            scope=scope,
            spool_id=row.spool_id,
            method=row.method,
            key=RequestKey(row.request_id, bytes(row.content_digest)),
            has_request_id=row.has_request_id,
            caller=_CALLER.validate_json(json.dumps(row.caller)),
            accepted_at=row.accepted_at,
            byte_count=row.byte_count,
            reason=row.reason,
            message=row.message,
            failed_at=row.failed_at,
            request=request,
        )


async def _records(sql: Any, parameters: dict[str, Any], session: Session) -> list[Any]:
    return await session.records(sql, parameters)
