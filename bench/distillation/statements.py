"""The statements of an answer, in the form in which a model has to give them."""

from collections.abc import Sequence
from typing import Any

Item = dict[str, Any]


def statement(event: str, speaker: str, text: str, quotes: Sequence[str], **fields: Any) -> Item:
    """A new fact, quoted from one turn. `event` is the label of the turn; `fields` take the place of the usual ones."""
    return {
        "operation": "add",
        "memory": None,
        "record": "memory",
        "kind": "fact",
        "text": text,
        "subject": speaker,
        "names": [],
        "confidence": 0.9,
        "valid_from": None,
        "valid_until": None,
        "evidence": [{"event": event, "speaker": speaker, "quote": quote} for quote in quotes],
        **fields,
    }
