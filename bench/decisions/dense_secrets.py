"""Measures the search for secrets in texts made of what looks like secrets: `python -m bench.decisions.dense_secrets`
(docs/adr/0050).

Seconds of processor time, the least of several rounds, of texts as large as the contract lets them be.
"""

import random
import string
import time
from collections.abc import Callable, Mapping
from functools import partial

from camillo_server.redaction.redaction import FieldRedaction, Redactor
from camillo_server.redaction.stream import SecretStream, warm

from bench.measure.timing import Work, seconds_of

ROUNDS = 2
KIB, MIB = 1024, 1024 * 1024
WORDS = ("token ", "secret ", "the ", "cache ", "is ", "password ")

Unit = Callable[[random.Random], str]


def main() -> None:
    warm()
    for name, work in _works().items():
        least = min(seconds_of(work, time.thread_time) for _ in range(ROUNDS))
        print(f"{name:48}{least:8.3f} s")


def _works() -> Mapping[str, Work]:
    redactor = Redactor()
    dice = random.Random(1)
    lines = _text(dice, lambda d: f'api_key = "{_letters(d, 40)}"\n', 8 * MIB)
    words = _text(dice, lambda d: d.choice(WORDS), MIB)
    keys = _text(dice, lambda d: f"key={_letters(d, 12)} ", 256 * KIB)
    telling = {f"key_{number}": _letters(dice, 12) for number in range(60_000)}
    plain = {f"field_{number}": "the quick brown fox" for number in range(60_000)}
    return {
        "8 MiB of lines of keys": partial(redactor.redact, lines),
        "the same as a stream": partial(_stream, lines.encode()),
        "1 MiB of words beside which secrets stand": partial(redactor.redact, words),
        "the same as a stream ": partial(_stream, words.encode()),
        "256 KiB of key=...": partial(redactor.redact, keys),
        "an object of 60,000 keys and values": partial(_json, redactor, telling),
        "an object of 60,000 plain fields": partial(_json, redactor, plain),
    }


def _json(redactor: Redactor, value: dict[str, str]) -> None:
    FieldRedaction(redactor).json("content.json", value)


def _stream(text: bytes) -> None:
    stream = SecretStream()
    stream.feed(text)
    stream.finish()


def _text(dice: random.Random, unit: Unit, size: int) -> str:
    """A text of so many characters, made of units that all differ."""
    parts, length = list[str](), 0
    while length < size:
        parts.append(unit(dice))
        length += len(parts[-1])
    return "".join(parts)[:size]


def _letters(dice: random.Random, count: int) -> str:
    return "".join(dice.choices(string.ascii_letters + string.digits, k=count))


if __name__ == "__main__":
    main()
