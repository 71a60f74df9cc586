"""Measures a recall of the past beside one of the present: `python -m bench.decisions.known_at`
(docs/adr/0106-known-at.md).

A scope has 10,000 memories. In each step so many have been changed since the moment that is asked for, every second
one in its text. Milliseconds of one caller, the kinds of recall in turns.
"""

import argparse
import asyncio
import itertools
from datetime import UTC, datetime
from statistics import median

import psycopg
from camillo.v1 import memory_service_pb2 as service
from camillo_server.embedding.lexical import DEFAULT_DIMENSIONS
from google.protobuf.timestamp_pb2 import Timestamp

from bench.app_server import TENANT
from bench.material.corpus import Corpus
from bench.material.fill import fill_scope
from bench.material.texts import Texts
from bench.measure.client import connected
from bench.measure.servers import AppServer, app_server, embedding_by, temporary_directory
from bench.measure.timing import Call, latencies_ms, percentile, rounds_of
from bench.recall.calls import LIMIT, Recaller

AGENT = "ledger"
CHANGED = (0, 100, 1_000, 5_000)
WARM_UP, ROUNDS, WARM_SECONDS = 10, 5, 60.0
# As an update does it, for many at once.
CHANGE = """
with chosen as (
    select * from camillo.memories where agent_id = %(agent)s and version = 1 order by memory_id limit %(count)s
), kept as (
    insert into camillo.memory_history (
        tenant_id, agent_id, memory_id, version, content, kind, session_id, occurred_at, tags, sensitivity, importance, metadata,
        expires_at, pinned, archived, source_refs, created_at, updated_at, vector_model_id, trust_level, actor, credential,
        valid_from, valid_until, supersedes, superseded_by, key_id, sealed, replaced_at)
    select tenant_id, agent_id, memory_id, version, content, kind, session_id, occurred_at, tags, sensitivity, importance, metadata,
        expires_at, pinned, archived, source_refs, created_at, updated_at, vector_model_id, trust_level, actor, credential,
        valid_from, valid_until, supersedes, superseded_by, key_id, sealed, %(now)s
    from chosen returning memory_id
), scope as (
    update camillo.scopes set revision = revision + 1 where agent_id = %(agent)s returning revision
)
update camillo.memories m set version = 2, updated_at = %(now)s, revision = (select revision from scope),
    content = content || case when ascii(right(m.memory_id::text, 1)) %% 2 = 0 then '' else ' by now' end
from kept where m.agent_id = %(agent)s and m.memory_id = kept.memory_id
"""


def main() -> None:
    """Prints one line for each number of changes."""
    parser = argparse.ArgumentParser(prog="python -m bench.decisions.known_at")
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--recalls", type=int, default=20, help="of each kind and round")
    options = parser.parse_args()
    print(f"{'changed since':>13}{'now p50':>10}{'as_of p50':>11}{'known_at p50':>14}{'p95':>8}")
    with temporary_directory() as directory, app_server(embedding_by(None), directory) as app:
        corpus = Corpus(options.rows, DEFAULT_DIMENSIONS)
        fill_scope(app.url("superuser"), AGENT, corpus, asyncio.run(_model_id(app)))
        moment, done = datetime.now(UTC), 0
        for changed in CHANGED:
            _change(app, changed - done)
            done = changed
            asyncio.run(_measure(app, moment, changed, options.recalls))


async def _model_id(app: AppServer) -> str:
    async with connected(app.port, app.secret) as client:
        answer = await Recaller(client, AGENT).recall(_recall("which model"))
        return str(answer.model_id)


def _change(app: AppServer, count: int) -> None:
    with psycopg.connect(app.url("superuser")) as connection:
        connection.execute("select set_config('camillo.tenant', %s, false)", [TENANT])
        connection.execute(CHANGE, {"agent": AGENT, "count": count, "now": datetime.now(UTC)})
        connection.commit()


async def _measure(app: AppServer, moment: datetime, changed: int, count: int) -> None:
    async with connected(app.port, app.secret) as client:
        recaller = Recaller(client, AGENT)
        await recaller.until_warm(_recall("anything"), WARM_SECONDS)
        queries = itertools.cycle(Texts(11).queries(count))
        calls: dict[str, Call] = {
            "now": lambda: recaller.recall(_recall(next(queries))),
            "as_of": lambda: recaller.recall(_recall(next(queries), as_of=moment)),
            "known_at": lambda: recaller.recall(_recall(next(queries), known_at=moment)),
        }
        for call in calls.values():
            await latencies_ms(call, WARM_UP)
        rounds = await rounds_of(calls, ROUNDS, count)
    p50 = {name: median(percentile(each, 50) for each in rounds[name]) for name in calls}
    p95 = median(percentile(each, 95) for each in rounds["known_at"])
    print(
        f"{changed:13,}{p50['now']:10.1f}{p50['as_of']:11.1f}{p50['known_at']:14.1f}{p95:8.1f}",
        flush=True,
    )


def _recall(text: str, **moments: datetime) -> service.RecallRequest:
    request = service.RecallRequest(agent_id=AGENT, text=text, limit=LIMIT)
    for name, moment in moments.items():
        told = Timestamp()
        told.FromDatetime(moment)
        getattr(request, name).CopyFrom(told)
    return request


if __name__ == "__main__":
    main()
