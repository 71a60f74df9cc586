"""Comparisons of metadata: which of them a filter asks for, and whether a statement of a memory fulfils them.

Postgres decides the same by its function `meets_conditions`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from camillo.v1.metadata_condition_pb2 import MetadataCondition

from camillo_server.kernel.errors import invalid_field
from camillo_server.kernel.kinds import Scalar
from camillo_server.memories.occurrences import read_metadata
from camillo_server.rpc.json_values import EXACT_WHOLE, MAX_ID, plain_object
from camillo_server.text.characters import composed

FIELD = "filter.metadata_conditions.value"
MAX_VALUES = 64
# How the value of a memory may compare with the one that is asked for: less, equal or greater.
SIGNS = {"gt": (1,), "gte": (0, 1), "lt": (-1,), "lte": (-1, 0)}
OPERATORS = (*SIGNS, "ne", "in", "exists")
OPERATOR_SHOWN = 40


class Comparison(NamedTuple):
    """One comparison: `operand` is a list of values for `in`, a bool for `exists`, and one value otherwise."""

    key: str
    operator: str
    operand: Any

    def holds(self, metadata: Mapping[str, Scalar]) -> bool:
        """Whether it holds for this metadata, with or without the key."""
        is_there, found = self.key in metadata, metadata.get(self.key)
        if self.operator == "exists":
            return is_there is self.operand
        if self.operator == "ne":
            return not (is_there and _same(found, self.operand))
        if self.operator == "in":
            return is_there and any(_same(found, each) for each in self.operand)
        return is_there and _sign(found, self.operand) in SIGNS[self.operator]

    def stored(self) -> dict[str, Any]:
        """The comparison as the statement reads it."""
        return {**self._asdict(), "signs": SIGNS.get(self.operator, ())}


def meets(conditions: Sequence[Comparison], stored: Mapping[str, Any]) -> bool:
    """Whether a statement of a memory, of whose metadata and occurrences this is stored, fulfils all."""
    metadata, occurrences = read_metadata(stored)
    statements = (metadata, *(each.metadata for each in occurrences.kept))
    return any(all(each.holds(one) for each in conditions) for one in statements)


def metadata_conditions(messages: Iterable[MetadataCondition]) -> Sequence[Comparison]:
    """The comparisons of a filter. Raises InvalidField."""
    return tuple(each for message in messages for each in _comparisons(message))


def _comparisons(message: MetadataCondition) -> Iterator[Comparison]:
    compared = plain_object(message.value)
    if not compared:
        raise invalid_field(FIELD, 'must compare the value: {"gte": 10}')
    for operator, operand in compared.items():
        problem = _problem(operator, operand)
        if problem is not None:
            raise invalid_field(f"{FIELD}.{operator[:OPERATOR_SHOWN]}", problem)
        yield Comparison(composed(message.key), operator, _composed(operand))


def _problem(operator: str, operand: Any) -> str | None:
    if operator not in OPERATORS:
        return f"must be one of {', '.join(OPERATORS)}"
    if operator == "exists":
        return None if isinstance(operand, bool) else "must be true or false"
    if operator == "in":
        if not isinstance(operand, list) or not 0 < len(operand) <= MAX_VALUES:
            return f"must be a list of 1 to {MAX_VALUES} values"
        return _first_problem(operand)
    if operator in SIGNS and not (isinstance(operand, str) or _is_number(operand)):
        return "must be a number or a text"
    return _first_problem((operand,))


def _first_problem(values: Iterable[Any]) -> str | None:
    for value in values:
        if isinstance(value, dict | list):
            return "must be a string, number, bool or null"
        # As for metadata: it may have been another number before it became a message.
        if _is_number(value) and EXACT_WHOLE <= abs(value) <= MAX_ID and value == int(value):
            return "must be a text: whole numbers from 9007199254740992 on would lose digits"
    return None


def _composed(operand: Any) -> Any:
    if isinstance(operand, list):
        return tuple(map(_composed, operand))
    return composed(operand) if isinstance(operand, str) else operand


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same(one: Scalar, other: Scalar) -> bool:
    if _is_number(one) and _is_number(other):
        return _sign(one, other) == 0
    return type(one) is type(other) and one == other


def _sign(one: Any, other: Any) -> int | None:
    """-1, 0 or 1; None where they cannot be compared."""
    if _is_number(one) and _is_number(other):
        # A whole number that Postgres wrote out is that of the float again.
        one, other = float(one), float(other)
    elif not (isinstance(one, str) and isinstance(other, str)):
        return None
    return int(one > other) - int(one < other)
