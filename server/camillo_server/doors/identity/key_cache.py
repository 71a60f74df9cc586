"""API keys: the secret a caller holds, what is stored of it, how one is signed; and a cache of those already looked up:
one question for many calls, and an answer while the database is away."""

import asyncio
import base64
import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Protocol, TypeVar

from camillo_server.kernel.channel import ReadLimit
from camillo_server.kernel.clock import Clock, TokenBucket, set_deadline
from camillo_server.kernel.errors import Overloaded, StorageUnavailable
from camillo_server.kernel.ids import AgentId, KeyId, TenantId
from camillo_server.kernel.scope import Principal, Role
from camillo_server.kernel.strict_base64 import from_base64url
from camillo_server.settings.settings import IdentitySettings

PREFIX = "cam_"
SECRET = re.compile(r"cam_[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key without its secret; `agent_id` is None where it reaches any agent of its tenant."""

    key_id: KeyId
    tenant_id: TenantId
    agent_id: AgentId | None
    role: Role
    description: str
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    # The key that created it, if one did.
    created_by: KeyId | None = None
    read_limit: ReadLimit | None = None
    actors: frozenset[str] | None = None
    document_categories: frozenset[str] | None = None
    spaces: frozenset[str] = frozenset()

    def principal(self) -> Principal:
        """The caller that holds it."""
        return Principal(
            self.tenant_id,
            self.agent_id,
            self.role,
            self.key_id,
            self.expires_at,
            self.read_limit,
            self.actors,
            self.document_categories,
            self.spaces,
        )

    def usable(self, now: datetime) -> bool:
        """Neither revoked nor expired."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


@dataclass(frozen=True, slots=True)
class SigningSecrets:
    """The first signs, all verify. `has_unsigned_keys`: the database had keys before there were signatures."""

    secrets: tuple[bytes, ...]
    has_unsigned_keys: bool


class KeyDirectory(Protocol):
    """Finds stored keys, and what signs new ones."""

    async def find(self, secret_digest: bytes) -> ApiKey | None:
        """The key with this digest, revoked and expired ones too. Raises StorageUnavailable."""
        ...

    async def signing_secrets(self, used_before: datetime) -> SigningSecrets:
        """The newest of those from before this time comes first; younger ones at the end. Raises StorageUnavailable."""
        ...


def is_secret(token: str) -> bool:
    """Has the form of a secret; what has not is refused without asking anyone."""
    return SECRET.fullmatch(token) is not None


def digest(secret: str) -> bytes:
    """The digest that is stored and looked up instead of the secret.

    One round of SHA-256 suffices: slow hashes exist to make guessing passwords dear, and 192 random bits cannot
    be guessed at any price. Looking up by digest also needs no comparison in constant time: the time that it takes
    tells only of the digest, and nobody can choose a secret by the first bytes of its digest and gain by it.
    """
    return hashlib.sha256(secret.encode()).digest()


K = TypeVar("K")
V = TypeVar("V")
_FOREVER = datetime.max.replace(tzinfo=UTC)
_MAX_ENTRIES = 10_000
# Short, so that a key works soon after it is made, even when it was tried before.
_UNKNOWN_SECONDS = 1.0
# Anyone may send secrets that nobody has: so many are looked up or wait for it, and so many an address may send at
# once.
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
        unsigned: KeyDirectory,
        clock: Clock,
        settings: IdentitySettings,
        max_entries: int = _MAX_ENTRIES,
    ) -> None:
        """`unsigned` is asked for unsigned keys, which anyone may have invented: it has connections of its own, so that
        they take none of those that calls need."""
        self._directory = directory
        self._unsigned = unsigned
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
        """The principal, or None where the key is unknown, expired or revoked. `unsigned_from` is the address that an
        unsigned key comes from. Raises StorageUnavailable, and Overloaded where too many unsigned keys come."""
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
        principal = await self._look_up(self._unsigned, secret_digest)
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


_RANDOM_BYTES, _SIGNATURE_BYTES = 24, 8
# A new signing secret is used when every server has read it (`REFRESH_SECONDS`).
REFRESH_SECONDS = 60.0
_UNUSED = timedelta(seconds=5 * REFRESH_SECONDS)


class KeySigner:
    """Signs the secrets of new keys, and recognizes those that are signed. `refresh` it before its first use."""

    def __init__(self, directory: KeyDirectory, clock: Clock, *, accepts_unsigned: bool | None) -> None:
        """`accepts_unsigned` None: where the database has unsigned keys."""
        self._directory = directory
        self._clock = clock
        self._accepts_unsigned = accepts_unsigned
        self._signing = SigningSecrets((), has_unsigned_keys=False)

    async def refresh(self) -> None:
        """Reads the signing secrets. Raises StorageUnavailable."""
        self._signing = await self._directory.signing_secrets(self._clock.now() - _UNUSED)

    @property
    def accepts_unsigned(self) -> bool:
        """Whether a secret without a signature is worth a look-up."""
        if self._accepts_unsigned is None:
            return self._signing.has_unsigned_keys
        return self._accepts_unsigned

    def new_secret(self) -> str:
        """A fresh secret, which every server of this installation takes for its own."""
        return new_secret(self._signing.secrets[0])

    def fence_seed(self, name: str) -> str:
        """The seed of the fences around what is shown of a scope or a run: the same in every server of this
        installation while its signing secret is, and known to nobody else."""
        data = b"camillo fence\0" + name.encode("utf-8", "surrogatepass")
        return hmac.digest(self._signing.secrets[0], data, "sha256").hex()

    def is_signed(self, secret: str) -> bool:
        """Whether this installation has issued the secret, which has the form of one."""
        decoded = from_base64url(secret.removeprefix(PREFIX))
        if decoded is None:
            return False
        random, signature = decoded[:_RANDOM_BYTES], decoded[_RANDOM_BYTES:]
        return any(hmac.compare_digest(_signature(each, random), signature) for each in self._signing.secrets)


def new_secret(signing_secret: bytes) -> str:
    """A fresh secret: the prefix that scanners of leaked secrets look for, 192 random bits and their signature."""
    random = secrets.token_bytes(_RANDOM_BYTES)
    signed = random + _signature(signing_secret, random)
    return PREFIX + base64.urlsafe_b64encode(signed).decode().rstrip("=")


def _signature(signing_secret: bytes, random: bytes) -> bytes:
    return hmac.digest(signing_secret, b"camillo api key\0" + random, "sha256")[:_SIGNATURE_BYTES]
