"""How many functions a warm call of each kind runs in the server, against `call_counts.json`: which holds what the calls took
when it was written. `make call-counts` writes it anew.
"""

import itertools
import json
import operator
import os
from collections import Counter
from collections.abc import Mapping
from functools import reduce
from pathlib import Path

import pytest
from camillo_server.assembly import search as wiring
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.lib.text.index_terms import index_terms
from camillo_server.telemetry.logging import request_id_var

from bench.budget.calls import EVENTS, MEMORIES, Sizes, agent_of, calls_of, fill
from bench.material.chats import EventRecorder
from bench.measure.client import Client
from bench.measure.echo_server import add_echo
from tests.patience import PATIENCE_SECONDS
from tests.rpc.call_counting import COUNTED, counted_functions
from tests.server_fixtures import Server, StartServer

pytestmark = pytest.mark.caches

TABLE = Path(__file__).with_name("call_counts.json")
TOLERANCE = 0.05
# One vector and one text, again and again, and of questions, which are embedded anew, the same words: what is cached for a
# word, a memory or an event is there, whatever ran in this process before.
SIZES = Sizes(memories=200, events=50, queries=1)
WORDS = ("which", "engine", "boils", "the", "old", "kettle", "loudly")
# First calls load and prepare what the next ones use, and are not counted.
WARM_UP_CALLS, COUNTED_CALLS = 3, 8
MAX_LISTED = 20

Counts = Mapping[str, int]


async def test_no_call_takes_a_longer_way_than_it_did(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A memory that shows when it was last found takes more: whether one does would depend on how long all this takes.
    monkeypatch.setattr(wiring, "ACCESS_FLUSH_SECONDS", 3_600.0)
    counts = await counts_of_all(start_server)
    if os.environ.get("CAMILLO_WRITE_CALL_COUNTS"):
        TABLE.write_text(json.dumps(counts, indent=1, sort_keys=True) + "\n", "utf-8")
    table = json.loads(TABLE.read_text("utf-8"))
    assert counts.keys() == table.keys()
    problems = [difference(name, table[name], counts[name]) for name in counts]
    assert not any(problems), "\n\n".join(filter(None, problems))


async def counts_of_all(start_server: StartServer) -> dict[str, Counter[str]]:
    """Functions that every repetition of a call runs: none that runs now and then, such as to wait or to bind anew."""
    embedding = {"embedding_model": "lexical", "embedding_dimensions": 384}
    server = await start_server(more_services=[add_echo], memory=embedding)
    client = Client(server.channel, server.keys.root)
    await fill(client, SIZES)
    questions = map(" ".join, itertools.permutations(WORDS))
    calls = await calls_of(client, SIZES, questions)
    await load_anew(server)
    # The server embeds events behind their writes, and a write finds the index busy then.
    settled = EventRecorder(Client(server.channel, server.keys.root)).until_embedded
    client.metadata += (("x-request-id", COUNTED),)
    counts: dict[str, Counter[str]] = {}
    with counted_functions() as counter:
        for name, call in calls.items():
            found = []
            for _ in range(WARM_UP_CALLS + COUNTED_CALLS):
                await settled(agent_of(0))
                counter.clear()
                await call()
                found.append(Counter(counter))
            counts[name] = reduce(operator.and_, found[WARM_UP_CALLS:])
    return counts


async def load_anew(server: Server) -> None:
    """Indexes loaded while events still waited for their vectors hold the rows of before, too, which a search steps over: how many
    there are would depend on how busy the machine is."""
    caches = server.app.search.engine.caches
    for agent_id in (MEMORIES, EVENTS):
        scope = Scope(TenantId("acme"), AgentId(agent_id))
        caches.drop(scope, "it is counted from here")
        caches.request_load(scope)
        assert await caches.wait_until_loaded(scope, PATIENCE_SECONDS)


def difference(name: str, known: Counts, counted: Counts) -> str | None:
    """How a call differs from the table where it does by more than the tolerance, or in its statements."""
    before, after = sum(known.values()), sum(counted.values())
    statements = [statements_in(each) for each in (known, counted)]
    if abs(after - before) <= before * TOLERANCE and statements[0] == statements[1]:
        return None
    changes = {each: counted.get(each, 0) - known.get(each, 0) for each in {*known, *counted}}
    largest = sorted(filter(changes.get, changes), key=lambda each: (-abs(changes[each]), each))
    lines = [f"{changes[each]:+6d} {each}" for each in largest[:MAX_LISTED]]
    if len(largest) > MAX_LISTED:
        lines.append(f"       and {len(largest) - MAX_LISTED} more")
    return "\n".join(
        [
            f"{name} runs {after} functions, {before} by the table ({after / before - 1:+.1%}), and "
            f"{statements[1]} statements, {statements[0]} by the table. Make it shorter, or accept it: make call-counts",
            *lines,
        ]
    )


def statements_in(counts: Counts) -> int:
    """How often a store has Postgres do something; without binding a connection, which depends on who had it before."""
    ways = ("-> psycopg execute", " Database._run_alone")
    return sum(number for name, number in counts.items() if name.endswith(ways))


def test_a_longer_way_is_refused_and_the_functions_that_it_added_are_named() -> None:
    known = {"search/recall.py best_hits": 1, "text/tokens.py count_tokens": 99}
    assert difference("recall", known, {**known, "text/terms.py stem": 5}) is None
    longer = {**known, "text/terms.py stem": 4, "text/tokens.py count_tokens": 109}
    problem = difference("recall", known, longer)
    assert problem is not None
    assert problem.splitlines()[1:] == [
        "   +10 text/tokens.py count_tokens",
        "    +4 text/terms.py stem",
    ]
    assert "(+14.0%)" in problem
    # A gain has to be kept, too, and a statement more is no matter of five in a hundred.
    assert difference("recall", longer, known)
    statement = {**known, "storage/database.py Session.row -> psycopg execute": 1}
    assert difference("recall", known, statement)


async def test_what_a_call_runs_is_counted_in_every_thread_and_nothing_else_is() -> None:
    function = "lib/text/index_terms.py index_terms"
    with counted_functions() as counts:
        index_terms("another call")
    assert not counts
    token = request_id_var.set(COUNTED)
    try:
        with counted_functions() as counts:
            index_terms("this call")
            await off_loop(UNBOUNDED, lambda: index_terms("this call"))
    finally:
        request_id_var.reset(token)
    assert counts[function] == 2
