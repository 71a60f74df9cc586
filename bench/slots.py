"""The goals of slots, measured: `python -m bench.slots --json` (see bench/README.md)."""

import asyncio
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import psycopg
from camillo.v1 import slot_pb2
from camillo.v1 import slot_service_pb2 as service
from camillo.v1 import snapshot_service_pb2 as snapshots

from bench.measure.client import Client, Material, connected, remember_call
from bench.measure.command import Benchmark, parse, say
from bench.measure.report import Goal
from bench.measure.servers import VECTORS_GIVEN, AppServer, app_server, temporary_directory
from bench.measure.timing import Call, Figure, Figures, latencies_ms, percentiles, rounds_of

SLOTS = Benchmark(
    "slots",
    __doc__,
    keys=(
        "set_over_remember",
        "list_p95_ms",
        "digest_p95_ms",
        "set_p50_ms",
        "set_again_p50_ms",
        "remember_p50_ms",
        "digest_changed_p95_ms",
    ),
    goals=(
        Goal("SetMemory, p50 / a Remember's", "set_over_remember", most=1, unit="x"),
        Goal("first page of a prefix among all slots, p95", "list_p95_ms", most=5, unit="ms"),
        Goal("digest of a tenth of them, p95", "digest_p95_ms", most=15, unit="ms"),
    ),
    parts=("set", "list", "digest"),
)
LISTED, DIGESTED = "listed", "digested"
WARM_UP = 20
# As SetMemory stores them, without chunks: neither lists nor digests read these.
FILL = """
with numbered as (
    select n, gen_random_uuid() as slot_id, %(at)s::timestamptz + n * interval '1 second' as at, 'note' || n %% 7 as type
    from generate_series(1, %(count)s) n
), stored as (
    insert into camillo.slots (tenant_id, agent_id, slot_id, path, version, revision, kind, sensitivity, type, tags,
        importance, updated_at, content_bytes)
    select 'bench', %(agent_id)s, slot_id, chr(1) || 'user' || chr(1) || 'topic-' || n %% 100 || chr(1) || 'slot-' || n, 1, 1,
        49, 2, type, array['t' || n %% 10], (n %% 11) / 10.0, at, 200
    from numbered
)
insert into camillo.slot_versions (tenant_id, agent_id, slot_id, version, revision, kind, sensitivity, trust_level,
    credential, updated_at, content_bytes, key_id, details)
select 'bench', %(agent_id)s, slot_id, 1, 1, 49, 2, 30, '', at, 200, '', jsonb_build_object(
    'content', json_build_object('type', type, 'text', repeat('milk ', 20) || n)::text, 'source', 'chat',
    'fields', jsonb_build_object('type', type, 'tags', jsonb_build_array('t' || n %% 10), 'importance', 0.5,
        'summary', 'Number ' || n || ': ' || repeat('milk ', 8), 'expired_at', null, 'trigger_at', null))
from numbered
"""


@dataclass(frozen=True, slots=True)
class SlotOptions:
    """How much is measured: slots of the large scope, of which a tenth is in that of the digests, and calls of each kind."""

    slots: int = 100_000
    rounds: int = 9
    calls_a_round: int = 100


def set_call(client: Client, agent_id: str, *, keys: int = 0) -> Call:
    """Sets a key of its own each time, or one of so many again; about 100 characters, with a request id."""
    numbers = itertools.count()

    def call() -> Any:
        number = next(numbers)
        key = number % keys if keys else number
        return client(
            service.SetMemoryRequest(
                request_id=f"{agent_id}-{id(numbers):x}-{number}",
                agent_id=agent_id,
                key=f"/user/topic-{key % 100}/slot-{key}",
                json_content=f'{{"type":"note","summary":"Likes tea {number}","tags":["tea"],"importance":6,'
                f'"text":"{"milk and tea " * 4}{number}"}}',
                source=slot_pb2.SlotSource(text="chat"),
            )
        )

    return call


async def _set(options: SlotOptions, app: AppServer) -> Figures:
    """SetMemory of new keys, and of keys set before, in turns with Remember; each in a scope of its own."""
    async with connected(app.port, app.secret) as client:
        calls = {
            "set": set_call(client, "new"),
            "remember": remember_call(client, Material.with_vectors(), "remembered"),
            "set_again": set_call(client, "again", keys=50),
        }
        for call in calls.values():
            await latencies_ms(call, 3 * WARM_UP)
        rounds = await rounds_of(calls, options.rounds, options.calls_a_round)
    p50 = {name: percentiles(found, 50) for name, found in rounds.items()}
    return {
        "set_over_remember": p50["set"].over(p50["remember"]),
        **{f"{name}_p50_ms": figure for name, figure in p50.items()},
    }


async def _list(options: SlotOptions, app: AppServer) -> Figures:
    """The first page of a prefix, another one each time."""
    async with connected(app.port, app.secret) as client:
        await _fill(client, app, LISTED, options.slots)
        topics = itertools.cycle(range(100))

        def call() -> Any:
            prefix = f"/user/topic-{next(topics)}"
            return client(service.ListSlotsRequest(agent_id=LISTED, prefix=prefix))

        return {"list_p95_ms": await _p95(call, options)}


async def _digest(options: SlotOptions, app: AppServer) -> Figures:
    """Digests with one of ten tags of a scope at rest, and each behind a write of the scope."""
    async with connected(app.port, app.secret) as client:
        await _fill(client, app, DIGESTED, options.slots // 10)
        tags, write = itertools.cycle(range(10)), set_call(client, DIGESTED, keys=50)

        def digest() -> Any:
            tag = f"t{next(tags)}"
            return client(snapshots.BuildDigestRequest(agent_id=DIGESTED, tags=[tag]))

        answer = await digest()
        assert len(answer.bundle.sections[0].items) > 20, answer
        at_rest = await _p95(digest, options)
        changed = []
        for _ in range(options.rounds):
            taken: list[float] = []
            for _ in range(options.calls_a_round // 2):
                await write()
                taken += await latencies_ms(digest, 1)
            changed.append(taken)
    return {"digest_p95_ms": at_rest, "digest_changed_p95_ms": percentiles(changed, 95)}


async def _p95(call: Call, options: SlotOptions) -> Figure:
    await latencies_ms(call, WARM_UP)
    rounds = await rounds_of({"call": call}, options.rounds, options.calls_a_round)
    return percentiles(rounds["call"], 95)


async def _fill(client: Client, app: AppServer, agent_id: str, count: int) -> None:
    """Slots of an agent, stored by one statement: its first one makes the scope."""
    await set_call(client, agent_id)()
    with psycopg.connect(app.url("superuser"), autocommit=True) as superuser:
        values = {"agent_id": agent_id, "count": count, "at": "2026-01-01T00:00:00Z"}
        superuser.execute(FILL, values)
        superuser.execute("vacuum analyze camillo.slots, camillo.slot_versions")


PARTS: dict[str, Callable[[SlotOptions, AppServer], Any]] = {
    "set": _set,
    "list": _list,
    "digest": _digest,
}


def measure(options: SlotOptions, parts: Sequence[str]) -> Figures:
    """Those parts, one after the other, on one server."""
    figures: Figures = {}
    with (
        temporary_directory() as directory,
        app_server(VECTORS_GIVEN, directory / "data") as app,
    ):
        for name in parts:
            say(name)
            figures |= asyncio.run(PARTS[name](options, app))
    return figures


def main() -> None:
    parser = SLOTS.parser()
    parser.add_argument("--slots", type=int, help="of the large scope, instead of 100,000")
    given = parse(parser)
    options = SlotOptions(2_000, 2, 20) if given.quick else SlotOptions()
    if given.slots:
        options = replace(options, slots=given.slots)
    SLOTS.finish(given, measure(options, given.only or [*PARTS]))


if __name__ == "__main__":
    main()
