"""The name of a command, in a few words: `npm install` of `cd web && CI=1 npm install --silent 2>&1 | tail -50`."""

import re
from collections.abc import Iterator
from itertools import dropwhile, pairwise

MAX_CHARACTERS = 40
READ = 2_000
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
    if quoted := SHELL_COMMAND.match(command[:READ]):
        return command_name(quoted[1])
    steps = map(str.split, SEPARATORS.split(command[:READ].replace("2>&1", "")))
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
