"""Random messages and random bytes for every method, from callers of every role and of none, at a server of its own."""

import asyncio
import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
from camillo.v1 import admin_service_pb2 as admin
from camillo_client.failures import BROKEN_WHILE_SENDING
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from tests.faults.test_loop_lag import MAX_LAG_SECONDS, Probe, lag_server
from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.random_messages import RandomMessages
from tests.rpc.test_random_requests import DEFECTS, METHODS
from tests.server_fixtures import Caller
from tests.tenant_keys import Keys

# 200000 take a quarter of an hour.
MESSAGES = int(os.environ.get("CAMILLO_TEST_FUZZ", "2000"))
AT_ONCE = 16
MIB = 1024 * 1024
STRANGERS = ("nobody", "forger", "babbler")


class Fuzz:
    """Calls that are the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)  # noqa: S311
        self._messages = RandomMessages(seed, {})

    def call(self) -> tuple[MethodDescriptor, list[bytes]]:
        """A method, and the bytes of its messages."""
        method = self._dice.choice(METHODS)
        count = self._dice.choice((0, 1, 2, 3)) if method.client_streaming else 1
        return method, [self._body(method) for _ in range(count)]

    def _body(self, method: MethodDescriptor) -> bytes:
        request: Message = GetMessageClass(method.input_type)()
        self._messages.new(request)
        if isinstance(request, admin.DeleteTenantRequest) and request.tenant_id == "acme":
            request.tenant_id = "rival"
        body = request.SerializeToString()
        return self._dice.choice(DAMAGE)(self._dice, body)


def damaged(dice: random.Random, body: bytes) -> bytes:
    """The body with one byte changed."""
    at = dice.randrange(len(body) + 1)
    return body[:at] + dice.randbytes(1) + body[at + 1 :]


def nested(dice: random.Random, body: bytes) -> bytes:
    """A field that holds itself, deeper than a parser goes."""
    inner = b""
    for _ in range(dice.choice((50, 99, 150))):
        inner = b"\x0a" + varint(len(inner)) + inner
    return body + inner


def varint(number: int) -> bytes:
    written = b""
    while number > 127:
        written += bytes([number & 127 | 128])
        number >>= 7
    return written + bytes([number])


DAMAGE: tuple[Callable[[random.Random, bytes], bytes], ...] = (
    lambda _, body: body,
    lambda _, body: body,
    lambda _, body: body,
    damaged,
    lambda dice, body: body[: dice.randrange(len(body) + 1)],
    lambda dice, body: dice.randbytes(dice.randrange(200)),
    lambda dice, body: body * dice.choice((2, 50)),
    # Many fields that no message has, and many empty parts of a list.
    lambda dice, body: body + b"\xf8\x7f\x01" * dice.choice((1, 20_000)),
    lambda dice, body: body + bytes([dice.randrange(1, 16) << 3 | 2, 0]) * 20_000,
    nested,
)


def callers(keys: Keys) -> dict[str, tuple[tuple[str, str], ...]]:
    """The credentials of a call, by who makes it."""
    known = {
        "root": keys.root,
        "admin": keys.admin,
        "writer": keys.alice,
        "reader": keys.reader,
        "rival": keys.rival,
        "forger": keys.root[:-4] + "AAAA",
        "babbler": "no key",
    }
    bearers = {who: (("authorization", f"Bearer {key}"),) for who, key in known.items()}
    return {**bearers, "nobody": ()}


async def outcome(
    channel: grpc.aio.Channel, method: MethodDescriptor, bodies: list[bytes], metadata: Any
) -> grpc.StatusCode:
    """The code of one call; of an endless stream, after its first message."""
    path = f"/{method.containing_service.full_name}/{method.name}"
    kind = f"{'stream' if method.client_streaming else 'unary'}_{'stream' if method.server_streaming else 'unary'}"
    begin: Any = getattr(channel, kind)(path)
    sent: Any = stream(bodies) if method.client_streaming else bodies[0]
    call = begin(sent, metadata=metadata, timeout=60)
    try:
        if not method.server_streaming:
            await call
        elif await call.read() is not grpc.aio.EOF:
            call.cancel()
            return grpc.StatusCode.OK
    except grpc.aio.AioRpcError:
        pass
    code: grpc.StatusCode = await call.code()
    details = str(await call.details())
    if details == BROKEN_WHILE_SENDING:
        # grpc.aio lost the server's answer: the stream had ended when the next message was sent.
        return await outcome(channel, method, bodies[:1], metadata)
    assert code not in DEFECTS, (path, code, details, [body[:300] for body in bodies], metadata)
    assert "Traceback" not in details
    return code


async def stream(bodies: list[bytes]) -> Any:
    for body in bodies:
        yield body


async def test_no_bytes_of_any_caller_break_a_server(database: TestDatabase, keys: Keys, tmp_path: Path) -> None:
    fuzz, known = Fuzz(1), callers(keys)
    outcomes: dict[str, Counter[grpc.StatusCode]] = {who: Counter() for who in known}
    todo: Iterator[int] = iter(range(MESSAGES))
    with lag_server(tmp_path, database.server_url) as process:
        async with grpc.aio.insecure_channel(await process.ready()) as channel:
            probe = Probe(channel, Caller(channel, keys.root, PATIENCE_SECONDS))

            async def work() -> None:
                for number in todo:
                    if number == MESSAGES // 4:
                        # Memory that first calls take to load and build is not counted.
                        sizes.append(process.memory("VmRSS"))
                        await probe.lag()
                    who = [*known][number % len(known)]
                    outcomes[who][await outcome(channel, *fuzz.call(), known[who])] += 1

            sizes: list[int] = []
            await asyncio.gather(*(work() for _ in range(AT_ONCE)))
            grown, lag = process.memory("VmRSS") - sizes[0], await probe.lag()
            await probe.assert_a_busy_loop_is_seen()
    for who in STRANGERS:
        assert not outcomes[who].keys() - {grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.RESOURCE_EXHAUSTED}, (
            who,
            outcomes[who],
        )
    for who in known.keys() - {*STRANGERS}:
        assert outcomes[who][grpc.StatusCode.OK], (who, outcomes[who])
    assert grown < 100 * MIB, f"{grown / MIB:.0f} MiB"
    # A garbage collection is nobody's message.
    assert lag.seconds - lag.collecting < MAX_LAG_SECONDS, f"{lag}\n{lag.stacks}"
    print(f"{MESSAGES} messages: {outcomes}, {grown / MIB:.0f} MiB, loop {lag}")
