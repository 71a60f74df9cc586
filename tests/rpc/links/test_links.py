"""Links: stated between what is there, listed from both ends, and gone with either."""

import grpc
import psycopg
import pytest
from camillo.v1 import link_pb2 as pb
from camillo.v1 import memory_pb2
from camillo.v1.link_service_pb2 import AddLinksRequest, ListRelatedRequest, RemoveLinksRequest

from tests.rpc.forgetting.test_forget import forget
from tests.rpc.links.calls import (
    ABOUT,
    DERIVED_FROM,
    add,
    decision,
    event,
    memory,
    new_link,
    related,
    slot,
    texts_related,
)
from tests.rpc.memories.calls import UNKNOWN_ID, remember
from tests.rpc.memories.test_update import update
from tests.rpc.records import decide, record
from tests.rpc.slots.calls import set_memory
from tests.server_fixtures import Server, refused


async def test_a_link_is_told_from_both_of_its_ends(server: Server) -> None:
    one = memory((await remember(server.alice, "茶 is green 🍵")).memory_id)
    other = memory((await remember(server.alice, "الشاي أخضر")).memory_id)
    answer = await add(server.alice, new_link(one, other, DERIVED_FROM))
    (link,) = answer.links
    assert (link.type, getattr(link, "from"), link.to) == (DERIVED_FROM, one, other)
    assert link.HasField("created_at")
    assert link.credential
    (there,) = (await related(server.reader, one)).related
    (back,) = (await related(server.reader, other)).related
    assert (there.item, there.text, there.link) == (other, "الشاي أخضر", link)
    assert (back.item, back.text, back.link) == (one, "茶 is green 🍵", link)


async def test_everything_that_is_kept_can_be_linked(server: Server) -> None:
    said = await record(server.alice, "let us take Postgres")
    decided = await decide(server.alice, "Postgres it is", said.event_id)
    await set_memory(server.alice, "/project/database", '"postgres sixteen"')
    fact = memory((await remember(server.alice, "the database is Postgres")).memory_id)
    ends = [event(said.event_id), decision(decided.decision_id), slot("/project/database")]
    await add(server.alice, *(new_link(fact, end) for end in ends))
    answer = await related(server.alice, fact, types=[ABOUT])
    assert {each.item.id for each in answer.related} == {end.id for end in ends}
    for end in ends:
        assert "the database is Postgres" in await texts_related(server.alice, end, types=[ABOUT])


async def test_an_end_has_to_be_there_and_nothing_is_stored_without(server: Server) -> None:
    one = memory((await remember(server.alice, "one")).memory_id)
    other = memory((await remember(server.alice, "other")).memory_id)
    both = (new_link(one, other), new_link(one, memory(UNKNOWN_ID)))
    told = await refused(add(server.alice, *both))
    assert (told.code, told.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "REF_NOT_FOUND")
    assert told.metadata == {"ref": UNKNOWN_ID}
    assert await texts_related(server.alice, one) == []
    await add(server.alice, both[0])
    assert await texts_related(server.alice, one) == ["other"]


async def test_a_stranger_neither_links_nor_sees_links(server: Server) -> None:
    one = memory((await remember(server.alice, "one")).memory_id)
    other = memory((await remember(server.alice, "other")).memory_id)
    await add(server.alice, new_link(one, other))
    assert (await refused(add(server.rival, new_link(one, other)))).reason == "REF_NOT_FOUND"
    hidden = await refused(related(server.rival, one))
    assert (hidden.code, hidden.reason) == (grpc.StatusCode.NOT_FOUND, "MEMORY_NOT_FOUND")
    shared = await refused(related(server.admin, one))
    assert shared.reason == "MEMORY_NOT_FOUND"
    assert await texts_related(server.admin, one, agent_id="alice") == ["other"]
    only_reads = await refused(add(server.reader, new_link(other, one)))
    assert only_reads.code == grpc.StatusCode.PERMISSION_DENIED


async def test_a_repeated_request_is_answered_as_the_first_time(server: Server) -> None:
    one = memory((await remember(server.alice, "one")).memory_id)
    other = memory((await remember(server.alice, "other")).memory_id)
    first = await add(server.alice, new_link(one, other), request_id="once")
    server.clock.move(60)
    assert await add(server.alice, new_link(one, other), request_id="once") == first
    again = await add(server.alice, new_link(one, other), request_id="twice")
    assert again.links == first.links
    removal = RemoveLinksRequest(links=[new_link(one, other)], request_id="gone")
    assert (await server.alice(removal)).removed == 1
    assert (await server.alice(removal)).removed == 1
    removal.request_id = "gone again"
    assert (await server.alice(removal)).removed == 0
    assert await texts_related(server.alice, one) == []


@pytest.mark.own_server
async def test_what_is_forgotten_takes_its_links_along(server: Server) -> None:
    one = await remember(server.alice, "one")
    other = await remember(server.alice, "other")
    third = await remember(server.alice, "third")
    ends = [memory(each.memory_id) for each in (one, other, third)]
    await add(server.alice, new_link(ends[0], ends[1]), new_link(ends[2], ends[0]))
    with psycopg.connect(server.database.superuser_url) as rows:
        assert rows.execute("select count(*) from camillo.links").fetchone() == (2,)
    await server.alice(forget(one.memory_id))
    with psycopg.connect(server.database.superuser_url) as rows:
        assert rows.execute("select count(*) from camillo.links").fetchone() == (0,)
    assert await texts_related(server.alice, ends[1]) == []


async def test_an_end_has_so_many_links_at_most(server: Server) -> None:
    hub = memory((await remember(server.alice, "hub")).memory_id)
    spokes = [memory((await remember(server.alice, f"spoke {number}")).memory_id) for number in range(65)]
    types = (1, 2, 3, 4)
    links = [new_link(hub, spoke, type_) for spoke in spokes for type_ in types]  # type: ignore[arg-type]
    for first in range(0, 256, 64):
        await add(server.alice, *links[first : first + 64])
    told = await refused(add(server.alice, links[256]))
    assert (told.code, told.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED")
    await add(server.alice, links[0])
    pages, token = [], ""
    while True:
        page = await related(server.alice, hub, page_size=100, page_token=token)
        pages.append(len(page.related))
        token = page.next_page_token
        if not token:
            break
    assert pages == [100, 100, 56]


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (AddLinksRequest(), "links"),
        (AddLinksRequest(links=[pb.NewLink(type=ABOUT)]), "links[0].from.id"),
        (AddLinksRequest(links=[new_link(memory(UNKNOWN_ID), memory("x"))]), "links[0].to.id"),
        (AddLinksRequest(links=[new_link(memory(UNKNOWN_ID), slot("x"))]), "links[0].to.id"),
        (AddLinksRequest(links=[new_link(memory(UNKNOWN_ID), memory(UNKNOWN_ID.upper()))]), "links[0].to"),
        (
            AddLinksRequest(links=[new_link(memory(UNKNOWN_ID), slot("/a"), 0)]),  # type: ignore[arg-type]
            "links[0].type",
        ),
        (
            AddLinksRequest(
                links=[new_link(memory(UNKNOWN_ID), pb.LinkEnd(source=memory_pb2.SOURCE_AUDIT, id=UNKNOWN_ID))]
            ),
            "links[0].to.source",
        ),
        (ListRelatedRequest(), "item"),
        (ListRelatedRequest(entity=pb.Entity(name="x")), "entity.type"),
        (
            ListRelatedRequest(entity=pb.Entity(type=1, name="x"), types=[ABOUT]),  # type: ignore[arg-type]
            "types",
        ),
    ],
)
async def test_a_request_that_means_nothing_is_refused(server: Server, request_: AddLinksRequest, field: str) -> None:
    told = await refused(server.alice(request_))
    assert told.code == grpc.StatusCode.INVALID_ARGUMENT
    assert field in told.fields


async def test_what_a_channel_may_not_load_is_not_related(server: Server) -> None:
    one = memory((await remember(server.alice, "one", sensitivity=1)).memory_id)
    secret = memory((await remember(server.alice, "hush", sensitivity=3)).memory_id)
    plain = memory((await remember(server.alice, "plain", sensitivity=1)).memory_id)
    await add(server.alice, new_link(one, secret), new_link(one, plain))
    assert set(await texts_related(server.alice, one)) == {"hush", "plain"}
    assert await texts_related(server.alice, one, channel=1) == ["plain"]
    hidden = await refused(related(server.alice, secret, channel=1))
    assert hidden.reason == "MEMORY_NOT_FOUND"


async def test_what_is_archived_is_not_related(server: Server) -> None:
    one = memory((await remember(server.alice, "one")).memory_id)
    other = await remember(server.alice, "other")
    await add(server.alice, new_link(one, memory(other.memory_id)))
    assert await texts_related(server.alice, one) == ["other"]
    await server.alice(update(other.memory_id, 1, archived=True))
    assert await texts_related(server.alice, one) == []
