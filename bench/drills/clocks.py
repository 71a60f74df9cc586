"""Three servers on one database by clocks ten minutes apart: what has to hold whatever a clock says, and what follows
it."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import grpc
import psycopg
from camillo.v1 import audit_service_pb2 as audit_service
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import run_pb2 as runs
from camillo.v1 import run_service_pb2 as run_service
from camillo.v1 import snapshot_service_pb2 as snapshots
from camillo.v1.consistency_pb2 import Freshness
from camillo.v1.context_pb2 import HandoffPacket
from camillo_server.across.admin.store.invariants import violations
from google.protobuf.timestamp_pb2 import Timestamp

from bench.app_server import TENANT
from bench.drills.drill import Drill, DrillReport
from bench.drills.own_postgres import OwnPostgres, own_postgres
from bench.lifecycle.writer import SCRIPTS
from bench.measure.client import Client, connected
from bench.measure.servers import VECTORS_GIVEN, server_on, temporary_directory
from tests.unit.identity.moving_clock import MovingClock
from tests.unit.identity.token_issuer import TokenIssuer

SHIFT = timedelta(minutes=10)
# Ahead, right, behind.
SHIFTS = (SHIFT, timedelta(), -SHIFT)
# Leeway for JWTs: the two servers that are wrong tolerate as much as they are wrong, the right one the default.
LEEWAY_SECONDS = (600, 30, 600)
WRITES, SHORT_WRITES = 60, 12
PAGE = 10


@dataclass(frozen=True, slots=True)
class Servers:
    """A client of each, in the order of SHIFTS, and who issues tokens by the right time."""

    clients: Sequence[Client]
    issuer: TokenIssuer
    writes: int

    @property
    def ahead(self) -> Client:
        return self.clients[0]

    @property
    def right(self) -> Client:
        return self.clients[1]

    @property
    def behind(self) -> Client:
        return self.clients[2]


def run(short: bool) -> DrillReport:
    with temporary_directory() as directory, own_postgres(directory / "data") as postgres:
        return asyncio.run(_run(postgres, directory, SHORT_WRITES if short else WRITES))


async def _run(postgres: OwnPostgres, directory: Path, writes: int) -> DrillReport:
    report = DrillReport("clocks")
    clock = MovingClock()
    clock.moment = datetime.now(UTC)
    issuer = TokenIssuer(directory / "jwks.json", clock)
    async with AsyncExitStack() as stack:
        clients = []
        for shift, leeway in zip(SHIFTS, LEEWAY_SECONDS, strict=True):
            seconds = shift.total_seconds()
            started = server_on(
                postgres.server_url,
                postgres.secret,
                VECTORS_GIVEN,
                directory / f"server{seconds:+.0f}",
                {
                    "identity.jwt.issuer": "https://issuer",
                    "identity.jwt.audience": "camillo",
                    "identity.jwt.jwks_path": issuer.path,
                    "identity.jwt.leeway_seconds": leeway,
                },
                program=("bench.drills.shifted_server", str(seconds)),
            )
            server = stack.enter_context(started)
            clients.append(await stack.enter_async_context(connected(server.port, postgres.secret)))
        servers = Servers(clients, issuer, writes)
        for check in CHECKS:
            await check(servers, report)
    with psycopg.connect(postgres.server_url, autocommit=True) as connection:
        report.found("violations", [*violations(connection)])
    report.figures |= {"checks": len(CHECKS), "writes": writes}
    return report


async def revisions_go_up(servers: Servers, report: DrillReport) -> None:
    """Whoever asks for a revision sees it at every server, and each write is behind the one before, whatever the
    time."""
    stale = []
    order = []
    for number in range(servers.writes):
        writer = servers.clients[number % 3]
        content = f"revision {number} {SCRIPTS[number % len(SCRIPTS)]}"
        new = pb.NewMemory(content=content, tags=[f"n{number}"])
        written = await writer(service.RememberRequest(agent_id="revisions", memory=new))
        for reader in servers.clients:
            request = service.ListMemoriesRequest(
                agent_id="revisions",
                filter=pb.MemoryFilter(tags_any=[f"n{number}"]),
                freshness=Freshness(at_least_as_fresh=written.revision),
            )
            found = [each.content for each in (await reader(request)).memories]
            stale += [content] * (found != [content])
        order.append(content)
    report.found("stale", stale)
    watched: list[str] = []
    watch = service.WatchMemoriesRequest(agent_id="revisions", from_beginning=True)
    async for told in servers.right(watch):
        if told.change.HasField("changed"):
            watched.append(told.change.changed.content)
        if len(watched) == len(order):
            break
    report.expect(watched == order, "revisions: changes are told in another order than written")


async def repeats_are_one_write(servers: Servers, report: DrillReport) -> None:
    """A request id holds at every server, and an update by a server that is behind follows one by a server that is
    ahead."""
    new = pb.NewMemory(content="once نعم")
    request = service.RememberRequest(request_id="same", agent_id="repeats", memory=new)
    ids = [(await client(request)).memory.memory_id for client in servers.clients]
    stored = [memory async for memory in servers.right.memories("repeats")]
    report.found("doubled", ids[1:] if len({*ids}) > 1 or len(stored) != 1 else [])
    memory_id = ids[0]
    for version, client in enumerate(servers.clients, 1):
        update = service.UpdateMemoryRequest(
            agent_id="repeats",
            memory_id=memory_id,
            expected_version=version,
            memory=pb.Memory(session_id=f"v{version}"),
        )
        update.update_mask.paths.append("session_id")
        await client(update)
    read = service.GetMemoryRequest(agent_id="repeats", memory_id=memory_id)
    versions = [(await client(read)).memory.version for client in servers.clients]
    report.found("lost", [each for each in versions if each != 4])


async def ends_follow_the_clock_that_answers(servers: Servers, report: DrillReport) -> None:
    """A memory that ends in five minutes is gone where the clock is ahead, and there elsewhere; one that ends in an
    hour is there everywhere."""
    for name, minutes in (("soon", 5), ("later", 60)):
        new = pb.NewMemory(content=f"{name} 消える", expires_at=_in(timedelta(minutes=minutes)))
        await servers.right(service.RememberRequest(agent_id="ends", memory=new))
    seen = []
    for client in servers.clients:
        answer = await client(
            service.RecallRequest(agent_id="ends", text="消える", freshness=Freshness(fully_consistent=True))
        )
        seen.append(sorted(hit.memory.content.split()[0] for hit in answer.hits))
    expected = [["later"], ["later", "soon"], ["later", "soon"]]
    report.expect(seen == expected, f"ends of memories: {seen}")


async def tokens_are_taken_within_the_leeway(servers: Servers, report: DrillReport) -> None:
    """A token of the right time: by a server that is ten minutes off only with a leeway of as much."""
    now = datetime.now(UTC).timestamp()
    claims: dict[str, Any] = {"tenant": TENANT, "agent": "tokens", "nbf": now}
    good = servers.issuer.token(**claims, exp=now + 300)
    # Past even for the clock that is behind, with its leeway.
    ended = servers.issuer.token(**claims | {"nbf": now - 2_000}, exp=now - 1_300)
    answers = {
        name: [await _code(Client(each.channel, token)) for each in servers.clients]
        for name, token in (("good", good), ("ended", ended))
    }
    report.expect(answers["good"] == ["OK"] * 3, f"tokens: {answers['good']}")
    report.expect(answers["ended"] == ["UNAUTHENTICATED"] * 3, f"ended tokens: {answers['ended']}")
    past = servers.issuer.token(**claims | {"nbf": now - 600}, exp=now - 60)
    told = [await _code(Client(each.channel, past)) for each in servers.clients]
    # The cost of a leeway: a server that is behind takes a token for the shift and the leeway after its end.
    wanted = ["UNAUTHENTICATED", "UNAUTHENTICATED", "OK"]
    report.expect(told == wanted, f"tokens past their end: {told}")


async def pages_go_on_at_another_server(servers: Servers, report: DrillReport) -> None:
    """A list that is begun at one server and continued at others has everything once."""
    request = service.ListMemoriesRequest(agent_id="revisions", page_size=PAGE)
    found: list[str] = []
    page = 0
    while True:
        answer = await servers.clients[page % 3](request)
        found += [memory.memory_id for memory in answer.memories]
        page += 1
        if not answer.next_page_token:
            break
        request.page_token = answer.next_page_token
    report.found("lost", range(servers.writes - len({*found})))
    report.found("doubled", range(len(found) - len({*found})))


async def plans_and_handoffs_hold(servers: Servers, report: DrillReport) -> None:
    """A plan of one server is carried out by another; a handoff of the one that is behind is seen by the one that is
    ahead."""
    new = pb.NewMemory(content="to be forgotten, забыть")
    stated = await servers.behind(service.RememberRequest(agent_id="plans", memory=new))
    ids = service.MemoryIds(ids=[stated.memory.memory_id])
    plan = await servers.behind(service.ForgetMemoriesRequest(agent_id="plans", memory_ids=ids, dry_run=True))
    token = plan.receipt.plan_token
    await servers.ahead(service.ForgetMemoriesRequest(agent_id="plans", memory_ids=ids, plan_token=token))
    left = [memory async for memory in servers.right.memories("plans")]
    report.found("violations", left)
    packet = HandoffPacket(goal="go on, 続ける")
    await servers.behind(snapshots.HandOffRequest(agent_id="plans", to_agent_id="repeats", packet=packet))
    seen = [
        len((await client(snapshots.ListHandoffsRequest(agent_id="repeats"))).handoffs) for client in servers.clients
    ]
    report.expect(seen == [1, 1, 1], f"handoffs: {seen}")


async def runs_end_by_the_clocks_they_meet(servers: Servers, report: DrillReport) -> None:
    """A run that may be idle for longer than clocks differ goes on at every server; a shorter one ends early at one
    ahead."""
    ends = {}
    for name, seconds in (("long", 3_600), ("short", 300)):
        started = await servers.right(
            run_service.StartRunRequest(
                agent_id="runs",
                trigger=runs.Trigger(type="drill"),
                skip_snapshot=True,
                idle_seconds=seconds,
            )
        )
        ends[name] = [
            await _status(client, _append(started.run.run_id, name, number))
            for number, client in enumerate(servers.clients[::-1])
        ]
    report.expect(ends["long"] == ["OK"] * 3, f"runs of an hour: {ends['long']}")
    # At the one behind, which does not move its end back; at the right one; at the one ahead, by whose clock it has
    # ended.
    *going_on, ended = ends["short"]
    report.expect(going_on == ["OK"] * 2, f"runs of five minutes: {going_on}")
    report.expect(ended == "NOT_FOUND", f"a run of five minutes where the clock is ahead: {ended}")


async def the_audit_trail_is_whole(servers: Servers, report: DrillReport) -> None:
    """Entries by all three clocks are one chain."""
    entries = 0
    async for chain in servers.right(audit_service.VerifyAuditRequest()):
        report.found("violations", chain.problems)
        entries += chain.entries
    report.expect(entries > servers.writes, f"the audit trail has {entries} entries")


CHECKS: tuple[Callable[[Servers, DrillReport], Awaitable[None]], ...] = (
    revisions_go_up,
    repeats_are_one_write,
    ends_follow_the_clock_that_answers,
    tokens_are_taken_within_the_leeway,
    pages_go_on_at_another_server,
    plans_and_handoffs_hold,
    runs_end_by_the_clocks_they_meet,
    the_audit_trail_is_whole,
)


def _in(span: timedelta) -> Timestamp:
    stamp = Timestamp()
    stamp.FromDatetime(datetime.now(UTC) + span)
    return stamp


def _append(run_id: str, name: str, number: int) -> run_service.AppendRunRequest:
    steps = [runs.RunStep(llm_response=f"{name} {number}")]
    return run_service.AppendRunRequest(agent_id="runs", run_id=run_id, steps=steps)


async def _code(client: Client) -> str:
    return await _status(client, service.ListMemoriesRequest())


async def _status(client: Client, request: Any) -> str:
    """The code of the answer."""
    try:
        await client(request)
    except grpc.aio.AioRpcError as error:
        return error.code().name
    return "OK"


DRILL = Drill("clocks", "three servers by clocks ten minutes apart", run)
