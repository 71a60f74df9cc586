"""Metadata of calls: the credential, the scope, the trace."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

# Names the scope that all agents of the tenant share. No agent can have it: ids begin with a letter or a digit.
SHARED = "@shared"
DEFAULT_AGENT = "default"
DEFAULT_AGENT_KEY = "camillo-default-agent"
SCOPE_KEY = "camillo-scope"
SCOPE_DIGITS = 16

Metadata = tuple[tuple[str, str], ...]


class CallMetadata:
    """The metadata of one credential's calls."""

    def __init__(self, key: str, agent_id: str) -> None:
        self._key = key
        self._agent_id = agent_id
        self._same: Metadata = (
            *((("authorization", f"Bearer {key}"),) if key else ()),
            (DEFAULT_AGENT_KEY, resolved_default_agent(os.environ)),
        )

    def of(self, agent_id: str | None) -> Metadata:
        """The metadata of a call for this agent; None means the client's own."""
        agent_id = self._agent_id if agent_id is None else agent_id
        return (*self._same, (SCOPE_KEY, scope_digest(self._key, agent_id)), *_trace())


def resolved_default_agent(environment: Mapping[str, str]) -> str:
    """The agent of calls that name none, under a key that may act for any: CAMILLO_AGENT, else `default`. ValueError
    for one that no header can carry."""
    found = environment.get("CAMILLO_AGENT", "").strip() or DEFAULT_AGENT
    if not (found.isascii() and found.isprintable()):
        raise ValueError("CAMILLO_AGENT has characters that are no printable ASCII")
    return found


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
