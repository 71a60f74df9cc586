"""The commands about the lifecycle, against a fake service."""

import io
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from camillo_cli import background, tables
from rich.cells import cell_len
from rich.console import Console

from clients.python.tests.fake_lifecycle import TAKEN
from clients.python.tests.fake_server import FakeServer, running_in_thread
from tests.cli import conftest
from tests.cli.conftest import Camillo, cells

TEA = "Ада пьёт чай 茶 🍵 شاي"


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with running_in_thread() as fake:
        yield fake


@pytest.fixture
def camillo(server: FakeServer, tmp_path: Path) -> Camillo:
    return Camillo(server.address, tmp_path, "ada")


class Terminal(io.TextIOWrapper):
    """Input at which a person sits."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def at_terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Returns a function; after it is called, the commands run at a terminal."""

    def terminal(content: bytes = b"") -> Terminal:
        return Terminal(io.BytesIO(content), encoding="utf-8")

    return lambda: monkeypatch.setattr(conftest, "text_stream", terminal)


def test_maintenance_tells_each_memory_and_how_many_there_are(camillo: Camillo, server: FakeServer) -> None:
    done = camillo.run("lifecycle", "maintain", "--dry-run")
    [row] = cells(done.stdout)
    assert [*row[:3], *row[4:]] == [TAKEN, "archive", "0.05", "requested", "task_outcome"]
    assert done.stderr.splitlines() == [
        "and 1,001 memories more",
        "would archive 1,002 memories: 1,002 requested",
        "to do exactly this: the same with --plan plan-RunMaintenance instead of --dry-run",
    ]
    done = camillo.run("lifecycle", "maintain", "--plan", "plan-RunMaintenance")
    # Archiving leaves no receipt.
    assert done.stderr.splitlines()[1:] == ["archived 1,002 memories: 1,002 requested"]
    assert [request.plan_token for request in server.desk.of("RunMaintenance")][1:] == ["plan-RunMaintenance"]
    code, message = camillo.refused("lifecycle", "maintain", "--plan", "old")
    assert (code, message) == (4, "the plan has changed (make a new plan with --dry-run)")


def test_maintenance_of_all_scopes_is_told_by_agent(camillo: Camillo, server: FakeServer) -> None:
    rows = camillo.rows("lifecycle", "maintain", "--all-scopes")
    assert rows == [["1,002", "0", f"agent{number}"] for number in range(3)]
    asked = [request.agent_id for request in server.desk.of("RunMaintenance")]
    assert asked == ["agent0", "agent1", "agent2"]
    lines = camillo.lines("lifecycle", "maintain", "--all-scopes", "--dry-run")
    assert [line["agent_id"] for line in lines] == asked
    assert lines[0]["pass"]["counts"][0]["memories"] == "1002"
    code, message = camillo.refused("lifecycle", "maintain", "--all-scopes", "--plan", "x")
    assert (code, message) == (2, "--plan and --request-id are of one space")


def test_a_selector_is_read_from_the_options(camillo: Camillo, server: FakeServer) -> None:
    done = camillo.run(
        *("lifecycle", "prune", TAKEN, "--tag", "茶", "--tag", "b", "--any-tag", "c"),
        *("--kind", "error", "--max-recalls", "0", "--importance-below", "0.3"),
        *("--unused-since", "2026-01-31T00:00Z", "--before", "1w", "--archived", "only"),
        *("--request-id", "mine", "--yes"),
    )
    assert done.returncode == 0
    assert done.stderr.splitlines()[1:] == [
        "removed 1,002 memories: 1,002 requested",
        "rows: memories 1,002",
        "receipt r1",
    ]
    (request,) = server.desk.of("Prune")
    selector = request.selector
    assert list(selector.memory_ids) == [TAKEN]
    assert (list(selector.tags_all), list(selector.tags_any)) == (["茶", "b"], ["c"])
    assert (list(selector.kinds), selector.HasField("max_access_count")) == ([6], True)
    assert selector.importance_below == pytest.approx(0.3)
    assert selector.unused_since.ToJsonString() == "2026-01-31T00:00:00Z"
    assert selector.HasField("created_before")
    assert (selector.archived, request.request_id) == (3, "mine")
    camillo("lifecycle", "archive", "--tag", "茶")
    assert list(server.desk.of("Archive")[0].selector.tags_all) == ["茶"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("prune",), "name the memories: ids, or at least one condition"),
        (("archive", "--dry-run"), "name the memories"),
        (("prune", "--kind", "tea"), "'tea' is not one of"),
        (("prune", "--before", "soon"), "'soon' is neither a date"),
        (("prune", "--importance-below", "2"), "invalid value for '--importance-below'"),
        (("compact", "--commit", "c1", "--tag", "a"), "--commit takes no other options"),
        (("compact", "--commit", "c1", "--dry-run"), "--commit takes no other options"),
        (("lift", "x", "--receipt", "r1"), "either a text or --receipt"),
        (("reset",), "this removes everything: confirm it with --confirm ada"),
        (("restore",), "missing argument"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_a_call(
    camillo: Camillo, server: FakeServer, arguments: tuple[str, ...], told: str
) -> None:
    code, message = camillo.refused("lifecycle", *arguments)
    assert (code, told in message) == (2, True), message
    assert {call.method for call in server.desk.calls} <= {"WhoAmI"}


def test_a_person_is_asked_about_exactly_what_is_removed(
    camillo: Camillo, server: FakeServer, at_terminal: Callable[[], None]
) -> None:
    at_terminal()
    refused = camillo.run("lifecycle", "prune", "--tag", "茶", stdin="n\n")
    assert (refused.returncode, "Remove 1,002 memories permanently?" in refused.stderr) == (1, True)
    assert [request.dry_run for request in server.desk.of("Prune")] == [True]
    camillo("lifecycle", "prune", "--tag", "茶", stdin="y\n")
    assert server.desk.of("Prune")[-1].plan_token == "plan-Prune"  # noqa: S105
    camillo("lifecycle", "prune", "--tag", "茶", "--yes")
    assert server.desk.of("Prune")[-1].plan_token == "plan-Prune"  # noqa: S105


def test_a_scope_is_emptied_by_who_types_its_name(
    camillo: Camillo, server: FakeServer, at_terminal: Callable[[], None]
) -> None:
    assert camillo("lifecycle", "reset", "--dry-run") == "would empty ada: memories 2\n"
    assert camillo("lifecycle", "reset", "--confirm", "ada") == "emptied ada: memories 2\n"
    code, message = camillo.refused("lifecycle", "reset", "--confirm", "bob")
    assert (code, message) == (1, "failed_precondition")
    at_terminal()
    done = camillo.run("lifecycle", "reset", stdin="bob\n")
    assert done.returncode == 1
    assert done.stderr.startswith("This removes permanently: memories 2.\nType ada to continue")
    assert done.stderr.endswith("camillo: not confirmed: nothing was done\n")
    carried_out = [request.confirm for request in server.desk.of("Reset") if not request.dry_run]
    assert carried_out == ["ada", "bob"]
    assert camillo.run("lifecycle", "reset", stdin="ada\n").returncode == 0


def test_compactions_are_proposed_carried_out_listed_and_undone(camillo: Camillo, server: FakeServer) -> None:
    done = camillo.run("lifecycle", "compact", "--tag", "茶", "--likeness", "0.9", "--dry-run")
    proposed, refused = cells(done.stdout)
    assert [proposed[0], proposed[1], *proposed[3:]] == ["c1", "proposed", "2", "tag 茶", "tea 🍵"]
    assert refused[4:] == ["near-duplicates", "[loses facts (Ада, 42)]"]
    assert done.stderr.splitlines() == [
        "there are more: run it again",
        "to carry one out: camillo lifecycle compact --commit ID",
    ]
    assert camillo.rows("lifecycle", "compact", "--commit", "c1")[0][1] == "committed"
    assert list(server.desk.of("Compact")[1].proposals.ids) == ["c1"]
    listed = camillo.rows("lifecycle", "compactions", "--state", "refused", "--limit", "2")
    assert [row[0] for row in listed] == ["c0", "c1"]
    assert camillo("lifecycle", "revert", "c1") == "reverted c1: 2 memories back\n"
    code, message = camillo.refused("lifecycle", "revert", "c2")
    assert (code, message) == (1, "the compaction is refused: c2 (see 'camillo lifecycle compactions')")


def test_usage_jobs_and_receipts_are_told(camillo: Camillo) -> None:
    shown = camillo("lifecycle", "usage").splitlines()
    assert {"agent        ada", "active       6 of 10,000", "in memory    no"} <= set(shown)
    assert shown[-1] == "7\t2.0 KB\tmemories"
    rows = camillo.rows("lifecycle", "usage", "--all-scopes")
    assert rows[1] == ["6", "1", "0", "0", "2.0 KB", "no", "agent1"]
    told = camillo.run("lifecycle", "usage", "--all-scopes").stderr
    assert told == "note: the tenant has 8 of 10 tasks\n"
    [job] = camillo.rows("lifecycle", "jobs", "--state", "dead", "--limit", "1")
    assert job[:3] == ["0", "dead", "12"]
    assert job[5:] == ["embed_scope", "ada"]
    assert camillo("lifecycle", "retry", "1") == "1 waiting\n"
    code, message = camillo.refused("lifecycle", "retry", "2")
    assert (code, message) == (3, "job not found: 2 (see 'camillo lifecycle jobs')")
    receipts = camillo.rows("lifecycle", "receipts")
    assert [receipt[0] for receipt in receipts] == ["r0", "r1", "r2"]
    assert receipts[0][2:] == ["forget memories", "2", "memories 2"]


def test_what_was_forgotten_may_be_stated_again(camillo: Camillo, server: FakeServer) -> None:
    assert camillo("lifecycle", "lift", TEA) == "1 value may be stored again\n"
    assert camillo("lifecycle", "lift", "-", stdin=f"{TEA}\n") == "1 value may be stored again\n"
    assert camillo("lifecycle", "lift", "--receipt", "r1") == "3 values may be stored again\n"
    assert camillo.json("lifecycle", "lift", TEA) == {"lifted": 1}
    told = [(each.content, each.receipt_id) for each in server.desk.of("LiftValueBlocks")]
    assert told == [(TEA, ""), (TEA, ""), ("", "r1"), (TEA, "")]


def test_new_vectors_are_waited_for(camillo: Camillo, server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "POLL_SECONDS", 0.0)
    assert camillo.rows("lifecycle", "reembed") == [["50%", "1", "2", "new", "old", "ada"]]
    assert server.desk.of("StartReembedding") == []
    shown = camillo.rows("lifecycle", "reembed", "--start", "--all-scopes", "--wait")
    assert shown == [["100%", "2", "2", "new", "old", "(shared)"]]
    assert server.desk.of("StartReembedding")[0].all_scopes


def test_terms_are_found_again_in_one_scope_or_in_all(camillo: Camillo, server: FakeServer) -> None:
    done = camillo.run("lifecycle", "reindex")
    assert done.stdout == "changed the terms of 1,012 of 1,040 rows\n"
    assert done.stderr == "3 rows cannot be decrypted by the server's keys\n"
    rows = camillo.rows("lifecycle", "reindex", "--all-scopes")
    assert rows == [["1,012", "1,040", f"agent{number}"] for number in range(3)]
    lines = camillo.lines("lifecycle", "reindex", "--all-scopes")
    asked = [request.agent_id for request in server.desk.of("Reindex")]
    assert asked == ["ada", *[line["agent_id"] for line in lines] * 2]
    assert (lines[0]["changed"], lines[0]["unreadable"]) == ("1012", "3")


@pytest.mark.parametrize(
    "arguments",
    [
        *(("usage",), ("maintain",), ("prune", "--tag", "a", "--yes"), ("archive", "--tag", "a")),
        *(("compact",), ("compactions", "--limit", "1"), ("revert", "c1"), ("restore", "m1")),
        *(("reset", "--confirm", "ada"), ("receipts", "--limit", "1"), ("lift", "a")),
        *(("jobs", "--limit", "1"), ("retry", "1"), ("reembed",), ("reindex",)),
    ],
    ids=lambda arguments: arguments[0],
)
def test_every_command_gives_one_json_object(camillo: Camillo, arguments: tuple[str, ...]) -> None:
    assert isinstance(camillo.json("lifecycle", *arguments), dict)


def test_lifetimes_forgetting_and_masks_are_asked_for(camillo: Camillo, server: FakeServer) -> None:
    camillo("remember", TEA, "--never-expires")
    camillo("forget", "m0", "--allow-restating", "--include-events", "--yes")
    camillo("recall", "чай", "--masked")
    camillo("recall", "чай")
    assert server.desk.of("Remember")[0].memory.never_expires
    planned, forgotten = server.desk.of("ForgetMemories")
    assert (planned.dry_run, forgotten.dry_run) == (True, False)
    assert (forgotten.allow_restating, forgotten.include_events) == (True, True)
    assert [request.masked for request in server.desk.of("Recall")] == [True, False]


@pytest.mark.parametrize("columns", [80, 120])
def test_on_a_terminal_the_ids_are_whole(camillo: Camillo, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    screen = io.StringIO()
    console = Console(file=screen, width=columns, force_terminal=True, color_system=None)
    monkeypatch.setattr(tables, "console", lambda: console)
    monkeypatch.setattr(tables, "is_terminal", lambda: True)
    camillo("lifecycle", "maintain", "--dry-run")
    camillo("lifecycle", "compactions")
    heading, *rows = screen.getvalue().splitlines()
    assert TAKEN in rows[0]
    assert ("unused" in heading) == (columns == 120)
    assert rows[0].rstrip().endswith("requested  task_outcome")
    assert max(map(cell_len, rows)) <= columns
