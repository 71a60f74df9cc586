"""JSON that is parsed in pieces is what Python's own parser makes of it, or is refused as it would be."""

import json
import random
from typing import Any

import pytest
from camillo.v1.event_service_pb2 import BatchRecordEventsRequest
from camillo.v1.memory_service_pb2 import RememberRequest
from camillo_server.doors.gateway import json_pieces
from camillo_server.doors.gateway.json_bodies import fill
from camillo_server.doors.gateway.json_bounds import MAX_DEPTH, BadJson, JsonRefused, TooMuchJson
from camillo_server.doors.gateway.json_pieces import JsonText, parsed
from camillo_server.kernel.errors import InvalidField
from google.protobuf.json_format import MessageToDict

from tests.cases import each_case

MANY = 1_000_000
TEXTS = ("", "a,b[c]{d}", 'say "hi" \\ \\\\', "茶 🍵 שלום é", "\x1f\n\t/", "\ud83c", '"' * 9, "x" * 300)


def document(dice: random.Random, depth: int = 0) -> Any:
    kind = dice.randrange(7 if depth < 5 else 4)
    if kind == 0:
        return dice.choice((None, True, False, 0, -1, 1.5, 1e-9, 10**18))
    if kind < 4:
        return dice.choice(TEXTS) + dice.choice(TEXTS)
    if kind == 4:
        return {f"{dice.choice(TEXTS)}{n}": document(dice, depth + 1) for n in range(dice.randrange(9))}
    return [document(dice, depth + 1) for _ in range(dice.randrange(9))]


@each_case("seed", range(60))
def test_pieces_make_the_same_values(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311
    monkeypatch.setattr(json_pieces, "PIECE_MARKS", dice.choice((1, 2, 5, 20)))
    monkeypatch.setattr(json_pieces, "PIECE_BYTES", dice.choice((4096, 8192)))
    value = [document(dice) for _ in range(30)]
    for ascii_only in (True, False):
        text = json.dumps(value, ensure_ascii=ascii_only, indent=dice.choice((None, 1)))
        body = text.encode(errors="replace")
        assert parsed(body, MANY) == json.loads(body), seed


@each_case("seed", range(200))
def test_broken_bodies_are_refused_as_whole_ones(seed: int) -> None:
    """One byte is taken out, put in, or doubled."""
    dice = random.Random(seed)  # noqa: S311
    body = json.dumps([document(dice) for _ in range(5)], ensure_ascii=False).encode(errors="replace")
    at = dice.randrange(len(body))
    body = body[:at] + dice.choice((b"", b",", b'"', b"[", b"}", b"\\", b"\xff", b" ")) + body[at:][1:]
    whole = outcome(body)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_pieces, "PIECE_MARKS", 3)
        patch.setattr(json_pieces, "PIECE_BYTES", 512)
        assert outcome(body) == whole


def outcome(body: bytes) -> Any:
    try:
        return repr(parsed(body, MANY))
    except BadJson:
        return BadJson


BOMBS: dict[str, bytes] = {
    "empty lists": b'{"zz":[' + b"[]," * 1_000_000 + b"[]]}",
    "deep lists": b"[" * 100_000 + b"]" * 100_000,
    "deep objects": b'{"a":' * 100_000,
    "small keys": b"{" + b",".join(b'"%d":0' % n for n in range(300_000)) + b"}",
    "the same key": b"{" + b",".join([b'"a":0'] * 100_000) + b"}",
    "large exponent": b'{"a":1e999999}',
    "many digits": b'{"a":' + b"1" * 10_000_000 + b"}",
    "a long fraction": b'{"a":0.' + b"1" * 10_000_000 + b"}",
    "no number": b"[NaN]",
    "no UTF-8": b'{"a":"\xff\xfe"}',
    "half a character": b'{"a":"' + b"\xf0\x9f" * 100_000 + b'"}',
    "a control character": b'["' + b"a" * 100_000 + b"\n" + b'"]',
    "no end": b'["' + b"a" * 100_000,
    "a bad escape": b'["' + b"\\x" * 100_000 + b'"]',
    "a long name": b'{"' + b"a" * 100_000 + b'":' + b"[1]" * 30_000 + b"}",
    "commas": b"[" + b"," * 100_000 + b"]",
    "a comma at the end": b"[" + b"1," * 50_000 + b"]",
    "two values": b"[" + b"1," * 50_000 + b"1]" + b"[]",
    "brackets of two kinds": b"[" + b"1," * 50_000 + b"1}",
    "a name without a value": b'{"a":{' + b'"b":1,' * 50_000 + b'"c"}}',
    "a number for a name": b'{1:["' + b"x" * 100_000 + b'"]}',
}


@each_case("name", BOMBS)
def test_bombs_are_refused(name: str) -> None:
    with pytest.raises(JsonRefused) as told:
        parsed(BOMBS[name], 200_000)
    assert len(str(told.value)) < 300


def test_what_is_as_large_as_it_may_be_is_read() -> None:
    escapes = b'["' + b"\\u0041\\ud83c\\udf75\\n\xe8\x8c\xb6" * 200_000 + b'"]'
    assert parsed(escapes, 10) == ["A🍵\n茶" * 200_000]
    assert parsed(b" " * 1_000_000 + b'{"a": 1}' + b"\n" * 1_000_000, 10) == {"a": 1}
    assert parsed(b"[" + b"[]," * 99_999 + b"[]]", 200_001) == [[]] * 100_000
    with pytest.raises(TooMuchJson, match="at most 199999 values"):
        parsed(b"[" + b"[]," * 99_999 + b"[]]", 199_999)
    assert parsed(b"[[" + b" " * 100_000 + b"],1]", 10) == [[], 1]
    commas = b'["' + b",[{" * 1_000_000 + b'"]'
    assert parsed(commas, 1) == [",[{" * 1_000_000]
    deep = b"[" * MAX_DEPTH + b"1," * 50_000 + b"1" + b"]" * MAX_DEPTH
    assert parsed(deep, MANY)
    with pytest.raises(TooMuchJson, match="too deep"):
        parsed(b"[" + deep + b"]", MANY)
    assert parsed(b"\xef\xbb\xbf[1]", 10) == [1]


def test_parts_are_one_body_and_the_first_that_is_too_much_is_refused() -> None:
    body = b"\xef\xbb\xbf" + json.dumps([["茶 🍵 \ud83c", {"a": [1] * 50}]] * 200).encode()
    for size in (1, 2, 1_000, 20_000):
        text = JsonText(MANY)
        for at in range(0, len(body), size):
            text.append(body[at : at + size])
            if text.is_large:
                text.look()
        assert text.value() == json.loads(body), size
    refused = JsonText(1_000)
    refused.append(b"[" + b"[]," * 400)
    refused.look()
    refused.append(b"[]," * 400)
    with pytest.raises(TooMuchJson, match="at most 1000 values"):
        refused.look()


MISPLACED: list[tuple[Any, Any, str]] = [
    (BatchRecordEventsRequest, {"events": [{}] * 1_001}, "events: must have 1 to 1000 values, has 1001"),
    (BatchRecordEventsRequest, {"events": {"a": 1}}, "events: must be a list"),
    (BatchRecordEventsRequest, {"events": [[1]]}, "events[0]: must be an object"),
    (BatchRecordEventsRequest, {"agentId": [1]}, "agent_id: must be no list"),
    (RememberRequest, {"memory": {"tags": ["a", ["b"]]}}, "memory.tags[1]: must be no list"),
    (RememberRequest, {"memory": {"metadata": [1]}}, "memory.metadata: must be no list"),
    (RememberRequest, {"memory": {"content": {"a": 1}}}, "memory.content: must be a single value"),
]


@each_case(("message_type", "value", "said"), MISPLACED)
def test_lists_and_objects_stand_where_they_may(message_type: Any, value: Any, said: str) -> None:
    with pytest.raises(InvalidField) as told:
        fill("body", value, message_type())
    assert str(told.value).startswith(said)
    message = RememberRequest()
    fill("body", {"memory": {"metadata": {"a": [{"b": [1, []]}]}, "tags": ["a"]}}, message)
    assert MessageToDict(message)["memory"]["metadata"] == {"a": [{"b": [1, []]}]}
