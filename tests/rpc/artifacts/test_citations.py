"""Citations: which memories cite which artifacts, in both directions, however a memory comes, changes and goes."""

import random
from datetime import timedelta
from typing import Any

import grpc
from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service
from camillo.v1 import memory_pb2 as memory
from camillo.v1 import memory_service_pb2 as memories

from tests.rpc.artifacts import calls as artifacts
from tests.rpc.artifacts.calls import put_text
from tests.rpc.memories.calls import get, remember
from tests.rpc.memories.test_update import update
from tests.server_fixtures import Caller, Server, refused


async def citing(caller: Caller, artifact_id: str, **fields: object) -> list[str]:
    """The ids of the memories that cite it, page after page."""
    request = service.ListCitationsRequest(artifact_id=artifact_id, **fields)  # type: ignore[arg-type]
    found: list[str] = []
    while True:
        page = await caller(request)
        assert all(each.source == memory.SOURCE_MEMORY for each in page.citations)
        found += [each.cited_by_id for each in page.citations]
        if not page.next_page_token:
            return found
        assert len(page.citations) == (request.page_size or 50)
        request.page_token = page.next_page_token


async def cited(caller: Caller, memory_id: str, **fields: object) -> set[str]:
    """The ids of the artifacts that it cites."""
    wanted = pb.ArtifactFilter(cited_by_memory_id=memory_id)
    return {each.artifact_id for each in await artifacts.listed(caller, wanted, **fields)}


def as_ref(artifact: pb.Artifact, description: str) -> str:
    return f"[MemoryRef: {artifact.artifact_id} - {description}]"


async def test_a_memory_cites_by_its_text_and_by_its_source_refs(server: Server) -> None:
    one = await put_text(server.alice, "one", description="журнал 構建 🔧 سجل")
    two = await put_text(server.alice, "two")
    other = await put_text(server.alice, "never cited")
    new = [
        memory.NewMemory(content=f"see {one.memory_ref}, é"),
        memory.NewMemory(content=f"[MemoryRef: {one.artifact_id}] ({as_ref(two, 'یک توصیف')})"),
        memory.NewMemory(content="x", source_refs=["event-1", two.artifact_id]),
        memory.NewMemory(content=as_ref(one, "d"), source_refs=[one.artifact_id]),
        memory.NewMemory(content=f"only the bare id {one.artifact_id}"),
        memory.NewMemory(content=f"[MemoryRef:{one.artifact_id} - d] [memoryref: x - y]"),
        memory.NewMemory(content="y", source_refs=[f"{one.artifact_id}x", other.artifact_id[:-1]]),
    ]
    both = {one.artifact_id, two.artifact_id}
    wanted = [{one.artifact_id}, both, {two.artifact_id}, {one.artifact_id}, set(), set(), set()]
    batch = await server.alice(memories.BatchRememberRequest(memories=new))
    ids = [each.memory.memory_id for each in batch.results]
    assert [await cited(server.alice, memory_id) for memory_id in ids] == wanted
    for artifact_id in (one.artifact_id, two.artifact_id, other.artifact_id):
        expected = [memory_id for memory_id, cites in zip(ids, wanted, strict=True) if artifact_id in cites]
        assert await citing(server.alice, artifact_id) == sorted(expected)


async def test_every_way_in_which_a_memory_comes_changes_and_goes_is_followed(server: Server) -> None:
    artifact = await put_text(server.alice, "cited")
    artifact_id, caller = artifact.artifact_id, server.alice
    remembered = (await remember(caller, artifact.memory_ref)).memory_id
    assert await citing(caller, artifact_id) == [remembered]

    exported = memory.Memory(content="x", source_refs=[artifact_id], archived=True, version=3)
    await caller.send([memories.ImportMemoriesRequest(memories=[exported])])
    [imported] = set(await citing(caller, artifact_id)) - {remembered}

    plain = (await remember(caller, "plain")).memory_id
    assert await cited(caller, plain) == set()
    await caller(update(plain, 1, source_refs=[artifact_id]))
    assert await cited(caller, plain) == {artifact_id}
    await caller(update(plain, 2, content=f"now {artifact.memory_ref}"))
    await caller(update(plain, 3, source_refs=["other"]))
    assert await cited(caller, plain) == {artifact_id}
    await caller(update(plain, 4, tags=["t"]))
    assert await citing(caller, artifact_id) == sorted([remembered, imported, plain])
    await caller(update(plain, 5, content="no more"))
    assert await cited(caller, plain) == set()
    assert await citing(caller, artifact_id) == sorted([remembered, imported])

    ids = memories.MemoryIds(ids=[imported])
    await caller(memories.RestoreMemoriesRequest(memory_ids=ids))
    assert not (await get(caller, imported)).archived
    assert await citing(caller, artifact_id) == sorted([remembered, imported])
    ids = memories.MemoryIds(ids=[remembered])
    await caller(memories.ForgetMemoriesRequest(memory_ids=ids, dry_run=True))
    assert await cited(caller, remembered) == {artifact_id}
    await caller(memories.ForgetMemoriesRequest(memory_ids=ids))
    assert await cited(caller, remembered) == set()
    assert await citing(caller, artifact_id) == [imported]


async def test_citations_come_in_the_order_of_their_ids_in_pages_of_every_size(server: Server) -> None:
    artifact_id = (await put_text(server.alice, "cited")).artifact_id
    ids = [f"{digit}1890a5d-ac96-774b-bcce-b302099a8057" for digit in "3a07f5c"]
    random.Random(1).shuffle(ids)  # noqa: S311
    for memory_id in ids:
        server.clock.move(1)
        await remember(server.alice, memory_id, memory_id=memory_id, source_refs=[artifact_id])
    for page_size in (1, 2, 6, 7, 8, 1000):
        assert await citing(server.alice, artifact_id, page_size=page_size) == sorted(ids)


async def test_a_page_token_is_for_one_artifact_and_one_scope(server: Server) -> None:
    shared = await put_text(server.alice, "cited", is_shared=True)
    other = await put_text(server.alice, "too", is_shared=True)
    for agent_id in ("alice", "bob"):
        for number in range(2):
            refs = [shared.artifact_id, other.artifact_id]
            await remember(server.admin, f"x {number}", agent_id=agent_id, source_refs=refs)
    request = service.ListCitationsRequest(artifact_id=shared.artifact_id, page_size=1)
    request.page_token = (await server.alice(request)).next_page_token
    assert len((await server.alice(request)).citations) == 1
    for caller, fields in (
        (server.alice, {"artifact_id": other.artifact_id}),
        (server.admin, {"agent_id": "bob"}),
        (server.alice, {"page_token": "AAAA"}),
    ):
        said: dict[str, Any] = {"artifact_id": shared.artifact_id, "page_token": request.page_token, **fields}
        told = await refused(caller(service.ListCitationsRequest(**said)))
        assert (told.code, told.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_PAGE_TOKEN")


async def test_nobody_is_told_of_another_agents_or_tenants_memories(server: Server) -> None:
    shared = await put_text(server.alice, "for all", is_shared=True)
    own = await put_text(server.alice, "alice's")
    refs = [shared.artifact_id, own.artifact_id]
    alices = (await remember(server.alice, "x", source_refs=refs)).memory_id
    bobs = (await remember(server.admin, "x", agent_id="bob", source_refs=refs)).memory_id
    rivals = await remember(server.rival, "x", agent_id="alice", source_refs=refs)
    assert await citing(server.alice, shared.artifact_id) == [alices]
    assert await citing(server.alice, own.artifact_id) == [alices]
    assert await citing(server.admin, shared.artifact_id, agent_id="bob") == [bobs]
    told = await refused(citing(server.admin, own.artifact_id, agent_id="bob"))
    assert told.reason == "ARTIFACT_NOT_FOUND"
    for memory_id in (bobs, rivals.memory_id):
        assert await cited(server.alice, memory_id, include_shared=True) == set()
    assert await cited(server.admin, bobs, agent_id="bob") == set()
    assert await cited(server.admin, bobs, agent_id="bob", include_shared=True) == {shared.artifact_id}
    assert await cited(server.alice, alices) == {own.artifact_id}
    assert await cited(server.alice, alices, include_shared=True) == set(refs)
    told = await refused(citing(server.rival, shared.artifact_id, agent_id="alice"))
    assert told.reason == "ARTIFACT_NOT_FOUND"


async def test_what_is_deleted_or_expired_has_no_citations(server: Server) -> None:
    gone = await put_text(server.alice, "one")
    expires_at = server.clock.now() + timedelta(seconds=5)
    expires = await put_text(server.alice, "two", expires_at=expires_at)
    refs = [gone.artifact_id, expires.artifact_id]
    memory_id = (await remember(server.alice, "x", source_refs=refs)).memory_id
    for artifact_id in refs:
        assert await citing(server.alice, artifact_id) == [memory_id]
    await server.alice(service.DeleteArtifactRequest(artifact_id=gone.artifact_id))
    server.clock.move(5)
    for artifact_id in refs:
        told = await refused(citing(server.alice, artifact_id))
        assert (told.code, told.reason) == (grpc.StatusCode.NOT_FOUND, "ARTIFACT_NOT_FOUND")
    assert await cited(server.alice, memory_id) == set()
    # The memory itself is left as it is.
    assert list((await get(server.alice, memory_id)).source_refs) == refs


async def test_a_memory_may_cite_what_is_not_there(server: Server) -> None:
    stored = await remember(server.alice, "[MemoryRef: never_was_7f3k9q2mxd - d]", source_refs=["never_was_2"])
    assert await cited(server.alice, stored.memory_id) == set()
    told = await refused(citing(server.alice, "never_was_7f3k9q2mxd"))
    assert told.reason == "ARTIFACT_NOT_FOUND"
