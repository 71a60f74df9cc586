"""A gate that becomes fast while it is used: it answers at once, and the same before and after."""

import threading
from collections.abc import Iterable

from camillo_server.redaction.detector import SecretDetector
from camillo_server.redaction.gates import (
    Gate,
    KeywordGate,
    Span,
    WarmingGate,
    fastest_gate,
)

from tests.secret_samples import samples

TEXT = "\n".join(f"看 🔑 {secret} end" for secret in samples(3).values()).encode()


class CountingGate(KeywordGate):
    """Knows how often it was asked."""

    asked = 0

    def spans(self, text: bytes) -> Iterable[Span]:
        self.asked += 1
        return super().spans(text)


def test_it_answers_while_the_other_is_being_made_and_then_asks_that() -> None:
    may_be_made = threading.Event()
    other = CountingGate()

    def make() -> Gate:
        assert may_be_made.wait(10)
        return other

    gate = WarmingGate(make)
    before = SecretDetector(gate).find(TEXT)
    assert before
    assert other.asked == 0
    may_be_made.set()
    gate.complete()
    assert SecretDetector(gate).find(TEXT) == before
    assert other.asked


def test_the_other_is_made_once_and_only_when_a_text_comes() -> None:
    made = []

    def make() -> Gate:
        made.append(threading.current_thread().name)
        return KeywordGate()

    gate = WarmingGate(make)
    assert not made
    for _ in range(3):
        list(gate.spans(TEXT))
    for thread in threading.enumerate():
        if thread.name == "gate":
            thread.join()
    assert made == ["gate"]


def test_the_answers_of_the_fastest_gate_are_those_by_keywords() -> None:
    by_keywords = SecretDetector(KeywordGate()).find(TEXT)
    assert SecretDetector(fastest_gate()).find(TEXT) == by_keywords != []
