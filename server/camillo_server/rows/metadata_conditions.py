"""Comparisons of metadata: which of them a filter asks for, and whether a statement of a memory fulfils them.

Postgres decides the same by its function `meets_conditions`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from camillo_server.kernel.kinds import Scalar
from camillo_server.rows.occurrences import read_metadata

# How the value of a memory may compare with the one that is asked for: less, equal or greater.
SIGNS = {"gt": (1,), "gte": (0, 1), "lt": (-1,), "lte": (-1, 0)}
OPERATORS = (*SIGNS, "ne", "in", "exists")


class MetadataComparison(NamedTuple):
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


def meets(conditions: Sequence[MetadataComparison], stored: Mapping[str, Any]) -> bool:
    """Whether a statement of a memory, of whose metadata and occurrences this is stored, fulfils all."""
    metadata, occurrences = read_metadata(stored)
    statements = (metadata, *(each.metadata for each in occurrences.kept))
    return any(all(each.holds(one) for each in conditions) for one in statements)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same(one: Scalar, other: Scalar) -> bool:
    if is_number(one) and is_number(other):
        return _sign(one, other) == 0
    return type(one) is type(other) and one == other


def _sign(one: Any, other: Any) -> int | None:
    """-1, 0 or 1; None where they cannot be compared."""
    if is_number(one) and is_number(other):
        # A whole number that Postgres wrote out is that of the float again.
        one, other = float(one), float(other)
    elif not (isinstance(one, str) and isinstance(other, str)):
        return None
    return int(one > other) - int(one < other)
