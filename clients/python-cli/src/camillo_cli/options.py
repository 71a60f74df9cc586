"""Options that several commands share, and options that are declared as the fields of a dataclass."""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, get_type_hints

from typer import Argument, Option

from camillo_cli.arguments import conditions, metadata, time_ago, time_ahead

# The names of the contract's enums, in lower case as values.
ActorType = StrEnum("ActorType", "HUMAN AGENT TOOL SYSTEM")
Archived = StrEnum("Archived", "EXCLUDE INCLUDE ONLY")
# Where a text will be shown, or where something happened.
Channel = StrEnum("Channel", "PUBLIC PRIVATE TEAM AGENT")
CompactionState = StrEnum("CompactionState", "PROPOSED COMMITTED REVERTED REFUSED")
ContentKind = StrEnum("ContentKind", "TEXT LOG JSON TABLE CODE BINARY")
DecisionStatus = StrEnum("DecisionStatus", "ACTIVE SUPERSEDED")
DistillationState = StrEnum("DistillationState", "DONE REVERTED")
EntityType = StrEnum("EntityType", "NAME EMAIL PATH TICKET IDENTIFIER")
EventKind = StrEnum("EventKind", "MESSAGE TOOL_CALL TOOL_RESULT DECISION TASK_UPDATE WORKFLOW_STEP ARTIFACT")
LinkMode = StrEnum("LinkMode", "FOLLOW IGNORE")
LinkType = StrEnum("LinkType", "ABOUT DERIVED_FROM CONTRADICTS FOLLOWS")
JobState = StrEnum("JobState", "WAITING RUNNING DEAD")
ProposalState = StrEnum("ProposalState", "PENDING ACCEPTED REJECTED STALE REFUSED REVERTED")
MemoryKind = StrEnum("MemoryKind", "FACT PREFERENCE CONVERSATION TASK_OUTCOME DECISION ERROR INSTRUCTION SUMMARY")
OnConflict = StrEnum("OnConflict", "SKIP REPLACE")
Profile = StrEnum("Profile", "RELEVANCE SIMILARITY RECENCY_WEIGHTED EVIDENCE BLENDED PRECISE RERANKED")
ProvenanceKind = StrEnum("ProvenanceKind", "USER AGENT TOOL FILE WEB SYSTEM")
Reach = StrEnum("Reach", "PROJECT USER GLOBAL")
Role = StrEnum("Role", "READER WRITER TENANT_ADMIN ROOT")
Sensitivity = StrEnum("Sensitivity", "PUBLIC INTERNAL CONFIDENTIAL RESTRICTED")
Source = StrEnum("Source", "MEMORY EVENT DOCUMENT SLOT DECISION AUDIT WORKFLOW_STEP ARTIFACT")
SpeechMode = StrEnum("SpeechMode", "PREFER IGNORE")
TaskStatus = StrEnum("TaskStatus", "OPEN DOING BLOCKED DONE CANCELLED")
TimeMode = StrEnum("TimeMode", "PREFER IGNORE ONLY")
TrustLevel = StrEnum("TrustLevel", "WEB TOOL AGENT USER")
UsageDimension = StrEnum("UsageDimension", "DAY SPACE OPERATION MODEL DOOR")
Validity = StrEnum("Validity", "TRUE ANY NOT_TRUE")
WorkflowStatus = StrEnum("WorkflowStatus", "STARTED SUCCEEDED FAILED SKIPPED")

AsJson = Annotated[bool, Option("--json", help="JSON on standard output and nothing else.")]
RequestId = Annotated[
    str | None,
    Option(help="Repeated with the same id and content, the command writes nothing twice."),
]
OmitForgotten = Annotated[
    bool,
    Option("--omit-forgotten", help="Leave out sentences that were forgotten, instead of failing."),
]
Limit = Annotated[int | None, Option(min=1, help="At most this many. Default: all.")]
Yes = Annotated[bool, Option("--yes", "-y", help="Do not ask.")]
DryRun = Annotated[bool, Option("--dry-run", help="Show what would be done, and do nothing.")]
ShownIn = Annotated[
    Channel | None,
    Option("--channel", help="Where it will be shown; decides which sensitivities are read."),
]
ExpectedVersion = Annotated[
    int | None,
    Option(min=1, help="Fail if it has another version. Default: the version it has now."),
]
AddTags = Annotated[list[str] | None, Option("--add-tag", help="May be repeated.")]
RemoveTags = Annotated[list[str] | None, Option("--remove-tag", help="May be repeated.")]
ChangedMetadata = Annotated[
    list[str] | None, Option("--meta", help="key=value to set; key= to remove; may be repeated.")
]
Words = list[str] | None


def words(help: str) -> Any:
    """An argument of several words, which standard input can give as well."""
    return Argument(help=f"{help}; '-': read it from standard input.")


def panel(name: str | None) -> Callable[..., Any]:
    """Makes options of one panel of the help, by default 'Options': first the help of the option, then its flags."""

    def option(help: str | None = None, *flags: str, **more: Any) -> Any:
        return Option(*flags, **{"show_default": False, **more, "help": help, "rich_help_panel": name})

    return option


def ago(option: Callable[..., Any], help: str, *flags: str) -> Any:
    """An option that takes a time in the past, or how long ago."""
    return option(help, *flags, parser=time_ago, metavar="TIME")


def ahead(option: Callable[..., Any], help: str, *flags: str) -> Any:
    """An option that takes a time in the future, or in how long."""
    return option(help, *flags, parser=time_ahead, metavar="TIME")


option = panel(None)
about = panel("About it")
where = panel("Filter")


# Fields of a new record.
Tags = Annotated[list[str], about("A tag; may be repeated.", "--tag")]
SessionId = Annotated[str, about("The session it belongs to.", "--session")]
SensitivityLevel = Annotated[Sensitivity | None, about("How sensitive it is. Default: internal.")]
Metadata = Annotated[list[str], about("key=value; may be repeated.", "--meta")]
Refs = Annotated[list[str], about("Id of a record it is based on; may be repeated.", "--ref")]
Constraints = Annotated[list[str], about("A constraint to respect; may be repeated.", "--constraint")]
SourceRefs = Annotated[list[str], about("Id of a record it is based on; may be repeated.", "--source")]
OccurredAt = Annotated[
    datetime | None,
    ago(about, "When it happened: 2026-01-31, or 2h for two hours ago.", "--occurred"),
]
ExpiresAt = Annotated[datetime | None, ahead(about, "Hidden from this time on: 2027-01-31, or 90d.", "--expires")]
ValidFrom = Annotated[datetime | None, ago(about, "True from this time on: 2026-01-31, or 30d.", "--valid-from")]
ValidUntil = Annotated[
    datetime | None,
    ahead(about, "True until this time: 2027-01-31, or 90d ahead.", "--valid-until"),
]
Pinned = Annotated[bool, about("Automatic clean-up never removes it.", "--pin")]
# Conditions of a filter.
of_kinds = where("Of this kind; repeated: of one of them.", "--kind")
AllTags = Annotated[list[str], where("With this tag; repeated: with all of them.", "--tag")]
AnyTags = Annotated[list[str], where("With this tag; repeated: with one of them.", "--any-tag")]
OfSession = Annotated[str, where("Of this session.", "--session")]
MaxSensitivity = Annotated[Sensitivity | None, where("At most this sensitive.")]
OccurredFrom = Annotated[datetime | None, ago(where, "Occurred since: 2026-01-31, or 7d.", "--since")]
OccurredBefore = Annotated[datetime | None, ago(where, "Occurred before: 2026-01-31, or 12h.", "--before")]


def literal(choice: StrEnum | None) -> Any:
    """A choice as the client takes it, whose types are literal strings."""
    return choice


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """How results are printed."""

    as_json: AsJson = False


class ClientFields:
    """Options whose fields are named as the keyword arguments of the client that they are passed to."""

    __slots__ = ()

    def fields(self) -> dict[str, Any]:
        """The values by keyword. Raises CliError."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        if "metadata" in values:
            values["metadata"] = metadata(values["metadata"]) or None
        if "metadata_conditions" in values:
            values["metadata_conditions"] = conditions(values["metadata_conditions"]) or None
        return values


def with_shared_options(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command an option for each field of its parameters that are dataclasses.

    Typer sees the fields; the command receives the dataclasses, built from the values given.
    """
    hints = get_type_hints(command, include_extras=True)
    shared: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}
    parameters: list[inspect.Parameter] = []
    # The help has its panels in the order of the parameters.
    ordered = list(inspect.signature(command).parameters.values())
    ordered.sort(key=lambda each: getattr(shared.get(each.name), "is_listed_last", False))
    for each in ordered:
        if each.name in shared:
            parameters += _field_parameters(shared[each.name])
        else:
            parameters.append(_keyword(each.name, each.default, hints[each.name]))

    def run(**values: Any) -> None:
        built = {
            name: kind(**{each.name: values.pop(each.name) for each in fields(kind)}) for name, kind in shared.items()
        }
        command(**values, **built)

    run.__doc__ = _paragraphs(command.__doc__ or "")
    run.__name__ = command.__name__
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _paragraphs(text: str) -> str:
    """A text whose lines end where the terminal's do, not where those of the source do."""
    return "\n\n".join(" ".join(each.split()) for each in inspect.cleandoc(text).split("\n\n"))


def _field_parameters(kind: Any) -> list[inspect.Parameter]:
    hints = get_type_hints(kind, include_extras=True)
    return [_keyword(field.name, _default(field), hints[field.name]) for field in fields(kind)]


def _default(field: Field[Any]) -> object:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return inspect.Parameter.empty if field.default is MISSING else field.default


def _keyword(name: str, default: object, annotation: object) -> inspect.Parameter:
    # By keyword alone, so that the order does not depend on which have defaults.
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
