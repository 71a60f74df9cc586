"""Random operations on a scope, next to a plain dictionary that says what has to come of them."""

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from uuid import UUID

import grpc
import psycopg
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.lib.text.index_terms import index_terms

from tests.rpc.forgetting.test_forget import forget
from tests.rpc.memories.calls import get
from tests.rpc.memories.test_update import update
from tests.server_fixtures import Caller, Server

OPERATIONS = 150
WORDS = ["walrus", "userStore", "北京烤鸭", "tea", "tea tea", "app/main.py", "🚀", "planning"]


@dataclass(slots=True)
class Expected:
    """A memory as it should be."""

    content: str
    version: int = 1
    archived: bool = False
    tags: list[str] = field(default_factory=list)


class Model:
    """Contents of the scope, and the operations that change both it and the service."""

    def __init__(self, caller: Caller, seed: int) -> None:
        self.caller = caller
        self.dice = random.Random(seed)  # noqa: S311
        self.memories: dict[str, Expected] = {}
        self.forgotten: set[str] = set()

    async def step(self) -> None:
        """Runs one operation, chosen by chance; every so often it is repeated with its request id."""
        operations: list[Callable[[], Awaitable[None]]] = [
            self.remember,
            self.remember,
            self.batch,
            self.import_some,
            self.update,
            self.update,
            self.archive,
            self.restore,
            self.forget,
            self.forget_by_filter,
        ]
        await self.dice.choice(operations)()

    def words(self) -> str:
        """A text that nobody has stated: what repeats are is the business of other tests."""
        words = self.dice.choices(WORDS, k=self.dice.randint(1, 8))
        return " ".join([*words, str(self.dice.getrandbits(64))])

    def some(self, most: int = 3) -> list[str]:
        known = sorted(self.memories)
        return self.dice.sample(known, min(len(known), self.dice.randint(1, most)))

    def new_id(self) -> str:
        return str(UUID(int=self.dice.getrandbits(128), version=4))

    async def twice(self, request: object) -> object:
        """The answer; a repeat has to give the same and to change nothing."""
        request.request_id = self.new_id()  # type: ignore[attr-defined]
        answer = await self.caller(request)  # type: ignore[arg-type]
        if self.dice.random() < 0.3:
            again = await self.caller(request)  # type: ignore[arg-type]
            assert again.revision == answer.revision
        return answer

    async def remember(self) -> None:
        content, tags = self.words(), self.dice.sample(["a", "b", "c"], 2)
        memory = pb.NewMemory(memory_id=self.new_id(), content=content, tags=tags)
        await self.twice(service.RememberRequest(memory=memory))
        self.memories[memory.memory_id] = Expected(content, tags=tags)

    async def batch(self) -> None:
        new = {self.new_id(): self.words() for _ in range(self.dice.randint(1, 5))}
        clashes = dict.fromkeys(self.some(), "clash")
        memories = [pb.NewMemory(memory_id=i, content=c) for i, c in (new | clashes).items()]
        await self.twice(service.BatchRememberRequest(memories=memories))
        self.memories |= {memory_id: Expected(content) for memory_id, content in new.items()}

    async def import_some(self) -> None:
        replace = self.dice.random() < 0.5
        some = {self.new_id(): self.words() for _ in range(3)}
        some |= {memory_id: self.words() for memory_id in self.some()}
        policy = service.CONFLICT_POLICY_REPLACE if replace else service.CONFLICT_POLICY_SKIP
        memories = [pb.Memory(memory_id=i, content=c, version=4) for i, c in some.items()]
        request = service.ImportMemoriesRequest(on_conflict=policy, memories=memories)
        await self.caller.send([request])
        for memory_id, content in some.items():
            known = self.memories.get(memory_id)
            if known is None:
                self.memories[memory_id] = Expected(content, version=4)
            elif replace:
                version = max(4, known.version + 1)
                self.memories[memory_id] = Expected(content, version=version)

    async def update(self) -> None:
        for memory_id in self.some(1):
            known = self.memories[memory_id]
            content = self.words()
            await self.twice(update(memory_id, known.version, content=content))
            known.content, known.version = content, known.version + 1

    async def archive(self) -> None:
        for memory_id in self.some():
            known = self.memories[memory_id]
            await self.twice(update(memory_id, known.version, archived=True))
            known.archived, known.version = True, known.version + 1

    async def restore(self) -> None:
        ids = self.some(10)
        if ids:
            memory_ids = service.MemoryIds(ids=ids)
            await self.twice(service.RestoreMemoriesRequest(memory_ids=memory_ids))
        for known in (self.memories[memory_id] for memory_id in ids):
            known.version += known.archived
            known.archived = False

    async def forget(self) -> None:
        ids = self.some()
        if ids:
            await self.twice(forget(*ids))
            self.lose(ids)

    async def forget_by_filter(self) -> None:
        if self.dice.random() < 0.7:
            return
        wanted = pb.MemoryFilter(tags_all=["a", "b"])
        await self.twice(service.ForgetMemoriesRequest(filter=wanted))
        self.lose([i for i, m in self.memories.items() if {"a", "b"} <= {*m.tags} and not m.archived])

    def lose(self, ids: list[str]) -> None:
        self.forgotten.update(ids)
        for memory_id in ids:
            del self.memories[memory_id]


@pytest.mark.own_server
@pytest.mark.parametrize("seed", range(4))
async def test_the_service_agrees_with_a_dictionary(server: Server, seed: int) -> None:
    model = Model(server.alice, seed)
    for step in range(1, OPERATIONS + 1):
        await model.step()
        server.clock.move(0.001)
        if step % 25 == 0:
            assert await everything(server.alice) == model.memories
            assert_counts_are_true(server, model)
    for memory_id in model.forgotten:
        with pytest.raises(grpc.aio.AioRpcError):
            await get(server.alice, memory_id)
    for memory_id, expected in model.memories.items():
        found = await get(server.alice, memory_id)
        assert as_expected(found) == expected
    assert model.forgotten
    assert model.memories


async def everything(caller: Caller) -> dict[str, Expected]:
    """All that a list gives, page by page."""
    wanted = pb.MemoryFilter(archived=pb.ARCHIVED_FILTER_INCLUDE)
    request = service.ListMemoriesRequest(filter=wanted, page_size=17)
    found: dict[str, Expected] = {}
    while True:
        page = await caller(request)
        found |= {memory.memory_id: as_expected(memory) for memory in page.memories}
        request.page_token = page.next_page_token
        if not page.next_page_token:
            return found


def as_expected(memory: pb.Memory) -> Expected:
    return Expected(memory.content, memory.version, memory.archived, list(memory.tags))


def assert_counts_are_true(server: Server, model: Model) -> None:
    """BM25 rests on the scope's counts."""
    with psycopg.connect(server.database.superuser_url) as connection:
        row = connection.execute("select memory_count, term_count from camillo.scopes").fetchone()
        histories = connection.execute(
            "select count(*) from camillo.memory_history h where not exists"
            " (select from camillo.memories m where m.memory_id = h.memory_id)"
        ).fetchone()
    terms = sum(len(index_terms(memory.content)) for memory in model.memories.values())
    assert row == (len(model.memories), terms)
    assert histories == (0,)
