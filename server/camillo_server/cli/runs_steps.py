"""Options that say what happened in a round of a run."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from camillo_server.cli.arguments import given_text
from camillo_server.cli.events_options import json_object
from camillo_server.cli.failures import CliError, ExitCode, one_line

if TYPE_CHECKING:
    from camillo.v1.run_pb2 import RunStep

CALL = "A call"
STDIN = Path("-")


@dataclass(frozen=True, slots=True)
class StepOptions:
    """A call before the answer, or any number of steps."""

    call: Annotated[
        str, Option(help="A function that was called.", show_default=False, rich_help_panel=CALL)
    ] = ""
    arguments: Annotated[
        str | None, Option(metavar="JSON", help="What it was given.", rich_help_panel=CALL)
    ] = None
    result: Annotated[
        str, Option(help="What it answered.", show_default=False, rich_help_panel=CALL)
    ] = ""
    failed: Annotated[bool, Option("--failed", help="It failed.", rich_help_panel=CALL)] = False
    from_file: Annotated[
        Path | None,
        Option(
            "--steps",
            metavar="FILE",
            help="Steps as JSON lines, as the contract has them; '-': from standard input.",
        ),
    ] = None

    def steps(self, answer: list[str] | None) -> list[RunStep]:
        """What happened, in order. Raises CliError."""
        from camillo.v1.run_pb2 import RunStep
        from camillo_client import function_call

        if self.from_file is not None:
            if self.call or answer:
                raise CliError("give --steps, or a call and an answer", ExitCode.USAGE)
            return list(_read_steps(self.from_file))
        if not self.call and (self.arguments is not None or self.result or self.failed):
            raise CliError("name the function with --call", ExitCode.USAGE)
        found = []
        if self.call:
            given = None if self.arguments is None else json_object(self.arguments, "--arguments")
            found.append(function_call(self.call, given, self.result, is_error=self.failed))
        # After a call nothing has been answered yet, perhaps: then standard input is not waited for.
        if answer or not self.call:
            found.append(RunStep(llm_response=given_text(answer)))
        return found


def _read_steps(path: Path) -> Iterator[RunStep]:
    data = sys.stdin.buffer.read() if path == STDIN else path.read_bytes()
    for number, line in enumerate(data.splitlines(), 1):
        if line.strip():
            yield _step(line, number)


def _step(line: bytes, number: int) -> RunStep:
    from camillo.v1.run_pb2 import RunStep
    from google.protobuf.json_format import ParseDict, ParseError

    try:
        fields: Any = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
        return ParseDict(fields, RunStep())
    except UnicodeDecodeError as error:
        raise _refused(number, "is not UTF-8") from error
    except json.JSONDecodeError as error:
        raise _refused(number, f"is not JSON ({error.msg})") from error
    except (ParseError, AttributeError, TypeError, UnicodeEncodeError, RecursionError) as error:
        reason = one_line(str(error)).partition(" Available Fields")[0][:200]
        raise _refused(number, f"is not a step ({reason})") from error


def _refused(number: int, reason: str) -> CliError:
    return CliError(f"line {number} {reason}", ExitCode.USAGE)
