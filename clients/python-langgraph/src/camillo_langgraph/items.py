"""Items of a store as memories: their ids, tags, texts and metadata, and the filters that find them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID, uuid5

from langgraph.store.base import MatchCondition

# Namespace of the ids that items have in every space.
_IDS = UUID("6f4c1d5e-5f0b-5a8e-9a43-0c7c6f0e2b11")
TAG = "langgraph:"
# The key of the metadata that holds the item itself, as JSON.
ITEM = "langgraph"
MAX_TAG, MAX_KEY, MAX_TEXT, MAX_CONTENT, MAX_FIELDS = 128, 128, 64, 2000, 48
# A double holds every integer below it.
MAX_NUMBER = 2**53 - 1
_ESCAPED = str.maketrans({"%": "%25", "/": "%2F", "\0": "%00"})
_COMPARED = {"$gt": "gt", "$gte": "gte", "$lt": "lt", "$lte": "lte"}


def id_of(namespace: Sequence[str], key: str) -> str:
    return str(uuid5(_IDS, json.dumps([*namespace, key])))


def tag_of(prefix: Sequence[str]) -> str:
    """The tag of items in or below a namespace: no two namespaces have the same."""
    text = json.dumps([*prefix])[1:-1] if prefix else ""
    return TAG + (text if len(text) <= MAX_TAG - len(TAG) else str(uuid5(_IDS, text)))


def tags_of(namespace: Sequence[str]) -> list[str]:
    # A memory has 64 tags: only so many levels can be searched.
    return [tag_of(namespace[:depth]) for depth in range(min(len(namespace), 60) + 1)]


def content_of(namespace: Sequence[str], key: str, texts: Sequence[str]) -> str:
    """The texts, and the item's name: memories that say exactly the same would become one."""
    name = "/".join(each.translate(_ESCAPED) for each in (*namespace, key))
    if len(name) > 200 or not name.isascii() or not name.isprintable():
        name = f"{name[:160]} {id_of(namespace, key)}".replace("\n", " ")
    text = "\n".join(texts).replace("\0", " ").strip()[: MAX_CONTENT - len(name) - 3]
    return f"{text}\n[{name}]" if text else f"[{name}]"


def leaves(value: Any) -> Iterator[str]:
    """Every text in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from leaves(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from leaves(each)


def fields_of(value: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers, booleans and short texts, which the server filters by. ValueError where there are too many."""
    found = {key: _field(each) for key, each in value.items() if _is_field(key, each)}
    if len(found) > MAX_FIELDS:
        raise ValueError(f"a value has at most {MAX_FIELDS} numbers, booleans and short texts to filter by")
    return found


def _is_field(key: str, value: Any) -> bool:
    if not 1 <= len(key) <= MAX_KEY or key == ITEM or "\0" in key:
        return False
    is_short = isinstance(value, str) and len(value) <= MAX_TEXT and "\0" not in value
    return is_short or isinstance(value, bool | int | float)


def _field(value: Any) -> Any:
    if isinstance(value, bool | str):
        return value
    return max(-MAX_NUMBER, min(value, MAX_NUMBER))


def conditions_of(filter: Mapping[str, Any]) -> tuple[dict[str, dict[str, Any]], bool]:
    """Conditions that every item which passes the filter satisfies, and whether only such items do."""
    conditions = dict[str, dict[str, Any]]()
    is_complete = True
    for key, wanted in filter.items():
        compared = wanted if _is_operators(wanted) else {"$eq": wanted}
        for operator, operand in compared.items():
            condition = _condition(key, operator, operand)
            if condition is None or condition[0] in conditions.get(key, {}) or len(conditions) == 32:
                is_complete = False
            else:
                conditions.setdefault(key, {})[condition[0]] = condition[1]
    return conditions, is_complete


def _condition(key: str, operator: str, operand: Any) -> tuple[str, Any] | None:
    if not _is_field(key, operand) or (_is_number(operand) and not abs(operand) < MAX_NUMBER):
        return None
    if operator in _COMPARED:
        return (_COMPARED[operator], operand) if _is_number(operand) else None
    if operator == "$ne" and isinstance(operand, str):
        # The server compares texts in their normal form, so that it would leave out too many.
        return None
    return {"$eq": ("in", [operand]), "$ne": ("ne", operand)}.get(operator)


def passes(value: Any, filter: Mapping[str, Any] | None) -> bool:
    """Whether an item's value passes the filter; ValueError for an operator that there is not."""
    return all(_compare(value.get(key), wanted) for key, wanted in (filter or {}).items())


def _compare(value: Any, wanted: Any) -> bool:
    if _is_operators(wanted):
        return all(_holds(value, operator, operand) for operator, operand in wanted.items())
    if isinstance(wanted, Mapping):
        return isinstance(value, Mapping) and all(_compare(value.get(key), each) for key, each in wanted.items())
    if isinstance(wanted, list | tuple):
        return isinstance(value, list | tuple) and len(value) == len(wanted) and all(map(_compare, value, wanted))
    return _equal(value, wanted)


def _holds(value: Any, operator: str, operand: Any) -> bool:
    if operator in ("$eq", "$ne"):
        return _equal(value, operand) == (operator == "$eq")
    if operator not in _COMPARED:
        raise ValueError(f"Unsupported operator: {operator}")
    if not (_is_number(value) and _is_number(operand)) and not (isinstance(value, str) and isinstance(operand, str)):
        return False
    is_less = operator.startswith("$lt")
    return (value < operand if is_less else value > operand) or (operator.endswith("e") and bool(value == operand))


def _equal(value: Any, wanted: Any) -> bool:
    """As JSON: true is not 1."""
    return isinstance(value, bool) == isinstance(wanted, bool) and bool(value == wanted)


def _is_operators(wanted: Any) -> bool:
    return isinstance(wanted, Mapping) and any(str(key).startswith("$") for key in wanted)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def matches(condition: MatchCondition, namespace: Sequence[str]) -> bool:
    """Whether a namespace begins or ends so; `*` is any one label."""
    path, labels = [*condition.path], [*namespace]
    if condition.match_type == "suffix":
        path, labels = path[::-1], labels[::-1]
    elif condition.match_type != "prefix":
        raise ValueError(f"Unsupported match type: {condition.match_type}")
    return len(labels) >= len(path) and all(
        each in ("*", label) for each, label in zip(path, labels[: len(path)], strict=True)
    )
