"""Failures as a model reads them: the reason, what is wrong, and what to do."""

from collections.abc import Mapping

from camillo_server.doors.gateway.mcp.calls import MemoryCallFailed

_HINTS: Mapping[str, str] = {
    "INVALID_FIELD": "correct the argument and call again",
    "INVALID_PAGE_TOKEN": "begin again without page",
    "CREDENTIAL_INVALID": "tell the user that the key of the memory server is missing, wrong or expired",
    "SCOPE_FORBIDDEN": "tell the user that the key does not allow this",
    "MEMORY_NOT_FOUND": "find ids with recall",
    "ARTIFACT_NOT_FOUND": "use the id in a [MemoryRef: …] as it stands",
    "SLOT_NOT_FOUND": "find keys with recall",
    "VERSION_CONFLICT": "read it again, then decide",
    "VALUE_REJECTED": "this was forgotten on request: do not store it again",
    "PROVENANCE_REQUIRED": "say where it comes from",
    "QUOTA_EXCEEDED": "tell the user that the quota is used up",
    "BUDGET_TOO_SMALL": "call again with more max_tokens",
    "RANGE_PAST_END": "ask for earlier lines",
    "NOT_TEXT": "it has no lines: it cannot be read by this tool",
    "PLAN_REQUIRED": "erase fewer at once",
    "STORAGE_UNAVAILABLE": "go on without memory and try again later",
    "OVERLOADED": "wait and call again",
    "SERVER_DRAINING": "wait and call again",
    "DEADLINE_EXCEEDED": "call again with less: a shorter text or a smaller limit",
}
_NO_SERVER = "go on without memory; tell the user that no memory server answers"


def failure_line(error: MemoryCallFailed) -> str:
    """One line, of what the caller may know. Nothing of the server's inside is in it: the contract sees to that."""
    reason = error.reason or ("NO_SERVER" if error.code == "UNAVAILABLE" else error.code)
    fields = [each for each in error.fields if each not in error.message]
    parts = [f"{reason}: {error.message}", *fields]
    hint = _HINTS.get(error.reason, _NO_SERVER if reason == "NO_SERVER" else "")
    if hint:
        parts.append(f"What to do: {hint}")
    if error.retry_seconds:
        parts.append(f"try again after {error.retry_seconds:g} s")
    return ". ".join(parts)
