"""Indexes in memory compared with Postgres: those that agree do, and every kind of difference is noticed and named."""

from collections.abc import Callable

import pytest
from camillo_server.search.index.resident_scope import ResidentScope
from camillo_server.search.store.scope_rows import PAGE_ROWS

from tests.postgres_fixtures import TestDatabase
from tests.storage.memories.random_writes import RandomWrites
from tests.storage.memories.replicas import new_row, new_rows, replica
from tests.storage.search.agreeing_index import OF, agreeing, compared, deaf, execute, varied_rows
from tests.unit.identity.moving_clock import MovingClock


@pytest.mark.parametrize("loaded_first", [0, 1, 4, 5])
async def test_rows_agree_whether_they_were_loaded_or_added_at_their_commit(
    database: TestDatabase, loaded_first: int
) -> None:
    async with replica(database, heard_through=deaf) as here:
        await here.remember(new_row("first"))
        rows = varied_rows()
        await here.remember_many(rows[:loaded_first])
        resident = await here.warm()
        built = resident.snapshot
        for row in rows[loaded_first:]:
            await here.remember(row)
        assert (built.count, resident.snapshot.count) == (1 + loaded_first, 6)
        assert await compared(here, resident) is None


@pytest.mark.parametrize("count", [PAGE_ROWS - 1, PAGE_ROWS, 2 * PAGE_ROWS + 7])
async def test_scopes_of_several_pages_agree(database: TestDatabase, count: int) -> None:
    async with replica(database, heard_through=deaf) as here:
        await here.remember_many(new_rows(count, "memory", tags=["t"], session_id="s"))
        resident = await here.warm()
        assert await compared(here, resident) is None
        execute(database, f"update memories set pinned = true where content = 'memory {count - 1}'")
        assert await compared(here, resident) == "column pinned"


@pytest.mark.parametrize("seed", range(3))
async def test_an_index_agrees_after_writes_of_every_kind_here_and_elsewhere(database: TestDatabase, seed: int) -> None:
    async with replica(database, heard_through=deaf) as here, replica(database) as other:
        writes = RandomWrites(here, MovingClock(), seed)
        for _ in range(10):
            await writes.step()
        await here.remember(new_row("there is always one"))
        residents = [(here, await here.warm()), (other, await other.warm())]
        for number in range(40):
            await writes.step()
            if number % 10 == 9:
                for each, resident in residents:
                    assert await compared(each, resident) is None
                    assert resident.snapshot.count > resident.snapshot.live_count > 0
        execute(database, "update memories set term_count = term_count + 1")
        for each, resident in residents:
            assert await compared(each, resident) == "column term_count"


async def test_an_index_agrees_when_all_was_forgotten(database: TestDatabase) -> None:
    async with agreeing(database) as (here, resident):
        await here.forget([row.memory.memory_id for row in varied_rows()])
        assert await compared(here, resident) is None
        assert (resident.snapshot.live_count, resident.snapshot.count) == (0, 5)


async def test_statistics_of_accesses_may_differ(database: TestDatabase) -> None:
    async with agreeing(database) as (here, resident):
        execute(
            database,
            "insert into memory_access (tenant_id, agent_id, memory_id, accessed_at, access_count)"
            " select tenant_id, agent_id, memory_id, created_at, 7 from memories",
        )
        assert await compared(here, resident) is None
        execute(database, "update memories set updated_at = updated_at + interval '1 microsecond'")
        assert await compared(here, resident) == "column updated_at"


# In rows that were loaded (1 to 3) and rows that were added at their commit (4, 5): what is changed behind the
# index's back, with no new revision, and what is told of it.
IN_POSTGRES = {
    "content": (f"update memories set content = 'walrus likes more' {OF % 1}", "texts"),
    "content, later": (f"update memories set content = 'e cafe' {OF % 4}", "texts"),
    "tags": (f"update memories set tags = '{{sea}}' {OF % 1}", "texts"),
    "order of tags": (f"update memories set tags = '{{tusk,sea}}' {OF % 1}", "texts"),
    "refs": (f"update memories set source_refs = '{{a.md}}' {OF % 3}", "texts"),
    "metadata": (f"""update memories set metadata = metadata || '{{"x": 1}}' {OF % 4}""", "texts"),
    # Values that are equal in Python.
    "true for 1": (
        f"""update memories set metadata = metadata || '{{"bb": 1}}' {OF % 2}""",
        "labels",
    ),
    "model": (f"update memories set vector_model_id = 'x' {OF % 4}", "texts"),
    "session": (f"update memories set session_id = 'вторая' {OF % 1}", "sessions"),
    "no session": (f"update memories set session_id = '' {OF % 1}", "sessions"),
    "importance": (f"update memories set importance = 0.26 {OF % 3}", "column importance"),
    "importance, later": (f"update memories set importance = 0.9 {OF % 5}", "column importance"),
    "kind": (f"update memories set kind = kind + 1 {OF % 2}", "column kind"),
    "sensitivity": (f"update memories set sensitivity = 1 {OF % 5}", "column sensitivity"),
    "archived": (f"update memories set archived = true {OF % 2}", "column archived"),
    "unpinned": (f"update memories set pinned = false {OF % 4}", "column pinned"),
    "version": (f"update memories set version = 2 {OF % 2}", "column version"),
    "revision": (f"update memories set revision = revision - 1 {OF % 1}", "column revision"),
    "no expiry": (f"update memories set expires_at = null {OF % 5}", "column expires_at"),
    "expiry": (f"update memories set expires_at = updated_at {OF % 1}", "column expires_at"),
    "time": (
        f"update memories set occurred_at = occurred_at + interval '1 us' {OF % 1}",
        "column occurred_at",
    ),
    "waits for a vector": (
        f"delete from memory_vectors {OF % 1};update memories set vector_model_id = '' {OF % 1}",
        "column pending",
    ),
    "vector": (
        f"update memory_vectors set embedding = (embedding::real[])[2:] || (embedding::real[])[1] {OF % 1}",
        "vectors",
    ),
    "vector, later": (
        f"update memory_vectors set embedding = (embedding * embedding) {OF % 5}",
        "vectors",
    ),
    "no vector": (f"delete from memory_vectors {OF % 2}", "vectors"),
    "vector of another length": (
        f"update memory_vectors set embedding = '[1,2,3]' {OF % 2}",
        "vectors",
    ),
    "vector where there was none": (
        f"update memory_vectors set model_id = 'mine' {OF % 4};update memories set vector_model_id = 'mine' {OF % 4}",
        "vectors",
    ),
    "terms": (
        f"update memories set term_codes = (select term_codes from memories {OF % 3}) {OF % 5}",
        "terms",
    ),
    "terms exchanged": (
        "update memories set term_codes = (select other.term_codes from memories other"
        " where other.memory_id <> memories.memory_id and other.content in ('walrus likes walrus"
        " tea', 'kept for a while')) where content in ('walrus likes walrus tea', 'kept for a while')",
        "terms",
    ),
    "how often": (
        f"update memories set term_codes = set_byte(term_codes, 4, get_byte(term_codes, 4) + 1) {OF % 1}",
        "terms",
    ),
    "a row less": (
        f"delete from memories {OF % 2};"
        "update scopes set memory_count = 4, term_count = (select sum(term_count) from memories)",
        "5 memories in memory, 4 in Postgres",
    ),
    "a row more": (
        "insert into memories select (jsonb_populate_record(memories, jsonb_build_object("
        f"'memory_id', gen_random_uuid(), 'fingerprint', null))).* from memories {OF % 1};"
        "update scopes set memory_count = 6, term_count = (select sum(term_count) from memories)",
        "1 memories are missing",
    ),
    "another id": (
        f"update memories set source_refs = '{{}}' {OF % 3};update memories set memory_id = gen_random_uuid() {OF % 3}",
        "1 memories are missing",
    ),
}


@pytest.mark.parametrize(("statement", "told"), IN_POSTGRES.values(), ids=IN_POSTGRES)
async def test_what_was_changed_in_postgres_without_a_revision_is_noticed(
    database: TestDatabase, statement: str, told: str
) -> None:
    async with agreeing(database) as (here, resident):
        for part in statement.split(";"):
            execute(database, part)
        assert await compared(here, resident) == told
        # As something that was loaded, it is no difference.
        again = await here.warm()
        assert again is not resident
        assert await compared(here, again) is None


def change_column(name: str, row: int) -> Callable[[ResidentScope], None]:
    def change(resident: ResidentScope) -> None:
        resident.snapshot.arrays[name][row] += 1

    return change


def change_text(resident: ResidentScope) -> None:
    payload = resident.snapshot.payload
    payload[payload.tobytes().index(b"walrus") + 1] = ord("e")


def change_vector(resident: ResidentScope) -> None:
    vectors = resident.snapshot.dense.segments[0].vectors
    vectors.flags.writeable = True
    vectors[0] = vectors[0][::-1]


def lose_vector(resident: ResidentScope) -> None:
    present = resident.snapshot.dense.segments[0].present
    assert present is not None
    present[0] = False


def lose_row(resident: ResidentScope) -> None:
    resident.index._live[1] = False


def double_row(resident: ResidentScope) -> None:
    snapshot = resident.snapshot
    snapshot.arrays["id_low"][3] = snapshot.arrays["id_low"][4]


def change_count(resident: ResidentScope) -> None:
    counts = resident.snapshot.terms._counts
    assert counts is not None
    counts[0] += 1


def exchange_rows(resident: ResidentScope) -> None:
    rows = resident.snapshot.terms._rows
    rows[:] = (rows + 1) % 3


def forget_later_term(resident: ResidentScope) -> None:
    later = resident.snapshot.terms._added
    del later[next(iter(later))]


IN_MEMORY: dict[str, tuple[Callable[[ResidentScope], None], str]] = {
    "importance": (change_column("importance", 0), "column importance"),
    "importance, later": (change_column("importance", 4), "column importance"),
    "session": (change_column("session", 2), "sessions"),
    "time": (change_column("created_at", 3), "column created_at"),
    "text": (change_text, "texts"),
    "vector": (change_vector, "vectors"),
    "no vector": (lose_vector, "vectors"),
    "a row less": (lose_row, "1 memories are missing"),
    "an id twice": (double_row, "column memory_id"),
    "a term more": (lambda resident: resident.snapshot.terms.add(4, [77], [1]), "terms"),
    "a term less": (forget_later_term, "terms"),
    "how often": (change_count, "terms"),
    "terms of other rows": (exchange_rows, "terms"),
    "a label more": (lambda resident: resident.snapshot.labels.add(4, [77], [1]), "labels"),
}


@pytest.mark.parametrize(("damage", "told"), IN_MEMORY.values(), ids=IN_MEMORY)
async def test_what_is_wrong_in_memory_is_noticed(
    database: TestDatabase, damage: Callable[[ResidentScope], None], told: str
) -> None:
    async with agreeing(database) as (here, resident):
        damage(resident)
        assert await compared(here, resident) == told
