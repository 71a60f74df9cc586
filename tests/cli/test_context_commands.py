"""event, decision, task, bundle, snapshot, view, recipe, handoff, against a running server."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Camillo, read_line
from tests.patience import PATIENCE_SECONDS
from tests.secret_samples import samples

Start = Callable[..., subprocess.Popen[bytes]]

SESSION = ("--session", "s1")
QUESTION = "Wo ist der Tee? お茶はどこですか 🍵"
NOBODY = "0198c0de-0000-7000-8000-000000000001"


def record(camillo: Camillo, *arguments: str) -> str:
    """The id of a new event."""
    event_id: str = camillo.json("event", "record", *SESSION, *arguments)["event_id"]
    return event_id


def decide(camillo: Camillo, text: str, *arguments: str) -> str:
    """The id of a new decision."""
    decision_id: str = camillo.json("decision", "record", text, *arguments)["decision_id"]
    return decision_id


def ids(camillo: Camillo, *options: str) -> list[str]:
    return [event["event_id"] for event in camillo.lines("event", "list", *options)]


def found(camillo: Camillo, query: str, *options: str) -> list[str]:
    """The texts of the chunks that a recall finds."""
    answer = camillo.json("recall", query, *options)
    return [hit["chunk"]["text"] for hit in answer["hits"]]


def test_events_come_back_as_they_were_recorded(camillo: Camillo) -> None:
    said = record(camillo, QUESTION, "--actor", "human:ada", "--tag", "drinks")
    called = record(camillo, "--tool", "shell", "--arguments", '{"cmd": "ls 茶"}')
    answered = record(camillo, "no such file", "--tool", "shell", "--exit-code", "2", "--failed")
    assert ids(camillo) == [answered, called, said]
    assert ids(camillo, "--oldest-first") == [said, called, answered]
    assert ids(camillo, "--kind", "tool_call", "--kind", "tool_result") == [answered, called]
    assert ids(camillo, "--tag", "drinks", *SESSION) == [said]
    assert ids(camillo, "--session", "another") == []
    assert ids(camillo, "--limit", "1") == [answered]
    [row] = camillo.rows("event", "list", "--tag", "drinks")
    assert [row[0], *row[2:]] == [said, "human:ada", "message", "s1", QUESTION]
    assert camillo("event", "show", said).startswith(f"{QUESTION}\n\n")
    shown = camillo("event", "show", answered).splitlines()
    assert {"exit code    2", "failed       yes", "tool         shell"} <= set(shown)
    plain = record(camillo, "nobody is named")
    actors = [row[2] for row in camillo.rows("event", "list", "--oldest-first")]
    assert actors == ["human:ada", f"agent:{camillo.agent}", "tool:shell", "human:user"], plain
    code, message = camillo.refused("event", "show", NOBODY)
    assert (code, message.endswith("(see 'camillo event list')")) == (3, True)


def test_what_a_tool_printed_at_length_becomes_an_artifact(camillo: Camillo) -> None:
    output = "".join(f"{n} ошибка 错误\n" for n in range(1, 10_001))
    done = camillo.run("event", "record", "-", "--tool", "make", *SESSION, stdin=output)
    assert done.returncode == 0, done.stderr
    artifact_id = done.stderr.split()[-1]
    assert done.stderr == f"the full content is the artifact {artifact_id}\n"
    assert camillo("artifact", "cat", artifact_id) == output
    (event,) = camillo.lines("event", "list")
    excerpt = event["stated"]["tool_result"]["excerpt_text"]
    assert output.startswith(excerpt)
    assert 0 < len(excerpt.encode()) <= 64 * 1024
    whole = f"whole        {artifact_id} (shown: its beginning)"
    assert whole in camillo("event", "show", event["event_id"]).splitlines()


def test_recall_looks_into_events_where_they_may_be_shown(camillo: Camillo) -> None:
    record(camillo, "The teapot is blue", "--sensitivity", "public", "--channel", "public")
    record(camillo, "The teapot is from Kyoto")
    camillo("remember", "Ada has a teapot")
    everywhere = found(camillo, "teapot", "--source", "event")
    assert sorted(text.partition(": ")[2] for text in everywhere) == ["The teapot is blue", "The teapot is from Kyoto"]
    (public,) = found(camillo, "teapot", "--source", "event", "--channel", "public")
    assert public.endswith("The teapot is blue")
    rows = camillo.rows("recall", "teapot", "--source", "event", "--source", "memory")
    assert len(rows) == 3


def test_events_are_followed(camillo: Camillo, start: Start) -> None:
    first = record(camillo, "first")
    watch = start("event", "watch", "--from-beginning", *SESSION)
    assert read_line(watch) == f"{first}  human:user message: first\n"
    second = record(camillo, QUESTION)
    assert read_line(watch) == f"{second}  human:user message: {QUESTION}\n"
    camillo("event", "forget", first, "--yes")
    assert read_line(watch) == f"{first}  forgotten\n"
    watch.terminate()
    watch.wait(PATIENCE_SECONDS)


def test_forgotten_events_are_found_no_more(camillo: Camillo) -> None:
    gone, kept = record(camillo, "teapot from Kyoto"), record(camillo, "teapot from Meissen")
    assert len(found(camillo, "teapot", "--source", "event")) == 2
    assert camillo("event", "forget", gone, "--dry-run") == "would forget 1 event\n"
    done = camillo.run("event", "forget", gone, "--yes")
    assert done.stdout == "forgot 1 event\n"
    assert "receipt " in done.stderr
    assert [text.rpartition(" ")[2] for text in found(camillo, "teapot", "--source", "event")] == ["Meissen"]
    assert camillo("event", "rebuild").startswith("made 1 chunks")
    assert len(found(camillo, "teapot", "--source", "event")) == 1
    assert ids(camillo) == [kept]


def test_secrets_are_told_and_not_kept(camillo: Camillo) -> None:
    secret = samples(13)["github-pat"]
    done = camillo.run("event", "record", f"the key is {secret}", *SESSION)
    assert done.returncode == 0, done.stderr
    assert "a secret was taken out" in done.stderr
    assert secret not in camillo("event", "list", "--json")


def test_a_decision_rests_on_something_and_takes_anothers_place(camillo: Camillo) -> None:
    event_id = record(camillo, "QA is free on Fridays")
    code, message = camillo.refused("decision", "record", "We ship on Fridays")
    assert (code, "with --ref" in message) == (1, True)
    code, message = camillo.refused("decision", "record", "x", "--ref", NOBODY)
    assert (code, NOBODY in message) == (1, True)
    weekly = decide(camillo, "We ship on Fridays", "--ref", event_id, "--because", "QA is free")
    assert camillo.rows("decision", "query", "when do we ship?")[0][1] == weekly
    daily = camillo.json("decision", "supersede", weekly, "We ship daily", "--ref", event_id)
    successor = daily["decision"]["decision_id"]
    assert daily["superseded"]["superseded_by"] == successor
    assert [row[0] for row in camillo.rows("decision", "list")] == [successor]
    shown = camillo("decision", "show", weekly).splitlines()
    assert shown[:4] == ["We ship on Fridays", "", "rationale", "- QA is free"]
    assert "status       superseded" in shown
    # It has another version by now, whichever was seen.
    assert camillo.refused("decision", "supersede", weekly, "--by", successor)[0] == 4


def test_a_task_moves_until_no_bundle_shows_it(camillo: Camillo) -> None:
    task = camillo.json("task", "open", "Order お茶", "--goal", "Guests on Friday")
    task_id = task["task_id"]
    assert "Order お茶" in camillo("bundle", "--render")
    assert camillo("task", "move", task_id, "doing").endswith(", version 2\n")
    assert camillo.rows("task", "list")[0][2] == "doing"
    code, _ = camillo.refused("task", "move", task_id, "done", "--expected-version", "1")
    assert code == 4
    camillo("task", "move", task_id, "done")
    assert camillo.run("task", "list").stderr == "no tasks\n"
    assert "Order お茶" not in camillo("bundle", "--render")
    assert "goal         Guests on Friday" in camillo("task", "show", task_id).splitlines()


def test_a_bundle_shows_what_it_is_made_of(camillo: Camillo) -> None:
    camillo("view", "put", "rules", "-", stdin="# Rules\n\nAnswer in Japanese.\n")
    record(camillo, "The teapot is from Kyoto")
    asked = ("where is the teapot from?", *SESSION)
    used = {row[0]: int(row[3]) for row in camillo.rows("bundle", *asked)}
    assert used["rules"] > 0
    assert used["reserve"] == 0
    prompt = camillo("bundle", *asked, "--render")
    assert "Answer in Japanese." in prompt
    assert "The teapot is from Kyoto" in prompt
    explained = camillo.rows("bundle", *asked, "--explain")
    assert ["rules", "kept"] in [[row[0], row[2]] for row in explained]
    built = camillo.json("bundle", *asked, "--max-tokens", "3000")
    assert built["tokens"] <= built["budget_tokens"] == 3000


def test_a_bundle_of_several_spaces_says_of_each_line_whose_it_is(camillo: Camillo) -> None:
    user, project = f"users/{camillo.agent}", f"projects/{camillo.agent}"
    camillo("remember", "Ana prefers sencha 茶", "--agent", user)
    camillo("remember", "The shop sells sencha", "--agent", project)
    both = ("--agent", user, "--read-space", project)
    prompt = camillo("bundle", "sencha", *both, "--render")
    (line,) = [line for line in prompt.splitlines() if "The shop" in line]
    assert f"] {project} " in line
    assert "The shop" not in camillo("bundle", "sencha", "--agent", user, "--render")
    rows = camillo.rows("bundle", "sencha", *both, "--explain")
    assert {user, project} <= {cell for row in rows for cell in row}
    code, line = camillo.refused("bundle", "sencha", "--read-space", "shop/..")
    assert (code, line.startswith("spaces[0].space: must be")) == (2, True)


def test_a_budget_that_is_too_small_tells_what_is_needed(camillo: Camillo) -> None:
    camillo("view", "put", "identity", "-", stdin="You are kind, whatever you are asked.\n")
    code, message = camillo.refused("bundle", "--max-tokens", "1")
    assert (code, "the budget is 1: allow more with --max-tokens" in message) == (1, True)
    assert "identity" in message
    assert "You are kind" in camillo("bundle", "--max-tokens", "1000", "--render")


def test_the_same_bundle_has_the_same_bytes(camillo: Camillo) -> None:
    record(camillo, "The teapot is from Kyoto")
    asked = ("teapot", *SESSION, "--as-of", "2099-01-31T12:00Z")
    assert camillo("bundle", *asked, "--json") == camillo("bundle", *asked, "--json")
    record(camillo, "The teapot broke")
    assert "The teapot broke" in camillo("bundle", *asked, "--render")


def test_a_snapshot_answers_a_trigger(camillo: Camillo) -> None:
    camillo("remember", "Ada ordered a teapot on Monday")
    assert "teapot on Monday" in camillo("snapshot", "Where is my teapot?", "--render")
    assert camillo.json("snapshot", "Where is my teapot?")["recipe"] == "run_snapshot"


def test_views_are_the_agents_or_the_tenants(camillo: Camillo, tmp_path: Path) -> None:
    file = tmp_path / "identity.md"
    file.write_text("Ты помощник. あなたは助手です。\n", "utf-8")
    assert camillo("view", "put", "identity", str(file)) == "stored identity, version 1\n"
    assert camillo("view", "show", "identity") == file.read_text("utf-8")
    assert camillo.rows("view", "list")[0][:2] == ["identity", camillo.agent]
    assert camillo.refused("view", "put", "Not A Name", str(file))[0] == 2
    conflict = ("view", "put", "identity", str(file), "--expected-version", "7")
    assert camillo.refused(*conflict)[0] == 4
    camillo("view", "delete", "identity", "--yes")
    assert camillo.refused("view", "show", "identity")[0] == 3


def test_a_view_is_edited(camillo: Camillo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    editor = tmp_path / "editor.py"
    editor.write_text("import sys; open(sys.argv[1], 'a', encoding='utf-8').write('и お茶\\n')")
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", f"{sys.executable} {editor}")
    camillo("view", "put", "rules", "-", stdin="Be kind.\n")
    assert camillo("view", "edit", "rules") == "stored rules, version 2\n"
    assert camillo("view", "show", "rules") == "Be kind.\nи お茶\n"


def test_recipes_are_the_servers_or_the_tenants(camillo: Camillo) -> None:
    built_in = {row[0] for row in camillo.rows("recipe", "list")}
    assert {"active_context", "run_snapshot", "working_memory"} <= built_in
    yaml = camillo("recipe", "show", "active_context")
    mine = yaml.replace("name: active_context", "name: cli_mine", 1)
    assert mine != yaml
    assert camillo("recipe", "put", "-", stdin=mine).startswith("stored cli_mine: ")
    assert camillo.json("bundle", "tea", "--recipe", "cli_mine")["recipe"] == "cli_mine"
    assert camillo("recipe", "delete", "cli_mine", "--yes") == "removed cli_mine\n"
    code, message = camillo.refused("bundle", "tea", "--recipe", "cli_mine")
    assert (code, message.endswith("(see 'camillo recipe list')")) == (3, True)
    assert camillo.refused("recipe", "put", "-", stdin="name: [")[0] == 2


def test_a_packet_reaches_the_other_agent_alone(camillo: Camillo) -> None:
    other = camillo.as_agent(f"{camillo.agent}-billing")
    other("remember", "so that the agent is there")
    task_id = camillo.json("task", "open", "Refund order 7")["task_id"]
    sent = camillo("handoff", "send", other.agent, "Calm the お客様", "--task", task_id)
    assert f"to {other.agent} (" in sent
    [row] = other.rows("handoff", "list")
    assert (row[2], row[-1]) == (camillo.agent, "Calm the お客様")
    assert camillo.run("handoff", "list").stderr == "no handoffs\n"
    prompt = other("bundle", "--render")
    assert "Calm the お客様" in prompt
    assert "Refund order 7" in prompt
    secret = camillo.json("task", "open", "x", "--sensitivity", "confidential")["task_id"]
    code, message = camillo.refused("handoff", "send", other.agent, "y", "--task", secret)
    assert (code, secret in message) == (1, True)
