"""The texts of a scope's records: those that some records state, and the records that repeat a value."""

from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from camillo_server.across.forgetting.records import Records
from camillo_server.kernel.off_loop import ROW, UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.lib.text.value_fingerprints import (
    SHORTEST_PART,
    is_common,
    value_fingerprint,
)
from camillo_server.lib.text.value_spans import SoughtValues
from camillo_server.rows.forgettable import Forgettable, Forgettables, NoteRepeat, Repeat
from camillo_server.rows.row import Row
from camillo_server.rows.store.rows import RowReader
from camillo_server.storage.database import Session
from camillo_server.storage.encrypted_json import EncryptedJson, JsonLocation
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("across/forgetting/store/texts")
# Memories that are read at once, and rows of stores that may have megabytes each.
MEMORIES_AT_ONCE, ROWS_AT_ONCE = 2_000, 100


class RecordTexts:
    """Reads texts in one transaction. Every method raises KeyMissing and BytesLost."""

    def __init__(self, session: Session, scope: Scope, keyring: Keyring, declared: Forgettables) -> None:
        self._declared = declared
        self.session = session
        self.scope = scope
        self._json = EncryptedJson(keyring)
        self._memories = RowReader(scope, keyring)

    async def fingerprints(self, records: Records | None, shortest: int) -> dict[bytes, bool]:
        """The fingerprints of the texts that these records state, or all records, except shorter ones; of memories,
        slots and documents in every version. Each with whether it is of a value, or of a text that anybody says."""
        found: dict[bytes, bool] = {}
        stating = [each.store for each in self._declared.by_store.values() if each.own_texts]
        for store in ("memories", *stating):
            ids = None if records is None else list(records.get(self._declared.record_of(store), ()))
            if ids is None or ids:
                async for rows in self._rows(store, ids, since=0):
                    read = partial(self._fingerprints_of, store, rows, shortest)
                    found |= await off_loop(len(rows) * ROW, read)
        return found

    async def repeating(
        self, sought: SoughtValues, since: int, note: NoteRepeat | None = None, leave_out: Collection[str] = ()
    ) -> Mapping[str, Collection[str]]:
        """The records that have a text with one of these values; each row is noted where that is asked for. In stores
        whose rows have a revision, only those that were changed after this one are read; some stores may be left
        out."""
        found: dict[str, set[str]] = defaultdict(set)
        if sought:
            for store in ("memories", *self._declared.with_texts):
                if store in leave_out:
                    continue
                async for rows in self._rows(store, None, since):
                    search = partial(self._repeating, store, rows, sought, note)
                    ids = await off_loop(UNBOUNDED, search)
                    found[self._declared.record_of(store)].update(ids)
        return found

    async def versions(self, memory_ids: Sequence[str]) -> Sequence[Row]:
        """These memories in every version."""
        found = list[Row]()
        async for rows in self._rows("memories", list(memory_ids), since=0):
            found += await self._memories.memories(rows)
        return found

    async def repeating_recipes(self, sought: SoughtValues) -> Collection[str]:
        """The names of the tenant's recipes with a text that has one of these values."""
        tenant_id = self.scope.tenant_id
        recipes = await self.session.rows(SQL["recipes"], {"tenant_id": tenant_id})

        def search() -> list[str]:
            return [name for name, recipe in recipes if sought.are_in(tenant_id, recipe)]

        return await off_loop(UNBOUNDED, search)

    async def _rows(self, store: str, ids: list[str] | None, since: int) -> AsyncIterator[Sequence[Any]]:
        parameters = {**scope_parameters(self.scope), "ids": ids, "since": since}
        async with self.session.cursor(f"texts_of_{store}") as cursor:
            is_memory = store == "memories"
            statement = SQL[store] if is_memory else self._declared.sql[f"texts_of_{store}"]
            await cursor.execute(statement, parameters)
            size = MEMORIES_AT_ONCE if is_memory else ROWS_AT_ONCE
            while rows := await cursor.fetchmany(size):
                yield rows

    def _fingerprints_of(self, store: str, rows: Sequence[Any], shortest: int) -> dict[bytes, bool]:
        if store == "memories":
            texts = {self._memories.memory(row).content for row in rows}
        else:
            declared = self._declared.by_store[store]
            texts = {
                text
                for row in rows
                for key in declared.own_texts
                for text in declared.stated(self._details(declared, row)[key])
            }
        tenant_id = self.scope.tenant_id
        return {
            value_fingerprint(tenant_id, text): not is_common(text) for text in texts if text and len(text) >= shortest
        }

    def _repeating(self, store: str, rows: Sequence[Any], sought: SoughtValues, note: NoteRepeat | None) -> list[str]:
        tenant_id = self.scope.tenant_id
        repeating = []
        for row in rows:
            stating = (each for each in self._texts(store, row) if sought.are_in(tenant_id, each))
            if (first := next(stating, None)) is not None:
                repeating.append(record_id := str(row[0]))
                if note is not None:
                    level = self._memories.memory(row).sensitivity if store == "memories" else row[-1]
                    texts = (first, *stating)
                    note(Repeat(self._declared.record_of(store), record_id, level, texts, sought.spans))
        return repeating

    def _texts(self, store: str, row: Any) -> Iterator[str]:
        if store == "memories":
            yield from self._memories.memory(row).texts.values()
        else:
            declared = self._declared.by_store[store]
            yield from row[-2]
            for value in declared.values(self._details(declared, row)).values():
                yield from _texts_in(value)

    def _details(self, declared: Forgettable, row: Any) -> Mapping[str, Any]:
        _, agent_id, row_id, *columns, _, _ = row
        # Postgres has no NUL in a text: the parts of a row's id come with a slash between them.
        location = JsonLocation.in_scope(self.scope.tenant_id, agent_id, declared.purpose, row_id.replace("/", "\0"))
        return self._json.read(columns, location)


def _texts_in(value: object) -> Iterator[str]:
    """The texts in JSON; of its keys those that are long enough to say something, which are nobody's structure."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            if len(key) > SHORTEST_PART:
                yield key
            yield from _texts_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts_in(each)
