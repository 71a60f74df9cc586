"""A server for tests: a whole App in this process, on the test's own database, at a port of its own.

Its clock stands still until a test moves it. `start_server` starts further ones, with other settings. Most tests need
none of their own: the fixture `server` is in `tests/shared_servers.py`."""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import pytest
from camillo.v1.memory_pb2 import ANSWERED_BY_CACHE
from camillo.v1.memory_service_pb2 import RecallRequest
from camillo_client import AsyncCamillo
from camillo_client.failures import BROKEN_WHILE_SENDING
from camillo_server.assembly.app import App
from camillo_server.doors.rpc import server as rpc_server
from camillo_server.kernel.scope import Role
from camillo_server.search.index import scope_caches
from camillo_server.search.index.scope_caches import ScopeCaches
from camillo_server.settings.settings import Settings
from camillo_server.telemetry.tracing import start_telemetry
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from tests import caches
from tests.patience import FACTOR, PATIENCE_SECONDS
from tests.ports import free_port
from tests.postgres_fixtures import TestDatabase
from tests.stubs import STUBS
from tests.tenant_keys import Keys, create_key, create_keys
from tests.unit.identity.moving_clock import MovingClock

DIMENSIONS = 16

ATTEMPTS = 5

# As `http_port` of a server: one that is free.
ANY_PORT = -1

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

    async def send(self, requests: Iterable[Message] | AsyncIterable[Message], name: str = "ImportMemories") -> Any:
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

    def __init__(self, caches: ScopeCaches, *told: Any) -> None:
        super().__init__(*told)
        self._caches = caches

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
    caches: ScopeCaches | None = None
    http_port: int = 0
    # Where keys are made, if the database is not the test's own.
    tenants: TestDatabase | None = None

    def new_key(self, agent_id: str | None, role: Role) -> str:
        """The secret of a new key of the test's tenant."""
        return create_key(self.tenants or self.database, self.keys.tenant_id, agent_id, role, self.clock.now())

    def caller(self, key: str, timeout_seconds: float | None = PATIENCE_SECONDS) -> Caller:
        """Calls under any key."""
        if self.caches:
            return PersistentCaller(self.caches, self.channel, key, timeout_seconds)
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
        """Root, at home in `acme`. Only of a server of the test's own, since root reaches every tenant."""
        assert self.keys.root, "mark the test with pytest.mark.own_server"
        return self.caller(self.keys.root)

    @property
    def rival(self) -> Caller:
        """A writer for any agent of the tenant `rival`."""
        return self.caller(self.keys.rival)

    def client(self, key: str, **options: Any) -> AsyncCamillo:
        """The Python client; close it, or enter it."""
        return AsyncCamillo.connect(self.address, key=key, **options)


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
            if changed.get("server", {}).get("http_port") == ANY_PORT:
                changed["server"] = {**changed["server"], "http_port": free_port()}
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
            caches = app.search.engine.caches if answered_from == "memory" else None
            return Server(
                app, address, clock, used, known, channel, answered_from, caches, settings.server.http_listens_on
            )

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
    """Starts a server on the test's database or another one, which it reaches `via` a URL if one is given, with
    sections of settings as keywords; all are stopped at the end."""
    if answered_from == "memory":
        # A scope that was empty a moment ago may come in at once.
        monkeypatch.setattr(scope_caches, "LOAD_BACKOFF_SECONDS", 0.0)
    async with servers(database, keys, clock, tmp_path, answered_from) as start:
        yield start
        # Nobody listens any more to what a server that stops tells of its health.
        monkeypatch.setattr(rpc_server, "HEALTH_NEWS_SECONDS", 0.0)


@pytest.fixture
def server_settings() -> dict[str, Any]:
    """Sections of settings of the fixture `server`. Override it for another kind of server."""
    return {}


@pytest.fixture
async def own_server(start_server: StartServer, server_settings: dict[str, Any]) -> Server:
    """One running server of the test's own."""
    return await start_server(**server_settings)
