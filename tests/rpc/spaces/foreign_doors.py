"""Attempts at the spaces of others by HTTP, by MCP, by tokens, and by Postgres as the role that serves."""

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote

import httpx
import psycopg
from psycopg import sql

from tests.rpc.spaces.foreign_spaces import Outcome, Tally
from tests.rpc.spaces.space_names import CANARY, EMPTY, FOREIGN, names_of_others

MCP_HEADERS = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
RECALL: dict[str, Any] = {"query": "the of"}

TABLES = """
select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid where a.attname = 'agent_id'
and c.relnamespace = 'camillo'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1
"""
# Scopes that a connection is bound to: no foreign space is among them.
BINDINGS = ("", "alice", "users/4", "users/42/", "Users/42", "users/%", "users/*", "{}", "{*}", '{"users/4","alice"}')


def http_requests(name: str) -> Iterator[tuple[str, str, dict[str, str], Any]]:
    """Requests that name a space, in each place: method, path, headers, body."""
    yield "GET", f"/v1/memories?agent_id={quote(name, safe='')}", {}, None
    yield "POST", "/v1/memories:recall", {}, {"agentId": name, "text": "the of"}
    yield "POST", "/v1/memories:recall", {}, {"spaces": [{"space": name}], "text": "the of"}
    yield "GET", f"/v1/agents/{quote(name, safe='')}/memories", {}, None
    for header in ("camillo-default-agent", "camillo-space", "x-camillo-space"):
        if name.isprintable():
            yield "POST", "/v1/memories:recall", {header: quote(name, safe="/@*:{}',")}, {"text": "the of"}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "recall", "arguments": RECALL}}
    for path in dict.fromkeys((quote(name), quote(name, safe=""), name)):
        if path.isascii() and path.isprintable() and " " not in path:
            yield "POST", f"/mcp/{path}", MCP_HEADERS, body
    named: dict[str, Any] = {"name": "recall", "arguments": {**RECALL, "space": name, "agent_id": name}}
    yield "POST", "/mcp", MCP_HEADERS, {**body, "params": named}
    yield "POST", f"/mcp?space={quote(name, safe='')}", MCP_HEADERS, body


async def http_outcome(client: httpx.AsyncClient, key: str, request: tuple[str, str, dict[str, str], Any]) -> Outcome:
    method, path, headers, body = request
    headers = {**headers, "authorization": f"Bearer {key}"}
    told = await client.request(method, path, headers=headers, json=body)
    return Outcome(str(told.status_code), told.text if told.status_code != 200 else "", told.content)


async def try_http(client: httpx.AsyncClient, owner: str, keys: Sequence[str], tally: Tally) -> None:
    """Every name in every place of a request by HTTP and MCP. The owner's are noted as controls."""
    for foreign in FOREIGN:
        for request in http_requests(foreign):
            found = await http_outcome(client, owner, request)
            if CANARY.encode() in found.answered:
                place = next(iter(request[2].keys() - MCP_HEADERS.keys()), request[1].split("/")[1].split("?")[0])
                tally.controls.add(f"{request[0]} {place}")
    for number, (name, other) in enumerate(names_of_others()):
        key = keys[number % len(keys)]
        for request, twin in zip(http_requests(name), http_requests(other), strict=False):
            there, absent = [await http_outcome(client, key, each) for each in (request, twin)]
            pairs = [(other, name), *((quote(b), quote(a)) for a, b in EMPTY.items())]
            tally.tried += 2
            if CANARY.encode() in there.answered:
                tally.leaks.append(f"{request} told the canary")
            elif there.like(()) != absent.like(pairs):
                tally.leaks.append(f"{request} tells what is there: {there} / {absent}")


def try_postgres(url: str, tenant_id: str, tally: Tally) -> None:
    """Bare statements of the role that serves, on a connection bound to some scopes that are not the foreign ones."""
    with psycopg.connect(url, autocommit=True) as connection:
        tables = [sql.Identifier(name) for (name,) in connection.execute(TABLES)]
        for table in tables:
            statement = sql.SQL("select count(*) from camillo.{} where agent_id = any(%s)").format(table)
            change = sql.SQL("delete from camillo.{} where agent_id = any(%s)").format(table)
            for entered in (*FOREIGN, *BINDINGS):
                connection.execute(
                    "select set_config('camillo.tenant', %s, false), set_config('camillo.agent', %s, false)",
                    (tenant_id, entered),
                )
                own = [entered] if entered in FOREIGN else []
                others = [each for each in FOREIGN if each != entered]
                if own and connection.execute(statement, (own,)).fetchone() != (0,):
                    tally.controls.add(f"table {table.as_string(connection)}")
                tally.tried += 1
                if connection.execute(statement, (others,)).fetchone() != (0,):
                    tally.leaks.append(f"{table} shows {others} to {entered}")
                try:
                    with connection.transaction(force_rollback=True):
                        tally.tried += 1
                        if connection.execute(change, (others,)).rowcount:
                            tally.leaks.append(f"{table} lets {entered} delete of {others}")
                except psycopg.errors.InsufficientPrivilege:
                    pass
