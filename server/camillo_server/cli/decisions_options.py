"""Options that say what a decision is, and which ones are meant."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from typer import Option

from camillo_server.cli.arguments import moment_ago, utc_now
from camillo_server.cli.artifact_options import Channel, name_of
from camillo_server.cli.choices import DecisionStatus, Reach, Sensitivity

ABOUT = "About it"
FILTER = "Filter"


@dataclass(frozen=True, slots=True)
class DecisionOptions:
    """What may be said of a new decision."""

    ref: Annotated[
        list[str],
        Option(help="An id of what it rests on; may be repeated.", rich_help_panel=ABOUT),
    ] = field(default_factory=list)
    because: Annotated[list[str], Option(help="Why; may be repeated.", rich_help_panel=ABOUT)] = (
        field(default_factory=list)
    )
    constraint: Annotated[
        list[str], Option(help="What it has to respect; may be repeated.", rich_help_panel=ABOUT)
    ] = field(default_factory=list)
    instead_of: Annotated[
        list[str], Option(help="What was not chosen; may be repeated.", rich_help_panel=ABOUT)
    ] = field(default_factory=list)
    consequence: Annotated[
        list[str], Option(help="What follows; may be repeated.", rich_help_panel=ABOUT)
    ] = field(default_factory=list)
    reach: Annotated[
        Reach | None, Option(help="How far. Default: project.", rich_help_panel=ABOUT)
    ] = None
    session: Annotated[
        str, Option(help="Its conversation.", show_default=False, rich_help_panel=ABOUT)
    ] = ""
    made_in: Annotated[
        Channel | None,
        Option("--channel", help="Where it was made. Default: private.", rich_help_panel=ABOUT),
    ] = None
    sensitivity: Annotated[
        Sensitivity | None,
        Option(help="Who may be shown it. Default: internal.", rich_help_panel=ABOUT),
    ] = None
    tag: Annotated[list[str], Option(help="May be repeated.", rich_help_panel=ABOUT)] = field(
        default_factory=list
    )
    decided: Annotated[
        str | None, Option(help="When: 2026-01-31, or 2h ago as 2h.", rich_help_panel=ABOUT)
    ] = None

    @property
    def is_empty(self) -> bool:
        """Nothing is said."""
        return self == DecisionOptions()

    def fields(self) -> dict[str, Any]:
        """As the client takes them. Raises CliError."""
        return {
            "refs": self.ref,
            "rationale": self.because,
            "constraints": self.constraint,
            "alternatives": self.instead_of,
            "consequences": self.consequence,
            "reach": self.reach and self.reach.value,
            "session_id": self.session,
            "channel": name_of(self.made_in),
            "sensitivity": self.sensitivity and self.sensitivity.value,
            "tags": self.tag,
            "decided_at": moment_ago(self.decided, utc_now()),
        }


@dataclass(frozen=True, slots=True)
class DecisionFilterOptions:
    """Conditions that all have to hold."""

    status: Annotated[
        list[DecisionStatus],
        Option(help="Default: active; repeated: one of them.", rich_help_panel=FILTER),
    ] = field(default_factory=list)
    reach: Annotated[
        list[Reach], Option(help="Reaching so far; repeated: one.", rich_help_panel=FILTER)
    ] = field(default_factory=list)
    session: Annotated[
        str, Option(help="From this conversation.", show_default=False, rich_help_panel=FILTER)
    ] = ""
    any_tag: Annotated[
        list[str], Option(help="With one of these tags.", rich_help_panel=FILTER)
    ] = field(default_factory=list)
    ref: Annotated[
        str, Option(help="Rests on this id.", show_default=False, rich_help_panel=FILTER)
    ] = ""

    def conditions(self) -> dict[str, Any]:
        """As the client takes them."""
        return {
            "statuses": [status.value for status in self.status],
            "reaches": [reach.value for reach in self.reach],
            "session_id": self.session,
            "tags_any": self.any_tag,
            "ref": self.ref,
        }
