"""Lines of an open file, one in memory at a time."""

from collections.abc import Iterator
from typing import BinaryIO

LONGEST_LINE_BYTES = 16 * 1024 * 1024


def numbered_lines(
    file: BinaryIO, longest: int = LONGEST_LINE_BYTES
) -> Iterator[tuple[int, bytes | None]]:
    """Each line that is not blank, with its number from 1; None in place of one that is too long."""
    number = 0
    while line := file.readline(longest + 1):
        number += 1
        if len(line) > longest:
            _pass_over_rest(file, line, longest)
            yield number, None
        elif line.strip():
            yield number, line


def _pass_over_rest(file: BinaryIO, line: bytes, longest: int) -> None:
    while line and not line.endswith(b"\n"):
        line = file.readline(longest)
