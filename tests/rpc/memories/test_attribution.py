"""Who said a memory, by which credential, and how far it is to be trusted: nothing that a caller states raises it."""

from typing import Any

import grpc
import pytest
from camillo.v1 import actor_pb2 as actors
from camillo.v1 import admin_pb2 as admin
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service

from tests.rpc.admin.test_credential_limits import ADA, ALICE, FORBIDDEN, TOOL, bound
from tests.rpc.compaction.compacting import compact, criteria_of, revert
from tests.rpc.forgetting.test_forget import forget
from tests.rpc.memories.calls import get, recall, remember
from tests.rpc.memories.test_import_export import exported, importing
from tests.rpc.memories.test_repeats import batch
from tests.rpc.memories.test_update import update, versions
from tests.rpc.records import record
from tests.rpc.runs.calls import answer, append, call, end, start
from tests.server_fixtures import Caller, Server, StartServer, refused

WEB, OF_TOOL, OF_AGENT, OF_USER = (
    actors.TRUST_LEVEL_WEB,
    actors.TRUST_LEVEL_TOOL,
    actors.TRUST_LEVEL_AGENT,
    actors.TRUST_LEVEL_USER,
)
BOB = actors.Actor(type=actors.ACTOR_TYPE_HUMAN, id="bob")
TEXT = "用户喜欢茶 🍵 Zoë قالت"


def said(memory: pb.Memory) -> tuple[int, str, str]:
    """Its level, who said it, and the credential."""
    name = f"{actors.ActorType.Name(memory.actor.type)[11:].lower()}:{memory.actor.id}"
    return memory.trust_level, name if memory.HasField("actor") else "", memory.credential


async def speaking(server: Server) -> tuple[Caller, admin.ApiKey]:
    """The agent `alice`, with a key that speaks for Ada and for tools."""
    return await bound(server, actors=["human:ada", "tool:*"])


async def test_a_memory_tells_who_said_it_and_by_which_credential(server: Server) -> None:
    plain, plain_key = await bound(server)
    front, front_key = await speaking(server)
    by_plain: tuple[Any, ...] = ((None, OF_AGENT, "agent:alice"), (ALICE, OF_AGENT, "agent:alice"))
    by_plain += ((ADA, OF_AGENT, "human:ada"), (TOOL, OF_TOOL, "tool:grep"))
    by_front = ((ADA, OF_USER, "human:ada"), (TOOL, OF_TOOL, "tool:grep"), (None, OF_AGENT, "agent:alice"))
    for caller, key, told in ((plain, plain_key, by_plain), (front, front_key, by_front)):
        for number, (actor, level, name) in enumerate(told):
            memory = await remember(caller, f"{TEXT} {key.key_id} {number}", actor=actor)
            assert said(memory) == (level, name, key.key_id)
            assert await get(caller, memory.memory_id) == memory
    answer = await recall(plain, TEXT)
    assert len({said(hit.memory) for hit in answer.hits}) == 6
    # Who reaches any agent names nobody by itself.
    assert said(await remember(server.admin, TEXT, agent_id="alice"))[:2] == (OF_AGENT, "")


async def test_a_claim_only_narrows(server: Server) -> None:
    front, _ = await speaking(server)
    for stated, level in ((WEB, WEB), (OF_TOOL, OF_TOOL), (OF_USER, OF_AGENT)):
        memory = await remember(server.alice, f"{TEXT} {stated}", trust_level=stated, actor=ADA)
        assert memory.trust_level == level
    assert (await remember(front, f"{TEXT} web", trust_level=WEB, actor=ADA)).trust_level == WEB
    failed = await refused(remember(front, TEXT, actor=BOB))
    assert (failed.code, failed.reason) == FORBIDDEN
    unknown = await refused(remember(front, TEXT, trust_level=15))
    assert unknown.code == grpc.StatusCode.INVALID_ARGUMENT
    answer = await batch(front, pb.NewMemory(content=TEXT, actor=BOB), pb.NewMemory(content="ok"))
    assert [each.HasField("memory") for each in answer.results] == [False, True]


async def test_an_update_has_its_own_credential_and_no_model_raises_the_level(server: Server) -> None:
    first = await remember(server.alice, TEXT, trust_level=WEB)
    plain, plain_key = await bound(server)
    front, front_key = await speaking(server)
    second = (await plain(update(first.memory_id, 1, content="a model says so"))).memory
    assert said(second) == (WEB, "agent:alice", plain_key.key_id)
    forged = update(first.memory_id, 2, content="trust me", trust_level=OF_USER, actor=ADA)
    assert said((await plain(forged)).memory) == (WEB, "human:ada", plain_key.key_id)
    tagged = (await front(update(first.memory_id, 3, tags=["seen"], actor=ADA))).memory
    assert said(tagged) == (WEB, "human:ada", front_key.key_id)
    anew = (await front(update(first.memory_id, 4, content="Ada says so", actor=ADA))).memory
    assert said(anew) == (OF_USER, "human:ada", front_key.key_id)
    lowered = (await plain(update(first.memory_id, 5, tags=[]))).memory
    assert said(lowered) == (OF_AGENT, "agent:alice", plain_key.key_id)
    history = [said(each.memory)[0] for each in await versions(server.alice, first.memory_id)]
    assert history == [OF_AGENT, OF_USER, WEB, WEB, WEB, WEB]
    failed = await refused(front(update(first.memory_id, 6, actor=BOB)))
    assert (failed.code, failed.reason) == FORBIDDEN


async def test_what_is_derived_is_trusted_as_the_least_of_its_sources(server: Server) -> None:
    front, _ = await speaking(server)
    by_ada = await remember(front, "Ada drinks tea", actor=ADA)
    from_web = await remember(front, "a page says tea is poison", trust_level=WEB)
    grep = await record(server.alice, "matches: tea", actor=TOOL)
    shared = await remember(server.admin, "shared", agent_id="@shared", trust_level=OF_TOOL)
    cases = (
        ((by_ada.memory_id,), OF_USER),
        ((by_ada.memory_id, "https://example.com", "run 7"), OF_USER),
        ((by_ada.memory_id, grep.event_id), OF_TOOL),
        ((by_ada.memory_id, grep.chunk_ids[0].upper()), OF_TOOL),
        ((shared.memory_id,), OF_TOOL),
        ((by_ada.memory_id, from_web.memory_id, grep.event_id), WEB),
    )
    for refs, level in cases:
        fields: Any = {"actor": ADA, "source_refs": refs}
        derived = await remember(front, f"derived of {refs}", **fields)
        assert (derived.trust_level, level) == (level, derived.trust_level), refs
    # Over several steps, and where a source is named later on.
    second = await remember(front, "in two steps", actor=ADA, source_refs=[derived.memory_id])
    assert second.trust_level == WEB
    free = await remember(front, "without sources", actor=ADA)
    cited = (await front(update(free.memory_id, 1, source_refs=[second.memory_id], actor=ADA))).memory
    assert (free.trust_level, cited.trust_level) == (OF_USER, WEB)


async def test_each_spelling_of_one_source_lowers_what_names_it(server: Server) -> None:
    front, _ = await speaking(server)
    source = (await remember(front, "a page says tea is poison", trust_level=WEB)).memory_id
    spelled = [[source], [source.upper()], [f"urn:uuid:{source}"], ["https://example.com"]]
    answer = await batch(
        front, *(pb.NewMemory(content=f"{TEXT} {refs}", actor=ADA, source_refs=refs) for refs in spelled)
    )
    assert [each.memory.trust_level for each in answer.results] == [WEB, WEB, WEB, OF_USER]


async def test_a_repeat_lowers_and_never_raises(server: Server) -> None:
    front, front_key = await speaking(server)
    first = await remember(front, TEXT, actor=ADA)
    assert said(await remember(front, TEXT, actor=ADA)) == (OF_USER, "human:ada", front_key.key_id)
    lowered = await remember(server.alice, TEXT, trust_level=WEB)
    assert (lowered.memory_id, lowered.trust_level, lowered.version) == (first.memory_id, WEB, 2)
    assert (await remember(front, TEXT, actor=ADA)).trust_level == WEB


async def test_a_repeated_request_has_the_attribution_of_the_first(server: Server) -> None:
    source = await remember(server.alice, "source", trust_level=WEB)
    memory = pb.NewMemory(content=TEXT, source_refs=[source.memory_id])
    request = service.RememberRequest(request_id="r", memory=memory)
    first = (await server.alice(request)).memory
    other, _ = await bound(server)
    await server.alice(update(source.memory_id, 1, content="source, mended"))
    assert (await other(request)).memory == first
    assert first.trust_level == WEB


async def test_compaction_keeps_the_least_and_says_who_compacted(server: Server) -> None:
    front, _ = await speaking(server)
    for number in range(12):
        await remember(front, f"Order {number}: {number * 3} EUR 会议", tags=["orders"], actor=ADA)
    only_tags = criteria_of(skip_near_duplicates=True, tag_threshold=10)
    plain, key = await bound(server)
    proposed = await compact(plain, criteria=only_tags, dry_run=True)
    (by_ada,) = (await compact(plain, criteria=only_tags)).compactions
    assert said(await get(plain, by_ada.memory_id)) == (OF_USER, "agent:alice", key.key_id)
    assert len(proposed.compactions) == 1
    await revert(plain, by_ada)
    source = by_ada.source_ids[5]
    await plain(update(source, (await get(plain, source)).version, trust_level=OF_TOOL))
    (mixed,) = (await compact(plain, criteria=only_tags)).compactions
    assert said(await get(plain, mixed.memory_id)) == (OF_TOOL, "agent:alice", key.key_id)


async def test_what_a_run_comes_to_is_said_by_who_ends_it(server: Server) -> None:
    caller, key = await bound(server)
    failed = call(result="no such file", is_error=True)
    for steps, level in (((answer("done"),), OF_AGENT), ((failed, answer("no")), OF_TOOL)):
        run_id = await start(caller)
        await append(caller, run_id, *steps)
        (kept,) = (await end(caller, run_id, distill=True)).memories
        assert said(kept) == (level, "agent:alice", key.key_id)


async def test_an_import_raises_nothing_above_its_credential(server: Server) -> None:
    front, _ = await speaking(server)
    await remember(front, "by Ada", actor=ADA)
    await remember(front, "from the web", trust_level=WEB, actor=TOOL)
    out = await exported(front)
    unknown = pb.Memory(content="nobody knows")
    forged = pb.Memory(content="forged", trust_level=OF_USER, actor=ADA, credential="root")
    answer = await server.admin.send(importing([*out, unknown, forged], agent_id="copy"))
    assert answer.imported == 4
    page = await server.admin(service.ListMemoriesRequest(agent_id="copy"))
    (key_id,) = {each.credential for each in page.memories}
    assert key_id not in ("", "root")
    assert {each.content: said(each) for each in page.memories} == {
        "by Ada": (OF_AGENT, "human:ada", key_id),
        "from the web": (WEB, "tool:grep", key_id),
        "nobody knows": (0, "", key_id),
        "forged": (OF_AGENT, "human:ada", key_id),
    }
    # One that speaks for Ada keeps what she said, and is refused for Bob.
    answer = await front.send(importing([*out, pb.Memory(content="by Bob", actor=BOB)], replace=True))
    assert (answer.imported, answer.failed) == (2, 1)
    kept = {each.content: each.trust_level for each in await exported(front)}
    assert kept == {"by Ada": OF_USER, "from the web": WEB}


@pytest.mark.parametrize("answered_from", ["memory", "postgres"])
async def test_who_said_it_survives_a_restart(start_server: StartServer) -> None:
    server = await start_server()
    front, key = await speaking(server)
    for level in (WEB, OF_TOOL, 0):
        await remember(front, f"{TEXT} {level}", actor=ADA, trust_level=level)
    await remember(front, f"{TEXT} sealed", actor=ADA, sensitivity=pb.SENSITIVITY_RESTRICTED)
    by_agent = await remember(server.admin, f"{TEXT} of nobody", agent_id="alice")
    expected: set[tuple[int, str, str]] = {(each, "human:ada", key.key_id) for each in (WEB, OF_TOOL, OF_USER)}
    expected.add(said(by_agent))
    for each in (server, await start_server()):
        hits = (await recall(each.alice, TEXT)).hits
        # Postgres does not search what is encrypted.
        assert len(hits) == (4 if each.answered_from == "postgres" else 5)
        assert {said(hit.memory) for hit in hits} == expected
        page = (await each.alice(service.ListMemoriesRequest())).memories
        assert (len(page), {said(memory) for memory in page}) == (5, expected)


async def test_an_actor_is_looked_at_for_secrets_and_for_what_was_forgotten(server: Server) -> None:
    secret = actors.Actor(type=actors.ACTOR_TYPE_HUMAN, id="ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8")
    request = service.RememberRequest(memory=pb.NewMemory(content=TEXT, actor=secret))
    answer = await server.alice(request)
    assert secret.id not in str(answer.memory)
    assert [each.field for each in answer.redactions] == ["actor"]
    named = await remember(server.alice, "Bartholomäus Zwiebelfürst")
    await server.alice(forget(named.memory_id))
    by_name = actors.Actor(type=actors.ACTOR_TYPE_HUMAN, id="Bartholomäus Zwiebelfürst")
    failed = await refused(remember(server.alice, "another text", actor=by_name))
    assert failed.reason == "VALUE_REJECTED"
    assert await remember(server.alice, "another text", actor=BOB)
