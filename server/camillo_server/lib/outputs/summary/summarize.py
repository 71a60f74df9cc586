"""The summary of an output: what it is, in one line and in some."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from camillo_server.lib.outputs.summary.findings import (
    MAX_WARNINGS,
    Findings,
    FoundError,
    find_failures,
)
from camillo_server.lib.outputs.summary.recognize import command_name, recognized
from camillo_server.lib.outputs.summary.sample import (
    ContentKind,
    OutputText,
    Recognized,
    Sample,
    counted,
    listed,
    one_line,
    output_text,
    shortened,
    shortened_front,
)

BINARY_MEDIA = re.compile(
    r"(?:image/(?!svg)|video/|audio/|font/)|application/(?:pdf|zip|gzip|x-tar|x-bzip2|x-7z|vnd\.|x-executable|x-sharedlib|wasm|msword)"
)
BINARY_NAMES = re.compile(
    r"(?i)\.(?:png|jpe?g|gif|webp|ico|bmp|tiff?|pdf|zip|gz|tgz|bz2|xz|zst|7z|tar|jar|class|so|dll|exe|o|a|pyc|whl|woff2?|ttf|mp[34]|wav|avi|mov|sqlite3?|db|parquet|npy|npz|pkl|pt|onnx)$"
)
UNDECODED = re.compile(r"[\x00-\x06\x0e-\x1a\x1c-\x1f\ufffd]")
NO_TEXT = OutputText("", "", head_end=0, tail_start=0, line_count=0)
TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d")
FAILED_COUNT = re.compile(
    r"(\d+) (?:failed|failing|failures?|errors?)\b|(?:Failures|Errors|failures|errors)[:=] ?(\d+)"
)
# How many items are listed; all else in characters: of a list (ROOM), and of one of its items.
MAX_TEXT, MAX_DESCRIPTION, MAX_NAME, MAX_SHORT_NAME = 1_500, 120, 40, 60
MAX_TESTS, MAX_TEST, TESTS_ROOM = 8, 170, 520
MAX_ERRORS, MAX_ERROR, ERRORS_ROOM = 5, 260, 600
MAX_MESSAGE, MAX_LOCATION = 170, 80
STATUS_ROOM, LAST_ROOM = 220, 130


@dataclass(frozen=True, slots=True)
class Summary:
    """`text` has at most 1,500 characters; `description` is one line of at most 120."""

    kind: ContentKind
    text: str
    description: str


def summarize(sample: Sample) -> Summary:
    """Failures, outcome and contents; deterministic for the same output."""
    if not sample.size:
        failed = f", failed with exit code {sample.exit_code}" if sample.exit_code else ""
        summary = f"{_name(sample)}no output{failed}"
        return Summary(ContentKind.UNSPECIFIED, summary, summary)
    if _is_binary(sample):
        text, form = NO_TEXT, _binary(sample)
    else:
        text = output_text(sample)
        form = recognized(sample, text)
    may_fail = form.holds_messages or sample.has_failed
    found = find_failures(text, form.contents, sample.exit_code == 0) if may_fail else Findings()
    lines = "\n".join(_lines(sample, form, text, found))
    return Summary(form.kind, shortened(lines, MAX_TEXT), _description(sample, form, found))


def _is_binary(sample: Sample) -> bool:
    """By its media type, its name, or the share of characters that no text has."""
    start = sample.head[:4_096]
    strange = len(UNDECODED.findall(start))
    if strange > 0.1 * len(start) or start.count("\x00") > 2:
        return True
    is_named = BINARY_MEDIA.match(sample.media_type) or BINARY_NAMES.search(sample.name)
    return bool(is_named) and (strange > 0 or not sample.head)


def _binary(sample: Sample) -> Recognized:
    """Describes a binary content, of which only type and size are known."""
    extension = sample.name.rpartition(".")[2] if "." in sample.name else ""
    kind = sample.media_type or (f"of type {extension}" if extension else "")
    size = counted(sample.size, "byte")
    return Recognized.by_lines(ContentKind.BINARY, [", ".join(filter(None, ("binary content", kind, size)))])


def _lines(sample: Sample, form: Recognized, text: OutputText, found: Findings) -> Iterator[str]:
    facts = [f"exit code {sample.exit_code}"] if sample.exit_code is not None else []
    if form.kind is not ContentKind.BINARY:
        facts += [counted(sample.line_count, "line"), counted(sample.size, "byte")]
    if facts:
        yield f"{_name(sample)}{', '.join(facts)}"
    is_log = form.kind is ContentKind.LOG and not form.lines
    if is_log or found.is_failure or sample.has_failed:
        yield from _failure_lines(text, found)
    yield from _log_lines(sample, text, found) if is_log else form.lines


def _description(sample: Sample, form: Recognized, found: Findings) -> str:
    name = _name(sample)
    outcome = ""
    if form.kind is ContentKind.LOG or found.is_failure or sample.has_failed:
        outcome = _outcome(sample, found, MAX_DESCRIPTION - len(name))
    return shortened(one_line(name + (outcome or form.headline)), MAX_DESCRIPTION)


def _name(sample: Sample) -> str:
    """The name of an output at the beginning of a line: its command, its tool, or its file."""
    name = command_name(sample.command) or sample.tool or sample.name.rpartition("/")[2]
    return f"{shortened(one_line(name), MAX_NAME)}, " if one_line(name) else ""


def _outcome(sample: Sample, found: Findings, room: int) -> str:
    """`2 failed: test_login, test_cart`, `12 passed in 0.4s`, `failed with exit code 1`."""
    if found.tests:
        count = _count_of_failures(found)
        opening = f"{count:,} failed: "
        names = [_short_name(test.name) for test in found.tests]
        return opening + listed(names, room - len(opening), count)
    opening = "failed: " if sample.has_failed else ""
    if found.errors and (found.is_failure or sample.has_failed):
        return shortened(opening + one_line(found.errors[0].error.message), room)
    if found.statuses:
        return shortened(opening + found.statuses[-1], room)
    return f"failed with exit code {sample.exit_code}" if sample.has_failed else ""


def _short_name(name: str) -> str:
    """A test without its file and module: `test_login[chrome]` of `tests/test_a.py::TestA::test_login[chrome]`."""
    if " (" in name and name.endswith(")") and name.partition(" ")[0].isidentifier():
        return name.partition(" ")[0]
    plain, bracket, parameters = name.partition("[")
    for separator in ("::", " › ", " > "):
        plain = plain.rpartition(separator)[2]
    return shortened((plain or name) + bracket + parameters, MAX_SHORT_NAME)


def _count_of_failures(found: Findings) -> int:
    """How many tests failed, by the last line that counts them; at least as many as were found."""
    for status in reversed(found.statuses):
        if counts := sum(int(one or other) for one, other in FAILED_COUNT.findall(status)):
            return max(counts, len(found.tests))
    return len(found.tests)


def _failure_lines(text: OutputText, found: Findings) -> Iterator[str]:
    """Failing tests, then errors with their locations."""
    if found.tests:
        count = _count_of_failures(found)
        yield f"Failing tests ({count:,}):"
        tests = [f"{test.name}: {one_line(test.why)}" if test.why else test.name for test in found.tests[:MAX_TESTS]]
        yield from _bullets(tests, MAX_TEST, TESTS_ROOM, count)
    if found.errors:
        least = "" if found.are_all else "at least "
        yield f"Errors ({least}{sum(error.count for error in found.errors):,}):"
        errors = [_error_text(text, error) for error in _most_telling(found.errors)]
        yield from _bullets(errors, MAX_ERROR, ERRORS_ROOM, len(found.errors))


def _most_telling(errors: Sequence[FoundError]) -> Sequence[FoundError]:
    """The first errors, and with them the one that stands last in the output: it often ended the run."""
    if len(errors) <= MAX_ERRORS:
        return errors
    last = max(errors, key=lambda error: error.line.start)
    first = [error for error in errors if error is not last][: MAX_ERRORS - 1]
    return [last, *first] if errors[0] is last else [*first[:2], last, *first[2:]]


def _error_text(text: OutputText, found: FoundError) -> str:
    message = shortened(one_line(found.error.message), MAX_MESSAGE)
    where = found.error.where or f"line {text.number_of(found.line):,}"
    times = f" (×{found.count:,})" if found.count > 1 else ""
    return f"{message} [{shortened_front(where, MAX_LOCATION)}]{times}"


def _bullets(items: Sequence[str], longest: int, room: int, total: int) -> Iterator[str]:
    """The first item, and of the others as many as fit; of `total` the rest is counted."""
    shown = 0
    for item in items:
        short = shortened(item, longest)
        room -= len(short) + 3
        if room < 0 and shown:
            break
        shown += 1
        yield f"- {short}"
    if shown < total:
        yield f"- and {total - shown:,} more"


def _log_lines(sample: Sample, text: OutputText, found: Findings) -> Iterator[str]:
    """How a run ended, what it warned of, and when it was."""
    if found.statuses:
        yield shortened("Status: " + "; ".join(found.statuses), STATUS_ROOM)
    if found.warning_count:
        least = "at least " if found.warning_count >= MAX_WARNINGS else ""
        yield f"Warnings: {least}{counted(found.warning_count, 'line')}"
    first = TIME.search(text.text, 0, 2_000)
    last = [*TIME.finditer(text.text, max(0, len(text.text) - 4_000))][-1:] if first else []
    if first and last and last[0][0] != first[0]:
        yield f"From {first[0]} to {last[0][0]}"
    if sample.line_count > 1 and not (found.statuses or found.errors or found.tests):
        yield from ("Last line: " + shortened(one_line(line.text), LAST_ROOM) for line in text.last_lines(1))
