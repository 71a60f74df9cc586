"""Comparisons of metadata: messages of the contract into conditions of a filter."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from camillo.v1.metadata_condition_pb2 import MetadataCondition
from camillo_formats.characters import composed

from camillo_server.doors.rpc.json_values import EXACT_WHOLE, MAX_ID, plain_object
from camillo_server.kernel.errors import invalid_field
from camillo_server.rows.metadata_conditions import (
    OPERATORS,
    SIGNS,
    MetadataComparison,
    is_number,
)

FIELD = "filter.metadata_conditions.value"
MAX_VALUES = 64
OPERATOR_SHOWN = 40


def metadata_conditions(messages: Iterable[MetadataCondition]) -> Sequence[MetadataComparison]:
    """The comparisons of a filter. Raises InvalidField."""
    return tuple(each for message in messages for each in _comparisons(message))


def _comparisons(message: MetadataCondition) -> Iterator[MetadataComparison]:
    compared = plain_object(message.value)
    if not compared:
        raise invalid_field(FIELD, 'must compare the value: {"gte": 10}')
    for operator, operand in compared.items():
        problem = _problem(operator, operand)
        if problem is not None:
            raise invalid_field(f"{FIELD}.{operator[:OPERATOR_SHOWN]}", problem)
        yield MetadataComparison(composed(message.key), operator, _composed(operand))


def _problem(operator: str, operand: Any) -> str | None:
    if operator not in OPERATORS:
        return f"must be one of {', '.join(OPERATORS)}"
    if operator == "exists":
        return None if isinstance(operand, bool) else "must be true or false"
    if operator == "in":
        if not isinstance(operand, list) or not 0 < len(operand) <= MAX_VALUES:
            return f"must be a list of 1 to {MAX_VALUES} values"
        return _first_problem(operand)
    if operator in SIGNS and not (isinstance(operand, str) or is_number(operand)):
        return "must be a number or a text"
    return _first_problem((operand,))


def _first_problem(values: Iterable[Any]) -> str | None:
    for value in values:
        if isinstance(value, dict | list):
            return "must be a string, number, bool or null"
        # As for metadata: it may have been another number before it became a message.
        if is_number(value) and EXACT_WHOLE <= abs(value) <= MAX_ID and value == int(value):
            return "must be a text: whole numbers from 9007199254740992 on would lose digits"
    return None


def _composed(operand: Any) -> Any:
    if isinstance(operand, list):
        return tuple(map(_composed, operand))
    return composed(operand) if isinstance(operand, str) else operand
