"""Latency of a neighbour's recalls beside the worst body of JSON that each door can be sent, and what memory the server
needs for it."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from camillo.v1 import event_service_pb2 as events
from camillo.v1 import memory_service_pb2 as memories
from camillo_server.doors.gateway.json_bodies import bounds_of
from camillo_server.doors.gateway.json_bounds import MESSAGE_BOUNDS, JsonBounds

from bench.fairness import calls
from bench.fairness.readers import Readers, Sending, readers
from bench.measure.client import Client, connected
from bench.measure.command import say
from bench.measure.report import Goal
from bench.measure.servers import AppServer, MemorySamples, watched_memory
from bench.measure.timing import Call, Figures, Rounds, latencies_ms, percentile, taking_turns

MAX_RATIO, MAX_GROWTH_MB, MAX_KEPT_MB = 1.5, 64, 16
READERS = (1, 4)
MIB = 1024 * 1024
# Refused by any door, though it is small beside what was made of it.
BOMB = b"[" + b"[]," * 5_000_000 + b"[]]"
MCP_HEAD = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"recall","arguments":'


@dataclass(frozen=True, slots=True)
class Door:
    """A way in: its path, what its bodies may have, and a list that its messages have."""

    path: str
    bounds: JsonBounds
    listed: str

    def bodies(self) -> Mapping[str, bytes]:
        """Bodies by name: the largest that are made values of, and one that is refused before."""
        count = self.bounds.max_values - 20
        text = b"\\u0041" * (min(self.bounds.max_bytes, 16 * MIB) // 6 - 100)
        keys = b",".join(b'"%d":0' % n for n in range(count))
        names = self.listed.encode()
        bodies = {
            # An empty list or object counts twice: it and its comma.
            "lists": b'{"zz":[' + b"[]," * (count // 2) + b"[]]}",
            "keys": b"{" + keys + b"}",
            "text": b'{"zz":"' + text + b'"}',
            "filled": b'{"%s":[' % names + b"{}," * (count // 2) + b"{}]}",
            "bomb": b'{"zz":' + BOMB + b"}",
        }
        if self.path != "/mcp":
            return bodies
        return {name: MCP_HEAD + body + b"}}" for name, body in bodies.items()}


DOORS = {
    "http": Door(
        "/camillo.v1.EventService/BatchRecordEvents",
        bounds_of(events.BatchRecordEventsRequest.DESCRIPTOR, 64 * MIB),
        "events",
    ),
    "api": Door("/api/v1/events", bounds_of(events.RecordEventRequest.DESCRIPTOR, 64 * MIB), "refs"),
    "lines": Door(
        "/camillo.v1.MemoryService/ImportMemories",
        bounds_of(memories.ImportMemoriesRequest.DESCRIPTOR, 64 * MIB),
        "memories",
    ),
    "mcp": Door("/mcp", MESSAGE_BOUNDS, "tags"),
}
KEYS = (
    *(f"bodies_{door}_{name}_p99_ms" for door in DOORS for name in ("alone", *READERS)),
    "bodies_growth_mb",
    "bodies_kept_mb",
)
GOALS = (
    *(
        Goal(
            f"a neighbour's recalls beside {count} readers of {door}, p99 / alone",
            f"bodies_{door}_{count}_p99_ms",
            over=f"bodies_{door}_alone_p99_ms",
            most=MAX_RATIO,
            unit="x",
        )
        for door in DOORS
        for count in READERS
    ),
    Goal("memory of the server meanwhile", "bodies_growth_mb", most=MAX_GROWTH_MB, unit="MB"),
    Goal("memory kept, some seconds later", "bodies_kept_mb", most=MAX_KEPT_MB, unit="MB"),
)


@dataclass(frozen=True, slots=True)
class Times:
    """Rounds, and seconds of a measurement, of a look at a body, and until memory is given back."""

    rounds: int
    seconds: float
    look_seconds: float
    settle_seconds: float


FULL, QUICK = Times(2, 1.0, 0.3, 5.0), Times(1, 0.1, 0.05, 0.1)


async def measure(app: AppServer, http_port: int, times: Times) -> Figures:
    """A neighbour with one caller by gRPC, and another tenant that has the readers."""
    found = Rounds()
    async with connected(app.port, app.secret) as root:
        neighbour = calls.recalls(Client(root.channel, await calls.new_tenant(root, "quiet-neighbour")))
        secret = await calls.new_tenant(root, "bodies")
        with readers(http_port, secret) as sender:
            for door in DOORS.values():
                # A first call loads modules, whose memory is not that of a body.
                with sender.sending(Sending(door.path, b'{"zz":[]}', 1)):
                    await _recalls(neighbour, times.look_seconds / 2)
            async with watched_memory(app.process.memory_mb) as memory:
                for name, door in DOORS.items():
                    await _measure_door(name, door, neighbour, sender, times, found)
                await asyncio.sleep(times.settle_seconds)
    found.add(_of_memory(memory))
    return found.figures()


def _of_memory(memory: MemorySamples) -> Mapping[str, float]:
    return {
        "bodies_before_mb": memory[0],
        "bodies_peak_mb": max(memory),
        "bodies_after_mb": memory[-1],
        "bodies_growth_mb": memory.growth_mb,
        "bodies_kept_mb": memory[-1] - memory[0],
    }


async def _measure_door(name: str, door: Door, neighbour: Call, sender: Readers, times: Times, found: Rounds) -> None:
    worst = await _worst(door, neighbour, sender, times)
    say(f"{name}: {worst}")
    body = door.bodies()[worst]
    for count in taking_turns([0, *READERS], times.rounds):
        if count:
            with sender.sending(Sending(door.path, body, count)) as answers:
                taken = await _recalls(neighbour, times.seconds)
            say(f"  {count} readers: {dict(answers)}")
        else:
            taken = await _recalls(neighbour, times.seconds)
        key = f"bodies_{name}_{count or 'alone'}"
        found.add({f"{key}_p{n}_ms": percentile(taken, n) for n in (50, 99)})


async def _worst(door: Door, neighbour: Call, sender: Readers, times: Times) -> str:
    """The body beside which the neighbour waits longest."""
    waited = dict[str, float]()
    for name, body in door.bodies().items():
        with sender.sending(Sending(door.path, body, 2)):
            waited[name] = percentile(await _recalls(neighbour, times.look_seconds), 95)
    return max(waited, key=waited.__getitem__)


async def _recalls(call: Call, seconds: float) -> list[float]:
    return await latencies_ms(call, 1_000_000, seconds)
