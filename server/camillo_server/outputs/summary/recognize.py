"""The form of an output, recognized by its sample, and the lines that describe it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from camillo_server.outputs.summary import code as code_summary
from camillo_server.outputs.summary import json as json_summary
from camillo_server.outputs.summary import listing as listing_summary
from camillo_server.outputs.summary import prose as prose_summary
from camillo_server.outputs.summary import table as table_summary
from camillo_server.outputs.summary.candidate_lines import last_lines
from camillo_server.outputs.summary.code import file_read_by, language_by_look, language_by_name
from camillo_server.outputs.summary.command_name import command_name
from camillo_server.outputs.summary.errors import PYTHON_OPENING
from camillo_server.outputs.summary.failing_tests import failing_test, status_of
from camillo_server.outputs.summary.sample import ContentKind, Recognized, Sample
from camillo_server.outputs.summary.shorten import counted, one_line
from camillo_server.outputs.summary.text import OutputText

OPENING_LINES, ENDING_LINES = 200, 60
READ = 64 * 1024
RUNS = frozenset((
    "pytest", "unittest", "tox", "nox", "jest", "vitest", "mocha", "cargo", "go", "make",
    "ninja", "cmake", "gcc", "g++", "clang", "tsc", "eslint", "mypy", "ruff", "flake8",
    "pylint", "mvn", "mvnw", "gradle", "gradlew", "npm", "yarn", "pnpm", "bun", "pip", "pip3",
    "uv", "poetry", "apt", "apt-get", "dnf", "yum", "apk", "brew", "docker", "podman", "bazel",
    "dotnet", "rspec", "phpunit", "ctest", "terraform", "ansible-playbook", "wget", "ping",
    "ssh", "dmesg", "journalctl", "composer", "playwright", "cypress", "webpack", "vite",
    "rollup", "swift", "xcodebuild", "javac", "rustc", "deno",
))  # fmt: skip
LOGGED = re.compile(
    r"\W{0,3}(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d\b|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* +\d"
    r"|(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|CRITICAL|NOTICE)\b|\d{1,3}(?:\.\d{1,3}){3} \S+ \S+ \[|level=)|\s+at \S+\(.*\)$|\s+File \".*\", line \d+"
)
SENTENCE = re.compile(r"[.!?。！？।؟…:,;，、][\s\"')\]*_]*$|[。！？।]")


@dataclass(frozen=True, slots=True)
class Material:
    """A sample, its text, and the lines at both ends."""

    sample: Sample
    text: OutputText
    lines: Sequence[str]
    ending: Sequence[str]


def recognized(sample: Sample, text: OutputText) -> Recognized:
    """The first form that the output has."""
    lines = text.text[:READ].split("\n")[:OPENING_LINES]
    ending = [line.text for line in last_lines(text, ENDING_LINES)]
    material = Material(sample, text, lines, ending)
    for recognize in RECOGNIZERS:
        if (found := recognize(material)) is not None:
            return found
    return _text_or_log(material)


def _json(material: Material) -> Recognized | None:
    body = prose_summary.response_body(material.text.text)
    if not body[:400].lstrip().startswith(("{", "[")):
        return None
    found = json_summary.parsed(body, not material.sample.tail)
    if found is None:
        return None
    headline = json_summary.headline(found)
    failure = json_summary.failure_in(found.value)
    if failure:
        headline = f"JSON object, error: {failure}"
    return Recognized(ContentKind.JSON, headline, tuple(json_summary.json_lines(found)))


def _json_table(material: Material) -> Recognized | None:
    opening = next((line for line in material.lines if line.strip()), "")
    return _table(material) if opening.startswith("{") else None


def _table(material: Material) -> Recognized | None:
    found = table_summary.found_table(material.lines, material.sample)
    if found is None:
        return None
    return Recognized(
        ContentKind.TABLE, table_summary.headline(found), tuple(table_summary.table_lines(found))
    )


def _diff(material: Material) -> Recognized | None:
    if not code_summary.is_diff(material.lines):
        return None
    lines = _many_lines(material.text.text, len(material.text.text))
    return Recognized(
        ContentKind.CODE,
        code_summary.diff_headline(lines),
        tuple(code_summary.diff_lines("", lines)),
    )


def _page(material: Material) -> Recognized | None:
    body = prose_summary.response_body(material.text.text)
    if not prose_summary.is_html(body):
        return None
    headline = prose_summary.html_headline(body)
    return Recognized(ContentKind.TEXT, headline, tuple(prose_summary.html_lines(body)))


def _numbered(material: Material) -> Recognized | None:
    lines = _many_lines(material.text.text, code_summary.READ)
    found = code_summary.unnumbered(lines)
    if found is None:
        return None
    file = material.sample.name or _viewed(found.around) or file_read_by(material.sample.command)
    language = language_by_name(file) or language_by_look(found.lines)
    indented = sum(line[:1].isspace() for line in found.lines)
    if not language and not file and indented < 0.5 * len(found.lines):
        return None
    opening = _code_opening(language, file, counted(len(found.lines), "line"))
    opening += f" from {found.numbers[0]:,}" if found.numbers[0] > 1 else ""
    told = tuple(code_summary.code_lines(opening, found.lines, found.numbers))
    return Recognized(ContentKind.CODE, opening, told, True, code_summary.NUMBERED)


def _viewed(around: Sequence[str]) -> str:
    """The file that a viewer names above the lines."""
    for line in around[:6]:
        if found := re.search(r"([\w./@+-]{1,200}\.\w{1,6})\b", line[:400]):
            return found[1]
    return ""


def _named_run(material: Material) -> Recognized | None:
    name = command_name(material.sample.command)
    if name.partition(" ")[0] in RUNS and name not in (
        "docker ps",
        "docker images",
        "pip list",
        "pip freeze",
    ):
        return _log(material)
    return None


def _evident_log(material: Material) -> Recognized | None:
    """Test results, counts and tracebacks; lines with times and levels."""
    shown = (
        [*material.lines, *material.ending]
        if len(material.lines) >= OPENING_LINES
        else material.lines
    )
    shown = [line[:400] for line in shown if line.strip()]
    if any(line.startswith(PYTHON_OPENING) for line in shown) or any(
        failing_test(line) for line in shown
    ):
        return _log(material)
    if any(status_of(line) for line in material.ending[-12:]):
        return _log(material)
    logged = sum(bool(LOGGED.match(line)) for line in shown)
    return _log(material) if len(shown) > 1 and logged >= 0.4 * len(shown) else None


def _listing(material: Material) -> Recognized | None:
    if material.text.is_whole and material.sample.line_count < 20_000:
        lines: Sequence[str] = _many_lines(material.text.text, len(material.text.text))
        is_whole = len(lines) >= material.sample.line_count
    else:
        lines, is_whole = material.lines, False
    if listing_summary.found_listing(material.lines, material.sample) is None:
        return None
    found = listing_summary.found_listing(lines, material.sample)
    if found is None:
        return None
    headline = listing_summary.headline(found, material.sample, is_whole)
    told = tuple(listing_summary.listing_lines(found, material.sample, is_whole))
    return Recognized(ContentKind.LOG, headline, told)


def _named_code(material: Material) -> Recognized | None:
    file = material.sample.name or file_read_by(material.sample.command)
    language = language_by_name(file)
    return _code(material, language, file) if language else None


def _code_by_look(material: Material) -> Recognized | None:
    language = language_by_look(material.lines)
    return _code(material, language, "") if language else None


def _code(material: Material, language: str, file: str) -> Recognized:
    lines = _many_lines(material.text.text, code_summary.READ)
    opening = _code_opening(language, file, counted(material.sample.line_count, "line"))
    told = code_summary.code_lines(opening, lines, range(1, len(lines) + 1))
    return Recognized(ContentKind.CODE, opening, tuple(told))


def _code_opening(language: str, file: str, lines: str) -> str:
    return f"{language or 'file'}{' ' + file.rpartition('/')[2] if file else ''}, {lines}"


def _prose_by_name(material: Material) -> Recognized | None:
    name = material.sample.name or file_read_by(material.sample.command)
    if (
        name.lower().endswith((".md", ".rst", ".txt", ".adoc"))
        or material.sample.media_type == "text/markdown"
    ):
        return _prose(material)
    return None


def _text_or_log(material: Material) -> Recognized:
    """Prose has sentences; what else a command printed is taken for a log."""
    shown = [line for line in material.lines if line.strip()]
    sentences = sum(
        (len(line.split()) >= 3 or not line.isascii())
        and bool(SENTENCE.search(line[-200:].rstrip()))
        for line in shown
    )
    has_headings = len(prose_summary.headings(shown[:100])) >= 2
    is_prose = (
        sentences >= 0.35 * len(shown)
        or has_headings
        or not (material.sample.command or len(shown) > 3)
    )
    return _prose(material) if is_prose else _log(material)


def _prose(material: Material) -> Recognized:
    lines = _many_lines(material.text.text, READ * 4)[: code_summary.MAX_LINES]
    headline = prose_summary.headline(lines, material.sample.line_count)
    opening = f"{counted(material.sample.line_count, 'line')} of text"
    told = tuple(prose_summary.prose_lines(lines, opening))
    return Recognized(ContentKind.TEXT, headline, told, True)


def _log(material: Material) -> Recognized:
    headline = counted(material.sample.line_count, "line")
    first = next((line for line in material.lines if line.strip()), "")
    told = f"{headline}: {one_line(first[:300])}" if first else headline
    return Recognized(ContentKind.LOG, told, (), True)


def _many_lines(text: str, most: int) -> Sequence[str]:
    return text[:most].split("\n", code_summary.MAX_LINES * 4)[: code_summary.MAX_LINES * 4]


# The first that knows the output decides.
RECOGNIZERS: tuple[Callable[[Material], Recognized | None], ...] = (
    _json,
    _json_table,
    _diff,
    _page,
    _numbered,
    _named_run,
    _named_code,
    _prose_by_name,
    _evident_log,
    _listing,
    _table,
    _code_by_look,
)
