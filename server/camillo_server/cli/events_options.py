"""Options that say what an event is, and which ones are meant."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Annotated, Any

from typer import Option

from camillo_server.cli.arguments import given_text, moment_ago, utc_now
from camillo_server.cli.artifact_options import Channel, name_of
from camillo_server.cli.choices import ActorType, EventKind, Sensitivity
from camillo_server.cli.failures import CliError, ExitCode

ABOUT = "About it"
CONTENT = "Content"
FILTER = "Filter"


@dataclass(frozen=True, slots=True)
class EventOptions:
    """What may be said of a new event."""

    session: Annotated[str, Option(help="Its conversation.", rich_help_panel=ABOUT)]
    actor: Annotated[
        str,
        Option(metavar="TYPE:NAME", help="Who caused it: human:ada.", rich_help_panel=ABOUT),
    ] = "human:user"
    kind: Annotated[
        EventKind | None,
        Option(help="Default: as the content says, else message.", rich_help_panel=ABOUT),
    ] = None
    happened_in: Annotated[
        Channel | None,
        Option("--channel", help="Where it happened. Default: private.", rich_help_panel=ABOUT),
    ] = None
    sensitivity: Annotated[
        Sensitivity | None,
        Option(help="Who may be shown it. Default: internal.", rich_help_panel=ABOUT),
    ] = None
    tag: Annotated[list[str], Option(help="May be repeated.", rich_help_panel=ABOUT)] = field(
        default_factory=list
    )
    ref: Annotated[
        list[str], Option(help="An id of what it is about; may be repeated.", rich_help_panel=ABOUT)
    ] = field(default_factory=list)
    occurred: Annotated[
        str | None, Option(help="When it happened: 2026-01-31, or 2h.", rich_help_panel=ABOUT)
    ] = None
    importance: Annotated[
        float | None, Option(min=0, max=1, help="Default: by rules.", rich_help_panel=ABOUT)
    ] = None

    def fields(self) -> dict[str, Any]:
        """As the client takes them. Raises CliError."""
        return {
            "session_id": self.session,
            "actor": self.actor,
            "kind": self.kind and self.kind.value,
            "channel": name_of(self.happened_in),
            "sensitivity": self.sensitivity and self.sensitivity.value,
            "tags": self.tag,
            "refs": self.ref,
            "occurred_at": moment_ago(self.occurred, utc_now()),
            "importance": self.importance,
        }


@dataclass(frozen=True, slots=True)
class EventContentOptions:
    """What an event tells, where that is more than a text."""

    data: Annotated[
        str | None,
        Option(metavar="JSON", help="An object in place of a text.", rich_help_panel=CONTENT),
    ] = None
    tool: Annotated[
        str,
        Option(
            help="The text is what this tool answered.", show_default=False, rich_help_panel=CONTENT
        ),
    ] = ""
    arguments: Annotated[
        str | None,
        Option(metavar="JSON", help="The tool was called with these.", rich_help_panel=CONTENT),
    ] = None
    call_id: Annotated[
        str,
        Option(help="Joins a call and its result.", show_default=False, rich_help_panel=CONTENT),
    ] = ""
    path: Annotated[
        str,
        Option(help="What the tool read.", show_default=False, rich_help_panel=CONTENT),
    ] = ""
    exit_code: Annotated[
        int | None, Option(help="How the tool ended.", rich_help_panel=CONTENT)
    ] = None
    failed: Annotated[
        bool, Option("--failed", help="The tool failed.", rich_help_panel=CONTENT)
    ] = False

    def content(self, words: list[str] | None, kind: EventKind | None) -> dict[str, Any]:
        """The content as the client takes it, text from standard input where that is the place. Raises CliError."""
        from camillo_client import tool_call, tool_result

        is_call = self.arguments is not None or kind is EventKind.TOOL_CALL
        if (is_call or kind is EventKind.TOOL_RESULT) and not self.tool:
            raise CliError("name the tool with --tool", ExitCode.USAGE)
        if (is_call or self.data is not None) and words:
            raise CliError("give a text, --data or --arguments, not several", ExitCode.USAGE)
        if is_call:
            given = None if self.arguments is None else json_object(self.arguments, "--arguments")
            return {"tool_call": tool_call(self.tool, given, call_id=self.call_id)}
        if self.data is not None:
            return {"json": json_object(self.data, "--data")}
        # What a tool printed is kept as it was.
        text = given_text(words, exact=bool(self.tool))
        if not self.tool:
            return {"text": text}
        result = tool_result(
            self.tool,
            text,
            call_id=self.call_id,
            path=self.path,
            is_error=self.failed,
            exit_code=self.exit_code,
        )
        return {"tool_result": result}


@dataclass(frozen=True, slots=True)
class EventFilterOptions:
    """Conditions that all have to hold."""

    session: Annotated[
        str, Option(help="From this conversation.", show_default=False, rich_help_panel=FILTER)
    ] = ""
    kind: Annotated[
        list[EventKind], Option(help="Of this kind; repeated: of one.", rich_help_panel=FILTER)
    ] = field(default_factory=list)
    actor: Annotated[
        list[ActorType], Option(help="Caused by such; repeated: by one.", rich_help_panel=FILTER)
    ] = field(default_factory=list)
    tag: Annotated[
        list[str], Option(help="With this tag; repeated: with all.", rich_help_panel=FILTER)
    ] = field(default_factory=list)
    any_tag: Annotated[
        list[str], Option(help="With one of these tags.", rich_help_panel=FILTER)
    ] = field(default_factory=list)
    since: Annotated[
        str | None, Option(help="Happened since: 2026-01-31, or 7d.", rich_help_panel=FILTER)
    ] = None
    before: Annotated[
        str | None, Option(help="Happened before: 2026-01-31, or 12h.", rich_help_panel=FILTER)
    ] = None
    max_sensitivity: Annotated[Sensitivity | None, Option(rich_help_panel=FILTER)] = None
    ref: Annotated[
        str, Option(help="Names this id.", show_default=False, rich_help_panel=FILTER)
    ] = ""

    def conditions(self) -> dict[str, Any]:
        """As the client takes them. Raises CliError."""
        now = utc_now()
        return {
            "session_id": self.session,
            "kinds": [kind.value for kind in self.kind],
            "actor_types": [actor.value for actor in self.actor],
            "tags_all": self.tag,
            "tags_any": self.any_tag,
            "occurred_from": moment_ago(self.since, now),
            "occurred_before": moment_ago(self.before, now),
            "max_sensitivity": self.max_sensitivity and self.max_sensitivity.value,
            "ref": self.ref,
        }


def json_object(text: str, option: str) -> dict[str, Any]:
    """The JSON object that an option holds. Raises CliError."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CliError(f"{option} is not JSON: {error}", ExitCode.USAGE) from error
    if not isinstance(value, dict):
        raise CliError(f"{option} takes a JSON object such as '{{\"a\": 1}}'", ExitCode.USAGE)
    return value
