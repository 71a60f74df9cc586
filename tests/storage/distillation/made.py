"""A distillation and a statement, as a test makes them without a model."""

from typing import Any

from camillo_server.features.distillation.proposal import (
    Distillation,
    DistillationId,
    DistillationState,
    DistillationTrigger,
)
from camillo_server.features.distillation.statement import Operation, Quote, RecordType, Statement
from camillo_server.features.events.event import EventId
from camillo_server.kernel.kinds import MemoryKind, Sensitivity
from camillo_server.kernel.scope import TrustLevel

from tests.storage.context.ground_store import NOW


def distillation(key: DistillationId, said: EventId) -> Distillation:
    return Distillation(
        distillation_id=key,
        state=DistillationState.DONE,
        trigger=DistillationTrigger.REQUEST,
        session_id="",
        model_id="m",
        prompt_digest=b"d",
        turns=1,
        turns_sent=1,
        said_tokens=1,
        sent_tokens=1,
        input_tokens=1,
        output_tokens=1,
        nano_usd=1,
        requests=1,
        first_event_id=said,
        last_event_id=said,
        dropped={},
        left_out={},
        created_at=NOW,
    )


def statement(said: EventId, content: str, **changed: Any) -> Statement:
    """A confidential fact that quotes this event."""
    fields: dict[str, Any] = {
        "operation": Operation.ADD,
        "record_type": RecordType.MEMORY,
        "content": content,
        "kind": MemoryKind.FACT,
        "subject": "Ada",
        "names": ("Ada",),
        "quotes": (Quote(said, "said"),),
        "confidence": 0.5,
        "trust_level": TrustLevel.USER,
        "sensitivity": Sensitivity.CONFIDENTIAL,
        "occurred_at": NOW,
    }
    return Statement(**{**fields, **changed})
