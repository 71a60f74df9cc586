"""The goals of slots, measured: `python -m bench.slots --json` (see bench/README.md)."""

import asyncio
import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from camillo.v1 import slot_service_pb2 as service
from camillo.v1 import snapshot_service_pb2 as snapshots

from bench.measure.client import Material, connected, remember_call
from bench.measure.command import Benchmark, parse, say
from bench.measure.report import Goal
from bench.measure.servers import VECTORS_GIVEN, AppServer, app_server, temporary_directory
from bench.measure.timing import Call, Figure, Figures, latencies_ms, percentiles, rounds_of
from bench.slots.kills import measure_kills
from bench.slots.mirror import measure_mirror
from bench.slots.scopes import QUICK, SlotOptions, fill, set_call

SLOTS = Benchmark(
    "slots",
    __doc__,
    keys=(
        "set_over_remember",
        "list_p95_ms",
        "digest_p95_ms",
        "mirror_sync_s",
        "mirror_change_p95_ms",
        "mirror_torn",
        "mirror_lost",
        "mirror_differing",
        "mirror_grep_s",
        "mirror_writes",
        "set_p50_ms",
        "set_again_p50_ms",
        "remember_p50_ms",
        "digest_changed_p95_ms",
    ),
    goals=(
        Goal("SetMemory, p50 / a Remember's", "set_over_remember", most=1, unit="x"),
        Goal("first page of a prefix among all slots, p95", "list_p95_ms", most=5, unit="ms"),
        Goal("digest of a tenth of them, p95", "digest_p95_ms", most=15, unit="ms"),
        Goal("first mirror of all", "mirror_sync_s", most=20, unit="s"),
        Goal(
            "a change of them until it is on the disk, p95",
            "mirror_change_p95_ms",
            most=50,
            unit="ms",
        ),
        Goal("grep over a mirror of a tenth", "mirror_grep_s", most=1, unit="s"),
        Goal("mirror and servers killed: torn lines", "mirror_torn", most=0),
        Goal("acknowledged writes lost", "mirror_lost", most=0),
        Goal("files that differ in the end", "mirror_differing", most=0),
    ),
    parts=("set", "list", "digest", "mirror", "kills"),
)
LISTED, DIGESTED = "listed", "digested"
WARM_UP = 20


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
        await fill(client, app, LISTED, options.slots)
        topics = itertools.cycle(range(100))

        def call() -> Any:
            prefix = f"/user/topic-{next(topics)}"
            return client(service.ListSlotsRequest(agent_id=LISTED, prefix=prefix))

        return {"list_p95_ms": await _p95(call, options)}


async def _digest(options: SlotOptions, app: AppServer) -> Figures:
    """Digests with one of ten tags of a scope at rest, and each behind a write of the scope."""
    async with connected(app.port, app.secret) as client:
        await fill(client, app, DIGESTED, options.slots // 10)
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


PARTS: dict[str, Callable[[SlotOptions, AppServer], Any]] = {
    "set": _set,
    "list": _list,
    "digest": _digest,
    "mirror": measure_mirror,
    "kills": measure_kills,
}


def measure(options: SlotOptions, parts: Sequence[str]) -> Figures:
    """Measures these parts, one after the other, on one server."""
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
    options = QUICK if given.quick else SlotOptions()
    if given.slots:
        options = replace(options, slots=given.slots)
    SLOTS.finish(given, measure(options, given.only or [*PARTS]))


if __name__ == "__main__":
    main()
