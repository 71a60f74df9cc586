"""Messages that are wrong in every way, for every method and from every caller: no answer is a defect, nothing grows.

A message is built from the descriptor of its type, and its bytes are damaged: cut off, doubled, nested, with fields
that no message has. The metadata of a call may be as wrong. Processes of their own send them: what a message costs here
is more than what it costs the server."""

import asyncio
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
from camillo_client.failures import BROKEN_WHILE_SENDING
from google.protobuf.descriptor import MethodDescriptor

from bench.drills.drill import Drill, DrillReport
from bench.drills.own_postgres import OwnPostgres, own_postgres
from bench.measure.client import connected
from bench.measure.servers import ROOT, AppServer, embedding_by, server_on, temporary_directory
from tests.faults.test_fuzz import Fuzz
from tests.rpc.test_random_requests import DEFECTS

MESSAGES, SHORT_MESSAGES = 150_000, 6_000
# `CAMILLO_DRILL_MESSAGES=1000000` is the whole drill. Every portion of this many messages has a database of its own: a
# message that checks the audit trail reads the entries of all messages before it.
PORTION = 125_000
STATED = "CAMILLO_DRILL_MESSAGES"
SENDERS, AT_ONCE = 2, 24
CALL_SECONDS = 30.0
# Most growth in the last third, when all that is loaded once is loaded; it includes rows that right messages stored.
MAX_GROWN_BYTES = 48 * 1024 * 1024
# Messages in the server's log for a defect that no caller is told of.
LOGGED_DEFECTS = ("background task failed", "call failed")
SEED_VARIABLE = "CAMILLO_DRILL_SEED"
SHORT_SEED = 1
STRANGER = (("authorization", "Bearer cam_nobody"),)


@dataclass(frozen=True, slots=True)
class Defect:
    """A call that met a defect: the seed and the number repeat it."""

    method: str
    code: str
    details: str
    seed: int
    number: int
    body: str
    metadata: str

    def __str__(self) -> str:
        return json.dumps({name: getattr(self, name) for name in self.__slots__})


def many(dice: random.Random, body: bytes) -> bytes:
    """A list of very many small parts behind what there is."""
    return body + bytes([dice.randrange(1, 16) << 3 | 2, 1, dice.randrange(256)]) * 100_000


def swapped(dice: random.Random, body: bytes) -> bytes:
    """Fields under the number of another one, or said to be of another type."""
    return bytes(byte ^ 8 * dice.randrange(8) if dice.random() < 0.02 else byte for byte in body)


def surrogates(dice: random.Random, body: bytes) -> bytes:
    """A text that no encoder of UTF-8 writes."""
    return body + bytes([dice.randrange(1, 16) << 3 | 2, 3]) + b"\xed\xa0\x80"


# Beside what the messages have already, and now and then.
MORE_DAMAGE = (many, swapped, swapped, surrogates)
DAMAGED_SHARE = 0.05


class Sender:
    """Sends so many messages, the same for the same seed."""

    def __init__(self, seed: int, key: str) -> None:
        self._seed = seed
        self._key = key
        self._dice = random.Random(seed)
        self._fuzz = Fuzz(seed)
        self.codes: Counter[str] = Counter()
        # The methods of calls that ended at their deadline.
        self.late: list[str] = []
        self.defects: list[Defect] = []

    async def send(self, port: int, messages: int) -> None:
        todo: Iterator[int] = iter(range(messages))
        async with connected(port, self._key) as client:

            async def work() -> None:
                for number in todo:
                    await self._call(client.channel, number)

            await asyncio.gather(*(work() for _ in range(AT_ONCE)))

    async def _call(self, channel: grpc.aio.Channel, number: int) -> None:
        method, bodies = self._fuzz.call()
        if self._dice.random() < DAMAGED_SHARE:
            damage = self._dice.choice(MORE_DAMAGE)
            bodies = [damage(self._dice, body) for body in bodies]
        metadata = self._metadata()
        code, details = await _outcome(channel, method, bodies, metadata)
        self.codes[code.name] += 1
        if code is grpc.StatusCode.DEADLINE_EXCEEDED:
            self.late.append(method.full_name)
        if details == BROKEN_WHILE_SENDING:
            # grpc.aio lost the answer: the stream had ended when the next message was sent.
            return
        if code in DEFECTS or "Traceback" in details:
            body = b"|".join(bodies)[:400].hex()
            name = method.full_name
            self.defects.append(Defect(name, code.name, details, self._seed, number, body, repr(metadata)[:400]))

    def _metadata(self) -> tuple[tuple[str, Any], ...]:
        """Metadata of a caller with all rights, now and then with something wrong in it."""
        dice = self._dice
        known: tuple[tuple[str, Any], ...] = (("authorization", f"Bearer {self._key}"),)
        if dice.random() < 0.7:
            return known
        text = "".join(chr(dice.randrange(32, 127)) for _ in range(dice.choice((0, 3, 50, 3_000))))
        return dice.choice(
            (
                STRANGER,
                (),
                known + known,
                (("authorization", text),),
                (*known, ("traceparent", text)),
                (*known, ("traceparent", "00-" + "f" * 32 + "-" + "0" * 16 + "-ff")),
                (*known, ("camillo-default-agent", text)),
                (*known, ("camillo-scope", text)),
                (*known, ("x-request-id", text)),
                (*known, ("grpc-trace-bin", dice.randbytes(60))),
                (*known, *((f"x-{number}", "y") for number in range(60))),
                (*known, ("x-long", "y" * dice.choice((8_000, 20_000)))),
                (*known, ("camillo-scope-bin", text.encode())),
            )
        )


async def _outcome(
    channel: grpc.aio.Channel, method: MethodDescriptor, bodies: Sequence[bytes], metadata: Any
) -> tuple[grpc.StatusCode, str]:
    """How a call ends; an endless stream, after its first message."""
    path = f"/{method.containing_service.full_name}/{method.name}"
    sends, answers = (
        "stream" if streaming else "unary" for streaming in (method.client_streaming, method.server_streaming)
    )
    begin: Any = getattr(channel, f"{sends}_{answers}")(path)
    call = begin(
        _stream(bodies) if method.client_streaming else bodies[0],
        metadata=metadata,
        timeout=CALL_SECONDS,
    )
    try:
        if not method.server_streaming:
            await call
        elif await call.read() is not grpc.aio.EOF:
            call.cancel()
            return grpc.StatusCode.OK, ""
    except grpc.aio.AioRpcError:
        pass
    return await call.code(), str(await call.details())


async def _stream(bodies: Sequence[bytes]) -> Any:
    for body in bodies:
        yield body


def run(short: bool) -> DrillReport:
    messages = int(os.environ.get(STATED, SHORT_MESSAGES if short else MESSAGES))
    # A short run is the same each time: it shows that nothing has become worse. Long ones look for what is new.
    default = SHORT_SEED if short else time.time_ns() % 1_000_000
    seed = int(os.environ.get(SEED_VARIABLE, str(default)))
    print(f"fuzz: {SEED_VARIABLE}={seed} repeats this", file=sys.stderr, flush=True)
    report, found = DrillReport("fuzz"), _Found()
    portions = max(1, round(messages / PORTION))
    for portion in range(portions):
        with temporary_directory() as directory, own_postgres(directory / "data") as postgres:
            _portion(postgres, directory, seed + 100 * portion, messages // portions, found)
        print(
            f"fuzz: {found.codes.total():,} messages, {len(found.defects)} defects",
            file=sys.stderr,
            flush=True,
        )
    report.found("internal", found.defects)
    report.found("hung", [f"{method} took {CALL_SECONDS:.0f} s" for method in found.late])
    report.figures |= {
        "messages": found.codes.total(),
        "messages_per_s": found.codes.total() / found.seconds,
        "portions": portions,
        "grown_mb_of_last_third": max(found.grown_mb),
        "memory_mb": max(found.memory_mb),
        **{code.lower(): count for code, count in sorted(found.codes.items())},
    }
    grown = max(found.grown_mb)
    report.expect(grown * 1024 * 1024 <= MAX_GROWN_BYTES, f"memory grew by {grown:.0f} MB")
    report.expect(found.codes["OK"] > 0, "no message was right")
    return report


@dataclass(slots=True)
class _Found:
    """Results of all portions."""

    codes: Counter[str] = field(default_factory=Counter)
    late: list[str] = field(default_factory=list)
    defects: list[str] = field(default_factory=list)
    seconds: float = 0.0
    # By portion.
    grown_mb: list[float] = field(default_factory=list)
    memory_mb: list[float] = field(default_factory=list)


def _portion(postgres: OwnPostgres, directory: Path, seed: int, messages: int, found: _Found) -> None:
    url, key = postgres.server_url, postgres.secret
    embedding = embedding_by(None)
    log = directory / "log"
    with server_on(url, key, embedding, directory / "server", log=log) as server:
        sizes, began = list[float](), time.monotonic()
        # Three parts: what is loaded once is loaded in the first.
        for part in range(3):
            for told in _part(server, key, seed + 10 * part, messages // 3):
                found.codes.update(told["codes"])
                found.late += told["late"]
                found.defects += told["defects"]
            sizes.append(server.process.memory_mb())
        found.seconds += time.monotonic() - began
    lines = log.read_text().splitlines()
    found.defects += [line for line in lines if any(each in line for each in LOGGED_DEFECTS)]
    found.grown_mb.append(sizes[2] - sizes[1])
    found.memory_mb.append(sizes[2])


def _part(server: AppServer, key: str, seed: int, messages: int) -> list[dict[str, Any]]:
    """The reports of the senders, about so many messages in all."""
    with _senders(server.port, key, seed, messages // SENDERS) as processes:
        told = [process.communicate()[0] for process in processes]
    if any(process.returncode for process in processes):
        raise RuntimeError("a sender of messages broke")
    return [json.loads(each.splitlines()[-1]) for each in told]


@contextmanager
def _senders(port: int, key: str, seed: int, messages: int) -> Iterator[list["subprocess.Popen[str]"]]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    processes = [
        subprocess.Popen(
            [
                sys.executable,
                "-m",
                "bench.drills.fuzz",
                str(port),
                key,
                str(seed + n),
                str(messages),
            ],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=environment,
        )
        for n in range(SENDERS)
    ]
    try:
        yield processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


def main() -> None:
    """One sender: the port, the key, the seed and how many messages."""
    port, key, seed, messages = sys.argv[1:]
    sender = Sender(int(seed), key)
    asyncio.run(sender.send(int(port), int(messages)))
    defects = [*map(str, sender.defects)]
    print(json.dumps({"codes": sender.codes, "late": sender.late, "defects": defects}))


DRILL = Drill("fuzz", "messages and metadata that are wrong in every way, for every method", run)

if __name__ == "__main__":
    main()
