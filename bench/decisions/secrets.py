"""How many secrets are found, and what looking costs, in texts and in streams: `python -m bench.decisions.secrets
[--cases FILE]` (docs/adr/secrets.md).

A case is a line of JSON: `label` (`fp`: no secret; else one is in it) and `text_b64`. Without cases, only the cost is
measured.
"""

import argparse
import base64
import json
import random
import sysconfig
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import hyperscan
import re2
from camillo_server.lib.redaction.detector import Gate, KeywordGate, SecretDetector, Span
from camillo_server.lib.redaction.pattern_gate import PatternGate
from camillo_server.lib.redaction.rules import secret_rules
from camillo_server.lib.redaction.stream import SecretStream

from bench.material.logs import log_bytes
from bench.material.texts import Texts
from bench.measure.timing import Work, seconds_of

MIB = 1024 * 1024
FED = 256 * 1024
ROUNDS = 3
TEXT_ROUNDS = 5
SENTENCES = 500
# The keyword gate is slow enough to be measured on less.
MAX_BY_KEYWORDS = 4
TELLING = "token cache secret api key password auth access credential"
PLAIN = """module package resolve build test error warning compile fetch registry lockfile node python crate server
client index file path line parser stream buffer socket handler router widget layout render engine matrix vector
tensor kernel driver device volume mount bridge queue worker thread signal channel future promise closure object
field method class macro syntax lexer grammar option result value number string array range offset length header
footer column record schema table query cursor batch chunk"""
WORDS = (TELLING.split(), PLAIN.split())

Line = Callable[[random.Random], str]
Clock = Callable[[], float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=Path)
    parser.add_argument("--mebibytes", type=int, default=64, help="of each stream")
    given = parser.parse_args()
    _print_compilation()
    detector = SecretDetector()
    if given.cases:
        _print_found(detector, given.cases)
    _print_cost_of_texts(detector)
    size, patterns = given.mebibytes * MIB, PatternGate()
    print("streams: ms/MiB, least of several rounds")
    texts = {
        "log": _log(size),
        "build log": log_bytes(size),
        "json": _json(size),
        "source": _source(size),
        "base64": base64.encodebytes(random.Random(1).randbytes(size))[:size],
        "known words in lines": b"hf_\n" * (min(size, 2 * MIB) // 4),
    }
    for name, text in texts.items():
        _compare(name, text, {"keywords": KeywordGate(), "patterns": patterns})
    _compare_threads(_log(min(size, 16 * MIB)), patterns)


def _print_compilation() -> None:
    rules = secret_rules()
    works: dict[str, Work] = {
        "a detector": SecretDetector,
        "a gate of patterns": PatternGate,
        "all patterns, were they compiled at once": lambda: [re2.compile(rule.pattern.encode()) for rule in rules],
    }
    for name, work in works.items():
        print(f"{name}: {seconds_of(work) * 1000:.0f} ms")


def _print_found(detector: SecretDetector, cases: Path) -> None:
    total: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for line in cases.read_text().splitlines():
        case = json.loads(line)
        total[case["label"]] += 1
        found[case["label"]] += bool(detector.find(base64.b64decode(case["text_b64"])))
    for label, count in sorted(total.items()):
        print(f"{label:16} {found[label]:4} of {count:4} flagged: {found[label] / count:.1%}")


def _print_cost_of_texts(detector: SecretDetector) -> None:
    plain = [text.encode() for text in Texts(1).sentences(SENTENCES)]
    telling = [b"the api key and the token are kept as a secret: " + text for text in plain]
    for name, texts in (("without a keyword", plain), ("with four keywords", telling)):
        look = partial(_find_in, detector, texts)
        least = min(seconds_of(look, time.thread_time) for _ in range(TEXT_ROUNDS))
        length = sum(map(len, texts)) / len(texts)
        print(f"a text of {length:.0f} bytes {name}: {least / len(texts) * 1e6:.1f} us")


def _find_in(detector: SecretDetector, texts: list[bytes]) -> None:
    for text in texts:
        detector.find(text)


def _compare(name: str, text: bytes, gates: dict[str, Gate]) -> None:
    """All of them in turn, so that what else the machine does meets all."""
    least: dict[str, float] = {}
    short = text[: MAX_BY_KEYWORDS * MIB]
    scans = [("Hyperscan, all 221 patterns", _all_patterns()), ("lower case alone", bytes.lower)]
    for _ in range(ROUNDS):
        for label, scan in scans:
            _keep(least, label, _cost(partial(_each, scan, text), text))
        for label, gate in gates.items():
            looked = short if label == "keywords" else text
            _keep(
                least,
                f"gate of {label}",
                _cost(partial(_each, partial(_spans, gate), looked), looked),
            )
            detector = SecretDetector(gate)
            _keep(least, f"stream by {label}", _cost(partial(_stream, detector, looked), looked))
    found = _stream(SecretDetector(gates["patterns"]), text)
    print(f"{name}: {len(text) / MIB:.0f} MiB, {found} taken for secrets")
    for label, cost in least.items():
        print(f"  {label:42} {cost:8.2f}")


def _keep(least: dict[str, float], label: str, cost: float) -> None:
    least[label] = min(cost, least.get(label, cost))


def _cost(work: Callable[[], object], text: bytes, clock: Clock = time.thread_time) -> float:
    """Milliseconds for each MiB; of this thread alone, unless the clock is another."""
    return seconds_of(work, clock) * 1000 / (len(text) / MIB)


def _each(look: Callable[[bytes], object], text: bytes) -> None:
    for start in range(0, len(text), MIB):
        look(text[start : start + MIB])


def _spans(gate: Gate, text: bytes) -> list[Span]:
    return list(gate.scan(text)[0])


def _stream(detector: SecretDetector, text: bytes) -> int:
    stream = SecretStream(detector)
    found = 0
    for start in range(0, len(text), FED):
        found += len(stream.feed(text[start : start + FED]).found)
    return found + len(stream.finish().found)


def _all_patterns() -> Callable[[bytes], object]:
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    patterns = [rule.pattern.encode() for rule in secret_rules()]
    database.compile(expressions=patterns, flags=hyperscan.HS_FLAG_SINGLEMATCH)
    return lambda text: database.scan(text, match_event_handler=lambda *_: None)


def _compare_threads(text: bytes, gate: Gate) -> None:
    detector, clock = SecretDetector(gate), time.perf_counter
    works = (partial(_stream, detector, text), partial(_in_two_threads, detector, text))
    one, two = (min(_cost(work, text, clock) for _ in range(ROUNDS)) for work in works)
    print(f"log, by the wall: {one:.2f} for one stream, {two:.2f} for two in two threads")


def _in_two_threads(detector: SecretDetector, text: bytes) -> None:
    threads = [threading.Thread(target=_stream, args=(detector, text)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _word(dice: random.Random) -> str:
    return dice.choice(WORDS[dice.random() > 0.06])


def _hex(dice: random.Random, length: int) -> str:
    return f"{dice.getrandbits(4 * length):0{length}x}"


LINES: list[Line] = [
    lambda d: (
        f"npm http fetch GET 200 https://registry.example.org/{_word(d)}-{_word(d)}/-/"
        f"{_word(d)}-{d.randrange(20)}.{d.randrange(9)}.tgz {d.randrange(900)}ms (cache hit)"
    ),
    lambda d: f"tests/unit/{_word(d)}/test_{_word(d)}.py::test_{_word(d)}_is_{_word(d)} PASSED [ 9%]",
    lambda d: f"   Compiling {_word(d)}-{_word(d)} v{d.randrange(3)}.{d.randrange(50)}.0 (/build/{_word(d)})",
    lambda d: (
        f"2026-05-01T12:00:{d.randrange(60):02}Z INFO [{_word(d)}.{_word(d)}] request_id="
        f"{_hex(d, 16)} status=200 duration={d.randrange(1000)}ms"
    ),
    lambda d: f"npm WARN deprecated {_word(d)}@{d.randrange(9)}.0.1: use {_word(d)} for the {_word(d)}",
    lambda d: f'  File "/usr/lib/python3/{_word(d)}/{_word(d)}.py", line {d.randrange(900)}, in {_word(d)}',
    lambda d: f"Step {d.randrange(30)}/30 : RUN make --{_word(d)}={_word(d)}\n ---> {_hex(d, 12)}",
    lambda d: f"sha256:{_hex(d, 64)}: {_word(d)} {_word(d)} extracted",
]  # fmt: skip


def _log(size: int) -> bytes:
    dice = random.Random(1)
    return _repeated("\n".join(dice.choice(LINES)(dice) for _ in range(100_000)) + "\n", size)


def _json(size: int) -> bytes:
    dice = random.Random(2)
    return _repeated(",\n".join(_record(dice) for _ in range(20_000)) + ",\n", size)


def _record(dice: random.Random) -> str:
    record = {
        "id": _hex(dice, 24),
        f"{_word(dice)}_{_word(dice)}": _word(dice),
        "count": dice.randrange(10**6),
        "url": f"https://example.org/{_word(dice)}/{dice.randrange(10**5)}",
        "tags": [_word(dice) for _ in range(3)],
        "text": " ".join(_word(dice) for _ in range(12)),
    }
    return json.dumps(record, indent=2 if dice.random() < 0.5 else None)


def _source(size: int) -> bytes:
    """Source text of the installed packages."""
    text = bytearray()
    for path in sorted(Path(sysconfig.get_paths()["purelib"]).rglob("*.py")):
        text += path.read_bytes()
        if len(text) >= size:
            break
    return bytes(text[:size])


def _repeated(text: str, size: int) -> bytes:
    encoded = text.encode()
    return (encoded * (size // len(encoded) + 1))[:size]


if __name__ == "__main__":
    main()
