"""Summaries of what tests, builds and programs say."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from camillo_server.outputs.summary.candidate_lines import last_lines
from camillo_server.outputs.summary.command_name import command_name
from camillo_server.outputs.summary.findings import Findings, FoundError
from camillo_server.outputs.summary.sample import Sample
from camillo_server.outputs.summary.shorten import (
    counted,
    listed,
    one_line,
    shortened,
    shortened_front,
)
from camillo_server.outputs.summary.text import OutputText


@dataclass(frozen=True, slots=True)
class LineBudget:
    """Limits of a list: items, characters of all, and characters of one."""

    items: int
    characters: int
    longest: int


MAX_ERRORS = 5
ONE_ERROR, ONE_LOCATION = 170, 80
TESTS_ROOM = LineBudget(8, 520, 170)
ERRORS_ROOM = LineBudget(MAX_ERRORS, 600, ONE_ERROR + ONE_LOCATION + 10)
STATUS_ROOM, LAST_ROOM = 220, 130
TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d")
FAILED_COUNT = re.compile(
    r"(\d+) (?:failed|failing|failures?|errors?)\b|(?:Failures|Errors|failures|errors)[:=] ?(\d+)"
)


def failure_lines(text: OutputText, found: Findings) -> Iterator[str]:
    """Failing tests, errors with their locations, counts."""
    if found.tests:
        count = counted_failures(found) or len(found.tests)
        yield f"Failing tests ({count:,}):"
        items = [
            f"{test.name}: {one_line(test.why)}" if test.why else test.name for test in found.tests
        ]
        yield from _bullets(items, TESTS_ROOM, count)
    if found.errors:
        least = "" if found.are_all else "at least "
        yield f"Errors ({least}{sum(error.count for error in found.errors):,}):"
        items = [_error_text(text, error) for error in _chosen(found)]
        yield from _bullets(items, ERRORS_ROOM, len(found.errors))


def log_lines(sample: Sample, text: OutputText, found: Findings) -> Iterator[str]:
    """All of a summary: failures first, then how it ended."""
    yield from failure_lines(text, found)
    if found.statuses:
        yield shortened("Status: " + "; ".join(found.statuses), STATUS_ROOM)
    if found.warning_count:
        more = "at least " if found.warning_count >= 1_000 else ""
        yield f"Warnings: {more}{counted(found.warning_count, 'line')}"
    times = _times(text)
    if times:
        yield times
    if not found.statuses and not found.errors and not found.tests:
        last = last_lines(text, 1)
        if last and sample.line_count > 1:
            yield "Last line: " + shortened(one_line(last[0].text), LAST_ROOM)


def outcome(sample: Sample, found: Findings, room: int) -> str:
    """For the description: `failed: 2 failed: test_login, test_cart`, `12 passed in 0.4s`, `exit code 0`."""
    if found.tests:
        count = counted_failures(found) or len(found.tests)
        opening = f"{count:,} failed: "
        return opening + listed(
            [short_name(test.name) for test in found.tests], room - len(opening), count
        )
    failed = sample.exit_code not in (None, 0)
    if found.errors and (found.is_failure or failed):
        opening = "failed: " if failed else ""
        return shortened(opening + one_line(found.errors[0].error.message), room)
    if found.statuses:
        return shortened(("failed: " if failed else "") + found.statuses[-1], room)
    return f"failed with exit code {sample.exit_code}" if failed else ""


def short_name(name: str) -> str:
    """A test without its file and module: `test_login[chrome]` of `tests/test_a.py::TestA::test_login[chrome]`."""
    if " (" in name and name.endswith(")") and name.partition(" ")[0].isidentifier():
        return name.partition(" ")[0]
    plain, bracket, parameters = name.partition("[")
    if "::" in plain:
        plain = plain.rpartition("::")[2]
    for separator in (" › ", " > "):
        plain = plain.rpartition(separator)[2]
    return shortened((plain or name) + bracket + parameters, 60)


def ran(sample: Sample) -> str:
    """The name of the command, or of the tool."""
    return command_name(sample.command) or sample.tool


def counted_failures(found: Findings) -> int:
    """How many tests failed, by the last line that counts them; at least as many as were found."""
    for status in reversed(found.statuses):
        counts = [int(one or other) for one, other in FAILED_COUNT.findall(status)]
        if sum(counts):
            return max(sum(counts), len(found.tests))
    return 0


def _chosen(found: Findings) -> Sequence[FoundError]:
    """The first errors, and with them the one that stands last in the output: it often ended the run."""
    errors = found.errors
    if len(errors) <= MAX_ERRORS:
        return errors
    last = max(errors, key=lambda error: error.line.start)
    first = [error for error in errors if error is not last][: MAX_ERRORS - 1]
    return [last, *first] if errors[0] is last else [*first[:2], last, *first[2:]]


def _error_text(text: OutputText, found: FoundError) -> str:
    message = shortened(one_line(found.error.message), ONE_ERROR)
    where = found.error.where or f"line {text.number_of(found.line):,}"
    times = f" (×{found.count:,})" if found.count > 1 else ""
    return f"{message} [{shortened_front(where, ONE_LOCATION)}]{times}"


def _bullets(items: list[str], room: LineBudget, total: int) -> Iterator[str]:
    shown, left = 0, room.characters
    for item in items[: room.items]:
        short = shortened(item, room.longest)
        left -= len(short) + 3
        if left < 0 and shown:
            break
        shown += 1
        yield f"- {short}"
    if shown < total:
        yield f"- and {total - shown:,} more"


def _times(text: OutputText) -> str:
    first = TIME.search(text.text, 0, 2_000)
    if first is None:
        return ""
    last = [*TIME.finditer(text.text, max(0, len(text.text) - 4_000))]
    if not last or last[-1][0] == first[0]:
        return ""
    return f"From {first[0]} to {last[-1][0]}"
