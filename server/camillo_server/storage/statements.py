"""Named SQL: a `.sql` file beside the code that uses it holds statements, `-- name: x`, and the parts that they share
as `{{x}}`, `-- fragment: x`; those that several files share are in `storage/fragments.sql`, or derived from the table
of fields (`storage/row_fields.py`)."""

import json
import re
import struct
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any, LiteralString
from uuid import UUID

from numpy.typing import NDArray
from pgvector.psycopg.vector import register_vector_info
from psycopg import AsyncConnection
from psycopg.adapt import Dumper
from psycopg.pq import Format
from psycopg.types import TypeInfo
from psycopg.types.json import Jsonb, set_json_loads

from camillo_server.kernel.kinds import Scalar
from camillo_server.kernel.scope import Scope
from camillo_server.storage.row_fields import FRAGMENTS

PACKAGE = Path(__file__).parent.parent
HEADING = re.compile(r"^-- (name|fragment): (\w+)\n", re.MULTILINE)
COMMENT_OR_INDENT = re.compile(r"^--.*\n|^ +", re.MULTILINE)
INCLUDE = re.compile(r"\{\{(\w+)\}\}")


@cache
def statements(name: str) -> dict[str, LiteralString]:
    """The statements of `<name>.sql`, a path below the package, by name, with their fragments. Raises KeyError for an
    unknown fragment."""
    path = PACKAGE / f"{name}.sql"
    fragments = _parts(PACKAGE / "storage" / "fragments.sql", "fragment") | FRAGMENTS | _parts(path, "fragment")
    return {name: _filled(text, fragments) for name, text in _parts(path, "name").items()}


def filled(text: str) -> LiteralString:
    """A part of a statement that stands in code, with the fragments that several files share."""
    return _filled(dedent(text).strip(), _parts(PACKAGE / "storage" / "fragments.sql", "fragment"))


def _parts(path: Path, kind: str) -> dict[str, str]:
    pieces = HEADING.split(path.read_text("utf-8"))[1:]
    found = zip(pieces[0::3], pieces[1::3], pieces[2::3], strict=True)
    return {name: text.strip() for heading, name, text in found if heading == kind}


def _filled(text: str, fragments: dict[str, str]) -> LiteralString:
    while INCLUDE.search(text):
        text = INCLUDE.sub(lambda match: fragments[match[1]], text)
    # The driver keeps what it made of a statement of up to 4,096 characters.
    return COMMENT_OR_INDENT.sub("", text)


def scope_parameters(scope: Scope) -> dict[str, Any]:
    return {"tenant_id": scope.tenant_id, "agent_id": scope.agent_id}


def array_text(values: Sequence[str]) -> str:
    """The literal of an array: Postgres has no arrays of arrays of different lengths."""
    quoted = (value.replace("\\", "\\\\").replace('"', '\\"') for value in values)
    return "{" + ",".join(f'"{value}"' for value in quoted) + "}"


def _as_json(value: Any) -> Any:
    """Converts a value to JSON that Postgres reads as the same value."""
    match value:
        case UUID():
            return str(value)
        case datetime():
            return value.isoformat()
        case bytes():
            return f"\\x{value.hex()}"
        case Jsonb():
            return value.obj
    raise TypeError(f"{type(value).__name__} has no JSON")


# Encodes rows as the JSON that `json_to_recordset` takes.
json_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_as_json).encode


_decode_json = json.JSONDecoder().decode
TEXT_TYPE, UUID_TYPE = 25, 2950
# The header of an array: dimensions, flags, type of the elements, then the length and the first index of a dimension.
ARRAY_HEADER = struct.Struct(">iiiii")
NO_TEXTS = struct.pack(">iii", 0, 0, TEXT_TYPE)
NULL_LENGTH = (-1).to_bytes(4, signed=True)
JSONB_VERSION = b"\1"
EMPTY_OBJECT = JSONB_VERSION + b"{}"
# How many numbers, and two bytes that pgvector does not use yet.
VECTOR_HEADER = struct.Struct(">HH")


def binary_texts(texts: Sequence[str]) -> bytes:
    """An array of texts in Postgres' binary form."""
    if not texts:
        return NO_TEXTS
    parts = [ARRAY_HEADER.pack(1, 0, TEXT_TYPE, len(texts), 1)]
    for text in texts:
        encoded = text.encode()
        parts += (len(encoded).to_bytes(4), encoded)
    return b"".join(parts)


def binary_uuids(ids: Sequence[UUID | None]) -> bytes:
    """An array of UUIDs, which is not empty; None is null."""
    parts = [ARRAY_HEADER.pack(1, int(None in ids), UUID_TYPE, len(ids), 1)]
    for each in ids:
        parts += (NULL_LENGTH,) if each is None else (len(each.bytes).to_bytes(4), each.bytes)
    return b"".join(parts)


def binary_jsonb(value: Mapping[str, Scalar]) -> bytes:
    """The same of an object as jsonb."""
    if not value:
        return EMPTY_OBJECT
    return JSONB_VERSION + json.dumps(dict(value), ensure_ascii=False).encode()


class _VectorDumper(Dumper):
    format = Format.BINARY

    def dump(self, obj: NDArray[Any]) -> bytes:
        return VECTOR_HEADER.pack(len(obj), 0) + obj.astype(">f4").tobytes()


def read_json_faster(connection: AsyncConnection[Any]) -> None:
    """Spares each value of JSON that is read the search for its encoding, which is a tenth of its time."""
    set_json_loads(_read_json, connection)


def _read_json(data: str | bytes) -> Any:
    # The driver has views of bytes, too.
    return _decode_json(data if isinstance(data, str) else str(data, "utf-8"))


async def register_vectors(connection: AsyncConnection[Any]) -> None:
    """Lets the connection read vectors, and write those that are arrays of numpy."""
    # No column has another type of pgvector, and to look one up takes longer than to connect.
    info = await TypeInfo.fetch(connection, "vector")
    register_vector_info(connection, info)
    if info is not None:
        dumper = type("VectorDumper", (_VectorDumper,), {"oid": info.oid})
        connection.adapters.register_dumper("numpy.ndarray", dumper)
