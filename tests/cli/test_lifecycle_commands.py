"""lifecycle, and what has come to remember, recall and forget with it, against a running server."""

from typing import Any

import pytest

from tests.cli.conftest import Camillo

TEA = "Ада пьёт чай 茶 🍵 شاي"
PERSONAL = "Ada 海象: ada@example.com, +49 30 1234567"
NOBODY = "0198c0de-0000-7000-8000-000000000001"


def remember(camillo: Camillo, text: str, *options: str) -> str:
    """The id of a new memory."""
    memory_id: str = camillo.json("remember", text, *options)["memory_id"]
    return memory_id


def contents(camillo: Camillo, *options: str) -> set[str]:
    return {memory["content"] for memory in camillo.lines("list", *options)}


def taken(done: Any) -> list[str]:
    return [item["memory_id"] for item in done["items"]]


def test_what_is_planned_is_what_is_done(camillo: Camillo) -> None:
    faint = remember(camillo, TEA, "--importance", "0.05", "--tag", "茶")
    kept = remember(camillo, f"{TEA} again", "--importance", "0.9", "--tag", "茶")
    pinned = remember(camillo, "pinned", "--importance", "0.01", "--pin")
    planned = camillo.json("lifecycle", "maintain", "--dry-run")
    assert taken(planned) == [faint]
    assert contents(camillo) == {TEA, f"{TEA} again", "pinned"}
    camillo("lifecycle", "maintain", "--plan", planned["plan_token"])
    assert contents(camillo) == {f"{TEA} again", "pinned"}
    assert contents(camillo, "--archived", "only") == {TEA}
    pruning = camillo.json("lifecycle", "prune", "--archived", "include", "--tag", "茶", "--dry-run")
    assert taken(pruning) == sorted([faint, kept])
    camillo("update", kept, "--importance", "0.8")
    again = ("lifecycle", "prune", "--archived", "include", "--tag", "茶")
    code, message = camillo.refused(*again, "--plan", pruning["plan_token"])
    assert (code, message.endswith("(make a new plan with --dry-run)")) == (4, True)
    done = camillo.run(*again, "--yes")
    assert "removed 2 memories: 2 requested" in done.stderr
    assert contents(camillo, "--archived", "include") == {"pinned"}
    assert camillo("lifecycle", "restore", pinned) == "restored 0 memories\n"
    (receipt,) = camillo.lines("lifecycle", "receipts")
    assert (receipt["cause"], receipt["blocked_values"]) == ("prune", "0")
    # A pruned text may be stated again.
    remember(camillo, TEA)


def test_records_are_forgotten_by_id_or_by_what_they_state(camillo: Camillo) -> None:
    task = camillo.json("task", "open", TEA)["task_id"]
    remember(camillo, f"Heute: {TEA}!")
    kept = remember(camillo, PERSONAL)
    code, message = camillo.refused("lifecycle", "forget", "--task", task, "--value", TEA)
    assert (code, message) == (2, "give either records or --value")
    planned = camillo.json("lifecycle", "forget", "--task", task, "--dry-run")
    assert planned["records"]["task_ids"] == [task]
    assert len(planned["records"]["memory_ids"]) == 1
    done = camillo.run("lifecycle", "forget", "--task", task, "--yes")
    assert done.stdout.strip() == "forgot 1 memory, 1 task"
    assert "1 value may not be stored again" in done.stderr
    assert "may remain in other scopes until Forget with all_scopes" in done.stderr
    assert camillo.refused("task", "open", TEA)[0] != 0
    blocked = camillo.run("lifecycle", "forget", "--value", "Nobody has stated this yet", "--yes")
    assert blocked.stdout == "forgot nothing\n"
    assert "no record was found" in blocked.stderr
    assert "1 value may not be stored again" in blocked.stderr
    action = camillo.json("audit", "record", "tea.ordered", "Ordered tea 🍵")["action_id"]
    for text in ("forgot 1 action\n", "forgot nothing\n"):
        gone = camillo.run("lifecycle", "forget", "--action", action, "--yes")
        assert gone.stdout == text
        assert ("no record was found" in gone.stderr) is ("nothing" in text)
    left = camillo.json("lifecycle", "forget", "--value", PERSONAL, "--dry-run")
    assert left["records"]["memory_ids"] == [kept]


def test_a_dry_run_shows_where_a_value_stands(camillo: Camillo) -> None:
    told = remember(camillo, "Ring Ana 安娜 at (617) 555-0143\nafter six")
    hidden = remember(camillo, "Ana's doctor: 617 555 0143", "--sensitivity", "confidential")
    task = camillo.json("task", "open", "Ring 6175550143")["task_id"]
    command = ("lifecycle", "forget", "--value", "617-555-0143", "--dry-run")
    planned = camillo.run(*command, "--channel", "agent")
    first, *rows = planned.stdout.splitlines()
    assert (first, rows[0]) == ("would forget 2 memories, 1 task", "record\tid\twhere it stands")
    assert rows[1:] == [
        f"memory\t{told}\tRing Ana 安娜 at (617) 555-0143 after six",
        f"task\t{task}\tRing 6175550143",
    ]
    assert "memories: 1 record withheld, not to be shown here" in planned.stderr
    assert hidden in camillo(*command)
    assert "memories: 1 more record holds it" in camillo.run(*command, "--excerpts", "1").stderr
    assert camillo(*command, "--excerpts", "0") == f"{first}\n"
    shown = camillo.json(*command)["excerpts"]
    assert {each["store"]: len(each["excerpts"]) for each in shown} == {"memories": 2, "tasks": 1}


def test_a_subject_is_forgotten_by_its_names(camillo: Camillo) -> None:
    named, told = remember(camillo, "Rose Díaz moved"), remember(camillo, "小玫 likes tea")
    about = remember(camillo, "she has a cat")
    word = remember(camillo, "prices rose")
    camillo("links", "add", about, "about", named)
    assert camillo.refused("lifecycle", "forget", "--task", named, "--alias", "Rose")[0] == 2
    command = ("lifecycle", "forget", "--value", "Rose", "--alias", "小玫", "--include-linked")
    planned = camillo.run(*command, "--dry-run")
    assert planned.stdout.splitlines()[0] == "would forget 4 memories"
    assert "'Rose': 2 records\nwarning: 1 of 2 records write 'Rose' in small letters only" in planned.stderr
    assert "'小玫': 1 record" in planned.stderr
    assert all(each in planned.stdout for each in (named, told, word))
    command = ("lifecycle", "forget", "--value", "Rose Díaz", "--alias", "小玫", "--include-linked")
    assert "confirm it with --yes" in camillo.refused(*command)[1]
    assert camillo.run(*command, "--yes").stdout == "forgot 3 memories\n"
    assert contents(camillo) == {"prices rose"}


def test_a_value_is_cut_out_of_memories_and_events(camillo: Camillo) -> None:
    remember(camillo, "Ring Ana 安娜 at (617) 555-0143 after six")
    for name in ("Bea", "小玫"):
        camillo("event", "record", f"{name} has +16175550143 now", "--session", "calls", "--actor", "human:bea")
    camillo("task", "open", "Ring 6175550143")
    assert camillo.refused("lifecycle", "forget", "--memory", NOBODY, "--redact")[0] == 2
    done = camillo.run("lifecycle", "forget", "--value", "617-555-0143", "--redact", "--yes")
    assert done.stdout == "forgot 2 redacted events, 1 redacted memory, 1 task\n"
    events = camillo.lines("event", "list", "--session", "calls")
    assert sorted(each["stated"]["text"] for each in events) == ["Bea has [forgotten] now", "小玫 has [forgotten] now"]
    assert contents(camillo) == {"Ring Ana 安娜 at [forgotten] after six"}
    assert "redacted_events 2, redacted_memories 1" in camillo("lifecycle", "receipts")


def test_memories_become_one_and_come_back(camillo: Camillo) -> None:
    said = {f"Standup on day {day}: the tea 茶 was number {day}" for day in range(4)}
    for text in said:
        remember(camillo, text, "--tag", "standup")
    search = ("lifecycle", "compact", "--tag", "standup", "--tag-threshold", "2", "--skip-near-duplicates")
    (proposal,) = camillo.json(*search, "--dry-run")["compactions"]
    assert contents(camillo) == said
    (done,) = camillo.json("lifecycle", "compact", "--commit", proposal["compaction_id"])["compactions"]
    assert contents(camillo) == {done["content"]}
    assert contents(camillo, "--archived", "only") == said
    listed = camillo.lines("lifecycle", "compactions", "--state", "committed")
    assert [each["compaction_id"] for each in listed] == [proposal["compaction_id"]]
    assert "4 memories back" in camillo("lifecycle", "revert", proposal["compaction_id"])
    assert contents(camillo) == said
    code, message = camillo.refused("lifecycle", "revert", NOBODY)
    assert (code, message.endswith("(see 'camillo lifecycle compactions')")) == (3, True)


def test_what_was_forgotten_stays_away_until_it_is_let_back(camillo: Camillo) -> None:
    first = remember(camillo, TEA)
    forgotten = camillo.run("forget", first, "--yes")
    assert forgotten.stderr.splitlines()[0] == "1 value may not be stored again"
    code, message = camillo.refused("remember", TEA.upper())
    assert (code, "camillo lifecycle lift" in message) == (1, True)
    assert contents(camillo) == set()
    assert camillo("lifecycle", "lift", TEA) == "1 value may be stored again\n"
    second = remember(camillo, TEA)
    camillo("forget", second, "--allow-restating", "--yes")
    remember(camillo, TEA)
    code, _ = camillo.refused("lifecycle", "lift", "--receipt", NOBODY)
    assert code == 3


def test_a_scope_is_emptied_and_counted(camillo: Camillo) -> None:
    remember(camillo, TEA)
    assert camillo.json("lifecycle", "usage")["active_memories"] == "1"
    scopes = camillo.lines("lifecycle", "usage", "--all-scopes")
    assert camillo.agent in {scope["agent_id"] for scope in scopes}
    code, message = camillo.refused("lifecycle", "reset", "--confirm", "somebody")
    assert (code, "must be the name of what is emptied" in message) == (1, True)
    told = camillo("lifecycle", "reset", "--dry-run")
    assert told.startswith(f"would empty {camillo.agent}: ")
    assert contents(camillo) == {TEA}
    camillo("lifecycle", "reset", "--confirm", camillo.agent)
    assert contents(camillo) == set()
    assert camillo.json("lifecycle", "usage")["active_memories"] == "0"


# A confidential memory is found in memory alone.
@pytest.mark.caches
def test_masks_and_lifetimes(camillo: Camillo) -> None:
    remember(camillo, PERSONAL, "--sensitivity", "confidential")
    masked, plain = (
        camillo.json("recall", "海象", *options)["hits"][0]["memory"]["content"] for options in (["--masked"], [])
    )
    assert (masked, plain) == ("Ada 海象: [masked: email], [masked: phone]", PERSONAL)
    ends = [
        "expires_at" in camillo.json("remember", f"said {options}", "--kind", "conversation", *options)
        for options in ([], ["--never-expires"], ["--pin"])
    ]
    assert ends == [True, False, False]


def test_jobs_and_new_vectors(camillo: Camillo) -> None:
    remember(camillo, TEA)
    assert all(job["state"] != "JOB_STATE_DEAD" for job in camillo.lines("lifecycle", "jobs"))
    code, message = camillo.refused("lifecycle", "retry", "999999999")
    assert (code, message.endswith("(see 'camillo lifecycle jobs')")) == (3, True)
    (reembedding,) = camillo.lines("lifecycle", "reembed")
    assert (reembedding["agent_id"], reembedding["rows"]) == (camillo.agent, "1")
    code, message = camillo.refused("lifecycle", "reembed", "--start")
    assert (code, "memory.next_embedding_model" in message) == (1, True)
