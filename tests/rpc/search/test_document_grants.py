"""Documents are found by credentials that grant a category of theirs, and by those that are not bound."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from camillo.v1 import admin_pb2, run_pb2
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import run_service_pb2 as runs
from camillo.v1 import snapshot_service_pb2 as snapshots
from camillo_server.kernel.ids import AgentId, MemoryId, TenantId
from camillo_server.kernel.kinds import ChunkKind, Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.rows.row import MemoryDraft, NewRow
from camillo_server.rows.row_filter import CATEGORY_PREFIX
from camillo_server.rows.store.writer import MemoryWriter
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.scope_writes import ScopeWrites

from tests.rpc.memories.calls import recall, remember
from tests.rpc.records import bundle
from tests.server_fixtures import Caller, Server

pytestmark = pytest.mark.own_server

ALICE = Scope(TenantId("acme"), AgentId("alice"))
SHARED = Scope(TenantId("acme"), AgentId(""))
FRESH: dict[str, Any] = {"freshness": {"fully_consistent": True}}
BOTH: dict[str, Any] = {**FRESH, "shared_freshness": {"fully_consistent": True}}
SOURCES = (pb.SOURCE_MEMORY, pb.SOURCE_DOCUMENT)
# By title, the categories of a document.
DOCUMENTS: dict[str, Sequence[str]] = {
    "政策": ("policy",),
    "أسعار": ("pricing",),
    "both 📄": ("policy", "pricing"),
    "cafe\u0301 staff": ("hr",),
    "of no category": (),
}
# Categories that a key grants, those that a call asks for, and what it finds.
FINDS: tuple[tuple[Sequence[str], Sequence[str], set[str]], ...] = (
    ((), (), set(DOCUMENTS)),
    ((), ("policy",), {"政策", "both 📄"}),
    ((), ("policy", "hr"), {"政策", "both 📄", "cafe\u0301 staff"}),
    (("policy",), (), {"政策", "both 📄"}),
    (("policy", "pricing"), (), {"政策", "أسعار", "both 📄"}),
    # One of both: each condition is met, if by another category.
    (("pricing",), ("policy",), {"both 📄"}),
    (("policy",), ("hr",), set()),
    (("legal",), (), set()),
)
RECIPE = """\
name: {name}
description: Passages of documents.
budget: 2000
sections:
  - name: passages
    source: recall
    sources: [memory, document]
    budget: 2000
    priority: 9
    min_score: 0
"""


@pytest.fixture(params=["memory", "postgres"])
def answered_from(request: pytest.FixtureRequest) -> str:
    """Memory and Postgres, which have to give the same answers."""
    answering: str = request.param
    return answering


async def limited(server: Server, *categories: str) -> Caller:
    """Alice with a key that grants these categories; all documents where there are none."""
    request = admin.CreateKeyRequest(agent_id="alice", role=admin_pb2.ROLE_WRITER, document_categories=categories)
    return server.caller((await server.admin(request)).secret)


async def store(server: Server, *, scope: Scope = SHARED, in_days: int = 0, **fields: Any) -> None:
    """A passage of each document, and a memory that has the tag of a category."""
    now = server.clock.now()
    rows = []
    for number, (title, categories) in enumerate(DOCUMENTS.items(), 1):
        draft = MemoryDraft(
            content=f"walrus: {title}",
            tags=[CATEGORY_PREFIX + each for each in categories],
            occurred_at=now + timedelta(days=in_days),
            **fields,
        )
        memory = draft.memory(scope.agent_id, MemoryId(UUID(int=number)), now)
        rows.append(NewRow(memory._replace(kind=ChunkKind.PASSAGE, source_refs=("d",)), None))
    database, notifier = server.app.kernel.database, ChangeNotifier(server.database.server_url)
    writer = MemoryWriter(ScopeWrites(database, notifier), server.app.kernel.keyring)
    await writer.import_rows(scope, rows, replace=False, after=None, now=now)
    await remember(server.alice, "walrus: a memory", tags=["category:hr"])


def titles(answer: service.RecallResponse) -> set[str]:
    """Titles of the documents found; the memory has to be among the hits, as nothing is restricted but documents."""
    found = {hit.memory.content or hit.chunk.text for hit in answer.hits}
    assert "walrus: a memory" in found
    return {text.removeprefix("walrus: ") for text in found} - {"a memory"}


@pytest.mark.caches
async def test_a_recall_finds_documents_that_are_granted_and_asked_for(server: Server) -> None:
    await store(server)
    for granted, asked, expected in FINDS:
        caller = await limited(server, *granted)
        wanted = pb.MemoryFilter(document_categories=asked)
        answer = await recall(caller, "walrus", sources=SOURCES, filter=wanted, **BOTH)
        assert titles(answer) == expected, (granted, asked)
        one = service.RecallRequest(text="walrus", limit=200, sources=SOURCES, filter=wanted, **BOTH)
        [result] = (await caller(service.BatchRecallRequest(requests=[one]))).results
        assert titles(result.response) == expected, (granted, asked)


async def test_a_bundle_and_a_run_show_documents_that_are_granted(server: Server) -> None:
    await store(server)
    for name in ("documents", "run_snapshot"):
        await server.admin(snapshots.PutRecipeRequest(yaml=RECIPE.format(name=name)))
    for granted, asked, expected in FINDS:
        if asked:
            continue
        caller = await limited(server, *granted)
        built = await bundle(caller, "walrus", recipe="documents", explain=True, **FRESH)
        start = runs.StartRunRequest(trigger=run_pb2.Trigger(type="walrus"))
        started = await caller(start)
        for prompt in (str(built.prompt), str(started.snapshot.prompt)):
            assert {title for title in DOCUMENTS if title in prompt} == expected, granted
            assert "a memory" in prompt
        told = str(built) + str(started)
        assert not any(title in told for title in DOCUMENTS.keys() - expected)


async def test_nothing_is_told_of_documents_that_only_memory_can_search(server: Server) -> None:
    await store(server, sensitivity=Sensitivity.CONFIDENTIAL)
    in_memory = server.answered_from == "memory"
    for granted, is_told in ((("policy",), True), (("legal",), False), ((), True)):
        caller = await limited(server, *granted)
        answer = await recall(caller, "walrus", sources=SOURCES, **BOTH)
        assert (pb.DEGRADED_REASON_SEALED_NOT_SEARCHED in answer.degraded) is (is_told and not in_memory)
        assert bool(titles(answer)) is (is_told and in_memory)


async def test_a_document_is_found_when_it_has_become_effective(server: Server) -> None:
    await store(server, in_days=2)
    asked: dict[str, Any] = {"sources": SOURCES, **BOTH}
    for days, expected in ((0, set[str]()), (1, set()), (1, set(DOCUMENTS))):
        server.clock.move(timedelta(days=days).total_seconds())
        assert titles(await recall(server.alice, "walrus", **asked)) == expected


async def test_categories_of_documents_delete_no_memories(server: Server) -> None:
    await store(server)
    wanted = pb.MemoryFilter(document_categories=["hr"])
    listed = await server.alice(service.ListMemoriesRequest(filter=wanted))
    assert [memory.content for memory in listed.memories] == ["walrus: a memory"]
    both = pb.MemoryFilter(document_categories=["hr"], tags_any=["none"])
    assert (await server.alice(service.ForgetMemoriesRequest(filter=both))).forgotten == 0
