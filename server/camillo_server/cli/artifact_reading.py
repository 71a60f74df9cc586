"""artifact cat, head, tail, grep."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from camillo_server.cli.artifact_options import Channel, ShownIn, name_of
from camillo_server.cli.artifact_wording import size
from camillo_server.cli.artifacts import ArtifactId
from camillo_server.cli.byte_files import bytes_bar, written
from camillo_server.cli.connection import ClientOptions, connected
from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.cli.output import note, print_message, say
from camillo_server.cli.tables import printable

if TYPE_CHECKING:
    from camillo.v1.artifact_pb2 import ArtifactMatch, ArtifactPassage
    from camillo.v1.artifact_service_pb2 import ReadArtifactResponse, SearchArtifactResponse

PAIR = re.compile(r"(-?\d*):(-?\d*)")
NOTHING_FOUND = 1
LineCount = Annotated[int, Option("--lines", "-n", min=1, help="So many lines.")]
Target = Annotated[
    str, Option("--output", "-o", metavar="FILE", help="Where to; '-': standard output.")
]


def cat(
    client: ClientOptions,
    artifact_id: ArtifactId,
    start: Annotated[
        int | None, Option(help="From this byte, from 0; negative: before the end.")
    ] = None,
    end: Annotated[int | None, Option(help="To this byte, which is not shown.")] = None,
    lines: Annotated[
        str | None,
        Option(metavar="A:B", help="Lines A to B, from 1; '812': one; '812:': the rest."),
    ] = None,
    around: Annotated[int | None, Option(metavar="LINE", help="This line and those near.")] = None,
    context: Annotated[int | None, Option("--context", "-C", help="How near. Default: 20.")] = None,
    pointer: Annotated[
        str | None, Option(help="A value of a JSON document: /users/3/name.")
    ] = None,
    elements: Annotated[
        str | None,
        Option("--slice", metavar="A:B", help="Elements of the array that the pointer names."),
    ] = None,
    channel: ShownIn = None,
    output: Target = "-",
) -> None:
    """Print an artifact, or a part of it.

    Example: camillo artifact cat npm_install_7f3k9q2mxd --lines 5:20
    """
    given = {
        "start": start,
        "end": end,
        "lines": None if lines is None else line_range(lines),
        "around": around,
        "context": context,
        "json_pointer": pointer,
        "json_slice": None if elements is None else pair(elements, "--slice"),
    }
    wanted = {name: value for name, value in given.items() if value is not None}
    _print(client, artifact_id, channel, output, wanted)


def head(
    client: ClientOptions, artifact_id: ArtifactId, count: LineCount = 10, channel: ShownIn = None
) -> None:
    """Print the first lines of an artifact.

    Example: camillo artifact head npm_install_7f3k9q2mxd -n 50
    """
    _print(client, artifact_id, channel, "-", {"head": count})


def tail(
    client: ClientOptions, artifact_id: ArtifactId, count: LineCount = 10, channel: ShownIn = None
) -> None:
    """Print the last lines of an artifact.

    Example: camillo artifact tail npm_install_7f3k9q2mxd -n 50
    """
    _print(client, artifact_id, channel, "-", {"tail": count})


def grep(
    client: ClientOptions,
    pattern: Annotated[str, Argument(help="A regular expression (RE2).")],
    artifact_id: ArtifactId,
    ignore_case: Annotated[bool, Option("--ignore-case", "-i")] = False,
    fixed: Annotated[bool, Option("--fixed-strings", "-F", help="A text, not a pattern.")] = False,
    extended: Annotated[bool, Option("--extended-regexp", "-E", hidden=True)] = False,
    context: Annotated[int, Option("--context", "-C", min=0, help="Lines around each match.")] = 0,
    before: Annotated[int | None, Option("--before-context", "-B", min=0)] = None,
    after: Annotated[int | None, Option("--after-context", "-A", min=0)] = None,
    max_count: Annotated[
        int,
        Option(
            "--max-count", "-m", min=0, show_default=False, help="End after so many. Default: 100."
        ),
    ] = 0,
    from_line: Annotated[int, Option(min=1, show_default=False, help="Begin at this line.")] = 1,
    ranked: Annotated[
        bool, Option("--ranked", help="Words, not a pattern: the passages that answer best.")
    ] = False,
    channel: ShownIn = None,
) -> None:
    """Print the lines of an artifact that match, with their numbers; exit code 1 if there are none.

    Example: camillo artifact grep "error|failed" npm_install_7f3k9q2mxd -i -C 3
    """
    query: dict[str, Any] = {"limit": max_count, "start_line": from_line}
    if not ranked:
        query["literal" if fixed else "regex"] = pattern
        query["ignore_case"] = ignore_case
        query["before"] = context if before is None else before
        query["after"] = context if after is None else after
    with connected(client) as camillo:
        shown_in = name_of(channel)
        if ranked:
            found = _show_passages(
                client,
                camillo.artifacts.passages(artifact_id, pattern, limit=max_count, channel=shown_in),
            )
        else:
            with closing(camillo.artifacts.scan(artifact_id, channel=shown_in, **query)) as steps:
                found = _show_matches(client, steps, bool(query["before"] or query["after"]))
    if not found:
        note("nothing found")
        raise typer.Exit(NOTHING_FOUND)


def _print(
    client: ClientOptions,
    artifact_id: str,
    channel: Channel | None,
    output: str,
    wanted: dict[str, Any],
) -> None:
    shown_in = name_of(channel)
    with (
        connected(client) as camillo,
        closing(camillo.artifacts.stream(artifact_id, channel=shown_in, **wanted)) as messages,
    ):
        # Before a file is made: what is not there, or not text, leaves nothing behind.
        first = next(messages, None)
        total = first.range_bytes if first is not None else 0
        done = 0
        with _sink(client, output) as write, bytes_bar("cat", total or None) as passed:
            while first is not None:
                write(first)
                done += len(first.data)
                if output != "-":
                    passed(done)
                first = next(messages, None)
    if output != "-" and not client.as_json:
        note(f"wrote {size(done)} to {output}")


@contextmanager
def _sink(client: ClientOptions, output: str) -> Iterator[Callable[[ReadArtifactResponse], Any]]:
    if client.as_json:
        yield print_message
        return
    with written(output) as sink:
        yield lambda message: sink.write(message.data)


def _show_matches(
    client: ClientOptions, steps: Iterator[SearchArtifactResponse], with_context: bool
) -> int:
    from camillo_server.cli.grep_lines import show_lines

    ended: list[int] = []

    def matches() -> Iterator[ArtifactMatch]:
        for step in steps:
            yield from step.matches
            if step.limit_reached and step.next_line:
                ended.append(step.next_line)

    if client.as_json:
        found = sum(map(_print_match, matches()))
    else:
        found = show_lines(matches(), with_context=with_context)
    if ended:
        note(
            f"note: ended after {found:,}: go on with --from-line {ended[-1]}, or allow more with -m"
        )
    return found


def _print_match(match: ArtifactMatch) -> int:
    print_message(match)
    return 1


def _show_passages(
    client: ClientOptions,
    passages: Sequence[ArtifactPassage],
) -> int:
    for place, passage in enumerate(passages):
        if client.as_json:
            print_message(passage)
            continue
        text = printable(passage.text) if sys.stdout.isatty() else passage.text
        gap = "\n" if place else ""
        say(f"{gap}--- lines {passage.first_line}-{passage.last_line}, score {passage.score:.3f}")
        say(text.rstrip("\n"))
    return len(passages)


def line_range(text: str) -> tuple[int, int | None]:
    """The lines in `5:20`, `5:`, `:20` and `5`. Raises CliError."""
    if text.isdecimal():
        return int(text), int(text)
    first, last = pair(text, "--lines")
    return 1 if first is None else first, last


def pair(text: str, option: str) -> tuple[int | None, int | None]:
    """The numbers in `5:20`, either of which may be left out. Raises CliError."""
    found = PAIR.fullmatch(text.strip())
    if found is None:
        raise CliError(f"{option} takes two numbers such as 5:20, not {text!r}", ExitCode.USAGE)
    first, last = (int(number) if number else None for number in found.groups())
    return first, last
