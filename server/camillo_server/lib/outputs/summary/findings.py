"""Failures in an output: tests, errors, and the counts that tools print."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from camillo_server.lib.outputs.summary.errors import RULES as ERROR_RULES
from camillo_server.lib.outputs.summary.errors import (
    ErrorLine,
    Weight,
    error_line,
    exception_lines,
    location_of,
)
from camillo_server.lib.outputs.summary.failing_tests import RULES as TEST_RULES
from camillo_server.lib.outputs.summary.failing_tests import STATUS_RULES, FailingTest, failing_test, status_of
from camillo_server.lib.outputs.summary.sample import Line, OutputText
from camillo_server.lib.text.pattern_scan import WordScan

# Words of lines that are worth a closer look in a long output.
STRONG = WordScan((
    "error", "fail", "exception", "panic", "fatal", "caused by", "not ok ", "\ne   ",
    "✕", "✗", "✘", "×", "✖", "●",
))  # fmt: skip
# Words of which logs are full; they matter near the ends.
WEAK = WordScan((
    "npm err", "denied", "not permitted", "not found", "no such file", "conflict", "killed", "abort",
    "segmentation", "bus error", "out of memory", "refused", "timed out", "timeout", "cannot ",
    "could not", "couldn't", "unable to", "undefined", ".go:", ".kt:", " 4", " 5", "can't open",
    "invalid option", "unrecognized", "e: ", "critical", "severe", "emerg", "***", "\n_____",
))  # fmt: skip
WEAK_FRONT, WEAK_BACK = 32 * 1024, 64 * 1024
# Short enough to look at every line, whatever words it has.
SHORT, SHORT_LINES = 8 * 1024, 250
ALWAYS_FRONT, ALWAYS_BACK = 10, 60
MAX_PER_WORD = 60
MAX_FRONT, MAX_BACK = 150, 300
STATUS_LINES = 120
MAX_STATUSES = 6
MAX_TRACEBACKS = 12
MAX_WARNINGS = 1_000
VARIABLE = re.compile(r"0x[0-9a-fA-F]{1,40}|\d{1,40}")
# For lines in lower case: where case is ignored, `re` cannot skip to the first letter.
WARNING = re.compile(r"\bwarn(?:ing)?\b(?!s? as errors)")
COUNT_OF_WARNINGS = re.compile(r"\b(?:\d+|no) warnings?\b")
PARTS = re.compile(r" › | > |::|(?<=\w)[./](?=\w)")
LINE_NUMBER = re.compile(r":\d+$")
FILE = re.compile(r"\.\w{1,5}$")
SUITE_FAILED = "Test suite failed to run"
CODE = re.compile(r"error\[|[A-Z]{1,3}\d{3,4} ")
FAILING_COUNT = re.compile(r"\s+\d+ failing$")
MOCHA_ENTRY = re.compile(r"\s{1,6}\d+\) \S")
JEST_TITLE = re.compile(r"  ● (?!Console$|Validation )(\S.{0,200})$")
PYTEST_HEADER = re.compile(r"_{4,80} (?!summary|coverage)(?:ERROR at \w+ of |ERROR collecting )?(\S.{0,200}?) _{4,80}$")
ESLINT_PROBLEM = re.compile(r"\s{1,6}(\d+):(\d+)\s+error\s+(\S.{0,300}?)(?:\s{2,}(\S+))?$")


@dataclass(frozen=True, slots=True)
class FoundError:
    """An error, the line where it was first seen, and how often its like was."""

    error: ErrorLine
    line: Line
    count: int = 1


@dataclass(frozen=True, slots=True)
class Findings:
    """Tests in order; errors the most telling first; statuses in order. There may be more where `are_all` is false."""

    tests: tuple[FailingTest, ...] = ()
    errors: tuple[FoundError, ...] = ()
    statuses: tuple[str, ...] = ()
    warning_count: int = 0
    are_all: bool = True

    @property
    def is_failure(self) -> bool:
        """Whether something failed for certain: a mere hint is none."""
        return bool(self.tests) or any(found.error.weight < Weight.HINT for found in self.errors)


class _Rules:
    """The rules that lines may fit, by the words that stand in any of them: each set searches all lines at once."""

    def __init__(self, lines: Iterable[Line]) -> None:
        text = "\n".join(line.text for line in lines)
        low = text.lower()
        self.of_tests, self.of_errors = TEST_RULES.among(text), ERROR_RULES.among(low)
        self._of_statuses, self._statuses = STATUS_RULES.among(low), dict[str, str]()

    def status_of(self, line: str) -> str:
        """As `failing_tests.status_of`, looked for once."""
        status = self._statuses.get(line)
        if status is None:
            status = self._statuses[line] = status_of(line, self._of_statuses)
        return status


@dataclass(slots=True)
class _Collected:
    tests: dict[str, FailingTest] = field(default_factory=dict)
    errors: dict[str, FoundError] = field(default_factory=dict)

    def add_test(self, test: FailingTest) -> None:
        known = self.tests.get(test.name)
        if known is None or not known.why:
            self.tests[test.name] = test

    def add_error(self, error: ErrorLine, line: Line) -> None:
        key = VARIABLE.sub("#", error.message[:300])
        known = self.errors.get(key)
        if known is None:
            self.errors[key] = FoundError(error, line)
        else:
            where = known.error.where or error.where
            weight = min(known.error.weight, error.weight)
            better = replace(known.error, where=where, weight=weight)
            self.errors[key] = replace(known, error=better, count=known.count + 1)


def find_failures(text: OutputText, skip: re.Pattern[str] | None, went_well: bool) -> Findings:
    """The failures; lines that match `skip` are contents that were printed, not messages.

    Where the exit code says that all went well, mere words of failure are not reported.
    """
    collected = _Collected()
    exceptions = [
        (line, where) for line, where in exception_lines(text, MAX_TRACEBACKS) if not (skip and skip.match(line.text))
    ]
    for line, where in reversed(exceptions):
        collected.add_error(ErrorLine(line.text, where, Weight.EXCEPTION), line)
    seen = {line.start for line, _ in exceptions}
    candidates, are_all = _candidate_lines(text)
    ending = text.last_lines(STATUS_LINES)
    rules = _Rules((*candidates, *ending))
    for line in candidates:
        if line.start not in seen and not (skip and skip.match(line.text)):
            _collect(text, line, rules, collected)
    _collect_sections(text, candidates, collected)
    return Findings(
        tuple(_distinct_tests(collected)),
        tuple(_ordered(collected, went_well)),
        _statuses((*candidates, *ending), rules),
        _count_of_warnings(text),
        are_all,
    )


def _candidate_lines(text: OutputText) -> tuple[Sequence[Line], bool]:
    """Lines with words of failure, in order, and whether they are all; where there are very many, those nearest to the
    ends. All lines of a short text."""
    end = len(text.low)
    if end <= SHORT:
        return text.first_lines(SHORT_LINES), text.is_whole
    ends = (*text.first_lines(ALWAYS_FRONT), *text.last_lines(ALWAYS_BACK))
    starts = {line.start for line in ends}
    front = min(WEAK_FRONT, end)
    are_all = text.is_whole
    for words, first, last in (
        (STRONG, 0, end),
        (WEAK, 0, front),
        (WEAK, max(front, end - WEAK_BACK), end),
    ):
        for word in words.words_in(text.low[first:last]):
            found = [*islice(text.starts_with(word, first, last), MAX_PER_WORD)]
            starts.update(found)
            if len(found) == MAX_PER_WORD:
                are_all = False
                starts.update(islice(text.last_starts_with(word, first, last), MAX_PER_WORD))
    ordered = sorted(starts)
    if len(ordered) > MAX_FRONT + MAX_BACK:
        are_all = False
        ordered = ordered[:MAX_FRONT] + ordered[-MAX_BACK:]
    return [text.line_from(start) for start in ordered], are_all


def _collect(text: OutputText, line: Line, rules: _Rules, collected: _Collected) -> None:
    content = line.text.removeprefix("- ")
    if test := failing_test(content, rules.of_tests):
        collected.add_test(test)
        return
    if rules.status_of(content):
        return
    error: ErrorLine | None
    if found := ESLINT_PROBLEM.match(content):
        problem = f"{found[3]} ({found[4]})" if found[4] else found[3]
        where = f"{_heading(text, line)}:{found[1]}:{found[2]}"
        error = ErrorLine(problem, where, Weight.LOCATED)
    else:
        error = error_line(content.strip(), rules.of_errors)
    if error is None:
        return
    if not error.where and (error.weight is Weight.EXCEPTION or CODE.match(error.message)):
        error = replace(error, where=location_of(text, line))
        if error.where and error.weight is Weight.HINT:
            error = replace(error, weight=Weight.LOCATED)
    if error.message.endswith(":") and "panicked at" in error.message:
        following = [after.text for after in text.lines_after(line, 1)]
        error = replace(error, message=" ".join([error.message, *following]).strip())
    collected.add_error(error, line)


def _heading(text: OutputText, line: Line) -> str:
    """The file above a line of its problems."""
    above = (before.text for before in text.lines_before(line, 100))
    return next((heading for heading in above if heading and not heading[0].isspace()), "")


def _collect_sections(text: OutputText, candidates: Sequence[Line], collected: _Collected) -> None:
    """Tests that are printed as headings, whose one line does not say enough."""
    counts = [line for line in candidates if FAILING_COUNT.match(line.text)]
    names = [name for line in counts[-2:] for name in _mocha_names(text, line)]
    # Elsewhere such a dot opens an entry of any list.
    if "\nTests: " in text.text:
        names += [found[1] for line in candidates if (found := JEST_TITLE.match(line.text))]
    for name in names:
        collected.add_test(FailingTest(name))
    for line in candidates:
        if line.text.startswith("____") and (found := PYTEST_HEADER.match(line.text)):
            name = found[1].replace(".", "::")
            if not any(known.partition("[")[0].endswith(name.partition("[")[0]) for known in collected.tests):
                collected.add_test(FailingTest(found[1]))


def _mocha_names(text: OutputText, line: Line) -> Iterator[str]:
    """Titles of suites and of the test, each on a line of its own, up to the one with a colon."""
    following = [entry.text for entry in text.lines_after(line, 400)]
    for position, entry in enumerate(following):
        if MOCHA_ENTRY.match(entry):
            titles = following[position : position + 5]
            end = next((n for n, title in enumerate(titles) if title.endswith(":")), 0)
            plain = " ".join(title.strip() for title in titles[: end + 1])
            yield plain.partition(") ")[2].removesuffix(":")


def _distinct_tests(collected: _Collected) -> Iterator[FailingTest]:
    """Without files whose tests are named, and tests that are named again with a longer path."""
    names = [*collected.tests]
    endings = {ending for name in names for ending in _endings(name)}
    beginnings = {name[: found.start()] for name in names for found in PARTS.finditer(name)}
    whys = {LINE_NUMBER.sub("", name): test.why for name, test in collected.tests.items()}
    # Jest names the file and then, by titles, its tests; pytest's failing files are beside its tests.
    has_titles = any("::" not in name and not FILE.search(name) for name in names)
    has_titles = has_titles and SUITE_FAILED not in names
    for name, test in collected.tests.items():
        is_file = has_titles and " " not in name and FILE.search(name) is not None
        if not (is_file or name in beginnings or LINE_NUMBER.sub("", name) in endings):
            reasons = (test.why, *(whys.get(ending, "") for ending in _endings(name)))
            yield replace(test, why=next(filter(None, reasons), ""))


def _endings(name: str) -> Iterator[str]:
    plain = LINE_NUMBER.sub("", name)
    yield from (plain[found.end() :] for found in PARTS.finditer(plain))


def _ordered(collected: _Collected, went_well: bool) -> list[FoundError]:
    """The errors by weight; of exceptions the last first, since the others led to it; hints only where they are all
    there is."""
    whys = (test.why.rstrip(".…")[:60] for test in collected.tests.values())
    reasons = [*filter(None, whys)]
    errors = [found for found in collected.errors.values() if not any(why in found.error.message for why in reasons)]
    strong = [found for found in errors if found.error.weight < Weight.HINT]
    return sorted(strong if strong or collected.tests or went_well else errors, key=_order)


def _order(found: FoundError) -> tuple[Weight, int]:
    start = found.line.start
    return found.error.weight, -start if found.error.weight is Weight.EXCEPTION else start


def _statuses(found: Iterable[Line], rules: _Rules) -> tuple[str, ...]:
    """The last ones, in order; each once."""
    lines = {line.start: line for line in found}
    statuses = (rules.status_of(lines[start].text) for start in sorted(lines))
    return tuple(dict.fromkeys(filter(None, statuses)))[-MAX_STATUSES:]


def _count_of_warnings(text: OutputText) -> int:
    """Lines that warn, up to 1,000."""
    starts = islice(text.starts_with("warn", 0, len(text.low)), MAX_WARNINGS)
    lines = (text.low[start : text.line_end(start)] for start in starts)
    return sum(
        bool(WARNING.search(line)) and not (" warning" in line and COUNT_OF_WARNINGS.search(line)) for line in lines
    )
