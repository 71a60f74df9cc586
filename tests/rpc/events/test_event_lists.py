"""ListEvents: events in the order of recording, in pages."""

from datetime import timedelta

from camillo.v1 import actor_pb2
from camillo.v1 import channel_pb2 as channels
from camillo.v1 import event_pb2 as pb
from camillo.v1 import event_service_pb2 as service

from tests.rpc.records import record, record_all, text_event, texts
from tests.server_fixtures import Server, refused


async def test_a_clock_that_runs_backwards_does_not_reorder_events(server: Server) -> None:
    for i in range(4):
        await record(server.alice, f"number {i}")
        server.clock.move(-3600)
    assert await texts(server.alice) == [f"number {i}" for i in range(4)]


async def test_a_list_is_filtered_and_paged_both_ways(server: Server) -> None:
    await record_all(server.alice, [text_event(f"number {i}", session_id=f"s{i % 2}") for i in range(10)])
    await record(server.alice, "tagged", tags=["a", "b"])
    everything = [*(f"number {i}" for i in range(10)), "tagged"]
    assert await texts(server.alice, page_size=3) == everything
    assert await texts(server.alice, page_size=3, newest_first=True) == everything[::-1]
    even = pb.EventFilter(session_id="s0")
    assert await texts(server.alice, even, page_size=2) == everything[:10:2]
    assert await texts(server.alice, pb.EventFilter(tags_all=["a", "b"])) == ["tagged"]
    assert await texts(server.alice, pb.EventFilter(tags_any=["c", "b"])) == ["tagged"]
    assert await texts(server.alice, pb.EventFilter(kinds=[actor_pb2.EVENT_KIND_TOOL_CALL])) == []
    assert len(await texts(server.alice, pb.EventFilter(kinds=[actor_pb2.EVENT_KIND_MESSAGE]))) == 11
    assert len(await texts(server.alice, pb.EventFilter(actor_types=[actor_pb2.ACTOR_TYPE_HUMAN]))) == 11
    assert await texts(server.alice, pb.EventFilter(actor_types=[actor_pb2.ACTOR_TYPE_AGENT])) == []


async def test_a_list_is_filtered_by_time_and_by_what_it_names(server: Server) -> None:
    first = await record(server.alice, "first")
    server.clock.move(60)
    await record(server.alice, "second", refs=[first.event_id])
    assert await texts(server.alice, pb.EventFilter(ref=first.event_id)) == ["second"]
    between = pb.EventFilter()
    between.occurred_from.FromDatetime(server.clock.now() - timedelta(seconds=30))
    assert await texts(server.alice, between) == ["second"]
    before = pb.EventFilter(occurred_before=between.occurred_from)
    assert await texts(server.alice, before) == ["first"]


async def test_a_page_token_belongs_to_its_query(server: Server) -> None:
    await record_all(server.alice, [text_event("one"), text_event("two")])
    page = await server.alice(service.ListEventsRequest(page_size=1))
    request = service.ListEventsRequest(page_token=page.next_page_token)
    assert [event.stated.text for event in (await server.alice(request)).events] == ["two"]
    for other in (
        service.ListEventsRequest(newest_first=True),
        service.ListEventsRequest(channel=channels.CHANNEL_TEAM),
        service.ListEventsRequest(filter=pb.EventFilter(session_id="s")),
    ):
        other.page_token = page.next_page_token
        assert (await refused(server.alice(other))).reason == "INVALID_PAGE_TOKEN"


async def test_a_page_is_never_larger_than_a_message(server: Server) -> None:
    for i in range(5):
        await record(server.alice, f"{i} " + "字" * 340_000)
    page = await server.alice(service.ListEventsRequest())
    assert (len(page.events), page.ByteSize() < 4 * 2**20) == (3, True)
    assert [text[:1] for text in await texts(server.alice)] == list("01234")
