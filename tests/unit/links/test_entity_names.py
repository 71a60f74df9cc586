"""Names mean what the statements in force make of them, in their order."""

import asyncio
import random

import pytest
from camillo_server.features.links.entities import entities_of_rows
from camillo_server.features.links.entity_names import NO_NAMES, EntityFinder, EntityNames, NameStatement
from camillo_server.lib.text.entities import Entity, EntityType

from tests.unit.context.samples import memory

WORDS = ("ana", "安娜", "آنا", "ana lima", "zoë 🦊")
ALL = [Entity(EntityType.NAME, each) for each in WORDS]


def statement(chance: random.Random) -> NameStatement:
    return NameStatement(chance.choice(ALL), chance.choice([None, *ALL]))


def test_every_name_is_of_one_entity_whatever_was_stated() -> None:
    chance = random.Random(7)  # noqa: S311
    for _ in range(200):
        names = EntityNames(statement(chance) for _ in range(chance.randrange(12)))
        listed = [name for of_entity in names.of.values() for name in of_entity]
        assert len(listed) == len(set(listed))
        assert all(len(of_entity) > 1 and of_entity[0] == entity for entity, of_entity in names.of.items())
        for name in ALL:
            assert names.names(name)[0] == names.entity(name)
            assert (name in listed) == (len(names.names(name)) > 1)


def test_a_statement_that_changes_nothing_says_so() -> None:
    chance = random.Random(8)  # noqa: S311
    changed = 0
    for _ in range(200):
        names = EntityNames(statement(chance) for _ in range(6))
        before = dict(names.of)
        said = names.apply(statement(chance))
        changed += said
        assert said == (names.of != before)
    assert 0 < changed < 200


def test_names_beside_texts_are_those_that_mean_the_same() -> None:
    mail = Entity(EntityType.EMAIL, "ana@example.com")
    names = EntityNames([NameStatement(ALL[1], ALL[0]), NameStatement(mail, ALL[0])])
    assert list(names.beside(["ANA@example.com"])) == ["ana", "安娜"]
    assert list(names.beside(["安娜", "Ana"])) == ["ana@example.com"]
    assert list(names.beside(["Bob"])) == []


def test_a_merged_name_is_found_where_no_rule_sees_one() -> None:
    names = EntityNames([NameStatement(ALL[1], ALL[0]), NameStatement(ALL[2], ALL[0])])
    for text in ("Ana came", "我昨天见到安娜了", "قالت آنا نعم"):
        assert ALL[0] in EntityFinder(names).entities_in(text)
        assert ALL[0] not in EntityFinder(EntityNames()).entities_in(text)
    assert EntityFinder(names).entities_in("ana, in small letters; banana; 安心") == ()
    assert EntityFinder(names, [ALL[4]]).entities_in("Ana came") == ()


class Counted(Entity):
    """An entity that counts how often any is looked up."""

    lookups = 0

    def __hash__(self) -> int:
        Counted.lookups += 1
        return Entity.__hash__(self)


def test_an_entity_of_thousands_of_names_is_made_of_a_few_lookups_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Counted, "lookups", 0)
    into, count = Counted(EntityType.NAME, "ana"), 2_000
    names = EntityNames(NameStatement(Counted(EntityType.NAME, f"ана {n}"), into) for n in range(count))
    assert len(names.names(into)) == count + 1
    assert count < Counted.lookups < 20 * count


async def test_merged_names_are_looked_for_in_a_thread() -> None:
    """A short text may have each of thousands of names; the rules take no time for one."""
    turns = list[int]()

    async def count_turns() -> None:
        while True:
            turns.append(1)
            await asyncio.sleep(0)

    rows = [memory("我昨天见到安娜了")]
    names = EntityNames([NameStatement(ALL[1], ALL[0])])
    counting = asyncio.create_task(count_turns())
    assert await entities_of_rows(EntityFinder(NO_NAMES), rows) == [()]
    assert not turns
    assert await entities_of_rows(EntityFinder(names), rows) == [(ALL[0],)]
    assert turns
    counting.cancel()
