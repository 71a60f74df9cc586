"""set, get-slot, slots list, history, restore: JSON under keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from camillo_cli import options
from camillo_cli.arguments import json_object, read_words
from camillo_cli.connection import ClientOptions, connected, space_option
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import clean, field_text, pairs
from camillo_cli.memories import trust, version_text
from camillo_cli.output import note, note_durability, print_result
from camillo_cli.tables import (
    Column,
    Value,
    age_in,
    pages,
    print_list,
    show_record,
    text_of,
)

if TYPE_CHECKING:
    from camillo.v1.slot_pb2 import Slot, SlotProvenance
    from camillo.v1.slot_service_pb2 import SlotEntry

# Not `key`, which is that of the connection.
Key = Annotated[str, Argument(metavar="KEY", help="The key of a slot, such as /user/preference/style.")]
Shared = Annotated[bool, Option("--shared", help="Read the space that all agents of the tenant share.")]
IfVersion = Annotated[
    int | None,
    Option(min=0, help="Fail if it has another version; 0: if there is any. Default: write."),
]
# Where content stands whose source does not tell enough, by the tenant's rules.
SET_APART = "/untrusted/"
source_option = options.panel("Where it comes from")


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """Where content comes from: words, or a provenance."""

    source: Annotated[str | None, source_option("In words, such as 'Ada said so'.")] = None
    kind: Annotated[
        options.ProvenanceKind | None,
        source_option("What kind of source, so that it can be found again."),
    ] = None
    name: Annotated[str, source_option("Its name: a tool, a site, a file, a person.")] = ""
    retrieved_at: Annotated[
        datetime | None,
        options.ago(source_option, "When it was read there: 2026-01-31T12:00Z, or 2h for two hours ago."),
    ] = None
    locator: Annotated[
        dict[str, Any] | None,
        source_option(
            'Where in it, as JSON: \'{"url": "https://example.com"}\'.',
            parser=json_object("--locator"),
            metavar="JSON",
        ),
    ] = None

    def message(self) -> str | SlotProvenance:
        """The source as the client takes it. Raises CliError."""
        from camillo_client import provenance

        is_detailed = bool(self.name or self.retrieved_at or self.locator is not None)
        if self.kind is None:
            if self.source is None or is_detailed:
                raise CliError(
                    "give --source TEXT, or --kind with --name, --retrieved-at and --locator",
                    ExitCode.USAGE,
                )
            return self.source
        if self.source is not None:
            raise CliError("give either --source or --kind", ExitCode.USAGE)
        return provenance(
            options.literal(self.kind),
            self.name,
            retrieved_at=self.retrieved_at,
            locator=self.locator,
        )


@dataclass(frozen=True, slots=True)
class ConditionOptions(options.ClientFields):
    """Conditions of a list of slots; all of them have to hold."""

    one_level: Annotated[
        bool,
        options.where("Only what stands directly below; directories end with a slash.", "--one-level"),
    ] = False
    types: Annotated[list[str], options.where("Of this type; repeated: of one of them.", "--type")] = field(
        default_factory=list
    )
    tags_any: Annotated[list[str], options.where("With this tag; repeated: with one of them.", "--tag")] = field(
        default_factory=list
    )
    updated_since: Annotated[datetime | None, options.ago(options.where, "Written since: 2026-01-31, or 7d.")] = None
    trigger_before: Annotated[
        datetime | None,
        options.ahead(options.where, "Due by then: 2026-01-31T12:00Z, or 2h for in two hours; 0s: due now."),
    ] = None


def set_memory(
    client: ClientOptions,
    source: SourceOptions,
    slot_key: Key,
    content: Annotated[
        str | None,
        Argument(
            metavar="JSON",
            help="Any JSON, kept byte for byte; null: a tombstone; '-': read it from standard input.",
        ),
    ] = None,
    sensitivity: Annotated[options.Sensitivity | None, Option(help="How sensitive it is. Default: internal.")] = None,
    if_version: IfVersion = None,
    no_index: Annotated[bool, Option("--no-index", help="Leave it out of recalls, bundles and digests.")] = False,
    shared: Annotated[bool, Option("--shared", help="Write it where all agents of the tenant read it.")] = False,
    request_id: options.RequestId = None,
) -> None:
    """Write JSON under a key. Its history keeps the version before.

    Example: camillo set /user/preference/style '{"type": "preference", "text": "short answers"}' --source "Ada said so"
    """
    from camillo_client import SHARED

    if shared and space_option(client):
        raise CliError("give either --shared or a space, such as --agent", ExitCode.USAGE)
    stated = source.message()
    text = read_words(None if content is None else [content], exact=True)
    with connected(client) as camillo:
        slot = camillo.slots.set_memory(
            slot_key,
            text,
            stated,
            sensitivity=options.literal(sensitivity),
            if_version=if_version,
            unindexed=no_index,
            agent_id=SHARED if shared else None,
            request_id=request_id,
        )
    if slot.key.startswith(SET_APART) and not slot_key.lstrip("/").startswith(SET_APART[1:]):
        note(f"{clean(slot_key)} is set apart: its source does not tell enough")
    verb = "set" if slot.valid else "removed"
    version = f", version {slot.version}" if slot.version else ""
    print_result(client, slot, f"{verb} {slot.key}{version}")
    note_durability(slot)


def get(client: ClientOptions, slot_key: Key, shared: Shared = False, channel: options.ShownIn = None) -> None:
    """Show the newest version of a slot.

    Example: camillo get-slot /user/preference/style
    """
    with connected(client) as camillo:
        slot = camillo.slots.get(slot_key, shared=shared, channel=options.literal(channel))
    show_record(client, slot, slot.json_content, DETAILS)


def list_slots(
    client: ClientOptions,
    conditions: ConditionOptions,
    prefix: Annotated[str, Argument(metavar="[PREFIX]", help="Only slots below this key, itself among them.")] = "",
    limit: options.Limit = None,
    shared: Shared = False,
    channel: options.ShownIn = None,
) -> None:
    """List slots in the order of their keys.

    Example: camillo slots list /user --one-level
    """
    with connected(client) as camillo:
        found = pages(
            camillo.slots.list,
            limit,
            prefix=prefix,
            shared=shared,
            channel=channel,
            **conditions.fields(),
        )
        print_list(client, found, COLUMNS, empty="no slots")


def history(
    client: ClientOptions,
    slot_key: Key,
    limit: options.Limit = None,
    shared: Shared = False,
    channel: options.ShownIn = None,
) -> None:
    """Show each version of a slot, newest first, tombstones among them.

    Example: camillo slots history /user/preference/style
    """
    with connected(client) as camillo:
        versions = pages(camillo.slots.history, limit, key=slot_key, shared=shared, channel=channel)
        print_list(client, versions, VERSIONS, empty="no versions", lines=3)


def restore(
    client: ClientOptions,
    slot_key: Key,
    version: Annotated[int, Argument(metavar="VERSION", min=1, help="The version to write again.")],
    if_version: IfVersion = None,
    channel: options.ShownIn = None,
    request_id: options.RequestId = None,
) -> None:
    """Write an earlier version of a slot again, as the newest one.

    Example: camillo slots restore /user/preference/style 1
    """
    with connected(client) as camillo:
        slot = camillo.slots.restore(
            slot_key,
            version,
            if_version=if_version,
            channel=options.literal(channel),
            request_id=request_id,
        )
    print_result(client, slot, f"restored version {version} of {slot.key} as version {slot.version}")


def source_text(slot: Slot) -> str:
    """Where content comes from, in words."""
    if slot.source.WhichOneof("stated") == "text":
        return slot.source.text
    stated = slot.source.provenance
    parts = (
        f"{field_text(stated, 'kind')}:{stated.name}",
        field_text(stated, "retrieved_at"),
        pairs(stated.locator),
    )
    return ", ".join(filter(None, parts))


def _entry_key(entry: SlotEntry) -> str:
    return f"{entry.key}/" if entry.is_directory else entry.key


def _of_slot(value: Value) -> Callable[[SlotEntry], str]:
    """A value of the slot of an entry; empty where the entry is a directory alone."""
    return lambda entry: text_of(entry.slot, value) if entry.HasField("slot") else ""


COLUMNS = (
    Column("key", _entry_key, style="dim"),
    Column("version", _of_slot("version"), right=True, optional=True),
    Column("age", _of_slot(age_in("updated_at")), right=True),
    Column("type", _of_slot("type"), optional=True),
    Column("due", _of_slot("trigger_at"), optional=True),
    Column("trust", _of_slot(trust), optional=True),
    Column("summary", _of_slot("summary")),
)
VERSIONS = (
    Column("version", "version", right=True),
    Column("written", "updated_at"),
    Column("trust", trust, optional=True),
    Column("source", source_text, optional=True),
    Column("content", "json_content"),
)
DETAILS = (
    ("key", "key"),
    ("id", "slot_id"),
    ("type", "type"),
    ("importance", "importance"),
    ("sensitivity", "sensitivity"),
    ("tags", "tags"),
    ("summary", "summary"),
    ("due", "trigger_at"),
    ("expires", "expired_at"),
    ("scope", lambda slot: "" if slot.agent_id else "shared"),
    ("version", version_text),
    ("source", source_text),
    ("written by", "credential"),
    ("trust", trust),
    ("searches", lambda slot: "left out" if slot.unindexed else ""),
)
