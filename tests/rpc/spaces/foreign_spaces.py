"""Attempts at the spaces of others, for every method of the contract: no answer and no error has anything of them, or
tells whether they are there.

The requests come from the descriptors, with ids and tokens that the owner was given: a new method is tried without
anybody thinking of it. Used by tests and by `python -m bench.spaces --only leaks`."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any
from uuid import uuid4

import grpc
from camillo.v1 import admin_pb2, memory_pb2
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import memory_service_pb2 as memories
from camillo.v1.consistency_pb2 import SpaceRead, SpaceRevision
from camillo.v1.decision_pb2 import NewDecision
from camillo.v1.decision_service_pb2 import RecordDecisionRequest
from camillo_server.doors.rpc.admission import required_role
from camillo_server.doors.rpc.contract import methods
from camillo_server.kernel.scope import Role
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from tests.rpc.artifacts.calls import put_text
from tests.rpc.memories.calls import remember
from tests.rpc.random_messages import RandomMessages
from tests.rpc.records import open_task, put_view, record
from tests.rpc.runs.calls import answer as said
from tests.rpc.runs.calls import append, start
from tests.rpc.slots.calls import set_memory
from tests.rpc.spaces.space_names import CANARY, EMPTY, FOREIGN, NEIGHBOURS, names_of_others
from tests.server_fixtures import Caller, refusal, suppress_broken_send

MIN_TURNS, MAX_TURNS = 2, 12


@dataclass(slots=True)
class Tally:
    """The number of attempts; leaks; and the kinds of attempts in which the owner was told the canary."""

    tried: int = 0
    leaks: list[str] = field(default_factory=list)
    controls: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a call ended: a code, a reason and a message, or the bytes of the answers."""

    code: str
    told: str = ""
    answered: bytes = b""

    def like(self, names: Iterable[tuple[str, str]]) -> "Outcome":
        """The outcome as it would be told with other names."""
        told = self.told
        for name, other in names:
            told = told.replace(name, other)
        return Outcome(self.code, told)


async def outcome(caller: Caller, method: MethodDescriptor, request: Message) -> Outcome:
    """The outcome of one call; of a stream, that of its first messages."""
    try:
        if method.client_streaming:
            answers = [await caller.send([request], method.name)]
        elif method.server_streaming:
            answers = await first_messages(caller.begin(request))
        else:
            answers = [await caller(request)]
    except grpc.aio.AioRpcError as error:
        told = refusal(error)
        return Outcome(told.code.name, f"{told.reason}: {told.message} {told.metadata} {told.fields}")
    return Outcome("OK", "", b"".join(each.SerializeToString() for each in answers))


async def first_messages(call: Any) -> list[Message]:
    """Up to the first two messages of a stream; one that never ends by itself has one at once."""
    found: list[Message] = []
    stream: AsyncIterator[Message] = aiter(call)
    try:
        with suppress_broken_send():
            async for message in stream:
                found.append(message)
                if len(found) == 2 or "Watch" in type(message).__name__:
                    break
    finally:
        call.cancel()
    return found


async def intruder_keys(owner: Caller) -> list[str]:
    """Keys of the agent `alice`: with no grants, with grants of neighbours, and an administrator's."""
    kinds = (
        (admin_pb2.ROLE_WRITER, ()),
        (admin_pb2.ROLE_WRITER, NEIGHBOURS),
        (admin_pb2.ROLE_TENANT_ADMIN, NEIGHBOURS),
    )
    made = [await owner(admin.CreateKeyRequest(agent_id="alice", role=role, spaces=spaces)) for role, spaces in kinds]
    return [each.secret for each in made]


async def fill(owner: Caller, space: str) -> None:
    """Stores the canary in every store of a space."""
    text = f"the {CANARY} of {space} 🐤 знает"
    told = {"agent_id": space}
    for number in range(2):
        memory = await remember(owner, f"{text} {number}", **told)
    event = await record(owner, text, **told)
    decision = NewDecision(decision=text, refs=[event.event_id])
    await owner(RecordDecisionRequest(agent_id=space, decision=decision))
    await open_task(owner, text, **told)
    await put_view(owner, "rules", text, **told)
    await put_text(owner, f"{text}\n" * 3, description=text, **told)
    for number in range(2):
        await set_memory(owner, f"/safe/{number}", f'"{text}"', **told)
    run_id = await start(owner, **told)
    await append(owner, run_id, said(text), **told)
    await owner(memories.ForgetMemoriesRequest(agent_id=space, memory_ids=memories.MemoryIds(ids=[str(uuid4())])))
    assert memory.agent_id == space


def strings(message: Message) -> Iterator[tuple[Message, FieldDescriptor, str]]:
    """Every text of a message and of those in it, with the message and the field that has it."""
    fields: Sequence[tuple[Any, Any]] = message.ListFields()
    for each, value in fields:
        values = value if each.is_repeated else [value]
        if each.message_type and each.message_type.GetOptions().map_entry:
            continue
        for one in values:
            if each.message_type:
                yield from strings(one)
            elif isinstance(one, str):
                yield message, each, one


def harvest(message: Message, known: dict[str, list[Any]]) -> None:
    """Adds the ids and the tokens of an answer under the names of the fields that take them."""
    for _, each, text in strings(message):
        name = each.name.removeprefix("next_")
        if CANARY not in text and (name.endswith(("_id", "token", "ref")) or name in ("id", "refs")) and text:
            for taken in {name, f"{name}s", "ids", "id"} if name.endswith("_id") else {name}:
                if len(known[taken]) < 60 and text not in known[taken]:
                    known[taken].append(text)


class Attempts:
    """Requests of every method, by a seed."""

    def __init__(self, seed: int, known: dict[str, list[Any]]) -> None:
        self._messages = RandomMessages(seed, known, hostilities=(0.0, 0.0, 0.03))

    def request(self, method: MethodDescriptor, space: str) -> Message:
        """A plausible request in which each agent and each space is this one."""
        request = GetMessageClass(method.input_type)()
        self._messages.new(request)
        self.place(request, space)
        return request

    def place(self, request: Message, space: str) -> None:
        """Names the space wherever a request names one."""
        for holder, each, _ in list(strings(request)):
            if each.name in ("agent_id", "space", "to_agent_id", "confirm_agent_id", "confirm"):
                if each.is_repeated:
                    getattr(holder, each.name)[:] = [space]
                else:
                    setattr(holder, each.name, space)
        fields = request.DESCRIPTOR.fields_by_name
        if "agent_id" in fields:
            request.agent_id = space  # type: ignore[attr-defined]
        if "header" in fields and "agent_id" in request.header.DESCRIPTOR.fields_by_name:  # type: ignore[attr-defined]
            request.header.agent_id = space  # type: ignore[attr-defined]
        for name in ("tenant_id", "confirm_tenant_id"):
            if name in fields:
                request.ClearField(name)


def twin(request: Message, others: dict[str, str]) -> Message:
    """The request with other ids: some that nothing has."""
    copy = type(request)()
    copy.CopyFrom(request)
    for holder, each, text in list(strings(copy)):
        if each.is_repeated:
            values = getattr(holder, each.name)
            values[:] = [others.get(one, one) for one in values]
        elif text in others:
            setattr(holder, each.name, others[text])
    return copy


async def control(owner: Caller, tally: Tally, expected: Set[str]) -> dict[str, list[Any]]:
    """The owner reads each space with requests of every method that reads: notes in which the canary was, and returns
    the ids and the tokens that were in the answers. Goes on until it was in answers of all the expected methods."""
    known: dict[str, list[Any]] = defaultdict(list)
    known["key"], known["prefix"], known["query_text"] = ["/safe/0", "/safe/1"], ["/safe", ""], ["the of"]
    known["text"], known["name"] = ["the of", "знает"], ["rules"]
    wanted = {method.name for method in reading_methods()} & expected
    for turn in range(MAX_TURNS):
        if turn >= MIN_TURNS and wanted <= tally.controls:
            break
        for method in reading_methods():
            attempts = Attempts(turn, dict(known))
            for space, _ in product(FOREIGN, range(2)):
                answered = await outcome(owner, method, attempts.request(method, space))
                if CANARY.encode() in answered.answered:
                    tally.controls.add(method.name)
                if answered.answered and not method.output_type.name.startswith("Watch"):
                    harvest(GetMessageClass(method.output_type).FromString(answered.answered), known)
    return dict(known)


def reading_methods() -> list[MethodDescriptor]:
    """The methods that change nothing."""
    return [each for each in methods() if required_role(path_of(each)) is Role.READER]


def path_of(method: MethodDescriptor) -> str:
    return f"/{method.containing_service.full_name}/{method.name}"


async def try_methods(
    callers: Sequence[Caller], known: dict[str, list[Any]], tally: Tally, requests: int, seed: int = 1
) -> None:
    """For each method so many requests that name a foreign space, and as many with foreign ids in the own one; each
    beside one with names and ids of what is not there, which has to end alike."""
    others = {text: str(uuid4()) for values in known.values() for text in values if is_uuid(text)}
    names = [*EMPTY.items(), *others.items()]

    async def of(method: MethodDescriptor, *, is_reading: bool) -> None:
        attempts = Attempts(seed, known)
        for number, caller in product(range(requests), callers):
            foreign = FOREIGN[number % len(FOREIGN)]
            request, own = attempts.request(method, foreign), attempts.request(method, "")
            empty = type(request)()
            empty.CopyFrom(request)
            attempts.place(empty, EMPTY[foreign])
            there, absent = [await outcome(caller, method, each) for each in (request, empty)]
            note(tally, f"{method.name} in {foreign}", there, absent.like((b, a) for a, b in names), request)
            there = await outcome(caller, method, own)
            # The first of two writes may be the reason that the other one is refused.
            absent = await outcome(caller, method, twin(own, others)) if is_reading else there
            note(tally, f"{method.name} of ids", there.like(names), absent.like(names), own, there)

    reading = reading_methods()
    # Nothing is written before: an intruder may give what is its own the id of something foreign.
    await in_turns(*(partial(of, each, is_reading=True) for each in reading))
    await in_turns(*(partial(of, each, is_reading=False) for each in methods() if each not in reading))


async def in_turns(*work: Callable[[], Awaitable[None]]) -> None:
    """Some at once."""
    waiting = iter(work)

    async def take() -> None:
        for each in waiting:
            await each()

    await asyncio.gather(*(take() for _ in range(12)))


def note(
    tally: Tally, what: str, there: Outcome, absent: Outcome, request: Message, answered: Outcome | None = None
) -> None:
    """Counts two attempts, and notes a leak where the canary was told, or where the two did not end alike."""
    tally.tried += 2
    answered = answered or there
    if CANARY.encode() in answered.answered or CANARY in answered.told:
        tally.leaks.append(f"{what} told the canary: {str(request)[:300]}")
    elif (there.code, there.told) != (absent.code, absent.told):
        tally.leaks.append(f"{what} tells what is there: {there} / {absent}: {str(request)[:300]}")


def is_uuid(text: object) -> bool:
    return isinstance(text, str) and len(text) == 36 and text.count("-") == 4


async def try_names(callers: Sequence[Caller], tally: Tally) -> None:
    """Every name, in requests that read, write, list and recall of several."""
    for (name, other), caller in product(names_of_others(), callers):
        for make in NAMING:
            told = [await outcome(caller, by_request(make("x")), make(each)) for each in (name, other)]
            note(tally, f"{name!r}", told[0], told[1].like([(other, name)]), make(name))


def by_request(request: Message) -> MethodDescriptor:
    found: list[MethodDescriptor] = [each for each in methods() if each.input_type is request.DESCRIPTOR]
    return found[0]


NAMING = (
    lambda name: memories.RecallRequest(agent_id=name, text="the of"),
    lambda name: memories.RecallRequest(text="the of", spaces=[SpaceRead(space=name)]),
    lambda name: memories.ListMemoriesRequest(agent_id=name),
    lambda name: memories.ListMemoriesRequest(spaces=[SpaceRead(space=name)]),
    lambda name: memories.WatchMemoriesRequest(from_beginning=True, spaces=[SpaceRevision(space=name)]),
    lambda name: memories.RememberRequest(agent_id=name, memory=memory_pb2.NewMemory(content="mine")),
    lambda name: memories.WatchMemoriesRequest(agent_id=name, from_beginning=True),
)


async def canaries(owner: Caller) -> list[str]:
    """Every text with the canary in what lists and exports of the foreign spaces begin with."""
    found: list[str] = []
    for method, space in product(reading_methods(), FOREIGN):
        if method.name.startswith(("List", "Query", "Export")) and "agent_id" in method.input_type.fields_by_name:
            request = GetMessageClass(method.input_type)(agent_id=space)
            # Some need an id as well.
            with suppress(grpc.aio.AioRpcError):
                answers = (
                    await first_messages(owner.begin(request)) if method.server_streaming else [await owner(request)]
                )
                found += [f"{method.name} {each.name} {text}" for one in answers for _, each, text in strings(one)]
    return sorted(each for each in found if CANARY in each)
