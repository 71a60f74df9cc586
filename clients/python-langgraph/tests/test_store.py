"""Promises of this store beyond LangGraph's own tests, at a real server."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from langgraph.store.base import GetOp, InvalidNamespaceError, Item, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

from camillo_client import Camillo, memory_filter
from camillo_client.errors import ArtifactNotFound, MemoryNotFound
from camillo_langgraph import CamilloStore
from camillo_langgraph import store as store_module
from camillo_langgraph.items import id_of, tag_of

LABELS = ("a", "b", "a/b", "A", "%", "_", "a_b", "axb", '"', "\\", "é", "e\u0301", "猫", "with space", "x\n", "мир")
KEYS = ("k", "", "..", "a/b", "%2F", "k\u0000", "クッキー", "k" * 300)
VALUES: tuple[dict[str, Any], ...] = (
    {"n": 1, "color": "red"},
    {"n": 2.5, "color": "blue", "deep": {"x": [1, {"y": None}]}},
    {"n": -7, "color": "red", "tags": ["x", "y"], "ok": True},
    {"n": 2**60, "color": "цвет", "text": "日本語 " * 40},
    {"n": 0, "color": "e\u0301", "empty": {}, "nul": "a\u0000b"},
    {"n": 3, "color": "r" * 200},
)
FILTERS: tuple[dict[str, Any] | None, ...] = (
    None,
    {"color": "red"},
    {"color": {"$ne": "red"}},
    {"n": {"$gt": 1}},
    {"n": {"$gte": 0, "$lt": 3}},
    {"n": {"$lte": 2**61}, "color": {"$eq": "цвет"}},
    {"deep": {"x": [1, {"y": None}]}},
    {"tags": ["x", "y"]},
    {"color": "r" * 200},
    {"color": "\u00e9"},
    {"missing": None},
)


def facts(items: list[Any]) -> list[tuple[Any, ...]]:
    return sorted((item.namespace, item.key, repr(item.value)) for item in items)


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_random_operations_do_what_the_store_in_memory_does(store: CamilloStore, seed: int) -> None:
    drawn, oracle = random.Random(seed), InMemoryStore()
    labels = drawn.sample(LABELS, 5)

    def namespace(least: int = 1) -> tuple[str, ...]:
        return tuple(drawn.choices(labels, k=drawn.randint(least, 3)))

    def put() -> PutOp:
        return PutOp(namespace(), drawn.choice(KEYS), drawn.choice([*VALUES, None]))

    for _ in range(60):
        match drawn.choice(["put", "put", "batch", "get", "search", "pages", "list"]):
            case "put":
                op = put()
                assert store.batch([op]) == oracle.batch([op])
            case "batch":
                ops = [put() for _ in range(drawn.randint(2, 6))]
                reads = [GetOp(op.namespace, op.key) for op in ops]
                mixed = [each for pair in zip(ops, reads, strict=True) for each in pair]
                assert values(store.batch(mixed)) == values(oracle.batch(mixed))
                assert values(store.batch(reads)) == values(oracle.batch(reads))
            case "get":
                get = [GetOp(namespace(), key) for key in KEYS]
                assert values(store.batch(get)) == values(oracle.batch(get))
            case "search":
                search = SearchOp(namespace(0), drawn.choice(FILTERS), limit=1000)
                (found,), (expected,) = store.batch([search]), oracle.batch([search])
                assert facts(found) == facts(expected), search
            case "pages":
                prefix, wanted = namespace(0), drawn.choice(FILTERS)
                pages = [store.search(prefix, filter=wanted, limit=2, offset=offset) for offset in range(0, 40, 2)]
                expected = oracle.search(prefix, filter=wanted, limit=40)
                assert facts([item for page in pages for item in page]) == facts(expected)
            case "list":
                # The store in memory still lists a namespace whose items are gone.
                fresh = InMemoryStore()
                for item in oracle.search((), limit=10_000):
                    fresh.put(item.namespace, item.key, item.value)
                prefix = (*namespace(0), *drawn.choice([(), ("*",)]))
                asked = {"prefix": prefix or None, "max_depth": drawn.choice([None, 1, 2]), "limit": 50}
                assert store.list_namespaces(**asked) == fresh.list_namespaces(**asked)


def values(results: list[Any]) -> list[Any]:
    return [each.value if isinstance(each, Item) else each for each in results]


def test_reads_of_a_batch_see_what_was_before_it_and_the_last_put_counts(store: CamilloStore) -> None:
    put, get = PutOp(("a",), "k", {"n": 1}), GetOp(("a",), "k")
    assert store.batch([put, get]) == [None, None]
    (_, found, _) = store.batch([PutOp(("a",), "k", {"n": 2}), get, PutOp(("a",), "k", {"n": 3})])
    assert found.value == {"n": 1}
    assert store.get(("a",), "k").value == {"n": 3}


def test_nothing_of_a_batch_with_a_wrong_namespace_is_done(store: CamilloStore) -> None:
    with pytest.raises(InvalidNamespaceError):
        store.batch([PutOp(("a",), "k", {"n": 1}), PutOp(("a.b",), "k", {"n": 1})])
    assert store.get(("a",), "k") is None
    store.put(("a",), "k", {"n": 1})
    assert store.get(("a",), "k") is not None


def test_stores_of_two_spaces_see_nothing_of_each_other(camillo: Camillo) -> None:
    one, other = CamilloStore(camillo.for_user("1")), CamilloStore(camillo.for_user("2"))
    key = f"k{random.random()}"
    one.put(("a",), key, {"text": "tea"})
    assert other.get(("a",), key) is None
    assert key not in [item.key for item in other.search((), query="tea", limit=100)]
    assert key in [item.key for item in one.search((), query="tea", limit=100)]


def test_an_item_is_a_memory_that_recalls_find(store: CamilloStore, camillo: Camillo) -> None:
    store.put(("users", "42"), "drink", {"text": "Ada prefers tea", "rank": 1})
    (hit,) = camillo.recall("what does Ada prefer?", limit=1).hits
    assert hit.text == "Ada prefers tea\n[users/42/drink]"
    filtered = memory_filter(tags_all=[tag_of(("users",))], metadata={"rank": 1})
    assert [memory.memory_id for memory in camillo.list_memories(filtered)] == [id_of(("users", "42"), "drink")]


def test_a_deleted_item_is_gone_for_good_and_may_come_back(store: CamilloStore, camillo: Camillo) -> None:
    store.put(("a",), "k", {"text": "a sentence of some length"})
    assert camillo.get(id_of(("a",), "k")).content
    store.delete(("a",), "k")
    with pytest.raises(MemoryNotFound):
        camillo.get(id_of(("a",), "k"))
    assert store.search(()) == []
    store.put(("a",), "k", {"text": "a sentence of some length"})
    assert [item.key for item in store.search((), query="sentence")] == ["k"]


def test_a_long_value_is_an_artifact_that_goes_with_its_item(store: CamilloStore, camillo: Camillo) -> None:
    long = {"content": [f"строка № {number}" for number in range(5_000)], "kind": "file"}
    store.put(("files",), "a", long)
    store.put(("files",), "b", long)
    store.put(("files",), "c", long)
    store.delete(("files",), "c")
    assert store.get(("files",), "a").value == long
    assert [item.value for item in store.search(("files",), filter={"kind": "file"})] == [long, long]
    kept = [artifact.artifact_id for artifact in camillo.artifacts.list()]
    assert len(kept) == 2
    store.put(("files",), "a", {"content": []})
    store.delete(("files",), "b")
    assert store.get(("files",), "a").value == {"content": []}
    for artifact_id in kept:
        with pytest.raises(ArtifactNotFound):
            camillo.artifacts.read(artifact_id)


def test_an_item_is_gone_when_its_time_is_over_and_reading_it_begins_it_anew(
    store: CamilloStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved = timedelta()
    monkeypatch.setattr(store_module, "_now", lambda: datetime.now(UTC) + moved)
    for key in ("read", "searched", "left"):
        store.put(("a",), key, {"text": "tea"}, ttl=10)
    store.put(("a",), "stays", {"text": "tea"})
    moved = timedelta(minutes=6)
    assert store.get(("a",), "read") is not None
    assert store.get(("a",), "left", refresh_ttl=False) is not None
    assert [item.key for item in store.search(("a",), filter={"text": "tea"}, limit=4, refresh_ttl=False)] != []
    store.search(("a",), query="tea", limit=1, refresh_ttl=False)
    store.batch([GetOp(("a",), "searched", refresh_ttl=True)])
    moved = timedelta(minutes=12)
    assert store.get(("a",), "left", refresh_ttl=False) is None
    assert {item.key for item in store.search(("a",), refresh_ttl=False)} == {"read", "searched", "stays"}
    assert {item.key for item in store.search(("a",), query="tea", refresh_ttl=False)} == {"read", "searched", "stays"}
    moved = timedelta(minutes=30)
    assert store.list_namespaces() == [("a",)]
    assert {item.key for item in store.search(("a",))} == {"stays"}
    store.put(("a",), "left", {"text": "back"})
    assert store.get(("a",), "left") is not None


def test_more_fields_than_can_be_filtered_by_are_refused(store: CamilloStore) -> None:
    store.put(("a",), "fits", {str(number): number for number in range(48)})
    with pytest.raises(ValueError, match="at most 48"):
        store.put(("a",), "k", {str(number): number for number in range(49)})
    assert store.search(("a",), filter={"47": 47})[0].key == "fits"


def test_an_unknown_operator_is_refused(store: CamilloStore) -> None:
    store.put(("a",), "k", {"n": 1})
    with pytest.raises(ValueError, match=r"\$regex"):
        store.search(("a",), filter={"n": {"$regex": "1"}})


async def test_writes_in_an_event_loop(store: CamilloStore) -> None:
    await store.aput(("a",), "k", {"text": "東京"}, ttl=5)
    assert (await store.aget(("a",), "k")).value == {"text": "東京"}
    assert [item.key for item in await store.asearch(("a",), query="東京")] == ["k"]
    await store.adelete(("a",), "k")
    assert await store.aget(("a",), "k") is None


def test_an_item_that_is_replaced_is_as_old_as_it_was(store: CamilloStore) -> None:
    store.put(("users", "ана"), "seat", {"text": "aisle"})
    before = store.get(("users", "ана"), "seat")
    store.put(("users", "ана"), "seat", {"text": "window 🪟"})
    after = store.get(("users", "ана"), "seat")
    assert before
    assert after
    assert after.value == {"text": "window 🪟"}
    assert after.created_at == before.created_at
    assert after.updated_at > before.updated_at


def test_a_text_is_unequal_to_another_spelling_of_it(store: CamilloStore) -> None:
    for key, word in {"composed": "caf\u00e9", "apart": "cafe\u0301", "other": "thé"}.items():
        store.put(("drinks",), key, {"word": word})
    found = store.search(("drinks",), filter={"word": {"$ne": "caf\u00e9"}})
    assert sorted(item.key for item in found) == ["apart", "other"]
    assert [item.key for item in store.search(("drinks",), filter={"word": "caf\u00e9"})] == ["composed"]
