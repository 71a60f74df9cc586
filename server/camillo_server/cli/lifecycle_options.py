"""Which memories a pass takes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from typer import Argument, Option

from camillo_server.cli.arguments import moment_ago, utc_now
from camillo_server.cli.choices import Archived, Kind
from camillo_server.cli.failures import CliError, ExitCode

# Every row of these is counted while one call waits.
SCOPES_AT_ONCE = 10
PANEL = "Which memories"

DryRun = Annotated[bool, Option("--dry-run", help="Only tell what would be done.")]
Plan = Annotated[
    str,
    Option("--plan", metavar="TOKEN", help="From a dry run: do exactly that.", show_default=False),
]
AllScopes = Annotated[
    bool, Option("--all-scopes", help="Every scope of the tenant; needs a key for any agent.")
]


@dataclass(frozen=True, slots=True)
class SelectorOptions:
    """Conditions that all have to hold; pinned memories never pass."""

    memory_ids: Annotated[
        list[str] | None, Argument(metavar="[ID]...", help="Ids; or give conditions, or both.")
    ] = None
    unused_since: Annotated[
        str | None,
        Option(
            help="Neither stored, changed nor recalled since: 2026-01-31, or 90d.",
            rich_help_panel=PANEL,
        ),
    ] = None
    before: Annotated[
        str | None, Option(help="Stored before: 2026-01-31, or 365d.", rich_help_panel=PANEL)
    ] = None
    tag: Annotated[
        list[str], Option(help="With this tag; repeated: with all.", rich_help_panel=PANEL)
    ] = field(default_factory=list)
    any_tag: Annotated[list[str], Option(help="With one of these tags.", rich_help_panel=PANEL)] = (
        field(default_factory=list)
    )
    kind: Annotated[
        list[Kind], Option(help="Of this kind; repeated: of one.", rich_help_panel=PANEL)
    ] = field(default_factory=list)
    max_recalls: Annotated[
        int | None, Option(min=0, help="Recalled at most so often.", rich_help_panel=PANEL)
    ] = None
    importance_below: Annotated[
        float | None, Option(min=0, max=1, help="Less important.", rich_help_panel=PANEL)
    ] = None
    archived: Annotated[
        Archived | None, Option(help="Archived memories. Default: include.", rich_help_panel=PANEL)
    ] = None

    def fields(self) -> dict[str, Any]:
        """As the client takes them. Raises CliError where there are none."""
        now = utc_now()
        fields = {
            "memory_ids": self.memory_ids or [],
            "unused_since": moment_ago(self.unused_since, now),
            "created_before": moment_ago(self.before, now),
            "tags_all": self.tag,
            "tags_any": self.any_tag,
            "kinds": [each.value for each in self.kind],
            "max_access_count": self.max_recalls,
            "importance_below": self.importance_below,
            "archived": self.archived and self.archived.value,
        }
        if all(value in (None, []) for value in fields.values()):
            raise CliError("name the memories: ids, or at least one condition", ExitCode.USAGE)
        return fields
