"""Summaries of any text: always of their size, always the same, never long in the making."""

import json
import time
from dataclasses import replace

from camillo_server.lib.outputs.summary.sample import ContentKind, Sample, preview
from camillo_server.lib.outputs.summary.summarize import summarize
from camillo_server.lib.text.tokens import count_tokens
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.unit.outputs.summary.build_outputs import OUTPUTS as BUILDS
from tests.unit.outputs.summary.run_outputs import OUTPUTS as RUNS
from tests.unit.outputs.summary.samples import line_count, whole
from tests.unit.outputs.summary.test_forms import FORMS

MEBIBYTE = 1 << 20
WORDS = st.sampled_from((
    "FAILED ", "a::b", " - ", "error: ", "\n", " ", "{", '"', ":", "[", "|", "\t", "1", "\x1b[", "\r", "def f():",
    "Traceback (most recent call last)", "--- FAIL: ", "at x (a.js:1:2)", "שגיאה", "错误", "👩‍👩‍👧", "\u0301", "npm ERR! ",  # noqa: E501
    "<html>", "#", "```", ",", "\x00",
))  # fmt: skip
# Lines that make patterns with too much freedom try again and again.
HOSTILE = (
    *("a", " ", "\n", "[", '{"a":', '["' + '\\"' * 500, "\x1b[", "\x1b]", "abc\r", "a\b", "error ", "Error", "a:", "FAILED a::"),  # noqa: E501
    *(",", "|", "-", "<", "Aa.", "error(", "error 1 1 ", "a/", "  1) ", "... ", "E   ", "Traceback (most recent call "
                                                                                        "last):\n"),
    *("  5 failing\n", "  1:2  error  abc  rule\n", "Exception panic fatal ERROR "
                                                    "fail\n", "错误：失败 ✕ × ● \n", "1:x\n", "npm ERR! a\n"),
    *("a... FAILED\n", "\tat a(b.java:1)\n", '  File "a.py", line 1\n', "1,2,3\n", "# a\n", "<script>", "+++ b\n", "def f():\n"),  # noqa: E501
)  # fmt: skip


# Lines that nearly match: a beginning, what may be repeated, and an end that does not fit.
NEARLY = (
    ("FAILED (", "ab=1", "!"), ("FAILED (", "a=11", "!"), ("FAILED (a", "1", "!"), ("|", "-", "x"), ("+", "=-", "x"),
    ("int f(", " ", "  x )"), ("int f(", "\t", ";{"), ("Tests: ", "1", "!"), ("[ERROR]   A", "->a", "!"), ("a.c ", "b ", " {"),  # noqa: E501
)  # fmt: skip


@each_case("unit", HOSTILE)
@each_case("per_line", [0, 550, 5_000])
def test_a_mebibyte_of_anything_is_summarized_quickly(unit: str, per_line: int) -> None:
    line = unit * (per_line // len(unit)) + "\n" if per_line else unit
    assert_quick(line, "./run", 1)


@each_case(("beginning", "unit", "end"), NEARLY)
@each_case("per_line", [120, 380, 550])
@each_case(("command", "exit_code"), [("./run", 1), ("cat a.c", 0)])
def test_a_mebibyte_of_lines_that_nearly_match_is_summarized_quickly(
    beginning: str, unit: str, end: str, per_line: int, command: str, exit_code: int
) -> None:
    repeated = unit * ((per_line - len(beginning) - len(end)) // len(unit))
    assert_quick(f"{beginning}{repeated}{end}\n", command, exit_code)


def assert_quick(line: str, command: str, exit_code: int) -> None:
    """Checks that a mebibyte of this line is summarized and previewed in no time to speak of."""
    text = (line * (MEBIBYTE // len(line) + 1))[:MEBIBYTE]
    sample = whole(text, command, exit_code)

    def seconds() -> float:
        started = time.process_time()
        summarize(sample)
        preview(sample, 5, 5)
        return time.process_time() - started

    # Far above what it takes, and far below what trying again and again would. Other work of the machine delays one
    # try, seldom three; what is too slow is so each time.
    assert any(seconds() < 2.0 for _ in range(3))


@given(
    st.lists(WORDS, max_size=120).map("".join),
    st.sampled_from([None, 0, 1]),
    st.sampled_from(["", "pytest -q", "cat a.py", "curl x"]),
)
def test_every_summary_keeps_to_its_size(text: str, exit_code: int | None, command: str) -> None:
    sample = whole(text, command, exit_code)
    summary = summarize(sample)
    assert len(summary.text) <= 1_500
    assert len(summary.description) <= 120
    assert "\n" not in summary.description
    assert summary.description
    assert summarize(sample) == summary


@given(st.text(max_size=400), st.text(max_size=200))
def test_any_head_and_tail_will_do(head: str, tail: str) -> None:
    lines = line_count(head) + line_count(tail) + 1_000
    sample = Sample(head, tail, 5_000_000, lines, command="x", exit_code=1)
    shown = preview(sample, 5, 5)
    assert len(summarize(sample).text) <= 1_500
    assert max(len(shown.head), len(shown.tail)) <= 2_000


def test_a_table_whose_first_row_never_ends_is_summarized_as_text() -> None:
    """Its quotation mark makes one row of all lines: closed, they are a table."""
    lines = 'id,"name{}\n1,2\n3,4\n'
    kinds = [summarize(replace(whole(lines.format(end)), name="a.csv")).kind for end in ("", '"')]
    assert kinds == [ContentKind.TEXT, ContentKind.TABLE]


def test_lone_surrogates_are_summarized_as_other_text_is() -> None:
    assert "error: disk full" in summarize(whole("\ud800\nerror: disk full\n", "x", 1)).text


def test_summary_and_preview_together_take_few_tokens() -> None:
    samples = [output.sample() for output in (*RUNS.values(), *BUILDS.values())]
    samples += [form[0] for form in FORMS.values()]
    taken = []
    for sample in samples:
        shown = preview(sample)
        taken.append(count_tokens("\n".join((summarize(sample).text, shown.head, shown.tail))))
    assert len(taken) > 50
    assert sum(taken) / len(taken) < 250
    assert max(taken) < 450


def test_a_large_json_takes_no_more_room_than_a_small_one() -> None:
    large = json.dumps([{f"key_{k}": {"inner": [k]} for k in range(300)} for _ in range(20)])
    assert len(summarize(whole(large)).text) < 1_200
