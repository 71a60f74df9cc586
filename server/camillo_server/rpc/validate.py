"""Checks of what callers send. Everything is hostile until it has passed here; each check names field and limit."""

import re
from dataclasses import dataclass

from camillo_server.kernel.errors import FieldViolation, InvalidField
from camillo_server.kernel.scope import Scope

ARTIFACT_ID = re.compile(r"[a-z0-9][a-z0-9_]{2,63}")


@dataclass(frozen=True, slots=True)
class OwnModel:
    """The server's embedding model: a vector that names it, or none, has to have its length."""

    model_id: str
    dimensions: int


class Checks:
    """Collects what is wrong with one request, so that the caller learns it all at once."""

    def __init__(self, own_model: OwnModel | None = None, scope: Scope | None = None) -> None:
        self.violations: list[FieldViolation] = []
        # What rules need to know beside the request.
        self.own_model = own_model
        self.scope = scope

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
