"""Turns, memories and answers to be checked."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from camillo_server.features.distillation.answers import checked
from camillo_server.features.distillation.prompt import Prompt, prompt
from camillo_server.features.distillation.statement import Checked, Known, Passage, Turn
from camillo_server.features.events.event import EventId
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import ActorType, MemoryKind
from camillo_server.kernel.scope import TrustLevel

from bench.distillation.said import SAID_AT
from tests.distilling_model import ToldTurn, answer_of, stated

SEED = bytes(16)


def turn(name: str, text: str, number: int = 1, **fields: Any) -> Turn:
    """A turn of a person for whom the credential speaks."""
    usual = {"speaker": ActorType.HUMAN, "trust_level": TrustLevel.USER, "occurred_at": SAID_AT}
    return Turn(event_id=EventId(UUID(int=number)), speaker_id=name, text=text, **{**usual, **fields})


def known(content: str, number: int = 1, **fields: Any) -> Known:
    """A memory of the day before 2023."""
    occurred_at = fields.pop("occurred_at", datetime(2022, 12, 31, tzinfo=UTC))
    return Known(MemoryId(UUID(int=number)), 1, MemoryKind.FACT, content, occurred_at, **fields)


def passage_of(*turns: Turn, known: Sequence[Known] = ()) -> tuple[Passage, Prompt]:
    passage = Passage(turns, known)
    return passage, prompt(passage, SEED)


def told(prompt: Prompt, turn: Turn) -> ToldTurn:
    """A turn as the prompt has it."""
    [label] = [label for label, each in prompt.events.items() if each is turn]
    return ToldTurn(label, turn.speaker_id, turn.text)


def check(turns: Sequence[Turn], statement: str, quote: str, *, of: int = 0, **fields: Any) -> Checked:
    """Checks one statement that quotes one of the turns."""
    memories = fields.pop("known", ())
    passage, asked = passage_of(*turns, known=memories)
    if "memory" in fields and isinstance(fields["memory"], int):
        fields["memory"] = list(asked.memories)[fields["memory"]]
    return checked(answer_of([stated(told(asked, turns[of]), statement, quote, **fields)]), asked, passage)
