"""Receipts, the proofs that removals leave; and refusals: writes that were refused for a forgotten value, by which
method and in which field, with the receipt that blocks the value, and never the value itself."""

import enum
import logging
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from psycopg.types.json import Jsonb

from camillo_server.kernel.clock import Clock, time_ordered_uuids
from camillo_server.kernel.errors import DomainError, NotFound
from camillo_server.kernel.ids import AFTER_ALL, PageCursor
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


logger = logging.getLogger(__name__)
# The maximum number of refusals of a scope that are kept, the newest ones, and of one call.
MAX_REFUSALS = 1_000
# A caller may have chosen a part of the path.
MAX_FIELD_CHARACTERS = 200


class NotedRefusal(NamedTuple):
    """A field that was refused in a scope, and the receipt of what was forgotten."""

    scope: Scope
    field: str
    receipt_id: UUID


@dataclass(frozen=True, slots=True)
class KeptRefusal:
    """A refusal as it was kept."""

    refusal_id: UUID
    at: datetime
    method: str
    field: str
    receipt_id: UUID


_OF_KEY = re.compile(r"metadata\..*", re.DOTALL)
_noted: ContextVar[list[NotedRefusal] | None] = ContextVar("noted_refusals", default=None)


def begin_noting() -> list[NotedRefusal]:
    """A list of what the current call is refused from here on."""
    noted: list[NotedRefusal] = []
    _noted.set(noted)
    return noted


def note_refusals(scope: Scope, fields: Iterable[tuple[str, UUID]]) -> None:
    """Notes fields with the receipts of their values, where somebody wants to know."""
    noted = _noted.get()
    if noted is not None:
        # A key of metadata is the caller's, and may itself hold what was forgotten.
        noted += (NotedRefusal(scope, _OF_KEY.sub("metadata", field), receipt_id) for field, receipt_id in fields)


class RefusalLog:
    """Refusals of scopes, bounded, and counted by method in this process."""

    def __init__(self, database: Database, clock: Clock, counts: Counter[str]) -> None:
        self._database = database
        self._clock = clock
        self._counts = counts

    async def keep(self, method: str, noted: Sequence[NotedRefusal]) -> None:
        """Keeps what a call was refused; where Postgres cannot, it is only counted. An agent that has stored nothing
        has no list."""
        by_scope: dict[Scope, dict[NotedRefusal, None]] = {}
        for each in noted[:MAX_REFUSALS]:
            by_scope.setdefault(each.scope, {})[each] = None
        for scope, refusals in by_scope.items():
            self._counts[method] += len(refusals)
            try:
                await self._insert(scope, method, list(refusals))
            except DomainError as error:
                logger.warning("refusals were not kept", extra={"reason": error.reason})

    async def _insert(self, scope: Scope, method: str, refusals: Sequence[NotedRefusal]) -> None:
        now = self._clock.now()
        parameters = {
            **scope_parameters(scope),
            "now": now,
            "method": method,
            "refusal_ids": list(time_ordered_uuids(now, len(refusals))),
            "fields": [each.field[:MAX_FIELD_CHARACTERS] for each in refusals],
            "receipt_ids": [each.receipt_id for each in refusals],
            # The statement does not count the refusals that it adds.
            "kept": max(MAX_REFUSALS - len(refusals), 0),
        }

        async def work(session: Session) -> None:
            await session.execute(SQL["keep_refusals"], parameters)

        await self._database.write(scope, work)

    async def page(self, scope: Scope, after: PageCursor | None, size: int) -> Sequence[KeptRefusal]:
        """Newest first, at most `size`, behind another. Raises StorageUnavailable."""
        parameters = {
            **scope_parameters(scope),
            "after_id": (after or AFTER_ALL).row_id,
            "size": size,
        }
        rows = await self._database.rows(scope, SQL["page_refusals"], parameters)
        return [KeptRefusal(*row) for row in rows]
