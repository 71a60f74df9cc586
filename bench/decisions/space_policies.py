"""Measures row-level security by one scope against that by a set of scopes: `python -m bench.decisions.space_policies`
(docs/adr/isolation.md#adr-0136).

Both forms of the policies take turns on the same table; the time is that of the processor in Postgres, as the role
that serves.
"""

from importlib import import_module
from statistics import median
from typing import Any

import psycopg
from camillo_server.storage.embedded.account import DATABASE, SERVER
from rich.console import Console
from rich.table import Table

from bench.app_server import TENANT
from bench.decisions.scratch import scratch_postgres, superuser_of
from bench.measure.servers import backend_seconds

ROUNDS = 7
SETS = import_module("camillo_server.storage.migrations.versions.0051_sets_of_spaces")
ENTERED = "(select current_setting('camillo.agent', true))"
ONE_OWN = f"case {ENTERED} when '*' then true else agent_id = {ENTERED} end"
ONE_READ = f"case {ENTERED} when '*' then true else agent_id in ({ENTERED}, '') end"
FORMS = {"one": (ONE_OWN, ONE_READ), "sets": (SETS.IS_OWN, SETS.IS_READ)}
ROWS = """
insert into scopes (tenant_id, agent_id, revision, memory_count, term_count, display_name, created_at)
select %(tenant)s, a, 1, 0, 0, '', now() from unnest(array['alice', 'users/1', 'users/2', 'users/3', 'users/4']) a;
insert into memories (tenant_id, agent_id, memory_id, revision, {columns})
select %(tenant)s, s.agent_id, gen_random_uuid(), n, {values} from scopes s, generate_series(1, 20000) n
where s.agent_id = 'alice' or n <= 7500;
analyze memories
"""
VALUES = {
    "ARRAY": "'{}'", "bigint": "0", "boolean": "false", "bytea": "''", "integer": "1", "jsonb": "'{}'", "real": ".5",
    "smallint": "1", "text": "'x'", "timestamp with time zone": "now()", "tsvector": "''",
}  # fmt: skip
SUM = "select sum(revision) from memories where tenant_id = %(tenant)s and agent_id = any(%(agents)s)"
ONE_ROW = "tenant_id = %(tenant)s and agent_id = 'alice' and memory_id = %(id)s"
READ = f"select content from memories where {ONE_ROW}"
CHANGE = f"update memories set revision = revision where {ONE_ROW}"
# The scope that a connection is bound to, a statement, and how often it runs.
CASES = {
    "sum over 20,000": ("alice", SUM, 60),
    "one row by its key": ("alice", READ, 8_000),
    "one row changed": ("alice", CHANGE, 1_500),
    "sum, whole tenant": ("*", SUM, 60),
    "sum, set of three": ('{"alice","users/1","users/2"}', SUM, 60),
}


def fill(superuser: psycopg.Connection[Any]) -> Any:
    """Stores rows of five scopes; returns the id of one of alice's."""
    needed = superuser.execute(
        "select column_name, data_type from information_schema.columns where table_schema = 'camillo' and table_name ="
        " 'memories' and is_nullable = 'NO' and column_default is null and is_generated = 'NEVER' and column_name not"
        " in ('tenant_id', 'agent_id', 'memory_id', 'revision')"
    ).fetchall()
    columns, values = (", ".join(each) for each in zip(*((name, VALUES[kind]) for name, kind in needed), strict=True))
    superuser.execute(ROWS.format(columns=columns, values=values).encode(), {"tenant": TENANT})
    row = superuser.execute("select memory_id from memories where agent_id = 'alice' limit 1").fetchone()
    assert row is not None
    return row[0]


def set_policies(superuser: psycopg.Connection[Any], own: str, read: str) -> None:
    for name, condition in (("reads", f"using ({read})"), ("updates", f"using ({own})")):
        superuser.execute(f"alter policy agent_{name} on memories {condition}".encode())


def seconds(connection: psycopg.Connection[Any], case: str, memory_id: Any) -> float:
    """Time of the processor for one run."""
    entered, statement, count = CASES[case]
    connection.execute("select set_config('camillo.agent', %s, false)", [entered])
    parameters = {"tenant": TENANT, "agents": ["alice"], "id": memory_id}
    for _ in range(5):
        connection.execute(statement.encode(), parameters)
    before = backend_seconds(connection.info.backend_pid)
    for _ in range(count):
        connection.execute(statement.encode(), parameters)
    return (backend_seconds(connection.info.backend_pid) - before) / count


def main() -> None:
    found: dict[str, dict[str, list[float]]] = {case: {form: [] for form in FORMS} for case in CASES}
    with scratch_postgres() as postgres, superuser_of(postgres) as superuser:
        memory_id = fill(superuser)
        with psycopg.connect(postgres.url(SERVER, DATABASE), autocommit=True, prepare_threshold=0) as connection:
            connection.execute("set search_path to camillo, public")
            connection.execute("select set_config('camillo.tenant', %s, false)", [TENANT])
            for _ in range(ROUNDS):
                for form, conditions in FORMS.items():
                    set_policies(superuser, *conditions)
                    for case in CASES:
                        found[case][form].append(seconds(connection, case, memory_id))
                superuser.execute("vacuum memories")
    table = Table("us of Postgres", "one scope", "sets", "ratio")
    for case, forms in found.items():
        ratios = [new / old for old, new in zip(*forms.values(), strict=True)]
        table.add_row(case, *(f"{1e6 * median(each):,.1f}" for each in forms.values()), f"{median(ratios):.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
