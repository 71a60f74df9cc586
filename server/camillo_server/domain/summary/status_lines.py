"""Lines in which tools count what they did, and say how it ended."""

import re

# Each with a word that a line, in lower case, must have; groups named `bad` and `good` hold the counts for the description.
RULES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (needle, re.compile(pattern))
    for needle, pattern in (
        # pytest, unittest, jest, vitest, mocha, node, cargo, GoogleTest, CTest
        (" in ", r"=* ?(?P<what>(?:no tests ran|\d+ (?:passed|failed|error|skipped|warning|deselected|xfailed|xpassed|rerun|subtest)).* in [\d.]+ ?s.*?)[ =]*$"),
        ("ran ", r"(?P<what>Ran \d+ tests? in .*)"),
        ("failed (", r"(?P<what>FAILED \((?:\w+ ?\w*=\d+(?:, )?)+\))"),
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
        ("tests run:", r"(?:\[\w+\] ?)?(?:\[\w+\] ?)?(?P<what>Tests run: \d+, Failures: \d+, Errors: \d+(?:, Skipped: \d+)?)[\s!]*$"),
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
        ("exit", r"(?P<what>(?:[Pp]rocess |[Cc]ommand )?(?:completed|finished|exited|failed) with (?:exit )?(?:code|status):? -?\d+.*)"),
    )
)  # fmt: skip
MOST_LENGTH = 200
NUMBER = re.compile(r"\d")


def status_of(line: str) -> str:
    """What a line counts or states as the end of things; nothing if it does neither."""
    low = line.lower()
    for needle, pattern in RULES:
        if needle in low and (found := pattern.match(line)):
            return found["what"].strip()[:MOST_LENGTH]
    return ""
