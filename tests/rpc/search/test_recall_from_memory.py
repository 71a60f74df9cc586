"""Recall with the scope in memory: nothing that is asked disturbs it, and every answer is of one moment."""

import asyncio
import itertools
import random
from dataclasses import dataclass, field

import grpc
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.consistency_pb2 import Freshness, Revision
from camillo_server.doors.rpc.field_limits import limit_of
from camillo_server.doors.rpc.tokens import RevisionTokens
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.lib.text.tokens import count_tokens

from tests.patience import PATIENCE_SECONDS
from tests.rpc.forgetting.test_forget import forget
from tests.rpc.memories.calls import recall, remember
from tests.rpc.memories.test_update import update
from tests.server_fixtures import DIMENSIONS, Caller, Server, StartServer, refused

pytestmark = pytest.mark.caches

ALICE = Scope(TenantId("acme"), AgentId("alice"))
OWN = [1.0] + [0.0] * (DIMENSIONS - 1)


@pytest.fixture
def answered_from() -> str:
    return "memory"


def contents(answer: service.RecallResponse) -> list[str]:
    return sorted(hit.memory.content for hit in answer.hits)


async def assert_still_warm(server: Server) -> None:
    """Checks that memory answers without another load, and that nothing was dropped."""
    caller = Caller(server.channel, server.keys.alice, None)
    answer = await caller(service.RecallRequest(text="walrus"))
    assert answer.answered_by == pb.ANSWERED_BY_CACHE
    assert server.app.search.engine.caches.failures == 0


async def with_memories(server: Server, count: int = 3) -> None:
    """Stores so many memories, and checks that memory answers."""
    batch = [pb.NewMemory(content=f"walrus {number}") for number in range(count)]
    await server.alice(service.BatchRememberRequest(memories=batch))
    assert (await recall(server.alice, "walrus")).answered_by == pb.ANSWERED_BY_CACHE


@pytest.mark.own_server
@pytest.mark.parametrize(
    "values",
    [
        [float("nan")] * DIMENSIONS,
        [float("inf")] + [0.0] * (DIMENSIONS - 1),
        [0.0] * DIMENSIONS,
        [1.0] * (DIMENSIONS - 1),
        [1.0] * (DIMENSIONS + 1),
    ],
    ids=["nan", "infinite", "zero", "too short", "too long"],
)
async def test_a_vector_that_is_none_is_refused(server: Server, values: list[float]) -> None:
    await with_memories(server)
    for model_id in ("", server.app.kernel.providers.serving.model_id):
        vector = pb.Vector(model_id=model_id, values=values)
        refusal = await refused(server.alice(service.RecallRequest(vector=vector)))
        assert refusal.code == grpc.StatusCode.INVALID_ARGUMENT
    good = await server.alice(service.RecallRequest(vector=pb.Vector(values=OWN)))
    assert len(good.hits) == 3
    await assert_still_warm(server)


@pytest.mark.own_server
async def test_a_vector_of_another_model_is_left_to_postgres(server: Server) -> None:
    await with_memories(server)
    await remember(server.alice, "foreign", vector=pb.Vector(model_id="other", values=[1.0, 0.0]))
    vector = pb.Vector(model_id="other", values=[1.0, 0.0])
    answer = await server.alice(service.RecallRequest(vector=vector))
    assert answer.answered_by == pb.ANSWERED_BY_POSTGRES
    assert contents(answer) == ["foreign"]
    await assert_still_warm(server)


@pytest.mark.own_server
@pytest.mark.parametrize("word", ["walrus ", "海象", "🦭", "x"])
async def test_a_query_as_long_as_may_be_is_answered_and_a_longer_one_refused(server: Server, word: str) -> None:
    await with_memories(server)
    most = limit_of(service.RecallRequest, "text").characters.max
    text = (word * most)[:most]
    assert (await recall(server.alice, text)).answered_by == pb.ANSWERED_BY_CACHE
    refusal = await refused(recall(server.alice, text + "x"))
    assert refusal.code == grpc.StatusCode.INVALID_ARGUMENT
    await assert_still_warm(server)


async def test_filters_on_what_nobody_has_find_nothing(server: Server) -> None:
    await with_memories(server)
    unknown = pb.MemoryFilter()
    unknown.metadata["nobody"] = "has this"
    for wanted in (
        pb.MemoryFilter(tags_any=["nobody has this"]),
        pb.MemoryFilter(tags_all=["nobody has this"]),
        pb.MemoryFilter(session_id="nobody has this"),
        unknown,
    ):
        answer = await recall(server.alice, "walrus", filter=wanted)
        assert answer.answered_by == pb.ANSWERED_BY_CACHE
        assert not answer.hits
    assert len((await recall(server.alice, "walrus", filter=pb.MemoryFilter())).hits) == 3


async def test_two_hundred_hits_are_the_best_of_three_hundred_in_order(server: Server) -> None:
    await with_memories(server, 100)
    for part in (1, 2):
        batch = [pb.NewMemory(content=f"pelican {part} {number}") for number in range(100)]
        await server.alice(service.BatchRememberRequest(memories=batch))
    answer = await recall(server.alice, "walrus", limit=200, explain=True)
    assert answer.answered_by == pb.ANSWERED_BY_CACHE
    assert len({hit.memory.memory_id for hit in answer.hits}) == 200
    scores = [hit.breakdown.order_score for hit in answer.hits]
    assert scores == sorted(scores, reverse=True)
    assert answer.hits[0].memory.content.startswith("walrus")
    assert {hit.memory.content.split()[0] for hit in answer.hits} == {"walrus", "pelican"}


async def test_with_no_bytes_postgres_answers_everything(start_server: StartServer) -> None:
    without = await start_server(retrieval={"cache_bytes": 0})
    await remember(without.alice, "walrus")
    answer = await recall(without.alice, "walrus")
    assert answer.answered_by == pb.ANSWERED_BY_POSTGRES
    assert contents(answer) == ["walrus"]
    assert not len(without.app.search.engine.caches.budget)


@pytest.mark.own_server
async def test_own_writes_are_seen_at_once_whatever_they_do(server: Server) -> None:
    await with_memories(server)
    for number in range(10):
        stored = await remember(server.alice, f"pelican {number}")
        assert f"pelican {number}" in contents(await recall(server.alice, "pelican"))
        await server.alice(update(stored.memory_id, 1, content=f"penguin {number}"))
        found = contents(await recall(server.alice, "pelican"))
        assert f"pelican {number}" not in found
        assert f"penguin {number}" in found
        await server.alice(forget(stored.memory_id))
        assert f"penguin {number}" not in contents(await recall(server.alice, "penguin"))
    await assert_still_warm(server)


async def test_a_write_to_one_server_is_found_on_the_other_by_its_revision(start_server: StartServer) -> None:
    one, two = await start_server(), await start_server()
    await with_memories(one)
    await with_memories(two)
    for number in range(50):
        here, there = random.Random(number).sample([one, two], 2)  # noqa: S311
        new = pb.NewMemory(content=f"pelican{number}")
        stored = await here.alice(service.RememberRequest(memory=new))
        fresh = Freshness(at_least_as_fresh=stored.revision)
        answer = await recall(there.alice, f"pelican{number}", freshness=fresh)
        assert f"pelican{number}" in contents(answer)
        assert answer.answered_by == pb.ANSWERED_BY_CACHE


@dataclass(slots=True)
class Story:
    """Contents of every memory at every revision, by the answers to the writes."""

    tokens: RevisionTokens
    told: dict[str, list[tuple[int, str | None]]] = field(default_factory=dict)
    read: list[tuple[int, dict[str, str], int]] = field(default_factory=list)

    @property
    def is_told(self) -> bool:
        """Whether many answers, of many moments, have been read."""
        return len(self.read) > 300 and len({revision for revision, _, _ in self.read}) > 40

    def number(self, revision: Revision) -> int:
        return self.tokens.read_revision(ALICE, revision.token, "revision")

    def tell(self, memory_id: str, revision: Revision, content: str | None) -> None:
        self.told.setdefault(memory_id, []).append((self.number(revision), content))

    def at(self, revision: int) -> dict[str, str]:
        """The scope as it was."""
        then = {}
        for memory_id, versions in self.told.items():
            known = [content for since, content in sorted(versions) if since <= revision]
            if known and known[-1] is not None:
                then[memory_id] = known[-1]
        return then


@pytest.mark.own_server
async def test_while_writers_change_a_scope_every_answer_is_of_one_moment(server: Server) -> None:
    # Few enough that a recall finds all of them.
    story = Story(RevisionTokens(await server.app.kernel.database.history()))
    await with_memories(server, 1)
    first = await recall(server.alice, "walrus")
    story.tell(first.hits[0].memory.memory_id, first.revision, "walrus 0")
    async with asyncio.timeout(5 * PATIENCE_SECONDS):
        writers = [write_until_told(server, story, number) for number in range(4)]
        readers = [read_until_told(server, story) for _ in range(4)]
        await asyncio.gather(*writers, *readers)
    assert story.is_told
    from_memory = [by == pb.ANSWERED_BY_CACHE for _, _, by in story.read]
    assert sum(from_memory) > len(from_memory) * 0.9
    for revision, found, _ in story.read:
        assert found == story.at(revision)
    await assert_still_warm(server)


async def write_until_told(server: Server, story: Story, number: int) -> None:
    """Remembers, updates and forgets memories of its own; never more than a few."""
    dice = random.Random(number)  # noqa: S311
    held: dict[str, int] = {}
    for turn in itertools.count():
        if story.is_told:
            return
        content = f"walrus of writer {number} in turn {turn} 海象"
        if held and (len(held) >= 8 or dice.random() < 0.5):
            memory_id = dice.choice(sorted(held))
            if dice.random() < 0.5:
                answer = await server.alice(forget(memory_id))
                story.tell(memory_id, answer.revision, None)
                del held[memory_id]
                continue
            answer = await server.alice(update(memory_id, held[memory_id], content=content))
            held[memory_id] += 1
        else:
            new = pb.NewMemory(content=content, session_id=f"s{number}")
            answer = await server.alice(service.RememberRequest(memory=new))
            memory_id = answer.memory.memory_id
            held[memory_id] = 1
        story.tell(memory_id, answer.revision, content)


async def read_until_told(server: Server, story: Story) -> None:
    while not story.is_told:
        answer = await recall(server.alice, "walrus", explain=False)
        found = {hit.memory.memory_id: hit.memory.content for hit in answer.hits}
        story.read.append((story.number(answer.revision), found, answer.answered_by))


async def test_tokens_are_those_of_the_text_as_it_is_now(server: Server) -> None:
    """Token counts are kept from one recall to the next, and while the index grows."""
    text = "walrus 海象 🦭 " * 20
    first = await remember(server.alice, text)
    for number in range(300):
        answer = await recall(server.alice, "walrus", limit=1)
        assert answer.answered_by == pb.ANSWERED_BY_CACHE
        assert answer.tokens == count_tokens(answer.hits[0].memory.content)
        if number % 30 == 0:
            batch = [pb.NewMemory(content=f"walrus {number} {n}") for n in range(40)]
            await server.alice(service.BatchRememberRequest(memories=batch))
    shorter = await server.alice(update(first.memory_id, 1, content="walrus قصير"))
    assert shorter.memory.version == 2
    answer = await recall(server.alice, "walrus قصير", limit=1)
    assert answer.hits[0].memory.memory_id == first.memory_id
    assert answer.tokens == count_tokens("walrus قصير") < count_tokens(text)
