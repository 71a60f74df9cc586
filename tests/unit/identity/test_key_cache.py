"""The cache of API keys: how long, how many, how often it asks, and what it never forgets to check."""

import asyncio
from datetime import timedelta

import pytest
from camillo_server.doors.identity.key_cache import MAX_UNKNOWN, UNKNOWN_BURST, KeyCache, digest
from camillo_server.kernel.errors import Overloaded, StorageUnavailable
from camillo_server.kernel.ids import KeyId
from camillo_server.settings.settings import IdentitySettings

from tests.unit.identity.listed_keys import ListedKeys, unsigned_secret
from tests.unit.identity.moving_clock import MovingClock


class Fixture:
    """A cache over listed keys, with a clock that the test moves."""

    def __init__(self, max_entries: int = 10, grace_seconds: float = 300.0) -> None:
        self.clock = MovingClock()
        self.directory = ListedKeys()
        settings = IdentitySettings(key_cache_seconds=5, outage_grace_seconds=grace_seconds)
        # The keys of both are the same; the connections are not.
        self.unsigned = ListedKeys()
        self.unsigned.keys = self.directory.keys
        self.cache = KeyCache(self.directory, self.unsigned, self.clock, settings, max_entries)

    async def knows(self, secret: str, unsigned_from: str | None = None) -> bool:
        return await self.cache.principal(digest(secret), unsigned_from) is not None


@pytest.fixture
def known() -> Fixture:
    return Fixture()


async def test_a_key_is_asked_for_once_until_its_answer_is_old(known: Fixture) -> None:
    secret = known.directory.add()
    for _ in range(3):
        assert await known.knows(secret)
    assert known.directory.asked == 1
    known.clock.move(5)
    assert known.cache.fresh(digest(secret)) is None
    assert await known.knows(secret)
    assert known.directory.asked == 2


async def test_the_answer_is_fresh_without_asking_only_after_the_first_time(known: Fixture) -> None:
    secret = known.directory.add()
    assert known.cache.fresh(digest(secret)) is None
    principal = await known.cache.principal(digest(secret))
    assert principal is not None
    assert principal.key_id == "key-1"
    assert known.cache.fresh(digest(secret)) == principal


async def test_a_key_that_expires_while_it_is_cached_is_refused_at_that_moment(known: Fixture) -> None:
    secret = known.directory.add(expires_at=known.clock.now() + timedelta(seconds=2))
    assert await known.knows(secret)
    known.clock.move(1.999)
    assert known.cache.fresh(digest(secret)) is not None
    known.clock.move(0.001)
    assert known.cache.fresh(digest(secret)) is None
    assert not await known.knows(secret)


async def test_an_unknown_secret_is_asked_for_again_after_a_second(known: Fixture) -> None:
    secret = known.directory.add()
    stored = known.directory.keys.pop(digest(secret))
    assert not await known.knows(secret)
    known.directory.keys[digest(secret)] = stored
    known.clock.move(0.999)
    assert not await known.knows(secret)
    assert known.directory.asked == 1
    known.clock.move(0.001)
    assert await known.knows(secret)


async def test_a_flood_of_unknown_secrets_does_not_drive_out_a_key_in_use(known: Fixture) -> None:
    secret = known.directory.add()
    assert await known.knows(secret)
    for _ in range(50):
        assert not await known.knows(unsigned_secret())
    assert known.cache.fresh(digest(secret)) is not None


async def test_the_oldest_of_too_many_keys_goes_first() -> None:
    small = Fixture(max_entries=2)
    secrets = [small.directory.add(f"key-{number}") for number in range(3)]
    for secret in secrets:
        assert await small.knows(secret)
    assert [small.cache.fresh(digest(s)) is not None for s in secrets] == [False, True, True]


async def test_callers_at_the_same_time_share_one_question(known: Fixture) -> None:
    secret = known.directory.add()
    known.directory.gate = asyncio.Event()
    callers = [asyncio.create_task(known.knows(secret)) for _ in range(5)]
    await known.directory.was_asked.wait()
    known.directory.gate.set()
    assert await asyncio.gather(*callers) == [True] * 5
    assert known.directory.asked == 1


async def test_a_caller_that_gives_up_takes_the_answer_from_no_other(known: Fixture) -> None:
    secret = known.directory.add()
    known.directory.gate = asyncio.Event()
    first, second = (asyncio.create_task(known.knows(secret)) for _ in range(2))
    await known.directory.was_asked.wait()
    first.cancel()
    await asyncio.wait([first])
    known.directory.gate.set()
    assert await second
    assert first.cancelled()
    assert known.directory.asked == 1


async def test_a_revoked_key_serves_until_it_is_forgotten_and_not_after(known: Fixture) -> None:
    secret = known.directory.add()
    assert await known.knows(secret)
    known.directory.revoke(secret, known.clock.now())
    assert await known.knows(secret)
    known.cache.forget(KeyId("key-1"))
    assert not await known.knows(secret)


async def test_forgetting_one_key_leaves_the_others_and_clearing_none(known: Fixture) -> None:
    one, other = known.directory.add("key-1"), known.directory.add("key-2")
    assert await known.knows(one)
    assert await known.knows(other)
    known.cache.forget(KeyId("key-1"))
    assert known.cache.fresh(digest(one)) is None
    assert known.cache.fresh(digest(other)) is not None
    known.cache.clear()
    assert known.cache.fresh(digest(other)) is None


@pytest.mark.parametrize("forgets", [True, False])
async def test_an_answer_that_was_under_way_when_the_key_was_forgotten_is_not_kept(
    known: Fixture, forgets: bool
) -> None:
    secret = known.directory.add()
    known.directory.gate = asyncio.Event()
    early = asyncio.create_task(known.knows(secret))
    await known.directory.was_asked.wait()
    known.directory.revoke(secret, known.clock.now())
    if forgets:
        known.cache.forget(KeyId("key-1"))
    known.directory.gate.set()
    assert await early
    assert await known.knows(secret) is not forgets


async def test_a_known_key_outlives_the_database_for_the_grace_and_no_longer(known: Fixture) -> None:
    secret = known.directory.add()
    assert await known.knows(secret)
    known.directory.is_away = True
    known.clock.move(299)
    assert await known.knows(secret)
    known.clock.move(1)
    with pytest.raises(StorageUnavailable):
        await known.knows(secret)


async def test_a_database_that_is_away_is_asked_once_in_a_while_only(known: Fixture) -> None:
    secret = known.directory.add()
    assert await known.knows(secret)
    known.directory.is_away = True
    known.clock.move(5)
    for _ in range(10):
        assert await known.knows(secret)
    assert known.directory.asked == 2
    known.clock.move(5)
    assert await known.knows(secret)
    assert known.directory.asked == 3


async def test_an_expired_key_does_not_outlive_the_database(known: Fixture) -> None:
    secret = known.directory.add(expires_at=known.clock.now() + timedelta(seconds=60))
    assert await known.knows(secret)
    known.directory.is_away = True
    known.clock.move(59)
    assert await known.knows(secret)
    known.clock.move(1)
    with pytest.raises(StorageUnavailable):
        await known.knows(secret)


async def test_without_grace_a_database_that_is_away_is_an_error_and_nothing_is_kept_of_it() -> None:
    strict = Fixture(grace_seconds=0)
    secret = strict.directory.add()
    assert await strict.knows(secret)
    strict.directory.is_away = True
    assert await strict.knows(secret)
    strict.clock.move(5)
    with pytest.raises(StorageUnavailable):
        await strict.knows(secret)
    strict.directory.is_away = False
    assert await strict.knows(secret)


async def test_closing_stops_the_questions_under_way(known: Fixture) -> None:
    known.directory.gate = asyncio.Event()
    waiting = asyncio.create_task(known.knows(known.directory.add()))
    await known.directory.was_asked.wait()
    await known.cache.close()
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_unknown_keys_wait_in_a_bounded_line_of_their_own() -> None:
    known = Fixture(max_entries=1_000)
    in_use = known.directory.add()
    assert await known.knows(in_use)
    known.unsigned.gate = asyncio.Event()
    unsigned = [asyncio.ensure_future(known.knows(unsigned_secret(), f"10.0.0.{number}")) for number in range(200)]
    await known.unsigned.was_asked.wait()
    while not any(each.done() for each in unsigned):  # noqa: ASYNC110
        await asyncio.sleep(0)
    refused = [each for each in unsigned if each.done()]
    assert len(refused) == 200 - MAX_UNKNOWN
    assert all(isinstance(each.exception(), Overloaded) for each in refused)
    # One in use is looked up again however many unsigned wait, and found revoked.
    known.clock.move(5)
    known.directory.revoke(in_use, known.clock.now())
    assert not await known.knows(in_use, "10.0.0.1")
    assert await known.knows(known.directory.add())
    known.unsigned.gate.set()
    assert not any(await asyncio.gather(*(each for each in unsigned if each not in refused)))
    # Then there is room again.
    assert await known.knows(known.directory.add(secret=unsigned_secret()), "10.0.0.1")


async def test_an_address_sends_so_many_unknown_keys_and_others_as_many(known: Fixture) -> None:
    async def accepted(address: str) -> int:
        for count in range(UNKNOWN_BURST + 1):
            try:
                assert not await known.knows(unsigned_secret(), address)
            except Overloaded:
                return count
        raise AssertionError("without bound")

    assert await accepted("10.0.0.1") == UNKNOWN_BURST
    assert await accepted("10.0.0.2") == UNKNOWN_BURST
    known.clock.move(0.5)
    assert await accepted("10.0.0.1") == 5
    # A key that a caller may have invented, but has not, costs its address nothing.
    known.clock.move(1)
    for number in range(2 * UNKNOWN_BURST):
        assert await known.knows(known.directory.add(f"k{number}", secret=unsigned_secret()), "10.0.0.1")
    assert await accepted("10.0.0.1") == 10
