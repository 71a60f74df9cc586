"""Values and statements as they are sent to Postgres past the driver: values in binary form, in a third of the time;
statements together, as one transaction and one round trip, whether or not they are prepared already.

The driver's cursors take a round trip for each statement. Its pipelines take as much of the processor as those, and a
call that is cancelled between two of their steps leaves answers in the connection that nobody has read
(docs/adr/revisions-and-writes.md)."""

import itertools
import json
import re
import struct
from collections import OrderedDict, namedtuple
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, LiteralString
from uuid import UUID

import psycopg
from numpy.typing import NDArray
from pgvector.psycopg.vector import register_vector_info
from psycopg import AsyncConnection, abc, generators
from psycopg import errors as pg
from psycopg.adapt import Dumper, PyFormat, Transformer
from psycopg.pq import ExecStatus, Format
from psycopg.pq.abc import PGconn, PGresult
from psycopg.rows import TupleRow
from psycopg.types import TypeInfo
from psycopg.types.json import set_json_loads

from camillo_server.kernel.clock import microseconds
from camillo_server.kernel.kinds import Scalar
from camillo_server.storage.connection_pool import BoundedConnection

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
# Microseconds from 1970 to 2000, where Postgres' time begins.
EPOCH = 946_684_800_000_000


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


class BinaryArray(bytes):
    """An array in Postgres' binary form. The statement names its type in a cast."""


class _BinaryArrayDumper(Dumper):
    format = Format.BINARY

    def dump(self, obj: BinaryArray) -> bytes:
        return obj


psycopg.adapters.register_dumper(BinaryArray, _BinaryArrayDumper)
# Each type's number, and how one of its values is sent.
ELEMENTS: Mapping[str, tuple[int, Callable[[Any], bytes]]] = {
    "boolean": (16, struct.Struct(">?").pack),
    "bytea": (17, bytes),
    "bigint": (20, struct.Struct(">q").pack),
    "smallint": (21, struct.Struct(">h").pack),
    "integer": (23, struct.Struct(">i").pack),
    "text": (TEXT_TYPE, str.encode),
    "real": (700, struct.Struct(">f").pack),
    "timestamptz": (1184, lambda moment: (microseconds(moment) - EPOCH).to_bytes(8, signed=True)),
    "uuid": (UUID_TYPE, lambda value: value.bytes),
    "jsonb": (3802, lambda value: binary_jsonb(value.obj)),
}


def binary_array(element_type: str, values: Sequence[Any]) -> BinaryArray:
    """An array of values of a type of ELEMENTS; None is null. The driver takes several times as long: it asks for the
    type of every element."""
    number, encode = ELEMENTS[element_type]
    if not values:
        return BinaryArray(struct.pack(">iii", 0, 0, number))
    parts = [ARRAY_HEADER.pack(1, int(None in values), number, len(values), 1)]
    for value in values:
        if value is None:
            parts.append(NULL_LENGTH)
        else:
            encoded = encode(value)
            parts += (len(encoded).to_bytes(4), encoded)
    return BinaryArray(b"".join(parts))


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


# More than these statements of a connection are not kept prepared.
MAX_PREPARED = 200
PLACEHOLDER = re.compile(r"%(?:%|\((\w+)\)([sb]))")
FORMATS = {"s": PyFormat.AUTO, "b": PyFormat.BINARY}
# An empty array of any type, as its literal.
NO_ELEMENTS = "{}"
Parameters = dict[str, Any]
Statement = tuple[LiteralString, Parameters]
# A statement is another one with parameters of other types.
Key = tuple[LiteralString, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class _Text:
    """A statement as Postgres reads it, with numbers for the names of its parameters."""

    query: bytes
    names: tuple[str, ...]
    formats: tuple[PyFormat, ...]


@lru_cache(1_000)
def _text(sql: LiteralString) -> _Text:
    formats: dict[str, PyFormat] = {}

    def numbered(match: re.Match[str]) -> str:
        name, how = match.groups()
        if name is None:
            return "%"
        formats.setdefault(name, FORMATS[how])
        return f"${list(formats).index(name) + 1}"

    query = PLACEHOLDER.sub(numbered, sql).encode()
    return _Text(query, tuple(formats), tuple(formats.values()))


@dataclass(frozen=True, slots=True)
class _Step:
    """Something to send, and the statement that is prepared, by this name, where it succeeds."""

    send: Callable[[], None]
    prepares: Key | None = None
    name: bytes = b""


@lru_cache(1_000)
def _record_maker(columns: tuple[str, ...]) -> Callable[[Sequence[Any]], Any]:
    make: Callable[[Sequence[Any]], Any] = namedtuple("Record", columns)._make  # type: ignore[attr-defined]
    return make


@dataclass(frozen=True, slots=True)
class ReturnedRows:
    """The rows that a statement returned."""

    result: PGresult
    transformer: abc.Transformer

    def rows(self) -> list[TupleRow]:
        return self._load(tuple)

    def records(self) -> list[Any]:
        """As named tuples: columns are read by their names in the statement."""
        names = map(self.result.fname, range(self.result.nfields))
        return self._load(_record_maker(tuple([(name or b"").decode() for name in names])))

    def _load(self, make_row: Callable[[Sequence[Any]], Any]) -> list[Any]:
        self.transformer.set_pgresult(self.result)
        loaded = self.transformer.load_rows(0, self.result.ntuples, make_row)
        # The connection keeps its transformer.
        self.transformer.set_pgresult(None)
        return loaded


class RoundTripConnection(BoundedConnection):
    """A connection in autocommit that also sends several statements at once."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._names: OrderedDict[Key, bytes] = OrderedDict()
        # Kept, since a new one looks for the adapter of every type anew, in Python.
        self._transformer: abc.Transformer = Transformer(self)
        self._numbers = itertools.count()

    async def run_together(self, *statements: Statement) -> ReturnedRows:
        """Runs them as one transaction; the answer is that of the last. Raises the driver's errors: then nothing has
        changed. Cancelled, it cancels what runs, and ends when the connection may be used again. Nothing else may use
        it meanwhile."""
        steps: list[_Step] = []
        while len(self._names) > MAX_PREPARED:
            _, unused = self._names.popitem(last=False)
            steps.append(_Step(partial(self.pgconn.send_query_params, b"deallocate " + unused, None)))
        for sql, parameters in statements:
            steps += self._steps(sql, parameters, steps)
        return ReturnedRows((await self.wait(self._exchange(steps)))[-1], self._transformer)

    async def run_each(self, *statements: Statement) -> list[ReturnedRows]:
        """Runs them as `run_together` does, or in the transaction that is open; the answers of all, in their order."""
        steps: list[_Step] = []
        executed: list[int] = []
        for sql, parameters in statements:
            steps += self._steps(sql, parameters, steps)
            executed.append(len(steps) - 1)
        results = await self.wait(self._exchange(steps))
        return [ReturnedRows(results[index], self._transformer) for index in executed]

    def _deallocate(self, name: bytes | None) -> abc.PQGen[None]:
        """The driver drops all prepared statements of a connection after a rollback: these, too."""
        if name is None:
            self._names.clear()
        yield from super()._deallocate(name)

    def _steps(self, sql: LiteralString, parameters: Parameters, before: Sequence[_Step]) -> list[_Step]:
        """To prepare the statement, where that is neither done nor one of the steps before, and to execute it."""
        text, transformer = _text(sql), self._transformer
        given = [parameters[name] for name in text.names]
        # The driver looks for the type of the elements of a list, in Python, also where it has none.
        sent = [
            NO_ELEMENTS if each.__class__ is list and not each and how is PyFormat.AUTO else each
            for each, how in zip(given, text.formats, strict=True)
        ]
        values = transformer.dump_sequence(sent, text.formats)
        key = sql, tuple(transformer.types or ())
        steps = []
        name = self._names.get(key) or next((step.name for step in before if step.prepares == key), None)
        if name is None:
            name = b"camillo_%d" % next(self._numbers)
            prepare = partial(self.pgconn.send_prepare, name, text.query, key[1])
            steps.append(_Step(prepare, key, name))
        elif key in self._names:
            self._names.move_to_end(key)
        formats = transformer.formats
        execute = partial(self.pgconn.send_query_prepared, name, values, formats, Format.BINARY)
        return [*steps, _Step(execute)]

    def _exchange(self, steps: Sequence[_Step]) -> abc.PQGen[list[PGresult]]:
        """Sends all steps and reads all answers. Their results, or an error once all are read."""
        try:
            results = yield from _results(self.pgconn, [step.send for step in steps])
        except BaseException:
            # Nobody knows what else would be read from it.
            self.pgconn.finish()
            raise
        for step, result in zip(steps, results, strict=True):
            if step.prepares is not None and result.status == ExecStatus.COMMAND_OK:
                self._names[step.prepares] = step.name
        for result in results:
            if result.status == ExecStatus.FATAL_ERROR:
                raise pg.error_from_result(result)
        return results


def _results(pgconn: PGconn, sends: Sequence[Callable[[], None]]) -> abc.PQGen[list[PGresult]]:
    if len(sends) == 1:
        sends[0]()
        results: list[PGresult] = yield from generators.execute(pgconn)
        return results
    pgconn.enter_pipeline_mode()
    for send in sends:
        send()
    pgconn.pipeline_sync()
    yield from generators.send(pgconn)
    results = []
    for _ in sends:
        results += yield from generators.fetch_many(pgconn)
    # The answer to the synchronisation.
    yield from generators.fetch_many(pgconn)
    pgconn.exit_pipeline_mode()
    return results
