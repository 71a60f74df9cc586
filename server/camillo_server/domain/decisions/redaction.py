"""Redaction of decisions."""

from collections.abc import Sequence
from dataclasses import replace

from camillo_server.domain.decisions.decision import DecisionDraft
from camillo_server.domain.field_redaction import FieldRedaction
from camillo_server.domain.redaction import Redaction, Redactor


def redacted_decision(
    draft: DecisionDraft, redactor: Redactor
) -> tuple[DecisionDraft, Sequence[Redaction]]:
    """The draft without secrets, and what was taken out; refs stay as they are, since they name what is there."""
    fields = FieldRedaction(redactor)
    cleaned = replace(
        draft,
        decision=fields.text("decision", draft.decision),
        rationale=fields.texts("rationale", draft.rationale),
        constraints=fields.texts("constraints", draft.constraints),
        alternatives=fields.texts("alternatives", draft.alternatives),
        consequences=fields.texts("consequences", draft.consequences),
        session_id=fields.text("session_id", draft.session_id),
        tags=fields.tags("tags", draft.tags),
    )
    return (cleaned if fields.redactions else draft), fields.redactions
