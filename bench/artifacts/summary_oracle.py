"""What a summary of an output must name: its failing tests, or else its last error. Shares no rule with the server."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

MESSAGE_LENGTH = 40
# A summary has room for so many; that there are more it says by a count.
MOST_TESTS = 3
TESTS = (
    re.compile(r"^FAILED (\S+::\S+)", re.M),
    re.compile(r"^(?:FAIL|ERROR): (\w+) \(", re.M),
    re.compile(r"^\s*--- FAIL: (\S+)", re.M),
    re.compile(r"^test (\S+) \.\.\. FAILED$", re.M),
    re.compile(r"^\s*● (.+ › .+)$", re.M),
    re.compile(r"^not ok \d+ - (.+)$", re.M),
)
ERRORS = (
    re.compile(r"^(?:E\s+|Caused by: )?((?:\w+\.)*\w*(?:Error|Exception)): ?(.*)$"),
    re.compile(r"^- [A-Z]\d{3,4} ()(.+)$"),
    re.compile(r"^(?:\S+:\d+(?::\d+)?: )?(?:fatal )?([Ee]rror|ERROR|fatal)(?:\[\w+\])?: (.+)$"),
    re.compile(r"^npm (?:ERR!|error) (code) (\S+)$"),
    re.compile(r"^(?:[\w/.-]+: )+()(.*(?:No such file or directory|command not found|Permission denied|Is a directory))$"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Expected:
    """Texts that a summary must hold, each of them."""

    texts: Sequence[str]

    def is_named_in(self, summary: str) -> bool:
        """Whether all are there, differences of white space aside."""
        plain = " ".join(summary.split())
        return all(" ".join(text.split()) in plain for text in self.texts)


def expected(output: str) -> Expected | None:
    """The failing tests of an output or its last error; nothing where it has neither."""
    names = [name for pattern in TESTS for name in pattern.findall(output)]
    if names:
        return Expected([_last_part(name) for name in dict.fromkeys(names)][:MOST_TESTS])
    for line in reversed(output.splitlines()):
        for pattern in ERRORS:
            if found := pattern.match(line.strip()):
                said = " ".join(found[2].split())[:MESSAGE_LENGTH].strip()
                return Expected([text for text in (found[1], said) if text])
    return None


def _last_part(name: str) -> str:
    return re.split(r"::| › ", name)[-1]
