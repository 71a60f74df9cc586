"""The fenced blocks of a Markdown file, and the shell script that its commands and Python examples make."""

import json
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

from markdown_it import MarkdownIt

SHELL = {"sh", "console"}
# Beginning of a command in a block that names no language; other such blocks are drawings and outputs.
COMMAND = re.compile(r"^(\$ |camillo |make |pip |uvx |\. )", re.MULTILINE)
END_OF_PYTHON = "END_OF_PYTHON"


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block."""

    document: str
    line: int
    language: str
    text: str

    @property
    def where(self) -> str:
        return f"{self.document}:{self.line}"

    @property
    def is_shell(self) -> bool:
        return self.language in SHELL or (not self.language and COMMAND.search(self.text) is not None)

    @property
    def is_python(self) -> bool:
        return self.language == "python"

    def script(self) -> str:
        """Shell commands that say where they are from, and then do what the block says."""
        body = self._python() if self.is_python else self._commands()
        return f"echo {shlex.quote('at ' + self.where)} >&2\n{body}\n"

    def _python(self) -> str:
        return f"python - <<'{END_OF_PYTHON}'\n{self.text}{END_OF_PYTHON}"

    def _commands(self) -> str:
        """All of the block or, of one with prompts, the commands without what they print."""
        if not re.search(r"^\$ ", self.text, re.MULTILINE):
            return self.text
        lines = self.text.splitlines()
        return "\n".join(_expecting_its_failure(*each) for each in _prompted(lines))


def _prompted(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each command that follows a prompt, with the first line that it prints."""
    index = 0
    while index < len(lines):
        if not lines[index].startswith("$ "):
            index += 1
            continue
        start = index
        while lines[index].endswith("\\"):
            index += 1
        index += 1
        command = "\n".join(lines[start:index]).removeprefix("$ ")
        yield command, lines[index] if index < len(lines) else ""


def _expecting_its_failure(command: str, printed: str) -> str:
    """The command, whose failure is no mistake where the document shows it."""
    expected = f"(export FAILED=/dev/null; {command})"
    if printed.startswith("camillo: "):
        return f"if {expected}; then echo 'did not fail' >&2; exit 1; fi"
    return expected if " || " in command else command


def blocks_of(root: Path, document: str) -> list[Block]:
    tokens = MarkdownIt("commonmark").parse((root / document).read_text("utf-8"))
    return [
        Block(document, (token.map or [0])[0] + 1, language_of(token.info), dedent(token.content))
        for token in tokens
        if token.type == "fence"
    ]


def inline_code_of(root: Path, document: str) -> list[str]:
    """Code between backquotes in the lines of a document."""
    tokens = MarkdownIt("commonmark").parse((root / document).read_text("utf-8"))
    inline = [child for token in tokens for child in token.children or ()]
    return [child.content for child in inline if child.type == "code_inline"]


def language_of(info: str) -> str:
    return re.split(r"[ ,]", info.strip(), maxsplit=1)[0]


def parses_as_json(text: str) -> bool:
    """Whether a text is one JSON document or a document in each line."""
    try:
        json.loads(text)
    except ValueError:
        try:
            for line in text.splitlines():
                json.loads(line)
        except ValueError:
            return False
    return True
