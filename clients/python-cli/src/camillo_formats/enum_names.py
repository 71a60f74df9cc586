"""Values of an enumeration of the contract by their short names, such as `fact` for MEMORY_KIND_FACT."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

_SEPARATORS = re.compile(r"[\s-]+")


@cache
def short_names(enum: Any) -> Mapping[str, int]:
    """The numbers of all values but the unspecified one, by short name, of an enumeration's descriptor."""
    numbers = filter(None, enum.values_by_number)
    return {short_name(enum, number): number for number in numbers}


def short_name(enum: Any, number: int) -> str:
    """The short name of a value; `unspecified` for zero."""
    name: str = enum.values_by_number[number].name
    return name.removeprefix(_prefix(enum)).lower()


def number_of(enum: Any, name: str) -> int | None:
    """The number of a value by its name in the contract or its short one, in any case; None where none has it."""
    word = _SEPARATORS.sub("_", name.strip()).upper()
    value = enum.values_by_name.get(word) or enum.values_by_name.get(_prefix(enum) + word)
    return None if value is None else int(value.number)


def one_of(enum: Any) -> str:
    """Words for errors about what a value has to be."""
    return f"must be one of {', '.join(short_names(enum))}"


def _prefix(enum: Any) -> str:
    # Every enumeration of the contract names its zero `<PREFIX>UNSPECIFIED`.
    name: str = enum.values_by_number[0].name
    return name.removesuffix("UNSPECIFIED")
