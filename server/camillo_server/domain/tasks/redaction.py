"""Redaction of tasks."""

from collections.abc import Sequence
from dataclasses import replace

from camillo_server.domain.field_redaction import FieldRedaction
from camillo_server.domain.redaction import Redaction, Redactor
from camillo_server.domain.tasks.task import TaskDraft


def redacted_task(draft: TaskDraft, redactor: Redactor) -> tuple[TaskDraft, Sequence[Redaction]]:
    """The draft without secrets, and what was taken out; refs stay as they are, since they name what is there."""
    fields = FieldRedaction(redactor)
    cleaned = replace(
        draft,
        title=fields.text("title", draft.title),
        details=fields.text("details", draft.details),
        goal=fields.text("goal", draft.goal),
        plan_step=fields.text("plan_step", draft.plan_step),
        constraints=fields.texts("constraints", draft.constraints),
        session_id=fields.text("session_id", draft.session_id),
        tags=fields.tags("tags", draft.tags),
    )
    return (cleaned if fields.redactions else draft), fields.redactions
