"""JSON as lines of text, to be searched and shown."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

# A longer text is written as JSON, which is no longer than the caller wrote it.
MAX_CHARACTERS = 1_048_576
# Greater ones are written with an exponent: without it, one of seven characters may take 309.
_MAX_WHOLE = 1e16


def json_text(value: Mapping[str, Any]) -> str:
    """A line for each value that is no object and no array."""
    lines: list[str] = []
    length = 0
    for line in _json_lines("", value):
        lines.append(line)
        length += len(line) + 1
        if length > MAX_CHARACTERS:
            return json.dumps(_whole(value), ensure_ascii=False, separators=(",", ":"))
    return "\n".join(lines)


def _json_lines(path: str, value: object) -> Iterator[str]:
    if isinstance(value, Mapping) and value:
        for key, each in value.items():
            yield from _json_lines(f"{path}.{key}" if path else key, each)
    elif isinstance(value, list | tuple) and value:
        for index, each in enumerate(value):
            yield from _json_lines(f"{path}[{index}]", each)
    elif path:
        yield f"{path}: {value if isinstance(value, str) else quoted(value)}"


def quoted(value: object) -> str:
    """The value as JSON."""
    return json.dumps(_whole(value), ensure_ascii=False)


def _whole(value: object) -> object:
    """The value, with whole numbers written without a fraction."""
    if isinstance(value, float) and value.is_integer() and abs(value) < _MAX_WHOLE:
        return int(value)
    if isinstance(value, Mapping):
        return {key: _whole(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_whole(each) for each in value]
    return value
