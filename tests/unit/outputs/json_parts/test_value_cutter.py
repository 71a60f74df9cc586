"""One value cut out of a JSON document, however it is cut into blocks."""

import json
import tracemalloc
from typing import Any

from camillo_server.lib.outputs.json_parts import structure
from camillo_server.lib.outputs.json_parts.pointer import ArraySlice, parse_pointer
from camillo_server.lib.outputs.json_parts.structure import MAX_DEPTH
from camillo_server.lib.outputs.json_parts.values import ValueCutter
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.unit.outputs.json_parts.documents import blocks_of, cut, outcome, paths, plain_value, pointer_text, texts

SIZES = st.lists(st.integers(0, 30), max_size=30)
SLICES = st.one_of(st.none(), st.builds(ArraySlice, st.integers(0, 6), st.one_of(st.none(), st.integers(0, 6))))


@given(texts(), st.data(), SIZES, SLICES)
def test_the_value_is_that_of_the_whole_document_parsed(
    written: tuple[Any, bytes], data: st.DataObject, sizes: list[int], part: ArraySlice | None
) -> None:
    document, text = written
    steps = data.draw(st.sampled_from(paths(document)))
    try:
        expected = plain_value(document, steps, part)
    except LookupError:
        assert outcome(blocks_of(text, sizes), pointer_text(steps), part) == "JsonValueNotFound"
        return
    value = cut(blocks_of(text, sizes), pointer_text(steps), part)
    assert json.loads(value) == expected
    assert value.count(b"\n") == 0


@given(texts(), st.lists(st.sampled_from(["a", "0", "1", "键", "-", "01", ""]), max_size=4), SIZES)
def test_a_pointer_finds_what_the_plain_way_finds_and_nothing_else(
    written: tuple[Any, bytes], steps: list[str], sizes: list[int]
) -> None:
    document, text = written
    found = outcome(blocks_of(text, sizes), pointer_text(steps))
    try:
        expected = plain_value(document, steps, None)
    except LookupError:
        assert found == "JsonValueNotFound"
    else:
        assert isinstance(found, bytes)
        assert json.loads(found) == expected


@given(st.text(st.sampled_from('[]{}",:\\u0d8 1-.eE+tfn"ä'), max_size=14), SIZES)
def test_the_whole_of_what_is_no_document_is_not_given(text: str, sizes: list[int]) -> None:
    try:
        document = json.loads(text)
    except ValueError:
        assert outcome(blocks_of(text.encode(), sizes), "") == "NotJson"
    else:
        assert json.loads(cut(blocks_of(text.encode(), sizes), "")) == document


@each_case(
    ("text", "pointer", "value"),
    [
        ('{"a": 1e400}', "/a", "1e400"),
        ('{"a": [ 0.1000, -0, 1E+5 , 100000000000000000000000 ]}', "/a", "[0.1000,-0,1E+5,100000000000000000000000]"),
        ('["\\ud800", "\\u0000", "\\ud83d\\ude00", "\\/"]', "", '["\\ud800","\\u0000","\\ud83d\\ude00","\\/"]'),
        ('{"a": "你好 \\u4f60  😀 שלום e\u0301"}', "/a", '"你好 \\u4f60  😀 שלום e\u0301"'),
        ('{"a": 1, "b": 2, "a": 3}', "/a", "1"),
        ('{"\\u0061": 1, "a": 2}', "/a", "1"),
        ('{"名前": {"😀": [true]}}', "/名前/😀/0", "true"),
        ('{"": {"": null}}', "//", "null"),
        ('{"0": "key", "1": []}', "/0", '"key"'),
        (" 12 ", "", "12"),
        ('"a \\" b"', "", '"a \\" b"'),
        ("\ufeff[1]", "/0", "1"),
        ("\ufeff [1]", "", "[1]"),
        ('["\ufeff"]', "/0", '"\ufeff"'),
        ('[{"]": "}"}, [",", 5]]', "/1/1", "5"),
        ("[" + "7" * 10_000 + "]", "/0", "7" * 10_000),
        ("[1e" + "9" * 50 + "]", "", "[1e" + "9" * 50 + "]"),
        (
            "[-0.00000000000000000000012e-00000000000000000000001]",
            "/0",
            "-0.00000000000000000000012e-00000000000000000000001",
        ),
    ],
)
@each_case("size", [1, 2, 3, 1 << 20])
def test_a_value_is_as_it_was_written(text: str, pointer: str, value: str, size: int) -> None:
    data = text.encode()
    blocks = [data[at : at + size] for at in range(0, len(data), size)]
    assert cut(blocks, pointer).decode() == value


@each_case(
    ("part", "value"),
    [
        (ArraySlice(), '[0,[1,"a"],{"b":2},3]'),
        (ArraySlice(1, 3), '[[1,"a"],{"b":2}]'),
        (ArraySlice(0, 1), "[0]"),
        (ArraySlice(3), "[3]"),
        (ArraySlice(3, 9), "[3]"),
        (ArraySlice(4), "[]"),
        (ArraySlice(9, 12), "[]"),
        (ArraySlice(2, 2), "[]"),
        (ArraySlice(3, 1), "[]"),
    ],
)
@each_case("size", [1, 5, 1 << 20])
def test_a_slice_is_an_array_of_its_elements(part: ArraySlice, value: str, size: int) -> None:
    data = b'{"x": [0, [1, "a"], {"b": 2}, 3 ], "y": []}'
    blocks = [data[at : at + size] for at in range(0, len(data), size)]
    assert cut(blocks, "/x", part).decode() == value
    assert cut(blocks, "/y", part) == b"[]"


@each_case(
    ("text", "pointer", "part"),
    [
        ('{"a": 1}', "/b", None),
        ('{"a": {"b": 1}}', "/b", None),
        ('{"a": "b"}', "/a/b", None),
        ("[1, 2]", "/2", None),
        ("[1, 2]", "/-", None),
        ("[1, 2]", "/01", None),
        ("[[]]", "/0/0", None),
        ("{}", "/", None),
        ("5", "/0", None),
        ('{"a": {}}', "/a", ArraySlice()),
        ('{"a": "[]"}', "/a", ArraySlice()),
        ('"x"', "", ArraySlice(0, 1)),
    ],
)
def test_a_pointer_that_names_nothing_finds_nothing(text: str, pointer: str, part: ArraySlice | None) -> None:
    assert outcome([text.encode()], pointer, part) == "JsonValueNotFound"
    assert isinstance(outcome([text.encode()], ""), bytes)


@each_case(
    "text",
    [
        b"",
        b"  \n",
        b"\xef\xbb\xbf",
        b"\xef\xbb",
        b"tru",
        b"[1, 2",
        b'{"a": "b',
        b'["\\u12',
        b"[1, 2]]",
        b"[1] [2]",
        b'{"a": 1}\n{"a": 2}\n',
        b"[1] x",
        b"1 2",
        b"[1 2]",
        b"[1,]",
        b"[,1]",
        b'{"a" 1}',
        b"{a: 1}",
        b'{"a": 1,}',
        b"[}",
        b"[1}",
        b"[01]",
        b"[00000000000000000000000000000000000]",
        b"[1111111111111111111111111111111111.]",
        b"[1111111111111111111111111111111111 1]",
        b"[1.]",
        b"[NaN]",
        b"[-]",
        b"['a']",
        b"[/* x */ 1]",
        b'["a\x00b"]',
        b'["a\nb"]',
        b'["\\x"]',
        b'["\\u00g0"]',
        b'[\\"a"]',
        b'["\xff"]',
        b'["\xed\xa0\x80"]',
        b'["\xc0\x80"]',
        b"[\xa0]",
        b" \xef\xbb\xbf[1]",
        b"\xef\xbb\xbf\xef\xbb\xbf[1]",
        b"\x00",
    ],
)
@each_case("size", [1, 1 << 20])
def test_what_is_no_json_is_not_given_as_a_whole(text: bytes, size: int) -> None:
    blocks = [text[at : at + size] for at in range(0, len(text), size)]
    assert outcome(blocks, "") == "NotJson"


@each_case(
    "text",
    [
        b'{"a": 1, "b": tru}',
        b'{"a": 1, "b": [1 2]}',
        b'{"a" 1, "b": 2}',
        b'{"a": 1 : 2, "b": 2}',
        b'{"a", "b": 2}',
        b'{1: 2, "b": 2}',
        b'{"a": "\xff", "b": 2}',
        b'{"a": "x\x01", "b": 2}',
        b'{"a": 1]',
        b'{"a": 1',
        b'{"b": [1, 2',
        b'{"b": "x',
        b'{"b": 12',
        b'{"b": ]}',
        b'{"b": {"c": [}}',
    ],
)
def test_a_fault_on_the_way_to_the_value_or_in_it_is_told(text: bytes) -> None:
    assert outcome([text], "/b") == "NotJson"


def test_what_follows_the_value_is_not_read() -> None:
    ahead = b'{"a": 1, "b": [2, 3]'
    for pointer, part, value in (("/a", None, b"1"), ("/b", ArraySlice(0, 1), b"[2]")):
        assert cut([ahead, b", no JSON \xff"], pointer, part) == value
    assert outcome([ahead, b", no JSON \xff"], "/c") == "NotJson"


def test_containers_may_lie_as_deep_as_the_bound_and_no_deeper() -> None:
    for opener, closer in (("[", "]"), ('{"a":', "}")):
        deepest = opener * MAX_DEPTH + "1" + closer * MAX_DEPTH
        assert cut([deepest.encode()], "") == deepest.encode()
        assert outcome([f"[{deepest}]".encode()], "") == "NotJson"
        assert outcome([f'{{"x":{deepest},"b":1}}'.encode()], "/b") == "NotJson"
    assert outcome([b"[" * 1_000_000], "/0") == "NotJson"


@given(st.integers(-8, 8), st.integers(0, 7))
def test_a_value_across_the_border_of_stretches_is_whole(shift: int, length: int) -> None:
    inside = '\\\\\\"\\u00e9é😀' + "\\" * 2 * length
    for filling in (
        '"{}"'.format("x" * (structure.STRETCH_BYTES - 20 + shift)),
        " " * (structure.STRETCH_BYTES - 12 + shift) + "1",
    ):
        text = f'{{"a": {filling}, "b": ["{inside}", 5]}}'.encode()
        assert cut([text], "/b").decode() == f'["{inside}",5]'


def test_a_long_string_and_a_long_key_need_no_memory_of_their_length() -> None:
    block = b"x" * (1 << 20)
    for begin, pointer, end, value in (
        (b'{"a": "', "/b", b'", "b": 1}', b"1"),
        (b'{"', "/b", b'": 0, "b": 1}', b"1"),
        (b'{"a": "', "/a", b'"}', None),
    ):
        tracemalloc.start()
        cutter = ValueCutter(parse_pointer(pointer), None)
        length, pieces = 0, list(cutter.feed(begin))
        for _ in range(40):
            length += sum(map(len, cutter.feed(block)))
        pieces += cutter.feed(end)
        assert cutter.is_done
        assert b"".join(pieces) == value if value else length == 40 << 20
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
        tracemalloc.stop()
