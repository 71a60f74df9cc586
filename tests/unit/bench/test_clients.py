"""Answers of the programs of bench.clients, and what is made of them."""

import json
import sys
from pathlib import Path

import pytest

from bench.clients.__main__ import LANGUAGES, PROGRAMS, verdicts
from bench.clients.order import NotComparable, Order, Round, Taken, answer, round_of, turns
from bench.clients.rounds import ClientOptions, Outcome, build_all, run
from bench.measure.report import medians
from clients.conformance.runners import Recipe, recipes

ORDER = Order("localhost:1", "key", "ada", ["tea", "coffee"], 5, warm_up_blocks=1, blocks=2)
BARE = {"ns": [1_000_000, 1_000_000, 2_000_000, 9_000_000], "hits": 8}
FACADE = {"ns": [1_650_000] * 4, "hits": 8}


def test_the_overhead_is_that_of_the_medians() -> None:
    measured = round_of({"bare": BARE, "facade": FACADE}, ORDER)
    assert measured == Round(1.5, 1.65)
    assert measured.overhead == pytest.approx(0.1)
    assert measured.added_ms == pytest.approx(0.15)


def test_a_faster_facade_has_a_negative_overhead() -> None:
    assert Round(2.0, 1.9).overhead == pytest.approx(-0.05)


@pytest.mark.parametrize(
    "facade", [{"ns": [1] * 3, "hits": 8}, {"ns": [1] * 4, "hits": 7}], ids=["calls missing", "other hits"]
)
def test_contenders_that_did_not_do_the_same_are_not_compared(facade: dict[str, object]) -> None:
    with pytest.raises(NotComparable):
        round_of({"bare": BARE, "facade": facade}, ORDER)


def test_answers_without_hits_are_no_recall() -> None:
    nothing = {"ns": [1] * 4, "hits": 0}
    with pytest.raises(NotComparable):
        round_of({"bare": nothing, "facade": nothing}, ORDER)


def test_a_program_reads_the_order_that_it_is_sent() -> None:
    line = json.dumps({"id": 7, **ORDER.command()})
    assert Order.parse(line) == (7, ORDER)


def test_a_program_answers_what_is_read() -> None:
    taken = {"bare": Taken(), "facade": Taken()}
    for name in turns(ORDER.blocks):
        for query in ORDER.queries:
            taken[name].add(len(query), hits=5)
    told = json.loads(answer(7, taken))
    assert told["id"] == 7
    assert told["ok"]["bare"]["hits"] == 20
    assert round_of(told["ok"], ORDER).overhead == 0


def test_contenders_take_turns_there_and_back() -> None:
    assert list(turns(2)) == ["bare", "facade", "facade", "bare"]


def test_each_language_has_its_overhead_and_what_it_is_of() -> None:
    outcome = Outcome({"go": [Round(1.0, 1.05), Round(2.0, 2.2), Round(1.0, 1.02)]})
    told = medians(outcome.figures(), [*LANGUAGES])
    assert list(told)[:5] == [*LANGUAGES]
    assert told["go_overhead"] == 0.05
    assert told["go_bare_p50_ms"] == 1.0
    assert told["rust_overhead"] is None


def test_ten_percent_are_allowed() -> None:
    met = {
        overhead: verdicts(Outcome({"java": [Round(1.0, 1 + overhead)]}).figures())[3].met for overhead in (0.09, 0.11)
    }
    assert met == {0.09: True, 0.11: False}


def test_every_goal_has_a_program() -> None:
    assert set(LANGUAGES) <= {f"{each.language}_overhead" for each in recipes(PROGRAMS)}


def test_even_a_quick_run_measures_a_block() -> None:
    assert ClientOptions.quick().blocks >= 1
    assert ClientOptions(warm_up_calls=0).warm_up_blocks("go") == 1


def test_what_compiles_while_it_runs_is_warmed_up_for_longer() -> None:
    options = ClientOptions()
    assert options.warm_up_blocks("java") > options.warm_up_blocks("rust")


async def test_a_language_without_its_tools_is_named_and_left_out(tmp_path: Path) -> None:
    ready, outcome = await build_all([Recipe("cobol", ["run"], needs=["no-such-tool"])], tmp_path)
    assert ready == {}
    assert outcome.unavailable == {"cobol": "no-such-tool is not here"}


async def test_rounds_are_those_of_programs_that_answer(tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    told = json.dumps({"bare": BARE, "facade": FACADE})
    script.write_text(f'print(\'{{"id": 1, "ok": {told}}}\')')
    ready = {
        "one": Recipe("one", [sys.executable, str(script)]),
        "other": Recipe("other", [sys.executable, "-c", "raise SystemExit('no server')"]),
    }
    outcome = Outcome()
    await run(ready, outcome, ORDER, ClientOptions(rounds=2), tmp_path)
    assert outcome.rounds == {"one": [Round(1.5, 1.65)] * 2}
    assert "no server" in outcome.unavailable["other"]
