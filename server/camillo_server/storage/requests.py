"""Requests that may be repeated: stored in the writing transaction, answered from there the next time."""

from collections.abc import Awaitable, Callable, Collection
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from psycopg.errors import UniqueViolation
from psycopg.types.json import Jsonb

from camillo_server.kernel.errors import RequestIdReused
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.scope import Scope, whole_tenant
from camillo_server.kernel.writes import REQUEST_LIFETIME, RequestKey, Written, decode, encode
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.storage.audit import NO_IDS, Ids, audit_of, audits_json
from camillo_server.storage.database import ATTEMPTS, Database, Session
from camillo_server.storage.scopes import all_tenant_ids
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("storage/requests")
PRIMARY_KEY = "requests_pkey"
R = TypeVar("R")


def request_parameters(keyring: Keyring, scope: Scope, request: RequestKey | None, record: object) -> dict[str, Any]:
    """The request's part of a writing statement; nothing is stored for None. The column `facts` holds the record."""
    if request is None:
        return {"request_id": None, "content_digest": None, "facts": None}
    return {
        "request_id": request.request_id,
        "content_digest": kept_digest(keyring, scope, request),
        "facts": Jsonb(encode(record)),
    }


def kept_digest(keyring: Keyring, scope: Scope, request: RequestKey) -> bytes:
    """The digest as it is kept: who reads the database cannot test a guess of what was forgotten without the key. An
    installation without keys keeps it as it is."""
    if keyring.is_empty:
        return request.content_digest
    return keyring.lasting_fingerprint(scope.tenant_id, "request", request.content_digest)


async def first_answer(
    session: Session, scope: Scope, request: RequestKey | None, record_type: type[R], now: datetime
) -> Written[R] | None:
    """The answer to this request when it came first, or None if it is new. Raises RequestIdReused.

    A request id past its lifetime is new again. Call it holding the scope's lock, or after a violated key.
    """
    if request is None:
        return None
    key = {**scope_parameters(scope), "request_id": request.request_id}
    await session.execute(SQL["drop_old_request"], {**key, "before": now - REQUEST_LIFETIME})
    found = await session.row(SQL["find_request"], key)
    if found is None:
        return None
    content_digest, kept, revision, _ = found
    _require_same(session.keyring, scope, request, content_digest)
    return Written(revision, decode(record_type, kept), is_repeat=True)


def _require_same(keyring: Keyring, scope: Scope, request: RequestKey, content_digest: bytes) -> None:
    """Raises RequestIdReused where the request that came first had other content."""
    # The digest is also compared without a key: releases that had none kept it so.
    digests = request.content_digest, kept_digest(keyring, scope, request)
    if bytes(content_digest) not in digests:
        raise RequestIdReused(request.request_id)


async def find_answer(
    database: Database,
    scope: Scope,
    request: RequestKey | None,
    record_type: type[R],
    now: datetime,
) -> Written[R] | None:
    """Does what `first_answer` does, outside of a write."""
    if request is None:
        return None
    return await database.write(scope, lambda session: first_answer(session, scope, request, record_type, now))


async def is_answered(database: Database, scope: Scope, request: RequestKey, now: datetime) -> bool:
    """Whether this request has been committed, whatever its answer. Raises RequestIdReused, StorageUnavailable."""
    key = {**scope_parameters(scope), "request_id": request.request_id}
    found = await database.record(scope, SQL["find_request"], key)
    if found is None or found.created_at < now - REQUEST_LIFETIME:
        return False
    _require_same(database.keyring, scope, request, found.content_digest)
    return True


async def write_once(write: Callable[[], Awaitable[R]], constraints: Collection[str] = (PRIMARY_KEY,)) -> R:
    """Runs a write that keeps an answer; again where it violates one of these, since another transaction committed
    first: then it finds the answer of that one."""
    # The second try finds what the first one collided with, unless that was deleted in between. Against deletions again
    # and again, as many tries as against deadlocks.
    for _ in range(ATTEMPTS - 1):
        try:
            return await write()
        except UniqueViolation as error:
            if error.diag.constraint_name not in constraints:
                raise
    return await write()


async def keep_answer(
    session: Session,
    scope: Scope,
    request: RequestKey | None,
    written: Written[R],
    now: datetime,
    ids: Ids = NO_IDS,
) -> Written[R]:
    """Stores the answer, where the request has an id, and an entry of the audit trail, in the transaction that did the
    work; returns the answer. `ids` are those that the entry names beside the record's."""
    await session.execute(
        SQL["keep_request"],
        {
            **scope_parameters(scope),
            **request_parameters(session.keyring, scope, request, written.record),
            "revision": written.revision,
            "audits": audits_json([audit_of(written.record, now, ids)]),
            "now": now,
        },
    )
    return written


async def purge_requests(database: Database, before: datetime) -> None:
    """Removes the requests of every tenant that came before this moment."""

    async def purge(session: Session, tenant_id: TenantId) -> None:
        await session.execute(SQL["purge_requests"], {"tenant_id": tenant_id, "before": before})

    for tenant_id in await all_tenant_ids(database):
        await database.write(whole_tenant(tenant_id), partial(purge, tenant_id=tenant_id))
