"""A time that a query names: what happened then, or names it, is found and preferred; or nothing else is."""

from datetime import UTC, datetime, timedelta
from typing import Any

import grpc
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import recall_pb2
from google.protobuf.timestamp_pb2 import Timestamp

from tests.rpc.memories.calls import recall, remember
from tests.rpc.records import bundle, record, section, shown
from tests.rpc.search.scope_rows import FRESH, SHARED, Row, store, texts
from tests.server_fixtures import Server, refused

PREFER, IGNORE, ONLY = (recall_pb2.TIME_MODE_PREFER, recall_pb2.TIME_MODE_IGNORE, recall_pb2.TIME_MODE_ONLY)
# The server's clock stands at the first of January 2030, a Tuesday.
MAY = datetime(2029, 5, 3, 9, tzinfo=UTC)
JULY = datetime(2029, 7, 3, 9, tzinfo=UTC)


@pytest.fixture(params=["memory", "postgres"])
def answered_from(request: pytest.FixtureRequest) -> str:
    """Memory and Postgres, which have to give the same answers."""
    answering: str = request.param
    return answering


def at(moment: datetime) -> Timestamp:
    stamp = Timestamp()
    stamp.FromDatetime(moment)
    return stamp


async def remember_at(server: Server, content: str, moment: datetime, **fields: Any) -> None:
    await remember(server.alice, content, occurred_at=at(moment), **fields)


def contents(answer: service.RecallResponse) -> list[str]:
    return [hit.memory.content for hit in answer.hits]


def window(answer: service.RecallResponse) -> tuple[str, str, str]:
    told = answer.time_window
    begin = getattr(told, "from")
    return (
        begin.ToDatetime().date().isoformat() if told.HasField("from") else "",
        told.until.ToDatetime().date().isoformat() if told.HasField("until") else "",
        told.text,
    )


async def test_what_happened_at_the_time_comes_first(server: Server) -> None:
    await remember_at(server, "Ana cooked a walrus soup 🦭", JULY)
    await remember_at(server, "Ana cooked a walrus stew 海象", MAY)
    for text, first in (("What did Ana cook in May?", "stew"), ("What did Ana cook in July?", "soup")):
        answer = await recall(server.alice, text)
        assert first in contents(answer)[0]
        assert len(answer.hits) == 2
        assert answer.hits[0].breakdown.temporal == 1
        assert answer.hits[1].breakdown.temporal < 0.5
        assert 0 < answer.hits[0].breakdown.temporal_weight < 1
    assert window(answer) == ("2029-07-01", "2029-08-01", "July")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Was hat Ana im Mai gekocht?", "Mai"),
        ("安娜五月煮了什么", "五月"),
        ("ماذا طبخت آنا في مايو الماضي؟", "مايو الماضي"),
        ("Что готовила Ана в мае?", "мае"),
        ("मई में क्या पकाया 🍲", "मई"),
    ],
)
async def test_the_window_is_told_in_the_words_of_the_query(server: Server, text: str, named: str) -> None:
    await remember_at(server, "walrus stew", MAY)
    assert window(await recall(server.alice, text)) == ("2029-05-01", "2029-06-01", named)


async def test_a_query_that_names_no_time_has_no_window(server: Server) -> None:
    await remember_at(server, "Ana may march with a walrus", MAY)
    answer = await recall(server.alice, "May Ana march with a walrus?")
    assert answer.hits
    assert not answer.HasField("time_window")
    assert answer.hits[0].breakdown.temporal_weight == 0
    assert (await recall(server.alice, "Did Ana march in May?")).HasField("time_window")


async def test_the_time_is_ignored_where_the_caller_says_so(server: Server) -> None:
    await remember_at(server, "Ana cooked a walrus soup", JULY)
    await remember_at(server, "Ana cooked a walrus stew for May", MAY)
    answer = await recall(server.alice, "What did Ana cook in July?", time_mode=IGNORE)
    assert not answer.HasField("time_window")
    assert {hit.breakdown.temporal_weight for hit in answer.hits} == {0}
    preferred = await recall(server.alice, "What did Ana cook in July?", time_mode=PREFER)
    assert preferred.HasField("time_window")


async def test_nothing_else_is_found_where_the_caller_says_so(server: Server) -> None:
    await remember_at(server, "Ana cooked a walrus soup", JULY)
    await remember_at(server, "Ana cooked a walrus stew", MAY)
    await remember_at(server, "the walrus feast is on May 20, 2029 🎉", JULY)
    text = "What walrus did Ana cook in May?"
    everything = contents(await recall(server.alice, text))
    only = contents(await recall(server.alice, text, time_mode=ONLY))
    assert len(everything) == 3
    assert sorted(only) == ["Ana cooked a walrus stew", "the walrus feast is on May 20, 2029 🎉"]
    without_time = await recall(server.alice, "walrus Ana cook", time_mode=ONLY)
    assert len(without_time.hits) == 3


async def test_a_relative_time_counts_from_the_moment_of_the_query(server: Server) -> None:
    await remember_at(server, "the walrus sang", JULY)
    await remember_at(server, "the walrus slept", JULY + timedelta(days=30))
    text = "what did the walrus do yesterday"
    then = await recall(server.alice, text, query_time=at(JULY + timedelta(days=1)), time_mode=ONLY)
    assert contents(then) == ["the walrus sang"]
    assert window(then) == ("2029-07-03", "2029-07-04", "yesterday")
    now = await recall(server.alice, text, time_mode=ONLY)
    assert window(now) == ("2029-12-31", "2030-01-01", "yesterday")
    assert not now.hits


@pytest.mark.parametrize("seconds", [-62_135_596_800, 253_402_300_799])
async def test_the_first_and_the_last_moment_are_no_error(server: Server, seconds: int) -> None:
    await remember_at(server, "a walrus", MAY)
    moment = Timestamp(seconds=seconds)
    for text in ("walrus yesterday", "walrus tomorrow", "walrus 999 years ago", "last decade"):
        answer = await recall(server.alice, f"walrus {text}", query_time=moment)
        assert contents(answer) == ["a walrus"]


async def test_a_moment_that_is_none_is_refused(server: Server) -> None:
    request = service.RecallRequest(text="walrus", query_time=Timestamp(seconds=1 << 60))
    refusal = await refused(server.alice(request))
    assert refusal.code == grpc.StatusCode.INVALID_ARGUMENT
    assert refusal.fields == ("query_time",)


async def test_what_the_best_of_everywhere_leave_out_is_found_within_the_time(server: Server) -> None:
    many = [pb.NewMemory(content=f"walrus walrus walrus {number}", occurred_at=at(JULY)) for number in range(120)]
    await server.alice(service.BatchRememberRequest(memories=many))
    await remember_at(server, "on that day the keeper saw a walrus and wrote of many other things", MAY)
    text = "what about the walrus walrus on 3 May 2029"
    only = await recall(server.alice, text, limit=5, time_mode=ONLY)
    assert len(only.hits) == 1
    assert "keeper" in contents(only)[0]
    ignoring = await recall(server.alice, text, limit=5, time_mode=IGNORE)
    assert len(ignoring.hits) == 5
    assert not any("keeper" in each for each in contents(ignoring))


async def test_a_filter_holds_beside_the_time(server: Server) -> None:
    await remember_at(server, "a walrus in spring", MAY, tags=["spring"])
    await remember_at(server, "a walrus in May", MAY, tags=["may"])
    answer = await recall(server.alice, "walrus in May", filter=pb.MemoryFilter(tags_all=["spring"]))
    assert contents(answer) == ["a walrus in spring"]
    from_june = pb.MemoryFilter(occurred_from=at(datetime(2029, 6, 1, tzinfo=UTC)))
    assert not (await recall(server.alice, "walrus in May", filter=from_june)).hits
    assert len((await recall(server.alice, "walrus in May")).hits) == 2


@pytest.mark.own_server
async def test_the_time_counts_in_the_shared_scope_too(server: Server) -> None:
    await store(server, SHARED, [Row("shared walrus of May", fields={"occurred_at": MAY})])
    await remember_at(server, "own walrus of July", JULY)
    both = await recall(server.alice, "walrus in May", include_shared=True, **FRESH)
    assert texts(both)[0] == "shared walrus of May"
    assert len(both.hits) == 2
    only = await recall(server.alice, "walrus in May", include_shared=True, time_mode=ONLY, **FRESH)
    assert texts(only) == ["shared walrus of May"]


@pytest.mark.own_server
async def test_another_tenant_is_not_found_by_a_time(server: Server) -> None:
    await remember(server.rival, "the rival's walrus", occurred_at=at(MAY))
    assert not (await recall(server.alice, "walrus in May", time_mode=ONLY)).hits
    assert len((await recall(server.rival, "walrus in May", time_mode=ONLY)).hits) == 1


async def test_a_bundle_prefers_what_happened_at_the_time_too(server: Server) -> None:
    for moment, dish in ((JULY, "soup 🦭"), (MAY, "stew 海象")):
        await record(server.alice, f"Ana cooked a walrus {dish}", session_id=dish, occurred_at=at(moment))
    for asked, first in (("in May", "stew"), ("in July", "soup")):
        built = await bundle(server.alice, f"What did Ana cook {asked}?", session_id="now")
        found = shown(built)["retrieved_evidence"]
        assert len(found) == 2
        assert first in found[0]
    asked = "What did Ana cook in May?"
    only = await bundle(server.alice, asked, session_id="now", time_mode=ONLY)
    (stew,) = shown(only)["retrieved_evidence"]
    assert "stew" in stew
    ignored = await bundle(server.alice, asked, session_id="now", time_mode=IGNORE, explain=True)
    scores = {item.text[-2:]: item.score for item in section(ignored, "retrieved_evidence").items}
    preferred = await bundle(server.alice, asked, session_id="now", explain=True)
    for item in section(preferred, "retrieved_evidence").items:
        assert (item.score > scores[item.text[-2:]]) is ("stew" in item.text)


@pytest.mark.parametrize("time_mode", [PREFER, ONLY])
async def test_the_ends_of_the_calendar_are_no_trouble(server: Server, time_mode: recall_pb2.TimeMode) -> None:
    await remember_at(server, "The lease of the walrus ends on 31.12.9999.", MAY)
    await remember_at(server, "The walrus moved in on 0001-01-01 🦭", JULY)
    for text in ("the walrus on 31.12.9999", "the walrus before 0001-01-02", "the walrus in May"):
        for moment in (datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)):
            await recall(server.alice, text, time_mode=time_mode, query_time=at(moment))
    answer = await recall(server.alice, "the walrus in May 2029", time_mode=time_mode)
    assert contents(answer)[0].startswith("The lease")
