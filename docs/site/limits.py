"""The limit of a field in words."""

import math
from typing import Any

from camillo.v1 import options_pb2 as options


def limit_words(limit: options.Limit) -> str:
    """The values that the server accepts in a field, as phrases separated by semicolons; empty without a limit."""
    phrases = [
        "required" if limit.required else "",
        _range(limit, "characters", " characters"),
        "at least one of them visible" if limit.visible else "",
        _range(limit, "bytes", " bytes"),
        *_items(limit),
        _range(limit, "integer", ""),
        _range(limit, "number", ""),
        _form(limit.form),
        *_json(limit),
        _zero(limit),
        f"checked where `{limit.mask}` names it" if limit.mask else "",
        f"must be {limit.rule}" if limit.rule else "",
    ]
    return "; ".join(filter(None, phrases))


def _range(limit: Any, name: str, unit: str) -> str:
    if not limit.HasField(name):
        return ""
    bounds = getattr(limit, name)
    # `Numbers.max` always has a value; that of `Range` and `Items` may be absent.
    is_bounded = name == "number" or bounds.HasField("max")
    return _bounds(bounds.min, bounds.max if is_bounded else math.inf, unit)


def _bounds(low: float, high: float, unit: str) -> str:
    if low == high:
        return f"exactly {low:,}{unit}"
    if high == math.inf:
        return f"at least {low:,}{unit}"
    return f"{low:,} to {high:,}{unit}" if low or not unit else f"at most {high:,}{unit}"


def _items(limit: options.Limit) -> list[str]:
    items = limit.items
    return [
        _range(limit, "items", " items") if items.min or items.HasField("max") else "",
        f"at most {items.max_sent:,} before duplicates are removed" if items.HasField("max_sent") else "",
        "an item that breaks a limit fails alone" if items.fail_alone else "",
    ]


def _form(form: options.Form) -> str:
    pattern = options.Form.DESCRIPTOR.values_by_number[form].GetOptions().Extensions[_PATTERN]
    return str(pattern.rule)


def _json(limit: options.Limit) -> list[str]:
    if not limit.HasField("json"):
        return []
    json = limit.json
    flat = "a flat object of strings, numbers, booleans and null"
    return [
        f"at most {json.max_levels} levels" if json.HasField("max_levels") else flat,
        f"at most {json.max_keys:,} keys" if json.HasField("max_keys") else "",
        f"keys of {_range(json, 'key_characters', ' characters')}" if json.HasField("key_characters") else "",
    ]


def _zero(limit: options.Limit) -> str:
    if not limit.HasField("zero_means"):
        return ""
    return f"0 means {limit.zero_means:,}" if limit.zero_means else "0 means the default"


# The stubs of descriptors do not know that this is an extension.
_PATTERN: Any = options.pattern
