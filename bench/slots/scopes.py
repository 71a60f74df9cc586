"""The options of this benchmark's parts, a write, and scopes that are full already."""

import itertools
from dataclasses import dataclass
from typing import Any

import psycopg
from camillo.v1 import slot_pb2
from camillo.v1 import slot_service_pb2 as service

from bench.measure.client import Client
from bench.measure.servers import AppServer
from bench.measure.timing import Call

# As SetMemory stores them, without chunks: neither lists nor digests read these.
FILL = """
with numbered as (
    select n, gen_random_uuid() as slot_id, s.revision + n as revision, %(at)s::timestamptz + n * interval '1 second' as at,
        'note' || n %% 7 as type
    from camillo.scopes s, generate_series(1, %(count)s) n
    where s.tenant_id = 'bench' and s.agent_id = %(agent_id)s
), moved as (
    update camillo.scopes set revision = revision + %(count)s where tenant_id = 'bench' and agent_id = %(agent_id)s
), stored as (
    insert into camillo.slots (tenant_id, agent_id, slot_id, path, version, revision, kind, sensitivity, type, tags,
        importance, updated_at, content_bytes)
    select 'bench', %(agent_id)s, slot_id, chr(1) || 'user' || chr(1) || 'topic-' || n %% 100 || chr(1) || 'slot-' || n, 1, revision,
        49, 2, type, array['t' || n %% 10], (n %% 11) / 10.0, at, 200
    from numbered
)
insert into camillo.slot_versions (tenant_id, agent_id, slot_id, version, revision, kind, sensitivity, trust_level,
    credential, updated_at, content_bytes, key_id, details)
select 'bench', %(agent_id)s, slot_id, 1, revision, 49, 2, 30, '', at, 200, '', jsonb_build_object(
    'content', json_build_object('type', type, 'text', repeat('milk ', 20) || n)::text, 'source', 'chat',
    'fields', jsonb_build_object('type', type, 'tags', jsonb_build_array('t' || n %% 10), 'importance', 0.5,
        'summary', 'Number ' || n || ': ' || repeat('milk ', 8), 'expired_at', null, 'trigger_at', null))
from numbered
"""  # noqa: E501


@dataclass(frozen=True, slots=True)
class SlotOptions:
    """How much is measured: slots of the large scopes, of which a tenth is in that of the digests, and calls of each
    kind; kills, and writes meanwhile at least, each of 32 writers with pauses of so many seconds on average."""

    slots: int = 100_000
    rounds: int = 9
    calls_a_round: int = 100
    mirror_kills: int = 200
    server_kills: int = 20
    writes: int = 2_000
    pause_seconds: float = 2.5


QUICK = SlotOptions(2_000, 2, 20, 3, 1, 64, 0.1)


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


async def fill(client: Client, app: AppServer, agent_id: str, count: int) -> None:
    """Slots of an agent, stored by one statement: its first one makes the scope."""
    await set_call(client, agent_id)()
    with psycopg.connect(app.url("superuser"), autocommit=True) as superuser:
        values = {"agent_id": agent_id, "count": count, "at": "2026-01-01T00:00:00Z"}
        superuser.execute(FILL, values)
        superuser.execute("vacuum analyze camillo.slots, camillo.slot_versions")
