"""Traces that a transaction leaves of the request that it carries out: its answer, from which a repeat is answered, and
an entry of the audit trail (docs/audit.md)."""

import dataclasses
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from typing import Any, TypeVar
from uuid import UUID

from psycopg.errors import UniqueViolation
from psycopg.types.json import Jsonb

from camillo_server.kernel.errors import RequestIdReused
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.scope import Scope, current_caller, current_job, whole_tenant
from camillo_server.kernel.writes import REQUEST_LIFETIME, RequestKey, Written, decode, encode, replay_record
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.storage.database import ATTEMPTS, Database, Session
from camillo_server.storage.scopes import all_tenant_ids
from camillo_server.storage.statements import json_text, scope_parameters, statements
from camillo_server.storage.wire import Statement

# An entry names so many ids of a kind, and counts all of them.
MAX_IDS = 20
PACKAGE = "/camillo.v1."
# Ids and counts that the record of a change does not hold, as JSON has them; UUIDs as they are.
Ids = Mapping[str, Any]
NO_IDS: Ids = {}


@replay_record
@dataclass(frozen=True, slots=True)
class ActionReplay:
    """An action that was recorded: its entry names it, and has a digest of it."""

    action_id: UUID
    digest: bytes
    at: datetime


def audit_of(record: Any, at: datetime, ids: Ids = NO_IDS) -> dict[str, Any]:
    """The entry of a change by the current caller: who, by which method, and the ids and counts of the change's record;
    never a text."""
    facts: dict[str, Any] = {}
    caller = current_caller.get(None)
    if caller is None:
        method, credential = current_job.get(), ""
    else:
        principal = caller.principal
        method, credential = caller.method.removeprefix(PACKAGE), principal.credential
        facts = {"role": principal.role.name, "peer": caller.peer, "request_id": caller.request_id}
        if principal.agent_id is not None:
            facts["agent_id"] = principal.agent_id
    facts |= ids
    if record is not None:
        for name in _fields(record.__class__):
            _add(name, getattr(record, name), facts)
    audit: dict[str, Any] = {"at": at, "method": method, "credential": credential, "facts": facts}
    if isinstance(record, ActionReplay):
        # Among the facts as well, where who has no more than a copy of the entry finds what it was hashed with.
        facts["action_digest"] = record.digest.hex()
        audit |= {"action_id": record.action_id, "action_digest": record.digest}
    return audit


def audits_json(audits: Iterable[Mapping[str, Any]]) -> str:
    """The parameter `audits` of a statement that stores as many writes, in their order."""
    return json_text([{**audit, "write": number} for number, audit in enumerate(audits, 1)])


def named(name: str, ids: Sequence[UUID]) -> Ids:
    """Some ids of a kind, as `audit_of` takes them from a record."""
    return {name: ids[:MAX_IDS], f"{name}_count": len(ids)} if len(ids) > 1 else {name: ids}


async def enter(
    session: Session,
    scope: Scope,
    record: Any,
    at: datetime,
    ids: Ids = NO_IDS,
    *,
    revision: int = 0,
) -> None:
    """Adds an entry to the scope's chain, in the transaction of the change that it tells of. Whoever changes the same
    scope then waits until that ends: call it last."""
    parameters = {
        **scope_parameters(scope),
        "revision": revision,
        "audits": audits_json([audit_of(record, at, ids)]),
    }
    await session.execute(SQL["enter"], parameters)


@cache
def _fields(record_type: type) -> tuple[str, ...]:
    if not dataclasses.is_dataclass(record_type):
        return ()
    return tuple(field.name for field in dataclasses.fields(record_type))


def _add(name: str, value: object, facts: dict[str, Any]) -> None:
    """Adds what is an id, a number of things or a list of ids; of records in a list, the first id of each."""
    match value:
        case UUID() | str() if name.endswith("_id"):
            facts[name] = str(value)
        case int() if not isinstance(value, bool):
            facts[name] = value
        case tuple() | list() if value:
            ids = [each for each in map(_id_of, value[:MAX_IDS]) if each]
            if ids:
                facts[name] = ids
            if len(value) > 1:
                facts[f"{name}_count"] = len(value)
        case Mapping():
            counts = {key: each for key, each in value.items() if isinstance(each, int)}
            if counts:
                facts[name] = counts


def _id_of(value: Any) -> str | None:
    if isinstance(value, UUID):
        return str(value)
    names = getattr(value, "_fields", ()) or _fields(value.__class__)
    parts = (getattr(value, name) for name in names)
    return next((str(part) for part in parts if isinstance(part, UUID)), None)


SQL = statements("storage/written_requests")
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
    await session.execute(*keeping_answer(session, scope, request, written, now, ids))
    return written


def keeping_answer(
    session: Session,
    scope: Scope,
    request: RequestKey | None,
    written: Written[R],
    now: datetime,
    ids: Ids = NO_IDS,
) -> Statement:
    """The statement of `keep_answer`."""
    return (
        SQL["keep_request"],
        {
            **scope_parameters(scope),
            **request_parameters(session.keyring, scope, request, written.record),
            "revision": written.revision,
            "audits": audits_json([audit_of(written.record, now, ids)]),
            "now": now,
        },
    )


async def purge_requests(database: Database, before: datetime) -> None:
    """Removes the requests of every tenant that came before this moment."""

    async def purge(session: Session, tenant_id: TenantId) -> None:
        await session.execute(SQL["purge_requests"], {"tenant_id": tenant_id, "before": before})

    for tenant_id in await all_tenant_ids(database):
        await database.write(whole_tenant(tenant_id), partial(purge, tenant_id=tenant_id))
