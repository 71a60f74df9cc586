"""Failures of commands: one line on standard error, and an exit code that scripts can rely on."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from camillo_client import CamilloError


class ExitCode(IntEnum):
    """The exit code of a command."""

    OK = 0
    ERROR = 1
    USAGE = 2
    NOT_FOUND = 3
    CONFLICT = 4
    REFUSED = 5
    UNAVAILABLE = 6
    INTERRUPTED = 130
    # 128 and the number of SIGPIPE, which ends other programs whose pipe is closed early.
    BROKEN_PIPE = 141


EXIT_CODES_HELP = (
    "Exit codes: 0 done, 1 failed, 2 wrong usage or input, 3 not found, 4 conflict (version, id or request id), "
    "5 not authenticated or not allowed, 6 unavailable or timed out, 130 interrupted."
)


class CliError(Exception):
    """A command failed; the message is one line for the user, `details` are lines before it."""

    def __init__(self, message: str, code: ExitCode = ExitCode.ERROR, details: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.details = details


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
# Before the one by the code, whose other reasons have another exit code.
BY_REASON = {"OVERLOADED": ExitCode.UNAVAILABLE, "RANGE_PAST_END": ExitCode.USAGE}

# Hints at what to do instead, by the reason of the error.
HINTS = {
    "NOT_TEXT": "with 'camillo artifact cat' and --start, --end or -o",
    "NOT_JSON": "read it by --lines or bytes instead of --pointer",
    "ARTIFACT_NOT_FOUND": "see 'camillo artifact list'",
    "AGENT_NOT_FOUND": "see 'camillo agents list'",
    "EVENT_NOT_FOUND": "see 'camillo event list'",
    "DECISION_NOT_FOUND": "see 'camillo decision list'",
    "DOCUMENT_NOT_FOUND": "see 'camillo docs list'",
    "KEY_NOT_FOUND": "see 'camillo keys list'",
    "RUN_NOT_FOUND": "see 'camillo run list'",
    "SKILL_NOT_FOUND": "see 'camillo skills list'",
    "SLOT_NOT_FOUND": "see 'camillo slots list'",
    "TASK_NOT_FOUND": "see 'camillo task list'",
    "TENANT_NOT_FOUND": "see 'camillo tenants list'",
    "VIEW_NOT_FOUND": "see 'camillo view list'",
    "COMPACTION_NOT_FOUND": "see 'camillo lifecycle compactions'",
    "DISTILLATION_NOT_FOUND": "see 'camillo distill runs'",
    "DISTILLATION_STATE": "see 'camillo distill runs'",
    "DISTILLATION_OFF": "see docs/distillation.md",
    "PROPOSAL_NOT_FOUND": "see 'camillo distill list'",
    "PROPOSAL_STATE": "see 'camillo distill show'",
    "COMPACTION_STATE": "see 'camillo lifecycle compactions'",
    "RECEIPT_NOT_FOUND": "see 'camillo lifecycle receipts'",
    "JOB_NOT_FOUND": "see 'camillo lifecycle jobs'",
    "PLAN_CHANGED": "make a new plan with --dry-run",
    "PLAN_REQUIRED": "without --request-id the command makes the plan itself",
    "HANDOFF_REFUSED": "it has to accept them with 'camillo handoff accept'",
    "VALUE_REJECTED": "allow it with 'camillo lifecycle lift'",
    "RECIPE_NOT_FOUND": "see 'camillo recipe list'",
    "PROVENANCE_REQUIRED": "name a record it is based on with --ref",
    "BUDGET_TOO_SMALL": "allow more with --max-tokens, or shorten those sections",
    "NOT_SHAREABLE": "leave it out, or lower its sensitivity",
}
SLOT_PROVENANCE = "give --kind, --name, --retrieved-at and --locator"
# The same by the quota that is exceeded.
QUOTA_HINTS = {
    "artifact_bytes": "remove some with 'camillo artifact rm', or raise artifacts.quota_bytes",
    **dict.fromkeys(
        ("memories", "events", "agents", "keys", "tasks", "handoffs", "runs", "bytes"),
        "see 'camillo tenants quotas'",
    ),
}

# A text that is too long for one memory has somewhere else to go.
TOO_LONG_CONTENT = re.compile(r"content: must have 1 to \d+ characters, has [1-9]")
TOO_LONG = " (split it with 'camillo import FILE', or keep it whole with 'camillo offload')"


def from_server(error: CamilloError, address: str) -> CliError:
    """The failure of a command whose call has failed."""
    by_status = BY_STATUS.get(error.code.name, ExitCode.ERROR)
    return CliError(one_line(_message(error, address)), BY_REASON.get(error.reason, by_status))


def _message(error: CamilloError, address: str) -> str:
    # Without a reason the failure is gRPC's own: no server answered.
    if error.code.name == "UNAVAILABLE" and not error.reason:
        from camillo_cli.unreachable import unreachable

        return ": ".join(unreachable(address, error.message))
    if error.code.name == "DEADLINE_EXCEEDED":
        return f"no answer from {address} in time: allow more with --timeout"
    if error.code.name == "UNAUTHENTICATED":
        return f"{error.message}: give one with --key or CAMILLO_KEY, or name its server's --data-dir"
    if error.reason == "REQUEST_ID_REUSED":
        return error.message
    if error.reason == "BUDGET_TOO_SMALL":
        return _budget(error)
    return _with_details(error, address)


def _budget(error: CamilloError) -> str:
    names = ("max_tokens", "needed_tokens", "sections")
    values = {name: error.metadata.get(name, "") for name in names}
    if not all(values.values()):
        return f"{error.message} ({HINTS[error.reason]})"
    parts = ", ".join(part.strip().replace("=", " ") for part in values["sections"].split(","))
    return (
        f"sections that may not be cut take {values['needed_tokens']} tokens ({parts}), "
        f"the budget is {values['max_tokens']}: {HINTS[error.reason]}"
    )


def _with_details(error: CamilloError, address: str) -> str:
    if error.field_violations:
        problems = "; ".join(f"{v.field}: {v.description}" for v in error.field_violations)
        return problems + (TOO_LONG if TOO_LONG_CONTENT.search(problems) else "")
    message = error.message or error.code.name.lower()
    values = [value for key, value in error.metadata.items() if key.endswith("_id") or key in ("ref", "name")]
    ids = [value for value in values if value and value not in message]
    if not error.reason:
        # Not from a Camillo server, but from gRPC or a proxy.
        message = f"{address}: {message}"
    named = f": {', '.join(ids)}" if ids else ""
    hint = _hint(error)
    return message + named + (f" ({hint})" if hint else "")


def _hint(error: CamilloError) -> str:
    if error.reason == "PROVENANCE_REQUIRED" and "missing" in error.metadata:
        return SLOT_PROVENANCE
    return HINTS.get(error.reason) or QUOTA_HINTS.get(error.metadata.get("quota", ""), "")


def one_line(text: str) -> str:
    """Any text as one printable line."""
    joined = " ".join(text.split())
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in joined)
