"""Tenants and scopes as Postgres keeps them: which there are, their revisions, and their terms in the shared index."""

import asyncio
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple, TypeVar

from camillo_server.kernel.clock import remaining_seconds
from camillo_server.kernel.errors import RevisionBehind
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope, shared_scope, whole_tenant
from camillo_server.kernel.writes import Freshness, min_revision
from camillo_server.lib.text.counted_terms import MAX_COUNTED
from camillo_server.storage.database import NO_TENANT, Database, Session, Work
from camillo_server.storage.statements import array_text, scope_parameters, statements

# Postgres' primary is never behind a revision it gave out; a read replica is, by its replication lag.
MAX_LAG_SECONDS = 2.0
FIRST_PAUSE_SECONDS = 0.005
MAX_PAUSE_SECONDS = 0.25
# Occurrences of a term are counted as often as in an index in memory, so that both give a text the same score; Postgres
# keeps 255 positions.
COUNTED_OCCURRENCES = MAX_COUNTED
# The end of a lexeme, with its positions.
POSITIONS = {n: f"':{','.join(map(str, range(1, n + 1)))}" for n in range(1, COUNTED_OCCURRENCES + 1)}
SQL = statements("storage/scopes")
T = TypeVar("T")


def scope_set(tenant_id: TenantId, agent_ids: Iterable[AgentId]) -> Scope:
    """These scopes of a tenant, for one statement over them: row-level security lets through the rows of each, and for
    reading those of the shared scope, as it does for one. It is the literal of an array, which is no agent's id."""
    return Scope(tenant_id, AgentId(array_text(sorted(set(agent_ids)))))


async def all_tenant_ids(database: Database) -> list[TenantId]:
    """Every tenant, for background work that then enters one after the other."""
    rows = await database.rows(NO_TENANT, SQL["tenant_ids"], {})
    return [TenantId(tenant_id) for (tenant_id,) in rows]


async def scopes_with_memories(database: Database, tenant_id: TenantId) -> list[Scope]:
    """The scopes of a tenant that hold any memory, hidden ones among them."""
    rows = await database.rows(whole_tenant(tenant_id), SQL["scopes_with_memories"], {"tenant_id": tenant_id})
    return [Scope(tenant_id, AgentId(agent_id)) for (agent_id,) in rows]


class ScopeRange(NamedTuple):
    """Ids of scopes from the first on, without the end, in the order of their bytes."""

    begin: str
    end: str

    def behind(self, agent_id: str) -> "ScopeRange":
        """The part of the range behind this id."""
        return ScopeRange(max(self.begin, f"{agent_id}{BEFORE_CHARACTERS}"), self.end)


# No character of an id is one of these, nor between them and what they stand for.
BEFORE_CHARACTERS, BEHIND_CHARACTERS = "\x01", "\x7f"
EVERY_ID = ScopeRange("", BEHIND_CHARACTERS)


class NamedScope(NamedTuple):
    """A scope that somebody has written or created; an empty id is the tenant's shared one."""

    agent_id: AgentId
    display_name: str
    created_at: datetime


async def scopes_of_tenant(
    database: Database,
    tenant_id: TenantId,
    after: AgentId | None,
    size: int,
    ranges: Sequence[ScopeRange] = (EVERY_ID,),
) -> Sequence[NamedScope]:
    """At most `size` scopes in these ranges, which do not overlap, in the order of their ids, behind `after` (None:
    from the first)."""
    left = [each if after is None else each.behind(after) for each in ranges]
    left = [each for each in left if each.begin < each.end]
    parameters = {
        "tenant_id": tenant_id,
        "begins": [each.begin for each in left],
        "ends": [each.end for each in left],
        "size": size,
    }
    rows = await database.rows(whole_tenant(tenant_id), SQL["scopes_in_ranges"], parameters)
    return [NamedScope(AgentId(agent_id), *rest) for agent_id, *rest in rows]


async def next_revision(session: Session, scope: Scope, now: datetime) -> int:
    """Locks the scope for writing: later writers wait until this transaction ends."""
    parameters = {**scope_parameters(scope), "added_memories": 0, "added_terms": 0, "now": now}
    revision: int
    revision, _ = await session.only_row(SQL["next_revision"], parameters)
    return revision


async def hold_shared_scope(session: Session, scope: Scope, now: datetime) -> None:
    """Locks the shared scope of this one's tenant for writing, without a new revision: later writers wait until this
    transaction ends. Who locks the scope of an agent, too, locks that first."""
    await session.execute(SQL["hold_scope"], {**scope_parameters(shared_scope(scope)), "now": now})


async def scope_revision(session: Session, scope: Scope) -> int:
    """The revision of the scope's latest write, 0 before the first."""
    revision: int
    (revision,) = await session.only_row(SQL["scope_revision"], scope_parameters(scope))
    return revision


async def read_fresh(
    database: Database, scope: Scope, freshness: Freshness, work: Work[tuple[T, int]]
) -> tuple[T, int]:
    """Calls `work` until the revision that it read is the demanded one or later; returns its answer and that revision.
    Raises RevisionBehind."""
    minimum = min_revision(freshness)
    pause = FIRST_PAUSE_SECONDS
    seconds_left = MAX_LAG_SECONDS
    while True:
        answer, revision = await database.read(scope, work)
        if revision >= minimum:
            return answer, revision
        if seconds_left <= 0 or remaining_seconds(MAX_LAG_SECONDS) <= pause:
            raise RevisionBehind
        await asyncio.sleep(pause)
        seconds_left -= pause
        pause = min(pause * 2, MAX_PAUSE_SECONDS)


@lru_cache(maxsize=100_000)
def scope_prefix(scope: Scope) -> str:
    """Six characters that set a scope's lexemes apart in the shared index. Two scopes that share a prefix read a
    little more and find nothing of each other: every statement names the scope as well."""
    digest = hashlib.blake2b(f"{scope.tenant_id}\0{scope.agent_id}".encode(), digest_size=3)
    return digest.hexdigest()


def tsvector_text(scope: Scope, counts: Mapping[str, int]) -> str:
    """The tsvector of a text, as its literal: each term with as many positions as it occurs (255 at most)."""
    begin, terms = f"'{scope_prefix(scope)}", "".join(counts)
    if "'" in terms or "\\" in terms:
        counts = {_escaped(term): count for term, count in counts.items()}
    return " ".join(
        [
            f"{begin}{term}{POSITIONS[count if count < COUNTED_OCCURRENCES else COUNTED_OCCURRENCES]}"
            for term, count in counts.items()
        ]
    )


def tsquery_texts(scope: Scope, terms: Sequence[str]) -> list[str]:
    """One tsquery literal for each term."""
    prefix = scope_prefix(scope)
    return [f"'{prefix}{_escaped(term)}'" for term in terms]


def _escaped(term: str) -> str:
    return term.replace("\\", "\\\\").replace("'", "''") if "'" in term or "\\" in term else term
