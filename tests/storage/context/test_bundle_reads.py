"""Reads of Postgres by bundles, and what is left in memory of them."""

from dataclasses import replace

from camillo_server.across.context.prepared_texts import PreparedTextCache
from camillo_server.kernel.kinds import Source
from camillo_server.rows.row import NewRow

from tests.storage.context.ground_store import ALICE, NOW, SHARED, decision
from tests.storage.context.test_build_bundle import World, event, memory
from tests.storage.context.test_build_bundle import world as opened_world
from tests.storage.replays import OF_MEMORIES

world = opened_world


async def test_the_shared_scope_is_searched_once_it_holds_anything(world: World) -> None:
    await world.bundle("boat")
    assert {spec.scope for spec in world.search.specs} == {ALICE}
    ours = [NewRow(memory("boat of ours"), None)]
    await world.store.memories.remember_many(SHARED, ours, OF_MEMORIES, None, now=NOW)
    await world.bundle("boat")
    assert {spec.scope for spec in world.search.specs} == {ALICE, SHARED}


async def test_decisions_are_searched_once_there_is_one(world: World) -> None:
    await world.bundle("boat")
    assert {spec.filter.sources for spec in world.search.specs} == {(Source.EVENT, Source.MEMORY)}
    await world.store.decide(decision("Rent the boat"))
    await world.bundle("boat")
    decided = [spec for spec in world.search.specs if spec.filter.sources == (Source.DECISION,)]
    assert [spec.scope for spec in decided] == [ALICE]


async def test_a_bundle_is_the_same_with_pieces_of_before_and_without(world: World) -> None:
    await world.remember(*(memory(f"boat {word}") for word in ("red", "blue")))
    cold = replace(world, prepared_texts=PreparedTextCache())
    for number in range(3):
        await world.record(event(f"The boat sails at {number}", number))
        warm = await world.bundle("boat", session_id="s", explain=True)
        assert world.prepared_texts.nbytes
        again = await replace(cold, prepared_texts=PreparedTextCache()).bundle("boat", session_id="s", explain=True)
        assert warm == again
        assert f"sails at {number}" in warm.packed.prompt
    world.store.notifier.notify_removal(ALICE)
    assert not world.prepared_texts.nbytes
