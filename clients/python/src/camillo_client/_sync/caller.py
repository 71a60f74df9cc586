# Generated from _async/caller.py by tools/generate_sync.py: do not edit.
"""What every part of a client needs to make calls for one agent."""

from __future__ import annotations

from camillo_client._sync.calls import Calls
from camillo_client.revisions import WrittenRevisions


class Caller:
    """Calls under one credential, and the revisions of what they wrote."""

    def __init__(self, calls: Calls, written: WrittenRevisions, agent_id: str) -> None:
        self._calls = calls
        self._written = written
        self._agent_id = agent_id

    def _agent(self, agent_id: str | None) -> str:
        return self._agent_id if agent_id is None else agent_id
