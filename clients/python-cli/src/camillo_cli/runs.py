"""run start, list, append, inject, render, end: the short-term memory of one agent run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from camillo_cli import options
from camillo_cli.arguments import json_object, read_bytes, read_json_line, read_words
from camillo_cli.connection import ClientOptions, connected
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import clean, counted, pairs
from camillo_cli.output import (
    note,
    note_durability,
    print_message,
    print_result,
    print_text,
    say,
)
from camillo_cli.tables import Column, age_in, pages, print_list

if TYPE_CHECKING:
    from camillo.v1.run_pb2 import Run, RunStep
    from camillo.v1.run_service_pb2 import RenderRunResponse

RunId = Annotated[str, Argument(metavar="ID", help="The id of a run.")]
call_option = options.panel("A call")


@dataclass(frozen=True, slots=True)
class RunOptions(options.ClientFields):
    """The fields of a new run, apart from its trigger."""

    focus: Annotated[str, options.about("What the agent should pay attention to.")] = ""
    session_id: options.SessionId = ""
    sensitivity: options.SensitivityLevel = None
    max_tokens: Annotated[int | None, options.about("Token budget of its rendering. Default: 2000.", min=100)] = None
    idle_seconds: Annotated[
        int | None,
        options.about("It ends after so many seconds without a call. Default: 3600.", min=60),
    ] = None
    snapshot_max_tokens: Annotated[
        int | None,
        options.about("Token budget of the snapshot. Default: 500.", "--snapshot-tokens", min=50),
    ] = None
    skip_snapshot: Annotated[bool, options.about("Start without a snapshot.", "--no-snapshot")] = False


@dataclass(frozen=True, slots=True)
class StepOptions:
    """A call before the answer, or any number of steps."""

    call: Annotated[str, call_option("A function that was called.")] = ""
    arguments: Annotated[
        dict[str, Any] | None,
        call_option("Its arguments.", metavar="JSON", parser=json_object("--arguments")),
    ] = None
    result: Annotated[str, call_option("Its result.")] = ""
    failed: Annotated[bool, call_option("The call failed.", "--failed")] = False
    steps_file: Annotated[
        str | None,
        Option(
            "--steps",
            metavar="FILE",
            help="Steps as JSON lines, each a RunStep message; '-': standard input.",
        ),
    ] = None

    def steps(self, answer: options.Words) -> list[RunStep]:
        """The steps in order. Raises CliError."""
        from camillo.v1.run_pb2 import RunStep
        from camillo_client import function_call

        if self.steps_file is not None:
            if self.call or answer:
                raise CliError("give --steps, or a call and an answer", ExitCode.USAGE)
            return list(_read_steps(self.steps_file))
        if not self.call and (self.arguments is not None or self.result or self.failed):
            raise CliError("name the function with --call", ExitCode.USAGE)
        steps = []
        if self.call:
            call = function_call(self.call, self.arguments, self.result, is_error=self.failed)
            steps.append(call)
        # The answer may come later: after a call, standard input is read only where it is asked for.
        if answer or not self.call:
            steps.append(RunStep(llm_response=read_words(answer)))
        return steps


def start(
    client: ClientOptions,
    run: RunOptions,
    trigger: Annotated[str, Argument(help="What kind of event started it, such as message.")],
    payload: Annotated[
        str | None,
        options.about("Content of the trigger: a JSON object, or '-' to read it.", metavar="JSON"),
    ] = None,
    request_id: options.RequestId = None,
) -> None:
    """Start a run, and print the snapshot that its agent should know.

    Example: camillo run start message --payload '{"text": "Is there any tea left?"}' --focus tea
    """
    content = read_words(["-"]) if payload == "-" else payload
    parsed = None if content is None else json_object("--payload")(content)
    with connected(client) as camillo:
        started = camillo.runs.start(trigger, parsed, request_id=request_id, **run.fields())
    print_result(client, started, f"started {started.run.run_id}")
    if started.snapshot.prompt and not client.as_json:
        say("")
        print_text(started.snapshot.prompt.rstrip("\n"))


def list_runs(
    client: ClientOptions,
    session: Annotated[str, Option(help="Of this session.", show_default=False)] = "",
    limit: options.Limit = None,
) -> None:
    """List the runs that have not ended, the last started first.

    Example: camillo run list --session s1
    """
    with connected(client) as camillo:
        found = pages(camillo.runs.list, limit, session_id=session)
        print_list(client, found, COLUMNS, empty="no runs")


def append(
    client: ClientOptions,
    run_id: RunId,
    step: StepOptions,
    answer: Annotated[options.Words, options.words("The answer of the model")] = None,
    omit_forgotten: options.OmitForgotten = False,
    request_id: options.RequestId = None,
) -> None:
    """Add a round to a run: a call, an answer, or both.

    Example: camillo run append 0198c0de-0000-7000-8000-000000000001 "2 tins" --call look --result 2
    """
    steps = step.steps(answer)
    with connected(client) as camillo:
        run = camillo.runs.append(run_id, *steps, omit_forgotten=omit_forgotten, request_id=request_id)
    print_result(client, run, f"appended round {run.rounds:,}" if run.rounds else "appended a round")
    note_durability(run)


def inject(
    client: ClientOptions,
    run_id: RunId,
    instruction: Annotated[options.Words, options.words("The instruction")] = None,
    request_id: options.RequestId = None,
) -> None:
    """Add an instruction to a run. It is never cut from the rendering.

    Example: camillo run inject 0198c0de-0000-7000-8000-000000000001 "Answer in one sentence"
    """
    text = read_words(instruction)
    with connected(client) as camillo:
        run = camillo.runs.inject(run_id, text, request_id=request_id)
    print_result(client, run, f"added instruction {run.instructions}")


def render(
    client: ClientOptions,
    run_id: RunId,
    max_tokens: Annotated[int | None, Option(min=100, help="Token budget. Default: that of the run.")] = None,
) -> None:
    """Print a run as text for a prompt, and the tokens of its parts to standard error.

    Example: camillo run render 0198c0de-0000-7000-8000-000000000001 --max-tokens 1000
    """
    with connected(client) as camillo:
        rendered = camillo.runs.render(run_id, max_tokens=max_tokens or 0)
    if client.as_json:
        print_message(rendered)
        return
    print_text(rendered.prompt.rstrip("\n"))
    note(_token_counts(rendered))


def end(
    client: ClientOptions,
    run_id: RunId,
    distill: Annotated[bool, Option("--distill", help="Keep memories of it, by the rules of the server.")] = False,
    remember: Annotated[list[str] | None, Option(metavar="TEXT", help="A memory to keep; may be repeated.")] = None,
    request_id: options.RequestId = None,
) -> None:
    """End a run. Its content is deleted, apart from the memories that are kept.

    Example: camillo run end 0198c0de-0000-7000-8000-000000000001 --distill --remember "Tea is low"
    """
    with connected(client) as camillo:
        ended = camillo.runs.end(run_id, distill=distill, memories=remember or (), request_id=request_id)
    rounds, kept = counted(ended.rounds, "round", "rounds"), counted(len(ended.memories))
    print_result(client, ended, f"ended a run of {rounds}, kept {kept}")
    if not client.as_json:
        for memory in ended.memories:
            say(f"{memory.memory_id}  {clean(memory.content)}")


def _message(run: Run) -> str:
    """The first line of the trigger's text; where it has none, of the focus, or the whole payload."""
    payload = run.trigger.payload
    text = payload.fields["text"].string_value if "text" in payload.fields else ""
    lines = (text.strip() or run.focus.strip() or pairs(payload)).splitlines()
    return lines[0] if lines else ""


COLUMNS = (
    Column("id", "run_id", style="dim"),
    Column("started", age_in("started_at"), right=True),
    # When it was last appended to, instructed or rendered.
    Column("active", age_in("active_at"), right=True, optional=True),
    Column("rounds", "rounds", right=True, optional=True),
    Column("session", "session_id", optional=True),
    Column("trigger", "trigger.type", optional=True),
    Column("message", _message),
)


def _token_counts(rendered: RenderRunResponse) -> str:
    parts = [
        f"{section.name} {section.tokens:,}" + (f" ({section.cut:,} cut)" if section.cut else "")
        for section in rendered.sections
    ]
    return f"{rendered.tokens:,} tokens: {', '.join(parts)}"


def _read_steps(path: str) -> Iterator[RunStep]:
    from camillo.v1.run_pb2 import RunStep

    for number, line in enumerate(read_bytes(path).splitlines(), 1):
        if line.strip():
            step = RunStep()
            read_json_line(line, number, step, "step")
            yield step
