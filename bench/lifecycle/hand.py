"""What a writer of bench.lifecycle writes down: its own texts and request ids, and what it may change."""

import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import Message

from bench.lifecycle.ledger import Fate, Ledger
from bench.material.texts import Texts

SENTENCES = 500
# Importances: far from every bound of maintenance, and below one.
HIGH, LOW = 0.9, 0.05
SCRIPTS = ("紫藤", "кофе", "שלום", "🍵", "नमस्ते", "été")


@dataclass(frozen=True, slots=True)
class Operation:
    """One write, and what its answer means for the ledger."""

    request: Message
    acknowledged: Callable[[Any], None]


class Hand:
    """One writer's. The same name writes the same."""

    def __init__(self, name: str, ledger: Ledger) -> None:
        self.name = name
        self.ledger = ledger
        self.dice = random.Random(name)
        self.numbers = itertools.count()
        # What was put together is left alone by everything but its reversal.
        self.compacted: set[str] = set()
        self._sentences = itertools.cycle(Texts(sum(name.encode())).sentences(SENTENCES))

    def any_kept(self) -> str:
        """The content of some memory that only this writer changes; empty if there is none."""
        kept = [
            content
            for content in self.ledger.contents(Fate.KEPT)
            if self.ledger.statements[content].memory_id not in self.compacted
        ]
        return self.dice.choice(kept) if kept else ""

    def text(self) -> str:
        """One that nobody has stated before."""
        number = next(self.numbers)
        script = SCRIPTS[number % len(SCRIPTS)]
        return f"{next(self._sentences)} {script} {self.name}{number:06}"

    def request_id(self) -> str:
        """One that nobody has used before."""
        return f"{self.name}-{next(self.numbers)}"
