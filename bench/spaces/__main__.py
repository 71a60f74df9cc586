"""The goals of spaces, measured: `python -m bench.spaces --json` (see bench/README.md)."""

import asyncio
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from camillo.v1 import event_pb2, slot_pb2
from camillo.v1 import event_service_pb2 as events
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import slot_service_pb2 as slots
from camillo.v1 import space_service_pb2 as spaces
from camillo.v1.consistency_pb2 import SpaceRead

from bench.material.texts import Texts
from bench.measure.client import Client, Material, connected, import_batches, recall_call, remember_call, with_vectors
from bench.measure.command import Benchmark, parse, say
from bench.measure.report import Goal
from bench.measure.servers import DIMENSIONS, VECTORS_GIVEN, AppServer, app_server, temporary_directory
from bench.measure.timing import (
    FULL,
    QUICK,
    Call,
    Figure,
    Figures,
    Repeats,
    latencies_ms,
    percentiles,
    rates_of,
    rounds_of,
)
from bench.spaces.leaks import tried_leaks
from bench.spaces.many import measure_many
from tests.ports import free_port

SPACES = Benchmark(
    "spaces",
    __doc__,
    keys=(
        *("eight_over_one", "new_spaces_per_s", "forget_person_ms", "new_over_remember", "eight_p50_ms", "one_p50_ms"),
        "many_over_few",
        *("eight_and_shared_p50_ms", "eight_cold_ms", "eight_qps_16", "one_qps_16", "rls_leaks", "rls_tried"),
    ),
    goals=(
        Goal("recall over 8 spaces / over one of the same rows, p50", "eight_over_one", most=2, unit="x"),
        Goal("first memories of new spaces / Remember's calls a second", "new_over_remember", least=0.8, unit="x"),
        Goal(
            "a person with 1,000 rows forgotten, and what a team says of them",
            "forget_person_ms",
            most=500,
            unit="ms",
        ),
        Goal("the call that grows most, 1,000,000 spaces / 1,000, p50", "many_over_few", most=1.1, unit="x"),
        Goal("attempts at the spaces of others", "rls_tried", least=2_000),
        Goal("attempts that were told something", "rls_leaks", most=0),
    ),
    parts=("recall", "new", "forget", "leaks", "many"),
)
PARTS_OF_ONE = 8
ONE = "teams/one"
EIGHT = [f"users/{number}" for number in range(PARTS_OF_ONE)]
WARM_UP = 30
COLD_RECALLS = 10
NAME = "Ana Díaz"


@dataclass(frozen=True, slots=True)
class SpacesOptions:
    """How much is measured: rows of the large space, each of which is in one of the eight as well; people deleted, and
    rows of each of these in three stores."""

    rows: int = 10_000
    people: int = 7
    rows_of_a_person: int = 1_000
    repeats: Repeats = FULL
    # Requests of each method by each intruder.
    attempts: int = 4
    # Spaces of one memory each, for `--only many`.
    many: int = 1_000_000
    many_calls: int = 20
    http_port: int = field(default_factory=free_port)


async def _recall(options: SpacesOptions, app: AppServer) -> Figures:
    """The same questions over eight warm spaces, over these and what the tenant shares, and over one that has the rows
    of the eight, in turns; and the first ones over eight spaces that are cold."""
    texts = Texts(3)
    memories = with_vectors(texts.sentences(options.rows), texts.vectors(options.rows, DIMENSIONS))
    questions = Texts(5).sentences(500)
    async with connected(app.port, app.secret) as client:
        parts = [memories[number::PARTS_OF_ONE] for number in range(PARTS_OF_ONE)]
        for path, rows in [(ONE, memories), *zip(EIGHT, parts, strict=True), ("@shared", parts[0])]:
            await client.import_serialized(import_batches(path, rows))
        calls = {
            "one": recall_call(client, questions, ONE),
            "eight": _recall_of(client, questions, EIGHT),
            "eight_and_shared": _recall_of(client, questions, EIGHT, include_shared=True),
        }
        for call in calls.values():
            await _warm(call)
        rounds = await rounds_of(calls, options.repeats.rounds, options.repeats.calls_a_round)
        cold = await _cold(client, memories, questions)
        callers = options.repeats.callers
        groups: dict[str, Sequence[Call]] = {name: [calls[name]] * callers for name in ("one", "eight")}
        rates = await rates_of(groups, options.repeats, app.process.cpu_seconds)
    p50 = {f"{name}_p50_ms": percentiles(found, 50) for name, found in rounds.items()}
    return {**rates, **p50, "eight_over_one": p50["eight_p50_ms"].over(p50["one_p50_ms"]), "eight_cold_ms": cold}


async def _cold(client: Client, memories: Sequence[pb.Memory], questions: Sequence[str]) -> Figure:
    """First recalls over eight spaces each, which nobody has read."""
    taken, rows = [], len(memories) // COLD_RECALLS // PARTS_OF_ONE
    for number in range(COLD_RECALLS):
        paths = [f"projects/cold-{number}/{part}" for part in range(PARTS_OF_ONE)]
        for part, path in enumerate(paths):
            first = (number * PARTS_OF_ONE + part) * rows
            await client.import_serialized(import_batches(path, memories[first : first + rows]))
        taken += await latencies_ms(_recall_of(client, questions, paths), 1)
    return Figure(tuple(taken))


def _recall_of(client: Client, questions: Sequence[str], paths: Sequence[str], *, include_shared: bool = False) -> Call:
    asked = itertools.cycle(questions)
    spaces = [SpaceRead(space=path) for path in paths[1:]]

    def call() -> Any:
        request = service.RecallRequest(
            agent_id=paths[0], text=next(asked), limit=5, spaces=spaces, include_shared=include_shared
        )
        return client(request)

    return call


async def _warm(call: Any) -> None:
    """Returns when memory answers."""
    while (await call()).answered_by != pb.ANSWERED_BY_CACHE:
        pass
    await latencies_ms(call, WARM_UP)


async def _new(options: SpacesOptions, app: AppServer) -> Figures:
    """First memories of spaces beside further ones of spaces that are there, by as many callers, in turns."""
    material, numbers = Material.with_vectors(), itertools.count()
    async with connected(app.port, app.secret) as client:

        def of_new_space() -> Any:
            return remember_call(client, material, f"users/new-{next(numbers)}")()

        callers = options.repeats.callers
        groups: dict[str, Sequence[Call]] = {
            "new": [of_new_space] * callers,
            "remember": [remember_call(client, material, f"users/old-{number}") for number in range(callers)],
        }
        figures = await rates_of(groups, options.repeats, app.process.cpu_seconds)
    new, known = figures[f"new_qps_{callers}"], figures[f"remember_qps_{callers}"]
    return {**figures, "new_spaces_per_s": new, "new_over_remember": new.over(known)}


async def _forget(options: SpacesOptions, app: AppServer) -> Figures:
    """People with memories, events and slots, deleted one after the other; a team's notes have their name, too."""
    taken = []
    async with connected(app.port, app.secret) as client:
        notes = Texts(7).sentences(options.rows_of_a_person // 10)
        of_team = [pb.Memory(content=text) for text in notes]
        await client(service.ImportMemoriesRequest(agent_id="teams/eu", memories=of_team))
        for number in range(options.people):
            path = f"users/gone-{number}"
            await _fill(client, path, options.rows_of_a_person)
            about = pb.NewMemory(content=f"Person {number}, {NAME}, calls on Mondays")
            await client(service.RememberRequest(agent_id="teams/eu", memory=about))
            call = await _planned(client, path)
            taken += await latencies_ms(call, 1)
            left = await client(service.RecallRequest(agent_id=path, text="milk", limit=5))
            assert not left.hits, "something of a deleted person is left"
    return {"forget_person_ms": Figure(tuple(taken))}


async def _planned(client: Client, path: str) -> Call:
    """Plans; returns the call that forgets, and cuts the name out of what others say."""
    asked = spaces.ForgetSpaceRequest(agent_id=path, also_named=[NAME], dry_run=True)
    planned = await client(asked)
    asked = spaces.ForgetSpaceRequest(agent_id=path, confirm_agent_id=path, also_named=[NAME])
    asked.other_spaces = spaces.OTHER_SPACES_REDACT_SPANS
    asked.plan_token = planned.plan_token
    return lambda: client(asked)


async def _fill(client: Client, path: str, rows: int) -> None:
    """A third of the rows in each store; events and memories have their vectors and chunks beside them."""
    texts = Texts(9).sentences(rows // 3)
    await client(service.ImportMemoriesRequest(agent_id=path, memories=[pb.Memory(content=text) for text in texts]))
    said = [event_pb2.NewEvent(session_id="s", text=text) for text in texts]
    await client(events.BatchRecordEventsRequest(agent_id=path, events=said))
    for number in range(rows // 3):
        source = slot_pb2.SlotSource(text="chat")
        content = '{"text": "milk"}'
        await client(slots.SetMemoryRequest(agent_id=path, key=f"/n/{number}", json_content=content, source=source))


async def _leaks(options: SpacesOptions, app: AppServer) -> Figures:
    return await tried_leaks(app, options.http_port, options.attempts)


PARTS: dict[str, Callable[[SpacesOptions, AppServer], Any]] = {
    "recall": _recall,
    "new": _new,
    "forget": _forget,
    "leaks": _leaks,
}
# Has servers of its own, and takes minutes: only where it is asked for.
MANY = "many"


def measure(options: SpacesOptions, parts: Sequence[str]) -> Figures:
    """Measures these parts, one after the other, on one server."""
    figures: Figures = {}
    settings = {"server.http_port": options.http_port}
    with temporary_directory() as directory, app_server(VECTORS_GIVEN, directory / "data", settings=settings) as app:
        for name in parts:
            if name != MANY:
                say(name)
                figures |= asyncio.run(PARTS[name](options, app))
    if MANY in parts:
        say(MANY)
        with temporary_directory() as directory:
            repeats = options.repeats.rounds
            figures |= asyncio.run(measure_many(options.many, repeats, options.many_calls, directory))
    return figures


def main() -> None:
    given = parse(SPACES.parser())
    options = SpacesOptions(400, 1, 30, QUICK, attempts=1, many=3_000, many_calls=5) if given.quick else SpacesOptions()
    SPACES.finish(given, measure(options, given.only or [*PARTS]))


if __name__ == "__main__":
    main()
