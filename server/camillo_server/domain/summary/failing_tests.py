"""The names of failing tests, as test runners of many languages write them."""

import re
from dataclasses import dataclass

NAME_LENGTH = 160


@dataclass(frozen=True, slots=True)
class FailingTest:
    """A test, or a file of tests that could not run, and what was said of it."""

    name: str
    why: str = ""


# Each with a word that a line must have before the pattern is tried.
RULES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (needle, re.compile(pattern))
    for needle, pattern in (
        # pytest: the short summary, a file that could not be collected, and lines of -v
        ("::", r"(?:FAILED|ERROR)\s{1,4}(?P<name>\S{1,200}\.\w{1,5}::.{1,300}?)(?: - (?P<why>.*))?$"),
        ("ERROR ", r"ERROR (?P<name>\S{1,200}\.py)(?: - (?P<why>.*))?$"),
        ("::", r"(?:\[gw\d+\] )?(?P<name>\S{1,200}\.\w{1,5}::\S.{0,200}?)\s(?:FAILED|ERROR)\b"),
        ("::", r"\[gw\d+\] \[ *\d+%\] FAILED (?P<name>\S{1,300})"),
        # unittest, its -v, cargo and deno
        (": ", r"(?:FAIL|ERROR): (?P<name>\w{1,200} \([\w.]{1,300}\)(?: \[.*\])?)"),
        (" ... ", r"(?:test )?(?P<name>\S.{0,250}?) \.\.\. .{0,40}?\b(?:FAILED|FAIL|ERROR)\b"),
        # go
        ("--- FAIL", r"\s*--- FAIL: (?P<name>\S+)"),
        ("FAIL\t", r"FAIL\t(?P<name>\S+)\s+(?P<why>\[(?:build|setup) failed\])"),
        # jest, vitest, mocha, playwright, node's own, jasmine
        (" › ", r"\s*● (?P<name>.+ › .+)$"),
        ("FAIL ", r"\s{0,4}(?:❯ )?FAIL  ?(?:\|[^|]{1,40}\| )?(?P<name>[^\s\[]\S{0,200}\.\w{1,6}(?: >.*?)?)(?: \(.*\)| \[.*\]| [\d.]+ m?s)?$"),
        (" > ", r"\s*[×✗✘] (?P<name>\S+\.\w+(?::\d+)* .{0,100}?> .{1,200}?)(?: \(?[\d.]+ ?m?s\)?)?$"),
        ("✕", r"\s*✕ (?P<name>.{1,200}?)(?: \([\d.]+ ?m?s\))?$"),
        ("✗", r"\s*✗ (?P<name>.{1,200}?)(?: \([\d.]+ ?m?s\))?$"),
        ("✘", r"\s*✘\s+(?:\d+ )?(?P<name>.{1,200}?)(?: \([\d.]+ ?m?s\))?$"),
        ("✖ ", r"\s*✖ (?!\d+ problem|failing tests:)(?P<name>.{1,200}?)(?: \([\d.]+ ?m?s\))?$"),
        ("] › ", r"\s*\d+\) (?P<name>\[\w+\] › .{1,200}?)\s*[─]*$"),
        ("not ok ", r"\s*not ok \d+ (?:- )?(?P<name>.{1,200}?)(?: # .*)?$"),
        # Java: surefire, its summary, gradle
        ("<<< ", r"(?:\[ERROR\] +)?(?P<name>\S{1,250})\s+(?:--\s+)?Time elapsed: \S+ s(?:ec)?\s+<<< (?:FAILURE|ERROR)!"),
        ("[ERROR]", r"\[ERROR\] {2,6}(?P<name>[A-Z]\w*(?:\$\w+)?(?:\.\w+|->\w+){1,3}(?::\d+)?)(?:[ »:]+(?P<why>.*))?$"),
        (" FAILED", r"(?P<name>[\w.$]{1,200} > .{1,200}?) FAILED$"),
        # C++: GoogleTest, CTest, Catch2
        ("  FAILED  ]", r"\[  FAILED  \] (?P<name>[\w/]+\.[\w/]+)"),
        ("(Failed)", r"\s*\d+ - (?P<name>\S+) \(Failed\)"),
        ("***", r"\s*\d+/\d+ +Test +#\d+: (?P<name>\S+) \.+\s*\*\*\*"),
        # Ruby, PHP, .NET, Swift, Elixir, Bazel, Perl
        ("rspec ", r"rspec (?P<name>\S+:\d+)(?: # (?P<why>.*))?$"),
        ("::", r"\d+\) (?P<name>[\w\\]{1,150}::\w{1,150}.*)$"),
        ("Failed ", r"\s+Failed (?P<name>[A-Za-z_].{0,200}?) \[[<\d].*\]$"),
        ("Test Case", r".{0,100}Test Case '(?P<name>.{1,200}?)' failed"),
        (") test ", r"\s+\d+\) (?P<name>test .{1,200})$"),
        ("//", r"(?P<name>//\S+)\s+(?:\(cached\) )?(?:FAILED|TIMEOUT)\b"),
    )
)  # fmt: skip


def failing_test(line: str) -> FailingTest | None:
    """The test that a line reports as failed."""
    for needle, pattern in RULES:
        if needle in line and (found := pattern.match(line)):
            told = found.groupdict()
            name = told["name"].strip()
            return (
                FailingTest(name[:NAME_LENGTH], (told.get("why") or "").strip()) if name else None
            )
    return None
