"""Values of JSON files, one after the other."""

import io
import json
import tracemalloc
from typing import Any

from camillo_cli.imports.json_stream import CHUNK, SMALL, Part, read_parts

from tests.cases import each_case


def parts(content: str | bytes, **more: int) -> list[Part]:
    return list(read_parts(io.BytesIO(content.encode() if isinstance(content, str) else content), **more))


def values(content: str | bytes) -> list[tuple[str, Any]]:
    found = parts(content)
    assert not any(part.problem for part in found), found
    return [(part.where, part.value) for part in found]


@each_case(
    ("content", "expected"),
    [
        ("[1, {}, [2]]", [("[0]", 1), ("[1]", {}), ("[2]", [2])]),
        ('{"a": [{}, {"b": 1}], "c": null}', [("a[0]", {}), ("a[1]", {"b": 1}), ("c", None)]),
        ('{"a": 1, "b": [2]}', [("the document", {"a": 1, "b": [2]})]),
        ('{"a": 1}\n\n{"a": 2}\n', [("line 1", {"a": 1}), ("line 3", {"a": 2})]),
        ('{"a": 1}{"a": 2}', [("line 1", {"a": 1}), ("line 1", {"a": 2})]),
        ("  [ ]  ", []),
        ("", []),
        ("12", [("the document", 12)]),
        (json.dumps({"a": "שלום"}, ensure_ascii=False).encode("utf-16"), [("the document", {"a": "שלום"})]),
    ],
)
def test_values_are_named_by_where_they_stand(content: str | bytes, expected: object) -> None:
    assert values(content) == expected


@each_case(
    ("content", "problem"),
    [
        ("[1, 2", "is cut"),
        ('[{"a": 1}, {"b"', "[1] is not JSON"),
        ('{"a": [{}] "b": 1}', "is not JSON behind 'a'"),
        ("[1] x", "is not JSON"),
        ("[" * 100_000, "is nested too deeply"),
        ('[{"a": 1, "a": 2}]', "has the name 'a' twice"),
        ('[{"a": "' + "x" * CHUNK + '"}]', "is longer than"),
    ],
    ids=["list", "element", "members", "behind", "deep", "twice", "long"],
)
def test_what_cannot_be_read_is_told(content: str, problem: str) -> None:
    found = parts(content, max_value=100) if "xxx" in content else parts(content)
    assert problem in found[-1].problem, found


def test_a_value_may_lie_across_what_is_read_at_once() -> None:
    for length in range(CHUNK - 20, CHUNK + 20, 3):
        expected = [{"a": "x" * length, "n": 123456}, {"b": 1}, {"c": "y" * length}]
        assert [part.value for part in parts(json.dumps({"results": expected}))] == expected


def test_a_large_file_is_never_held_whole() -> None:
    record = json.dumps({"memory": "x" * 1000})
    content = io.BytesIO(f"[{','.join([record] * 20_000)}]".encode())
    tracemalloc.start()
    try:
        count = sum(1 for _ in read_parts(content))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 20_000
    # The file has 20 MB; a megabyte of it is looked at as a whole, in up to four bytes a character.
    assert peak < 8 * SMALL
