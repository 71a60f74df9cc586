"""Receipts: the proofs that removals leave."""

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from camillo_server.kernel.errors import NotFound
from camillo_server.kernel.scope import Scope
from camillo_server.storage.database import Database, Session
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("storage/receipts")


class Cause(enum.IntEnum):
    """The call that removed the rows; the contract has its name in small letters."""

    FORGET_MEMORIES = 1
    FORGET_EVENTS = 2
    PRUNE = 3
    MAINTENANCE = 4
    RESET = 5
    FORGET = 6
    DELETE_AGENT = 7


@dataclass(frozen=True, slots=True)
class Receipt:
    """Rows removed by store, in the order of the stores' names, and how many values are blocked because of it. A dry
    run has None as `receipt_id`."""

    receipt_id: UUID | None
    cause: Cause
    stores: Mapping[str, int]
    blocked_values: int
    at: datetime


async def keep_receipt(session: Session, scope: Scope, receipt: Receipt) -> None:
    """Call it in the transaction that removes the rows."""
    parameters = {
        **scope_parameters(scope),
        "receipt_id": receipt.receipt_id,
        "cause": int(receipt.cause),
        "at": receipt.at,
        "stores": Jsonb(dict(receipt.stores)),
        "blocked_values": receipt.blocked_values,
    }
    await session.execute(SQL["keep"], parameters)


async def require_receipt(session: Session, scope: Scope, receipt_id: UUID) -> None:
    """Raises NotFound."""
    key = {**scope_parameters(scope), "receipt_id": receipt_id}
    if await session.row(SQL["find"], key) is None:
        raise NotFound("receipt", receipt_id)


async def page_receipts(
    database: Database, scope: Scope, after: tuple[datetime, UUID] | None, size: int
) -> Sequence[Receipt]:
    """Newest first, at most `size`, behind the time and id of another. Raises StorageUnavailable."""
    after_at, after_id = after or (None, None)
    parameters = {**scope_parameters(scope), "size": size}
    parameters |= {"after_at": after_at, "after_id": after_id}
    rows = await database.rows(scope, SQL["page"], parameters)
    return [_receipt_from(row) for row in rows]


def _receipt_from(row: Sequence[Any]) -> Receipt:
    receipt_id, cause, stores, blocked_values, at = row
    return Receipt(receipt_id, Cause(cause), dict(sorted(stores.items())), blocked_values, at)
