"""Text that is kept of a run."""

from camillo_server.across.runs.run import Trigger
from camillo_server.across.runs.summarizing import distilled
from camillo_server.kernel.kinds import MemoryKind, Sensitivity
from camillo_server.kernel.scope import UNATTRIBUTED

from tests.cases import each_case
from tests.unit.runs.samples import RUN_ID, SCRIPTS, answer, call, contents


def test_trigger_focus_failures_and_the_last_answer_are_kept() -> None:
    given = contents(
        [call("search", "3 orders."), answer("I looked.")],
        [call("ship", "No such address.", is_error=True)],
        [answer("Order 7 goes out tomorrow. Ada was told.")],
        focus="keep Ada calm",
        session_id="s1",
        sensitivity=Sensitivity.CONFIDENTIAL,
    )
    memory = distilled(given.run, given.summaries, UNATTRIBUTED)
    assert memory.content == (
        "Trigger: message: text: the order is late\n"
        "Focus: keep Ada calm\n"
        "Failed: ship: No such address.\n"
        "Outcome: Order 7 goes out tomorrow. Ada was told."
    )
    assert (memory.kind, memory.session_id) == (MemoryKind.TASK_OUTCOME, "s1")
    assert memory.sensitivity is Sensitivity.CONFIDENTIAL
    assert memory.source_refs == (str(RUN_ID),)


def test_a_run_without_an_answer_says_so() -> None:
    given = contents([call("search")])
    lines = distilled(given.run, given.summaries, UNATTRIBUTED).content.split("\n")
    assert lines[-1] == "Outcome: ended without an answer, 1 round"
    empty = contents(trigger=Trigger("schedule", {}))
    assert distilled(empty.run, empty.summaries, UNATTRIBUTED).content == (
        "Trigger: schedule\nOutcome: ended without an answer, 0 rounds"
    )


def test_a_failure_that_came_again_and_again_is_told_once_and_the_last_ones_stay() -> None:
    rounds = [[call("ship", f"Reason number {number}.", is_error=True)] for number in range(60)]
    rounds += [[call("pay", "Refused.", is_error=True)]] * 5
    given = contents(*rounds)
    failed = distilled(given.run, given.summaries, UNATTRIBUTED).content.split("\n")[1]
    assert failed.count("pay: Refused.") == 1
    assert failed.endswith("ship: Reason number 59.; pay: Refused.")
    assert "number 0." not in failed
    assert len(failed) < 600


@each_case("text", SCRIPTS)
def test_it_fits_into_a_memory_whatever_came(text: str) -> None:
    long = text * 3_000
    given = contents(
        [call("n" * 128, long, is_error=True), answer(long)],
        trigger=Trigger(text[:20] * 6, {"text": long[:16_000]}),
        focus=long[:2_000],
    )
    content = distilled(given.run, given.summaries, UNATTRIBUTED).content
    assert 100 < len(content) <= 2_000
    assert len(content.split("\n")) == 4
    assert text[:8] in content


def test_many_short_failures_fit_with_what_stands_between_them() -> None:
    letters = "abcdefghij"
    rounds = [[call(a, b, is_error=True)] for a in letters for b in letters]
    given = contents(
        *rounds, [answer("w" * 3_000)], trigger=Trigger("t" * 128, {"text": "y" * 16_000}), focus="z" * 2_000
    )
    content = distilled(given.run, given.summaries, UNATTRIBUTED).content
    assert "; j: j\n" in content
    assert len(content) <= 2_000


def test_equal_runs_are_distilled_to_the_same_text() -> None:
    one, other = (contents([answer("Done.")], [call("a")]) for _ in range(2))
    told = [distilled(each.run, each.summaries, UNATTRIBUTED).content for each in (one, other)]
    assert told[0] == told[1]
