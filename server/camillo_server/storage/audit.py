"""Entries of the audit trail, written by the transaction that does what they tell of (docs/audit.md)."""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from camillo_server.kernel.scope import Scope, current_caller, current_job
from camillo_server.kernel.writes import replay_record
from camillo_server.storage.database import Session
from camillo_server.storage.statements import json_text, scope_parameters, statements

SQL = statements("storage/audit")
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
