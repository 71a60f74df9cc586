"""Whether a content is one JSON document."""

import json
from typing import Any

from camillo_server.lib.outputs.json_parts.structure import JsonValidator
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.unit.outputs.json_parts.documents import blocks_of, texts

SIZES = st.lists(st.integers(0, 30), max_size=30)


def is_document(*parts: bytes, max_bytes: int = 1 << 20) -> bool:
    validator = JsonValidator(max_bytes)
    for part in parts:
        validator.feed(part)
    return validator.finish()


@given(texts(), SIZES)
def test_every_object_and_array_is_a_document_and_no_scalar(written: tuple[Any, bytes], sizes: list[int]) -> None:
    document, text = written
    assert is_document(*blocks_of(text, sizes)) == isinstance(document, dict | list)


@given(st.text(st.sampled_from('[]{}",:\\u0d8 1-.eE+tfn"ä'), max_size=14), SIZES)
def test_what_cannot_be_parsed_is_no_document(text: str, sizes: list[int]) -> None:
    try:
        expected = isinstance(json.loads(text), dict | list)
    except ValueError:
        expected = False
    assert is_document(*blocks_of(text.encode(), sizes)) == expected


@each_case(
    ("text", "expected"),
    [
        ('{"名": ["😀", "שלום", "e\u0301"]}', True),
        ("\ufeff{}", True),
        (" \n[1]\r\n", True),
        ('{"a": 1}\n{"a": 2}\n', False),
        ("[1] x", False),
        ("[1, 2", False),
        ("", False),
        (" ", False),
        ("null", False),
        ('"text"', False),
        ("{not json}", False),
        ("[INFO] started", False),
        ("[" * 150 + "]" * 150, True),
        ("[" * 300 + "]" * 300, False),
        ("[" + "1" * 100_000 + "]", True),
        ('["' + "x" * 100_000 + '"]', True),
    ],
)
def test_a_content_is_judged_alike_in_one_part_and_byte_by_byte(text: str, expected: bool) -> None:
    data = text.encode()
    assert is_document(data) == expected
    assert is_document(*(data[at : at + 1] for at in range(min(len(data), 2_000))), data[2_000:]) == expected


def test_bytes_that_are_no_utf8_are_no_document() -> None:
    assert is_document('["é"]'.encode())
    assert not is_document('["é"]'.encode("latin-1"))


@each_case(
    ("text", "expected"),
    [
        (b'{"a": [1, 2, 3, 4, 5, 6]}', True),
        (b'{"a": [1, 2, 3, 4, 5, no JSON at all xyz}\n ', True),
        (b'{"a": no JSON at all xyz}\n ', False),
        (b'{"a": [1, 2, 3, 4, 5, 6]', False),
        (b"[1, 2, 3, 4, 5, 6, 7, 8, 9}", False),
        (b"[1, 2, 3, 4, 5, 6, 7, 8, 9]", True),
        (b"a1, 2, 3, 4, 5, 6, 7, 8, 9a", False),
    ],
)
def test_a_content_beyond_the_bound_is_judged_by_its_beginning_and_last_byte(text: bytes, expected: bool) -> None:
    assert is_document(text, max_bytes=20) == expected
    assert is_document(text[:10], text[10:], max_bytes=20) == expected


def test_a_fault_within_the_bound_is_not_forgotten_beyond_it() -> None:
    assert is_document(b"[1, 2, 3", b", 4, 5, 6, 7]", max_bytes=10)
    assert not is_document(b"[1, , 3", b", 4, 5, 6, 7]", max_bytes=10)
