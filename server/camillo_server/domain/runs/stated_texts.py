"""The texts that are stated in a run, by their fields: none of them may be one that was forgotten."""

from collections.abc import Iterator, Sequence

from camillo_server.domain.events.stated_texts import numbered_texts
from camillo_server.domain.runs.run import Answer, RunDraft, RunStep

Texts = dict[str, str]


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
