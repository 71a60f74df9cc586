"""Samples of short outputs, as the server makes them."""

from collections.abc import Sequence
from dataclasses import dataclass

from camillo_server.lib.outputs.summary.sample import ContentKind, Sample


@dataclass(frozen=True, slots=True)
class Output:
    """The output of a command, and what a summary has to tell of it."""

    command: str
    exit_code: int | None
    text: str
    tells: Sequence[str]
    describes: Sequence[str]
    kind: ContentKind = ContentKind.LOG
    hides: Sequence[str] = ()

    def sample(self) -> Sample:
        return whole(self.text, self.command, self.exit_code)


def whole(text: str, command: str = "", exit_code: int | None = None, name: str = "") -> Sample:
    """A sample that holds all of an output."""
    size = len(text.encode("utf-8", "replace"))
    return Sample(text, "", size, line_count(text), command=command, exit_code=exit_code, name=name)


def line_count(text: str) -> int:
    return text.count("\n") + bool(text and not text.endswith("\n"))
