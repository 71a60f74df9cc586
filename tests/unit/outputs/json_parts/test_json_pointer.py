"""JSON pointers as RFC 6901 has them."""

import pytest
from camillo_server.kernel.errors import InvalidField
from camillo_server.lib.outputs.json_parts.pointer import (
    MAX_POINTER_CHARACTERS,
    MAX_POINTER_STEPS,
    ArraySlice,
    array_index,
    parse_pointer,
)
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case


@each_case(
    ("text", "steps"),
    [
        ("", ()),
        ("/", ("",)),
        ("//", ("", "")),
        ("/a/0/b", ("a", "0", "b")),
        ("/a~1b", ("a/b",)),
        ("/m~0n", ("m~n",)),
        ("/~01", ("~1",)),
        ('/ c%d^e|f\\g"h', (' c%d^e|f\\g"h',)),
        ("/名前/😀/שם", ("名前", "😀", "שם")),
        ("/cafe\u0301", ("cafe\u0301",)),
    ],
)
def test_a_pointer_has_the_steps_that_it_says(text: str, steps: tuple[str, ...]) -> None:
    assert parse_pointer(text).steps == steps
    assert parse_pointer(text).text == text


@each_case("text", ["a", "a/b", "#/a", " /a", "/~", "/a~2", "/~~0", "/a~/b"])
def test_a_pointer_with_a_bad_escape_or_without_its_slash_is_refused(text: str) -> None:
    with pytest.raises(InvalidField) as refused:
        parse_pointer(text)
    assert [violation.field for violation in refused.value.violations] == ["json_pointer"]


@pytest.mark.parametrize(
    ("longest", "too_long"),
    [
        ("/" + "x" * (MAX_POINTER_CHARACTERS - 1), "/" + "x" * MAX_POINTER_CHARACTERS),
        ("/x" * MAX_POINTER_STEPS, "/x" * (MAX_POINTER_STEPS + 1)),
    ],
)
def test_a_pointer_is_bounded_in_characters_and_steps(longest: str, too_long: str) -> None:
    assert parse_pointer(longest).text == longest
    with pytest.raises(InvalidField):
        parse_pointer(too_long)


@given(st.lists(st.text(max_size=10), max_size=20))
def test_any_keys_can_be_pointed_at(keys: list[str]) -> None:
    text = "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in keys)
    assert parse_pointer(text).steps == tuple(keys)


@pytest.mark.parametrize(("step", "index"), [("0", 0), ("7", 7), ("10", 10)])
def test_a_step_of_digits_is_an_index(step: str, index: int) -> None:
    assert array_index(step) == index


@each_case("step", ["", "-", "-1", "01", "00", "1.0", "+1", "٣", "1\n", "9" * 20])
def test_no_other_step_is_an_index(step: str) -> None:
    assert array_index(step) is None


@pytest.mark.parametrize(("start", "end"), [(-1, None), (0, -1), (-5, -2)])
def test_a_slice_counts_from_the_first_element(start: int, end: int | None) -> None:
    assert ArraySlice(2, 1).end == 1
    with pytest.raises(InvalidField):
        ArraySlice(start, end)
