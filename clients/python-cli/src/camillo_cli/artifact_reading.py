"""artifact cat, head, tail, grep: parts of the content of an artifact."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from camillo_cli.arguments import line_range, number_range
from camillo_cli.artifacts import ArtifactId
from camillo_cli.connection import ClientOptions, connected
from camillo_cli.format import printable, size
from camillo_cli.options import Channel, ShownIn, literal
from camillo_cli.output import (
    byte_bar,
    console,
    note,
    open_output,
    print_message,
    print_text,
    say,
)

if TYPE_CHECKING:
    from rich.text import Text

    from camillo.v1.artifact_pb2 import ArtifactLine, ArtifactMatch, ArtifactPassage, CharacterSpan
    from camillo.v1.artifact_service_pb2 import ReadArtifactResponse, SearchArtifactResponse

# The exit code of grep where no line matches.
NOTHING_FOUND = 1
CUT = "…"
LineCount = Annotated[int, Option("--lines", "-n", min=1, help="Number of lines.")]


def cat(
    client: ClientOptions,
    artifact_id: ArtifactId,
    start: Annotated[int | None, Option(help="From this byte, counted from 0; negative: from the end.")] = None,
    end: Annotated[int | None, Option(help="Up to this byte, without it.")] = None,
    lines: Annotated[
        str | None,
        Option(metavar="A:B", help="Lines A to B, from 1; '812': one line; '812:': the rest."),
    ] = None,
    around: Annotated[int | None, Option(metavar="LINE", help="This line, and the lines around it.")] = None,
    context: Annotated[int | None, Option("--context", "-C", help="Lines on each side. Default: 20.")] = None,
    pointer: Annotated[str | None, Option(help="A value of a JSON document: /users/3/name.")] = None,
    elements: Annotated[
        str | None, Option("--slice", metavar="A:B", help="Elements of the array at the pointer.")
    ] = None,
    channel: ShownIn = None,
    output: Annotated[str, Option("--output", "-o", metavar="FILE", help="Write to it; '-': standard output.")] = "-",
) -> None:
    """Print an artifact, or a part of it.

    Example: camillo artifact cat npm_install_7f3k9q2mxd --lines 5:20
    """
    options = {
        "start": start,
        "end": end,
        "lines": None if lines is None else line_range(lines),
        "around": around,
        "context": context,
        "json_pointer": pointer,
        "json_slice": None if elements is None else number_range(elements, "--slice"),
    }
    part = {name: value for name, value in options.items() if value is not None}
    _print_part(client, artifact_id, channel, part, output)


def head(client: ClientOptions, artifact_id: ArtifactId, count: LineCount = 10, channel: ShownIn = None) -> None:
    """Print the first lines of an artifact.

    Example: camillo artifact head npm_install_7f3k9q2mxd -n 50
    """
    _print_part(client, artifact_id, channel, {"head": count})


def tail(client: ClientOptions, artifact_id: ArtifactId, count: LineCount = 10, channel: ShownIn = None) -> None:
    """Print the last lines of an artifact.

    Example: camillo artifact tail npm_install_7f3k9q2mxd -n 50
    """
    _print_part(client, artifact_id, channel, {"tail": count})


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
        Option("--max-count", "-m", min=0, show_default=False, help="At most this many. Default: 100."),
    ] = 0,
    from_line: Annotated[int, Option(min=1, show_default=False, help="Start at this line.")] = 1,
    ranked: Annotated[bool, Option("--ranked", help="Rank passages by the words of the pattern.")] = False,
    channel: ShownIn = None,
) -> None:
    """Print the lines of an artifact that match, with their numbers. Exit code 1 if there are none.

    Example: camillo artifact grep "error|failed" npm_install_7f3k9q2mxd -i -C 3
    """
    query: dict[str, Any] = {
        "limit": max_count,
        "start_line": from_line,
        "literal" if fixed else "regex": pattern,
        "ignore_case": ignore_case,
        "before": context if before is None else before,
        "after": context if after is None else after,
    }
    shown_in = literal(channel)
    with connected(client) as camillo:
        if ranked:
            passages = camillo.artifacts.passages(artifact_id, pattern, limit=max_count, channel=shown_in)
            count = _print_passages(client, passages)
        else:
            with closing(camillo.artifacts.scan(artifact_id, channel=shown_in, **query)) as steps:
                count = _print_matches(client, steps, bool(query["before"] or query["after"]))
    if not count:
        note("nothing found")
        raise typer.Exit(NOTHING_FOUND)


def _print_part(
    client: ClientOptions,
    artifact_id: str,
    channel: Channel | None,
    part: dict[str, Any],
    output: str = "-",
) -> None:
    with (
        connected(client) as camillo,
        closing(camillo.artifacts.stream(artifact_id, channel=literal(channel), **part)) as messages,
    ):
        # Read before the file is created: what is missing, or not text, leaves no file behind.
        first = list(islice(messages, 1))
        total = sum(message.range_bytes for message in first)
        done = 0
        with _writer(client, output) as write, byte_bar("cat", total or None) as report:
            for message in chain(first, messages):
                write(message)
                done += len(message.data)
                if output != "-":
                    report(done)
    if output != "-" and not client.as_json:
        note(f"wrote {size(done)} to {output}")


@contextmanager
def _writer(client: ClientOptions, output: str) -> Iterator[Callable[[ReadArtifactResponse], Any]]:
    if client.as_json:
        yield print_message
        return
    with open_output(output) as sink:
        yield lambda message: sink.write(message.data)


def _print_matches(client: ClientOptions, steps: Iterable[SearchArtifactResponse], with_context: bool) -> int:
    """Prints the matches; returns how many there are."""
    next_line = 0

    def matches() -> Iterator[ArtifactMatch]:
        nonlocal next_line
        for step in steps:
            yield from step.matches
            if step.limit_reached:
                next_line = step.next_line

    count = 0
    if client.as_json:
        for match in matches():
            print_message(match)
            count += 1
    else:
        count = _print_lines(matches(), with_context=with_context)
    if next_line:
        note(f"note: ended after {count:,}: continue with --from-line {next_line}, or allow more with -m")
    return count


def _print_passages(client: ClientOptions, passages: Sequence[ArtifactPassage]) -> int:
    for number, passage in enumerate(passages):
        if client.as_json:
            print_message(passage)
            continue
        gap = "\n" if number else ""
        say(f"{gap}--- lines {passage.first_line}-{passage.last_line}, score {passage.score:.3f}")
        print_text(passage.text.rstrip("\n"))
    return len(passages)


@dataclass(frozen=True, slots=True)
class GrepLine:
    """A line to print; `spans` are the matches in it, none for a line around a match."""

    number: int
    text: str
    is_match: bool
    spans: tuple[tuple[int, int], ...] = ()


def grep_lines(matches: Iterable[ArtifactMatch]) -> Iterator[GrepLine | None]:
    """Each line once, in order, though it may be around several matches; None where lines are left out between."""
    last = 0
    after: Iterable[ArtifactLine] = ()
    for match in matches:
        around = [*after, *match.before]
        fresh = {line.number: line for line in around if last < line.number < match.line.number}
        for line in (*map(_grep_line, fresh.values()), _grep_line(match.line, match.spans)):
            if last and line.number > last + 1:
                yield None
            yield line
            last = line.number
        after = match.after
    yield from (_grep_line(line) for line in after if line.number > last)


def _grep_line(line: ArtifactLine, spans: Iterable[CharacterSpan] | None = None) -> GrepLine:
    """A line that matches in these spans; without spans a line around a match."""
    text = line.text + CUT if line.is_cut else line.text
    pairs = tuple((span.start, span.end) for span in spans or ())
    return GrepLine(line.number, text, spans is not None, pairs)


def colored(line: GrepLine) -> Text:
    """A line as grep shows it on a terminal, without characters that would control it."""
    from rich.text import Text

    text = Text.assemble((str(line.number), "green"), (":" if line.is_match else "-", "cyan"))
    position = 0
    for start, end in line.spans:
        text.append(printable(line.text[position:start]))
        text.append(printable(line.text[start:end]), "bold red")
        position = end
    text.append(printable(line.text[position:]))
    return text


def _print_lines(matches: Iterable[ArtifactMatch], *, with_context: bool) -> int:
    """Prints `12:` before a match, `13-` before a line around it, `--` between groups; returns how many match."""
    count = 0
    for line in grep_lines(matches):
        if line is None:
            if with_context:
                say("--")
            continue
        count += line.is_match
        if console().is_terminal:
            console().print(colored(line), soft_wrap=True)
        else:
            say(f"{line.number}{':' if line.is_match else '-'}{line.text}")
    return count
