"""eval run, as it is typed: questions of files, asked of what the files state in scopes that are thrown away."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Camillo

EXAMPLE = Path(__file__).parent.parent.parent / "docs/examples/eval.yaml"
PETS = """\
scenarios:
  - name: pets
    remember:
      - {id: cat, text: The tabby sleeps on the couch., occurred_at: 30d}
      - {id: dog, text: Rex the terrier barks at the postman.}
      - Rex likes the couch, too.
      - {id: fish, text: 猫は魚が好きです 🐟, kind: preference}
    questions:
      - {ask: Who barks?, find: dog, within: 1, avoid: couch}
      - {ask: Rex couch, find: [dog, cat], within: 1}
      - {ask: 猫は何が好きですか, find: fish}
      - {ask: "Rex?", no_match: true}
      - {ask: zebra crossing, no_match: true}
  - name: chats
    ingest: notes.md
    record:
      - session: s1
        at: 2026-03-02
        turns:
          - {user: "أين كلبي؟ اسمه ستيف", id: steve}
          - assistant: A lovely name.
    questions:
      - {ask: "ما اسم كلبي؟", find: steve}
      - {ask: how do we deploy?, find: DEPLOYS  happen on tuesdays}
      - {ask: my dog, find: steve}
      - name: my dog in a bundle
        ask: my dog
        find: steve
        bundle: {recipe: active_context, session_id: s1}
        tokens: 2000
"""
QUESTIONS = "\nquestions: [{ask: b, find: a}]"
# Files that are refused, and what is said of them.
REFUSED = {
    "questions: [{ask: a, find: b}]": "stores nothing",
    "remember: [a]": "has no questions",
    "remember: [a]\nquestions: [{ask: a}]": "questions 1: nothing has to hold",
    "remember: [a]\nquestions: [{ask: a, find: b, wat: 1}]": "questions 1: knows no key 'wat'",
    "remember: [a]\nquestions: [{ask: a, find: b, within: 201}]": "within: must be a whole number from 1 to 200",
    "remember: [a]\nquestions: [{ask: a, find: b, recall: {limit: 3}}]": "limit is said by within",
    "remember: [a]\nquestions: [{ask: a, no_match: true, bundle: true}]": "no_match is of recalls",
    "remember: [a]\nquestions: [{ask: a, find: b, recall: {wat: 1}}]": '"a": recall: recall takes no keyword wat',
    "remember: [a]\nquestions: [{ask: a, find: b, recall: {profile: wat}}]": '"a": profile.name: must be one of',
    "remember: [a]\nquestions: [{ask: a, find: b, recall: {as_of: soon}}]": "as_of: 'soon' is neither a date",
    "remember: [a]\nquestions: [{ask: a, find: b, bundle: {recipe: wat}}]": '"a": recipe not found: wat',
    "remember: [{text: a, kind: wat}]" + QUESTIONS: '"a" was not stored: kind: ',
    "remember: [{id: x, text: a}, {id: x, text: b}]" + QUESTIONS: "two records have the id 'x'",
    "remember: [a]\nquestions: [{ask: a, find: a}, {ask: a, avoid: b}]": "two questions are called 'a'",
    "record: [{turns: [{usr: a}]}]" + QUESTIONS: "record 1: turns 1: knows no key 'usr'",
    "record: [{turns: [{user: a, tool: b}]}]" + QUESTIONS: "must have one of user, assistant, tool, system",
    "ingest: nowhere" + QUESTIONS: "ingest: there is no",
    "remember: [a": "is not YAML",
    "- a": "must have keys and values",
    "scenarios: [{name: s, remember: [a]}]": "scenarios 1: has no questions",
}


@pytest.fixture
def pets(tmp_path: Path) -> Path:
    (tmp_path / "notes.md").write_text("# Release\n\nDeploys happen on Tuesdays.\n")
    path = tmp_path / "pets.yaml"
    path.write_text(PETS)
    return path


def agents(camillo: Camillo) -> set[str]:
    return {each["agent_id"] for each in camillo.lines("agents", "list") if each["agent_id"].startswith("eval-")}


def test_the_example_holds_and_leaves_nothing_behind(camillo: Camillo) -> None:
    before = agents(camillo)
    done = camillo.run("eval", "run", str(EXAMPLE))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "5 of 5 questions hold; found 4 of 4" in done.stdout
    assert agents(camillo) == before
    kept = camillo.run("eval", "run", str(EXAMPLE), "--keep")
    (agent,) = agents(camillo) - before
    assert kept.stderr == f"kept the space: --agent {agent}\n"
    assert "vegetarian" in camillo.as_agent(agent)("recall", "what does Ana eat?")
    camillo("agents", "delete", agent, "--yes")


def test_each_question_is_judged(camillo: Camillo, pets: Path) -> None:
    done = camillo.run("eval", "run", str(pets), "--json", "--no-advice")
    assert done.returncode == 1
    assert json.loads(done.stderr)["error"]["message"] == "2 questions of 9 not answered as the files want"
    told = json.loads(done.stdout)
    assert [each["holds"] for each in told["questions"]] == [True, False, True, False, True, True, True, True, True]
    couch, rex = told["questions"][1], told["questions"][3]
    assert couch["missing"].keys() == {"dog", "cat"}
    assert all(1 < position <= 4 for position in couch["missing"].values())
    assert rex["reasons"][0].startswith("does not say no match, best score ")
    assert told["questions"][2]["found"] == {"fish": 1}
    assert (told["summary"]["hold"], told["summary"]["questions"]) == (7, 9)
    assert told["changes"] == []


def test_changes_are_tried_on_all_questions(camillo: Camillo, pets: Path) -> None:
    done = camillo.run("eval", "run", str(pets), "--json")
    # With more hits one question shows what it has to, and another what it must not.
    assert "4 times as many hits (within)" not in {each["change"] for each in json.loads(done.stdout)["changes"]}
    pets.write_text(PETS.replace(", avoid: couch", ""))
    done = camillo.run("eval", "run", str(pets), "--json")
    changes = {each["change"]: each for each in json.loads(done.stdout)["changes"]}
    more = changes["4 times as many hits (within)"]
    assert {"scenario": "pets", "name": "Rex couch"} in more["gained"]
    shown = camillo.run("eval", "run", str(pets))
    assert "with 4 times as many hits (within): " in shown.stdout
    assert "no model of meaning" in shown.stdout


def test_a_floor_is_found_by_which_a_question_has_no_answer(camillo: Camillo, tmp_path: Path) -> None:
    path = tmp_path / "floor.yaml"
    path.write_text(
        "remember: [the red house by the old mill stands empty]\n"
        "questions:\n"
        "- {ask: an old boat, no_match: true}\n"
        "- {ask: the red house by the old mill stands empty?, find: red house}\n"
    )
    told = json.loads(camillo.run("eval", "run", str(path), "--json").stdout)
    wrong, right = [question["shown"][0]["score"] for question in told["questions"]]
    floors = [each for each in told["changes"] if each["change"].startswith("min_score=")]
    (floor,) = floors
    assert wrong < float(floor["change"].removeprefix("min_score=").split()[0]) <= right
    assert floor["gained"] == [{"scenario": "floor", "name": "an old boat"}]


def test_only_what_held_before_fails_against_an_earlier_result(camillo: Camillo, pets: Path, tmp_path: Path) -> None:
    result = tmp_path / "result.json"
    first = camillo.run("eval", "run", str(pets), "--no-advice", "-o", str(result))
    assert first.returncode == 1
    again = camillo.run("eval", "run", str(pets), "--no-advice", "--against", str(result))
    assert (again.returncode, again.stderr) == (0, "")
    assert "the same questions hold as before" in again.stdout
    pets.write_text(PETS.replace("find: fish}", "find: dog, within: 1}").replace("zebra crossing", "a zebra"))
    worse = camillo.run("eval", "run", str(pets), "--no-advice", "--against", str(result))
    assert worse.returncode == 1
    assert 'held before: "猫は何が好きですか"' in worse.stdout
    assert "no longer asked: 1 question of the earlier result" in worse.stderr
    better = PETS.replace('ask: "Rex?", no_match: true', 'ask: "Rex?", find: dog')
    pets.write_text(better)
    assert 'holds now: "Rex?"' in camillo("eval", "run", str(pets), "--no-advice", "--against", str(result))


def test_files_that_say_something_else_are_refused_in_one_line(camillo: Camillo, tmp_path: Path) -> None:
    before = agents(camillo)
    path = tmp_path / "wrong.yaml"
    for text, expected in REFUSED.items():
        path.write_text(text)
        code, told = camillo.refused("eval", "run", str(path))
        assert code in (2, 3), (text, told)
        assert expected in told, text
    path.write_bytes(b"remember: [\xff]")
    assert camillo.refused("eval", "run", str(path))[1].endswith("is not UTF-8 text")
    path.write_text("{}")
    assert "is no result of" in camillo.refused("eval", "run", str(EXAMPLE), "--against", str(path))[1]
    assert camillo.refused("eval", "run", str(EXAMPLE), str(EXAMPLE))[1].startswith("two of the files have a scenario")
    assert agents(camillo) == before


def test_a_key_that_may_not_erase_is_refused_before_anything_is_stored(camillo: Camillo) -> None:
    before = agents(camillo)
    key = camillo("keys", "create", "--any-agent", "--role", "writer").strip()
    code, told = camillo.refused("eval", "run", str(EXAMPLE), "--key", key)
    assert (code, "tenant_admin" in told) == (5, True)
    kept = camillo.run("eval", "run", str(EXAMPLE), "--key", key, "--keep")
    assert kept.returncode == 0, kept.stderr
    (agent,) = agents(camillo) - before
    camillo("agents", "delete", agent, "--yes")
