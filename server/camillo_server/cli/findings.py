"""What the doctor finds."""

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """How bad it is."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at, and what to do where it is not well."""

    subject: str
    status: Status
    what: str
    remedy: str = ""


def ok(subject: str, what: str) -> Finding:
    return Finding(subject, Status.OK, what)


def warn(subject: str, what: str, remedy: str) -> Finding:
    return Finding(subject, Status.WARN, what, remedy)


def fail(subject: str, what: str, remedy: str) -> Finding:
    return Finding(subject, Status.FAIL, what, remedy)
