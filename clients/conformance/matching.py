"""Whether an answer is what a scenario expects, and if not, the first place where it differs.

An expected object names the keys that matter, an expected list every element. An object whose keys begin with `$` asks:
see OPERATORS.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from clients.conformance.variables import Missing, at

Difference = str | None


def difference(expected: Any, actual: Any, place: str = "") -> Difference:
    """The first difference of an answer from the expected one; None if there is none."""
    if isinstance(expected, Mapping) and expected and all(_is_operator(key) for key in expected):
        return _first(OPERATORS[key](wanted, actual, place) for key, wanted in expected.items())
    if isinstance(expected, Mapping):
        return _of_object(expected, actual, place)
    if isinstance(expected, list):
        return _of_list(expected, actual, place)
    return None if _is_same(expected, actual) else _told(place, expected, actual)


def _of_object(expected: Mapping[str, Any], actual: Any, place: str) -> Difference:
    if not isinstance(actual, Mapping):
        return _told(place, "an object", actual)
    for key, wanted in expected.items():
        # Null is a value: nothing is none.
        if key not in actual:
            return f"{place}.{key}: expected {_short(wanted)}, got nothing"
        if told := difference(wanted, actual[key], f"{place}.{key}"):
            return told
    return None


def _of_list(expected: list[Any], actual: Any, place: str) -> Difference:
    if not isinstance(actual, list) or len(actual) != len(expected):
        return _told(place, expected, actual)
    pairs = enumerate(zip(expected, actual, strict=True))
    return _first(difference(wanted, each, f"{place}.{n}") for n, (wanted, each) in pairs)


def _is_same(expected: Any, actual: Any) -> bool:
    if isinstance(expected, bool) or isinstance(actual, bool):
        return expected is actual
    # In proto3 JSON integers of 64 bits are texts.
    if isinstance(expected, int) and isinstance(actual, str):
        return str(expected) == actual
    if isinstance(expected, float) and isinstance(actual, float | int):
        # Only what reading and writing a number as text may change: not what half the digits do.
        return math.isclose(expected, actual, rel_tol=1e-15)
    return bool(expected == actual)


def _path(wanted: Mapping[str, Any], actual: Any, place: str) -> Difference:
    """`{path: expectation}`: what lies at each path."""
    for path, expectation in wanted.items():
        try:
            found = at(actual, path)
        except Missing as missing:
            return f"{place}: {missing}"
        if told := difference(expectation, found, f"{place}.{path}"):
            return told
    return None


def _count(wanted: Any, actual: Any, place: str) -> Difference:
    """How many elements."""
    if not isinstance(actual, list):
        return _told(place, "a list", actual)
    return difference(wanted, len(actual), f"number of {place}")


def _contains(wanted: Any, actual: Any, place: str) -> Difference:
    """A part of a text, or an element that is as expected."""
    if isinstance(actual, str):
        is_there = isinstance(wanted, str) and wanted in actual
    else:
        is_there = isinstance(actual, list) and any(not difference(wanted, e) for e in actual)
    return None if is_there else _told(place, f"to contain {wanted!r}", actual)


def _not(wanted: Any, actual: Any, place: str) -> Difference:
    """Anything but this."""
    return None if difference(wanted, actual) else _told(place, f"anything but {wanted!r}", actual)


def _without(key: str, actual: Any, place: str) -> Difference:
    """An object that lacks a key."""
    is_without = isinstance(actual, Mapping) and key not in actual
    return None if is_without else _told(place, f"no {key}", actual)


def _each(wanted: Any, actual: Any, place: str) -> Difference:
    """Every element of a list that is not empty."""
    if not isinstance(actual, list) or not actual:
        return _told(place, "a list with elements", actual)
    return _first(difference(wanted, each, f"{place}.{n}") for n, each in enumerate(actual))


def _same(_: Any, actual: Any, place: str) -> Difference:
    """Every element is the same, and not empty."""
    is_same = isinstance(actual, list) and actual and all(e == actual[0] for e in actual)
    return None if is_same and actual[0] else _told(place, "one value throughout", actual)


def _distinct(_: Any, actual: Any, place: str) -> Difference:
    """No element twice."""
    is_distinct = isinstance(actual, list) and len({*map(repr, actual)}) == len(actual) > 0
    return None if is_distinct else _told(place, "values that differ", actual)


def _set(wanted: list[Any], actual: Any, place: str) -> Difference:
    """These elements in any order."""
    is_set = isinstance(actual, list) and sorted(map(str, wanted)) == sorted(map(str, actual))
    return None if is_set else _told(place, f"{wanted!r} in any order", actual)


def _gaps(wanted: Any, actual: Any, place: str) -> Difference:
    """The differences between numbers that follow each other."""
    if not isinstance(actual, list) or not all(_is_number(each) for each in actual):
        return _told(place, "numbers", actual)
    gaps = [later - earlier for earlier, later in pairwise(actual)]
    return difference({"$each": wanted}, gaps, f"gaps of {place}")


def _min(wanted: float, actual: Any, place: str) -> Difference:
    is_enough = _is_number(actual) and actual >= wanted
    return None if is_enough else _told(place, f"at least {wanted}", actual)


def _max(wanted: float, actual: Any, place: str) -> Difference:
    is_within = _is_number(actual) and actual <= wanted
    return None if is_within else _told(place, f"at most {wanted}", actual)


def _matches(wanted: str, actual: Any, place: str) -> Difference:
    """A regular expression that the whole text has to match."""
    is_match = isinstance(actual, str) and re.fullmatch(wanted, actual, re.DOTALL)
    return None if is_match else _told(place, f"to match {wanted}", actual)


def _one_of(wanted: list[Any], actual: Any, place: str) -> Difference:
    """Any of these expectations."""
    is_one = any(not difference(each, actual) for each in wanted)
    return None if is_one else _told(place, f"one of {wanted!r}", actual)


def _length(wanted: Any, actual: Any, place: str) -> Difference:
    """How many characters."""
    if not isinstance(actual, str):
        return _told(place, "a text", actual)
    return difference(wanted, len(actual), f"length of {place}")


OPERATORS: Mapping[str, Callable[[Any, Any, str], Difference]] = {
    "$path": _path,
    "$count": _count,
    "$contains": _contains,
    "$not": _not,
    "$without": _without,
    "$each": _each,
    "$same": _same,
    "$distinct": _distinct,
    "$set": _set,
    "$gaps": _gaps,
    "$min": _min,
    "$max": _max,
    "$matches": _matches,
    "$one_of": _one_of,
    "$length": _length,
}


# Operators that take nothing but `true`.
PLAIN = {"$same", "$distinct"}


def unreadable(expected: Any) -> str | None:
    """The part of an expectation that nobody understands, at any depth; None if all is understood."""
    if isinstance(expected, list):
        return _first(unreadable(each) for each in expected)
    if not isinstance(expected, Mapping):
        return None
    asking = {str(key) for key in expected if _is_operator(str(key))}
    if unknown := asking - OPERATORS.keys():
        return f"asks {', '.join(sorted(unknown))}, which is no question"
    if asking and len(asking) < len(expected):
        return f"asks {', '.join(sorted(asking))} beside names of fields"
    if any(expected[key] is not True for key in PLAIN & asking):
        return f"asks {', '.join(sorted(PLAIN & asking))} otherwise than by true"
    return _first(unreadable(each) for each in expected.values())


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_operator(key: str) -> bool:
    return key.startswith("$")


def _first(differences: Any) -> Difference:
    return next((told for told in differences if told), None)


def _told(place: str, expected: Any, actual: Any) -> str:
    return f"{place or 'the answer'}: expected {_short(expected)}, got {_short(actual)}"


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 200 else f"{text[:200]}... ({len(text):,} characters)"
