"""The shape of JSON: types, keys, sizes; of a truncated text, too."""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from camillo_server.lib.outputs.summary.sample import (
    HEADLINE_ROOM,
    ContentKind,
    Material,
    Recognized,
    counted,
    listed,
    one_line,
    shortened,
)

OPENING_READ = 64 * 1024
MAX_DEPTH = 100
ELEMENTS_READ = 50
KEYS_READ = 200
SHAPE_ROOM = 520
# Possessive, and it matches an open string, too: nothing is read twice.
TOKENS = re.compile(r'"(?:[^"\\]++|\\.)*+("?)|[\[\]{},]', re.DOTALL)
CLOSERS = {"{": "}", "[": "]"}
# The names of the types of JSON values.
TYPE_NAMES: dict[type, str] = {
    type(None): "null",
    bool: "bool",
    int: "int",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}
# Keys whose values say what an object is about.
TELLING = frozenset((
    "error", "errors", "message", "msg", "detail", "details", "reason", "status", "code",
    "type", "title", "name", "total", "count", "next", "has_more",
))  # fmt: skip


def recognize_json(material: Material) -> Recognized | None:
    """A document, or the beginning of one."""
    if not material.body[:400].lstrip().startswith(("{", "[")):
        return None
    parsed = _parsed(material.body.lstrip(), not material.sample.tail)
    if parsed is None:
        return None
    value, is_whole = parsed
    lines = (_headline(value, is_whole), *_detail_lines(value))
    failure = _failure_in(value)
    headline = f"JSON object, error: {failure}" if failure else lines[0]
    return Recognized(ContentKind.JSON, headline, lines)


def _parsed(text: str, is_all: bool) -> tuple[Any, bool] | None:
    """The value that a text holds, with little behind it, and whether it is whole: what breaks off is read as far as it
    goes."""
    if is_all:
        try:
            value, end = json.JSONDecoder().raw_decode(text)
        except (ValueError, RecursionError):
            pass
        else:
            return (value, True) if len(text) - end <= 400 + end // 4 else None
    value = _opening(text[:OPENING_READ])
    # Nothing but brackets is no evidence of JSON.
    return (value, False) if value else None


def _opening(start: str) -> Any:
    """The value of the text as far as it goes, with its brackets closed; None where that is no JSON."""
    if len(start) > 1 and not re.match(r'\{\s*["}]|\[\s*[\[\]{"\d\-tfn]', start):
        return None
    stack: list[str] = []
    end, closing = 0, ""
    for token in TOKENS.finditer(start):
        sign = token[0][0]
        if sign == '"':
            if not token[1]:
                break
            continue
        position = token.start()
        if sign in CLOSERS:
            stack.append(CLOSERS[sign])
            position += 1
        elif sign != ",":
            if not stack or stack.pop() != sign:
                break
            position += 1
        end, closing = position, "".join(reversed(stack))
        if not stack or len(stack) > MAX_DEPTH:
            break
    try:
        return json.loads(start[:end] + closing)
    except (ValueError, RecursionError):
        return None


def _detail_lines(value: Any) -> Iterator[str]:
    """The shape, to the depth that fits, and values that tell what it is about."""
    for depth in (5, 4, 3, 2, 1):
        shape = _shape(value, depth)
        if len(shape) <= SHAPE_ROOM:
            break
    yield shortened(f"Shape: {shape}", SHAPE_ROOM)
    values = [*_telling(value)]
    if values:
        yield "Values: " + listed(values, 300)


def _headline(value: Any, is_whole: bool) -> str:
    """`JSON array of 1,204 objects: id, name, price`."""
    if isinstance(value, list):
        opening = f"JSON array of {'' if is_whole else 'at least '}{_elements(value)}"
        keys = [*merged(value)] if value and isinstance(value[0], dict) else []
    elif isinstance(value, dict):
        opening, keys = "JSON object", [_key_with_size(key, inner) for key, inner in value.items()]
    else:
        return f"JSON {TYPE_NAMES[type(value)]}"
    opening += "" if is_whole else " (cut off)"
    return f"{opening}: {listed(keys, HEADLINE_ROOM - len(opening))}" if keys else opening


def _failure_in(value: Any) -> str:
    """The error message of an object, if it has one."""
    if not isinstance(value, dict):
        return ""
    error = value.get("error") or value.get("errors")
    if isinstance(error, list):
        error = error[0] if error else None
    if isinstance(error, dict):
        error = error.get("message") or error.get("detail") or error.get("type")
    return one_line(error) if isinstance(error, str) else ""


def _shape(value: Any, depth: int) -> str:
    """Types by key: `{id: int, tags: [3 strings], address: {city: string}}`."""
    if isinstance(value, dict):
        if depth <= 0:
            return f"{{{counted(len(value), 'key')}}}"
        entries = islice(value.items(), KEYS_READ)
        shown = [f"{key}: {_shape(inner, depth - 1)}" for key, inner in entries]
        return f"{{{listed(shown, SHAPE_ROOM + 1, len(value))}}}"
    if isinstance(value, list):
        inner = next((item for item in value if isinstance(item, dict | list) and item), None)
        if inner is None or depth <= 0:
            return f"[{_elements(value)}]" if value else "[]"
        shape = _shape(merged(value) if isinstance(inner, dict) else inner, depth - 1)
        return f"[{len(value):,} × {shape}]"
    return TYPE_NAMES[type(value)]


def merged(values: Sequence[Any]) -> dict[str, Any]:
    """One object with the keys of the first objects, in order of appearance; of values the first that is not null."""
    whole: dict[str, Any] = {}
    for value in values[:ELEMENTS_READ]:
        if isinstance(value, dict):
            for key, inner in value.items():
                if whole.get(key) is None:
                    whole[key] = inner
    return whole


def _elements(values: Sequence[Any]) -> str:
    types = {TYPE_NAMES[type(value)] for value in values[:ELEMENTS_READ]}
    word = types.pop() if len(types) == 1 else "element"
    return counted(len(values), word, "nulls" if word == "null" else "")


def _key_with_size(key: str, value: Any) -> str:
    return f"{key} ({len(value):,})" if isinstance(value, list | dict) and value else key


def _telling(value: Any) -> Iterator[str]:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, dict):
        for key, inner in islice(value.items(), KEYS_READ):
            if key.lower() in TELLING and isinstance(inner, str | int | float):
                yield f"{key}: {shortened(one_line(json.dumps(inner, ensure_ascii=False)), 140)}"
