"""remember, recall, list, get, update, forget, history, against a running server."""

import json

import pytest

from tests.cli.conftest import Camillo, Finished, cells, run_here, run_process
from tests.secret_samples import samples

MISSING = "0198c0de-0000-7000-8000-000000000001"


def remember(camillo: Camillo, *arguments: str) -> str:
    memory_id: str = camillo.json("remember", *arguments)["memory_id"]
    return memory_id


def test_what_is_remembered_is_recalled(camillo: Camillo) -> None:
    camillo("remember", "Ada", "prefers", "tea", "--kind", "preference", "--tag", "drinks")
    camillo("remember", "The office opens at nine")
    [[memory_id, age, tags, kind, speaker, content]] = camillo.rows("recall", "tea", "--limit", "1")
    assert camillo.json("get", memory_id)["content"] == content
    assert age.endswith((" s", " min"))
    assert (tags, kind, content) == ("drinks", "preference", "Ada prefers tea")
    assert speaker == "agent"


def test_every_option_of_remember_is_stored(camillo: Camillo) -> None:
    memory = camillo.json(
        "remember", "text", "--kind", "decision", "--tag", "a", "--tag", "b", "--importance", "0.75",
        "--session", "s1", "--sensitivity", "public", "--meta", "n=5", "--meta", "who=Ada",
        "--occurred", "2026-01-31T12:00Z", "--expires", "2100-01-01T00:00Z", "--pin",
        "--source", "event-1", "--id", MISSING,
    )  # fmt: skip
    stored = camillo.json("get", MISSING)
    assert memory["tags"] == stored["tags"] == ["a", "b"]
    assert stored["kind"] == "MEMORY_KIND_DECISION"
    assert stored["importance"] == 0.75
    assert stored["session_id"] == "s1"
    assert stored["sensitivity"] == "SENSITIVITY_PUBLIC"
    assert stored["metadata"] == {"n": 5, "who": "Ada"}
    assert stored["occurred_at"] == "2026-01-31T12:00:00Z"
    assert stored["expires_at"] == "2100-01-01T00:00:00Z"
    assert stored["pinned"] is True
    assert stored["source_refs"] == ["event-1"]


@pytest.mark.parametrize("arguments", [["-"], []], ids=["dash", "piped"])
def test_text_comes_from_standard_input(camillo: Camillo, arguments: list[str]) -> None:
    text = "Zeile eins\nお茶が好き\nשלום 🍵"
    memory = camillo.json("remember", *arguments, stdin=text + "\n")
    assert memory["content"] == text
    assert camillo.json("recall", *arguments, stdin="お茶")["hits"][0]["memory"]["content"] == text


def test_the_same_request_id_remembers_once(camillo: Camillo) -> None:
    first = remember(camillo, "once", "--request-id", "r1")
    assert remember(camillo, "once", "--request-id", "r1") == first
    assert len(camillo.lines("list")) == 1
    code, line = camillo.refused("remember", "other", "--request-id", "r1")
    assert (code, line) == (4, "the request id was used for other content within 24 hours")


def test_an_explained_recall_shows_how_each_score_came_about(camillo: Camillo) -> None:
    camillo("remember", "Ada prefers tea", "--importance", "0.9")
    [row] = camillo.rows("recall", "tea", "--explain")
    dense, lexical, similarity, recency, importance = map(float, row[1:6])
    assert dense > 0
    assert lexical > 0
    assert similarity > 0
    assert recency == 1.0
    assert importance == 0.9
    [hit] = camillo.json("recall", "tea", "--explain")["hits"]
    assert hit["breakdown"]["lexical"]["rank"] == 1


def test_an_explained_recall_shows_neighbours_brevity_boost_and_weights(camillo: Camillo) -> None:
    for text in ("Which tea does Ada take?", "Sencha, since the cello lesson", "お茶 🍵"):
        camillo("remember", text, "--session", "s1", "--pin")
    done = camillo.run("recall", "Which tea does Ada take?", "--explain")
    parts = {row[-1]: row for row in cells(done.stdout)}
    assert len(parts) == 3
    row = parts["Sencha, since the cello lesson"]
    assert 0 < float(row[6]) <= 1
    assert float(row[7]) == 1.0
    # Pinned, of usual importance, and of now.
    assert float(row[9]) == 0.07
    # It tells, and replies; the question asks.
    assert (row[8], parts["Which tea does Ada take?"][8]) == ("1.00r", "0.00?")
    assert row[12] == "fact"
    told = camillo.json("recall", "Which tea does Ada take?", "--explain")["hits"][0]["breakdown"]
    parts_of_similarity = ("dense", "lexical", "neighbour", "brevity")
    weights = [f"{part} {told[f'{part}_weight']:.2f}" for part in parts_of_similarity]
    weights.append(f"said {told['speech']['weight']:.2f}")
    assert done.stderr == f"weights: {', '.join(weights)}\n"


def test_a_recall_without_a_reranker_says_so_and_answers(camillo: Camillo) -> None:
    camillo("remember", "Ada prefers tea")
    done = camillo.run("recall", "tea", "--rerank")
    assert "Ada prefers tea" in done.stdout
    assert "there is no reranker" in done.stderr
    answer = camillo.json("recall", "tea", "--rerank")
    assert answer["degraded"] == ["DEGRADED_REASON_RERANK_UNAVAILABLE"]
    assert "reranker" not in camillo.run("recall", "tea").stderr


def test_weights_are_told_of_hits_that_are_explained_in_text(camillo: Camillo) -> None:
    camillo("remember", "Ada prefers tea")
    assert camillo.run("recall", "tea", "--explain").stderr.startswith("weights: ")
    assert camillo.run("recall", "tea").stderr == ""
    assert camillo.run("recall", "tea", "--explain", "--json").stderr == ""


# A restricted memory is found in memory alone.
@pytest.mark.caches
def test_filters_decide_what_is_found(camillo: Camillo) -> None:
    camillo("remember", "tea one", "--tag", "x", "--session", "s", "--occurred", "2020-01-01")
    camillo("remember", "tea two", "--tag", "x", "--tag", "y", "--kind", "error", "--meta", "k=1")
    camillo("remember", "tea three", "--sensitivity", "restricted", "--importance", "1")

    def found(*options: str) -> set[str]:
        listed = {memory["content"].split()[1] for memory in camillo.lines("list", *options)}
        recalled = camillo.json("recall", "tea", *options)["hits"]
        assert {hit["memory"]["content"].split()[1] for hit in recalled} == listed
        return listed

    assert found() == {"one", "two", "three"}
    assert found("--tag", "x") == {"one", "two"}
    assert found("--tag", "x", "--tag", "y") == {"two"}
    assert found("--any-tag", "y", "--any-tag", "z") == {"two"}
    assert found("--kind", "error", "--kind", "summary") == {"two"}
    assert found("--session", "s") == {"one"}
    assert found("--before", "2021-01-01") == {"one"}
    assert found("--since", "1d") == {"two", "three"}
    assert found("--min-importance", "0.9") == {"three"}
    assert found("--max-sensitivity", "internal") == {"one", "two"}
    assert found("--meta", "k=1") == {"two"}


def test_a_list_ends_at_its_limit(camillo: Camillo) -> None:
    for number in range(3):
        camillo("remember", f"number {number}")
    assert [m["content"] for m in camillo.lines("list", "--limit", "2")] == ["number 2", "number 1"]


def test_an_update_reads_the_version_itself(camillo: Camillo) -> None:
    memory_id = remember(camillo, "old", "--tag", "a", "--tag", "b", "--meta", "x=1", "--meta", "y=2")
    updated = camillo.json(
        "update", memory_id, "--content", "new", "--add-tag", "c", "--remove-tag", "a",
        "--meta", "x=", "--meta", "z=3", "--pin",
    )  # fmt: skip
    assert updated["version"] == "2"
    assert updated["content"] == "new"
    assert updated["tags"] == ["b", "c"]
    assert updated["metadata"] == {"y": 2, "z": 3}
    assert updated["pinned"] is True
    versions = [(r["memory"]["version"], r["memory"]["content"]) for r in camillo.lines("history", memory_id)]
    assert versions == [("2", "new"), ("1", "old")]


def test_an_update_of_another_version_is_a_conflict(camillo: Camillo) -> None:
    memory_id = remember(camillo, "old")
    camillo("update", memory_id, "--importance", "0.9")
    code, line = camillo.refused("update", memory_id, "--content", "x", "--expected-version", "1")
    assert (code, line) == (4, "the memory has version 2, not 1")
    assert camillo.json("get", memory_id)["content"] == "old"


def test_an_archived_memory_is_found_when_asked_for(camillo: Camillo) -> None:
    memory_id = remember(camillo, "old tea")
    camillo("update", memory_id, "--archive")
    assert camillo.lines("list") == []
    assert len(camillo.lines("list", "--archived", "only")) == 1
    camillo("update", memory_id, "--restore")
    assert len(camillo.lines("list")) == 1


def test_forgetting_removes_what_a_dry_run_told(camillo: Camillo) -> None:
    first, second = remember(camillo, "a", "--tag", "x"), remember(camillo, "b")
    assert camillo("forget", "--tag", "x", "--dry-run") == "would forget 1 memory\n"
    assert len(camillo.lines("list")) == 2
    assert camillo("forget", "--tag", "x", "--yes") == "forgot 1 memory\n"
    assert camillo.json("forget", second, "--yes")["receipt"]["memory_ids"] == [second]
    assert camillo.lines("list") == []
    assert camillo.refused("get", first) == (3, f"memory not found: {first}")


@pytest.mark.parametrize(
    ("arguments", "code", "line"),
    [
        (["get", MISSING], 3, f"memory not found: {MISSING}"),
        (["get", "x"], 2, "memory_id: must be a UUID"),
        (["update", MISSING, "--content", "x"], 3, "memory not found"),
        (["update", MISSING], 2, "nothing to change"),
        (["remember", ""], 2, "memory.content: must have 1 to 2000 characters"),
        (["remember", "x" * 2001], 2, "memory.content: must have 1 to 2000 characters, has 2001"),
        (["remember", "x", "--meta", "x"], 2, "'x' is not of the form key=value"),
        (["remember", "x", "--importance", "2"], 2, "invalid value for '--importance'"),
        (["remember", "x", "--kind", "y"], 2, "invalid value for '--kind'"),
        (["remember", b"\xff".decode(errors="surrogateescape")], 2, "the input is not UTF-8 text"),
        (["recall", "x", "--limit", "201"], 2, "invalid value for '--limit'"),
        (["recall", "x", "--since", "soon"], 2, "'soon' is neither a date"),
        (["forget"], 2, "give either ids or filter options"),
        (["forget", MISSING, "--tag", "x"], 2, "give either ids or filter options"),
        (["history", MISSING], 3, "memory not found"),
        (["recal"], 2, "no such command 'recal'"),
        (["get"], 2, "missing argument"),
        (["list", "--key", "cam_wrong"], 5, "the credential is missing or not valid"),
        (["list", "--address", "localhost:1"], 6, "no server answers at localhost:1"),
        (["list", "--timeout", "0.001"], 6, "no answer from"),
        (["list", "--cert", __file__], 2, "--cert and --cert-key go together"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(camillo: Camillo, arguments: list[str], code: int, line: str) -> None:
    found = camillo.refused(*arguments)
    assert found[0] == code
    assert found[1].startswith(line)


def test_input_that_is_no_text_is_refused(camillo: Camillo) -> None:
    assert camillo.refused("remember", stdin=b"\xff") == (2, "standard input is not UTF-8 text")


def test_a_secret_is_not_stored_and_a_note_tells(camillo: Camillo) -> None:
    secret = samples(11)["github-pat"]
    note = "note: a secret was taken out of content before it was stored: github-pat\n"
    done = camillo.run("remember", f"鍵は {secret}")
    assert (done.returncode, done.stderr) == (0, note)
    assert [row[-1] for row in camillo.rows("list")] == ["鍵は [redacted: github-pat]"]
    again = camillo.run("remember", f"鍵は {secret}", "--json")
    assert (json.loads(again.stdout)["content"], again.stderr) == ("鍵は [redacted: github-pat]", note)
    line = json.dumps({"content": f"imported {secret}"})
    done = camillo.run("import", "-", stdin=line + "\n")
    assert "note: 1 x github-pat taken out before it was stored\n" in done.stderr
    assert camillo.run("remember", "no secret").stderr == ""


def test_nothing_found_is_no_failure(camillo: Camillo) -> None:
    done = camillo.run("recall", "tea")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "no match: nothing found\n")
    assert json.loads(camillo("recall", "tea", "--json"))["hits"] == []


def test_a_process_of_its_own_does_the_same(camillo: Camillo) -> None:
    environ = camillo.environ
    assert run_process("remember", environ=environ, stdin="お茶 🍵".encode()).returncode == 0
    found = run_process("recall", "お茶", environ=environ)
    assert (found.returncode, found.stdout.split("\t")[-1], found.stderr) == (0, "お茶 🍵\n", "")
    missing = run_process("get", MISSING, environ=environ)
    assert missing == Finished(3, "", f"camillo: memory not found: {MISSING}\n")
    wrong = run_process("recall", "x", "--limit", "0", environ=environ)
    assert (wrong.returncode, wrong.stdout, wrong.stderr.count("\n")) == (2, "", 1)


def test_a_recall_everywhere_shows_of_each_hit_its_source(camillo: Camillo) -> None:
    # Documents and actions of other tests are the tenant's, too.
    camillo("remember", "sencha 茶 for Ada")
    camillo("audit", "record", "sencha.ordered", "ten boxes of sencha 🍵")
    rows = camillo.rows("recall", "sencha", "--everywhere")
    assert {"memory", "audit"} <= {cell for row in rows for cell in row}
    documents = camillo("recall", "sencha", "--source", "memory", "--source", "document")
    assert "sencha 茶 for Ada" in documents
    assert "boxes" not in documents
    explained = camillo.run("recall", "sencha", "--everywhere", "--explain", "--limit", "1")
    assert "the best of each source:" in explained.stderr
    assert "ten boxes of sencha 🍵" in explained.stdout
    assert "sencha 茶 for Ada" in explained.stdout
    code, line = camillo.refused("recall", "tea", "--everywhere", "--source", "memory")
    assert code == 2
    assert "give --everywhere or --source, not both" in line


def test_a_recall_of_several_spaces_shows_of_each_hit_whose_it_is(camillo: Camillo) -> None:
    user, project = f"users/{camillo.agent}", f"projects/{camillo.agent}"
    camillo("remember", "Ana prefers sencha 茶", "--agent", user)
    camillo("remember", "The shop sells sencha", "--agent", project, "--actor", "human:安娜")
    rows = camillo.rows("recall", "sencha", "--agent", user, "--read-space", project)
    assert {user, project, "安娜"} <= {cell for row in rows for cell in row}
    assert project not in camillo("recall", "sencha", "--agent", user)
    code, line = camillo.refused("recall", "sencha", "--read-space", "shop/..")
    assert (code, line.startswith("spaces[0].space: must be")) == (2, True)


def test_a_list_and_a_watch_of_several_spaces_say_whose_each_is(camillo: Camillo) -> None:
    user, project = f"users/{camillo.agent}", f"projects/{camillo.agent}"
    camillo("remember", "Ana prefers sencha 茶", "--agent", user)
    camillo("remember", "The shop sells sencha", "--agent", project)
    both = ("--agent", user, "--read-space", project)
    assert [row[0] for row in camillo.rows("list", *both)] == [project, user]
    assert [memory["agent_id"] for memory in camillo.lines("list", *both, "--json")] == [project, user]
    assert project not in camillo("list", "--agent", user)
    lines = camillo("watch", *both, "--from-beginning", "--limit", "2").splitlines()
    assert sorted(line.split()[0] for line in lines) == [project, user]
    (first,) = camillo.lines("watch", *both, "--from-beginning", "--limit", "1", "--json")
    later = camillo.lines("watch", *both, "--resume", first["resume_token"], "--limit", "1", "--json")
    assert {first["changed"]["agent_id"], later[-1]["changed"]["agent_id"]} == {user, project}
    code, line = camillo.refused("list", "--read-space", "shop/..")
    assert (code, line.startswith("spaces[0].space: must be")) == (2, True)


def test_what_is_nearer_counts_more(camillo: Camillo) -> None:
    user, project = f"users/{camillo.agent}", f"projects/{camillo.agent}"
    camillo("remember", "The shop sells sencha", "--agent", user)
    camillo("remember", "Ana prefers sencha 茶", "--agent", project)
    asked = ("recall", "sencha", "--agent", user, "--read-space", project, "--explain")
    for first, last, kind in ((user, project, "projects"), (project, user, "users")):
        nearer, farther = camillo.rows(*asked, "--space-weight", f"{kind}=0.5")
        assert (first in nearer, last in farther) == (True, True)
        assert "0.50" in farther
    for wrong in ("own=1", "users=near", "users"):
        code, line = camillo.refused("recall", "sencha", "--space-weight", wrong)
        assert (code, "0 to 1" in line or "shared=0.8" in line) == (2, True), line
    code, line = camillo.refused("recall", "sencha", "--space-weight", "users=1.5")
    assert (code, line.startswith("profile.space_weights.users: must be")) == (2, True)


def test_a_command_acts_in_the_space_of_a_person_or_a_project(camillo: Camillo) -> None:
    user, project = camillo.agent, f"github.com/acme/{camillo.agent}"
    camillo("remember", "Ana prefers sencha 茶", "--user", user)
    camillo("remember", "The shop sells sencha", "--project", project)
    named = {f"users/{user}": ("--user", user), f"projects/{project}": ("--project", project)}
    for path, option in named.items():
        for words in (option, ("--space", path), ("--agent", path)):
            assert [memory["agent_id"] for memory in camillo.lines("list", *words)] == [path]
    assert not camillo.lines("list", "--user", f"{user}-other")


def test_the_space_of_the_environment_is_that_of_commands_that_name_none(camillo: Camillo) -> None:
    path = f"users/{camillo.agent}"
    camillo("remember", "Ana prefers sencha 茶", "--space", path)
    camillo("remember", "an agent's own")
    there = {**camillo.environ, "CAMILLO_SPACE": path}
    for words, found in (((), path), (("--agent", camillo.agent), camillo.agent)):
        listed = run_here("list", "--json", *words, environ=there).stdout.splitlines()
        assert [json.loads(memory)["agent_id"] for memory in listed] == [found]
    refused = run_here("list", environ={**there, "CAMILLO_SPACE": "users/"})
    assert (refused.returncode, refused.stderr.startswith("camillo: CAMILLO_SPACE: a space is")) == (2, True)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--user", "42", "--project", "shop"], "give one of --user, --project"),
        (["--agent", "users/42", "--space", "users/42"], "give one of --agent, --space"),
        (["--user", "42/43"], "--user takes an id without a slash"),
        (["--user", ""], "--user: a space is @shared"),
        (["--project", "a//b"], "--project: a space is @shared"),
        (["--space", ""], "--space: a space is @shared"),
        (["--space", "users/42:write"], "--space: a space is @shared"),
    ],
)
def test_a_space_is_named_once_and_well(camillo: Camillo, words: list[str], told: str) -> None:
    for command in (["list"], ["keys", "list"]):
        code, line = camillo.refused(*command, *words)
        assert code == 2
        assert told in line


def test_a_time_in_the_query_is_preferred_explained_or_ignored(camillo: Camillo) -> None:
    camillo("remember", "Ada brewed a white tea 白茶", "--occurred", "2026-03-05")
    camillo("remember", "Ada brewed a green tea", "--occurred", "2026-05-05")
    asked = ("recall", "which tea did Ada brew in March?", "--query-time", "2026-06-01T12:00Z")
    done = camillo.run(*asked, "--explain")
    assert "white" in done.stdout.splitlines()[1]
    assert 'time: "March" is 2026-03-01' in done.stderr
    assert ", temporal 0." in done.stderr
    only = camillo.json(*asked, "--time-mode", "only")
    assert [hit["memory"]["content"] for hit in only["hits"]] == ["Ada brewed a white tea 白茶"]
    assert only["time_window"]["text"] == "March"
    ignored = camillo.run(*asked, "--explain", "--time-mode", "ignore")
    assert "March" not in ignored.stderr
    assert "temporal" not in ignored.stderr
    assert len(camillo.json(*asked)["hits"]) == 2


def test_an_event_that_names_the_time_is_explained(camillo: Camillo) -> None:
    camillo("remember", "Ada brewed a white tea 白茶", "--occurred", "2026-03-05")
    camillo("remember", "Ada brewed a green tea", "--occurred", "2026-05-05")
    camillo("remember", "the kettle burst", "--occurred", "2026-04-05")
    asked = ("recall", "which tea did Ada brew before the kettle burst?")
    done = camillo.run(*asked, "--explain")
    assert 'time: "before the kettle burst" is ... to 2026-04-05' in done.stderr
    only = camillo.json(*asked, "--time-mode", "only")
    anchor = only["time_window"]["anchor"]
    assert anchor["text"] == "kettle burst"
    assert f"by {anchor['id']} (score " in done.stderr
    unknown = camillo.run("recall", "which tea before the zebra's wedding?", "--explain")
    assert 'time: not certain when "zebra\'s wedding" was (best score ' in unknown.stderr


def test_a_list_without_memories_points_to_events(camillo: Camillo) -> None:
    assert camillo.run("list").stderr == "no memories\n"
    camillo("event", "record", "The person said something", "--session", "s1")
    assert "camillo event list" in camillo.run("list").stderr
    assert "camillo event list" not in camillo.run("list", "--tag", "x").stderr
    camillo("remember", "Deployments happen on Tuesdays")
    assert camillo.run("list").stderr == ""
