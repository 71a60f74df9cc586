"""Indexes of single scopes: made by the owner, found by the server, and the same answers with them as without."""

import json
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial

import psycopg
import pytest
from camillo_cli import program
from camillo_server.cli.doctor.database import LARGE_SCOPE_MEMORIES, check_large_scopes, scope_bytes
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import MinimizeLatency
from camillo_server.rows.row import NewRow
from camillo_server.rows.row_filter import MemoryFilter
from camillo_server.search.candidates import CandidatePool, CandidateQuery
from camillo_server.search.store import vector_index
from camillo_server.search.store.recall import PostgresMemorySearch, indexed_statement
from camillo_server.search.store.vector_index import (
    IndexedVectors,
    NoVectors,
    TooManyDimensions,
    create_index,
    drop_indexes,
    list_indexes,
)
from camillo_server.storage.database import Database, Session

from tests.postgres_fixtures import TestDatabase
from tests.storage.search.recall_reference import candidates_of
from tests.storage.search.recall_rows import (
    ALICE,
    DIMENSIONS,
    MODEL,
    memory_id,
    opened,
    row,
    spec,
    store,
    unit_vector,
)

# Enough for Postgres to prefer an index.
COUNT = 2_000
OF_ALICE = IndexedVectors(ALICE.tenant_id, ALICE.agent_id, MODEL, DIMENSIONS)
FILTERS = [
    MemoryFilter(),
    MemoryFilter(tags_all=("often",)),
    MemoryFilter(tags_all=("seldom",)),
    MemoryFilter(tags_all=("never",)),
]


def rows_with_vectors(count: int = COUNT) -> list[NewRow]:
    """Rows with vectors, some of them hidden, some with a tag that few have."""
    return [
        row(
            number,
            f"tea {number} 北京",
            unit_vector(number),
            tags=[tag for tag, every in (("often", 2), ("seldom", 50)) if number % every == 0],
            archived=number % 7 == 0,
            session_id=f"session {number // 10}",
        )
        for number in range(count)
    ]


@pytest.fixture
async def pool(database: TestDatabase) -> AsyncIterator[Database]:
    async with opened(database) as opened_pool:
        yield opened_pool


async def search(pool: Database, wanted: CandidateQuery) -> CandidatePool:
    """Searches with a search that has not looked for indexes yet."""
    return await PostgresMemorySearch(pool).candidates(wanted, MinimizeLatency())


def uses_of_index(database: TestDatabase) -> int:
    """How often an index of a scope was read."""
    with psycopg.connect(database.superuser_url, autocommit=True) as superuser:
        row = superuser.execute(
            "select coalesce(sum(idx_scan), 0) from pg_stat_user_indexes where starts_with(indexrelname, %s)",
            (vector_index.PREFIX,),
        ).fetchone()
    assert row is not None
    return int(row[0])


async def publish_statistics(pool: Database) -> None:
    """Postgres tells what a connection has used when the connection is idle for a second, or is told to."""

    async def work(session: Session) -> None:
        await session.rows("select pg_stat_force_next_flush()", {})

    await pool.read(Scope(TenantId("acme"), AgentId("alice")), work)


async def test_the_index_gives_the_answers_of_the_exact_search(database: TestDatabase, pool: Database) -> None:
    await store(database, pool, rows_with_vectors())
    asked = [
        spec("北京", unit_vector(9000 + seed), filter=wanted, candidates_per_arm=50)
        for seed in range(3)
        for wanted in FILTERS
    ]
    exact = [candidates_of(await search(pool, wanted)) for wanted in asked]
    assert uses_of_index(database) == 0
    create_index(database.owner_url, ALICE)
    indexed = [candidates_of(await search(pool, wanted)) for wanted in asked]
    await publish_statistics(pool)
    assert uses_of_index(database) >= len(asked)
    for wanted, with_index, without in zip(asked, indexed, exact, strict=True):
        shared = len(with_index.keys() & without.keys())
        assert shared >= 0.98 * len(without), wanted.filter
        assert len(without) > 5 or wanted.filter == FILTERS[3]
        for key in with_index.keys() & without.keys():
            assert with_index[key].own == pytest.approx(without[key].own, nan_ok=True)


async def test_what_changes_behind_an_index_is_found_at_once(database: TestDatabase, pool: Database) -> None:
    await store(database, pool, rows_with_vectors())
    create_index(database.owner_url, ALICE)
    wanted = spec("", unit_vector(123), candidates_per_arm=5)
    before = candidates_of(await search(pool, wanted))
    assert memory_id(123) in before
    hidden = row(123, "tea", unit_vector(123), archived=True)
    await store(database, pool, [hidden, row(COUNT, "new", unit_vector(123))])
    after = candidates_of(await search(pool, wanted))
    assert memory_id(123) not in after
    assert after[memory_id(COUNT)].own[0] == pytest.approx(1.0, abs=1e-5)


async def test_vectors_of_another_length_or_model_are_stored_beside_an_index(
    database: TestDatabase, pool: Database
) -> None:
    await store(database, pool, rows_with_vectors(100))
    create_index(database.owner_url, ALICE)
    longer = row(1000, "longer", unit_vector(1, dimensions=24))
    other = row(1001, "of another model", unit_vector(1, model_id="another"))
    await store(database, pool, [longer, other])
    found = candidates_of(await search(pool, spec("", unit_vector(1), candidates_per_arm=200)))
    assert memory_id(1) in found
    assert not {memory_id(1000), memory_id(1001)} & found.keys()
    # Their own queries find them, without an index.
    for vector, expected in ((longer.vector, 1000), (other.vector, 1001)):
        assert memory_id(expected) in candidates_of(await search(pool, spec("", vector)))


async def test_an_index_serves_its_scope_alone(database: TestDatabase, pool: Database) -> None:
    bob = Scope(ALICE.tenant_id, AgentId("bob"))
    rows = rows_with_vectors(100)
    await store(database, pool, rows)
    create_index(database.owner_url, ALICE)
    with pytest.raises(NoVectors, match="bob"):
        create_index(database.owner_url, bob)
    of_bob = [replace(r, memory=r.memory._replace(agent_id=bob.agent_id)) for r in rows[:3]]
    await store(database, pool, of_bob, bob)
    found = candidates_of(await search(pool, spec("", unit_vector(1), scope=bob)))
    assert found.keys() == {memory_id(1), memory_id(2)}
    await publish_statistics(pool)
    assert uses_of_index(database) == 0


async def test_a_server_learns_of_new_and_dropped_indexes_after_a_minute(
    database: TestDatabase, pool: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store(database, pool, rows_with_vectors())
    moment = 1000.0
    monkeypatch.setattr("time.monotonic", lambda: moment)
    searching = PostgresMemorySearch(pool)
    wanted = spec("", unit_vector(1), candidates_per_arm=50)
    exact = candidates_of(await searching.candidates(wanted, MinimizeLatency()))

    async def uses() -> int:
        again = candidates_of(await searching.candidates(wanted, MinimizeLatency()))
        # Right in any case, also while it takes an index for there that is not.
        assert len(again.keys() & exact.keys()) >= 0.98 * len(exact)
        await publish_statistics(pool)
        return uses_of_index(database)

    create_index(database.owner_url, ALICE)
    assert await uses() == 0
    moment += vector_index.READY_SECONDS
    assert await uses() == 1
    drop_indexes(database.owner_url, ALICE)
    assert await uses() == 0
    moment += vector_index.READY_SECONDS
    assert await uses() == 0


async def test_an_index_is_made_once_listed_and_dropped(database: TestDatabase, pool: Database) -> None:
    await store(database, pool, rows_with_vectors(50))
    assert list_indexes(database.owner_url) == []
    created = create_index(database.owner_url, ALICE)
    assert created == create_index(database.owner_url, ALICE, MODEL)
    assert created.is_ready
    assert created.vectors == OF_ALICE
    assert list_indexes(database.owner_url) == [created]
    assert drop_indexes(database.owner_url, ALICE, "another") == []
    assert drop_indexes(database.owner_url, ALICE) == [created]
    assert list_indexes(database.owner_url) == []


async def test_what_a_failed_build_left_does_not_answer_and_is_made_anew(
    database: TestDatabase, pool: Database
) -> None:
    await store(database, pool, rows_with_vectors(50))
    created = create_index(database.owner_url, ALICE)
    with psycopg.connect(database.superuser_url, autocommit=True) as superuser:
        superuser.execute(
            "update pg_index set indisvalid = false where indexrelid = %s::regclass",
            (f"camillo.{created.name}",),
        )
    (left,) = list_indexes(database.owner_url)
    assert not left.is_ready
    found = candidates_of(await search(pool, spec("", unit_vector(1))))
    await publish_statistics(pool)
    assert memory_id(1) in found
    assert uses_of_index(database) == 0
    assert create_index(database.owner_url, ALICE).is_ready


async def test_vectors_too_long_for_an_index_are_refused(database: TestDatabase, pool: Database) -> None:
    await store(database, pool, [row(0, "long", unit_vector(0, dimensions=4001))])
    with pytest.raises(TooManyDimensions, match="4001"):
        create_index(database.owner_url, ALICE)


def test_values_in_the_text_of_a_statement_stay_values() -> None:
    vectors = IndexedVectors(TenantId("a'b"), AgentId("50%"), "back\\slash {x}", 16)
    text = indexed_statement(vectors, 64, has_conditions=False).text.decode()
    assert "v.tenant_id = 'a''b'" in text
    assert "v.agent_id = '50%'" in text
    assert r"v.model_id =  E'back\\slash {x}'" in text


async def test_the_commands_make_list_and_drop_an_index(
    database: TestDatabase,
    pool: Database,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await store(database, pool, rows_with_vectors(50))
    monkeypatch.setenv("CAMILLO_DATABASE_URL", database.owner_url)

    def index(*arguments: str) -> tuple[int, str, str]:
        return (program.run(["index", *arguments]), *capsys.readouterr())

    scope = ("--tenant", "acme", "--agent", "alice")
    code, made, note = index("create", *scope)
    assert (code, note) == (0, "servers start to use it within a minute\n")
    assert OF_ALICE.index_name in made
    listed = json.loads(index("list", "--json")[1])
    assert listed["vectors"]["agent_id"] == "alice"
    assert "acme\talice\tready" in index("list")[1]
    assert json.loads(index("drop", *scope, "--json")[1]) == {"name": OF_ALICE.index_name}
    assert index("drop", *scope) == (0, "", "there is no index of this space\n")
    assert index("list")[1] == ""
    code, _, error = index("create", "--tenant", "acme", "--agent", "nobody")
    assert code == 1
    assert "nobody in acme has no vectors" in error


async def test_the_doctor_names_large_scopes_that_do_not_fit_and_have_no_index(
    database: TestDatabase, pool: Database
) -> None:
    await store(database, pool, rows_with_vectors(20))
    fits_nothing = partial(check_large_scopes, max_bytes=0)
    fits_all = partial(check_large_scopes, max_bytes=sys.maxsize)
    with psycopg.connect(database.server_url, autocommit=True) as connection:
        assert fits_nothing(connection).status == "ok"
        with psycopg.connect(database.superuser_url) as superuser:
            superuser.execute("update camillo.scopes set memory_count = %s", (LARGE_SCOPE_MEMORIES,))
        told = fits_nothing(connection)
        assert told.status == "warn"
        assert "acme/alice (50,000)" in told.what
        assert fits_all(connection).status == "ok"
        create_index(database.owner_url, ALICE)
        assert fits_nothing(connection).status == "ok"
        # It entered tenants for its own transaction only.
        assert connection.execute("select count(*) from camillo.memories").fetchone() == (0,)
    assert scope_bytes(100_000, 384) > 100_000 * 2 * 384
