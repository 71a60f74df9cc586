"""Values that would be too long, too deep or too secret to stand in a file."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from tests.secret_samples import samples


def value_of(step: Mapping[str, Any]) -> Any:
    """The value that a `make` step asks for."""
    if "deep" in step:
        return nested(step["deep"])
    if "secret" in step:
        return samples(7)[step["secret"]]
    if "scope" in step:
        return scope_digest(*step["scope"])
    text, letters = step["text"], step["letters"]
    return (text * (letters // len(text) + 1))[:letters]


def nested(levels: int) -> dict[str, Any]:
    """An object so many levels deep, with a list on each."""
    value: dict[str, Any] = {"bottom": "底", "number": 0.5}
    for level in range(levels - 1):
        value = {"level": level, "inner": value, "list": [level, None, "x"]}
    return value


def scope_digest(key: str, agent_id: str) -> str:
    """The value that a client has to send as `camillo-scope`; worked out here apart from any client."""
    return hashlib.sha256(key.encode() + b"\0" + agent_id.encode()).hexdigest()[:16]
