"""WatchEvents: every event in the order of recording, from wherever the watcher was."""

from collections.abc import AsyncIterator
from typing import Any

from camillo.v1 import channel_pb2 as channels
from camillo.v1 import event_pb2 as pb
from camillo.v1 import event_service_pb2 as service
from camillo.v1 import memory_pb2

from tests.patience import PATIENCE_SECONDS
from tests.rpc.records import record, record_all, text_event
from tests.server_fixtures import Caller, Server


async def changes_of(caller: Caller, **start: Any) -> list[pb.EventChange]:
    """Everything up to the first checkpoint."""
    call = caller.begin(service.WatchEventsRequest(**start), timeout=PATIENCE_SECONDS)
    found = []
    async for answer in call:
        found.append(answer.change)
        if answer.change.WhichOneof("change") == "checkpoint":
            break
    call.cancel()
    return found


async def next_change(answers: AsyncIterator[service.WatchEventsResponse]) -> pb.EventChange:
    """The next one that is no checkpoint: those come from time to time."""
    while True:
        change = (await anext(answers)).change
        if change.WhichOneof("change") != "checkpoint":
            return change


def told(changes: list[pb.EventChange]) -> list[str]:
    """Texts of events that were recorded, and ids of those forgotten."""
    return [
        change.recorded.stated.text or change.forgotten_event_id
        for change in changes
        if change.WhichOneof("change") != "checkpoint"
    ]


async def test_a_watch_resumes_after_any_message(server: Server) -> None:
    """A watch resumes also in the middle of one revision, which a batch makes, and over more than a page."""
    await record_all(server.alice, [text_event(f"number {i}") for i in range(150)])
    await record(server.alice, "last")
    changes = await changes_of(server.alice, from_beginning=True)
    everything = told(changes)
    assert everything == [*(f"number {i}" for i in range(150)), "last"]
    for place in (0, 63, 64, 149, 150, 151):
        token = changes[place].resume_token
        rest = await changes_of(server.alice, resume_token=token)
        assert told(rest) == everything[place + 1 :]


async def test_a_watch_tells_what_is_recorded_and_forgotten_while_it_runs(server: Server) -> None:
    first = await server.alice(service.RecordEventRequest(event=text_event("first")))
    call = server.alice.begin(service.WatchEventsRequest(after_revision=first.revision), timeout=PATIENCE_SECONDS)
    answers = aiter(call)
    assert (await anext(answers)).change.WhichOneof("change") == "checkpoint"
    await record(server.alice, "second")
    assert (await next_change(answers)).recorded.stated.text == "second"
    assert (await anext(answers)).change.WhichOneof("change") == "checkpoint"
    ids = service.EventIds(ids=[first.recorded.event_id])
    await server.alice(service.ForgetEventsRequest(event_ids=ids))
    assert (await next_change(answers)).forgotten_event_id == first.recorded.event_id
    call.cancel()


async def test_a_watch_passes_over_what_its_filter_and_channel_leave_out(server: Server) -> None:
    await record(server.alice, "other", session_id="other")
    await record(server.alice, "secret", sensitivity=memory_pb2.SENSITIVITY_RESTRICTED)
    await record(server.alice, "mine")
    wanted = pb.EventFilter(session_id="s")
    everything = await changes_of(server.alice, from_beginning=True)
    assert told(everything) == ["other", "secret", "mine"]
    some = await changes_of(server.alice, from_beginning=True, filter=wanted, channel=channels.CHANNEL_TEAM)
    assert told(some) == ["mine"]
