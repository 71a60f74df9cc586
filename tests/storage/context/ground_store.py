"""Everything that stores events, decisions, tasks and what goes into bundles, on one database."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid4

import psycopg
from camillo_server.across.admin.store.admin_store import AdminStore
from camillo_server.across.context.store.context import HandoffStore, RecipeStore, ViewStore
from camillo_server.across.context.store.records import RecordReader
from camillo_server.across.forgetting.records import ForgetSelection, ForgottenEvents, OfSession
from camillo_server.across.forgetting.store.forgetting import ForgettingStore
from camillo_server.assembly.declared import FORGETTABLES
from camillo_server.features.decisions.decision import (
    Decision,
    DecisionDraft,
    DecisionId,
    DecisionReplay,
    DecisionStatus,
)
from camillo_server.features.decisions.store import DecisionStore
from camillo_server.features.events.event import (
    Actor,
    Event,
    EventContent,
    EventFilter,
    EventId,
    EventsReplay,
    StoredEvent,
    TextContent,
)
from camillo_server.features.events.store.reader import EventReader
from camillo_server.features.events.store.writer import EventWriter
from camillo_server.features.tasks.store import TaskStore
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.ids import AgentId, MemoryId, TenantId
from camillo_server.kernel.kinds import ActorType, ChunkKind, EventKind, Kind, MemoryKind, Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.row import NewRow, Row
from camillo_server.rows.store.refs import RefResolver
from camillo_server.rows.store.writer import MemoryWriter
from camillo_server.settings.settings import DatabaseSettings
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.database import Database
from camillo_server.storage.scope_writes import ScopeWrites

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.storage.commits import Commits
from tests.storage.forgetting_store import forgetting_store

NOW = datetime(2030, 1, 1, 12, tzinfo=UTC)
KEYRING = Keyring({"k1": bytes(range(32))})
ALICE = Scope(TenantId("acme"), AgentId("alice"))
BOB = Scope(TenantId("acme"), AgentId("bob"))
SHARED = Scope(TenantId("acme"), AgentId(""))
RIVAL = Scope(TenantId("rival"), AgentId("alice"))
EVERYTHING = EventFilter()
MANY_SCRIPTS = 'quota “48” 会议 🦓👩‍👩‍👧 شكرا é {"a\\b"}'


def request(request_id: str = "r", content: bytes = b"") -> RequestKey:
    return RequestKey(request_id, sha256(content).digest())


def later(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def event(text: str = "hello", scope: Scope = ALICE, **changed: Any) -> Event:
    """A message of the user; `content` takes the place of the text."""
    content: EventContent = changed.pop("content", TextContent(text))
    fields: dict[str, Any] = {
        "event_id": EventId(uuid4()),
        "agent_id": scope.agent_id,
        "session_id": "s1",
        "channel": Channel.PRIVATE,
        "actor": Actor(ActorType.HUMAN, "user"),
        "kind": EventKind.MESSAGE,
        "sensitivity": Sensitivity.INTERNAL,
        "tags": (),
        "occurred_at": NOW,
        "refs": (),
        "importance": None,
        "recorded_at": NOW,
    }
    return Event(content=content, **{**fields, **changed})


def row(origin: UUID, text: str = "hello", scope: Scope = ALICE, **changed: Any) -> NewRow:
    """A chunk of an event or a decision, or with `kind` a memory."""
    kind: Kind = changed.pop("kind", ChunkKind.EVENT_MESSAGE)
    memory = Row(
        memory_id=MemoryId(uuid4()),
        agent_id=scope.agent_id,
        content=text,
        kind=kind,
        session_id="s1",
        occurred_at=NOW,
        tags=(),
        sensitivity=Sensitivity.INTERNAL,
        importance=0.5,
        metadata={"place": 0},
        expires_at=None,
        pinned=False,
        archived=False,
        version=1,
        source_refs=(str(origin),),
        created_at=NOW,
        updated_at=NOW,
        vector_model_id="",
    )
    return NewRow(memory._replace(**changed), None)


def chunks_of(events: Sequence[Event], scope: Scope = ALICE, each: int = 1) -> list[NewRow]:
    """Chunks of events, `each` of every one, a microsecond apart."""
    return [
        row(
            one.event_id,
            f"{one.content.text if isinstance(one.content, TextContent) else 'told'} {place}",
            scope,
            sensitivity=one.sensitivity,
            occurred_at=one.occurred_at + timedelta(microseconds=place),
        )
        for one in events
        for place in range(each)
    ]


def summary(*refs: object, scope: Scope = ALICE) -> NewRow:
    """A summary that no other equals: what says exactly the same is stored once."""
    text, cited = f"in short, {uuid4()}", tuple(map(str, refs))
    return row(uuid4(), text, scope, kind=MemoryKind.SUMMARY, source_refs=cited)


def decision(text: str = "use Postgres", scope: Scope = ALICE, **stated: Any) -> Decision:
    """A decision in force, made now."""
    created_at = stated.pop("created_at", NOW)
    fields: dict[str, Any] = {"refs": (), "decided_at": NOW, **stated}
    return Decision(
        decision_id=DecisionId(uuid4()),
        agent_id=scope.agent_id,
        stated=DecisionDraft(decision=text, **fields),
        status=DecisionStatus.ACTIVE,
        supersedes=(),
        superseded_by=None,
        version=1,
        created_at=created_at,
    )


@dataclass(frozen=True, slots=True)
class GroundStore:
    """The adapters, the database behind them, and what they told after their commits."""

    postgres: TestDatabase
    database: Database
    events: EventWriter
    reader: EventReader
    refs: RefResolver
    decisions: DecisionStore
    tasks: TaskStore
    views: ViewStore
    recipes: RecipeStore
    handoffs: HandoffStore
    records: RecordReader
    memories: MemoryWriter
    forgetting: ForgettingStore
    administration: AdminStore
    notifier: ChangeNotifier
    commits: Commits = field(default_factory=Commits)
    missing_vectors: list[Scope] = field(default_factory=list)

    @property
    def committed(self) -> list[tuple[Scope, int, int | None]]:
        """The commits with how many rows each added; None of one that may have changed others."""
        return [(scope, revision, None if rows is None else len(rows)) for scope, revision, rows in self.commits.told]

    async def record(
        self,
        *events: Event,
        scope: Scope = ALICE,
        chunks: Sequence[NewRow] | None = None,
        key: RequestKey | None = None,
    ) -> Written[EventsReplay]:
        rows = chunks_of(events, scope) if chunks is None else chunks
        replay = EventsReplay(NOW, tuple(StoredEvent(each.event_id, 0, "") for each in events))
        return await self.events.record(scope, events, rows, replay, key, now=NOW)

    async def decide(self, made: Decision, scope: Scope = ALICE) -> Written[DecisionReplay]:
        return await self.decisions.record(scope, made, None, now=NOW)

    async def forget(
        self, selector: Sequence[EventId] | str, key: RequestKey | None = None, *, scope: Scope = ALICE
    ) -> Written[ForgottenEvents]:
        """Events, or those of a session."""
        return await self.forgetting.forget_events(scope, of_events(selector), key, now=NOW)

    async def texts(self, scope: Scope = ALICE) -> list[str]:
        """Texts of the events of a scope, in order."""
        page = await self.reader.page(scope, EVERYTHING, None, 1_000, newest_first=False)
        return [text_of(each) for each in page.events]

    def rows(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        """Rows of a query by the superuser, who sees all tenants."""
        with psycopg.connect(self.postgres.superuser_url) as connection:
            connection.execute("set search_path to camillo, public")
            return connection.execute(sql, parameters).fetchall()

    def count(self, table: str, where: str = "true") -> int:
        return int(self.rows(f"select count(*) from {table} where {where}")[0][0])

    def counts_of(self, scope: Scope = ALICE) -> tuple[Any, ...]:
        """The scope's own counts of rows, chunks and terms; and then the true ones."""
        told = self.rows(
            "select memory_count, chunk_count, term_count from scopes where tenant_id = %s and agent_id = %s",
            *(scope.tenant_id, scope.agent_id),
        )
        true = self.rows(
            "select count(*), count(*) filter (where kind >= 16), coalesce(sum(term_count), 0)::bigint"
            " from memories where tenant_id = %s and agent_id = %s",
            *(scope.tenant_id, scope.agent_id),
        )
        return told[0] + true[0]

    def counts_are_right(self, scope: Scope = ALICE) -> bool:
        counts = self.counts_of(scope)
        return counts[:3] == counts[3:]


def of_events(selector: Sequence[EventId] | str) -> ForgetSelection:
    """A selection of these events, or of those of a session."""
    if isinstance(selector, str):
        return ForgetSelection(OfSession(selector), allow_restating=True)
    return ForgetSelection({"events": list(map(str, selector))}, allow_restating=True)


def text_of(told: Event) -> str:
    assert isinstance(told.content, TextContent)
    return told.content.text


@asynccontextmanager
async def ground_store(postgres: TestDatabase, keyring: Keyring = KEYRING) -> AsyncIterator[GroundStore]:
    """A ground store on the test's database, with the tenants `acme` and `rival`."""
    with psycopg.connect(postgres.superuser_url) as connection:
        connection.execute(
            "insert into camillo.tenants values ('acme', '', %(now)s), ('rival', '', %(now)s) on conflict do nothing",
            {"now": NOW},
        )
    database, notifier = (
        Database(
            postgres.server_url, DatabaseSettings(pool_min=1, pool_max=8, connect_timeout_seconds=PATIENCE_SECONDS)
        ),
        ChangeNotifier(""),
    )
    commits = Commits()
    notifier.subscribe(commits)
    missing: list[Scope] = []
    writes = ScopeWrites(database, notifier, missing.append)
    await database.open()
    yield GroundStore(
        postgres=postgres,
        database=database,
        events=EventWriter(writes, keyring),
        reader=EventReader(database, keyring),
        refs=RefResolver(database),
        decisions=DecisionStore(writes, keyring),
        tasks=TaskStore(writes, keyring),
        views=ViewStore(writes, keyring),
        recipes=RecipeStore(database, notifier),
        handoffs=HandoffStore(writes),
        records=RecordReader(database, keyring),
        memories=MemoryWriter(writes, keyring),
        forgetting=forgetting_store(writes, keyring),
        administration=AdminStore(database, notifier, FORGETTABLES),
        notifier=notifier,
        commits=commits,
        missing_vectors=missing,
    )
    await database.close()
