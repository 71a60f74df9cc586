"""run start, append, inject, render, end."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from camillo_server.cli.arguments import given_text
from camillo_server.cli.choices import Sensitivity
from camillo_server.cli.connection import ClientOptions, connected
from camillo_server.cli.events_options import json_object
from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.cli.output import counted, note, print_message, say
from camillo_server.cli.runs_steps import StepOptions
from camillo_server.cli.tables import clean, printable
from camillo_server.cli.writing import RequestId

if TYPE_CHECKING:
    from camillo.v1.run_service_pb2 import RenderRunResponse

ABOUT = "About it"
RunId = Annotated[str, Argument(metavar="ID", help="The id of a run.")]


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What may be said of a new run."""

    payload: Annotated[
        str | None,
        Option(
            metavar="JSON", help="What the trigger told: an object, or '-'.", rich_help_panel=ABOUT
        ),
    ] = None
    focus: Annotated[
        str, Option(help="What to keep in sight.", show_default=False, rich_help_panel=ABOUT)
    ] = ""
    session: Annotated[
        str, Option(help="Its conversation.", show_default=False, rich_help_panel=ABOUT)
    ] = ""
    sensitivity: Annotated[
        Sensitivity | None,
        Option(help="Who may be shown it. Default: internal.", rich_help_panel=ABOUT),
    ] = None
    max_tokens: Annotated[
        int | None,
        Option(min=100, help="What its rendering may take. Default: 2000.", rich_help_panel=ABOUT),
    ] = None
    idle_seconds: Annotated[
        int | None,
        Option(
            min=60,
            help="It ends after so long without a call. Default: 3600.",
            rich_help_panel=ABOUT,
        ),
    ] = None
    snapshot_tokens: Annotated[
        int | None,
        Option(min=50, help="What the snapshot may take. Default: 500.", rich_help_panel=ABOUT),
    ] = None
    no_snapshot: Annotated[
        bool, Option("--no-snapshot", help="Start without one.", rich_help_panel=ABOUT)
    ] = False

    def fields(self) -> dict[str, Any]:
        """As the client takes them."""
        return {
            "focus": self.focus,
            "session_id": self.session,
            "sensitivity": self.sensitivity and self.sensitivity.value,
            "max_tokens": self.max_tokens,
            "idle_seconds": self.idle_seconds,
            "snapshot_max_tokens": self.snapshot_tokens,
            "skip_snapshot": self.no_snapshot,
        }

    def told(self) -> dict[str, Any] | None:
        """The payload. Raises CliError."""
        if self.payload is None:
            return None
        text = given_text(["-"]) if self.payload == "-" else self.payload
        return json_object(text, "--payload")


def start(
    client: ClientOptions,
    about: RunOptions,
    trigger: Annotated[str, Argument(help="What kind of thing set it off, such as message.")],
    request_id: RequestId = None,
) -> None:
    """Start a run, and show what its agent should know.

    Example: camillo run start message --payload '{"text": "Is there any tea left?"}' --focus tea
    """
    payload = about.told()
    with connected(client) as camillo:
        started = camillo.runs.start(trigger, payload, request_id=request_id, **about.fields())
    if client.as_json:
        print_message(started)
        return
    say(f"started {started.run.run_id}")
    if started.snapshot.prompt:
        say("")
        _show_prompt(started.snapshot.prompt)


def append(
    client: ClientOptions,
    run_id: RunId,
    what: StepOptions,
    answer: Annotated[
        list[str] | None, Argument(help="What the model answered; '-': from standard input.")
    ] = None,
    request_id: RequestId = None,
) -> None:
    """Add a round to a run: what was called, and what was answered.

    Example: camillo run append 0198c0de-0000-7000-8000-000000000001 "2 tins" --call look --result 2
    """
    steps = what.steps(answer)
    with connected(client) as camillo:
        run = camillo.runs.append(run_id, *steps, request_id=request_id)
    if client.as_json:
        print_message(run)
    else:
        say(f"appended round {run.rounds:,}")


def inject(
    client: ClientOptions,
    run_id: RunId,
    instruction: Annotated[
        list[str] | None, Argument(help="What to do; '-', or piped in: from standard input.")
    ] = None,
    request_id: RequestId = None,
) -> None:
    """Add an instruction to a run. It is never cut from the rendering.

    Example: camillo run inject 0198c0de-0000-7000-8000-000000000001 "Answer in one sentence"
    """
    text = given_text(instruction)
    with connected(client) as camillo:
        run = camillo.runs.inject(run_id, text, request_id=request_id)
    if client.as_json:
        print_message(run)
    else:
        say(f"added instruction {run.instructions}")


def render(
    client: ClientOptions,
    run_id: RunId,
    max_tokens: Annotated[
        int | None, Option(min=100, help="The budget. Default: the run's own.")
    ] = None,
) -> None:
    """Print a run as a text for a prompt; what it is made of goes to standard error.

    Example: camillo run render 0198c0de-0000-7000-8000-000000000001 --max-tokens 1000
    """
    with connected(client) as camillo:
        rendered = camillo.runs.render(run_id, max_tokens=max_tokens or 0)
    if client.as_json:
        print_message(rendered)
        return
    _show_prompt(rendered.prompt)
    note(_made_of(rendered))


def end(
    client: ClientOptions,
    run_id: RunId,
    distill: Annotated[
        bool, Option("--distill", help="Keep what came of it, by the server's rules.")
    ] = False,
    remember: Annotated[
        list[str] | None, Option(metavar="TEXT", help="A memory to keep; may be repeated.")
    ] = None,
    request_id: RequestId = None,
) -> None:
    """End a run. What it held is gone, but for what is to be kept.

    Example: camillo run end 0198c0de-0000-7000-8000-000000000001 --distill --remember "Tea is low"
    """
    if not all(text.strip() for text in remember or ()):
        raise CliError("--remember takes a text", ExitCode.USAGE)
    with connected(client) as camillo:
        ended = camillo.runs.end(
            run_id, distill=distill, memories=remember or (), request_id=request_id
        )
    if client.as_json:
        print_message(ended)
        return
    rounds = f"{ended.rounds:,} round{'' if ended.rounds == 1 else 's'}"
    say(f"ended a run of {rounds}, kept {counted(len(ended.memories))}")
    for memory in ended.memories:
        say(f"{memory.memory_id}  {clean(memory.content)}")


def _show_prompt(prompt: str) -> None:
    text = prompt.rstrip("\n") + "\n"
    sys.stdout.write(printable(text) if sys.stdout.isatty() else text)


def _made_of(rendered: RenderRunResponse) -> str:
    parts = [
        f"{section.name} {section.tokens:,}" + (f" ({section.cut:,} cut)" if section.cut else "")
        for section in rendered.sections
    ]
    return f"{rendered.tokens:,} tokens: {', '.join(parts)}"
