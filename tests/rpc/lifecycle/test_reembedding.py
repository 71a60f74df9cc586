"""A change of the model while servers answer: the old one serves until every row has a vector of the new one, then the
new one does, and back again."""

import asyncio
from collections.abc import Sequence

import grpc
import psycopg
import pytest
from camillo.v1 import lifecycle_pb2 as lifecycle
from camillo.v1 import lifecycle_service_pb2 as service
from camillo.v1 import memory_pb2 as pb
from camillo.v1.consistency_pb2 import Freshness
from camillo.v1.memory_service_pb2 import RecallResponse
from camillo_server.cli.doctor import Status
from camillo_server.cli.doctor.tenants import check_vectors

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.forgetting.test_forget import forget
from tests.rpc.memories.calls import get, recall, remember
from tests.rpc.memories.test_update import update
from tests.rpc.records import record
from tests.rpc.slots.calls import set_memory
from tests.server_fixtures import Caller, Server, StartServer, refused
from tests.storage.lifecycle.job_rows import connected, job_rows

TEXTS = ("a patient zebra", "耐心的斑马", "חמור פסים", "🦓🦓 zebras", "ze\u0301bre", "صبور")
OLD, NEW = "lexical", "random"
OLD_ID, NEW_ID = "lexical-1-960", "random-64"
FRESH = Freshness(fully_consistent=True)


@pytest.fixture(params=["memory", "postgres"])
def answered_from(request: pytest.FixtureRequest) -> str:
    answers: str = request.param
    return answers


async def serving(
    start_server: StartServer, model: str, following: str | None = None, *, runs_jobs: bool = True
) -> Server:
    memory = {"embedding_model": model, "embedding_dimensions": None, "next_embedding_model": following}
    return await start_server(memory=memory, jobs={"enabled": runs_jobs})


@pytest.fixture
async def old(start_server: StartServer) -> Server:
    """Answers by the old model and knows the next one."""
    return await serving(start_server, OLD, NEW)


async def start(caller: Caller, **fields: object) -> list[lifecycle.Reembedding]:
    answer = await caller(service.StartReembeddingRequest(**fields))  # type: ignore[arg-type]
    return list(answer.reembeddings)


async def progress(caller: Caller, **fields: object) -> list[lifecycle.Reembedding]:
    answer = await caller(service.GetReembeddingRequest(**fields))  # type: ignore[arg-type]
    return list(answer.reembeddings)


async def until_complete(caller: Caller, agent_id: str = "alice") -> lifecycle.Reembedding:
    told: lifecycle.Reembedding | None = None
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while told is None or not told.is_complete:
                (told,) = await progress(caller, agent_id=agent_id)
    except TimeoutError:
        raise AssertionError(f"it never came to it: {told}") from None
    return told


async def until_no_jobs(database: TestDatabase) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await asyncio.to_thread(job_rows, database, "reembed_scope"):
            pass


def similar(answer: RecallResponse) -> dict[str, float]:
    """Similarity of each hit that was compared by its vector."""
    return {hit.memory.content: hit.breakdown.dense.raw for hit in answer.hits if hit.breakdown.HasField("dense")}


async def check_answers(server: Server, model_id: str, contents: Sequence[str]) -> None:
    """Checks that a vector of this model finds every text, and that nothing waits for one."""
    for content in contents:
        answer = await recall(server.alice, content, freshness=FRESH)
        assert answer.model_id == model_id
        assert pb.DEGRADED_REASON_VECTORS_PENDING not in answer.degraded
        found = similar(answer)
        assert set(found) >= set(contents)
        assert found[content] == pytest.approx(1.0, abs=0.01)


async def forget_vectors(server: Server, model_id: str) -> None:
    with psycopg.connect(server.database.superuser_url) as superuser:
        superuser.execute("delete from camillo.memory_vectors where model_id = %s", (model_id,))


def vectors_of(database: TestDatabase, memory_id: str) -> set[str]:
    """The models of which a row has a vector."""
    with psycopg.connect(database.superuser_url) as superuser:
        rows = superuser.execute(
            "select model_id from camillo.memory_vectors where memory_id = %s", (memory_id,)
        ).fetchall()
    return {model_id for (model_id,) in rows}


async def test_one_model_follows_another_while_both_answer_and_back_again(
    old: Server, start_server: StartServer
) -> None:
    for text in TEXTS:
        await remember(old.alice, text)
    new = await serving(start_server, NEW, runs_jobs=False)
    # Before it is made, the new model finds by words alone.
    assert similar(await recall(new.alice, TEXTS[0], freshness=FRESH)) == {}
    await check_answers(old, OLD_ID, TEXTS)

    (told,) = await start(old.admin, agent_id="alice")
    assert (told.model_id, told.serving_model_id, told.rows) == (NEW_ID, OLD_ID, len(TEXTS))
    assert told.HasField("started_at")
    done = await until_complete(old.admin)
    assert (done.embedded, done.rows) == (len(TEXTS), len(TEXTS))
    await new.app.stop()

    switched = await serving(start_server, NEW)
    await check_answers(switched, NEW_ID, TEXTS)
    await check_answers(old, OLD_ID, TEXTS)
    back = await serving(start_server, OLD)
    await check_answers(back, OLD_ID, TEXTS)


async def test_what_is_stored_meanwhile_gets_its_vector_too(old: Server, start_server: StartServer) -> None:
    await remember(old.alice, TEXTS[0])
    await start(old.admin, agent_id="alice")
    await until_complete(old.admin)
    await until_no_jobs(old.database)
    # Whoever runs jobs looks for missing vectors at its start and from time to time: here nobody does.
    await old.app.stop()
    writer = await serving(start_server, OLD, NEW, runs_jobs=False)
    new = await serving(start_server, NEW, runs_jobs=False)
    await check_answers(new, NEW_ID, TEXTS[:1])
    for text in TEXTS[1:]:
        await remember(writer.alice, text)
    (found,) = await progress(writer.admin, agent_id="alice")
    assert (found.embedded, found.rows) == (1, len(TEXTS))
    await serving(start_server, OLD, NEW)
    await until_complete(writer.admin)
    # The one that answers by the new model already has heard of them.
    await check_answers(new, NEW_ID, TEXTS)


async def test_sensitive_memories_chunks_and_hidden_ones_are_made_ready_too(
    old: Server, start_server: StartServer
) -> None:
    sealed = await remember(old.alice, "a secret zebra", sensitivity=pb.SENSITIVITY_CONFIDENTIAL)
    hidden = await remember(old.alice, "a zebra in the attic")
    await old.alice(update(hidden.memory_id, 1, archived=True))
    await record(old.alice, "The zebra asked when the train leaves. " * 10)
    await start(old.admin, agent_id="alice")
    done = await until_complete(old.admin)
    assert done.rows > 2
    with psycopg.connect(old.database.superuser_url) as superuser:
        rows = superuser.execute(
            "select sensitivity > 2, embedding is null, v.sealed is null from camillo.memory_vectors v"
            " join camillo.memories using (tenant_id, agent_id, memory_id) where model_id = %s",
            (NEW_ID,),
        ).fetchall()
    assert len(rows) == done.rows
    assert {row for row in rows if row[0]} == {(True, True, False)}
    assert {row for row in rows if not row[0]} == {(False, False, True)}
    assert {OLD_ID, NEW_ID} == vectors_of(old.database, sealed.memory_id)


async def test_a_text_without_any_feature_does_not_keep_it_from_being_complete(start_server: StartServer) -> None:
    server = await serving(start_server, NEW, OLD)
    memory = await remember(server.alice, "…")
    await start(server.admin, agent_id="alice")
    assert (await until_complete(server.admin)).embedded == 1
    switched = await serving(start_server, OLD)
    answer = await recall(switched.alice, "…", freshness=FRESH)
    assert pb.DEGRADED_REASON_VECTORS_PENDING not in answer.degraded
    assert similar(answer) == {}
    assert (await get(switched.alice, memory.memory_id, include_vector=True)).HasField("vector")


async def test_a_new_content_leaves_no_vector_of_the_one_before(old: Server) -> None:
    memory = await remember(old.alice, "a zebra")
    await start(old.admin, agent_id="alice")
    await until_complete(old.admin)
    assert vectors_of(old.database, memory.memory_id) == {OLD_ID, NEW_ID}
    await old.alice(update(memory.memory_id, 1, content="a lion"))
    assert vectors_of(old.database, memory.memory_id) == {OLD_ID}


async def test_other_changes_keep_the_vectors_of_both_models(old: Server) -> None:
    memory = await remember(old.alice, "a zebra")
    await start(old.admin, agent_id="alice")
    await until_complete(old.admin)
    await old.alice(update(memory.memory_id, 1, tags=["stripes"]))
    assert vectors_of(old.database, memory.memory_id) == {OLD_ID, NEW_ID}


async def test_forgetting_takes_the_vectors_of_every_model(old: Server) -> None:
    memory = await remember(old.alice, "a zebra")
    await start(old.admin, agent_id="alice")
    await until_complete(old.admin)
    assert vectors_of(old.database, memory.memory_id) == {OLD_ID, NEW_ID}
    await old.alice(forget(memory.memory_id))
    assert vectors_of(old.database, memory.memory_id) == set()


async def test_every_scope_of_the_tenant_can_be_meant_also_those_that_come_later(
    old: Server, start_server: StartServer
) -> None:
    for agent_id in ("bob", "", "zoe"):
        await remember(old.admin, f"of {agent_id}", agent_id=agent_id)
    await remember(old.rival, "of the rival", agent_id="bob")
    told = await start(old.admin, all_scopes=True)
    assert [each.agent_id for each in told] == ["", "bob", "zoe"]
    for agent_id in ("", "bob", "zoe"):
        await until_complete(old.admin, agent_id)
    await remember(old.admin, "of one who came late", agent_id="late")
    await serving(start_server, OLD, NEW)
    assert (await until_complete(old.admin, "late")).embedded == 1
    with psycopg.connect(old.database.superuser_url) as superuser:
        rows = superuser.execute(
            "select distinct tenant_id from camillo.memory_vectors where model_id = %s", (NEW_ID,)
        ).fetchall()
    assert rows == [("acme",)]


async def test_starting_again_makes_what_was_lost(old: Server) -> None:
    for text in TEXTS:
        await remember(old.alice, text)
    first = (await start(old.admin, agent_id="alice"))[0]
    await until_complete(old.admin)
    await until_no_jobs(old.database)
    await forget_vectors(old, NEW_ID)
    (lost,) = await progress(old.admin, agent_id="alice")
    assert (lost.embedded, lost.is_complete) == (0, False)
    again = (await start(old.admin, agent_id="alice"))[0]
    assert again.started_at == first.started_at
    await until_complete(old.admin)


async def test_what_waited_for_the_old_model_does_not_wait_once_the_new_one_serves(
    old: Server, start_server: StartServer
) -> None:
    memory = await remember(old.alice, "a zebra")
    await old.app.stop()
    with psycopg.connect(old.database.superuser_url) as superuser:
        superuser.execute("delete from camillo.memory_vectors")
        superuser.execute("update camillo.memories set vector_model_id = '', revision = revision")
        superuser.execute(
            "insert into camillo.memory_vectors (tenant_id, agent_id, memory_id, model_id, embedding)"
            " select tenant_id, agent_id, memory_id, %s, array_fill(0.125, array[64])::vector from camillo.memories",
            (NEW_ID,),
        )
    idle = {"enabled": False}
    kinds = {"embedding_dimensions": None}
    new = await start_server(memory={**kinds, "embedding_model": NEW}, jobs=idle)
    answer = await recall(new.alice, "a zebra", freshness=FRESH)
    assert pb.DEGRADED_REASON_VECTORS_PENDING not in answer.degraded
    assert set(similar(answer)) == {"a zebra"}
    other = await start_server(memory={**kinds, "embedding_model": OLD}, jobs=idle)
    answer = await recall(other.alice, "a zebra", freshness=FRESH)
    assert pb.DEGRADED_REASON_VECTORS_PENDING in answer.degraded
    assert (await get(new.alice, memory.memory_id)).vector_model_id == ""


async def test_without_a_next_model_nothing_is_started_and_the_serving_one_is_told_of(
    start_server: StartServer,
) -> None:
    server = await serving(start_server, OLD)
    await remember(server.alice, "a zebra")
    told = await refused(server.admin(service.StartReembeddingRequest(agent_id="alice")))
    assert (told.code, told.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "NO_NEXT_MODEL")
    (found,) = await progress(server.admin, agent_id="alice")
    assert (found.model_id, found.serving_model_id, found.is_complete) == (OLD_ID, OLD_ID, True)
    assert not found.HasField("started_at")


async def test_a_job_for_a_model_that_is_not_configured_ends_and_leaves_the_wish(
    old: Server, start_server: StartServer
) -> None:
    await remember(old.alice, "a zebra")
    await old.app.stop()
    with psycopg.connect(old.database.superuser_url) as superuser:
        superuser.execute(
            "insert into camillo.reembeddings (tenant_id, agent_id, model_id, started_at, started_revision,"
            " done_revision, all_scopes) select tenant_id, agent_id, %s, now(), 0, 0, false from camillo.scopes",
            (NEW_ID,),
        )
    with connected(old.database) as connection:
        connection.execute("delete from procrastinate_jobs")
        connection.execute(
            "insert into procrastinate_jobs (queue_name, task_name, args) values ('reembed_scope', 'reembed_scope',"
            ' \'{"tenant_id": "acme", "agent_id": "alice"}\')'
        )
    incapable = await serving(start_server, OLD)
    await until_no_jobs(old.database)
    (told,) = await progress(incapable.admin, agent_id="alice")
    assert told.model_id == OLD_ID
    await incapable.app.stop()
    capable = await serving(start_server, OLD, NEW)
    assert (await until_complete(capable.admin)).embedded == 1


def doctors_finding(server: Server, model_id: str, looked_at: int = 10) -> tuple[Status, str]:
    """The answer of the doctor about vectors where this model serves."""
    with psycopg.connect(server.database.server_url, autocommit=True) as connection:
        found = check_vectors(connection, model_id, looked_at)
    return found.status, found.what


async def test_the_doctor_says_of_how_many_spaces_it_looked_at_rows(old: Server) -> None:
    # A space without rows that could have vectors, before one that has some.
    await set_memory(old.alice, "/thread", "1", unindexed=True)
    assert doctors_finding(old, NEW_ID, looked_at=1) == (Status.OK, "none are missing")
    await remember(old.admin, "シマウマ", agent_id="bob")
    status, what = doctors_finding(old, NEW_ID, looked_at=1)
    assert (status, what) == (Status.OK, "none are missing in the first 1 space of each tenant")
    status, what = doctors_finding(old, NEW_ID, looked_at=2)
    assert (status, "some rows of acme/bob have none" in what) == (Status.WARN, True)


async def test_a_model_that_is_added_embeds_what_is_there(start_server: StartServer) -> None:
    before = await serving(start_server, OLD)
    for content in TEXTS:
        await remember(before.alice, content)
    assert doctors_finding(before, OLD_ID)[0] is Status.OK
    await before.app.stop()
    without_jobs = await serving(start_server, NEW, runs_jobs=False)
    status, what = doctors_finding(without_jobs, NEW_ID)
    assert (status, "some rows of acme/alice have none" in what) == (Status.WARN, True)
    await without_jobs.app.stop()
    added = await serving(start_server, NEW)
    told = await until_complete(added.admin)
    assert (told.model_id, told.embedded) == (NEW_ID, len(TEXTS))
    await until_no_jobs(added.database)
    assert doctors_finding(added, NEW_ID)[0] is Status.OK
    await check_answers(added, NEW_ID, TEXTS)
