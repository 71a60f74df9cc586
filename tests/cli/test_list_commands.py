"""Every command that lists something: one table off a terminal, one form of JSON."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.commands import COMMANDS
from tests.cli.conftest import Camillo, cells
from tests.unit.embedding.conftest import write_tiny_model

# As they are typed, with `{memory}` and so on for the ids of records.
LISTS = (
    "list",
    "history {memory}",
    "artifact list",
    "artifact cites {artifact}",
    "event list",
    "decision list",
    "task list",
    "slots list",
    "slots history {slot}",
    "docs list",
    "docs versions {document}",
    "lifecycle usage --all-scopes",
    "lifecycle compactions",
    "distill list",
    "distill runs",
    "lifecycle receipts",
    "lifecycle refusals",
    "lifecycle jobs",
    "lifecycle reembed",
    "run list",
    "view list",
    "skills list",
    "recipe list",
    "handoff list",
    "models list",
    "models catalogue",
    "contradictions",
    "entities list",
    "entities changes",
    "index list",
    "keys list",
    "spool list",
    "agents list",
    "spaces list",
    "tenants list",
    # To list them leaves an entry in the shared scope.
    "audit list {own_scope}",
)
# No model distils, jobs come and go, only large scopes have indexes, and Postgres is there.
MAY_BE_EMPTY = frozenset(
    {"distill list", "distill runs", "lifecycle jobs", "index list", "spool list", "contradictions"}
)


@pytest.fixture(scope="module")
def records(server: Camillo) -> Mapping[str, str]:
    """The ids of an agent's records, of which it has some of each kind."""
    camillo = server.as_agent("of-lists")
    artifact = camillo.json("artifact", "put", "-", stdin="paid\n" * 2_000)["artifact_id"]
    memory = camillo.json("remember", "Ada prefers tea", "--source", artifact)["memory_id"]
    for quay in range(3):
        camillo("remember", f"Quay {quay} is closed until 9 March", "--tag", "harbour")
    camillo("lifecycle", "compact", "--tag", "harbour", "--tag-threshold", "2", "--dry-run")
    event = camillo.json("event", "record", "Where is the tea?", "--session", "s1")["event_id"]
    camillo("decision", "record", "No release on a Friday", "--ref", event)
    camillo("task", "open", "Order tea")
    camillo("entities", "merge", "Ada", "ada@example.com")
    slot = camillo.json("set", "/user/tea", "1", "--source", "Ada")["key"]
    camillo.run("docs", "publish", "-", "--name", "tea.md", stdin="# Tea\n\nAt four.\n")
    camillo("run", "start", "message")
    camillo("view", "put", "rules", "-", stdin="Be kind.\n")
    camillo("skills", "put", "-", "--name", "rules", "--description", "Rules", stdin="Be kind.\n")
    camillo("handoff", "send", camillo.agent, "Refund order 7")
    camillo("forget", camillo.json("remember", "gone")["memory_id"], "--yes")
    camillo.refused("remember", "gone")
    camillo("agents", "create", "of-lists-too")
    own_scope = f"--scope {camillo.agent}"
    ids = {"memory": memory, "artifact": artifact, "slot": slot, "document": "tea.md"}
    return {**ids, "own_scope": own_scope}


@pytest.fixture
def camillo(server: Camillo, records: Mapping[str, str]) -> Camillo:
    return server.as_agent("of-lists")


def test_all_lists_are_tested() -> None:
    listing = {each.words for each in COMMANDS if (each.function().__doc__ or "").startswith(("List ", "Show each "))}
    assert listing <= {words.partition(" {")[0] for words in LISTS}


@pytest.mark.parametrize("words", LISTS)
def test_a_list_has_headings_and_its_json_a_line_for_each_item(
    camillo: Camillo, records: Mapping[str, str], words: str, tmp_path: Path
) -> None:
    arguments = words.format(**records).split()
    if words == "models list":
        write_tiny_model(tmp_path / "models" / "tiny")
        arguments += ["--data-dir", str(tmp_path)]
    table, lines = camillo(*arguments), camillo(*arguments, "--json").splitlines()
    assert all(isinstance(json.loads(line), dict) for line in lines)
    if words in MAY_BE_EMPTY and not table:
        return
    headings, *_ = table.splitlines()
    assert all(headings.split("\t")), headings
    assert {len(row) for row in cells(table)} == {len(headings.split("\t"))}
    assert words in MAY_BE_EMPTY or len(cells(table)) == len(lines) > 0


def test_a_list_without_items_prints_nothing_and_says_so_beside(camillo: Camillo) -> None:
    nobody = camillo.as_agent("of-no-lists")
    for words in ("list", "artifact list", "event list", "task list", "slots list", "lifecycle receipts"):
        done = nobody.run(*words.split())
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (0, "", 1), words
        assert nobody(*words.split(), "--json") == ""
