"""Writes that were refused for a forgotten value: when, by which method, in which field, and the receipt that blocks
the value; never the value itself."""

import logging
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from camillo_server.kernel.clock import Clock, time_ordered_uuids
from camillo_server.kernel.errors import DomainError
from camillo_server.kernel.ids import AFTER_ALL, PageCursor
from camillo_server.kernel.scope import Scope
from camillo_server.storage.database import Database, Session
from camillo_server.storage.statements import scope_parameters, statements

logger = logging.getLogger(__name__)
SQL = statements("storage/refusals")
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
            await session.execute(SQL["keep"], parameters)

        await self._database.write(scope, work)

    async def page(self, scope: Scope, after: PageCursor | None, size: int) -> Sequence[KeptRefusal]:
        """Newest first, at most `size`, behind another. Raises StorageUnavailable."""
        parameters = {
            **scope_parameters(scope),
            "after_id": (after or AFTER_ALL).row_id,
            "size": size,
        }
        rows = await self._database.rows(scope, SQL["page"], parameters)
        return [KeptRefusal(*row) for row in rows]
