"""A server for tests: a whole App in this process, on the test's own database, at a port of its own.

Its clock stands still until a test moves it. `start_server` starts further ones, with other settings.
"""

import asyncio
from collections.abc import (
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Sequence,
)
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import grpc
import psycopg
import pytest
from camillo.v1.memory_pb2 import ANSWERED_BY_CACHE
from camillo.v1.memory_service_pb2 import RecallRequest
from camillo_client import AsyncCamillo
from camillo_client.failures import BROKEN_WHILE_SENDING
from camillo_server.assembly.app import App
from camillo_server.doors.identity.key_cache import digest, new_secret
from camillo_server.doors.rpc import server as rpc_server
from camillo_server.kernel.scope import Role
from camillo_server.search.index import scope_caches
from camillo_server.settings.settings import Settings
from camillo_server.telemetry.exporters import start_telemetry
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from tests import caches
from tests.patience import FACTOR, PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.stubs import STUBS
from tests.unit.identity.moving_clock import MovingClock

DIMENSIONS = 16

ATTEMPTS = 5

StartServer = Callable[..., Awaitable["Server"]]


@contextmanager
def suppress_broken_send() -> Iterator[None]:
    """Passes over the one error that grpc.aio makes up by itself."""
    try:
        yield
    except grpc.aio.AioRpcError as error:
        if error.details() != BROKEN_WHILE_SENDING:
            raise


class Caller:
    """One credential's calls through the generated stubs; a request finds its method by its type."""

    def __init__(self, channel: grpc.aio.Channel, key: str, timeout_seconds: float | None) -> None:
        self._stubs = tuple(stub(channel) for stub in STUBS)
        self.metadata = (("authorization", f"Bearer {key}"),) if key else ()
        self._timeout_seconds = timeout_seconds

    async def __call__(self, request: Message, timeout: float | None = None) -> Any:
        """The answer to a unary call."""
        return await self.begin(request, timeout)

    def begin(self, request: Message, timeout: float | None = None) -> Any:
        """The call itself: to be awaited, or cancelled, or read as a stream."""
        seconds = timeout if timeout is not None else self._timeout_seconds
        method = self._method(type(request).__name__)
        return method(request, timeout=seconds, metadata=self.metadata)

    async def send(
        self,
        requests: Iterable[Message] | AsyncIterable[Message],
        name: str = "ImportMemories",
    ) -> Any:
        """The answer to a client stream of the method of this name. Messages that can be sent again are, where grpc.aio
        says nothing but that the stream ended while it sent: it forgets what the server answered then."""
        call: Any = self._method(name)
        told = {"timeout": self._timeout_seconds, "metadata": self.metadata}
        if isinstance(requests, AsyncIterable):
            return await call(requests, **told)
        messages = list(requests)
        for _ in range(ATTEMPTS):
            with suppress_broken_send():
                return await call(messages, **told)
        return await call(messages, **told)

    def _method(self, request_name: str) -> Any:
        name = request_name.removesuffix("Request")
        return next(getattr(stub, name) for stub in self._stubs if hasattr(stub, name))


class PersistentCaller(Caller):
    """Asks again what Postgres answered while the scope was on its way into memory: so memory answers if it can."""

    def __init__(self, app: App, *told: Any) -> None:
        super().__init__(*told)
        self._caches = app.search.engine.caches

    async def __call__(self, request: Message, timeout: float | None = None) -> Any:
        answer = await super().__call__(request, timeout)
        if isinstance(request, RecallRequest) and answer.answered_by != ANSWERED_BY_CACHE:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while self._caches._loading:  # noqa: ASYNC110
                    await asyncio.sleep(0.002)
            answer = await super().__call__(request, timeout)
        return answer


@dataclass(frozen=True, slots=True)
class Refusal:
    """Facts of a failed call, read from the wire without the client's help."""

    code: grpc.StatusCode
    message: str
    reason: str = ""
    metadata: dict[str, str] = field(default_factory=dict)
    fields: tuple[str, ...] = ()
    retry_seconds: float | None = None


async def refused(call: Awaitable[object]) -> Refusal:
    """How the call was refused; fails where it was not."""
    try:
        answer = await call
    except grpc.aio.AioRpcError as error:
        return refusal(error)
    raise AssertionError(f"the call was answered: {str(answer)[:200]}")


def refusal(error: grpc.aio.AioRpcError) -> Refusal:
    """The refusal in the error of a call."""
    status = Status()
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            status.ParseFromString(value)
    return refusal_of(status, error.code(), error.details() or "")


def refusal_of(status: Status, code: grpc.StatusCode | None = None, message: str | None = None) -> Refusal:
    """The refusal in a status, of a call or of one item of a batch."""
    info, fields, retry = ErrorInfo(), BadRequest(), RetryInfo()
    known = {type(detail).DESCRIPTOR.full_name: detail for detail in (info, fields, retry)}
    for packed in status.details:
        packed.Unpack(known[packed.TypeName()])
    delay = retry.retry_delay
    return Refusal(
        code=code or next(c for c in grpc.StatusCode if c.value[0] == status.code),
        message=status.message if message is None else message,
        reason=info.reason if info.domain in ("", "camillo.v1") else f"{info.domain}/{info.reason}",
        metadata=dict(info.metadata),
        fields=tuple(violation.field for violation in fields.field_violations),
        retry_seconds=delay.seconds + delay.nanos / 1e9 if retry.HasField("retry_delay") else None,
    )


@dataclass(frozen=True, slots=True)
class Keys:
    """Secrets of the tenant `acme`, and of its rival."""

    root: str
    admin: str
    alice: str
    reader: str
    rival: str


class KeyedTemplate(NamedTuple):
    """The name of a database that nobody is connected to, and the keys in it."""

    name: str
    keys: Keys


@dataclass(frozen=True, slots=True)
class Server:
    """A running server, and ways to call it."""

    app: App
    address: str
    clock: MovingClock
    database: TestDatabase
    keys: Keys
    channel: grpc.aio.Channel
    answered_from: str = ""

    def caller(self, key: str, timeout_seconds: float | None = PATIENCE_SECONDS) -> Caller:
        """Calls under any key."""
        if self.answered_from == "memory":
            return PersistentCaller(self.app, self.channel, key, timeout_seconds)
        return Caller(self.channel, key, timeout_seconds)

    @property
    def alice(self) -> Caller:
        """A writer bound to the agent `alice` of the tenant `acme`."""
        return self.caller(self.keys.alice)

    @property
    def reader(self) -> Caller:
        """A reader bound to the agent `alice`."""
        return self.caller(self.keys.reader)

    @property
    def admin(self) -> Caller:
        """An administrator of `acme`, for any of its agents."""
        return self.caller(self.keys.admin)

    @property
    def root(self) -> Caller:
        """Root, at home in `acme`."""
        return self.caller(self.keys.root)

    @property
    def rival(self) -> Caller:
        """A writer for any agent of the tenant `rival`."""
        return self.caller(self.keys.rival)

    def client(self, key: str, **options: Any) -> AsyncCamillo:
        """The Python client; close it, or enter it."""
        return AsyncCamillo.connect(self.address, key=key, **options)


def create_tenant(database: TestDatabase, tenant_id: str, now: datetime) -> None:
    """A tenant, there before any server is."""
    with psycopg.connect(database.superuser_url) as connection:
        connection.execute(
            "insert into camillo.tenants (tenant_id, display_name, created_at) values (%s, '', %s)"
            " on conflict do nothing",
            (tenant_id, now),
        )


def create_key(database: TestDatabase, tenant_id: str, agent_id: str | None, role: Role, now: datetime) -> str:
    """The secret of a new key."""
    with psycopg.connect(database.superuser_url) as connection:
        secret = signed_secret(connection)
        connection.execute(
            "insert into camillo.api_keys"
            " (tenant_id, key_id, agent_id, secret_digest, role, description, created_at)"
            " values (%s, %s, %s, %s, %s, '', %s)",
            (tenant_id, str(uuid4()), agent_id, digest(secret), int(role), now),
        )
    return secret


def signed_secret(connection: psycopg.Connection) -> str:
    """A secret as the servers on this database sign it."""
    row = connection.execute("select secret from camillo.key_secrets").fetchone()
    assert row is not None
    return new_secret(row[0])


def create_keys(database: TestDatabase, now: datetime) -> Keys:
    """The tenants `acme` and `rival` with their keys."""
    for tenant_id in ("acme", "rival"):
        create_tenant(database, tenant_id, now)
    return Keys(
        root=create_key(database, "acme", None, Role.ROOT, now),
        admin=create_key(database, "acme", None, Role.TENANT_ADMIN, now),
        alice=create_key(database, "acme", "alice", Role.WRITER, now),
        reader=create_key(database, "acme", "alice", Role.READER, now),
        rival=create_key(database, "rival", None, Role.WRITER, now),
    )


def small_settings(data_dir: Path, **changed: dict[str, Any]) -> Settings:
    """Settings of a small server; sections given are laid over them."""
    sections: dict[str, dict[str, Any]] = {
        "server": {"port": 0, "drain_seconds": 5.0},
        "database": {"pool_min": 1, "connect_timeout_seconds": 10 * FACTOR},
        "memory": {"embedding_model": "random", "embedding_dimensions": DIMENSIONS},
        "telemetry": {"log_level": "warning"},
        # Else what a test sees would depend on the minute in which it runs.
        "lifecycle": {"cron": None},
    }
    for name, values in (*caches.SETTINGS.items(), *changed.items()):
        sections[name] = {**sections.get(name, {}), **values}
    return Settings.model_validate({"data_dir": data_dir, **sections})


@pytest.fixture
def clock() -> MovingClock:
    """The clock of the test's servers."""
    return MovingClock()


@pytest.fixture(scope="session")
def keyed_template(clone: Callable[[str], TestDatabase], template_database: str) -> KeyedTemplate:
    """The database that those of tests with keys are cloned from: creating keys in each takes as long as cloning it."""
    database = clone(template_database)
    return KeyedTemplate(database.name, create_keys(database, MovingClock().now()))


@pytest.fixture
def keys(database: TestDatabase, keyed_template: KeyedTemplate) -> Keys:
    """The keys in the test's database."""
    return keyed_template.keys


@pytest.fixture
def answered_from() -> str:
    """Who answers recalls: "memory" wherever it can, "postgres" everywhere, or whichever is ready."""
    return ""


@asynccontextmanager
async def servers(
    database: TestDatabase, keys: Keys, clock: MovingClock, data_dir: Path, answered_from: str = ""
) -> AsyncIterator[StartServer]:
    """Starts servers as `start_server` does, outside of a test."""
    answered_from = "postgres" if caches.ARE_OFF else answered_from
    async with AsyncExitStack() as stopping:

        async def start(
            credentials: grpc.ChannelCredentials | None = None,
            on: TestDatabase | None = None,
            more_services: Sequence[Callable[[grpc.aio.Server], None]] = (),
            via: str = "",
            **changed: dict[str, Any],
        ) -> Server:
            if answered_from == "postgres":
                changed["retrieval"] = {"cache_bytes": 0}
            settings = small_settings(data_dir, **changed)
            telemetry = start_telemetry(settings.telemetry)
            stopping.callback(telemetry.stop)
            used = on or database
            url = via or used.server_url
            app = App(settings, url, telemetry, clock=clock, more_services=more_services)
            address = f"localhost:{await app.start()}"
            stopping.push_async_callback(app.stop)
            options = [("grpc.max_receive_message_length", -1)]
            channel = (
                grpc.aio.insecure_channel(address, options)
                if credentials is None
                else grpc.aio.secure_channel(address, credentials, options)
            )
            stopping.push_async_callback(channel.close)
            known = create_keys(on, clock.now()) if on else keys
            return Server(app, address, clock, used, known, channel, answered_from)

        yield start


@pytest.fixture
async def start_server(
    database: TestDatabase,
    keys: Keys,
    clock: MovingClock,
    tmp_path: Path,
    answered_from: str,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[StartServer]:
    """Starts a server on the test's database or another one, which it reaches `via` a URL if one is given, with sections of
    settings as keywords; all are stopped at the end."""
    if answered_from == "memory":
        # A scope that was empty a moment ago may come in at once.
        monkeypatch.setattr(scope_caches, "LOAD_BACKOFF_SECONDS", 0.0)
    async with servers(database, keys, clock, tmp_path, answered_from) as start:
        yield start
        # Nobody listens any more to what a server that stops tells of its health.
        monkeypatch.setattr(rpc_server, "HEALTH_NEWS_SECONDS", 0.0)


@pytest.fixture
async def server(start_server: StartServer) -> Server:
    """One running server."""
    return await start_server()
