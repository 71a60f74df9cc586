"""The `doctor` command: checks of the configuration, the machine, the database and the server, and their findings."""

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """How serious a finding is."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check; `remedy` says what to do, and is empty where all is well."""

    subject: str
    status: Status
    what: str
    remedy: str = ""

    @property
    def text(self) -> str:
        """The finding, and the remedy behind an arrow."""
        return f"{self.what} → {self.remedy}" if self.remedy else self.what


def ok(subject: str, what: str) -> Finding:
    return Finding(subject, Status.OK, what)


def warn(subject: str, what: str, remedy: str) -> Finding:
    return Finding(subject, Status.WARN, what, remedy)


def fail(subject: str, what: str, remedy: str) -> Finding:
    return Finding(subject, Status.FAIL, what, remedy)
