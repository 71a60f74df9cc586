"""Entities with their aliases: listed, merged and split by hand, and as they were before."""

import warnings
from collections.abc import Sequence
from typing import Any

import grpc
import pytest
from camillo.v1 import channel_pb2, memory_pb2
from camillo.v1 import link_pb2 as pb
from camillo.v1 import link_service_pb2 as service
from camillo_client import OlderUnread

from tests.rpc.links.calls import memory, mentioning, texts_related
from tests.rpc.memories.calls import remember
from tests.rpc.records import record
from tests.rpc.slots.calls import set_memory
from tests.server_fixtures import Caller, Server, refused

NAME, EMAIL, TICKET = pb.ENTITY_TYPE_NAME, pb.ENTITY_TYPE_EMAIL, pb.ENTITY_TYPE_TICKET
ANA = pb.Entity(type=NAME, name="Ana Lima")
ALIASES = (
    pb.Entity(type=NAME, name="安娜"),
    pb.Entity(type=NAME, name="آنا ليما"),
    pb.Entity(type=EMAIL, name="Ana.Lima@example.com"),
    # Decomposed: it is the same as the composed one.
    pb.Entity(type=NAME, name="Zoe\u0308 🦊"),
)
TOLD = (
    "Yesterday Ana Lima moved to Porto",
    "我昨天见到安娜了 🦊",
    "قالت آنا ليما إنها قادمة",
    "write to ana.lima@example.com today",
    "and then Zoë 🦊 came",
)


async def merge(caller: Caller, *names: pb.Entity, into: pb.Entity = ANA, **fields: Any) -> pb.EntityChange:
    answer = await caller(service.MergeEntitiesRequest(into=into, names=names, **fields))
    change: pb.EntityChange = answer.change
    return change


async def split(caller: Caller, *names: pb.Entity, **fields: Any) -> pb.EntityChange:
    change: pb.EntityChange = (await caller(service.SplitEntityRequest(names=names, **fields))).change
    return change


async def revert(caller: Caller, change: pb.EntityChange) -> int:
    answer = await caller(service.RevertEntityChangeRequest(change_id=change.change_id))
    return int(answer.reverted)


async def entities(caller: Caller, **fields: Any) -> Sequence[pb.KnownEntity]:
    answer: service.ListEntitiesResponse = await caller(service.ListEntitiesRequest(**fields))
    return answer.entities


async def known(caller: Caller, **fields: Any) -> dict[str, list[str]]:
    """The names of all entities, with their aliases."""
    return {each.entity.name: [alias.name for alias in each.aliases] for each in await entities(caller, **fields)}


async def counts(caller: Caller, **fields: Any) -> dict[str, int]:
    """How many records mention each entity."""
    found = await entities(caller, **fields)
    return {each.entity.name: sum(count.records for count in each.mentions) for each in found}


async def test_merged_names_are_one_entity(server: Server) -> None:
    alice = server.alice
    for text in TOLD:
        await remember(alice, text)
    await remember(alice, "Yesterday Bob Stone came, and 安心")
    before = await counts(alice)
    assert (before["ana lima"], before["ana.lima@example.com"], before["bob stone"]) == (1, 1, 1)
    assert await mentioning(alice, NAME, "Ana Lima") == [TOLD[0]]
    change = await merge(alice, *ALIASES)
    assert [each.name for each in change.names] == ["安娜", "آنا ليما", "ana.lima@example.com", "zoë 🦊"]
    assert change.into.name == "ana lima"
    after = await counts(alice)
    assert (after["ana lima"], after["bob stone"]) == (5, 1)
    assert "ana.lima@example.com" not in after
    for name in (ANA, *ALIASES):
        assert sorted(await mentioning(alice, name.type, name.name)) == sorted(TOLD)
    assert next(iter(after)) == "ana lima"


async def test_what_shares_an_entity_shares_it_by_each_of_its_names(server: Server) -> None:
    alice = server.alice
    kept = [await remember(alice, text) for text in TOLD[:2]]
    item = memory(kept[0].memory_id)
    assert await texts_related(alice, item) == []
    await merge(alice, *ALIASES)
    assert await texts_related(alice, item) == [TOLD[1]]
    related = (await alice(service.ListRelatedRequest(item=memory(kept[1].memory_id)))).related
    assert [(each.text, each.shared[0].name) for each in related] == [(TOLD[0], "ana lima")]


async def test_a_name_is_no_word(server: Server) -> None:
    alice = server.alice
    for text in ("Rose came in", "prices rose", "дом Розы", "роза цветёт", "Роза пришла"):
        await remember(alice, text)
    rose = pb.Entity(type=NAME, name="Rose")
    assert await mentioning(alice, NAME, "Rose") == []
    await merge(alice, pb.Entity(type=NAME, name="Роза"), into=rose)
    assert sorted(await mentioning(alice, NAME, "rose")) == ["Rose came in", "Роза пришла"]


async def test_a_split_and_a_revert_bring_back_what_was(server: Server) -> None:
    alice = server.alice
    first = await merge(alice, *ALIASES[:2])
    second = await merge(alice, ANA, into=pb.Entity(type=NAME, name="Ana Maria Lima"))
    whole = {"ana maria lima": ["ana lima", "安娜", "آنا ليما"]}
    assert await known(alice) == whole
    away = await split(alice, pb.Entity(type=NAME, name="ANA MARIA LIMA"), ALIASES[0], ALIASES[3])
    assert [each.name for each in away.names] == ["ana maria lima", "安娜"]
    assert not away.HasField("into")
    # The first of the names that are left has the place of the one that went.
    assert await known(alice) == {"ana lima": ["آنا ليما"]}
    assert await revert(alice, away) == 2
    assert await known(alice) == whole
    assert await revert(alice, away) == 0
    assert await revert(alice, first) == 2
    assert await known(alice) == {"ana maria lima": ["ana lima"]}
    assert await revert(alice, second) == 1
    assert await known(alice) == {}
    unknown = pb.EntityChange(change_id="01890a5d-ac96-774b-bcce-b302099a8057")
    assert await revert(alice, unknown) == 0

    listed = await alice(service.ListEntityChangesRequest(page_size=2))
    assert [each.change_id for each in listed.changes] == [away.change_id, second.change_id]
    rest = await alice(service.ListEntityChangesRequest(page_size=2, page_token=listed.next_page_token))
    (last,) = rest.changes
    assert (last.change_id, [each.name for each in last.names]) == (first.change_id, ["安娜", "آنا ليما"])
    assert last.HasField("reverted_at")
    assert last.credential
    assert not rest.next_page_token


async def test_a_change_that_changes_nothing_is_none(server: Server) -> None:
    alice = server.alice
    assert not (await split(alice, ANA)).change_id
    assert not (await merge(alice, ANA)).change_id
    await merge(alice, ALIASES[0], request_id="merge-1")
    assert not (await merge(alice, ALIASES[0])).change_id
    again = await merge(alice, ALIASES[0], request_id="merge-1")
    assert [each.name for each in again.names] == ["安娜"]
    failed = await refused(merge(alice, ALIASES[1], request_id="merge-1"))
    assert failed.reason == "REQUEST_ID_REUSED"
    assert len((await alice(service.ListEntityChangesRequest())).changes) == 1
    for name in ("", " ", "x" * 257):
        failed = await refused(merge(alice, pb.Entity(type=NAME, name=name)))
        assert (failed.code, failed.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")


async def test_a_list_is_filtered_and_paged(server: Server) -> None:
    alice = server.alice
    for number in range(5):
        await remember(alice, f"ask Bob Stone about ticket ABC-10{number}")
        server.clock.move(1)
    await set_memory(alice, "/notes/first", '"then Bob Stone came"')
    await record(alice, "and then Bob Stone spoke to Anna Müller")
    (bob,) = await entities(alice, prefix="BOB")
    by_source = {memory_pb2.Source.Name(each.source): each.records for each in bob.mentions}
    assert by_source == {"SOURCE_MEMORY": 5, "SOURCE_EVENT": 1, "SOURCE_SLOT": 1}
    assert bob.last_seen_at.ToDatetime()
    tickets = [each.entity.name for each in await entities(alice, type=TICKET)]
    assert tickets == [f"ABC-10{number}" for number in (4, 3, 2, 1, 0)]
    assert list(await known(alice, prefix="anna")) == ["anna müller"]
    assert list(await known(alice, prefix="nobody")) == []
    everything = list(await known(alice))
    token, paged = "", list[str]()
    while True:
        page = await alice(service.ListEntitiesRequest(page_size=3, page_token=token))
        paged += [each.entity.name for each in page.entities]
        token = page.next_page_token
        if not token:
            break
    assert paged == everything
    assert everything[0] == "bob stone"
    failed = await refused(alice(service.ListEntitiesRequest(prefix="b", page_size=3, page_token="AQ")))  # noqa: S106
    assert failed.reason == "INVALID_PAGE_TOKEN"


async def test_a_channel_sees_what_it_may_load(server: Server) -> None:
    alice, public = server.alice, channel_pb2.CHANNEL_PUBLIC
    levels = {"then Bob Stone came": "PUBLIC", "then Eve Adams came": "CONFIDENTIAL"}
    for text, level in levels.items():
        sensitivity = memory_pb2.Sensitivity.Value(f"SENSITIVITY_{level}")
        await remember(alice, text, sensitivity=sensitivity)
    await merge(alice, pb.Entity(type=NAME, name="Bobby"), into=pb.Entity(type=NAME, name="Bob Stone"))
    assert await known(alice) == {"bob stone": ["bobby"], "eve adams": []}
    assert await known(alice, channel=public) == {"bob stone": []}
    assert (await alice(service.ListEntityChangesRequest())).changes
    assert not (await alice(service.ListEntityChangesRequest(channel=public))).changes


async def test_names_stay_in_their_scope(server: Server) -> None:
    await merge(server.alice, *ALIASES)
    assert await known(server.alice)
    for caller, agent_id in ((server.admin, "bob"), (server.admin, "@shared"), (server.rival, "alice")):
        assert await known(caller, agent_id=agent_id) == {}
        assert not (await caller(service.ListEntityChangesRequest(agent_id=agent_id))).changes


async def test_a_list_tells_of_rows_that_it_did_not_read(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("camillo_server.features.links.entities.MAX_ROWS_READ", 2)
    for text in ("then Eve Adams came", "then Bob Stone came"):
        await remember(server.alice, text)
        server.clock.move(1)
    assert not (await server.alice(service.ListEntitiesRequest())).older_unread
    await remember(server.alice, "then Bob Stone left")
    answer = await server.alice(service.ListEntitiesRequest())
    assert (answer.older_unread, [each.entity.name for each in answer.entities]) == (True, ["bob stone"])


async def test_the_python_client_warns_once_of_rows_that_a_list_did_not_read(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in ("then Eve Adams came", "then Bob Stone met Zoë Müller 🦊"):
        await remember(server.alice, text)
        server.clock.move(1)
    async with server.client(server.keys.alice) as client:

        async def names() -> list[str]:
            return [each.entity.name async for each in client.entities.list(page_size=1)]

        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert sorted(await names()) == ["bob stone", "eve adams", "zoë müller"]
        monkeypatch.setattr("camillo_server.features.links.entities.MAX_ROWS_READ", 1)
        with pytest.warns(OlderUnread, match="older ones were not read") as told:
            assert sorted(await names()) == ["bob stone", "zoë müller"]
        assert len(told) == 1
