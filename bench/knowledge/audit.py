"""The cost of the audit trail to a write, and whether the trail tells what was done to it."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psycopg
from camillo.v1 import audit_service_pb2 as service

from bench.measure.client import Client, Material, connected, remember_call
from bench.measure.servers import VECTORS_GIVEN, AppServer, replica
from bench.measure.timing import Figure, Figures, latencies_ms, percentiles, rounds_of

UNAUDITED = ("bench.knowledge.unaudited_server",)
AGENT = "tampered"
WARM_UP = 60
CHECK_SECONDS = 300.0
FILLED_AT_ONCE = 500
ENTER = "select set_config('camillo.tenant', 'bench', false), set_config('camillo.agent', '*', false)"
FILL = """
insert into camillo.audit_entries (tenant_id, agent_id, at, revision, method, credential, facts)
select 'bench', %(agent_id)s, now() + n * interval '1 second', n, 'MemoryService/Remember', 'bench',
    json_build_object('role', 'WRITER', 'memory_ids', json_build_array(gen_random_uuid()))
from generate_series(%(first)s::integer, %(last)s::integer) n order by n
"""
IN_CHAIN = "tenant_id = 'bench' and agent_id = 'tampered'"


@dataclass(frozen=True, slots=True)
class Tampering:
    """Statements of somebody with all rights, and the places where they are to be found."""

    name: str
    statements: Sequence[str]
    places: frozenset[int]


def tamperings(entries: int) -> Sequence[Tampering]:
    """Each at another place of a chain with so many entries, and undone by nobody."""
    changed, removed, first, inserted = (entries * tenth // 10 for tenth in (2, 4, 6, 8))
    moved = [
        f"update camillo.audit_entries set position = {to} where {IN_CHAIN} and position = {place}"
        for place, to in ((first, -1), (first + 1, first), (-1, first + 1))
    ]
    columns = "tenant_id, agent_id, position, at, revision, method, credential, facts, hash"
    copied = columns.replace(" at,", " at + interval '1 second',").replace(" credential,", " 'other',")
    return (
        Tampering(
            "change",
            [f"update camillo.audit_entries set credential = 'other' where {IN_CHAIN} and position = {changed}"],
            frozenset({changed}),
        ),
        Tampering(
            "removal",
            [f"delete from camillo.audit_entries where {IN_CHAIN} and position = {removed}"],
            frozenset({removed}),
        ),
        Tampering("reorder", moved, frozenset({first, first + 1})),
        Tampering(
            "insertion",
            [
                f"insert into camillo.audit_entries ({columns}) select {copied}"
                f" from camillo.audit_entries where {IN_CHAIN} and position = {inserted}"
            ],
            frozenset({inserted}),
        ),
    )


async def measure_overhead(app: AppServer, directory: Path, rounds: int, calls_a_round: int) -> Figures:
    """Remember by a server that enters what it stores, over one that does not, on the same database, in turns."""
    with replica(app, VECTORS_GIVEN, directory / "unaudited", program=UNAUDITED) as without:
        async with (
            connected(app.port, app.secret) as audited,
            connected(without.port, app.secret) as unaudited,
        ):
            calls = {
                "audited": remember_call(audited, Material.with_vectors(), "audited"),
                "unaudited": remember_call(unaudited, Material.with_vectors(), "unaudited"),
            }
            for call in calls.values():
                await latencies_ms(call, WARM_UP)
            found = await rounds_of(calls, rounds, calls_a_round)
    p50 = {name: percentiles(taken, 50) for name, taken in found.items()}
    ratio = p50["audited"].over(p50["unaudited"])
    percent = Figure(tuple(100 * (each - 1) for each in ratio.rounds))
    return {"audit_overhead": percent, "audited_remember_p50_ms": p50["audited"]}


async def measure_tampering(app: AppServer, entries: int) -> Figures:
    """How many of four ways to tamper with a chain are found, each with its place and no other; and how long a check
    takes."""
    found = 0
    with psycopg.connect(app.url("superuser"), autocommit=True) as superuser:
        superuser.execute(ENTER)
        # A transaction walks over all the states that it has given to the end of the chain.
        for first in range(1, entries + 1, FILLED_AT_ONCE):
            last = min(first + FILLED_AT_ONCE - 1, entries)
            superuser.execute(FILL, {"agent_id": AGENT, "first": first, "last": last})
        superuser.execute("set session_replication_role = replica")
        async with connected(app.port, app.secret) as client:
            before, seconds = await _places(client)
            assert not before, before
            for tampering in tamperings(entries):
                for statement in tampering.statements:
                    superuser.execute(statement.encode())
                places, _ = await _places(client)
                new = places - before
                # A removed or moved entry shows at its neighbour behind it, too.
                expected = tampering.places
                found += expected <= new <= expected | {max(expected) + 1}
                before = places
    return {
        "tampering_found": Figure((float(found),)),
        "verify_per_s": Figure((entries / seconds,)),
    }


async def _places(client: Client) -> tuple[frozenset[int], float]:
    """The places of problems in the chain, and how long it took to find them."""
    began = time.perf_counter()
    places: set[int] = set()
    async for answer in client(service.VerifyAuditRequest(), CHECK_SECONDS):
        if answer.head.agent_id == AGENT:
            places.update(problem.position for problem in answer.problems)
    return frozenset(places), time.perf_counter() - began
