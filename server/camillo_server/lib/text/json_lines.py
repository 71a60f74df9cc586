"""Values as texts: JSON as lines to be searched and shown, and every string of a value by the path of its field."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
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


def texts_of(draft: Any, path: str = "") -> dict[str, str]:
    """The texts in all fields of a draft, a dataclass; `path` stands before each."""
    return texts_in({each.name: getattr(draft, each.name) for each in fields(draft)}, path)


def texts_in(values: Mapping[str, Any], path: str = "") -> dict[str, str]:
    """The texts in values by the names of their fields: texts, lists, JSON objects, dataclasses."""
    return {field: text for name, value in values.items() for field, text in _texts(path + name, value)}


def numbered_texts(field: str, value: Mapping[str, Any]) -> dict[str, str]:
    """The texts of a JSON object, its keys included, numbered from 0: its keys may be long or secret, and two paths of
    keys may read the same."""
    return {f"{field}[{number}]": text for number, text in enumerate(_json_texts(value))}


def _texts(field: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        if value:
            yield field, value
    elif isinstance(value, Mapping):
        yield from numbered_texts(field, value).items()
    elif isinstance(value, list | tuple):
        for index, each in enumerate(value):
            yield from _texts(f"{field}[{index}]", each)
    elif is_dataclass(value):
        yield from texts_of(value, f"{field}.").items()


def _json_texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield key
            yield from _json_texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _json_texts(each)
