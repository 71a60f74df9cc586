"""An extractor by rules in the place of a model: it states each turn of a person as it is, behind the name of who said
it, and what it states is checked as a model's answer is."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from camillo_formats.markdown import SENTENCE_END
from camillo_server.features.distillation.answers import MAX_CONTENT, checked
from camillo_server.features.distillation.evidence import GAP
from camillo_server.features.distillation.prompt import MAX_QUOTES, MAX_STATEMENTS, Prompt, prompt
from camillo_server.features.distillation.selection import tells
from camillo_server.features.distillation.statement import DropReason, Passage, Statement, Turn
from camillo_server.kernel.kinds import ActorType

from bench.distillation.statements import Item, statement


@dataclass(frozen=True, slots=True)
class Extracted:
    """The kept statements of a chat, how many there were, and the reasons for which the others were
    dropped."""

    statements: Sequence[Statement]
    stated: int
    dropped: Counter[DropReason]


def extract(passages: Sequence[Passage]) -> Extracted:
    """The facts of passages."""
    kept: list[Statement] = []
    dropped: Counter[DropReason] = Counter()
    stated = 0
    for passage in passages:
        asked = prompt(passage, bytes(16))
        items = list(_items(asked))
        stated += len(items)
        # As many to an answer as a model may state.
        for start in range(0, len(items), MAX_STATEMENTS):
            answer = json.dumps({"statements": items[start : start + MAX_STATEMENTS]}, ensure_ascii=False)
            found = checked(answer, asked, passage)
            kept += found.statements
            dropped += found.dropped
    return Extracted(kept, stated, dropped)


def is_verified(statement: Statement, passage: Passage) -> bool:
    """Whether every quote stands in its event, compared by nothing but the characters."""
    texts = {turn.event_id: turn.text for turn in passage.turns}
    return all(quote.text in texts[quote.event_id] for quote in statement.quotes)


def _items(asked: Prompt) -> Iterator[Item]:
    for label, turn in asked.events.items():
        if turn.speaker is ActorType.HUMAN:
            yield from _stated(label, turn)


def _stated(label: str, turn: Turn) -> Iterator[Item]:
    """The sentences of a turn that tell, as many to a statement as may be quoted."""
    parts = [part.strip() for line in turn.text.split("\n") for part in SENTENCE_END.split(line)]
    told = [part for part in parts if part != GAP and tells(part)]
    for start in range(0, len(told), MAX_QUOTES):
        quotes = told[start : start + MAX_QUOTES]
        text = f"{turn.speaker_id}: {' '.join(quotes)}"
        if len(text) <= MAX_CONTENT:
            yield statement(label, turn.speaker_id, text, quotes, confidence=1.0)
