"""Which memories a command is about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

from typer import Option

from camillo_server.cli.arguments import metadata, moment_ago, utc_now
from camillo_server.cli.choices import Archived, Kind, Sensitivity

if TYPE_CHECKING:
    from camillo.v1.memory_pb2 import MemoryFilter

PANEL = "Filter"


@dataclass(frozen=True, slots=True)
class FilterOptions:
    """Conditions that all have to hold."""

    tag: Annotated[
        list[str], Option(help="With this tag; repeated: with all.", rich_help_panel=PANEL)
    ] = field(default_factory=list)
    any_tag: Annotated[list[str], Option(help="With one of these tags.", rich_help_panel=PANEL)] = (
        field(default_factory=list)
    )
    kind: Annotated[
        list[Kind], Option(help="Of this kind; repeated: of one.", rich_help_panel=PANEL)
    ] = field(default_factory=list)
    session: Annotated[
        str, Option(help="From this conversation.", show_default=False, rich_help_panel=PANEL)
    ] = ""
    since: Annotated[
        str | None, Option(help="Happened since: 2026-01-31, or 7d.", rich_help_panel=PANEL)
    ] = None
    before: Annotated[
        str | None, Option(help="Happened before: 2026-01-31, or 12h.", rich_help_panel=PANEL)
    ] = None
    min_importance: Annotated[
        float, Option(min=0, max=1, show_default=False, rich_help_panel=PANEL)
    ] = 0.0
    max_sensitivity: Annotated[Sensitivity | None, Option(rich_help_panel=PANEL)] = None
    archived: Annotated[
        Archived | None, Option(help="Archived memories.", rich_help_panel=PANEL)
    ] = None
    meta: Annotated[
        list[str],
        Option(help="key=value: with this in the metadata.", rich_help_panel=PANEL),
    ] = field(default_factory=list)

    def message(self) -> MemoryFilter:
        """The filter of the contract. Raises CliError."""
        from camillo.v1 import memory_pb2 as pb
        from camillo_client import memory_filter
        from camillo_client.convert import to_enum

        now = utc_now()
        level, archived = self.max_sensitivity, self.archived
        return memory_filter(
            tags_all=self.tag,
            tags_any=self.any_tag,
            kinds=[to_enum(pb.MemoryKind, kind.value) for kind in self.kind],
            session_id=self.session,
            occurred_from=moment_ago(self.since, now),
            occurred_before=moment_ago(self.before, now),
            min_importance=self.min_importance,
            max_sensitivity=None if level is None else to_enum(pb.Sensitivity, level.value),
            archived=None if archived is None else to_enum(pb.ArchivedFilter, archived.value),
            metadata=metadata(self.meta) or None,
        )

    @property
    def is_empty(self) -> bool:
        """No condition is given."""
        return self == FilterOptions()
