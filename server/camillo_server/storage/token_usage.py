"""Tokens and prices by day, space, operation, model and door: tokens of context are counted here, those of models where
they are paid for (models/embedding/spend.py)."""

import logging
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import DomainError, StorageUnavailable
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope, whole_tenant
from camillo_server.storage.database import Database, Session
from camillo_server.storage.scopes import all_tenant_ids
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("storage/token_usage")
# Spaces, operations and doors of which counts wait to be stored; further ones go uncounted.
MAX_PENDING = 100_000
# Rows of one statement.
BATCH = 1_000
# Days that a sweep looks at: it runs several times a day.
SWEPT_DAYS = 31
DIMENSIONS = ("day", "space", "operation", "model", "door")

# The space, what was handed out, and where it was asked for.
ContextKey = tuple[Scope, str, str]

logger = logging.getLogger(__name__)


async def fold_space(session: Session, scope: Scope) -> None:
    """Adds what a space has used to the sums of its tenant, inside the caller's transaction: its name goes with it."""
    await session.execute(SQL["fold_space"], scope_parameters(scope))


class ContextTokens:
    """Counts tokens of context that were handed out; `flush` stores the counts, for the day on which it runs.

    `counts` has the answers and the tokens of each key. A process that is killed loses what it counted since the last
    flush.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self.counts: dict[ContextKey, list[int]] = {}
        # Tokens of this process by what was handed out and the door, as far as they are stored, for its metrics.
        self.stored = Counter[tuple[str, str]]()
        self._database = database
        self._clock = clock

    def note(self, key: ContextKey, tokens: int) -> None:
        """Counts one answer."""
        counted = self.counts.get(key)
        if counted is not None:
            counted[0] += 1
            counted[1] += tokens
        elif len(self.counts) < MAX_PENDING:
            self.counts[key] = [1, tokens]

    async def flush(self) -> None:
        """Stores the counts. Counts that cannot be stored now are kept for the next flush."""
        counts, self.counts = self.counts, {}
        today = self._clock.now().date()
        by_tenant: dict[TenantId, list[ContextKey]] = {}
        for key in sorted(counts):
            by_tenant.setdefault(key[0].tenant_id, []).append(key)
        try:
            for tenant_id, keys in by_tenant.items():
                for first in range(0, len(keys), BATCH):
                    batch = keys[first : first + BATCH]
                    await self._store(tenant_id, today, [(key, counts[key]) for key in batch])
                    for key in batch:
                        self.stored[key[1:]] += counts.pop(key)[1]
        except DomainError as error:
            logger.warning("tokens of context not stored; the next flush stores them", extra={"cause": str(error)})
        finally:
            # Also if a stop cancelled this: the last flush stores them.
            for key, (requests, tokens) in counts.items():
                kept = self.counts.setdefault(key, [0, 0])
                kept[0] += requests
                kept[1] += tokens

    async def _store(self, tenant_id: TenantId, day: date, batch: Sequence[tuple[ContextKey, list[int]]]) -> None:
        parameters = {
            "tenant_id": tenant_id,
            "day": day,
            "agent_ids": [scope.agent_id for (scope, _, _), _ in batch],
            "operations": [operation for (_, operation, _), _ in batch],
            "doors": [door for (_, _, door), _ in batch],
            "requests": [requests for _, (requests, _) in batch],
            "tokens": [tokens for _, (_, tokens) in batch],
        }

        async def work(session: Session) -> None:
            await session.execute(SQL["add_context"], parameters)

        await self._database.write(whole_tenant(tenant_id), work)


class UsageGroup(NamedTuple):
    """The value of each dimension; the least one where sums are not grouped by it."""

    day: date
    agent_id: str
    operation: str
    model_id: str
    door: str


class TokenSum(NamedTuple):
    """The sums of one group."""

    group: UsageGroup
    requests: int
    input_tokens: int
    output_tokens: int
    nano_usd: int


@dataclass(frozen=True, slots=True)
class UsageQuery:
    """Sums of a tenant's spaces, or of one; `group_by` are names of DIMENSIONS."""

    tenant_id: TenantId
    agent_id: AgentId | None
    since: date = date.min
    until: date = date.max
    group_by: Collection[str] = ()
    operation: str = ""
    model_id: str = ""


class TokenUsageStore:
    """Sums tokens and prices."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def sums(self, query: UsageQuery, after: UsageGroup | None, size: int) -> Sequence[TokenSum]:
        """At most `size` sums in the order of their groups, behind `after`. Raises StorageUnavailable."""
        parameters = {
            "tenant_id": query.tenant_id,
            "agent_id": query.agent_id,
            "since": query.since,
            "until": query.until,
            "operation": query.operation,
            "model_id": query.model_id,
            "size": size,
            **{f"by_{each}": each in query.group_by for each in DIMENSIONS},
            **{f"after_{name}": getattr(after, name, None) for name in UsageGroup._fields},
        }
        scope = whole_tenant(query.tenant_id) if query.agent_id is None else Scope(query.tenant_id, query.agent_id)
        rows = await self._database.rows(scope, SQL["sums"], parameters)
        return [TokenSum(UsageGroup(*row[:5]), *row[5:]) for row in rows]


class UsageSweep:
    """Bounds how many rows there are."""

    def __init__(self, database: Database, clock: Clock, kept_days: int, kept_spaces: int) -> None:
        """Rows older than `kept_days` are removed; so many spaces of a day that is over are kept apart."""
        self._database = database
        self._clock = clock
        self._kept_days = kept_days
        self._kept_spaces = kept_spaces

    async def run(self) -> None:
        """Removes old days, and adds the spaces that used least of other days to the sums of their tenants."""
        today = self._clock.now().date()
        for tenant_id in await all_tenant_ids(self._database):
            try:
                await self._sweep(tenant_id, today)
            except StorageUnavailable:
                raise
            except DomainError as error:
                logger.warning("tokens not swept", extra={"cause": str(error)})

    async def _sweep(self, tenant_id: TenantId, today: date) -> None:
        scope = whole_tenant(tenant_id)
        parameters = {"tenant_id": tenant_id, "today": today, "spaces": self._kept_spaces}
        since = {"since": today - timedelta(days=SWEPT_DAYS)}
        days = await self._database.rows(scope, SQL["crowded_days"], {**parameters, **since})
        for (day,) in days:
            await self._execute(scope, "fold_day", {**parameters, "day": day})
        oldest = today - timedelta(days=self._kept_days)
        await self._execute(scope, "remove_old", {"tenant_id": tenant_id, "day": oldest})

    async def _execute(self, scope: Scope, statement: str, parameters: dict[str, object]) -> None:
        async def work(session: Session) -> None:
            await session.execute(SQL[statement], parameters)

        await self._database.write(scope, work)
