"""What a removal leaves as its proof."""

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
    """What was called; the contract tells it by its name in small letters."""

    FORGET_MEMORIES = 1
    FORGET_EVENTS = 2
    PRUNE = 3
    MAINTENANCE = 4
    RESET = 5


@dataclass(frozen=True, slots=True)
class Receipt:
    """Rows removed by store, in the order of the stores' names, and how many values may not be stated again because of
    it. Of a dry run, `receipt_id` is None."""

    receipt_id: UUID | None
    cause: Cause
    stores: Mapping[str, int]
    blocked_values: int
    at: datetime


@dataclass(frozen=True, slots=True)
class ReceiptDone:
    """A receipt, and the revision from which it holds."""

    receipt: Receipt
    revision: int


async def keep_receipt(session: Session, scope: Scope, receipt: Receipt) -> None:
    """Inside the transaction that removes what the receipt tells of."""
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


class ReceiptStore:
    """`ReceiptStore` on Postgres."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(
        self, scope: Scope, after: tuple[datetime, UUID] | None, size: int
    ) -> Sequence[Receipt]:
        after_at, after_id = after or (None, None)
        parameters = {**scope_parameters(scope), "size": size}
        parameters |= {"after_at": after_at, "after_id": after_id}

        async def work(session: Session) -> list[tuple[Any, ...]]:
            return await session.rows(SQL["page"], parameters)

        rows = await self._database.read(scope.tenant_id, work)
        return [_receipt_from(row) for row in rows]


def _receipt_from(row: Sequence[Any]) -> Receipt:
    receipt_id, cause, stores, blocked_values, at = row
    return Receipt(receipt_id, Cause(cause), dict(sorted(stores.items())), blocked_values, at)
