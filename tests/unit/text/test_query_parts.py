"""The parts of a query: what is asked, apart from what was pasted."""

import pytest
from camillo_server.lib.text.query_parts import MAX_PART_CHARACTERS, MAX_PARTS, query_parts

from tests.cases import each_case

QUESTION = "Where is the key?"
LOG = "2026-11-20 10:00:01 INFO server started on port 80\n" * 12


@each_case(
    ("query", "parts"),
    [
        ("which engine was it that began", []),
        ("What time is it in Oslo?", []),
        ("see https://a.example/x?focused=true", []),
        ("tea and biscuits", []),
        ("Where is the key and when does Ana come?", ["Where is the key", "when does Ana come?"]),
        ("Where is the key? Who has the car?", [QUESTION, "Who has the car?"]),
        ("Wo ist der Schlüssel und wann kommt Ana?", ["Wo ist der Schlüssel", "wann kommt Ana?"]),
        ("Où est la clé et quand vient Ana ?", ["Où est la clé", "quand vient Ana ?"]),
        ("我上次问了什么，我想要什么语言？", ["我上次问了什么", "我想要什么语言？"]),
        ("你好，今天天气怎么样？", []),
    ],
)
def test_a_short_query_has_parts_where_it_asks_twice(query: str, parts: list[str]) -> None:
    assert query_parts(query) == parts


@pytest.mark.parametrize("form", ["{log}{q}", "{q}\n{log}", "{log}{q}\n{log}", "{log}\n\nHi!\n{q}\n\n{log}"])
def test_the_question_is_the_first_part_of_a_long_one(form: str) -> None:
    assert query_parts(form.format(log=LOG, q=QUESTION))[0] == QUESTION


def test_lines_of_logs_are_no_parts() -> None:
    assert query_parts(f"{LOG}{QUESTION}") == [QUESTION]


@each_case("character", ["a", ".", "?", "\n", "。", "? ", "a. ", "{", "```", "和"])
def test_the_parts_are_few_and_short(character: str) -> None:
    parts = query_parts(character * 90_000)
    assert len(parts) <= MAX_PARTS
    assert all(len(part) <= MAX_PART_CHARACTERS for part in parts)
    many = query_parts("".join(f"What is number {number}? " for number in range(2_000)))
    assert len(many) == MAX_PARTS
