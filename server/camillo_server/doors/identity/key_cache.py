"""API keys already looked up: one question for many calls, and an answer while the database is away."""

import asyncio
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from camillo_server.doors.identity.api_keys import ApiKey, KeyDirectory
from camillo_server.kernel.clock import Clock, TokenBucket, set_deadline
from camillo_server.kernel.errors import Overloaded, StorageUnavailable
from camillo_server.kernel.ids import KeyId
from camillo_server.kernel.scope import Principal
from camillo_server.settings.settings import IdentitySettings

K = TypeVar("K")
V = TypeVar("V")
_FOREVER = datetime.max.replace(tzinfo=UTC)
_MAX_ENTRIES = 10_000
# Short, so that a key works soon after it is made, even when it was tried before.
_UNKNOWN_SECONDS = 1.0
# Anyone may send secrets that nobody has: so many are looked up or wait for it, and so many an address may send at once.
MAX_UNKNOWN, UNKNOWN_BURST = 64, 50


@dataclass(frozen=True, slots=True)
class _Entry:
    principal: Principal
    fresh_until: datetime  # never later than the key's expiry
    usable_until: datetime  # the same, while the database is away


class KeyCache:
    """Principals by digest of the secret, bounded in number. Belongs to one event loop.

    Unknown digests are kept apart, so that a flood of wrong secrets cannot drive out the keys in use.
    """

    def __init__(
        self,
        directory: KeyDirectory,
        aside: KeyDirectory,
        clock: Clock,
        settings: IdentitySettings,
        max_entries: int = _MAX_ENTRIES,
    ) -> None:
        """`aside` is asked for unsigned keys, which anyone may have invented: it has connections of its own, so that they
        take none of those that calls need."""
        self._directory = directory
        self._aside = aside
        self._clock = clock
        self._started = clock.now()
        self._fresh = timedelta(seconds=settings.key_cache_seconds)
        self._grace = timedelta(seconds=settings.outage_grace_seconds)
        self._unknown = timedelta(seconds=min(_UNKNOWN_SECONDS, settings.key_cache_seconds))
        self._max_entries = max_entries
        self._entries: dict[bytes, _Entry] = {}
        self._unknown_until: dict[bytes, datetime] = {}
        # Lookups that new callers may join; `_tasks` also holds those whose answer is outdated.
        self._lookups: dict[bytes, asyncio.Task[Principal | None]] = {}
        self._tasks: set[asyncio.Task[Principal | None]] = set()
        self._unsigned_lookups: set[asyncio.Task[Principal | None]] = set()
        self._unknown_rate = settings.unknown_keys_per_second
        # By address, the unknown keys that it may still send.
        self._buckets: dict[str, TokenBucket] = {}

    def fresh(self, secret_digest: bytes) -> Principal | None:
        """The principal, if it is known without asking; None says nothing about the key."""
        entry = self._entries.get(secret_digest)
        if entry is None or self._clock.now() >= entry.fresh_until:
            return None
        return entry.principal

    async def principal(self, secret_digest: bytes, unsigned_from: str | None = None) -> Principal | None:
        """The principal, or None where the key is unknown, expired or revoked. `unsigned_from` is the address that an unsigned
        key comes from. Raises StorageUnavailable, and Overloaded where too many unsigned keys come."""
        known = self.fresh(secret_digest)
        if known is not None:
            return known
        unknown_until = self._unknown_until.get(secret_digest)
        if unknown_until is not None and self._clock.now() < unknown_until:
            return None
        try:
            return await self._look_up_once(secret_digest, unsigned_from)
        except StorageUnavailable:
            last_known = self._last_known(secret_digest)
            if last_known is None:
                raise
            return last_known

    def forget(self, key_id: KeyId) -> None:
        """Asks again for this key, because it was revoked or changed."""
        # A lookup under way may have read the key before the change: its answer must not be kept.
        self._lookups.clear()
        for secret_digest in [d for d, entry in self._entries.items() if entry.principal.key_id == key_id]:
            del self._entries[secret_digest]

    def clear(self) -> None:
        """Asks again for every key."""
        self._lookups.clear()
        self._entries.clear()
        self._unknown_until.clear()

    async def close(self) -> None:
        """Stops the lookups under way."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _look_up_once(self, secret_digest: bytes, unsigned_from: str | None) -> Principal | None:
        task = self._lookups.get(secret_digest)
        if task is None:
            # Keys in use are always looked up again: else a flood of unsigned ones could keep a revoked one in use.
            if secret_digest in self._entries or unsigned_from is None:
                task = asyncio.create_task(self._look_up(self._directory, secret_digest))
            else:
                self._require_room(unsigned_from)
                task = asyncio.create_task(self._look_up_unsigned(secret_digest, unsigned_from))
                self._unsigned_lookups.add(task)
            self._lookups[secret_digest] = task
            self._tasks.add(task)
            task.add_done_callback(self._finished)
        # Shielded: the caller that happened to ask first may give up, the others still wait.
        return await asyncio.shield(task)

    def _require_room(self, address: str) -> None:
        """Raises Overloaded."""
        if len(self._unsigned_lookups) >= MAX_UNKNOWN:
            raise Overloaded(MAX_UNKNOWN, "look-ups of keys")
        if self._bucket(address).tokens < 1:
            raise Overloaded(self._unknown_rate, "unknown keys a second of one address")

    def _bucket(self, address: str) -> TokenBucket:
        now = (self._clock.now() - self._started).total_seconds()
        bucket = self._buckets.get(address) or TokenBucket(UNKNOWN_BURST, now)
        bucket.refill(now, self._unknown_rate, UNKNOWN_BURST)
        return bucket

    async def _look_up_unsigned(self, secret_digest: bytes, address: str) -> Principal | None:
        principal = await self._look_up(self._aside, secret_digest)
        if principal is None:
            # Also where none is left: look-ups that were begun meanwhile have to be paid, too.
            bucket = self._bucket(address)
            bucket.tokens -= 1
            _put(self._buckets, address, bucket, _MAX_ENTRIES)
        return principal

    async def _look_up(self, directory: KeyDirectory, secret_digest: bytes) -> Principal | None:
        # Many callers wait for this answer: the deadline of the one who asked first is not theirs.
        set_deadline(None)
        try:
            asked_at = self._clock.now()
            key = await directory.find(secret_digest)
        finally:
            is_current = self._lookups.get(secret_digest) is asyncio.current_task()
            if is_current:
                del self._lookups[secret_digest]
        if key is not None and key.usable(self._clock.now()):
            if is_current:
                self._keep_known(secret_digest, key, asked_at)
            return key.principal()
        self._entries.pop(secret_digest, None)
        if is_current:
            unknown_until = asked_at + self._unknown
            _put(self._unknown_until, secret_digest, unknown_until, self._max_entries)
        return None

    def _keep_known(self, secret_digest: bytes, key: ApiKey, asked_at: datetime) -> None:
        expires_at = key.expires_at or _FOREVER
        fresh_until = min(asked_at + self._fresh, expires_at)
        usable_until = max(fresh_until, min(asked_at + self._grace, expires_at))
        entry = _Entry(key.principal(), fresh_until, usable_until)
        _put(self._entries, secret_digest, entry, self._max_entries)

    def _last_known(self, secret_digest: bytes) -> Principal | None:
        entry = self._entries.get(secret_digest)
        now = self._clock.now()
        if entry is None or now >= entry.usable_until:
            return None
        # Asking a database that is away may take until a timeout: once in a while, not for every call.
        fresh_until = min(now + self._fresh, entry.usable_until)
        self._entries[secret_digest] = replace(entry, fresh_until=fresh_until)
        return entry.principal

    def _finished(self, task: asyncio.Task[Principal | None]) -> None:
        self._tasks.discard(task)
        self._unsigned_lookups.discard(task)
        # Every waiter may be gone by now; an error that nobody waits for is not worth a line in the log.
        if not task.cancelled():
            task.exception()


def _put(entries: dict[K, V], key: K, value: V, max_entries: int) -> None:
    # The oldest goes first: a key in use comes back within seconds anyway.
    entries.pop(key, None)
    if len(entries) >= max_entries:
        del entries[next(iter(entries))]
    entries[key] = value
