"""Checks of what callers send. Everything is hostile until it has passed here; each check names field and limit."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from google.protobuf.timestamp_pb2 import Timestamp

from camillo_server.domain.errors import FieldViolation, InvalidField
from camillo_server.rpc import limits

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
NAME_RULE = "1 to 128 letters, digits, '.', '_' or '-', beginning with a letter or a digit"

ARTIFACT_ID = re.compile(r"[a-z0-9][a-z0-9_]{2,63}")


@dataclass(frozen=True, slots=True)
class OwnModel:
    """The server's embedding model: a vector that names it, or none, has to have its length."""

    model_id: str
    dimensions: int


class Checks:
    """Collects what is wrong with one request, so that the caller learns it all at once."""

    def __init__(self, own_model: OwnModel | None = None) -> None:
        self.violations: list[FieldViolation] = []
        self._own_model = own_model

    def fail(self, field: str, description: str) -> None:
        self.violations.append(FieldViolation(field, description))

    def done(self) -> None:
        """Raises InvalidField where anything was wrong."""
        if self.violations:
            raise InvalidField(self.violations)

    def text(self, field: str, value: str, least: int, most: int) -> str:
        """Between `least` and `most` characters, no NUL."""
        if not least <= len(value) <= most:
            self.fail(field, f"must have {least} to {most} characters, has {len(value)}")
        elif "\0" in value:
            self.fail(field, "must not contain NUL")
        return value

    def are_too_many(self, field: str, values: Sequence[object], most: int) -> bool:
        """Whether there are so many, repeats included, that reading them alone would hold everybody up."""
        if len(values) > most:
            self.fail(field, f"must have at most {most} values, has {len(values)}")
        return len(values) > most

    def texts(
        self, field: str, values: Sequence[str], most_values: int, most_characters: int
    ) -> list[str]:
        """Texts without repeats, in the order given."""
        if self.are_too_many(field, values, limits.REPEATED_VALUES):
            return []
        found = list(dict.fromkeys(values))
        if len(found) > most_values:
            self.fail(field, f"must have at most {most_values} values, has {len(found)}")
            return []
        for i, value in enumerate(found):
            self.text(f"{field}[{i}]", value, 1, most_characters)
        return found

    def number(self, field: str, value: float, least: float, most: float) -> float:
        """A finite number between the two."""
        if not (math.isfinite(value) and least <= value <= most):
            self.fail(field, f"must be a number from {least:g} to {most:g}")
        return value

    def size(self, field: str, value: int, most: int, default: int) -> int:
        """A count from 1 to `most`; 0 means the default."""
        if not 0 <= value <= most:
            self.fail(field, f"must be from 1 to {most}, or 0 for {default}; is {value}")
        return value or default

    def whole(self, field: str, value: int, least: int, most: int | None = None) -> int:
        """A whole number between the two; without `most`, `least` or more."""
        if value < least or (most is not None and value > most):
            range_rule = f"{least} or more" if most is None else f"from {least} to {most}"
            self.fail(field, f"must be {range_rule}; is {value}")
        return value

    def sha256(self, field: str, value: bytes) -> bytes:
        """A SHA-256 as it is, not in hexadecimal."""
        if len(value) != limits.SHA256_BYTES:
            self.fail(field, f"must have {limits.SHA256_BYTES} bytes, has {len(value)}")
        return value

    def name(self, field: str, value: str) -> str:
        """The id of a tenant or agent."""
        if not NAME.fullmatch(value):
            self.fail(field, f"must be {NAME_RULE}")
        return value

    def uuid(self, field: str, value: str) -> UUID:
        """A UUID in its usual form."""
        try:
            if len(value) == 36:
                return UUID(value)
        except ValueError:
            pass
        self.fail(field, "must be a UUID such as 01890a5d-ac96-774b-bcce-b302099a8057")
        return UUID(int=0)

    def moment(self, field: str, value: Timestamp) -> datetime:
        """A time from the year 1 to 9999, to the microsecond."""
        try:
            return value.ToDatetime(tzinfo=UTC)
        except (ValueError, OverflowError):
            self.fail(field, "must be a time from the year 1 to the year 9999")
            return datetime.min.replace(tzinfo=UTC)

    def vector_length(self, field: str, model_id: str, length: int) -> None:
        """The length of the server's model, where the vector is of that; else from 1 to the greatest."""
        own = self._own_model
        if own is not None and model_id in ("", own.model_id):
            if length != own.dimensions:
                self.fail(field, f"must have the {own.dimensions} numbers of {own.model_id}")
        elif not 1 <= length <= limits.VECTOR_DIMENSIONS:
            self.fail(field, f"must have 1 to {limits.VECTOR_DIMENSIONS} numbers")

    def known(self, field: str, value: int, known: Iterable[int]) -> int:
        """A value of an enumeration that this server knows."""
        if value not in known:
            self.fail(field, f"has a value that this server does not know: {value}")
        return value
