"""The violations of one request, collected while it is checked."""

import re
from dataclasses import dataclass
from typing import Any

from camillo_server.kernel.errors import FieldViolation, InvalidField
from camillo_server.kernel.scope import Scope

ARTIFACT_ID = re.compile(r"[a-z0-9][a-z0-9_]{2,63}")


@dataclass(frozen=True, slots=True)
class OwnModel:
    """The server's embedding model: a vector without a model, or of this one, must have its length."""

    model_id: str
    dimensions: int


class Checks:
    """Collects the violations of one request, so that one error lists all of them."""

    def __init__(self, own_model: OwnModel | None = None, scope: Scope | None = None) -> None:
        self.violations: list[FieldViolation] = []
        # Values that checks have read out of messages, by path: the conversion of the request need not read it again.
        self.read: dict[str, Any] = {}
        # Inputs of rules besides the request.
        self.own_model = own_model
        self.scope = scope

    def fail(self, field: str, description: str) -> None:
        self.violations.append(FieldViolation(field, description))

    def done(self) -> None:
        """Raises InvalidField if there are violations."""
        if self.violations:
            raise InvalidField(self.violations)
