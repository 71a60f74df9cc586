"""run start, list, append, inject, render, end, against a running server."""

from tests.cli.conftest import Camillo

NOBODY = "0198c0de-0000-7000-8000-000000000001"


def test_a_run_is_started_rendered_and_ended(camillo: Camillo) -> None:
    camillo("remember", "Ada wants late orders told by phone", "--pin")
    payload = '{"text": "Где заказ 7? 注文はどこ 🍵"}'
    started = camillo.json("run", "start", "message", "--payload", payload, "--focus", "order 7")
    run_id = started["run"]["run_id"]
    assert "told by phone" in started["snapshot"]["prompt"]
    step = ("--call", "find", "--arguments", '{"id": 7}', "--result", "It is packed. Not shipped.")
    assert camillo("run", "append", run_id, "I look it up.", *step) == "appended round 1\n"
    failed = ("--call", "quote", "--result", "timeout after 30 s", "--failed")
    camillo("run", "append", run_id, *failed)
    camillo("run", "append", run_id, "-", stdin="It goes out tomorrow.\n")
    camillo("run", "append", run_id, "--steps", "-", stdin='{"llm_response": "Done. 完成。"}\n')
    assert camillo("run", "inject", run_id, "be", "brief") == "added instruction 1\n"
    rendered = camillo.run("run", "render", run_id)
    assert "[2] called quote()\n  failed: timeout after 30 s\n" in rendered.stdout
    assert "[1] called find(id=7) -> It is packed.; answered" in rendered.stdout
    assert rendered.stderr.startswith(f"{camillo.json('run', 'render', run_id)['tokens']} tokens: ")
    ended = camillo("run", "end", run_id, "--distill", "--remember", "Ada's order 7 was late")
    assert ended.startswith("ended a run of 4 rounds, kept 2 memories\n")
    assert "Failed: quote: timeout after 30 s Outcome: Done. 完成。" in ended
    contents = {memory["content"] for memory in camillo.lines("list")}
    assert "Ada's order 7 was late" in contents
    assert len(contents) == 3
    told = camillo.refused("run", "render", run_id)
    assert told == (3, f"run not found: {run_id} (see 'camillo run list')")


def test_runs_are_listed_until_they_end(camillo: Camillo) -> None:
    start = ("run", "start", "message", "--no-snapshot", "--payload")
    first, second = (
        camillo(*start, f'{{"text": "{text}"}}', "--session", session).split()[1]
        for text, session in ((r"Где чай?\nお茶", "s1"), ("注文はどこ 🍵", "s2"))
    )
    headings, *rows = camillo("run", "list").splitlines()
    assert headings.split("\t") == [
        *("id", "started", "active", "rounds", "session", "trigger", "message"),
    ]
    cells = [row.split("\t") for row in rows]
    assert {row[0]: row[3:] for row in cells} == {
        first: ["0", "s1", "message", "Где чай?"],
        second: ["0", "s2", "message", "注文はどこ 🍵"],
    }
    camillo("run", "append", second, "x")
    assert [run["rounds"] for run in camillo.lines("run", "list", "--session", "s2")] == [1]
    assert len(camillo.lines("run", "list", "--limit", "1")) == 1
    camillo("run", "end", first)
    assert [run["run_id"] for run in camillo.lines("run", "list")] == [second]
    camillo("run", "end", second)
    done = camillo.run("run", "list")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "no runs\n")


def test_a_budget_that_is_too_small_is_told_with_its_parts(camillo: Camillo) -> None:
    started = camillo("run", "start", "message", "--no-snapshot", "--max-tokens", "100")
    run_id = started.split()[1]
    camillo("run", "inject", run_id, "word " * 300)
    code, told = camillo.refused("run", "render", run_id)
    assert (code, "instructions 3" in told, "the budget is 100" in told) == (1, True, True)
    assert camillo("run", "render", run_id, "--max-tokens", "1000").count("word") == 300
    assert camillo.refused("run", "append", NOBODY, "x")[0] == 3
