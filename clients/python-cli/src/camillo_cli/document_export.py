"""docs export: documents with their texts as JSON lines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

from google.protobuf.json_format import MessageToDict
from typer import Argument

from camillo_cli.connection import ClientOptions, connected
from camillo_cli.documents import DocumentFilterOptions
from camillo_cli.format import counted
from camillo_cli.options import ShownIn, literal
from camillo_cli.output import open_output, print_value, progress_bar

if TYPE_CHECKING:
    from camillo.v1.knowledge_pb2 import Document
    from camillo_client import Camillo


def export(
    client: ClientOptions,
    filters: DocumentFilterOptions,
    target: Annotated[str, Argument(metavar="[FILE]", help="Write to it; '-': standard output.")] = "-",
    channel: ShownIn = None,
) -> None:
    """Write documents as JSON lines, by name: the fields of each, its version, and its text as passages cite it.

    Example: camillo docs export handbook.jsonl --prefix handbook/
    """
    count = 0
    with (
        connected(client) as camillo,
        open_output(target) as file,
        progress_bar("export", None) as report,
    ):
        for document in camillo.documents.list(channel=literal(channel), **filters.fields()):
            file.write(f"{json.dumps(_line(camillo, document, channel), ensure_ascii=False)}\n".encode())
            count += 1
            report(count, count)
    if target != "-":
        text = f"exported {counted(count, 'document', 'documents')} to {target}"
        print_value({"exported": count}, text, as_json=client.as_json)


def _line(camillo: Camillo, document: Document, channel: ShownIn) -> dict[str, Any]:
    stated = MessageToDict(document.stated, preserving_proto_field_name=True)
    text = _text(camillo, document, channel)
    return {**stated, "version": document.version, "archived": document.archived, "text": text}


def _text(camillo: Camillo, document: Document, channel: ShownIn) -> str:
    """All of it: an answer holds so much. A version is read whole, whatever is published meanwhile."""
    parts: list[str] = []
    at = 0
    while at < document.text_bytes:
        answer = camillo.documents.get(
            document.document_id,
            version=document.version,
            byte_from=at,
            channel=literal(channel),
        )
        parts.append(answer.text)
        at = answer.byte_until
    return "".join(parts)
