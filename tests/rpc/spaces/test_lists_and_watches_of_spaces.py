"""Lists and watches of several spaces, as of one."""

import uuid
from typing import Any

import grpc
from camillo.v1 import admin_pb2
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.consistency_pb2 import Freshness, Revision, SpaceRead, SpaceRevision

from tests.rpc.memories.calls import remember
from tests.rpc.spaces.test_recall_of_spaces import beside
from tests.rpc.watching import Watch, told
from tests.server_fixtures import Caller, Server, refused

PATHS = ("projects/shop", "teams/eu/ops", "bob")
TEXTS = ("茶 of Ana", "чай of the shop", "شاي of the team", "🍵 of Bob")


async def page(caller: Caller, size: int, token: str = "", **fields: Any) -> service.ListMemoriesResponse:
    request = service.ListMemoriesRequest(page_size=size, page_token=token, **fields)
    answer: service.ListMemoriesResponse = await caller(request)
    return answer


async def all_of(caller: Caller, size: int, **fields: Any) -> list[pb.Memory]:
    """The memories of all pages of this size."""
    found: list[pb.Memory] = []
    token, is_last = "", False
    while not is_last:
        answer = await page(caller, size, token, **fields)
        assert 0 < len(answer.memories) <= size
        found += answer.memories
        token = answer.next_page_token
        is_last = not token
    return found


async def fill(server: Server) -> list[str]:
    """Memories of four spaces, one after the other; their contents, newest first."""
    contents = []
    for number in range(3):
        for path, text in zip(("users/42", *PATHS), TEXTS, strict=True):
            contents.append((await remember(server.admin, f"{text} {number}", agent_id=path)).content)
            server.clock.move(1)
    return contents[::-1]


async def test_pages_hold_all_spaces_newest_first(server: Server) -> None:
    contents = await fill(server)
    await remember(server.admin, "of somebody else", agent_id="users/43")
    for size in (1, 3, 5, 12, 50):
        for spaces in (PATHS, PATHS[::-1], (*PATHS, "users/42", "bob")):
            found = await all_of(server.admin, size, agent_id="users/42", spaces=beside(*spaces))
            assert [each.content for each in found] == contents
            assert {each.agent_id for each in found} == {"users/42", *PATHS}
    own = await all_of(server.admin, 2, agent_id="users/42")
    assert [each.agent_id for each in own] == ["users/42"] * 3


async def test_a_memory_that_was_taken_to_another_space_is_listed_in_each(server: Server) -> None:
    created = pb.Memory(content="x")
    created.created_at.FromSeconds(1_700_000_000)
    ids = [str(uuid.UUID(int=number, version=4)) for number in (1, 2, 2**128 - 1)]
    paths = ("users/42", *PATHS)
    for path in paths:
        memories = [pb.Memory(memory_id=each, content=f"walrus {each}", created_at=created.created_at) for each in ids]
        done = await server.admin.send(
            [service.ImportMemoriesRequest(agent_id=path, memories=memories)], "ImportMemories"
        )
        assert done.imported == len(ids)
    for size in (1, 2, 3, 5, 100):
        found = await all_of(server.admin, size, agent_id="users/42", spaces=beside(*PATHS))
        expected = [(each, path) for each in sorted(ids, reverse=True) for path in sorted(paths)]
        assert [(each.memory_id, each.agent_id) for each in found] == expected


async def test_a_token_is_for_the_set_of_spaces(server: Server) -> None:
    await fill(server)
    asked: dict[str, Any] = {"agent_id": "users/42", "spaces": beside(*PATHS[:2])}
    token = (await page(server.admin, 2, **asked)).next_page_token
    assert len((await page(server.admin, 2, token, **{**asked, "spaces": beside(*PATHS[1::-1])})).memories) == 2
    others: tuple[dict[str, Any], ...] = (
        {"spaces": []},
        {"spaces": beside(PATHS[0])},
        {"spaces": beside(*PATHS)},
        {"agent_id": PATHS[0], "spaces": beside("users/42", PATHS[1])},
        {"filter": pb.MemoryFilter(session_id="s")},
    )
    of_one = (await page(server.admin, 2, agent_id="users/42")).next_page_token
    for changed in others:
        assert (await refused(page(server.admin, 2, token, **{**asked, **changed}))).reason == "INVALID_PAGE_TOKEN"
    assert (await refused(page(server.admin, 2, of_one, **asked))).reason == "INVALID_PAGE_TOKEN"


async def test_each_space_is_as_fresh_as_demanded(server: Server) -> None:
    written = {}
    for path in ("users/42", "projects/shop"):
        request = service.RememberRequest(agent_id=path, memory=pb.NewMemory(content=f"walrus of {path}"))
        written[path] = (await server.admin(request)).revision
    shop = Freshness(at_least_as_fresh=written["projects/shop"])
    asked: dict[str, Any] = {"agent_id": "users/42", "spaces": [SpaceRead(space="projects/shop", freshness=shop)]}
    answer = await page(server.admin, 9, **asked)
    assert answer.revision == written["users/42"]
    assert list(answer.spaces) == [SpaceRevision(space="projects/shop", revision=written["projects/shop"])]
    asked["spaces"] = [SpaceRead(space="users/43", freshness=shop)]
    told_why = await refused(page(server.admin, 9, **asked))
    assert told_why.reason == "REVISION_UNKNOWN"


async def test_restricted_memories_are_listed_and_watched_in_their_own_space_alone(server: Server) -> None:
    for path in ("users/42", "projects/shop"):
        for level in (pb.SENSITIVITY_CONFIDENTIAL, pb.SENSITIVITY_RESTRICTED):
            await remember(server.admin, f"walrus {level} of {path}", agent_id=path, sensitivity=level)
    expected = {
        *(f"walrus {level} of users/42" for level in (pb.SENSITIVITY_CONFIDENTIAL, pb.SENSITIVITY_RESTRICTED)),
        f"walrus {pb.SENSITIVITY_CONFIDENTIAL} of projects/shop",
    }
    found = await all_of(server.admin, 9, agent_id="users/42", spaces=beside("projects/shop"))
    assert {each.content for each in found} == expected
    spaces = [SpaceRevision(space="projects/shop")]
    async with Watch(server.admin, agent_id="users/42", spaces=spaces, from_beginning=True) as watch:
        changes = [*await watch.until_caught_up(), *await watch.until_caught_up()]
        assert set(told(changes)) == expected
        # It was shown, so that whoever keeps a copy has to hear of it.
        (known,) = [each for each in found if each.agent_id == "projects/shop"]
        change = service.UpdateMemoryRequest(
            agent_id="projects/shop", memory_id=known.memory_id, expected_version=1, memory=pb.Memory()
        )
        change.memory.sensitivity = pb.SENSITIVITY_RESTRICTED
        change.update_mask.paths.append("sensitivity")
        await server.admin(change)
        assert told(await watch.until_caught_up()) == [known.memory_id]


async def test_a_watch_follows_every_space_and_goes_on_behind_any_change(server: Server) -> None:
    await fill(server)
    spaces = [SpaceRevision(space=path) for path in (*PATHS, "projects/empty")]
    asked: dict[str, Any] = {"agent_id": "users/42", "spaces": spaces}
    async with Watch(server.admin, from_beginning=True, **asked) as watch:
        changes = [change for _ in range(5) for change in await watch.until_caught_up()]
        assert {each.agent_id for each in changes} == {"users/42", *PATHS, "projects/empty"}
        contents = told(changes)
        assert sorted(contents) == sorted(f"{text} {number}" for text in TEXTS for number in range(3))
        assert all(each.agent_id == each.changed.agent_id for each in changes if each.HasField("changed"))
        later = {}
        for path in (*PATHS, "users/42", "projects/empty"):
            await remember(server.admin, f"later in {path}", agent_id=path)
            later[path] = await watch.until_caught_up()
            assert told(later[path]) == [f"later in {path}"]
            assert {each.agent_id for each in later[path]} == {path}
    for number, before in enumerate(changes):
        async with Watch(server.admin, resume_token=before.resume_token, **asked) as watch:
            rest = [each for _ in range(5) for each in await watch.until_caught_up()]
            assert sorted(told(changes[: number + 1]) + told(rest)) == sorted(
                [*contents, *(f"later in {path}" for path in later)]
            )


async def test_a_watch_begins_behind_the_revisions_of_a_list(server: Server) -> None:
    await fill(server)
    listed = await page(server.admin, 50, agent_id="users/42", spaces=beside(*PATHS))
    asked: dict[str, Any] = {"agent_id": "users/42", "after_revision": listed.revision, "spaces": listed.spaces}
    async with Watch(server.admin, **asked) as watch:
        begun = [change for _ in range(4) for change in await watch.until_caught_up()]
        assert told(begun) == []
        forgotten = listed.memories[0]
        ids = service.MemoryIds(ids=[forgotten.memory_id])
        await server.admin(service.ForgetMemoriesRequest(agent_id=forgotten.agent_id, memory_ids=ids))
        (change, _) = await watch.until_caught_up()
        assert (change.agent_id, change.forgotten_memory_id) == (forgotten.agent_id, forgotten.memory_id)
    async with Watch(server.admin, agent_id="users/42", after_revision=listed.revision) as watch:
        (alone,) = await watch.until_caught_up()
        assert alone.agent_id == ""


async def test_where_a_watch_begins_is_checked_for_each_space(server: Server) -> None:
    await fill(server)
    listed = await page(server.admin, 50, agent_id="users/42", spaces=beside(*PATHS))
    first, second = listed.spaces[:2]
    watched: dict[str, Any] = {"agent_id": "users/42", "spaces": [first]}
    async with Watch(server.admin, after_revision=listed.revision, **watched) as watch:
        token = (await watch.next()).resume_token
    async with Watch(server.admin, agent_id="users/42", after_revision=listed.revision) as watch:
        token_of_one = (await watch.next()).resume_token
    wrong: tuple[tuple[dict[str, Any], str, str], ...] = (
        ({"spaces": [SpaceRevision(space=first.space)]}, "INVALID_FIELD", "spaces[0].revision.token"),
        ({"spaces": [first, SpaceRevision(space=second.space, revision=first.revision)]}, "REVISION_UNKNOWN", ""),
        ({"spaces": [SpaceRevision(space="@shared", revision=first.revision)]}, "INVALID_FIELD", "spaces[0].space"),
        ({"spaces": [first] * 8}, "INVALID_FIELD", "spaces"),
        ({"after_revision": None, "resume_token": token, "spaces": [first, second]}, "INVALID_PAGE_TOKEN", ""),
        ({"after_revision": None, "resume_token": token, "spaces": [second]}, "INVALID_PAGE_TOKEN", ""),
        ({"after_revision": None, "resume_token": token, "spaces": []}, "INVALID_PAGE_TOKEN", ""),
        ({"after_revision": None, "resume_token": token_of_one}, "INVALID_PAGE_TOKEN", ""),
        ({"after_revision": None, "resume_token": token * 2}, "INVALID_PAGE_TOKEN", ""),
        ({"after_revision": Revision()}, "INVALID_FIELD", "after_revision.token"),
    )
    for changed, reason, field in wrong:
        request = service.WatchMemoriesRequest(**{"after_revision": listed.revision, **watched, **changed})
        refusal = await refused(anext(aiter(server.admin.begin(request))))
        assert refusal.reason == reason, (changed, refusal)
        assert refusal.fields == ((field,) if field else ())


async def test_a_grant_decides_about_each_space(server: Server) -> None:
    await fill(server)
    request = admin.CreateKeyRequest(agent_id="alice", role=admin_pb2.ROLE_WRITER, spaces=["users/42:read"])
    caller = server.caller((await server.admin(request)).secret)
    found = await all_of(caller, 5, spaces=beside("users/42"))
    assert {each.agent_id for each in found} == {"users/42"}
    async with Watch(caller, from_beginning=True, spaces=[SpaceRevision(space="users/42")]) as watch:
        changes = [*await watch.until_caught_up(), *await watch.until_caught_up()]
        assert sorted(told(changes)) == sorted(each.content for each in found)
    for path in (*PATHS, "users/43"):
        refusal = await refused(page(caller, 5, spaces=beside("users/42", path)))
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SCOPE_FORBIDDEN")
        begun = service.WatchMemoriesRequest(
            from_beginning=True, spaces=[SpaceRevision(space="users/42"), SpaceRevision(space=path)]
        )
        assert (await refused(anext(aiter(caller.begin(begun))))).reason == "SCOPE_FORBIDDEN"
