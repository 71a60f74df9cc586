"""Turns of people in many languages, and statements of them that hold."""

from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from camillo_server.features.distillation.statement import Turn
from camillo_server.features.events.event import EventId
from camillo_server.kernel.kinds import ActorType
from camillo_server.kernel.scope import TrustLevel

# A Friday.
SAID_AT = datetime(2023, 1, 20, 16, tzinfo=UTC)


class Said(NamedTuple):
    """A turn, a quote of it, and a statement that it holds."""

    speaker: str
    text: str
    quote: str
    statement: str

    def turn(self, number: int) -> Turn:
        """The turn, of a person for whom the credential speaks."""
        return Turn(
            EventId(UUID(int=number)), ActorType.HUMAN, self.speaker, self.text, SAID_AT, trust_level=TrustLevel.USER
        )


SAID = [Said(*line.split("\t")) for line in Path(__file__).with_name("said.tsv").read_text("utf-8").splitlines()]
