"""Memories as JSON lines: what `export` writes and `import` reads, without loss."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO
from uuid import uuid5

from camillo_server.cli.failures import CliError, ExitCode, one_line
from camillo_server.cli.ingest import NAMESPACE
from camillo_server.cli.output import message_json

if TYPE_CHECKING:
    from camillo.v1.memory_pb2 import Memory

# A memory with a vector of 4,096 numbers and full metadata takes about 150 kB.
LONGEST_LINE_BYTES = 4 * 1024 * 1024


def memory_line(memory: Memory) -> str:
    """One memory on one line, with its line end."""
    return message_json(memory) + "\n"


def read_memories(lines: BinaryIO) -> Iterator[tuple[Memory, int]]:
    """Each memory, and the length of its line in bytes. Raises CliError with the number of the line."""
    number = 0
    while line := lines.readline(LONGEST_LINE_BYTES + 1):
        number += 1
        if len(line) > LONGEST_LINE_BYTES:
            raise _refused(number, "is too long for a memory")
        if line.strip():
            yield _memory(line, number), len(line)


def _memory(line: bytes, number: int) -> Memory:
    from camillo.v1.memory_pb2 import Memory
    from google.protobuf.json_format import ParseDict, ParseError

    try:
        fields = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
        if not isinstance(fields, dict):
            raise _refused(number, "is not a JSON object")
        memory = ParseDict(fields, Memory())
    except UnicodeDecodeError as error:
        raise _refused(number, "is not UTF-8") from error
    except json.JSONDecodeError as error:
        raise _refused(number, f"is not JSON ({error.msg})") from error
    except (ParseError, UnicodeEncodeError, RecursionError) as error:
        reason = one_line(str(error)).partition(" Available Fields")[0][:200]
        raise _refused(number, f"is not a memory ({reason})") from error
    if not memory.memory_id:
        # So that the same line imported again is the same memory.
        memory.memory_id = str(uuid5(NAMESPACE, json.dumps(fields, sort_keys=True)))
    return memory


def _refused(number: int, reason: str) -> CliError:
    return CliError(f"line {number} {reason}", ExitCode.USAGE)
