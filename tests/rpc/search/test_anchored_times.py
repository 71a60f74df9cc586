"""A query that names a time by an event: what tells of the event says when that was, if there is no doubt about it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import recall_pb2
from google.protobuf.timestamp_pb2 import Timestamp

from tests.rpc.memories.calls import recall, remember
from tests.rpc.records import bundle, record, shown
from tests.rpc.search.scope_rows import FRESH, SHARED, Row, store, texts
from tests.server_fixtures import Server

IGNORE, ONLY = recall_pb2.TIME_MODE_IGNORE, recall_pb2.TIME_MODE_ONLY
EARLY = datetime(2029, 5, 1, 9, tzinfo=UTC)
RELEASE = datetime(2029, 6, 15, 9, tzinfo=UTC)
EARLIEST, LATEST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
LATE = datetime(2029, 8, 1, 9, tzinfo=UTC)


@pytest.fixture(params=["memory", "postgres"])
def answered_from(request: pytest.FixtureRequest) -> str:
    """Memory and Postgres, which have to give the same answers."""
    answering: str = request.param
    return answering


@pytest.fixture
def server_settings() -> dict[str, Any]:
    """Vectors that mean something, so that relevance does."""
    return {"memory": {"embedding_model": "lexical", "embedding_dimensions": 384}}


def at(moment: datetime) -> Timestamp:
    stamp = Timestamp()
    stamp.FromDatetime(moment)
    return stamp


async def remember_at(server: Server, content: str, moment: datetime, **fields: Any) -> str:
    answer = await remember(server.alice, content, occurred_at=at(moment), **fields)
    return str(answer.memory_id)


async def remember_release(server: Server, **fields: Any) -> str:
    """Two decisions, and between them what a query names; the id of that."""
    await remember_at(server, "Ana decided to paint the walrus blue", EARLY)
    await remember_at(server, "Ana decided to paint the walrus green 🟢", LATE)
    return await remember_at(server, "the zeppelin release went out to all customers", RELEASE, **fields)


def decisions(answer: service.RecallResponse) -> list[str]:
    """The colours of the walrus, best first."""
    words = [hit.memory.content.replace(" 🟢", "").split()[-1] for hit in answer.hits]
    return [each for each in words if each in ("blue", "green")]


def told(answer: service.RecallResponse) -> tuple[str, str, str]:
    window = answer.time_window
    begin = getattr(window, "from")
    return (
        begin.ToDatetime(UTC).isoformat() if window.HasField("from") else "",
        window.until.ToDatetime(UTC).isoformat() if window.HasField("until") else "",
        window.text,
    )


async def test_what_happened_before_or_after_the_event_comes_first(server: Server) -> None:
    release = await remember_release(server)
    for text, order in (
        ("what did Ana decide to paint before the zeppelin release?", ["blue", "green"]),
        ("what did Ana decide to paint after the zeppelin release?", ["green", "blue"]),
        ("what did Ana decide to paint since the zeppelin release?", ["green", "blue"]),
    ):
        answer = await recall(server.alice, text)
        assert decisions(answer) == order
        assert len(answer.hits) == 3
        assert answer.time_window.anchor.text == "zeppelin release"
        assert answer.time_window.anchor.id == release
        assert answer.time_window.anchor.score > 0.5
    moment = RELEASE.isoformat()
    assert told(answer) == (moment, "", "since the zeppelin release")


async def test_the_week_after_the_event_is_a_week(server: Server) -> None:
    await remember_release(server)
    await remember_at(server, "Ana decided to sell the walrus", RELEASE + timedelta(days=3))
    text = "what did Ana decide the week after the zeppelin release?"
    answer = await recall(server.alice, text, time_mode=ONLY)
    week = (RELEASE.isoformat(), (RELEASE + timedelta(days=7)).isoformat())
    assert told(answer) == (*week, "the week after the zeppelin release")
    assert texts(answer)[0] == "Ana decided to sell the walrus"
    assert decisions(answer) == []


async def test_nothing_else_is_found_or_the_event_is_words_where_the_caller_says_so(server: Server) -> None:
    await remember_release(server)
    text = "what did Ana decide to paint before the zeppelin release?"
    assert decisions(await recall(server.alice, text, time_mode=ONLY)) == ["blue"]
    ignored = await recall(server.alice, text, time_mode=IGNORE, explain=True)
    assert sorted(decisions(ignored)) == ["blue", "green"]
    assert not ignored.HasField("time_window")
    assert {hit.breakdown.temporal_weight for hit in ignored.hits} == {0}


async def test_an_event_of_which_nothing_tells_is_told_but_counts_for_nothing(server: Server) -> None:
    await remember_release(server)
    text = "what did Ana decide to paint before the helicopter wedding in Ulm?"
    answer = await recall(server.alice, text, time_mode=ONLY, explain=False)
    assert sorted(decisions(answer)) == ["blue", "green"]
    assert not answer.HasField("time_window")
    explained = await recall(server.alice, text, explain=True)
    assert explained.time_window.anchor.text == "helicopter wedding in Ulm"
    assert explained.time_window.anchor.id == ""
    assert explained.time_window.anchor.score < 0.5
    assert told(explained) == ("", "", "the helicopter wedding in Ulm")
    assert {hit.breakdown.temporal_weight for hit in explained.hits} == {0}
    assert [hit.score for hit in explained.hits] == [hit.score for hit in answer.hits]


async def test_an_event_that_was_twice_counts_for_nothing(server: Server) -> None:
    await remember_release(server)
    text = "what did Ana decide to paint before the zeppelin release?"
    assert (await recall(server.alice, text)).HasField("time_window")
    again = RELEASE + timedelta(days=2)
    await remember_at(server, "the zeppelin release: all customers have it", again)
    assert (await recall(server.alice, text)).HasField("time_window")
    await remember_at(server, "the zeppelin release went to customers", LATE)
    answer = await recall(server.alice, text, explain=True)
    assert answer.time_window.anchor.id == ""
    assert answer.time_window.anchor.score > 0.5


async def test_the_time_that_the_event_itself_names_counts(server: Server) -> None:
    await remember_at(server, "Ana decided to paint the walrus blue", EARLY)
    await remember_at(server, "the zeppelin release was on 20 April 2029", RELEASE)
    text = "what did Ana decide to paint after the zeppelin release?"
    answer = await recall(server.alice, text)
    assert told(answer)[0] == "2029-04-21T00:00:00+00:00"
    assert answer.hits[0].memory.content.endswith("blue")


@pytest.mark.parametrize(
    ("event", "text", "named"),
    [
        ("Umzug nach Köln mit dem Klavier", "Was war vor dem Umzug nach Köln?", "vor dem Umzug nach Köln"),
        ("grande panne du serveur", "Qu'avons-nous décidé avant la grande panne ?", "avant la grande panne"),
        ("lanzamiento del cohete "
         "rojo", "¿Qué decidimos antes del lanzamiento del cohete?", "antes del lanzamiento del cohete"),
        ("релиз дирижабля состоялся", "Что мы решили до релиз дирижабля?", "до релиз дирижабля"),
        ("飞艇正式发布了", "飞艇发布之前我们决定了什么", "飞艇发布之前"),
        ("تم إطلاق المنطاد الأحمر", "ماذا قررنا قبل إطلاق المنطاد؟", "قبل إطلاق المنطاد"),
        ("गुब्बारे की रिलीज़ हुई", "हमने गुब्बारे की रिलीज़ से पहले क्या तय किया?", "गुब्बारे की रिलीज़ से पहले"),
        ("the 🚀 cafe\u0301 opening", "what was before the 🚀 café opening?", "before the 🚀 café opening"),
    ],
)  # fmt: skip
async def test_the_event_is_named_in_eight_languages(server: Server, event: str, text: str, named: str) -> None:
    await remember_at(server, event, RELEASE)
    assert told(await recall(server.alice, text)) == ("", RELEASE.isoformat(), named)


async def test_the_filter_holds_for_the_event_too(server: Server) -> None:
    await remember_release(server)
    text = "what did Ana decide to paint before the zeppelin release?"
    found = await recall(server.alice, text)
    assert found.time_window.anchor.id
    without = pb.MemoryFilter(occurred_from=at(LATE))
    hidden = await recall(server.alice, text, filter=without, explain=True)
    assert hidden.time_window.anchor.id == ""
    assert hidden.time_window.anchor.score < 0.5


async def test_another_tenants_event_is_not_found(server: Server) -> None:
    text = "what did Ana decide before the zeppelin release?"
    await remember(server.rival, "the zeppelin release went out", occurred_at=at(RELEASE))
    await remember_at(server, "Ana decided to paint", EARLY)
    assert not (await recall(server.alice, text, explain=True)).time_window.anchor.id
    assert (await recall(server.rival, text, explain=True)).time_window.anchor.id


@pytest.mark.own_server
async def test_an_event_of_the_shared_scope_is_one_for_the_agent(server: Server) -> None:
    await remember_at(server, "Ana decided to paint the walrus blue", EARLY)
    await remember_at(server, "Ana decided to paint the walrus green", LATE)
    event = Row("the zeppelin release went out", fields={"occurred_at": RELEASE})
    await store(server, SHARED, [event])
    text = "what did Ana decide to paint before the zeppelin release?"
    both = await recall(server.alice, text, include_shared=True, time_mode=ONLY, **FRESH)
    assert both.time_window.anchor.id == str(event.row_id)
    assert decisions(both) == ["blue"]
    assert not (await recall(server.alice, text, explain=True)).time_window.anchor.id


async def test_an_event_of_the_log_is_one(server: Server) -> None:
    for moment, said in (
        (EARLY, "Ana decided to paint the walrus blue"),
        (LATE, "Ana decided to paint the walrus green"),
    ):
        await record(server.alice, said, session_id=said, occurred_at=at(moment))
    release = await record(server.alice, "the zeppelin release went out", session_id="r", occurred_at=at(RELEASE))
    text = "what did Ana decide to paint before the zeppelin release?"
    answer = await recall(server.alice, text, sources=[pb.SOURCE_EVENT], time_mode=ONLY)
    assert answer.time_window.anchor.id == release.event_id
    assert texts(answer) == [
        "user: Ana decided to paint the walrus blue",
        # It fits, too: at its own moment.
        "user: the zeppelin release went out",
    ]


async def test_a_bundle_prefers_what_happened_before_the_event_too(server: Server) -> None:
    for moment, said in (
        (EARLY, "Ana decided to paint the walrus blue"),
        (LATE, "Ana decided to paint the walrus green"),
        (RELEASE, "the zeppelin release went out"),
    ):
        await record(server.alice, said, session_id=said, occurred_at=at(moment))
    for side, colours in (("before", ["blue", "green"]), ("after", ["green", "blue"])):
        text = f"what did Ana decide to paint {side} the zeppelin release?"
        built = await bundle(server.alice, text, session_id="now")
        found = [each for each in shown(built)["retrieved_evidence"] if "paint" in each]
        assert [each.split()[-1] for each in found] == colours


async def test_words_that_name_no_event_are_none(server: Server) -> None:
    await remember_release(server)
    for text in ("what did Ana paint after that", "paint before 2029-06-01", "what came before"):
        answer = await recall(server.alice, text, explain=True)
        assert not answer.time_window.HasField("anchor")
    named = await recall(server.alice, "what came before the zeppelin release", explain=True)
    assert named.time_window.HasField("anchor")


@pytest.mark.parametrize("moment", [EARLIEST, LATEST])
@pytest.mark.parametrize("unit", ["", "the week ", "999 decades "])
async def test_an_event_at_an_end_of_the_calendar_is_no_trouble(server: Server, moment: datetime, unit: str) -> None:
    await remember_at(server, "the zeppelin release went out", moment)
    for word in ("before", "after", "since", "during"):
        answer = await recall(server.alice, f"what was {unit}{word} the zeppelin release")
        assert len(answer.hits) == 1
