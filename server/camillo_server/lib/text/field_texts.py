"""Every string in what a caller sends, by the path of its field. Forgotten values are looked for in
all of them, also in a field that is added later."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any


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
