"""Values in Postgres' binary form, written in a third of the time of the driver's adapters."""

import json
import struct
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from numpy.typing import NDArray
from pgvector.psycopg.vector import register_vector_info
from psycopg import AsyncConnection
from psycopg.adapt import Dumper
from psycopg.pq import Format
from psycopg.types import TypeInfo
from psycopg.types.json import set_json_loads

from camillo_server.kernel.kinds import Scalar

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
