"""A failure is one line and an exit code."""

import pytest
from camillo_cli import program
from camillo_cli.failures import CliError, ExitCode, from_server
from camillo_client.errors import CamilloError, Failure, FieldViolation
from grpc import StatusCode

from tests.cases import each_case

# Nobody listens there, whatever runs on this machine.
ADDRESS = "localhost:1"


@each_case(
    ("status", "reason", "code"),
    [
        (StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", ExitCode.USAGE),
        (StatusCode.NOT_FOUND, "MEMORY_NOT_FOUND", ExitCode.NOT_FOUND),
        (StatusCode.ABORTED, "VERSION_CONFLICT", ExitCode.CONFLICT),
        (StatusCode.ALREADY_EXISTS, "REQUEST_ID_REUSED", ExitCode.CONFLICT),
        (StatusCode.UNAUTHENTICATED, "CREDENTIAL_INVALID", ExitCode.REFUSED),
        (StatusCode.PERMISSION_DENIED, "SCOPE_FORBIDDEN", ExitCode.REFUSED),
        (StatusCode.UNAVAILABLE, "STORAGE_UNAVAILABLE", ExitCode.UNAVAILABLE),
        (StatusCode.UNAVAILABLE, "", ExitCode.UNAVAILABLE),
        (StatusCode.DEADLINE_EXCEEDED, "", ExitCode.UNAVAILABLE),
        (StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED", ExitCode.UNAVAILABLE),
        (StatusCode.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED", ExitCode.ERROR),
        (StatusCode.INTERNAL, "INTERNAL", ExitCode.ERROR),
        (StatusCode.OUT_OF_RANGE, "REVISION_UNKNOWN", ExitCode.ERROR),
    ],
)
def test_the_exit_code_follows_from_what_the_server_said(status: StatusCode, reason: str, code: ExitCode) -> None:
    told = from_server(CamilloError(Failure(status, "why\nin lines", reason)), ADDRESS)
    assert told.code is code
    assert "\n" not in str(told)


def test_a_server_that_is_not_there_is_told_with_what_to_do() -> None:
    details = "failed to connect; last error: UNKNOWN: ipv4:127.0.0.1:1: connect: Connection refused (111)"
    told = from_server(CamilloError(Failure(StatusCode.UNAVAILABLE, details)), ADDRESS)
    assert str(told).startswith("no server answers at localhost:1 (Connection refused): start one")


def test_each_field_that_breaks_a_limit_is_named_once() -> None:
    violations = (FieldViolation("memory.content", "is empty"), FieldViolation("limit", "is 0"))
    failure = Failure(
        StatusCode.INVALID_ARGUMENT,
        "memory.content: is empty; limit: is 0",
        "INVALID_FIELD",
        field_violations=violations,
    )
    assert str(from_server(CamilloError(failure), ADDRESS)) == "memory.content: is empty; limit: is 0"


def test_what_is_not_found_is_named() -> None:
    failure = Failure(StatusCode.NOT_FOUND, "memory not found", "MEMORY_NOT_FOUND", {"memory_id": "m1"})
    assert str(from_server(CamilloError(failure), ADDRESS)) == "memory not found: m1"


@pytest.mark.parametrize(
    ("raised", "code", "line"),
    [
        (CliError("no", ExitCode.CONFLICT), 4, "camillo: no\n"),
        (KeyboardInterrupt(), 130, ""),
        (OSError(28, "No space left on device"), 1, "camillo: No space left on device\n"),
    ],
)
def test_a_command_fails_with_one_line(
    raised: BaseException, code: int, line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise raised

    monkeypatch.setattr(program, "build_program", lambda _: lambda **_: fail())
    assert program.run([]) == code
    assert capsys.readouterr().err == line


def test_a_defect_is_told_in_one_line_with_its_place(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise LookupError("two\nlines")

    monkeypatch.setattr(program, "build_program", lambda _: lambda **_: fail())
    assert program.run([]) == 1
    error = capsys.readouterr().err
    assert error.startswith("camillo: this is a bug, please report it: LookupError: two lines at test_failures.py:")
    assert error.count("\n") == 1
