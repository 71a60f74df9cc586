"""JSON as lines that each can be understood alone: `path: value`."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

# What would become longer is written as JSON, which is no longer than it was stated.
MOST_CHARACTERS = 1_048_576
# Greater ones are written with an exponent: without it, one of seven characters may take 309.
_MOST_WHOLE = 1e16
# Arguments of a call that stand within its brackets.
SHORT_ARGUMENT = 120


def json_text(value: Mapping[str, Any]) -> str:
    """A line for each value that is no object and no array."""
    lines: list[str] = []
    length = 0
    for line in _lines("", value):
        lines.append(line)
        length += len(line) + 1
        if length > MOST_CHARACTERS:
            return json.dumps(_whole(value), ensure_ascii=False, separators=(",", ":"))
    return "\n".join(lines)


def call_text(tool: str, arguments: Mapping[str, Any]) -> str:
    """A call as it is read: `tool(path="a.py", lines=3)`, its long arguments in the lines below."""
    short = {name: value for name, value in arguments.items() if _is_short(value)}
    said = ", ".join(f"{name}={_quoted(value)}" for name, value in short.items())
    rest = {name: value for name, value in arguments.items() if name not in short}
    called = f"{tool}({said})"
    return f"{called}\n{json_text(rest)}" if rest else called


def _lines(path: str, value: object) -> Iterator[str]:
    if isinstance(value, Mapping) and value:
        for key, each in value.items():
            yield from _lines(f"{path}.{key}" if path else key, each)
    elif isinstance(value, list | tuple) and value:
        for place, each in enumerate(value):
            yield from _lines(f"{path}[{place}]", each)
    elif path:
        yield f"{path}: {value if isinstance(value, str) else _quoted(value)}"


def _is_short(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= SHORT_ARGUMENT and "\n" not in value
    return not isinstance(value, Mapping | list | tuple)


def _quoted(value: object) -> str:
    return json.dumps(_whole(value), ensure_ascii=False)


def _whole(value: object) -> object:
    """The value, its whole numbers without a fraction."""
    if isinstance(value, float) and value.is_integer() and abs(value) < _MOST_WHOLE:
        return int(value)
    if isinstance(value, Mapping):
        return {key: _whole(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_whole(each) for each in value]
    return value
