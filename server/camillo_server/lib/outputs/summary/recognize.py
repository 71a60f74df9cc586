"""The form of an output, recognized by its sample, and the lines that describe it; and the name of a command in a few
words: `npm install` of `cd web && CI=1 npm install --silent 2>&1 | tail -50`."""

import re
from collections.abc import Callable, Iterator
from itertools import dropwhile, pairwise

from camillo_server.lib.outputs.summary.code import (
    recognize_code,
    recognize_diff,
    recognize_named_code,
    recognize_numbered,
)
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

MAX_CHARACTERS = 40
READ_CHARACTERS = 2_000
SEPARATORS = re.compile(r"&&|\|\||[;\n|]")
ASSIGNMENT = re.compile(r"[A-Za-z_]\w{0,100}=\S{0,500}$")
NUMBER = re.compile(r"\d+[smhd]?$")
PREPARATIONS = frozenset((
    "cd", "pushd", "popd", "export", "set", "source", ".", "echo", "true", "sleep", "mkdir",
    "which", "type", "ulimit", "umask", "unset",
))  # fmt: skip
WRAPPERS = frozenset((
    "sudo", "env", "time", "timeout", "nice", "nohup", "exec", "command", "xvfb-run", "stdbuf",
    "unbuffer", "ionice", "doas",
))  # fmt: skip
RUNNERS = frozenset((
    "uv", "poetry", "pipenv", "pdm", "hatch", "rye", "npx", "pnpx", "bunx", "bundle", "yarn",
    "pnpm", "pipx", "conda",
))  # fmt: skip
INTERPRETERS = re.compile(r"(?:python|pypy)[\d.]*$")
SHELL_COMMAND = re.compile(r"\s{0,20}(?:/bin/|/usr/bin/)?(?:ba|z|da)?sh -l?c ['\"]?([^\s'\"].*)", re.DOTALL)
VERB = re.compile(r"[a-z][\w:-]{0,30}$")
# Programs that are named with the script that they run.
WITH_SCRIPT = frozenset(("node", "ruby", "perl", "php", "bash", "sh", "zsh", "dash"))
# Programs of which the first argument says what they do.
WITH_VERB = frozenset((
    "git", "npm", "yarn", "pnpm", "bun", "deno", "cargo", "go", "docker", "docker-compose",
    "podman", "kubectl", "helm", "terraform", "tofu", "pip", "pip3", "uv", "poetry", "apt",
    "apt-get", "dnf", "yum", "brew", "apk", "conda", "mvn", "gradle", "gradlew", "make",
    "just", "dotnet", "gh", "aws", "gcloud", "az", "systemctl", "composer", "bundle", "rails",
    "mix", "swift", "flutter", "dart", "nx", "turbo", "lerna", "tox", "nox", "hatch", "pdm",
    "pre-commit", "ansible", "alembic", "manage.py", "ruff",
))  # fmt: skip


def command_name(command: str) -> str:
    """The program with what it does; nothing where no command is known."""
    if quoted := SHELL_COMMAND.match(command[:READ_CHARACTERS]):
        return command_name(quoted[1])
    steps = map(str.split, SEPARATORS.split(command[:READ_CHARACTERS].replace("2>&1", "")))
    programs = [words for words in map(_without_wrappers, steps) if words]
    telling = [words for words in programs if words[0] not in PREPARATIONS] or programs
    return _short_name(telling[0])[:MAX_CHARACTERS] if telling else ""


def _without_wrappers(words: list[str]) -> list[str]:
    bare = [word.strip("'\"()`{}") for word in words]
    rest = [*dropwhile(_is_before_program, bare)]
    return rest or [word for word in bare[:1] if word in WRAPPERS]


def _is_before_program(word: str) -> bool:
    return (
        not word
        or word.startswith("-")
        or word.rpartition("/")[2] in WRAPPERS
        or bool(ASSIGNMENT.match(word) or NUMBER.match(word))
    )


def _short_name(words: list[str]) -> str:
    name = words[0].rpartition("/")[2] or words[0]
    plain = [
        word
        for before, word in pairwise(words)
        if word and not word.startswith(("-", "<", ">")) and before not in ("-C", "-f", "-p", "-n")
    ]
    if INTERPRETERS.match(name):
        return _python(words, plain, name)
    if name in RUNNERS and plain:
        rest = plain[1:] if plain[0] in ("run", "exec", "dlx", "x") else plain
        if rest and (rest is not plain or name in ("npx", "pnpx", "bunx")):
            return _short_name(rest)
    if name in WITH_VERB and plain and VERB.match(plain[0]):
        return " ".join([name, *_verbs(plain)])
    if "-e" in words[:2]:
        return f"{name} -e"
    if name in WITH_SCRIPT and plain:
        return f"{name} {plain[0].rpartition('/')[2]}"
    return name


def _verbs(plain: list[str]) -> Iterator[str]:
    yield plain[0].rpartition("/")[2]
    if plain[0] in ("run", "compose", "exec") and len(plain) > 1 and plain[1] != ".":
        yield plain[1].rpartition("/")[2]


def _python(words: list[str], plain: list[str], name: str) -> str:
    if "-m" in words[:-1]:
        module_words = words[words.index("-m") + 1 :]
        return _short_name(module_words) if module_words[0] in WITH_VERB else module_words[0]
    if "-c" in words:
        return f"{name} -c"
    if not plain:
        return name
    script = plain[0].rpartition("/")[2]
    if script == "manage.py" and len(plain) > 1:
        return f"manage.py {plain[1]}"
    return f"{name} {script}"


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
    lines = text.text[:READ].split("\n", OPENING_LINES)[:OPENING_LINES]
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
