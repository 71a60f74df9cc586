"""How answers match what a scenario expects, and which answers do not."""

from pathlib import Path
from typing import Any

import pytest

from clients.conformance.answers import canonical_error, type_name
from clients.conformance.matching import OPERATORS, difference
from clients.conformance.scenarios import Unreadable, full_name, load
from clients.conformance.variables import Missing, Variables, at
from tests.cases import each_case

# An expectation, what it lets pass, what it does not.
CASES: list[tuple[Any, Any, Any]] = [
    ({"a": 1}, {"a": 1, "b": 2}, {"a": 2}),
    ({"a": None}, {"a": None}, {}),
    ([1, {"a": "茶"}], [1, {"a": "茶", "b": 0}], [1]),
    (5, "5", 6),
    (0.1, 0.1, 0.2),
    # As of half the precision, and as a whole number that lost its last digits.
    (0.1, 0.1, 0.10000000149011612),
    (9007199254740991.0, 9007199254740991, 9007199254740736.0),
    (-2.5e-7, -2.5e-7, 0.0),
    (True, True, 1),
    ({}, {"a": 1}, 1),
    ({"$path": {"*.a.*.b": [1, 2, 3]}}, [{"a": [{"b": 1}, {"b": 2}]}, {"a": [{"b": 3}]}], [{}]),
    ({"$count": 2}, [1, 2], [1]),
    ({"$contains": "tea"}, "a tea", "a te"),
    ({"$contains": {"a": 1}}, [{"a": 1}], "a text"),
    ({"$contains": {"a": 1}}, [{"a": 2}, {"a": 1}], [{"a": 2}]),
    ({"$not": 1}, 2, 1),
    ({"$without": "a"}, {"b": 1}, {"a": 1}),
    ({"$each": {"$min": 2}}, [2, 3], []),
    ({"$same": True}, ["x", "x"], ["x", "y"]),
    ({"$same": True}, ["x"], ["", ""]),
    ({"$distinct": True}, ["x", "y"], ["x", "x"]),
    ({"$distinct": True}, [{"a": 1}, {"a": 2}], [{"a": 1}, {"a": 1}]),
    ({"$set": ["b", "a"]}, ["a", "b"], ["a", "b", "b"]),
    ({"$gaps": {"$min": 2}}, [1, 3, 5], [1, 3, 4]),
    ({"$gaps": {"$min": 2}}, [1, 3, 5], ["1", "3"]),
    ({"$gaps": {"$min": 2}}, [1, 3, 5], 7),
    ({"$min": 0}, 1, True),
    ({"$min": 2, "$max": 3}, 3, 4),
    ({"$max": 3}, 3, "3"),
    ({"$matches": "a.c"}, "a\nc", "abcd"),
    ({"$one_of": [1, {"a": 1}]}, {"a": 1}, 2),
    ({"$length": 2}, "茶茶", "茶"),
]


@each_case(("expected", "passing", "failing"), CASES)
def test_what_is_expected_passes_and_nothing_else(expected: Any, passing: Any, failing: Any) -> None:
    assert difference(expected, passing) is None
    assert difference(expected, failing)


def test_every_operator_is_tried() -> None:
    tried = {key for expected, _, _ in CASES if isinstance(expected, dict) for key in expected}
    assert OPERATORS.keys() <= tried


@each_case(
    "name",
    [
        "MemoryNotFound",
        "MemoryNotFoundException",
        "ErrMemoryNotFound",
        "MEMORY_NOT_FOUND",
        "camillo::Reason::MemoryNotFound",
        "dev.camillo.MemoryNotFoundError",
        "camillo: memory not found",
    ],
)
def test_a_type_has_one_name_in_all_languages(name: str) -> None:
    assert type_name(name) == "memorynotfound"
    assert type_name(name) != type_name("NotFound")


def test_codes_are_the_same_however_they_are_written() -> None:
    codes = {canonical_error({"code": code})["code"] for code in ("NOT_FOUND", "NotFound", "not_found")}
    assert codes == {"notfound"}


def test_references_are_filled_in() -> None:
    variables = Variables({"a": {"b": [{"c": 7}]}, "x": "茶"})
    assert variables.filled({"k": ["${a.b.0.c}", "${x}-${a.b.0.c}"]}) == {"k": [7, "茶-7"]}
    assert at([{"a": [1]}, {"a": [2]}], "*.a") == [[1], [2]]
    for path in ("nobody", "a.b.1", "a.b.c", "x.y.z"):
        with pytest.raises(Missing):
            variables.filled(f"${{{path}}}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- {name: a, steps: [{call: Recall, expects: {}}]}", "has expects"),
        ("- {name: a, steps: [{call: Recall, seen: Recall}]}", "2 things at once"),
        ("- {name: a, steps: [{expect: {}}]}", "0 things at once"),
        ("- {name: a, steps: [{call: Recall, expect: {a: 1}, error: {a: 1}}]}", "both"),
        ("- {name: a, steps: []}\n- {name: a, steps: []}", "two scenarios"),
        ("- {name: a, steps: [{call: Recall}]}", "cannot fail"),
        ("- {name: a, steps: []}", "cannot fail"),
        ("- {name: a, steps: [{call: Recall, expect: {}}]}", "empty expect"),
        ("- {name: a, steps: [{call: Recall, error: {}}]}", "empty error"),
        ("- {name: a, steps: [{call: Recall, expect: [{a: {$maximum: 1}}]}]}", "no question"),
        ("- {name: a, steps: [{call: Recall, expect: {$count: 1, hits: []}}]}", "beside names"),
        ("- {name: a, steps: [{call: Recall, expect: {$distinct: false}}]}", "otherwise than by"),
        ("- {name: a, steps: [{seen: Recall}]}", "asks nothing"),
        ("- {name: a, steps: [{seen: Recal, expect: []}]}", "no method is named Recal"),
        ("- {name: a, steps: [{proxy: {method: Recal, fail: {code: INTERNAL}}}]}", "no method"),
        ("- {name: a, steps: [{proxy: {method: Recall, fails: {}}}]}", "says nonsense"),
        ("- {name: a, steps: [{wire: {direction: up, byte: 7}}]}", "says nonsense"),
    ],
)
def test_a_scenario_that_says_nonsense_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "scenarios.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(Unreadable, match=said):
        load(path)


def test_methods_have_short_names() -> None:
    assert full_name("Recall") == "camillo.v1.MemoryService/Recall"
    with pytest.raises(Unreadable):
        full_name("Somersault")
