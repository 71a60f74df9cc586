"""Measures what the policies of agents cost a statement: `python -m bench.decisions.agent_policies` (docs/adr/0047)."""

import time
from typing import Any

import psycopg
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.scope import Scope
from camillo_server.storage.database import Binding
from camillo_server.storage.scopes import scope_prefix

from bench.decisions.leakproof import EVERY, FILL, MEMORIES, PARAMETERS, SEARCH
from bench.decisions.scratch import SCOPE, scratch_postgres, superuser_of

OTHER_AGENTS, OF_EACH = 30, 1_000
SETTING = "current_setting('camillo.agent', true)"
SETTINGS = {"no policy": None, "bare calls": SETTING, "subqueries": f"(select {SETTING})"}
POLICY = """
create policy agent_reads on memories as restrictive for select using (
    case {setting} when '*' then true else agent_id in ({setting}, '') end)
"""
OF_AGENT = "from camillo.memories where tenant_id = %(tenant)s and agent_id = %(agent)s"
STATEMENTS = {
    "sum over 20,000": (f"select sum(term_count) {OF_AGENT}", 30),
    "search, 20 hits": (SEARCH, 400),
    "one row by its key": (f"select content {OF_AGENT} and memory_id = %(memory_id)s", 400),
}
BIND_SESSION, BINDING = Binding(SCOPE, 30_000).statement


def main() -> None:
    """Prints the time of each statement under each form of the policy, and the plan of the search."""
    with scratch_postgres() as postgres, superuser_of(postgres) as superuser:
        _fill(superuser, SCOPE, MEMORIES)
        for number in range(OTHER_AGENTS):
            _fill(superuser, Scope(SCOPE.tenant_id, AgentId(f"other-{number}")), OF_EACH)
        superuser.execute("vacuum analyze memories")
        row = superuser.execute(f"select memory_id {OF_AGENT} limit 1", PARAMETERS).fetchone()
        assert row is not None
        for name, setting in SETTINGS.items():
            superuser.execute("drop policy if exists agent_reads on memories")
            if setting:
                superuser.execute(POLICY.format(setting=setting).encode())
            _show(name, postgres.server_url, {**PARAMETERS, "memory_id": row[0]})


def _fill(superuser: psycopg.Connection, scope: Scope, memories: int) -> None:
    shape = {"prefix": scope_prefix(scope), "memories": memories, "every": EVERY}
    superuser.execute(FILL, {**PARAMETERS, "agent": scope.agent_id, **shape})


def _show(name: str, url: str, parameters: dict[str, object]) -> None:
    with psycopg.connect(url, autocommit=True, prepare_threshold=0) as connection:
        connection.execute(BIND_SESSION, BINDING)
        for title, (statement, times) in STATEMENTS.items():
            print(f"{name}: {title} {_fastest(connection, statement, parameters, times):.3f} ms")
        print(f"{name}: binding {_fastest(connection, BIND_SESSION, BINDING, 400):.3f} ms")
        for (line,) in connection.execute(f"explain (costs off) {SEARCH}".encode(), parameters):
            print(f"    {line}")


def _fastest(connection: psycopg.Connection, statement: str, parameters: Any, times: int) -> float:
    """Milliseconds."""
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        connection.execute(statement.encode(), parameters).fetchall()
        taken.append(time.perf_counter() - started)
    return min(taken) * 1000


if __name__ == "__main__":
    main()
