"""The form of an output, recognized by its sample, and the lines that describe it."""

import re
from collections.abc import Callable

from camillo_server.lib.outputs.summary.code import (
    recognize_code,
    recognize_diff,
    recognize_named_code,
    recognize_numbered,
)
from camillo_server.lib.outputs.summary.command_name import command_name
from camillo_server.lib.outputs.summary.errors import PYTHON_OPENING
from camillo_server.lib.outputs.summary.failing_tests import failing_test, status_of
from camillo_server.lib.outputs.summary.json import recognize_json
from camillo_server.lib.outputs.summary.prose import (
    headings,
    recognize_named_prose,
    recognize_page,
    recognize_prose,
    response_body,
)
from camillo_server.lib.outputs.summary.sample import (
    ContentKind,
    Material,
    OutputText,
    Recognized,
    Sample,
    counted,
    one_line,
)
from camillo_server.lib.outputs.summary.table import recognize_json_lines, recognize_listing, recognize_table

OPENING_LINES, ENDING_LINES = 200, 60
READ = 64 * 1024
# Programs whose output is a log, but for those that print a table.
RUNS = frozenset((
    "pytest", "unittest", "tox", "nox", "jest", "vitest", "mocha", "cargo", "go", "make",
    "ninja", "cmake", "gcc", "g++", "clang", "tsc", "eslint", "mypy", "ruff", "flake8",
    "pylint", "mvn", "mvnw", "gradle", "gradlew", "npm", "yarn", "pnpm", "bun", "pip", "pip3",
    "uv", "poetry", "apt", "apt-get", "dnf", "yum", "apk", "brew", "docker", "podman", "bazel",
    "dotnet", "rspec", "phpunit", "ctest", "terraform", "ansible-playbook", "wget", "ping",
    "ssh", "dmesg", "journalctl", "composer", "playwright", "cypress", "webpack", "vite",
    "rollup", "swift", "xcodebuild", "javac", "rustc", "deno",
))  # fmt: skip
TABLES = frozenset(("docker ps", "docker images", "pip list", "pip freeze"))
LOGGED = re.compile(
    r"\W{0,3}(?:\d{4}[-/]\d\d[-/]\d\d[T "
    r"]\d\d:\d\d|\d\d:\d\d:\d\d\b|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* +\d"  # noqa: E501
    r"|(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|CRITICAL|NOTICE)\b|\d{1,3}(?:\.\d{1,3}){3} \S+ \S+ "
    r"\[|level=)|\s+at \S+\(.*\)$|\s+File \".*\", line \d+"
)
SENTENCE = re.compile(r"[.!?。！？।؟…:,;，、][\s\"')\]*_]*$|[。！？।]")


def recognized(sample: Sample, text: OutputText) -> Recognized:
    """The first form that the output has."""
    lines = text.text[:READ].split("\n")[:OPENING_LINES]
    ending = [line.text for line in text.last_lines(ENDING_LINES)]
    material = Material(sample, text, response_body(text.text), lines, ending)
    for recognize in RECOGNIZERS:
        if (found := recognize(material)) is not None:
            return found
    return _prose_or_log(material)


def _named_run(material: Material) -> Recognized | None:
    name = command_name(material.sample.command)
    is_run = name.partition(" ")[0] in RUNS and name not in TABLES
    return _log(material) if is_run else None


def _evident_log(material: Material) -> Recognized | None:
    """Test results, counts and tracebacks; lines with times and levels."""
    is_long = len(material.lines) >= OPENING_LINES
    lines = [*material.lines, *material.ending] if is_long else material.lines
    shown = [line[:400] for line in lines if line.strip()]
    if any(line.startswith(PYTHON_OPENING) or failing_test(line) for line in shown) or any(
        map(status_of, material.ending[-12:])
    ):
        return _log(material)
    logged = sum(bool(LOGGED.match(line)) for line in shown)
    return _log(material) if len(shown) > 1 and logged >= 0.4 * len(shown) else None


def _prose_or_log(material: Material) -> Recognized:
    """Prose has sentences; what else a command printed is taken for a log."""
    shown = [line for line in material.lines if line.strip()]
    sentences = sum(
        (len(line.split()) >= 3 or not line.isascii()) and bool(SENTENCE.search(line[-200:].rstrip())) for line in shown
    )
    is_prose = (
        sentences >= 0.35 * len(shown)
        or len(headings(shown[:100])) >= 2
        or not (material.sample.command or len(shown) > 3)
    )
    return recognize_prose(material) if is_prose else _log(material)


def _log(material: Material) -> Recognized:
    headline = counted(material.sample.line_count, "line")
    if first := next((line for line in material.lines if line.strip()), ""):
        headline += f": {one_line(first[:300])}"
    return Recognized(ContentKind.LOG, headline, holds_messages=True)


# The first that knows the output decides.
RECOGNIZERS: tuple[Callable[[Material], Recognized | None], ...] = (
    recognize_json,
    recognize_json_lines,
    recognize_diff,
    recognize_page,
    recognize_numbered,
    _named_run,
    recognize_named_code,
    recognize_named_prose,
    _evident_log,
    recognize_listing,
    recognize_table,
    recognize_code,
)
