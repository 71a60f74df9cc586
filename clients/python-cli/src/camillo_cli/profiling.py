"""profile: what a running server spends its processor time on."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from typer import Option

from camillo_cli.connection import ClientOptions, administering
from camillo_cli.format import size
from camillo_cli.options import literal
from camillo_cli.output import note, open_output, print_value

ProfileFormat = StrEnum("ProfileFormat", "FLAMEGRAPH RAW SPEEDSCOPE")
SUFFIXES = {"flamegraph": "svg", "raw": "txt", "speedscope": "json"}


def profile(
    client: ClientOptions,
    seconds: Annotated[int, Option("--seconds", min=1, max=60, help="How long the server is watched.")] = 10,
    rate: Annotated[
        int,
        Option(
            "--rate",
            min=1,
            max=1000,
            help="Samples a second; each stops the server for about a millisecond.",
        ),
    ] = 100,
    format: Annotated[
        ProfileFormat,
        Option(
            "--format",
            help="A flame graph (SVG, for a browser), stacks as lines of text, or a file for speedscope.app.",
        ),
    ] = ProfileFormat.FLAMEGRAPH,
    output: Annotated[
        str | None,
        Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write to it; '-': standard output. [default: camillo-profile.svg, .txt or .json]",
        ),
    ] = None,
) -> None:
    """Show what a running server spends its processor time on, as py-spy sees it (needs the role root).

    If there are several processes, the one that answers is watched.

    Example: camillo profile --seconds 30
    """
    target = output or f"camillo-profile.{SUFFIXES[format]}"
    note(f"watching the server at {client.address} for {seconds} s")
    with administering(client) as camillo, open_output(target) as file:
        answer = camillo.admin.profile_server(
            seconds=seconds,
            samples_per_second=rate,
            format=literal(format),
            timeout=seconds + client.timeout,
        )
        file.write(answer.profile)
    if target == "-":
        return
    values = {"output": target, "bytes": len(answer.profile), "process_id": answer.process_id}
    text = f"wrote {size(len(answer.profile))} of process {answer.process_id} to {target}"
    print_value(values, text, as_json=client.as_json)
