"""remember, list, get, update, forget, history: the memories of an agent."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from camillo_cli import options
from camillo_cli.arguments import expiry, metadata, read_words
from camillo_cli.connection import ClientOptions, connected
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import counted, field_text, time_text
from camillo_cli.output import note_durability, print_result
from camillo_cli.removals import note_receipt, run_confirmed
from camillo_cli.tables import Column, age_in, pages, print_list, show_record

if TYPE_CHECKING:
    from camillo.v1.memory_pb2 import Memory, MemoryFilter
    from camillo_client import Camillo

MAX_TAGS_LENGTH = 28

MemoryId = Annotated[str, Argument(help="The id of a memory.")]


@dataclass(frozen=True, slots=True)
class FilterOptions(options.ClientFields):
    """Conditions of a filter of memories; all of them have to hold."""

    tags_all: options.AllTags = field(default_factory=list)
    tags_any: options.AnyTags = field(default_factory=list)
    kinds: Annotated[list[options.MemoryKind], options.of_kinds] = field(default_factory=list)
    session_id: options.OfSession = ""
    occurred_from: options.OccurredFrom = None
    occurred_before: options.OccurredBefore = None
    min_importance: Annotated[float, options.where("At least this important.", min=0, max=1)] = 0.0
    min_trust: Annotated[options.TrustLevel | None, options.where("At least this trustworthy.")] = None
    max_sensitivity: options.MaxSensitivity = None
    archived: Annotated[options.Archived | None, options.where("Archived memories. Default: exclude.")] = None
    metadata: Annotated[list[str], options.where("key=value: with this metadata; may be repeated.", "--meta")] = field(
        default_factory=list
    )

    metadata_conditions: Annotated[
        list[str],
        options.where(
            "Compare metadata: 'order>=10', 'state!=open', 'state in open,new', 'shop exists', 'shop not exists'; "
            "may be repeated.",
            "--where",
        ),
    ] = field(default_factory=list)
    validity: Annotated[
        options.Validity | None,
        options.where("Whether they are true now. Default: true where recalled, any elsewhere."),
    ] = None

    def message(self) -> MemoryFilter:
        """The filter. Raises CliError."""
        from camillo_client import memory_filter

        return memory_filter(**self.fields())


@dataclass(frozen=True, slots=True)
class MemoryOptions(options.ClientFields):
    """The fields of a new memory, apart from its text."""

    kind: Annotated[options.MemoryKind | None, options.about("Its kind. Default: fact.")] = None
    tags: options.Tags = field(default_factory=list)
    importance: Annotated[
        float | None,
        options.about("From 0 to 1. Default: by the rules of the server.", min=0, max=1),
    ] = None
    session_id: Annotated[str | None, options.about("The session it comes from.", "--session")] = None
    sensitivity: options.SensitivityLevel = None
    metadata: options.Metadata = field(default_factory=list)
    occurred_at: options.OccurredAt = None
    expires_at: options.ExpiresAt = None
    never_expires: Annotated[bool, options.about("It does not expire, whatever its kind.", "--never-expires")] = False
    pinned: options.Pinned = False
    source_refs: options.SourceRefs = field(default_factory=list)
    actor: Annotated[
        str | None,
        options.about("Who said it: human:ada. Default: the agent of the key.", metavar="TYPE:NAME"),
    ] = None
    trust_level: Annotated[
        options.TrustLevel | None,
        options.about("Trust it no further than this. Default: as far as its actor.", "--trust"),
    ] = None
    valid_from: options.ValidFrom = None
    valid_until: options.ValidUntil = None
    supersedes: Annotated[list[str], options.about("Id of a memory that it replaces; may be repeated.")] = field(
        default_factory=list
    )
    memory_id: Annotated[str, options.about("Its id, a UUID. Default: the server chooses one.", "--id")] = ""


def remember(
    client: ClientOptions,
    memory: MemoryOptions,
    text: Annotated[options.Words, options.words("The text of the memory")] = None,
    omit_forgotten: options.OmitForgotten = False,
    request_id: options.RequestId = None,
) -> None:
    """Store one memory.

    Example: camillo remember "Ada prefers tea to coffee" --kind preference --tag drinks
    """
    content, fields = read_words(text), memory.fields()
    with connected(client) as camillo:
        stored = camillo.remember(content, omit_forgotten=omit_forgotten, request_id=request_id, **fields)
    print_result(client, stored, f"remembered {stored.memory_id}")
    note_durability(stored)


def list_memories(
    client: ClientOptions,
    filters: FilterOptions,
    limit: options.Limit = None,
    read_space: Annotated[
        list[str] | None,
        Option(metavar="PATH", help="List this space, too: users/42, projects/shop; may be repeated."),
    ] = None,
) -> None:
    """List memories, newest first.

    Example: camillo list --tag drinks --since 30d --limit 20

    Example: camillo list --user 42 --read-space projects/shop
    """
    conditions = filters.message()
    with connected(client) as camillo:
        listed = pages(camillo.list_memories, limit, filter=conditions, spaces=read_space or ())
        is_filtered = bool(conditions is not None and conditions.ListFields())
        empty = "no memories" if is_filtered else partial(_no_memories, camillo)
        print_list(client, listed, [SPACE, *COLUMNS] if read_space else COLUMNS, empty=empty)


def _no_memories(camillo: Camillo) -> str:
    """A hint for an agent without memories: the hooks of its sessions record events alone."""
    if next(iter(camillo.events.list(page_size=1)), None) is None:
        return "no memories"
    return "no memories; what its sessions recorded are events: camillo event list"


def get(
    client: ClientOptions,
    memory_id: MemoryId,
    vector: Annotated[bool, Option("--vector", help="Include its vector, with --json.")] = False,
) -> None:
    """Show one memory.

    Example: camillo get 0198c0de-0000-7000-8000-000000000001
    """
    with connected(client) as camillo:
        memory = camillo.get(memory_id, include_vector=vector)
    show_record(client, memory, memory.content, DETAILS)


def update(
    client: ClientOptions,
    memory_id: MemoryId,
    content: Annotated[str | None, Option(help="The new text; '-': read it from standard input.")] = None,
    kind: Annotated[options.MemoryKind | None, Option()] = None,
    add_tag: options.AddTags = None,
    remove_tag: options.RemoveTags = None,
    importance: Annotated[float | None, Option(min=0, max=1)] = None,
    session: Annotated[str | None, Option()] = None,
    sensitivity: Annotated[options.Sensitivity | None, Option()] = None,
    meta: options.ChangedMetadata = None,
    occurred: options.OccurredAt = None,
    expires: Annotated[str | None, Option(metavar="TIME", help="As with remember, or 'never'.")] = None,
    valid_from: options.ValidFrom = None,
    valid_until: options.ValidUntil = None,
    pin: Annotated[bool | None, Option("--pin/--unpin")] = None,
    archive: Annotated[bool | None, Option("--archive/--restore")] = None,
    expected_version: options.ExpectedVersion = None,
    omit_forgotten: options.OmitForgotten = False,
    request_id: options.RequestId = None,
) -> None:
    """Change one memory. Its history keeps the version before.

    Example: camillo update 0198c0de-0000-7000-8000-000000000001 --add-tag drinks --importance 0.9
    """
    changes_parts = bool(add_tag or remove_tag or meta)
    fields = changed_fields(
        expires,
        changes_parts=changes_parts,
        content=None if content is None else read_words([content]),
        kind=kind,
        importance=importance,
        session_id=session,
        sensitivity=sensitivity,
        occurred_at=occurred,
        valid_from=valid_from,
        valid_until=valid_until,
        pinned=pin,
        archived=archive,
    )
    with connected(client) as camillo:
        version = expected_version
        if version is None or changes_parts:
            memory = camillo.get(memory_id)
            version = version or memory.version
            fields |= changed_parts(memory, add_tag, remove_tag, meta)
        changed = camillo.update(memory_id, version, omit_forgotten=omit_forgotten, request_id=request_id, **fields)
    print_result(client, changed, f"updated {changed.memory_id} to version {changed.version}")


def forget(
    client: ClientOptions,
    filters: FilterOptions,
    memory_ids: Annotated[options.Words, Argument(metavar="[ID]...", help="Ids; or give filter options.")] = None,
    dry_run: options.DryRun = False,
    allow_restating: Annotated[
        bool, Option("--allow-restating", help="Let the same texts be stored again later.")
    ] = False,
    include_events: Annotated[
        bool, Option("--include-events", help="Also forget the events that they are based on.")
    ] = False,
    yes: options.Yes = False,
    request_id: options.RequestId = None,
) -> None:
    """Remove memories permanently, with everything derived from them, and block the same texts from being stored again.

    Example: camillo forget --tag drinks --dry-run
    """
    if bool(memory_ids) == (filters != FilterOptions()):
        raise CliError("give either ids or filter options", ExitCode.USAGE)
    selector: dict[str, Any] = {"ids": memory_ids} if memory_ids else {"filter": filters.message()}
    selector |= {"allow_restating": allow_restating, "include_events": include_events}
    with connected(client) as camillo:
        answer = run_confirmed(
            partial(camillo.forget, **selector),
            lambda planned: counted(planned.forgotten) if planned.forgotten else "",
            dry_run=dry_run,
            yes=yes,
            request_id=request_id,
        )
    verb = "would forget" if dry_run else "forgot"
    print_result(client, answer, f"{verb} {counted(answer.forgotten)}")
    if client.as_json:
        return
    note_receipt(answer.receipt)


def history(client: ClientOptions, memory_id: MemoryId) -> None:
    """Show each version of a memory, newest first.

    Example: camillo history 0198c0de-0000-7000-8000-000000000001
    """
    with connected(client) as camillo:
        versions = camillo.history(memory_id)
        print_list(client, versions, VERSIONS, empty="no versions", lines=3)


def changed_fields(expires: str | None, *, changes_parts: bool, **values: Any) -> dict[str, Any]:
    """The new values of a record, without those that are None. Raises CliError where nothing is changed."""
    fields = {name: value for name, value in values.items() if value is not None}
    if expires is not None:
        fields["expires_at"] = expiry(expires)
    if not fields and not changes_parts:
        raise CliError("nothing to change: name at least one field", ExitCode.USAGE)
    return fields


def changed_parts(
    record: Any, add_tags: options.Words, remove_tags: options.Words, meta: options.Words
) -> dict[str, Any]:
    """The tags and metadata that a record has after a change, each only where it is changed. Raises CliError."""
    from camillo_client import to_dict

    fields: dict[str, Any] = {}
    if add_tags or remove_tags:
        kept = [tag for tag in record.tags if tag not in (remove_tags or [])]
        fields["tags"] = list(dict.fromkeys([*kept, *(add_tags or [])]))
    if meta:
        merged = {**to_dict(record.metadata), **metadata(meta)}
        fields["metadata"] = {key: value for key, value in merged.items() if value != ""}
    return fields


def short_tags(record: Any) -> str:
    """The tags of a memory or chunk, cut where they are many."""
    tags = ", ".join(record.tags)
    return tags if len(tags) <= MAX_TAGS_LENGTH else tags[: MAX_TAGS_LENGTH - 1] + "…"


def staleness(memory: Any) -> str:
    """Why a memory is stale; empty where it is not."""
    if not memory.HasField("stale"):
        return ""
    return f"its source {memory.stale.source_ref} changed, {time_text(memory.stale.since)}"


def attribution_text(record: Any) -> str:
    """Who said what a record tells, and the credential that stored it; empty where neither is known."""
    actor = f"{field_text(record, 'actor.type')}:{record.actor.id}" if record.actor.id else ""
    by = f"by {record.credential}" if record.credential else ""
    return ", ".join(filter(None, (actor, by)))


def trust(memory: Any) -> str:
    """How far a memory is to be trusted; empty where nobody knows."""
    return field_text(memory, "trust_level") if memory.trust_level else ""


def said_by(record: Any) -> str:
    """Who said what a memory or a chunk tells: a person, a reported person, an agent, a tool, the web; empty where
    nobody knows."""
    from camillo.v1.actor_pb2 import ActorType
    from camillo_formats.rendering import UNKNOWN, speaker

    is_person = record.actor.type == ActorType.ACTOR_TYPE_HUMAN
    name = speaker(record.trust_level, is_person=is_person)
    return "" if name == UNKNOWN else name


def version_text(record: Any) -> str:
    """The version of a record, and since when it has it."""
    return f"{record.version}, since {time_text(record.updated_at)}"


def _mentions(memory: Memory) -> str:
    return counted(memory.stated_count, "time", "times") if memory.stated_count > 1 else ""


SPACE = Column("space", "agent_id")
COLUMNS = (
    Column("id", "memory_id", style="dim"),
    Column("age", age_in("occurred_at"), right=True),
    Column("tags", short_tags, style="green", optional=True),
    Column("kind", "kind", optional=True),
    Column("trust", trust, optional=True),
    Column("content", "content"),
)
VERSIONS = (
    Column("version", "memory.version", right=True),
    Column("since", "memory.updated_at"),
    Column("until", lambda revision: field_text(revision, "replaced_at") or "in force"),
    Column("content", "memory.content"),
)
DETAILS = (
    ("id", "memory_id"),
    ("kind", "kind"),
    ("importance", "importance"),
    ("sensitivity", "sensitivity"),
    ("session", "session_id"),
    ("tags", "tags"),
    ("metadata", "metadata"),
    ("source refs", "source_refs"),
    ("expires", "expires_at"),
    ("pinned", "pinned"),
    ("archived", "archived"),
    ("stale", staleness),
    ("happened", "occurred_at"),
    ("true from", "valid_from"),
    ("true until", "valid_until"),
    ("supersedes", "supersedes"),
    ("superseded by", "superseded_by"),
    ("version", version_text),
    ("recalled", lambda memory: counted(memory.access_count, "time", "times")),
    ("mentioned", _mentions),
    ("said by", attribution_text),
    ("trust", trust),
    ("vector of", lambda memory: memory.vector_model_id or "none yet"),
)
