"""Groups: near-duplicates first, then the tags that have too many; each memory in one, and nothing passing kept for
good."""

from collections.abc import Sequence
from datetime import timedelta

import numpy as np
from camillo_server.features.compaction.compaction import CompactionReason
from camillo_server.features.compaction.groups import Comparable, Group, Groupable, groups
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.rows.row import Row

from tests.unit.compaction.memories import NOW, by_words, memory

NOTHING = Comparable([], np.zeros((0, 1), np.float32), [], None)


def of_tags(tagged: Sequence[Row], *tags: str, threshold: int = 5, compared: Comparable = NOTHING) -> list[Group]:
    return list(groups(Groupable(compared, 0.92, tagged, tags, threshold)))


def tagged(count: int, *tags: str, first: int = 0, **fields: object) -> list[Row]:
    return [memory(f"{tags[0]} says {number}", number, tags=tags, **fields) for number in range(first, first + count)]


def test_a_tag_with_more_than_the_threshold_is_put_together() -> None:
    assert of_tags(tagged(5, "t"), "t") == []
    (group,) = of_tags(tagged(6, "t"), "t")
    assert (group.reason, group.tag, len(group.sources)) == (CompactionReason.TAG, "t", 6)


def test_sources_are_in_the_order_of_time() -> None:
    (group,) = of_tags(tagged(6, "t")[::-1], "t")
    assert [each.content for each in group.sources] == [f"t says {n}" for n in range(6)]


def test_each_memory_is_in_one_group_and_the_larger_tag_comes_first() -> None:
    found = [*tagged(6, "a", "b"), *tagged(4, "b", first=10)]
    (group,) = of_tags(found, "a", "b")
    assert (group.tag, len(group.sources)) == ("b", 10)
    one, other = of_tags([*tagged(6, "a"), *tagged(6, "b", first=10)], "b", "a")
    assert (one.tag, other.tag) == ("a", "b")


def test_sensitivities_stay_apart() -> None:
    secret = tagged(4, "t", first=10, sensitivity=Sensitivity.RESTRICTED)
    found = of_tags([*tagged(4, "t"), *secret], "t")
    assert [{each.sensitivity for each in group.sources} for group in found] == [
        {Sensitivity.INTERNAL},
        {Sensitivity.RESTRICTED},
    ]


def test_what_expires_is_not_kept_by_what_does_not() -> None:
    passing = tagged(4, "t", first=10, expires_at=NOW + timedelta(days=7))
    found = of_tags([*tagged(4, "t"), *passing], "t")
    assert [{each.expires_at is None for each in group.sources} for group in found] == [{False}, {True}]


async def test_near_duplicates_come_first_and_a_tag_may_be_small_enough_without_them() -> None:
    found = tagged(5, "t")
    twice = [memory("the user likes green tea", n, tags=("t",)) for n in (20, 21)]
    both = [*found, *twice]
    (group,) = of_tags(both, "t", compared=await by_words(twice))
    assert (group.reason, group.tag) == (CompactionReason.NEAR_DUPLICATE, "")
    assert list(group.sources) == twice
    (group,) = of_tags(both, "t")
    assert (group.reason, len(group.sources)) == (CompactionReason.TAG, 7)


def test_a_tag_is_cut_into_as_many_as_it_takes() -> None:
    found = [memory(f"{n} " + "x" * 900, n, tags=("t",)) for n in range(6)]
    assert [len(group.sources) for group in of_tags(found, "t")] == [2, 2, 2]
