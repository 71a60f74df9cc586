"""Redaction of runs: secrets are taken out of every text before anything is made of it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from camillo_server.events.content import numbered_texts
from camillo_server.redaction.redaction import FieldRedaction, Redaction, Redactor
from camillo_server.runs.run import Answer, FunctionCall, RunDraft, RunStep, Trigger

Texts = dict[str, str]


def redacted_run(draft: RunDraft, redactor: Redactor) -> RunDraft:
    """The draft without secrets."""
    fields = FieldRedaction(redactor)
    return replace(
        draft,
        trigger=Trigger(
            fields.text("trigger.type", draft.trigger.type),
            fields.json("trigger.payload", draft.trigger.payload),
        ),
        focus=fields.text("focus", draft.focus),
        session_id=fields.text("session_id", draft.session_id),
    )


def redacted_steps(
    steps: Sequence[RunStep], redactor: Redactor
) -> tuple[Sequence[RunStep], Sequence[Redaction]]:
    """The steps without secrets, and what was taken out of them."""
    fields = FieldRedaction(redactor)
    cleaned = [
        replace(step, what=_what(step.what, f"steps[{place}]", fields))
        for place, step in enumerate(steps)
    ]
    return cleaned, fields.redactions


def _what(what: FunctionCall | Answer, path: str, fields: FieldRedaction) -> FunctionCall | Answer:
    if isinstance(what, Answer):
        return Answer(fields.text(f"{path}.llm_response", what.text))
    path = f"{path}.function_call"
    return replace(
        what,
        name=fields.text(f"{path}.name", what.name),
        arguments=fields.json(f"{path}.arguments", what.arguments),
        result=fields.text(f"{path}.result", what.result),
    )


def texts_of_run(draft: RunDraft) -> Texts:
    """Those of a run that starts."""
    texts = {"trigger.type": draft.trigger.type, "focus": draft.focus}
    return texts | numbered_texts("trigger.payload", draft.trigger.payload)


def texts_of_steps(steps: Sequence[RunStep]) -> Texts:
    """Those of a round."""
    return {
        field: text
        for place, step in enumerate(steps)
        for field, text in _texts_of_step(f"steps[{place}]", step)
    }


def _texts_of_step(path: str, step: RunStep) -> Iterator[tuple[str, str]]:
    what = step.what
    if isinstance(what, Answer):
        yield f"{path}.llm_response", what.text
        return
    path = f"{path}.function_call"
    yield f"{path}.name", what.name
    yield f"{path}.result", what.result
    yield from numbered_texts(f"{path}.arguments", what.arguments).items()
