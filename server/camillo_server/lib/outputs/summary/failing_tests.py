"""The names of failing tests, as test runners of many languages write them."""

import re
from dataclasses import dataclass

from camillo_server.lib.text.pattern_scan import FittingRules, LineRules

MAX_NAME, MAX_STATUS = 160, 200
# Each with a word that a line must have before the pattern is tried.
RULES = LineRules(
    ([word], re.compile(pattern))
    for word, pattern in (
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
        ("FAIL ", r"\s{0,4}(?:❯ )?FAIL  ?(?:\|[^|]{1,40}\| )?(?P<name>[^\s\[]\S{0,200}\.\w{1,6}(?: >.*?)?)(?: \(.*\)| "
                  r"\[.*\]| [\d.]+ m?s)?$"),
        (" > ", r"\s*[×✗✘] (?P<name>\S+\.\w+(?::\d+)* .{0,100}?> .{1,200}?)(?: \(?[\d.]+ ?m?s\)?)?$"),
        ("✕", r"\s*✕ (?P<name>.{1,200}?)(?: \([\d.]+ ?m?s\))?$"),
        ("✗", r"\s*✗ (?P<name>.{1,200}?)(?: \([\d.]+ ?m?s\))?$"),
        ("✘", r"\s*✘\s+(?:\d+ )?(?P<name>.{1,200}?)(?: \([\d.]+ ?m?s\))?$"),
        ("✖ ", r"\s*✖ (?!\d+ problem|failing tests:)(?P<name>.{1,200}?)(?: \([\d.]+ ?m?s\))?$"),
        ("] › ", r"\s*\d+\) (?P<name>\[\w+\] › .{1,200}?)\s*[─]*$"),
        ("not ok ", r"\s*not ok \d+ (?:- )?(?P<name>.{1,200}?)(?: # .*)?$"),
        # Java: surefire, its summary, gradle
        ("<<< ", r"(?:\[ERROR\] +)?(?P<name>\S{1,250})\s+(?:--\s+)?Time elapsed: \S+ s(?:ec)?\s+<<< "
                 r"(?:FAILURE|ERROR)!"),
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
# Each with a word that a line, in lower case, must have; groups named `bad` and `good` hold the counts for the
# description.
STATUS_RULES = LineRules(
    ([word], re.compile(pattern))
    for word, pattern in (
        # pytest, unittest, jest, vitest, mocha, node, cargo, GoogleTest, CTest
        (" in ", r"=* ?(?P<what>(?:no tests ran|\d+ "
                 r"(?:passed|failed|error|skipped|warning|deselected|xfailed|xpassed|rerun|subtest)).* in [\d.]+ "
                 r"?s.*?)[ =]*$"),
        ("ran ", r"(?P<what>Ran \d+ tests? in .*)"),
        ("failed (", r"(?P<what>FAILED \(\w+(?: \w+)?=\d+(?:, \w+(?: \w+)?=\d+)*\))"),
        ("ok", r"(?P<what>OK(?: \(.*\))?)$"),
        ("tests", r"\s*(?P<what>Tests?(?: Suites| Files)?:? {1,8}\d+ (?:failed|passed|skipped|total|todo|pending).*)"),
        ("test files", r"\s*(?P<what>Test Files +\d+ .*)"),
        ("test suites", r"\s*(?P<what>Test Suites: +\d+ .*)"),
        ("ing", r"\s+(?:✔ |✓ |✗ |✖ )?(?P<what>\d+ (?:passing|failing|pending)(?: \(.*\))?)$"),
        ("# ", r"(?P<what># (?:pass|fail|tests) +\d+)$"),
        ("ℹ ", r"ℹ (?P<what>(?:pass|fail|tests) \d+)$"),
        ("test result", r"(?P<what>test result: .*)"),
        ("] ", r"\[  (?:PASSED|FAILED)  \] (?P<what>\d+ tests?.*)"),
        ("tests finished", r"(?P<what>tests finished: .*)"),
        ("tests passed", r"(?P<what>\d+% tests passed, .*)"),
        # JVM, Ruby, PHP, .NET, Playwright, Robot
        ("tests run:", r"(?:\[\w+\] ?)?(?:\[\w+\] ?)?(?P<what>Tests run: \d+, Failures: \d+, Errors: \d+(?:, Skipped: "
                       r"\d+)?)[\s!]*$"),
        ("build ", r"(?:\[\w+\] ?)?(?P<what>BUILD (?:SUCCESS|FAILURE|FAILED|SUCCESSFUL|ERROR)\b.*)"),
        ("completed", r"(?P<what>\d+ tests? completed, .*)"),
        ("examples", r"(?P<what>\d+ examples?, \d+ failures?.*)"),
        ("assertions", r"(?P<what>(?:OK \()?(?:Tests: )?\d+(?: tests)?, (?:Assertions: )?\d+(?: assertions)?.*)"),
        ("passed", r"(?P<what>(?:Failed!|Passed!) +- .*)"),
        ("tests, ", r"(?P<what>\d+ tests?, \d+ (?:passed|failures?|failed).*)"),
        ("passed", r"\s{0,4}(?P<what>\d+ (?:passed|failed|flaky|did not run)(?: \([\d.]+m?s?\))?)$"),
        ("failed", r"\s{0,4}(?P<what>\d+ failed)$"),
        # compilers and linters
        ("found ", r"(?:\[\w+\] )?(?P<what>Found \d+ (?:errors?|warnings?|issues?)\b.*)"),
        ("no issues", r"(?P<what>Success: no issues found.*)"),
        ("checks passed", r"(?P<what>All checks passed!)"),
        ("problem", r"\s*(?P<what>✖ \d+ problems? \(.*\))"),
        ("generated", r"(?P<what>(?:\d+ \w+ and )?\d+ (?:errors?|warnings?) generated\.)"),
        ("generated", r"(?P<what>warning: `.{1,100}` \(.*\) generated \d+ warnings?.*)"),
        ("due to", r"(?P<what>error: (?:could not compile|aborting due to) .*)"),
        ("errors", r"(?P<what>\d+ errors?(?:,? (?:and )?\d+ warnings?)?)$"),
        ("finished", r"\s+(?P<what>Finished .*target\(s\) in .*)"),
        ("reformatted", r"(?P<what>(?:Oh no!|All done!|\d+ files? (?:would be )?(?:reformatted|left unchanged)).*)"),
        # packages, images, infrastructure, version control
        ("added ", r"(?P<what>(?:added|removed|changed|up to date).{0,40}? \d+ packages?\b.*)"),
        ("vulnerabilit", r"(?P<what>(?:found )?\d+ (?:\w+ severity )?vulnerabilit.*)"),
        ("successfully", r"(?P<what>Successfully (?:installed|built|tagged|uninstalled) .*)"),
        ("newly installed", r"(?P<what>\d+ (?:packages )?upgraded, \d+ newly installed.*)"),
        ("to add", r"(?P<what>Plan: \d+ to add.*)"),
        ("apply ", r"(?P<what>Apply complete! .*)"),
        ("unreachable=", r"(?P<what>\S+ +: ok=\d+.*)"),
        ("changed", r"\s?(?P<what>\d+ files? changed(?:, \d+ \w+\([+-]\))*)$"),
        ("on branch", r"(?P<what>(?:On branch|Your branch is) .*)"),
        ("nothing to commit", r"(?P<what>nothing to commit.*)"),
        ("merge failed", r"(?P<what>Automatic merge failed.*)"),
        ("done in", r"\s*(?:✨ +)?(?P<what>Done in [\d.]+ ?m?s.*)"),
        ("built in", r"\s*(?:✓ )?(?P<what>built in [\d.]+m?s)"),
        ("packets transmitted", r"(?P<what>\d+ packets transmitted.*)"),
        ("exit", r"(?P<what>(?:[Pp]rocess |[Cc]ommand )?(?:completed|finished|exited|failed) with (?:exit "
                 r")?(?:code|status):? -?\d+.*)"),
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FailingTest:
    """A test, or a file of tests that could not run, and the reason printed for it."""

    name: str
    why: str = ""


def failing_test(line: str, rules: FittingRules[re.Pattern[str]] = RULES) -> FailingTest | None:
    """The test that a line reports as failed."""
    for pattern in rules.fitting(line):
        if found := pattern.match(line):
            groups = found.groupdict()
            name, why = groups["name"].strip(), (groups.get("why") or "").strip()
            return FailingTest(name[:MAX_NAME], why) if name else None
    return None


def status_of(line: str, rules: FittingRules[re.Pattern[str]] = STATUS_RULES) -> str:
    """The counts or the outcome that a line prints; empty where it prints neither."""
    for pattern in rules.fitting(line.lower()):
        if found := pattern.match(line):
            return found["what"].strip()[:MAX_STATUS]
    return ""
