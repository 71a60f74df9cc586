"""A gate that becomes fast while it is used: it answers at once, and the same before and after."""

import threading
from collections.abc import Iterable

from camillo_server.lib.redaction.detector import LONG_BYTES, Gate, Hint, KeywordGate, SecretDetector, Span, WarmingGate
from camillo_server.lib.redaction.pattern_gate import fastest_gate

from tests.secret_samples import samples

SHORT = "\n".join(f"看 🔑 {secret} end" for secret in samples(3).values()).encode()
TEXT = SHORT * (LONG_BYTES // len(SHORT) + 1)


class CountingGate(KeywordGate):
    """Knows what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = list[bytes]()

    def scan(self, text: bytes) -> tuple[Iterable[Span], Iterable[Hint]]:
        self.asked.append(text)
        return super().scan(text)


def test_it_answers_while_the_other_is_being_made_and_then_asks_that() -> None:
    may_be_made = threading.Event()
    other = CountingGate()

    def make() -> Gate:
        assert may_be_made.wait(10)
        return other

    gate = WarmingGate(make)
    before = SecretDetector(gate).find(TEXT)
    assert before
    assert other.asked == []
    may_be_made.set()
    gate.complete()
    assert SecretDetector(gate).find(TEXT) == before
    assert other.asked.count(TEXT) == 1


def test_the_other_is_made_once_and_only_when_a_long_text_comes() -> None:
    made = []

    def make() -> Gate:
        made.append(threading.current_thread().name)
        return KeywordGate()

    gate = WarmingGate(make)
    gate.scan(SHORT)
    assert not made
    for _ in range(3):
        gate.scan(TEXT)
    for thread in threading.enumerate():
        if thread.name == "gate":
            thread.join()
    assert made == ["gate"]


def test_the_answers_of_the_fastest_gate_are_those_by_keywords() -> None:
    by_keywords = SecretDetector(KeywordGate()).find(TEXT)
    assert SecretDetector(fastest_gate()).find(TEXT) == by_keywords != []
