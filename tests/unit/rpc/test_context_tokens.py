"""Tokens of lists and watches of events, decisions and tasks belong to one query of one agent."""

from datetime import UTC, datetime
from uuid import UUID

import pytest
from camillo.v1 import decision_service_pb2 as decisions
from camillo.v1 import event_pb2 as pb
from camillo.v1 import event_service_pb2 as service
from camillo.v1 import task_service_pb2 as tasks
from camillo.v1.channel_pb2 import CHANNEL_PUBLIC
from camillo_server.doors.rpc import page_tokens, tokens
from camillo_server.doors.rpc.page_tokens import PagedRequest
from camillo_server.features.events import query_messages
from camillo_server.kernel.errors import InvalidPageToken, RevisionUnknown
from camillo_server.kernel.ids import EventCursor, PageCursor, WatchPosition

from tests.cases import each_case
from tests.unit.rpc.records import ADA, BOB, OTHER_DATABASE, REVISIONS

BINDING = tokens.query_binding("x")
OTHER = tokens.query_binding("y")
CURSOR = EventCursor(2**40, 999)
LIST = service.ListEventsRequest


def test_the_place_among_events_comes_back() -> None:
    token = query_messages.event_token(BINDING, CURSOR)
    assert query_messages.read_event_token(BINDING, token) == CURSOR


def test_the_place_among_decisions_and_tasks_comes_back() -> None:
    at, row_id = datetime(1950, 3, 1, 12, 30, 15, 123456, tzinfo=UTC), UUID(int=2**127 + 5)
    token = tokens.page_token(BINDING, PageCursor(at, row_id))
    assert tokens.read_page_token(BINDING, token) == (at, row_id)


def test_an_empty_token_is_the_beginning_and_the_end() -> None:
    assert query_messages.event_token(BINDING, None) == ""
    assert query_messages.read_event_token(BINDING, "") is None
    assert tokens.read_page_token(BINDING, "") is None


def test_a_token_of_another_query_is_refused() -> None:
    event = query_messages.event_token(BINDING, CURSOR)
    cursor = PageCursor(datetime(2026, 1, 1, tzinfo=UTC), UUID(int=1))
    moment = tokens.page_token(BINDING, cursor)
    with pytest.raises(InvalidPageToken):
        query_messages.read_event_token(OTHER, event)
    with pytest.raises(InvalidPageToken):
        tokens.read_page_token(OTHER, moment)


@each_case("forged", ["", "1", "1 ", "a 1", "1 1 1", "-1 1", "1 -1", "१ १", "1 1\n", "1" * 19 + " 1", "1 2147483648"])
def test_a_forged_place_is_refused(forged: str) -> None:
    good = tokens.text_page_token(BINDING, "1 1")
    assert query_messages.read_event_token(BINDING, good) == EventCursor(1, 1)
    with pytest.raises(InvalidPageToken):
        query_messages.read_event_token(BINDING, tokens.text_page_token(BINDING, forged))


@pytest.mark.parametrize(
    "other",
    [
        LIST(channel=CHANNEL_PUBLIC),
        LIST(newest_first=True),
        LIST(filter=pb.EventFilter(session_id="s")),
        tasks.ListTasksRequest(),
        decisions.QueryDecisionsRequest(),
    ],
)
def test_a_list_is_bound_to_all_but_its_page_size(other: PagedRequest) -> None:
    binding = page_tokens.list_binding(LIST(), ADA)
    same = LIST(agent_id="ada", page_size=7, page_token="t")  # noqa: S106
    assert page_tokens.list_binding(same, ADA) == binding
    assert page_tokens.list_binding(other, ADA) != binding
    assert page_tokens.list_binding(LIST(), BOB) != binding


def test_binding_a_request_leaves_it_as_it_was() -> None:
    request = LIST(agent_id="ada", page_size=7, page_token="t")  # noqa: S106
    page_tokens.list_binding(request, ADA)
    assert request == LIST(agent_id="ada", page_size=7, page_token="t")  # noqa: S106


@pytest.mark.parametrize("cursor", [CURSOR, query_messages.after_revision(3), EventCursor(0, 0)])
def test_the_place_in_a_watch_comes_back(cursor: EventCursor) -> None:
    token = query_messages.resume_token(REVISIONS, ADA, cursor)
    assert query_messages.read_resume_token(REVISIONS, ADA, token) == cursor


def test_a_watch_of_another_agent_or_database_is_not_resumed() -> None:
    token = query_messages.resume_token(REVISIONS, ADA, CURSOR)
    assert query_messages.read_resume_token(REVISIONS, ADA, token) == CURSOR
    with pytest.raises(RevisionUnknown):
        query_messages.read_resume_token(REVISIONS, BOB, token)
    with pytest.raises(RevisionUnknown):
        query_messages.read_resume_token(OTHER_DATABASE, ADA, token)


@each_case(
    "change",
    [
        lambda token: token.replace(".", ""),
        lambda token: token.rpartition(".")[0],
        lambda token: token + "x",
        lambda token: token + "0" * 20,
        lambda token: "x" + token,
        lambda token: token.replace(".", ".-"),
        lambda token: token.rpartition(".")[0] + ".१",
        lambda _: "",
        lambda _: ".",
        lambda _: "ключ",
    ],
)
def test_a_forged_resume_token_is_refused(change: object) -> None:
    token = query_messages.resume_token(REVISIONS, ADA, CURSOR)
    with pytest.raises(InvalidPageToken):
        query_messages.read_resume_token(REVISIONS, ADA, change(token))  # type: ignore[operator]


def test_a_resume_token_of_memories_is_refused() -> None:
    token = REVISIONS.resume_token({ADA: WatchPosition(3)})
    assert REVISIONS.read_resume_token([ADA], token) == {ADA: WatchPosition(3)}
    with pytest.raises(InvalidPageToken):
        query_messages.read_resume_token(REVISIONS, ADA, token)
