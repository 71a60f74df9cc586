"""PreparedTexts: a bundle is the same with and without those made before, and nothing of a removed text is kept."""

import random
import sys

import pytest
from camillo_server.across.context import prepared_texts as piece_cache
from camillo_server.across.context.bundle import MAX_REFS, Candidate, ItemType
from camillo_server.across.context.packing import PackingOrder, pack
from camillo_server.across.context.prepared_texts import PreparedTextCache, PreparedTexts
from camillo_server.across.context.recipes import built_in_recipes
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.lib.text.tokens import ESTIMATE
from camillo_server.storage.scopes import scope_prefix

from tests.unit.context.samples import OWN, SHARED, candidate, turn

RECIPE = built_in_recipes()["active_context"]
WORDS = ["boat", "sails", "on", "the", "Ｆriday", "日本", "\u200b", "\n", "123456789", "</data-1>", "x9"]


def sentence(chance: random.Random) -> str:
    return " ".join(chance.choices(WORDS, k=chance.randint(1, 40)))


def changed(each: Candidate, chance: random.Random) -> Candidate:
    """The same record as it may be later: anything that packing shows of it may differ."""
    match chance.randrange(12):
        case 0:
            return each._replace(text=sentence(chance))
        case 1:
            return each._replace(prefix=f"2026-11-21 14:{chance.randint(10, 59)}")
        case 2:
            return each._replace(is_derived=not each.is_derived)
        case 3:
            return each._replace(cut_characters=0 if each.cut_characters else 40)
        case 4:
            return each._replace(is_data=not each.is_data)
        case _:
            return each


def test_what_is_packed_is_the_same_whatever_pieces_are_known() -> None:
    chance, cache = random.Random(4), PreparedTextCache()  # noqa: S311
    stored = [candidate(sentence(chance), number) for number in range(120)]
    views = [candidate(sentence(chance), 1_000 + number, type=ItemType.VIEW, is_data=number > 0) for number in range(2)]
    known = 0
    for total in (400, 2_000, 9_000, 65_000) * 10:
        stored = [changed(each, chance) for each in stored]
        views = [changed(each, chance) for each in views]
        pools = {
            "rules": views,
            "retrieved_evidence": chance.sample(stored, 60),
            "recent_window": chance.sample(stored, 20),
        }
        order = PackingOrder(RECIPE, total, pools, "tenant/agent", is_explained=True)
        with cache.of_scopes(OWN) as prepared_texts:
            known += sum(map(prepared_texts.is_known, stored))
            warm = pack(order, ESTIMATE, prepared_texts)
        assert warm == pack(order, ESTIMATE)
    assert known > 1_000


def test_what_a_caller_brings_is_not_kept() -> None:
    cache = PreparedTextCache()
    with cache.of_scopes(OWN) as prepared_texts:
        prepared_texts.of(turn("hello"))
    assert cache.nbytes == 0
    with cache.of_scopes(OWN) as prepared_texts:
        prepared_texts.of(candidate("hello"))
    assert cache.nbytes > 0


def is_kept(cache: PreparedTextCache, scope: Scope, each: Candidate) -> bool:
    with cache.of_scopes(scope) as prepared_texts:
        return prepared_texts.is_known(each)


def test_another_agent_and_another_tenant_are_given_none() -> None:
    cache, each = PreparedTextCache(), candidate("mine")
    with cache.of_scopes(OWN) as prepared_texts:
        prepared_texts.of(each)
    assert is_kept(cache, OWN, each)
    for other in (SHARED, Scope(TenantId("other"), OWN.agent_id)):
        assert not is_kept(cache, other, each)


@pytest.mark.parametrize("name", [scope_prefix(OWN), scope_prefix(SHARED), None])
def test_nothing_is_kept_of_a_scope_from_which_something_was_removed(name: str | None) -> None:
    cache, each = PreparedTextCache(), candidate("forget me")
    other = Scope(TenantId("other"), AgentId("agent"))
    for scope in (OWN, other):
        with cache.of_scopes(scope) as prepared_texts:
            prepared_texts.of(each)
    cache.on_removal(name)
    assert not is_kept(cache, OWN, each)
    assert is_kept(cache, other, each) is (name is not None)
    # Nor what a bundle under way has read before.
    with cache.of_scopes(OWN) as prepared_texts, cache.of_scopes(other) as others:
        prepared_texts.of(each)
        others.of(candidate("keep me", 1))
        cache.on_removal(name)
    assert not is_kept(cache, OWN, each)
    assert is_kept(cache, other, candidate("keep me", 1)) is (name is not None)


def test_a_bundle_that_fails_keeps_nothing() -> None:
    cache = PreparedTextCache()

    def fails() -> None:
        with cache.of_scopes(OWN) as prepared_texts:
            prepared_texts.of(candidate("half"))
            raise LookupError

    with pytest.raises(LookupError):
        fails()
    assert cache.nbytes == 0


def test_pieces_are_bounded_in_a_scope_and_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(piece_cache, "MAX_SCOPE_BYTES", 20_000)
    monkeypatch.setattr(piece_cache, "MAX_BYTES", 50_000)
    cache = PreparedTextCache()
    scopes = [Scope(TenantId("t"), AgentId(f"agent-{number}")) for number in range(5)]
    for scope in scopes:
        for number in range(40):
            with cache.of_scopes(scope) as prepared_texts:
                prepared_texts.of(candidate("word " * 20, number))
        assert 0 < cache.nbytes <= 50_000
    assert is_kept(cache, scopes[-1], candidate("word " * 20, 39))
    assert not is_kept(cache, scopes[-1], candidate("word " * 20, 0))
    assert not is_kept(cache, scopes[0], candidate("word " * 20, 39))
    cache.on_new_history()
    assert cache.nbytes == 0


@pytest.mark.parametrize("text", ["boat " * 100, "北京烤鸭" * 100, "🦭" * 300, "a"])
@pytest.mark.parametrize("refs", [1, 64, MAX_REFS])
def test_the_ids_that_a_text_rests_on_are_counted(text: str, refs: int) -> None:
    each = candidate(text, refs=tuple(f"{number:036}" for number in range(refs)))
    prepared = PreparedTexts().of(each)
    # The ids stand in the bytes of the item once more.
    ids = sum(sys.getsizeof(ref) + len(ref) for ref in each.refs)
    texts = sum(map(sys.getsizeof, (prepared.text, prepared.shown, prepared.substance)))
    assert ids + texts <= prepared.nbytes <= 4 * (ids + texts) + 1_500


def test_a_text_is_not_taken_for_an_earlier_one_of_its_record() -> None:
    before = candidate("before")
    with (cache := PreparedTextCache()).of_scopes(OWN) as prepared_texts:
        prepared_texts.of(before)
    after = before._replace(text="after")
    assert is_kept(cache, OWN, before)
    assert not is_kept(cache, OWN, after)
    assert PreparedTexts().of(after).shown == "after"
