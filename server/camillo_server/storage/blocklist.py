"""Values that were forgotten and may not be stated again, known by their marks."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from camillo_server.kernel.errors import ValueRejected
from camillo_server.kernel.off_loop import off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.storage.database import Database, Session
from camillo_server.storage.statements import scope_parameters, statements
from camillo_server.text.value_fingerprints import value_fingerprint, value_fingerprints

SQL = statements("storage/blocklist")
# What `refuse_blocked_values` raises, for statements that take the scope's turn themselves: a mark is blocked; or there
# are blocks, and it was given no marks.
CONSTRAINT = "value_blocks_hold"
UNREAD = "value_blocks_unread"
# Computing the marks of one character: of prose a fifth of this, of many short lines twice as much.
FINGERPRINT_MICROSECONDS = 1 / 8
# What a write states: texts by the field that they are in.
Stated = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ValueFingerprints:
    """The marks of what a write states, by field."""

    fields: Mapping[str, Sequence[bytes]]

    def marks(self) -> list[bytes]:
        """All of them, each once."""
        return list({mark for marks in self.fields.values() for mark in marks})

    def fields_with(self, blocked: Collection[bytes]) -> list[str]:
        """The fields that have one of these, in their order."""
        return [
            field for field, marks in self.fields.items() if any(mark in blocked for mark in marks)
        ]


def fingerprint_texts(scope: Scope, texts: Stated) -> ValueFingerprints:
    """Call it before the scope's turn is taken, and `fingerprint_texts_off_loop` for what may be long."""
    return ValueFingerprints(
        {field: value_fingerprints(scope.tenant_id, text) for field, text in texts.items()}
    )


async def fingerprint_texts_off_loop(scope: Scope, texts: Stated) -> ValueFingerprints:
    """The same, in a thread if there is much to read."""
    cost = sum(map(len, texts.values())) * FINGERPRINT_MICROSECONDS
    return await off_loop(cost, lambda: fingerprint_texts(scope, texts))


async def refuse_blocked(session: Session, scope: Scope, stated: ValueFingerprints) -> None:
    """Raises ValueRejected for the first field that states what was forgotten in this scope or in the shared one.

    Call it in the writing transaction, after the scope's turn is taken: no forgetting is under way then.
    """
    for field in stated.fields_with(await blocked_fingerprints(session, scope, stated.marks())):
        raise ValueRejected(field)


async def blocked_fields(session: Session, scope: Scope, stated: ValueFingerprints) -> set[str]:
    """The fields that state what may not be stated; call it as `refuse_blocked`."""
    return set(stated.fields_with(await blocked_fingerprints(session, scope, stated.marks())))


async def blocked_fingerprints(
    session: Session, scope: Scope, marks: Collection[bytes]
) -> set[bytes]:
    """Those of the marks that may not be stated."""
    if not marks:
        return set()
    parameters = {**scope_parameters(scope), "marks": list(marks)}
    return {bytes(row[0]) for row in await session.rows(SQL["blocked_fingerprints"], parameters)}


async def has_blocks(session: Session, scope: Scope) -> bool:
    """Whether there is anything that may not be stated."""
    return bool((await session.only_row(SQL["has_blocks"], scope_parameters(scope)))[0])


@dataclass(frozen=True, slots=True)
class Blocking:
    """Marks of whole values, and the receipt that lifting them goes by."""

    marks: Sequence[bytes]
    receipt_id: UUID
    at: datetime


async def block(session: Session, scope: Scope, blocking: Blocking) -> None:
    """What is blocked already goes by this receipt from now on."""
    parameters = {
        **scope_parameters(scope),
        "marks": list(blocking.marks),
        "receipt_id": blocking.receipt_id,
        "now": blocking.at,
    }
    await session.execute(SQL["block"], parameters)


async def lift(session: Session, scope: Scope, what: str | UUID) -> int:
    """How many values may be stated again: this text, or all that a forgetting of this scope blocked."""
    if isinstance(what, str):
        mark = value_fingerprint(scope.tenant_id, what)
        lifted = await session.execute(SQL["lift_mark"], {**scope_parameters(scope), "mark": mark})
    else:
        parameters = {**scope_parameters(scope), "receipt_id": what}
        lifted = await session.execute(SQL["lift_receipt"], parameters)
    return lifted.rowcount


class ForgottenValues:
    """Values that were forgotten, as Postgres knows them. What is being forgotten at the same time may not be among them yet."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def exist(self, scope: Scope) -> bool:
        return await self._database.read(
            scope.tenant_id, lambda session: has_blocks(session, scope)
        )

    async def hold(self, scope: Scope, marks: Collection[bytes]) -> bool:
        found = await self._database.read(
            scope.tenant_id, lambda session: blocked_fingerprints(session, scope, marks)
        )
        return bool(found)
