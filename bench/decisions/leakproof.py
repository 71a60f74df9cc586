"""Full-text search under row-level security, with and without the mark: `python -m bench.decisions.leakproof`
(docs/adr/vectors-in-postgres.md). 20,000 memories in one scope, one term that 20 of them hold, as the role that serves."""

from statistics import median

import psycopg
from camillo_server.storage.scopes import scope_prefix

from bench.decisions.scratch import SCOPE, scratch_postgres, superuser_of
from bench.measure.timing import seconds_in_turns

MEMORIES = 20_000
EVERY = 1_000
REPETITIONS = 50

FILL = """
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


def main() -> None:
    """Prints the plan and the time of the search, marked and unmarked."""
    with scratch_postgres() as postgres, superuser_of(postgres) as superuser:
        shape = {"prefix": scope_prefix(SCOPE), "memories": MEMORIES, "every": EVERY}
        superuser.execute(FILL, {**PARAMETERS, **shape})
        superuser.execute("vacuum analyze memories")
        for mark in ("leakproof", "not leakproof"):
            superuser.execute(f"alter function ts_match_vq(tsvector, tsquery) {mark}")
            _show(mark, postgres.server_url)


def _show(mark: str, url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "select set_config('camillo.tenant', %s, false), set_config('camillo.agent', %s, false)",
            [SCOPE.tenant_id, SCOPE.agent_id],
        )
        found = connection.execute(SEARCH, PARAMETERS).fetchall()
        searches = {mark: lambda: connection.execute(SEARCH, PARAMETERS)}
        milliseconds = median(seconds_in_turns(searches, REPETITIONS)[mark]) * 1000
        print(f"{mark}: {len(found)} of {MEMORIES:,} memories, median {milliseconds:.2f} ms")
        for (line,) in connection.execute(f"explain (costs off) {SEARCH}", PARAMETERS):
            print(f"    {line}")


if __name__ == "__main__":
    main()
