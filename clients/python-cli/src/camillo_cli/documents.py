"""docs publish, list, show, versions, archive, restore, delete: what a tenant knows, found by all of its agents."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from camillo_cli import options
from camillo_cli.arguments import number_range, open_input
from camillo_cli.connection import ClientOptions, connected
from camillo_cli.format import counted, printable, size
from camillo_cli.output import note, print_message, print_result, say
from camillo_cli.removals import confirm
from camillo_cli.tables import Column, age_in, pages, print_list, show_details

if TYPE_CHECKING:
    from camillo.v1.knowledge_pb2 import Document
    from camillo_client import Camillo

DocumentName = Annotated[str, Argument(metavar="NAME", help="The name of a document, or its id.")]


@dataclass(frozen=True, slots=True)
class DocumentOptions(options.ClientFields):
    """Options about a document to publish, apart from its name."""

    title: Annotated[str, options.about("Default: its first heading, or its name.")] = ""
    media_type: Annotated[
        str, options.about("Such as text/markdown. Default: by its name or its content.", "--type")
    ] = ""
    categories: Annotated[list[str], options.about("By which keys grant it; may be repeated.", "--category")] = field(
        default_factory=list
    )
    tags: options.Tags = field(default_factory=list)
    sensitivity: options.SensitivityLevel = None
    source_url: Annotated[str, options.about("Where it comes from.", "--source-url")] = ""
    metadata: options.Metadata = field(default_factory=list)
    effective_from: Annotated[
        datetime | None,
        options.ahead(options.about, "Not found before: 2027-01-31, or 7d.", "--from"),
    ] = None
    effective_until: Annotated[
        datetime | None,
        options.ahead(options.about, "Not found from then on: 2027-01-31, or 90d.", "--until"),
    ] = None


@dataclass(frozen=True, slots=True)
class DocumentFilterOptions(options.ClientFields):
    """Conditions of a filter of documents; all of them have to hold."""

    name_prefix: Annotated[str, options.where("Only documents whose name begins with this.", "--prefix")] = ""
    categories_any: Annotated[list[str], options.where("Of this category; repeated: of one of them.", "--category")] = (
        field(default_factory=list)
    )
    tags_any: Annotated[list[str], options.where("With this tag; repeated: with one of them.", "--tag")] = field(
        default_factory=list
    )
    archived: Annotated[options.Archived | None, options.where("Also archived ones, or only those.")] = None


def publish(
    client: ClientOptions,
    new: DocumentOptions,
    path: Annotated[str, Argument(metavar="FILE", help="A file; '-': standard input.")],
    name: Annotated[str, Option(help="Its name in the tenant, like a path. Default: the name of the file.")] = "",
    expected_version: Annotated[
        int | None, Option(min=0, help="Fail if it has another version; 0: if there is one.")
    ] = None,
    omit_forgotten: options.OmitForgotten = False,
    request_id: options.RequestId = None,
) -> None:
    """Publish a document for all agents of the tenant, or its next version. The same text again stores nothing.

    Example: camillo docs publish travel.md --name handbook/travel.md --category policy
    """
    named = name or ("stdin" if path == "-" else Path(path).name)
    fields = new.fields()
    provenance = fields.pop("metadata", None)
    with open_input(path) as file, connected(client) as camillo:
        answer = camillo.documents.publish(
            named,
            file.read(),
            provenance=provenance,
            expected_version=expected_version,
            omit_forgotten=omit_forgotten,
            request_id=request_id,
            **fields,
        )
    document = answer.document
    print_result(client, answer, document.document_id)
    if client.as_json:
        return
    if answer.unchanged:
        note(f"{named} is there already, in version {document.version}")
        return
    kept = f", {answer.passages_kept} kept" if answer.passages_kept else ""
    passages = counted(document.passages, "passage", "passages")
    note(f"published {named}, version {document.version} ({passages}{kept})")


def list_documents(
    client: ClientOptions,
    filters: DocumentFilterOptions,
    limit: options.Limit = None,
    channel: options.ShownIn = None,
) -> None:
    """List documents by name.

    Example: camillo docs list --prefix handbook/ --category policy
    """
    with connected(client) as camillo:
        found = pages(camillo.documents.list, limit, channel=options.literal(channel), **filters.fields())
        print_list(client, found, COLUMNS, empty="no documents")


def show(
    client: ClientOptions,
    name: DocumentName,
    version: Annotated[int | None, Option(min=1, help="An earlier version.")] = None,
    span: Annotated[str | None, Option("--bytes", metavar="A:B", help="Only these bytes of its text.")] = None,
    no_text: Annotated[bool, Option("--no-text", help="Only the fields.")] = False,
    channel: options.ShownIn = None,
) -> None:
    """Show the fields of a document, and its text.

    Example: camillo docs show handbook/travel.md --bytes 0:400
    """
    begin, end = number_range(span, "--bytes") if span else (None, None)
    with connected(client) as camillo:
        answer = camillo.documents.get(
            name,
            version=version,
            omit_text=no_text,
            byte_from=begin or 0,
            byte_until=end or 0,
            channel=options.literal(channel),
        )
    if client.as_json:
        print_message(answer)
        return
    shown = printable if sys.stdout.isatty() else str
    if span is None:
        say(shown(answer.document.stated.name))
        show_details(answer.document, DETAILS)
    if answer.text:
        say(shown(answer.text.rstrip("\n")) if span else f"\n{shown(answer.text.rstrip())}")
    if answer.text and answer.byte_until < answer.document.text_bytes and span is None:
        note(f"the text goes on: --bytes {answer.byte_until}:{answer.document.text_bytes}")


def versions(
    client: ClientOptions,
    name: DocumentName,
    limit: options.Limit = None,
    channel: options.ShownIn = None,
) -> None:
    """List the versions of a document, the newest first.

    Example: camillo docs versions handbook/travel.md
    """
    shown = options.literal(channel)
    with connected(client) as camillo:
        document = camillo.documents.get(name, omit_text=True, channel=shown).document
        found = pages(camillo.documents.versions, limit, document_id=document.document_id, channel=shown)
        print_list(client, found, VERSIONS, empty="no versions")


def archive(client: ClientOptions, name: DocumentName, request_id: options.RequestId = None) -> None:
    """Archive a document: recall no longer finds it. Its versions are kept.

    Example: camillo docs archive handbook/travel.md
    """
    _archive(client, name, request_id, restore=False)


def restore(client: ClientOptions, name: DocumentName, request_id: options.RequestId = None) -> None:
    """Restore an archived document, so that recall finds it again.

    Example: camillo docs restore handbook/travel.md
    """
    _archive(client, name, request_id, restore=True)


def delete(
    client: ClientOptions,
    name: DocumentName,
    yes: options.Yes = False,
    request_id: options.RequestId = None,
) -> None:
    """Remove a document with all of its versions permanently.

    Its contents may be stated again; camillo lifecycle forget --document ID forbids that, too.
    Example: camillo docs delete handbook/travel.md
    """
    confirm("delete", name, yes=yes)
    with connected(client) as camillo:
        answer = camillo.documents.delete(_id_of(camillo, name), request_id=request_id)
    passages = counted(answer.passages, "passage", "passages")
    number = counted(answer.versions, "version", "versions")
    print_result(client, answer, f"deleted {name} ({number}, {passages})")


def _archive(client: ClientOptions, name: str, request_id: str | None, *, restore: bool) -> None:
    with connected(client) as camillo:
        document_id = _id_of(camillo, name)
        answer = camillo.documents.archive(document_id, restore=restore, request_id=request_id)
    print_result(client, answer, f"{'restored' if restore else 'archived'} {name}")


def _id_of(camillo: Camillo, name: str) -> str:
    found: str = camillo.documents.get(name, omit_text=True).document.document_id
    return found


def _categories(document: Document) -> str:
    return " ".join(document.stated.categories)


def _state(document: Document) -> str:
    return "archived" if document.archived else ""


def _size(document: Document) -> str:
    return size(document.text_bytes)


def _text_size(document: Document) -> str:
    return f"{size(document.text_bytes)}, {counted(document.passages, 'passage', 'passages')}"


COLUMNS = (
    Column("age", age_in("updated_at"), right=True),
    Column("name", "stated.name"),
    Column("version", "version", right=True),
    Column("size", _size, right=True),
    Column("categories", _categories, optional=True),
    Column("state", _state, optional=True),
    Column("title", "stated.title", style="dim"),
)
VERSIONS = (
    Column("age", age_in("updated_at"), right=True),
    Column("version", "version", right=True),
    Column("size", _size, right=True),
    Column("credential", "credential", style="dim", optional=True),
    Column("title", "stated.title"),
)
DETAILS = (
    ("id", "document_id"),
    ("title", "stated.title"),
    ("version", "version"),
    ("state", _state),
    ("type", "stated.media_type"),
    ("text", _text_size),
    ("categories", _categories),
    ("tags", "stated.tags"),
    ("sensitivity", "stated.sensitivity"),
    ("source", "stated.source_url"),
    ("provenance", "stated.provenance"),
    ("from", "stated.effective_from"),
    ("until", "stated.effective_until"),
    ("created", "created_at"),
    ("updated", "updated_at"),
    ("credential", "credential"),
)
