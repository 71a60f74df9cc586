"""artifact put, list, show, update, rm, cites: large outputs that are kept outside of the context."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

from typer import Argument, Option

from camillo_cli import options
from camillo_cli.arguments import open_input, size_bytes
from camillo_cli.connection import ClientOptions, connected
from camillo_cli.format import counted, printable, size
from camillo_cli.memories import changed_fields, changed_parts, version_text
from camillo_cli.output import byte_bar, note, print_message, print_result, say
from camillo_cli.removals import confirm
from camillo_cli.tables import Column, age_in, pages, print_list, show_details

if TYPE_CHECKING:
    from camillo.v1.artifact_pb2 import Artifact

ArtifactId = Annotated[str, Argument(metavar="ID", help="The id of an artifact, or a whole memory ref.")]
sized = partial(options.where, parser=size_bytes, metavar="SIZE")


@dataclass(frozen=True, slots=True)
class ArtifactOptions(options.ClientFields):
    """The fields of a new artifact, apart from its content."""

    name: Annotated[str, options.about("A short name.")] = ""
    description: Annotated[str, options.about("Default: made from the content.")] = ""
    tool: Annotated[str, options.about("The tool that produced it.")] = ""
    command: Annotated[str, options.about("The command that produced it.")] = ""
    exit_code: Annotated[int | None, options.about("The exit code of the command.")] = None
    session_id: options.SessionId = ""
    tags: options.Tags = field(default_factory=list)
    sensitivity: options.SensitivityLevel = None
    metadata: options.Metadata = field(default_factory=list)
    expires_at: options.ExpiresAt = None
    pinned: options.Pinned = False
    source_refs: options.SourceRefs = field(default_factory=list)
    shared: Annotated[bool, options.about("For all agents of the tenant.", "--shared")] = False


@dataclass(frozen=True, slots=True)
class ArtifactFilterOptions(options.ClientFields):
    """Conditions of a filter of artifacts; all of them have to hold."""

    tool: Annotated[str, options.where("Produced by this tool.")] = ""
    session_id: options.OfSession = ""
    kinds: Annotated[list[options.ContentKind], options.of_kinds] = field(default_factory=list)
    tags_all: options.AllTags = field(default_factory=list)
    tags_any: options.AnyTags = field(default_factory=list)
    created_from: Annotated[
        datetime | None, options.ago(options.where, "Stored since: 2026-01-31, or 7d.", "--since")
    ] = None
    created_before: Annotated[
        datetime | None,
        options.ago(options.where, "Stored before: 2026-01-31, or 12h.", "--before"),
    ] = None
    min_size_bytes: Annotated[int | None, sized("At least this large: 10MB.", "--min-size")] = None
    max_size_bytes: Annotated[int | None, sized("At most this large; 0: any.", "--max-size")] = None
    max_sensitivity: options.MaxSensitivity = None
    cited_by_memory_id: Annotated[str, options.where("Cited by this memory.", "--cited-by", metavar="MEMORY_ID")] = ""


def put(
    client: ClientOptions,
    new: ArtifactOptions,
    path: Annotated[str, Argument(metavar="FILE", help="A file; '-': standard input.")],
    request_id: options.RequestId = None,
) -> None:
    """Store a file as an artifact.

    Example: camillo artifact put build.log --tool shell --command "make"
    """
    fields = new.fields()
    with open_input(path) as file, connected(client) as camillo:
        if path != "-" and not new.name:
            fields["name"] = Path(path).name
        with byte_bar("put", _length(file)) as report:
            artifact = camillo.artifacts.put(file, request_id=request_id, on_progress=report, **fields)
    print_result(client, artifact, artifact.memory_ref)
    if not client.as_json:
        note(f"stored {size_text(artifact)}")


def list_artifacts(
    client: ClientOptions,
    filters: ArtifactFilterOptions,
    limit: options.Limit = None,
    shared: Annotated[bool, Option("--shared", help="Also those that all agents of the tenant share.")] = False,
    channel: options.ShownIn = None,
) -> None:
    """List artifacts, newest first.

    Example: camillo artifact list --tool shell --since 7d --min-size 1MB
    """
    conditions = {"include_shared": shared, "channel": channel, **filters.fields()}
    with connected(client) as camillo:
        artifacts = pages(camillo.artifacts.list, limit, **conditions)
        print_list(client, artifacts, COLUMNS, empty="no artifacts")


def show(client: ClientOptions, artifact_id: ArtifactId, channel: options.ShownIn = None) -> None:
    """Show the fields of an artifact, its summary, its beginning and its end.

    Example: camillo artifact show npm_install_7f3k9q2mxd
    """
    with connected(client) as camillo:
        answer = camillo.artifacts.get(artifact_id, channel=options.literal(channel))
    if client.as_json:
        print_message(answer)
        return
    shown = printable if sys.stdout.isatty() else str
    say(shown(answer.artifact.memory_ref))
    show_details(answer.artifact, DETAILS)
    preview = answer.preview
    parts = (("summary", answer.artifact.summary), ("head", preview.head), ("tail", preview.tail))
    for name, text in parts:
        if text:
            say(f"\n--- {name}\n{shown(text.rstrip())}")


def update(
    client: ClientOptions,
    artifact_id: ArtifactId,
    name: Annotated[str | None, Option()] = None,
    description: Annotated[str | None, Option(help="'': make it from the content again.")] = None,
    session: Annotated[str | None, Option()] = None,
    add_tag: options.AddTags = None,
    remove_tag: options.RemoveTags = None,
    meta: options.ChangedMetadata = None,
    expires: Annotated[str | None, Option(metavar="TIME", help="2027-01-31, 90d, or 'never'.")] = None,
    pin: Annotated[bool | None, Option("--pin/--unpin")] = None,
    expected_version: options.ExpectedVersion = None,
    request_id: options.RequestId = None,
) -> None:
    """Change the fields of an artifact. Its content never changes.

    Example: camillo artifact update npm_install_7f3k9q2mxd --add-tag build --pin
    """
    fields = changed_fields(
        expires,
        changes_parts=bool(add_tag or remove_tag or meta),
        name=name,
        description=description,
        session_id=session,
        pinned=pin,
    )
    with connected(client) as camillo:
        artifact = camillo.artifacts.get(artifact_id).artifact
        fields |= changed_parts(artifact, add_tag, remove_tag, meta)
        version = expected_version or artifact.version
        changed = camillo.artifacts.update(artifact_id, version, request_id=request_id, **fields)
    print_result(client, changed, f"updated {changed.artifact_id} to version {changed.version}")


def remove(
    client: ClientOptions,
    artifact_ids: Annotated[list[str], Argument(metavar="ID...", help="Ids, or memory refs.")],
    yes: options.Yes = False,
) -> None:
    """Remove artifacts permanently.

    Example: camillo artifact rm npm_install_7f3k9q2mxd
    """
    what = artifact_ids[0] if len(artifact_ids) == 1 else f"{len(artifact_ids)} artifacts"
    confirm("remove", what, yes=yes)
    with connected(client) as camillo:
        for artifact_id in artifact_ids:
            receipt = camillo.artifacts.delete(artifact_id)
            print_result(client, receipt, f"removed {receipt.artifact_id}")


def cites(client: ClientOptions, artifact_id: ArtifactId) -> None:
    """List the records that cite an artifact.

    Example: camillo artifact cites npm_install_7f3k9q2mxd
    """
    with connected(client) as camillo:
        citations = camillo.artifacts.citations(artifact_id)
        print_list(client, citations, CITATIONS, empty="nothing cites it")


def size_text(artifact: Artifact) -> str:
    """The id of an artifact, its size and its lines."""
    lines = ""
    if artifact.HasField("line_count"):
        lines = f", {counted(artifact.line_count, 'line', 'lines')}"
    return f"{artifact.artifact_id} ({size(artifact.size_bytes)}{lines})"


def _length(file: BinaryIO) -> int | None:
    """The bytes that are left to read, for the progress bar; None where that is not known."""
    if not file.seekable():
        return None
    position = file.tell()
    length = file.seek(0, 2) - position
    file.seek(position)
    return length or None


def _exact_size(artifact: Artifact) -> str:
    text = size(artifact.size_bytes)
    return text if text.endswith(" B") else f"{text} ({artifact.size_bytes:,} bytes)"


def _secrets(artifact: Artifact) -> str:
    counts = ", ".join(f"{each.count:,} x {each.kind}" for each in artifact.redaction_counts)
    return counts and f"{counts} taken out"


def _scope(artifact: Artifact) -> str:
    return "" if artifact.agent_id else f"shared, by {artifact.created_by_agent_id}"


COLUMNS = (
    Column("id", "artifact_id", style="dim"),
    Column("age", age_in("created_at"), right=True),
    Column("size", lambda artifact: size(artifact.size_bytes), right=True),
    Column("lines", "line_count", right=True, optional=True),
    Column("kind", "kind", optional=True),
    Column("tool", "tool", style="green", optional=True),
    Column("description", "description"),
)
CITATIONS = (
    Column("what", "source"),
    Column("agent", "agent_id"),
    Column("id", "cited_by_id"),
)
DETAILS = (
    ("id", "artifact_id"),
    ("kind", "kind"),
    ("size", _exact_size),
    ("name", "name"),
    ("media type", "media_type"),
    ("tool", "tool"),
    ("command", "command"),
    ("exit code", "exit_code"),
    ("session", "session_id"),
    ("tags", "tags"),
    ("metadata", "metadata"),
    ("source refs", "source_refs"),
    ("expires", "expires_at"),
    ("pinned", "pinned"),
    ("scope", _scope),
    ("secrets", _secrets),
    ("lines", "line_count"),
    ("encoding", "encoding"),
    ("sensitivity", "sensitivity"),
    ("sha256", lambda artifact: artifact.sha256.hex()),
    ("stored", "created_at"),
    ("version", version_text),
)
