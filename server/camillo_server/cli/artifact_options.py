"""Options that say what an artifact is, which ones are meant, and where they will be shown."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any

from typer import Option

from camillo_server.cli.arguments import metadata, moment_ago, moment_ahead, utc_now
from camillo_server.cli.choices import Sensitivity
from camillo_server.cli.failures import CliError, ExitCode

ABOUT = "About it"
FILTER = "Filter"
SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", re.IGNORECASE)
POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}


class ContentKind(StrEnum):
    """What the bytes of an artifact are."""

    TEXT = "text"
    LOG = "log"
    JSON = "json"
    TABLE = "table"
    CODE = "code"
    BINARY = "binary"


class Channel(StrEnum):
    """Where what is read will be shown."""

    PUBLIC = "public"
    PRIVATE = "private"
    TEAM = "team"
    AGENT = "agent"


def name_of(channel: Channel | None) -> Any:
    """As the client takes it, whose names are literals to the type checker."""
    return None if channel is None else channel.value


ShownIn = Annotated[
    Channel | None,
    Option("--channel", help="Where it will be shown: decides what may be loaded."),
]


@dataclass(frozen=True, slots=True)
class AboutOptions:
    """What may be said of a new artifact."""

    name: Annotated[
        str, Option(help="A short name.", show_default=False, rich_help_panel=ABOUT)
    ] = ""
    description: Annotated[
        str,
        Option(help="Default: from the content.", show_default=False, rich_help_panel=ABOUT),
    ] = ""
    tool: Annotated[
        str, Option(help="The tool that made it.", show_default=False, rich_help_panel=ABOUT)
    ] = ""
    command: Annotated[
        str, Option(help="The command that made it.", show_default=False, rich_help_panel=ABOUT)
    ] = ""
    exit_code: Annotated[
        int | None, Option(help="How the command ended.", rich_help_panel=ABOUT)
    ] = None
    session: Annotated[
        str, Option(help="Its conversation.", show_default=False, rich_help_panel=ABOUT)
    ] = ""
    tag: Annotated[list[str], Option(help="May be repeated.", rich_help_panel=ABOUT)] = field(
        default_factory=list
    )
    sensitivity: Annotated[
        Sensitivity | None,
        Option(help="Who may be shown it. Default: internal.", rich_help_panel=ABOUT),
    ] = None
    meta: Annotated[
        list[str], Option(help="key=value; may be repeated.", rich_help_panel=ABOUT)
    ] = field(default_factory=list)
    expires: Annotated[
        str | None, Option(help="Gone from then on: 2027-01-31, or 90d.", rich_help_panel=ABOUT)
    ] = None
    pin: Annotated[bool, Option("--pin", help="Exempt from clean-up.", rich_help_panel=ABOUT)] = (
        False
    )
    source: Annotated[
        list[str],
        Option(help="An id of what it rests on; may be repeated.", rich_help_panel=ABOUT),
    ] = field(default_factory=list)
    shared: Annotated[
        bool, Option("--shared", help="For all agents of the tenant.", rich_help_panel=ABOUT)
    ] = False

    def fields(self) -> dict[str, Any]:
        """As the client takes them. Raises CliError."""
        return {
            "name": self.name,
            "description": self.description,
            "tool": self.tool,
            "command": self.command,
            "exit_code": self.exit_code,
            "session_id": self.session,
            "tags": self.tag,
            "sensitivity": self.sensitivity and self.sensitivity.value,
            "metadata": metadata(self.meta) or None,
            "expires_at": moment_ahead(self.expires, utc_now()),
            "pinned": self.pin,
            "source_refs": self.source,
            "shared": self.shared,
        }


@dataclass(frozen=True, slots=True)
class ArtifactFilterOptions:
    """Conditions that all have to hold."""

    tool: Annotated[
        str, Option(help="Made by this tool.", show_default=False, rich_help_panel=FILTER)
    ] = ""
    session: Annotated[
        str, Option(help="From this conversation.", show_default=False, rich_help_panel=FILTER)
    ] = ""
    kind: Annotated[
        list[ContentKind], Option(help="Of this kind; repeated: of one.", rich_help_panel=FILTER)
    ] = field(default_factory=list)
    tag: Annotated[
        list[str], Option(help="With this tag; repeated: with all.", rich_help_panel=FILTER)
    ] = field(default_factory=list)
    any_tag: Annotated[
        list[str], Option(help="With one of these tags.", rich_help_panel=FILTER)
    ] = field(default_factory=list)
    since: Annotated[
        str | None, Option(help="Stored since: 2026-01-31, or 7d.", rich_help_panel=FILTER)
    ] = None
    before: Annotated[
        str | None, Option(help="Stored before: 2026-01-31, or 12h.", rich_help_panel=FILTER)
    ] = None
    min_size: Annotated[str, Option(help="At least so long: 10MB.", rich_help_panel=FILTER)] = "0"
    max_size: Annotated[str, Option(help="At most so long; 0: any.", rich_help_panel=FILTER)] = "0"
    max_sensitivity: Annotated[Sensitivity | None, Option(rich_help_panel=FILTER)] = None
    cited_by: Annotated[
        str,
        Option(
            metavar="MEMORY_ID",
            help="Cited by this memory.",
            show_default=False,
            rich_help_panel=FILTER,
        ),
    ] = ""

    def conditions(self) -> dict[str, Any]:
        """As the client takes them. Raises CliError."""
        now = utc_now()
        return {
            "tool": self.tool,
            "session_id": self.session,
            "kinds": [kind.value for kind in self.kind],
            "tags_all": self.tag,
            "tags_any": self.any_tag,
            "created_from": moment_ago(self.since, now),
            "created_before": moment_ago(self.before, now),
            "min_size_bytes": size_bytes(self.min_size),
            "max_size_bytes": size_bytes(self.max_size),
            "max_sensitivity": self.max_sensitivity and self.max_sensitivity.value,
            "cited_by_memory_id": self.cited_by,
        }


def size_bytes(text: str) -> int:
    """The bytes in `812`, `64k`, `1.5 MB`: a kilobyte has 1,024. Raises CliError."""
    found = SIZE.fullmatch(text.strip())
    if found is None:
        raise CliError(f"{text!r} is not a size such as 812, 64k, 1.5MB", ExitCode.USAGE)
    return int(float(found[1]) * 1024 ** POWERS[found[2].lower()])
