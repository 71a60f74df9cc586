"""How a command fails: one line on stderr, and an exit code that scripts can rely on."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from camillo_client import CamilloError


class ExitCode(IntEnum):
    """What a finished command tells its caller."""

    OK = 0
    ERROR = 1
    USAGE = 2
    NOT_FOUND = 3
    CONFLICT = 4
    REFUSED = 5
    UNAVAILABLE = 6
    INTERRUPTED = 130
    # As if the signal had ended it, which is what a pipe closed early does to other programs.
    BROKEN_PIPE = 141


EXIT_CODES_HELP = (
    "Exit codes: 0 done, 1 failed, 2 wrong usage or input, 3 not found, 4 conflict (version, id or request id), "
    "5 not authenticated or not allowed, 6 unavailable or timed out, 130 interrupted."
)


class CliError(Exception):
    """A command that cannot do what was asked, in one line for the user."""

    def __init__(self, message: str, code: ExitCode = ExitCode.ERROR) -> None:
        super().__init__(message)
        self.code = code


# By the name of the gRPC code.
BY_STATUS = {
    "INVALID_ARGUMENT": ExitCode.USAGE,
    "NOT_FOUND": ExitCode.NOT_FOUND,
    "ABORTED": ExitCode.CONFLICT,
    "ALREADY_EXISTS": ExitCode.CONFLICT,
    "UNAUTHENTICATED": ExitCode.REFUSED,
    "PERMISSION_DENIED": ExitCode.REFUSED,
    "UNAVAILABLE": ExitCode.UNAVAILABLE,
    "DEADLINE_EXCEEDED": ExitCode.UNAVAILABLE,
}

# Which way to go instead.
HINTS = {
    "NOT_TEXT": "with 'camillo artifact cat' and --start, --end or -o",
    "NOT_JSON": "read it by --lines or bytes instead of --pointer",
    "ARTIFACT_NOT_FOUND": "see 'camillo artifact list'",
    "AGENT_NOT_FOUND": "see 'camillo agents list'",
    "EVENT_NOT_FOUND": "see 'camillo event list'",
    "DECISION_NOT_FOUND": "see 'camillo decision list'",
    "TASK_NOT_FOUND": "see 'camillo task list'",
    "VIEW_NOT_FOUND": "see 'camillo view list'",
    "COMPACTION_NOT_FOUND": "see 'camillo lifecycle compactions'",
    "COMPACTION_STATE": "see 'camillo lifecycle compactions'",
    "RECEIPT_NOT_FOUND": "see 'camillo lifecycle receipts'",
    "JOB_NOT_FOUND": "see 'camillo lifecycle jobs'",
    "PLAN_CHANGED": "look once more with --dry-run",
    "VALUE_REJECTED": "allow it with 'camillo lifecycle lift'",
    "RECIPE_NOT_FOUND": "see 'camillo recipe list'",
    "PROVENANCE_REQUIRED": "name the id of what it rests on with --ref",
    "BUDGET_TOO_SMALL": "allow more with --max-tokens, or shorten those texts",
    "NOT_SHAREABLE": "leave it out, or lower its sensitivity",
    "QUOTA_EXCEEDED": "make room with 'camillo artifact rm', or allow more on the server",
}

# The one bound that a caller can make room under.
ARTIFACT_QUOTA = "artifact_bytes"


def from_server(error: CamilloError, address: str) -> CliError:
    """What a failed call means to the user of a command."""
    code = BY_STATUS.get(error.code.name, ExitCode.ERROR)
    if error.reason == "OVERLOADED":
        code = ExitCode.UNAVAILABLE
    if error.reason == "RANGE_PAST_END":
        code = ExitCode.USAGE
    return CliError(one_line(_message(error, address)), code)


def _message(error: CamilloError, address: str) -> str:
    # Without a reason the failure is gRPC's own: nobody answered.
    if error.code.name == "UNAVAILABLE" and not error.reason:
        return (
            f"no server answers at {address} ({_cause(error.message)}): "
            "start one with 'camillo serve', or name another with --address"
        )
    if error.code.name == "DEADLINE_EXCEEDED":
        return f"no answer from {address} in time: allow more with --timeout"
    if error.code.name == "UNAUTHENTICATED":
        return f"{error.message}: give one with --key or CAMILLO_KEY"
    if error.reason == "REQUEST_ID_REUSED":
        return error.message
    if error.reason == "BUDGET_TOO_SMALL":
        return _budget(error)
    return _with_details(error, address)


def _budget(error: CamilloError) -> str:
    told = {key: error.metadata.get(key, "") for key in ("max_tokens", "needed_tokens", "sections")}
    if not all(told.values()):
        return f"{error.message} ({HINTS[error.reason]})"
    parts = ", ".join(part.strip().replace("=", " ") for part in told["sections"].split(","))
    return (
        f"what may not be cut takes {told['needed_tokens']} tokens ({parts}), "
        f"the budget is {told['max_tokens']}: {HINTS[error.reason]}"
    )


def _with_details(error: CamilloError, address: str) -> str:
    if error.field_violations:
        return "; ".join(f"{v.field}: {v.description}" for v in error.field_violations)
    message = error.message or error.code.name.lower()
    told = [
        value
        for key, value in error.metadata.items()
        if key.endswith("_id") or key in ("ref", "name")
    ]
    ids = [value for value in told if value and value not in message]
    if not error.reason:
        # Not from a Camillo server, but from gRPC or something on the way.
        message = f"{address}: {message}"
    named = f": {', '.join(ids)}" if ids else ""
    hint = HINTS.get(error.reason, "")
    if error.metadata.get("quota", ARTIFACT_QUOTA) != ARTIFACT_QUOTA:
        hint = ""
    return message + named + (f" ({hint})" if hint else "")


def _cause(details: str) -> str:
    """The last clause of what gRPC says, which is the one that means something."""
    tail = re.split(r": ", one_line(details))[-1]
    return re.sub(r"\s*\(\d+\)$", "", tail) or "unreachable"


def one_line(text: str) -> str:
    """Any text as one printable line."""
    joined = " ".join(text.split())
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in joined)
