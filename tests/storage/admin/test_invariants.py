"""The invariants of a database: all hold after any use, and each names the rows that break it."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from uuid import UUID

import psycopg
import pytest
from camillo.v1.actor_pb2 import EVENT_KIND_WORKFLOW_STEP
from camillo.v1.admin_service_pb2 import DeleteAgentRequest
from camillo.v1.artifact_service_pb2 import DeleteArtifactRequest
from camillo.v1.context_pb2 import HandoffPacket
from camillo.v1.decision_pb2 import NewDecision
from camillo.v1.decision_service_pb2 import SupersedeDecisionRequest
from camillo.v1.event_pb2 import WorkflowStep
from camillo.v1.event_service_pb2 import EventIds, ForgetEventsRequest
from camillo.v1.forgetting_pb2 import RecordIds
from camillo.v1.knowledge_service_pb2 import ArchiveDocumentRequest, DeleteDocumentRequest
from camillo.v1.lifecycle_pb2 import COMPACTION_STATE_COMMITTED, Compaction
from camillo.v1.lifecycle_service_pb2 import (
    CompactionCriteria,
    CompactRequest,
    ForgetRequest,
    ResetRequest,
    RevertCompactionRequest,
)
from camillo.v1.memory_pb2 import SENSITIVITY_CONFIDENTIAL
from camillo.v1.run_pb2 import RunStep, Trigger
from camillo.v1.run_service_pb2 import AppendRunRequest, StartRunRequest
from camillo.v1.snapshot_service_pb2 import HandOffRequest
from camillo_server.across.admin.store.invariants import EXAMPLES, INVARIANTS, violations
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.scope import Role
from camillo_server.lib.text.value_fingerprints import value_fingerprint

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.artifacts.calls import change, put_text
from tests.rpc.forgetting.test_forget import forget
from tests.rpc.knowledge.calls import publish
from tests.rpc.knowledge.skill_calls import put, skill_text
from tests.rpc.links.calls import add as add_links
from tests.rpc.links.calls import decision, document, memory, new_link, slot
from tests.rpc.links.calls import event as event_end
from tests.rpc.memories.calls import remember
from tests.rpc.memories.test_update import update
from tests.rpc.records import decide, open_task, record
from tests.rpc.slots.calls import set_memory
from tests.server_fixtures import Caller, Server, StartServer

pytestmark = pytest.mark.own_server

KEPT = "Ida schenkt um halb vier grünen Tee 🍵 ein, 每天."
OTHER = "השוק נפתח בשבע בבוקר"
COMPACTION = (
    "insert into camillo.compactions (tenant_id, agent_id, compaction_id, state, reason, refusal, sensitivity, "
    "source_ids,"
    " source_versions, memory_id, summary_model_id, created_at, key_id, details)"
    " select m.tenant_id, m.agent_id, gen_random_uuid(), {state}, 1, 0, 2, {sources}, {memory}, '', m.created_at, '', "
    "'{{}}'"
    " from camillo.memories m, camillo.memories o, generate_series(1, {times})"
    " where m.content = %(kept)s and o.content = %(other)s"
)
GONE = "array[%(gone)s::uuid], array[1::bigint]"
OF_ALICE = "from camillo.scopes where agent_id = 'alice'"
UNKNOWN = "'unknown'::bytea"
RUN = (
    "insert into camillo.runs (tenant_id, agent_id, run_id, session_id, sensitivity, max_tokens, idle_seconds, rounds,"
    " instructions, bytes, started_at, active_at, ends_at, key_id, details) select tenant_id, agent_id, "
    "gen_random_uuid(),"
    f" '', 2, 1000, 60, 1, 0, 0, created_at, created_at, created_at, '', '{{}}' {OF_ALICE}"
)
ENTRY = (
    "insert into camillo.run_entries (tenant_id, agent_id, run_id, kind, place, appended_at, key_id, details)"
    f" select tenant_id, agent_id, gen_random_uuid(), 1, 1, created_at, '', '{{}}' {OF_ALICE}"
)
RECEIPT = (
    "insert into camillo.receipts (tenant_id, agent_id, receipt_id, cause, at, stores, blocked_values)"
    f" select tenant_id, agent_id, %(receipt)s, 1, created_at, '{{}}', 0 {OF_ALICE}"
)
BLOCK = (
    "insert into camillo.value_blocks (tenant_id, agent_id, mark, receipt_id, blocked_at)"
    f" select tenant_id, agent_id, {{mark}}, %(receipt)s, %(long_ago)s {OF_ALICE}"
)
# Statements that break one of them each, and no other unless it is listed below.
TAMPERING = {
    "ends_of_links": "insert into camillo.links select tenant_id, agent_id, gen_random_uuid(), gen_random_uuid(), 1, "
    "1, 2,"
    f" created_at, '' {OF_ALICE}",
    "scope_counts": "update camillo.scopes set memory_count = memory_count + 1 where agent_id = 'alice'",
    "revisions": "update camillo.tasks set revision = revision + 1000000",
    "request_revisions": "update camillo.requests set revision = revision + 1000000",
    "request_texts": 'update camillo.requests set facts = facts || \'{"text": "told"}\'',
    "tombstones": "insert into camillo.memory_tombstones select tenant_id, agent_id, revision, memory_id, created_at, "
    "false"
    " from camillo.memories where content = %(kept)s",
    "memory_parts": "update camillo.memory_history set memory_id = gen_random_uuid() where version = 1",
    "versions": "update camillo.memory_history set version = 9 where version = 1",
    "vectors": "update camillo.memories set vector_model_id = 'another' where content = %(kept)s",
    "memory_sources": "delete from camillo.memory_sources",
    "corrected_sources": "update camillo.memory_history set content = 'before', replaced_at = 'infinity'",
    "chunk_origins": "update camillo.memories set source_refs = '{elsewhere}' where kind = 17",
    "merged_memories": COMPACTION.format(state=2, sources=GONE, memory="gen_random_uuid()", times=1),
    "compacted_sources": COMPACTION.format(
        state=2, sources="array[o.memory_id], array[o.version]", memory="m.memory_id", times=1
    ),
    "sources_once": COMPACTION.format(state=2, sources=GONE, memory="m.memory_id", times=2),
    "reverted_compactions": COMPACTION.format(state=3, sources=GONE, memory="m.memory_id", times=1),
    "decision_chains": "update camillo.decisions set superseded_by = decision_id where status = 2",
    "slot_versions": "delete from camillo.slot_versions where version = 1",
    "skill_versions": "delete from camillo.skill_versions where version = 2",
    "document_versions": "delete from camillo.document_versions where version = 1",
    "run_counters": RUN,
    "run_entries": ENTRY,
    "receipt_blocks": f"with r as ({RECEIPT}) {BLOCK.format(mark=UNKNOWN)}",
    "event_places": "insert into camillo.event_tombstones select tenant_id, agent_id, gen_random_uuid(), revision, "
    "place,"
    " gen_random_uuid() from camillo.events",
    "event_refs": "delete from camillo.event_refs",
    "workflow_steps": "update camillo.workflow_steps set place = place + 1",
    "equal_fingerprints": "update camillo.memories set fingerprint = 'the same' where agent_id = 'alice' and kind < 16",
    "audit_chains": "update camillo.audit_entries set credential = 'another' where agent_id = 'alice' and position > 3",
    "fingerprints": "update camillo.memories set fingerprint = 'another' where content = %(kept)s",
    "blocked_values": BLOCK.format(mark="%(mark)s::bytea"),
}

# Two of them tell of the same.
AS_WELL = {"equal_fingerprints": {"fingerprints"}}

# Findings in the tenant's shared scope.
SHARED = {"document_versions": "(shared)"}


async def use(caller: Caller) -> None:
    """Writes rows of every kind: stored, repeated, changed, superseded, forgotten."""
    event = await record(caller, "Der Markt öffnet um sieben.")
    step = WorkflowStep(workflow="market", step="open", output="ouvert")
    await record(caller, kind=EVENT_KIND_WORKFLOW_STEP, workflow_step=step)
    await record(caller, "Und am Sonntag um acht.", refs=[event.event_id.upper()])
    await remember(caller, KEPT, source_refs=[event.event_id.upper()], tags=["tea"])
    kept = await remember(caller, f"  {KEPT} ", source_refs=["another"])
    await remember(caller, OTHER)
    for text in ("sealed", "sealed\n"):
        await remember(caller, text, sensitivity=SENSITIVITY_CONFIDENTIAL, source_refs=[event.event_id])
    await caller(update(kept.memory_id, kept.version, importance=0.9))
    await remember(caller, "So there is tea.", source_refs=[kept.memory_id])
    corrected = await remember(caller, "Der Markt öffnet um acht.")
    await remember(caller, "Um halb acht ist er zu.", source_refs=[corrected.memory_id])
    await caller(update(corrected.memory_id, corrected.version, content="Er öffnet um sieben."))
    gone = await remember(caller, "gone", source_refs=["log_1"])
    await caller(forget(gone.memory_id))
    lost = await record(caller, "nobody knows")
    await caller(ForgetEventsRequest(event_ids=EventIds(ids=[lost.event_id])))
    for content in ('"tea"', '"coffee"'):
        await set_memory(caller, "/user/drink", content)
    await set_memory(caller, "/user/drink/gone", "1")
    await set_memory(caller, "/user/drink/gone", "null")
    for body in ("first", "second"):
        await put(caller, skill_text(body=body))
    first = await decide(caller, "Tee statt Kaffee", event.event_id)
    await caller(
        SupersedeDecisionRequest(
            request_id="superseded",
            decision_id=first.decision_id,
            expected_version=1,
            decision=NewDecision(decision="Wasser", refs=[event.event_id]),
        )
    )
    task = memory((await remember(caller, "Tee ist alle")).memory_id)
    ends = [event_end(event.event_id), slot("/user/drink"), decision(first.decision_id)]
    await add_links(caller, *(new_link(task, end) for end in ends))
    await open_task(caller, "Tee kaufen")
    for text in ("first", "second"):
        artifact = await put_text(caller, f"{text} log\n", name="tea.log")
        await caller(change(artifact.artifact_id, 1, description=text))
    await caller(DeleteArtifactRequest(artifact_id=artifact.artifact_id))


@pytest.fixture
async def used(server: Server) -> TestDatabase:
    """A tenant with something of everything and one with a memory, and no server runs."""
    await use(server.alice)
    await put_together(server.alice)
    await publish_some(server.admin)
    await link_with_documents(server.admin, server.alice)
    await remember(server.rival, "theirs")
    await server.app.stop()
    return server.database


def broken(database: TestDatabase) -> set[str]:
    """The invariants that do not hold, as the server's role sees it."""
    with psycopg.connect(database.server_url, autocommit=True) as connection:
        return {each.invariant for each in violations(connection)}


def test_every_invariant_has_what_breaks_it() -> None:
    assert set(TAMPERING) == set(INVARIANTS)


def test_all_hold_after_use(used: TestDatabase) -> None:
    assert broken(used) == set()


async def test_all_hold_after_agents_have_gone_and_come_again(server: Server) -> None:
    for agent_id in ("bob", "carol"):
        key = server.new_key(agent_id, Role.WRITER)
        await use(server.caller(key))
        await put_together(server.caller(key))
    await server.admin(DeleteAgentRequest(agent_id="bob", confirm_agent_id="bob"))
    await server.admin(ResetRequest(agent_id="carol", confirm="carol"))
    for agent_id in ("bob", "carol"):
        await remember(server.admin, KEPT, agent_id=agent_id)
    await server.app.stop()
    assert broken(server.database) == set()


async def publish_some(caller: Caller) -> None:
    """Documents in several versions, in the clear and encrypted, archived, deleted and forgotten."""
    text = "# Tee\n\n" + "\n\n".join(f"## {each}\n\n{'茶 ☕ ' * 200}" for each in range(3))
    stored = [await publish(caller, f"{each}.md", f"{text}\nNummer {each}") for each in range(4)]
    ids = [each.document.document_id for each in stored]
    changed = text.replace("## 1", "## eins").replace("# Tee", "")
    await publish(caller, "0.md", changed)
    await publish(caller, "0.md", text, sensitivity=SENSITIVITY_CONFIDENTIAL)
    await publish(caller, "0.md", changed, sensitivity=SENSITIVITY_CONFIDENTIAL)
    await caller(ArchiveDocumentRequest(document_id=ids[1]))
    await publish(caller, "1.md", changed)
    await caller(DeleteDocumentRequest(document_id=ids[2]))
    records = RecordIds(document_ids=[ids[3]])
    await caller(ForgetRequest(agent_id="@shared", records=records))


async def link_with_documents(owner: Caller, caller: Caller) -> None:
    """Links of an agent with a document that stays, and with one that goes."""
    noted = memory((await remember(caller, "Tee steht im Handbuch")).memory_id)
    stored = [(await publish(owner, f"link {each}.md", "Tee\n")).document for each in range(2)]
    ends = [document(each.document_id) for each in stored]
    await add_links(caller, new_link(noted, ends[0]), new_link(ends[1], noted))
    await owner(DeleteDocumentRequest(document_id=ends[1].id))


async def put_together(caller: Caller) -> None:
    """One compaction in force, one undone, one whose source was forgotten; and a run."""
    done: list[Compaction] = []
    for tag in ("kept", "undone", "forgotten"):
        for place in ("Kai 7", "the pilot's house", "潮汐站"):
            await remember(caller, f"{place} is {tag}.", tags=[tag])
        criteria = CompactionCriteria(tags=[tag], tag_threshold=2, skip_near_duplicates=True)
        answer = await caller(CompactRequest(criteria=criteria, request_id=tag))
        assert [each.state for each in answer.compactions] == [COMPACTION_STATE_COMMITTED]
        done += answer.compactions
    await caller(RevertCompactionRequest(compaction_id=done[1].compaction_id, request_id="back"))
    await caller(forget(done[2].source_ids[0]))
    run = (await caller(StartRunRequest(trigger=Trigger(type="message"), request_id="run"))).run
    step = RunStep(llm_response="Ich sehe nach. 🔎")
    await caller(AppendRunRequest(run_id=run.run_id, steps=[step], request_id="round"))


async def test_all_hold_where_work_was_handed_over_and_memories_have_no_word(start_server: StartServer) -> None:
    server = await start_server(memory={"embedding_model": "lexical", "embedding_dimensions": 960})
    for text in ("...", "🍵", KEPT):
        await remember(server.alice, text)
    # Whoever gets the packet is ahead of whoever hands it over.
    for number in range(9):
        await remember(server.admin, f"{number} cups of tea", agent_id="bob")
    packet = HandoffPacket(goal="Tee kaufen")
    handed = HandOffRequest(request_id="handed", to_agent_id="bob", packet=packet)
    for _ in range(2):
        await server.alice(handed)
    await until_embedded(server.database)
    await server.app.stop()
    assert broken(server.database) == set()


async def until_embedded(database: TestDatabase) -> None:
    """Returns when every memory has been given to the embedder, whether that made a vector or not."""
    pending = "select count(*) from camillo.memories where vector_model_id = ''"
    with psycopg.connect(database.superuser_url, autocommit=True) as observer:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while observer.execute(pending).fetchone() != (0,):  # noqa: ASYNC110
                await asyncio.sleep(0.01)


def test_each_names_the_rows_that_break_it(
    used: TestDatabase, clone: Callable[[str], TestDatabase], drop: Callable[[str], None]
) -> None:
    assert broken(used) == set()
    for invariant, statement in TAMPERING.items():
        copy = clone(used.name)
        tamper(copy, statement)
        assert broken(copy) == {invariant, *AS_WELL.get(invariant, ())}
        with psycopg.connect(copy.owner_url, autocommit=True) as connection:
            found = {each.invariant: each for each in violations(connection)}[invariant]
        drop(copy.name)
        assert found.tenant_id == "acme"
        assert len(found.examples) == min(found.rows, EXAMPLES), invariant
        agent_id = SHARED.get(invariant, "alice")
        assert all(example.startswith(f"{agent_id}: ") for example in found.examples)


def tamper(database: TestDatabase, statement: str) -> None:
    """Runs a statement as only a superuser can: without triggers, foreign keys and row-level security."""
    parameters = {
        "kept": KEPT,
        "other": OTHER,
        "gone": UUID(int=1),
        "receipt": UUID(int=2),
        "mark": value_fingerprint(TenantId("acme"), KEPT),
        "long_ago": datetime(2000, 1, 1, tzinfo=UTC),
    }
    with psycopg.connect(database.superuser_url) as superuser:
        superuser.execute("set session_replication_role = replica")
        superuser.execute("drop index camillo.memories_fingerprint_key")
        superuser.execute(statement, parameters)
