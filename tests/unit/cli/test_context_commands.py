"""The commands about bundles, views, recipes and packets, against a fake service."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from clients.python.tests.fake_server import FakeServer, running_in_thread
from tests.cli.commands import COMMANDS
from tests.cli.conftest import Camillo

TEXT = "Где чай? お茶は 🍵 أين e\u0301"
SESSION = ("--session", "s1")


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with running_in_thread() as fake:
        yield fake


@pytest.fixture
def camillo(server: FakeServer, tmp_path: Path) -> Camillo:
    return Camillo(server.address, tmp_path, "ada")


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Path]:
    """An editor that replaces `kind` by `brief`; what it does is in the file."""
    script = tmp_path / "editor.py"
    script.write_text(
        "import sys, pathlib\n"
        "file = pathlib.Path(sys.argv[1])\n"
        "file.write_text(file.read_text('utf-8').replace('kind', 'brief'), 'utf-8')\n",
        "utf-8",
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EDITOR", f"{sys.executable} {script}")
        patch.delenv("VISUAL", raising=False)
        yield script


def test_a_bundle_is_built_shown_and_rendered(camillo: Camillo, server: FakeServer) -> None:
    done = camillo.run("bundle", TEXT, *SESSION, "--recipe", "mine", "--as-of", "2026-01-31T12:00Z")
    assert done.stdout == ("section\titems\tcandidates\ttokens\tof\nrules\t1\t2\t20\t50\nreserve\t0\t0\t0\t100\n")
    assert done.stderr == "bundle b1, recipe mine\n"
    (request,) = server.desk.of("BuildBundle")
    assert (request.query_text, request.session_id) == (TEXT, "s1")
    assert request.as_of.seconds == 1769860800
    assert camillo("bundle", TEXT, "--render") == f"# Rules\n{TEXT}\n"
    explained = camillo.rows("bundle", TEXT, "--explain")
    assert explained == [["rules", "rules", "kept", "20", "0.000"]]
    assert [call.max_tokens for call in server.desk.of("BuildBundle")] == [0, 8000, 8000]
    built = camillo.json("bundle", TEXT, "--max-tokens", "900", "--channel", "public")
    assert (built["budget_tokens"], built["prompt"]) == (900, f"# Rules\n{TEXT}")
    assert camillo("snapshot", "Ада пишет", "--focus", "orders", "--render") == "Ада пишет\n"
    assert server.desk.of("BuildSnapshot")[0].focus == "orders"


def test_a_budget_that_is_too_small_tells_what_is_needed(camillo: Camillo) -> None:
    code, message = camillo.refused("bundle", "--max-tokens", "7")
    assert code == 1
    assert message == (
        "sections that may not be cut take 120 tokens (identity 100, rules 20), the budget is 7: "
        "allow more with --max-tokens, or shorten those sections"
    )
    assert camillo.refused("bundle", "--render", "--json")[0] == 2


def test_views_are_files(camillo: Camillo, tmp_path: Path) -> None:
    file = tmp_path / "правила.md"
    file.write_text(f"# {TEXT}\n\nBe kind.\n", "utf-8")
    assert camillo("view", "put", "rules", str(file)) == "stored rules, version 1\n"
    assert camillo("view", "show", "rules") == file.read_text("utf-8")
    assert camillo("view", "put", "rules", "-", stdin="x") == "stored rules, version 2\n"
    assert camillo("view", "show", "rules") == "x\n"
    assert camillo.rows("view", "list") == [["rules", "ada", "2", "internal", "x"]]
    assert camillo.refused("view", "put", "rules", "-", stdin=b"\xff")[0] == 2
    assert camillo.refused("view", "put", "rules", str(tmp_path / "none"))[0] == 2
    assert camillo("view", "delete", "rules", "--yes") == "removed rules\n"
    code, message = camillo.refused("view", "show", "rules")
    assert (code, message) == (3, "no rules (see 'camillo view list')")


@pytest.mark.usefixtures("editor")
def test_a_view_is_edited(camillo: Camillo, server: FakeServer) -> None:
    camillo("view", "put", "rules", "-", "--sensitivity", "public", stdin=f"be kind {TEXT}\n")
    assert camillo("view", "edit", "rules") == "stored rules, version 2\n"
    assert camillo("view", "show", "rules") == f"be brief {TEXT}\n"
    request = server.desk.of("PutView")[-1]
    assert (request.expected_version, request.view.sensitivity) == (1, 1)
    assert camillo.run("view", "edit", "rules").stderr == "nothing changed\n"
    assert len(server.desk.of("PutView")) == 2


@pytest.mark.usefixtures("editor")
def test_the_tenants_view_is_where_an_agents_own_begins(camillo: Camillo, server: FakeServer) -> None:
    camillo("view", "put", "rules", "-", "--agent", "@shared", stdin="be kind\n")
    camillo("view", "edit", "rules")
    request = server.desk.of("PutView")[-1]
    assert (request.agent_id, request.expected_version) == ("ada", 0)
    camillo("view", "edit", "rules", "--agent", "@shared")
    request = server.desk.of("PutView")[-1]
    assert (request.agent_id, request.expected_version) == ("@shared", 1)


def test_what_was_written_is_kept_where_it_cannot_be_stored(
    camillo: Camillo, editor: Path, server: FakeServer, tmp_path: Path
) -> None:
    camillo("view", "put", "rules", "-", stdin="be kind\n")
    # While it is edited, somebody else stores another one.
    server.snapshots.changed_meanwhile = True
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tempfile.tempdir", str(tmp_path))
        done = camillo.run("view", "edit", "rules")
    assert (done.returncode, done.stdout) == (4, "")
    kept, told = done.stderr.splitlines()
    assert told.startswith("camillo: moved on")
    path = Path(kept.removeprefix("note: what you wrote is kept in "))
    assert path.read_text("utf-8") == "be brief\n"
    editor.write_text("import sys; sys.exit(3)", "utf-8")
    code, message = camillo.refused("view", "edit", "rules")
    assert (code, message) == (1, "the editor ended with 3: nothing was stored")


def test_without_an_editor_the_way_is_told(camillo: Camillo, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("EDITOR", "VISUAL"):
        monkeypatch.delenv(name, raising=False)
    code, message = camillo.refused("view", "edit", "rules")
    assert (code, message) == (2, "no editor is known: set EDITOR, or use 'camillo view put'")


def test_recipes_are_put_shown_and_deleted(camillo: Camillo, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("name: mine", "utf-8")
    assert camillo("recipe", "put", str(file)) == "stored mine: 4,000 tokens\n"
    rows = [row[:3] for row in camillo.rows("recipe", "list")]
    assert rows == [["active_context", "0", "built in"], ["mine", "4,000", "tenant"]]
    assert camillo("recipe", "show", "mine") == "name: mine\n"
    assert camillo("recipe", "delete", "mine", "--yes") == "removed mine\n"
    assert camillo.refused("recipe", "delete", "mine", "--yes")[0] == 3
    assert camillo.refused("recipe", "show", "mine") == (3, "no recipe 'mine' (see 'camillo recipe list')")


def test_a_packet_is_handed_over(camillo: Camillo, server: FakeServer) -> None:
    told = camillo("handoff", "send", "billing", TEXT, "--task", "t0", "--constraint", "no phone")
    assert told == "handed over h0 to billing (12 tokens)\n"
    packet = server.desk.of("HandOff")[0].packet
    assert (packet.goal, list(packet.task_ids)) == (TEXT, ["t0"])
    [row] = camillo.rows("handoff", "list", "--agent", "billing")
    assert (row[0], row[2], row[-1]) == ("h0", "ada", TEXT)
    assert camillo.run("handoff", "list").stderr == "no handoffs\n"


def test_a_recall_looks_where_it_is_told(camillo: Camillo, server: FakeServer) -> None:
    camillo.run("recall", "tea", "--source", "event", "--source", "decision", "--channel", "public")
    (request,) = server.desk.of("Recall")
    assert (list(request.sources), request.channel) == ([2, 5], 1)


NEW_GROUPS = ("event", "decision", "task", "run", "view", "recipe", "handoff")
NEW_COMMANDS = [
    words
    for words in (tuple(each.words.split()) for each in COMMANDS)
    if words[0] in ("bundle", "snapshot", *NEW_GROUPS)
]


@pytest.mark.parametrize("command", NEW_COMMANDS, ids=" ".join)
def test_every_command_helps_with_an_example_of_itself(camillo: Camillo, command: tuple[str, ...]) -> None:
    shown = " ".join(camillo(*command, "--help").split())
    assert f"Example: camillo {' '.join(command)}" in shown
