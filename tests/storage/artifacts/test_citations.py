"""Citations of artifacts by memories: the database keeps them through every way in which memories are written."""

import psycopg
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.features.artifacts.artifact import ArtifactFilter, ArtifactId, ArtifactQuery
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.ids import AgentId, MemoryId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.lib.text.memory_ref import find_all, render
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.postgres_fixtures import TestDatabase
from tests.rpc.forgetting.test_forget import forget
from tests.rpc.memories.calls import remember
from tests.rpc.memories.test_update import update
from tests.server_fixtures import Server
from tests.storage.artifacts.artifact_store import ALICE, ALL_LEVELS, BOB, NOW, TEXT, artifact_store

pytestmark = pytest.mark.own_server

REF = render("npm_log_1", "what npm printed: 1 错误 🦓")


def cited(database: TestDatabase, tenant_id: str = "acme") -> set[tuple[str, str, str]]:
    """Agent, artifact and memory."""
    with psycopg.connect(database.superuser_url) as connection:
        rows = connection.execute(
            "select agent_id, artifact_id, memory_id::text from camillo.memory_citations where tenant_id = %s",
            (tenant_id,),
        )
        return {(row[0], row[1], row[2]) for row in rows}


def cited_ids(database: TestDatabase, tenant_id: str = "acme") -> set[str]:
    return {artifact_id for _, artifact_id, _ in cited(database, tenant_id)}


async def test_refs_in_the_text_and_ids_among_the_sources_are_citations(server: Server) -> None:
    await remember(server.alice, "cites nothing", source_refs=["Not-An-Id", "ab", "event:7"])
    assert cited(server.database) == set()
    content = f"{REF} and [MemoryRef: other_2], not [MemoryRef: Bad] or MemoryRef: none_3"
    memory = await remember(server.alice, content, source_refs=["npm_log_1", "third_4"])
    expected = {("alice", each, memory.memory_id) for each in ("npm_log_1", "other_2", "third_4")}
    assert cited(server.database) == expected
    assert cited(server.database, "rival") == set()


async def test_an_update_takes_citations_away_and_brings_others(server: Server) -> None:
    memory = await remember(server.alice, f"see {REF}", source_refs=["third_4"])
    kept = memory.memory_id
    await server.alice(update(kept, 1, content="sees nothing"))
    assert cited_ids(server.database) == {"third_4"}
    await server.alice(update(kept, 2, source_refs=[]))
    assert cited_ids(server.database) == set()
    await server.alice(update(kept, 3, content="[MemoryRef: new_5]"))
    assert cited_ids(server.database) == {"new_5"}
    await server.alice(update(kept, 4, tags=["t"]))
    assert cited_ids(server.database) == {"new_5"}


async def test_batches_cite_and_what_is_forgotten_does_not(server: Server) -> None:
    batch = [pb.NewMemory(content=f"[MemoryRef: in_batch_{n}]") for n in range(2)]
    stored = await server.alice(service.BatchRememberRequest(memories=batch))
    assert cited_ids(server.database) == {"in_batch_0", "in_batch_1"}
    await server.alice(forget(stored.results[0].memory.memory_id))
    assert cited_ids(server.database) == {"in_batch_1"}


async def test_what_cites_is_read_by_scope_in_pages_and_filters_lists(server: Server) -> None:
    async with artifact_store(server.database, None) as store:
        artifact, other = await store.put(TEXT), await store.put(TEXT)
        ids = [(await remember(server.alice, f"{n} [MemoryRef: {artifact.artifact_id}]")).memory_id for n in range(3)]
        theirs = await remember(server.admin, "too", agent_id="bob", source_refs=[artifact.artifact_id])
        citations = store.artifacts.citations
        first = await citations(ALICE, artifact.artifact_id, None, 2)
        rest = await citations(ALICE, artifact.artifact_id, first[-1].memory_id, 2)
        assert [str(each.memory_id) for each in [*first, *rest]] == sorted(ids)
        assert {each.agent_id for each in first} == {"alice"}
        [bobs] = await citations(BOB, artifact.artifact_id, None, 9)
        assert str(bobs.memory_id) == theirs.memory_id
        assert await citations(ALICE, other.artifact_id, None, 9) == []
        wanted = ArtifactFilter(cited_by=first[0].memory_id)
        for scope, expected in ((ALICE, [artifact.artifact_id]), (BOB, [])):
            query = ArtifactQuery(scope, wanted, Channel.PRIVATE, include_shared=True)
            page = await store.artifacts.page(query, ALL_LEVELS, None, 9, now=NOW)
            assert [each.artifact_id for each in page] == expected
        nobody = Scope(TenantId("rival"), AgentId("alice"))
        assert await citations(nobody, artifact.artifact_id, MemoryId(first[0].memory_id), 9) == []
        assert await citations(ALICE, ArtifactId("not_there"), None, 9) == []


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.lists(
        st.one_of(
            st.sampled_from(["[MemoryRef: ", "[", "]", " - ", "log_1", "a_long_id_2", "ab", "\n", " "]),
            st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=6),
        ),
        max_size=14,
    )
)
def test_the_database_finds_the_refs_that_the_domain_finds(database: TestDatabase, pieces: list[str]) -> None:
    text = "".join(pieces) + REF
    with psycopg.connect(database.superuser_url) as connection:
        rows = connection.execute("select camillo.artifacts_cited(%s, '{}')", (text,)).fetchall()
    assert {row[0] for row in rows} == {ref.artifact_id for ref in find_all(text)}
