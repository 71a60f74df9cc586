"""Full-text search under row-level security, with and without the mark: `python -m bench.decisions.leakproof`
(docs/adr/0005). 20,000 memories in one scope, one term that 20 of them hold, as the role that serves."""

import statistics
import sys
import time

import psycopg
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.storage.embedded.roles import DATABASE, SUPERUSER
from camillo_server.storage.lexemes import scope_prefix

from bench.decisions.scratch import scratch_postgres

MEMORIES = 20_000
EVERY = 1_000
REPETITIONS = 50
SCOPE = Scope(TenantId("acme"), AgentId("alice"))

FILL = """
insert into tenants values (%(tenant)s, '', now());
insert into scopes values (%(tenant)s, %(agent)s, 1, %(memories)s, %(memories)s * 12, '', now());
insert into memories
select %(tenant)s, %(agent)s, gen_random_uuid(), 1, 1, repeat('x', 100), 1, '', now(), '{}', 2, 0.5, '{}', null,
    false, false, '{}', now(), now(), '', 12,
    (select string_agg(format('''%%s%%s'':1', %(prefix)s::text,
        case when word = 0 and n %% %(every)s = 0 then 'rare' else (n * 31 + word * 977) %% 5000 || 'w' end), ' ')
     from generate_series(0, 11) word)::tsvector, ''::bytea
from generate_series(1, %(memories)s) n;
"""
SEARCH = """
select m.memory_id, ts_rank(m.terms, %(query)s::tsquery) from camillo.memories m
where m.tenant_id = %(tenant)s and m.agent_id = %(agent)s and m.terms @@ %(query)s::tsquery
"""
PARAMETERS = {
    "tenant": SCOPE.tenant_id,
    "agent": SCOPE.agent_id,
    "query": f"'{scope_prefix(SCOPE)}rare'",
}


def main() -> int:
    """Prints the plan and the time of the search, marked and unmarked."""
    with (
        scratch_postgres() as postgres,
        psycopg.connect(
            postgres.url(SUPERUSER, DATABASE), autocommit=True, cursor_factory=psycopg.ClientCursor
        ) as superuser,
    ):
        superuser.execute("set search_path to camillo, public")
        filling = {
            **PARAMETERS,
            "prefix": scope_prefix(SCOPE),
            "memories": MEMORIES,
            "every": EVERY,
        }
        superuser.execute(FILL, filling)
        superuser.execute("vacuum analyze memories")
        for mark in ("leakproof", "not leakproof"):
            superuser.execute(f"alter function ts_match_vq(tsvector, tsquery) {mark}")
            _show(mark, postgres.server_url)
    return 0


def _show(mark: str, url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("select set_config('camillo.tenant', %s, false)", [SCOPE.tenant_id])
        found = connection.execute(SEARCH, PARAMETERS).fetchall()
        milliseconds = []
        for _ in range(REPETITIONS):
            started = time.perf_counter()
            connection.execute(SEARCH, PARAMETERS)
            milliseconds.append((time.perf_counter() - started) * 1000)
        print(
            f"{mark}: {len(found)} of {MEMORIES:,} memories, median {statistics.median(milliseconds):.2f} ms"
        )
        for (line,) in connection.execute(f"explain (costs off) {SEARCH}", PARAMETERS):
            print(f"    {line}")


if __name__ == "__main__":
    sys.exit(main())
