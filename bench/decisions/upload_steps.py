"""Processor time of each step of an upload, for a MiB of a log: `python -m bench.decisions.upload_steps`
(docs/performance.md)."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256

import zstandard
from camillo_server.features.artifacts.intake import ContentIntake, ContentObserver
from camillo_server.lib.redaction.pattern_gate import fastest_gate
from camillo_server.lib.redaction.stream import SecretStream, warm
from camillo_server.storage.parts.part_codec import LEVEL

from bench.material.logs import log_bytes
from bench.measure.timing import Work, seconds_of

MIB = 1024 * 1024
MEBIBYTES, ROUNDS = 16, 5


def main() -> None:
    log = log_bytes(MEBIBYTES * MIB)
    parts = [log[start : start + MIB] for start in range(0, len(log), MIB)]
    warm()
    compressor, gate = zstandard.ZstdCompressor(level=LEVEL), fastest_gate()
    packed = [compressor.compress(part) for part in parts]
    decompressor = zstandard.ZstdDecompressor()
    steps: dict[str, Work] = {
        "SHA-256": partial(_each, lambda part: sha256(part).digest(), parts),
        "Hyperscan, which rules may fit": partial(_each, gate.scan, parts),
        "secrets taken out, with it": partial(_fed, SecretStream, parts),
        "what the text is, and lines of failures": partial(_fed, partial(ContentObserver, SecretStream), parts),
        "all of the intake": partial(_fed, ContentIntake, parts),
        "zstd": partial(_each, compressor.compress, parts),
        "zstd, decompressing": partial(_each, decompressor.decompress, packed),
    }
    print("milliseconds of the processor for each MiB, least of several rounds")
    for name, work in steps.items():
        least = min(seconds_of(work, time.thread_time) for _ in range(ROUNDS))
        print(f"{name:42} {least * 1000 / MEBIBYTES:6.2f}")


def _each(work: Callable[[bytes], object], parts: Sequence[bytes]) -> None:
    for part in parts:
        work(part)


def _fed(make: Callable[[], SecretStream | ContentObserver | ContentIntake], parts: Sequence[bytes]) -> None:
    fed = make()
    for part in parts:
        fed.feed(part)


if __name__ == "__main__":
    main()
