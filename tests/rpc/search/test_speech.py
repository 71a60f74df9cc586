"""Who says what, and whether it asks: what somebody says whom the query names comes before what is said of them, and
what replies to a question before the question."""

from datetime import timedelta
from typing import Any

import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.actor_pb2 import ACTOR_TYPE_AGENT, ACTOR_TYPE_HUMAN, Actor
from camillo.v1.memory_pb2 import SOURCE_EVENT
from camillo.v1.recall_pb2 import SPEECH_MODE_IGNORE
from google.protobuf.timestamp_pb2 import Timestamp

from tests.rpc.memories.calls import recall, remember
from tests.rpc.records import bundle, record, section
from tests.rpc.search.scope_rows import FRESH
from tests.server_fixtures import Server
from tests.shared_servers import ShareServer

BY_WORDS = {"embedding_model": "lexical", "embedding_dimensions": 384}


@pytest.fixture(params=[{}, {"cache_bytes": 0}], ids=["memory", "postgres"])
async def here(share_server: ShareServer, request: pytest.FixtureRequest) -> Server:
    """Servers that answer from memory and from Postgres, which have to give the same answers."""
    return await share_server(memory=BY_WORDS, retrieval=request.param)


async def told(server: Server, *lines: str, session: str = "monday") -> None:
    """A conversation, line by line."""
    for number, line in enumerate(lines):
        stamp = Timestamp()
        stamp.FromDatetime(server.clock.now() + timedelta(seconds=number))
        await remember(server.alice, line, session_id=session, occurred_at=stamp)


async def hits(server: Server, text: str, **fields: Any) -> dict[str, pb.RecallHit]:
    """Hits by their text, best first."""
    answer = await recall(server.alice, text, **FRESH, **fields)
    return {hit.memory.content or hit.chunk.text: hit for hit in answer.hits}


@pytest.mark.parametrize(
    ("query", "said", "of_her"),
    [
        ("What does Ana drink?", "Ana: green tea, what else", "Ben: Ana and green tea, what else"),
        ("Was trinkt Jürgen?", "Jürgen: grünen Tee 🍵", "Ben: Jürgen und grünen Tee 🍵"),
        ("小明喝什么茶", "小明：绿茶", "老王：小明和绿茶"),
        ("ماذا تشرب ليلى؟", "ليلى: الشاي الأخضر", "سامي: ليلى والشاي الأخضر"),
    ],
)
async def test_what_those_say_whom_the_query_names_is_preferred(
    here: Server, query: str, said: str, of_her: str
) -> None:
    await told(here, of_her, session="one")
    await told(here, said, session="two")
    found = await hits(here, query)
    assert next(iter(found)) == said
    assert found[said].breakdown.speech.is_named
    assert not found[of_her].breakdown.speech.is_named
    assert found[said].breakdown.speech.score > found[of_her].breakdown.speech.score
    ignored = await hits(here, query, speech_mode=SPEECH_MODE_IGNORE)
    assert len(ignored) == 2
    assert not any(hit.breakdown.HasField("speech") for hit in ignored.values())


async def test_what_replies_to_a_question_is_found_by_it(here: Server) -> None:
    question, reply = "Ben: Which airline did you take?", "Ana: TAP, they let me bring the cello."
    await told(here, "Ana: I booked the flights.", question, reply)
    await told(here, "Ana: My cello needs strings.", "Ben: Mill Road sells them.", session="two")
    found = await hits(here, "Which airline did they take?")
    asked, replied = found[question].breakdown, found[reply].breakdown
    assert asked.speech.asks
    assert not asked.speech.replies
    assert replied.speech.replies
    assert not replied.speech.asks
    assert replied.speech.score > asked.speech.score
    ignored = await hits(here, "Which airline did they take?", speech_mode=SPEECH_MODE_IGNORE)
    assert replied.neighbourhood > ignored[reply].breakdown.neighbourhood > 0
    assert replied.similarity / asked.similarity > (
        ignored[reply].breakdown.similarity / ignored[question].breakdown.similarity
    )


async def test_a_bundle_prefers_it_as_a_recall_does(here: Server) -> None:
    question, answer = ("Ben: Which airline does Ana take?", "Ana: I take TAP, an airline for cellos 🎻")
    await told(here, question, answer, "Ben: cellos need a seat, does Ana know?")
    # By words alone the question is the first of them.
    ignored = await hits(here, "Which airline does Ana take?", speech_mode=SPEECH_MODE_IGNORE)
    assert next(iter(ignored)) == question
    built = await bundle(here.alice, "Which airline does Ana take?", freshness=FRESH["freshness"])
    assert answer in section(built, "retrieved_evidence").items[0].text
    built = await bundle(
        here.alice, "Which airline does Ana take?", freshness=FRESH["freshness"], speech_mode=SPEECH_MODE_IGNORE
    )
    assert question in section(built, "retrieved_evidence").items[0].text


async def test_a_query_in_the_first_person_prefers_what_a_person_says(here: Server) -> None:
    for type_, name in ((ACTOR_TYPE_AGENT, "helper"), (ACTOR_TYPE_HUMAN, "ana")):
        await record(here.alice, "the cover letter 📄", session_id=name, actor=Actor(type=type_, id=name))
    found = await hits(here, "Where is my cover letter?", sources=[SOURCE_EVENT])
    named = {text: hit.breakdown.speech.is_named for text, hit in found.items()}
    assert named == {"ana: the cover letter 📄": True, "helper: the cover letter 📄": False}
    other = await hits(here, "Where is the cover letter?", sources=[SOURCE_EVENT])
    assert len(other) == 2
    assert not any(hit.breakdown.speech.is_named for hit in other.values())


async def test_the_parts_sum_to_the_similarity(here: Server) -> None:
    await told(here, "Ben: Which airline?", "Ana: the airline TAP", "Ana: cello", "Ben: cello?")
    for hit in (await hits(here, "Which airline does Ana take?")).values():
        terms = hit.breakdown
        summed = (
            terms.dense_weight * terms.dense.normalized
            + terms.lexical_weight * terms.lexical.normalized
            + terms.neighbour_weight * terms.neighbourhood
            + terms.brevity_weight * terms.brevity
            + terms.speech.weight * terms.speech.score
        )
        assert summed == pytest.approx(terms.similarity, abs=1e-5)
        assert terms.speech.weight > 0


async def test_where_all_are_alike_there_is_nothing_to_tell(here: Server) -> None:
    await told(here, "a walrus sleeps", "a walrus sings 🦭")
    found = await hits(here, "walrus")
    assert len(found) == 2
    assert not any(hit.breakdown.HasField("speech") for hit in found.values())
    await told(here, "does a walrus sing?", session="two")
    assert all(hit.breakdown.HasField("speech") for hit in (await hits(here, "walrus")).values())


async def test_a_text_that_is_changed_is_what_it_says_now(here: Server) -> None:
    memory = await remember(here.alice, "Ana: does the walrus sing?")
    await remember(here.alice, "Ben: the walrus sings")
    assert (await hits(here, "walrus"))[memory.content].breakdown.speech.asks
    changed = service.UpdateMemoryRequest(
        memory_id=memory.memory_id,
        expected_version=memory.version,
        memory=pb.Memory(content="Ana: the walrus does sing"),
        update_mask={"paths": ["content"]},
    )
    await here.alice(changed)
    found = await hits(here, "What does Ana say of the walrus?")
    now = found["Ana: the walrus does sing"].breakdown.speech
    assert (now.asks, now.is_named) == (False, True)
