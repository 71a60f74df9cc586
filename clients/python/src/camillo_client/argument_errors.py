"""Finds which arguments of a failed call do not fit the signature of the called function; read after a failure only."""

from __future__ import annotations

import datetime
import inspect
import types
import typing
from collections.abc import AsyncIterable, Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, Literal, Union

from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper
from google.protobuf.message import Message

from camillo_client.convert import described, nearest

_NONE = type(None)
# Protobuf's of a text; where no argument is at fault, it was in what can be read once.
NAMELESS = "bad argument type for built-in operation"
_INT32_MAX, _INT64_MAX = 2**31 - 1, 2**63 - 1
# They are shown to nobody, however wrong they are.
_SECRETS = frozenset({"key", "tls", "data_dir"})
_NAMES: dict[Any, str] = {
    str: "text",
    bytes: "bytes",
    int: "a whole number",
    float: "a number",
    bool: "True or False",
    datetime.datetime: "a datetime with a time zone",
    _NONE: "None",
}
_SHORT = (int, float, bool, datetime.datetime)


def named(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    keywords: Mapping[str, Any],
    error: Exception,
) -> Exception | None:
    """The error that names the arguments at fault; None where each is one that the function takes."""
    hints, variadic = hints_of(function)
    if unknown := [name for name in keywords if name not in hints and not variadic]:
        known = [name for name in hints if name not in ("self", "cls")]
        what = f"{function.__name__} takes no keyword {', '.join(unknown)}"
        return TypeError(what + (nearest(unknown[0], known) or f": it takes {', '.join(known)}"))
    parameters = list(inspect.signature(function).parameters)
    given = [*zip(parameters, arguments, strict=False), *keywords.items()]
    some = [(name, value) for name, value in given if value is not None]
    # Last, since many take None for what is left out.
    none = [(name, value) for name, value in given if value is None and name in parameters]
    faults = _faults(some, hints, error) or _faults(none, hints, error)
    if not faults and str(error) == NAMELESS:
        faults = [
            (TypeError, f"{name} takes {takes(hints[name])}, of which one is something else")
            for name, value in some
            if isinstance(value, Iterator)
        ]
    if not faults:
        return None
    if isinstance(error, UnicodeEncodeError):
        reason = f"{faults[0][1]}: {error.reason}"
        return UnicodeEncodeError(error.encoding, error.object, error.start, error.end, reason)
    kind = TypeError if any(each is TypeError for each, _ in faults) else ValueError
    return kind("; ".join(text for _, text in faults))


def check(function: Callable[..., Any], arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> None:
    """Raises the error that names what the function does not take."""
    if (error := named(function, arguments, keywords, ValueError())) is not None:
        raise error


def hints_of(function: Callable[..., Any]) -> tuple[dict[str, Any], bool]:
    """The types by parameter, with those of keyword arguments that a TypedDict has, and whether any other is taken."""
    hints, variadic = {}, False
    for parameter in inspect.signature(function).parameters.values():
        hint = _evaluated(parameter.annotation, function)
        if parameter.kind is not parameter.VAR_KEYWORD:
            hints[parameter.name] = hint
        elif typing.get_args(hint):
            hints |= typing.get_type_hints(typing.get_args(hint)[0])
        else:
            variadic = True
    return hints, variadic


def _evaluated(annotation: Any, function: Callable[..., Any]) -> Any:
    if not isinstance(annotation, str):
        return Any if annotation is inspect.Parameter.empty else annotation
    try:
        return eval(annotation, inspect.unwrap(function).__globals__)  # noqa: S307 (our own source)
    except NameError:
        # One that only type checkers import.
        return Any


def _faults(given: list[tuple[str, Any]], hints: Mapping[str, Any], error: Exception) -> list[tuple[type, str]]:
    found = (_fault(name, value, hints[name], error) for name, value in given)
    return [fault for fault in found if fault]


def _fault(name: str, value: Any, hint: Any, error: Exception) -> tuple[type, str] | None:
    """The class of an error and its text; None where the value is one that is taken."""
    if isinstance(error, UnicodeEncodeError):
        is_cause = isinstance(value, str) and error.object == value
        return (ValueError, name) if is_cause else None
    for place, part, expected in _misfits(name, value, hint):
        if isinstance(part, datetime.datetime) and _accepts(expected, datetime.datetime):
            return (
                ValueError,
                f"{place} has no timezone: use datetime.now(UTC) or .replace(tzinfo=...)",
            )
        if isinstance(part, str) and (names := _enum_names(expected)):
            return (
                ValueError,
                f"{place}: {part[:40]!r} is none of {', '.join(names)}{nearest(part, names)}",
            )
        if isinstance(part, Mapping) and (message := _message(expected)):
            return TypeError, _field_fault(place, part, message)
        shown = _is_short(expected) and name not in _SECRETS
        return TypeError, f"{place} takes {takes(expected)}, not {described(part, shown)}"
    if _is_out_of_range(value, error):
        return (
            ValueError,
            f"{name} takes a whole number {_range(value)}, not {described(value, True)}",
        )
    return None


def _misfits(place: str, value: Any, hint: Any) -> Iterator[tuple[str, Any, Any]]:
    """The parts of a value that are not taken, each with its place and what is."""
    if _fits(value, hint):
        return
    choices = [part for part in _choices(hint) if _is_several(part)]
    if choices and isinstance(value, Sequence | Set) and not isinstance(value, str | bytes):
        element = typing.get_args(choices[0])[0]
        for index, part in enumerate(value):
            yield from _misfits(f"{place}[{index}]", part, element)
    elif mappings := [part for part in _choices(hint) if _is_mapping(part)]:
        if isinstance(value, Mapping):
            yield from _entry_misfits(place, value, mappings[0])
        else:
            yield place, value, hint
    else:
        yield place, value, hint


def _entry_misfits(place: str, value: Mapping[Any, Any], hint: Any) -> Iterator[tuple[str, Any, Any]]:
    key_hint, part_hint = typing.get_args(hint)
    for key, part in value.items():
        yield from _misfits(f"a key of {place}", key, key_hint)
        yield from _misfits(f"{place}[{key!r}]", part, part_hint)


def _fits(value: Any, hint: Any) -> bool:
    origin = typing.get_origin(hint)
    if origin in (Union, types.UnionType):
        return any(_fits(value, part) for part in typing.get_args(hint))
    if origin is Literal:
        return isinstance(value, str) and value in typing.get_args(hint)
    if origin is tuple:
        parts = typing.get_args(hint)
        return isinstance(value, tuple) and len(value) == len(parts) and all(map(_fits, value, parts))
    if _is_mapping(hint) and isinstance(value, Mapping):
        return not any(_entry_misfits("", value, hint))
    if _is_several(hint):
        return _are_several(value, typing.get_args(hint))
    if isinstance(hint, EnumTypeWrapper) or hint in (int, bool):
        return hasattr(value, "__index__")
    if hint is float:
        return hasattr(value, "__float__") or hasattr(value, "__index__")
    if hint is datetime.datetime:
        return isinstance(value, hint) and value.utcoffset() is not None
    if (message := _message(hint)) and isinstance(value, Mapping):
        return not _field_fault("", value, message)
    if isinstance(origin or hint, type):
        return _is_instance(value, origin or hint)
    return True


def _are_several(value: Any, elements: tuple[Any, ...]) -> bool:
    if isinstance(value, str | bytes | Mapping):
        return False
    if isinstance(value, Sequence | Set):
        return all(_fits(part, elements[0]) for part in value)
    # An iterator has been consumed by now: its elements cannot be checked.
    return isinstance(value, Iterable | AsyncIterable)


def _is_instance(value: Any, kind: type) -> bool:
    if issubclass(kind, typing.IO):
        return hasattr(value, "read") or hasattr(value, "write")
    try:
        return isinstance(value, kind)
    except TypeError:
        # A protocol that is not there at run time.
        return True


def _is_several(hint: Any) -> bool:
    origin = typing.get_origin(hint)
    if not isinstance(origin, type) or issubclass(origin, Mapping | tuple):
        return False
    return issubclass(origin, Iterable | AsyncIterable)


def _is_mapping(hint: Any) -> bool:
    origin = typing.get_origin(hint)
    return isinstance(origin, type) and issubclass(origin, Mapping)


def _choices(hint: Any) -> list[Any]:
    if typing.get_origin(hint) in (Union, types.UnionType):
        return [each for part in typing.get_args(hint) for each in _choices(part)]
    return [hint]


def _accepts(hint: Any, kind: type) -> bool:
    return kind in _choices(hint)


def _message(hint: Any) -> type[Message] | None:
    kinds = (part for part in _choices(hint) if isinstance(part, type) and part is not Message)
    return next((kind for kind in kinds if issubclass(kind, Message)), None)


def _enum_names(hint: Any) -> list[str]:
    """The values of an enum; empty for what takes other texts, too."""
    if _accepts(hint, str):
        return []
    literals = (part for part in _choices(hint) if typing.get_origin(part) is Literal)
    return [name for part in literals for name in typing.get_args(part)]


def _is_short(hint: Any) -> bool:
    """Whether what is taken is no text of the caller's, so that what was given in its place may be shown."""
    return all(
        part in _SHORT or part is _NONE or typing.get_origin(part) is Literal
        for part in _choices(hint)
        if not isinstance(part, EnumTypeWrapper)
    )


def _field_fault(place: str, value: Mapping[str, Any], message: type[Message]) -> str:
    """Names the wrong field of a message that is given as a mapping; empty if none is wrong."""
    fields = message.DESCRIPTOR.fields_by_name
    for name, part in value.items():
        if name not in fields:
            return f"{place} takes no field {name}" + (
                nearest(str(name), fields) or f": {message.__name__} has {', '.join(fields)}"
            )
        try:
            message(**{name: part})
        except (TypeError, ValueError, AttributeError) as error:
            return f"{place}.{name} of {message.__name__} takes no {type(part).__name__}: {error}"
    return ""


def _is_out_of_range(value: Any, error: Exception) -> bool:
    return hasattr(value, "__index__") and str(error) == f"Value out of range: {int(value)}"


def _range(value: int) -> str:
    if -_INT32_MAX <= value < 0:
        return "from 0"
    return f"up to {_INT32_MAX if abs(value) <= _INT64_MAX else _INT64_MAX}"


def takes(hint: Any) -> str:
    """Describes the values that a parameter of this type takes."""
    if names := _enum_names(hint):
        return f"one of {', '.join(names)}"
    parts = [part for part in _choices(hint) if part is not _NONE]
    return " or ".join(dict.fromkeys(map(_words, parts)))


def _words(hint: Any) -> str:
    if _is_several(hint):
        element = typing.get_args(hint)[0]
        return "a list of texts" if element is str else f"a list, each {takes(element)}"
    if hint in _NAMES:
        return _NAMES[hint]
    origin = typing.get_origin(hint) or hint
    if origin is tuple:
        return f"a tuple of {', '.join(map(takes, typing.get_args(hint)))}"
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return "a dict"
    if isinstance(hint, EnumTypeWrapper):
        return f"a {hint.DESCRIPTOR.name}"
    if origin is Callable or origin is typing.get_origin(Callable[..., Any]):
        return "a function"
    name = getattr(origin, "__name__", str(origin))
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"
