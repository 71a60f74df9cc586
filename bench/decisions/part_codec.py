"""Measures compression and encryption of a part of an artifact: `python -m bench.decisions.part_codec`
(docs/adr/0021)."""

import json
import os
import random
import sysconfig
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import zstandard
from camillo_server.artifacts.contents.object_parts import PartName
from camillo_server.artifacts.contents.part_codec import PartCodec
from camillo_server.crypto.keyring import Keyring
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from bench.material.texts import Texts
from bench.measure.timing import Figure, Work, seconds_in_turns

PART_BYTES = 1 << 20
PARTS = 4
ROUNDS = 7
LEVELS = (3, 1, -1, -3, -5)
START = datetime(2026, 1, 1, tzinfo=UTC)
# The rate at which Postgres stored parts of 1 MiB, measured beforehand.
STORED_MB_PER_SECOND = 127
NAME = PartName("tenant", UUID(int=1), 0)


def main() -> None:
    _levels()
    _packing()
    _interpreter()


def _levels() -> None:
    for kind, parts in _samples():
        works = {level: _compressing(level, parts) for level in LEVELS}
        speeds = _speeds({str(level): work for level, work in works.items()})
        for level, work in works.items():
            share = work() / (PARTS * PART_BYTES)
            speed = speeds[str(level)]
            quotient = speed.over(speeds["1"]).median
            stored = 1000 / speed.most + 1000 * share / STORED_MB_PER_SECOND
            print(
                f"{kind:7} level {level:2}: {share:6.1%} of its size, {speed.most:5.0f} MB/s, "
                f"{quotient:.2f} x level 1; {stored:.1f} ms for 1 MB compressed and stored"
            )


def _packing() -> None:
    """The codec as it is used, there and back."""
    codec = PartCodec(Keyring({"one": os.urandom(32)}))
    for kind, parts in _samples():
        speeds = _speeds(_works(codec, parts))
        rates = ", ".join(f"{name} {speed.most:.0f}" for name, speed in speeds.items())
        print(f"{kind:7} MB/s: {rates}")


def _works(codec: PartCodec, parts: list[bytes]) -> dict[str, Work]:
    plain = [codec.encode(part, None) for part in parts]
    encrypted = [codec.encode(part, NAME) for part in parts]
    return {
        "pack": lambda: [codec.encode(part, None) for part in parts],
        "pack and encrypt": lambda: [codec.encode(part, NAME) for part in parts],
        "unpack": lambda: [codec.decode(part, NAME, PART_BYTES) for part in plain],
        "decrypt and unpack": lambda: [codec.decode(part, NAME, PART_BYTES) for part in encrypted],
    }


def _compressing(level: int, parts: list[bytes]) -> Callable[[], int]:
    compressor = zstandard.ZstdCompressor(level=level)
    return lambda: sum(len(compressor.compress(part)) for part in parts)


def _speeds(works: dict[str, Work]) -> dict[str, Figure]:
    """MB/s of work on all parts."""
    size = PARTS * PART_BYTES / 1e6
    return {
        name: Figure(tuple(size / seconds for seconds in taken))
        for name, taken in seconds_in_turns(works, ROUNDS).items()
    }


def _interpreter() -> None:
    """How long no other thread can run Python while one call works on 64 MiB: 0 if it lets go."""
    compressor, cipher = zstandard.ZstdCompressor(level=1), AESGCM(os.urandom(32))
    whole = b"".join(next(iter(_samples()))[1]) * 16
    works: dict[str, Work] = {
        "zstd": lambda: compressor.compress(whole),
        "AES-GCM": lambda: cipher.encrypt(bytes(12), whole, None),
    }
    for name, work in works.items():
        pauses = [_longest_pause(work) for _ in range(ROUNDS)]
        taken, pause = min(pauses, key=lambda each: each[1])
        print(
            f"{name}: {taken * 1000:.0f} ms in one call, others held up for {pause * 1000:.0f} ms"
        )


def _longest_pause(work: Work) -> tuple[float, float]:
    thread = threading.Thread(target=work)
    started = last = time.perf_counter()
    longest = 0.0
    thread.start()
    while thread.is_alive():
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
    return last - started, longest


def _samples() -> Iterator[tuple[str, list[bytes]]]:
    """Outputs of agents' tools: a log, records as JSON, source text; and bytes that nothing makes smaller."""
    yield "log", _cut(_log())
    yield "json", _cut(_json())
    yield "source", _cut(_source())
    yield "random", _cut(iter(lambda: os.urandom(PART_BYTES), b""))


def _cut(pieces: Iterator[bytes]) -> list[bytes]:
    held = bytearray()
    for piece in pieces:
        held += piece
        if len(held) >= PARTS * PART_BYTES:
            break
    return [
        bytes(held[start : start + PART_BYTES])
        for start in range(0, PARTS * PART_BYTES, PART_BYTES)
    ]


def _log() -> Iterator[bytes]:
    numbers, sentences = random.Random(1), Texts(1).sentences(200)
    now = START
    while True:
        now += timedelta(milliseconds=numbers.randrange(400))
        level = numbers.choice(("INFO", "INFO", "INFO", "DEBUG", "WARNING"))
        where = f"service.part_{numbers.randrange(30)}:{numbers.randrange(900)}"
        trace = f"{numbers.getrandbits(64):016x}"
        yield f"{now.isoformat()} {level:7} [{where}] trace={trace} {numbers.choice(sentences)}\n".encode()


def _json() -> Iterator[bytes]:
    numbers, sentences = random.Random(2), Texts(2).sentences(2000)
    for number in range(10**6):
        record = {
            "id": str(UUID(int=numbers.getrandbits(128))),
            "number": number,
            "created_at": (START + timedelta(seconds=number)).isoformat(),
            "score": numbers.random(),
            "labels": numbers.sample(["open", "bug", "server", "client", "later"], 2),
            "text": numbers.choice(sentences),
        }
        yield json.dumps(record).encode() + b"\n"


def _source() -> Iterator[bytes]:
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        yield path.read_bytes()


if __name__ == "__main__":
    main()
