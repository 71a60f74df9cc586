"""How many functions, SQL statements and files of the server a warm call of each kind runs, against `call_counts.json`.
`make call-counts` writes it anew, and the single functions into `build/`, where a call that became longer looks them
up."""

import itertools
import json
import operator
import os
from collections import Counter
from collections.abc import Mapping
from functools import reduce
from pathlib import Path

import pytest
from camillo_server.assembly import search
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.lib.redaction.stream import warm
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
FUNCTIONS = TABLE.parents[2] / "build" / "call_counts_by_function.json"
TOLERANCE = 0.05
# One vector and one text, again and again, and of questions, which are embedded anew, the same words: what is cached
# for a word, a memory or an event is there, whatever ran in this process before.
SIZES = Sizes(memories=200, events=50, queries=1)
WORDS = ("which", "engine", "boils", "the", "old", "kettle", "loudly")
# First calls load and prepare what the next ones use, and are not counted.
WARM_UP_CALLS, COUNTED_CALLS = 3, 8
MAX_LISTED = 20
# A store has Postgres do something; binding a connection does not count, since it depends on who had the connection
# before.
STATEMENTS = ("-> psycopg execute", " Database._run_alone")
UNKNOWN_FUNCTIONS = "To see which functions were added, run make call-counts on the commit before, and this test again."

Counts = Mapping[str, int]


async def test_no_call_takes_a_longer_way_than_it_did(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A memory that shows when it was last found takes more: whether one does would depend on how long all this takes.
    monkeypatch.setattr(search, "ACCESS_FLUSH_SECONDS", 3_600.0)
    counts = await counts_of_all(start_server)
    if os.environ.get("CAMILLO_WRITE_CALL_COUNTS"):
        write(TABLE, {name: totals(counted) for name, counted in counts.items()})
        write(FUNCTIONS, counts)
    table = json.loads(TABLE.read_text("utf-8"))
    functions = json.loads(FUNCTIONS.read_text("utf-8")) if FUNCTIONS.exists() else {}
    assert counts.keys() == table.keys()
    problems = [difference(name, table[name], counts[name], functions.get(name, {})) for name in counts]
    assert not any(problems), "\n\n".join(filter(None, problems))


def write(path: Path, counts: Mapping[str, Counts]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(counts, indent=1, sort_keys=True) + "\n", "utf-8")


async def counts_of_all(start_server: StartServer) -> dict[str, Counter[str]]:
    """Functions that every repetition of a call runs: none that runs now and then, such as to wait or to bind anew."""
    embedding = {"embedding_model": "lexical", "embedding_dimensions": 384}
    server = await start_server(more_services=[add_echo], memory=embedding)
    client = Client(server.channel, server.keys.root)
    # Else it would depend on the tests before whether the gate of secrets is the one that has to be made first.
    await off_loop(UNBOUNDED, warm)
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
    """Indexes loaded while events still waited for their vectors hold the rows of before, too, which a search steps
    over: how many there are would depend on how busy the machine is."""
    caches = server.app.search.engine.caches
    for agent_id in (MEMORIES, EVENTS):
        scope = Scope(TenantId("acme"), AgentId(agent_id))
        caches.drop(scope, "it is counted from here")
        caches.request_load(scope)
        assert await caches.wait_until_loaded(scope, PATIENCE_SECONDS)


def totals(counted: Counts) -> Counts:
    return {
        "functions": sum(counted.values()),
        "statements": sum(number for name, number in counted.items() if name.endswith(STATEMENTS)),
        "files": len({name.partition(" ")[0] for name in counted}),
    }


def difference(name: str, known: Counts, counted: Counts, functions: Counts) -> str | None:
    """How a call differs from the table where it does by more than the tolerance, or in its statements. `functions` are
    what the call ran when the table was written, if that is known here."""
    found = totals(counted)
    is_close = abs(found["functions"] - known["functions"]) <= known["functions"] * TOLERANCE
    # Files that are merged make no call longer.
    is_close = is_close and found["files"] <= known["files"] * (1 + TOLERANCE)
    if is_close and found["statements"] == known["statements"]:
        return None
    growth = found["functions"] / known["functions"] - 1
    told = ", ".join(f"{found[each]} {each} ({known[each]} by the table)" for each in known)
    return "\n".join(
        [
            f"{name} runs {told}: {growth:+.1%}. Make it shorter, or accept it: make call-counts",
            *(changes(functions, counted) if functions else [UNKNOWN_FUNCTIONS]),
        ]
    )


def changes(known: Counts, counted: Counts) -> list[str]:
    """A line for each function that runs more or less often than before, the largest change first."""
    changed = {each: counted.get(each, 0) - known.get(each, 0) for each in {*known, *counted}}
    largest = sorted(filter(changed.get, changed), key=lambda each: (-abs(changed[each]), each))
    lines = [f"{changed[each]:+6d} {each}" for each in largest[:MAX_LISTED]]
    return [*lines, f"       and {len(largest) - MAX_LISTED} more"] if len(largest) > MAX_LISTED else lines


def test_a_longer_way_is_refused_and_the_functions_that_it_added_are_named() -> None:
    known = {"search/recall.py best_hits": 1, "text/tokens.py count_tokens": 99}
    table = totals(known)
    assert table == {"functions": 100, "statements": 0, "files": 2}
    assert difference("recall", table, {**known, "text/tokens.py count_tokens": 104}, known) is None
    longer = {**known, "text/tokens.py stem": 4, "text/tokens.py count_tokens": 109}
    problem = difference("recall", table, longer, known)
    assert problem is not None
    assert problem.splitlines()[1:] == ["   +10 text/tokens.py count_tokens", "    +4 text/tokens.py stem"]
    assert "+14.0%" in problem
    # Without the functions of before, the totals alone are told.
    unknown = difference("recall", table, longer, {})
    assert unknown is not None
    assert unknown.splitlines()[1:] == [UNKNOWN_FUNCTIONS]
    # A gain has to be kept, too; a statement more, or a file, is no matter of five in a hundred.
    assert difference("recall", totals(longer), known, longer)
    statement = {**known, "storage/database.py Session.row -> psycopg execute": 1}
    assert difference("recall", {**totals(statement), "statements": 0}, statement, known)
    file = {**known, "text/terms.py stem": 1}
    assert difference("recall", table, file, known)


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
