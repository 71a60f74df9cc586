"""Metadata of calls: the credential, the scope, the trace."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

SCOPE_KEY = "camillo-scope"
SCOPE_DIGITS = 16

Metadata = tuple[tuple[str, str], ...]


class CallMetadata:
    """The metadata of one credential's calls."""

    def __init__(self, key: str, agent_id: str) -> None:
        self._key = key
        self._agent_id = agent_id
        self._credential: Metadata = (("authorization", f"Bearer {key}"),) if key else ()

    def of(self, agent_id: str | None) -> Metadata:
        """The metadata of a call for this agent; None means the client's own."""
        agent_id = self._agent_id if agent_id is None else agent_id
        return (*self._credential, (SCOPE_KEY, scope_digest(self._key, agent_id)), *_trace())


def scope_digest(key: str, agent_id: str) -> str:
    """Names a scope without telling it: proxies send calls of one scope to the replica that has it in memory."""
    return hashlib.sha256(f"{key}\0{agent_id}".encode()).hexdigest()[:SCOPE_DIGITS]


def _trace() -> Iterator[tuple[str, str]]:
    # Only a program that has imported OpenTelemetry can be in a span; the client does not need it.
    if "opentelemetry.trace" not in sys.modules:
        return
    carrier: dict[str, str] = {}
    _trace_context().inject(carrier)
    yield from carrier.items()


@cache
def _trace_context() -> Any:
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    return TraceContextTextMapPropagator()
