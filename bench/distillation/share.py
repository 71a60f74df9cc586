"""How much of chats is sent to a model, and how much of the evidence of their questions is in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import NAMESPACE_URL, uuid5

from camillo_server.features.distillation.prompt import prompt
from camillo_server.features.distillation.selection import Selection, passages
from camillo_server.features.distillation.statement import Turn
from camillo_server.features.events.event import EventId
from camillo_server.kernel.kinds import ActorType
from camillo_server.kernel.scope import TrustLevel
from camillo_server.lib.text.tokens import count_tokens

from bench.distillation.extractor import Extracted, extract
from bench.material.chats import ASSISTANTS, Chat


@dataclass(frozen=True, slots=True)
class Sent:
    """The tokens that were said, that are sent, and that the requests have with labels and instructions; and, for each
    question, the share of its evidence of which anything is sent, and the share of the tokens of its evidence. Last,
    what the extractor makes of it."""

    said: int
    sent: int
    requested: int
    evidence: Sequence[float]
    evidence_tokens: Sequence[float]
    extracted: Extracted


def turns_of(chat: Chat) -> list[Turn]:
    """The messages as turns of people and assistants for whom the credential speaks."""
    return [
        Turn(
            event_id=EventId(uuid5(NAMESPACE_URL, f"{chat.name}/{message.message_id}")),
            speaker=ActorType.AGENT if message.speaker.lower() in ASSISTANTS else ActorType.HUMAN,
            speaker_id=message.speaker,
            text=message.text,
            occurred_at=message.occurred_at,
            session_id=message.session_id,
            trust_level=TrustLevel.AGENT,
        )
        for message in chat.messages
    ]


def sent_of(chat: Chat) -> Sent:
    """Chooses from a whole chat, of which nothing is known before."""
    turns = turns_of(chat)
    chosen = passages(turns, {})
    said = {message.message_id: count_tokens(message.text) for message in chat.messages}
    message_of = {turn.event_id: message.message_id for turn, message in zip(turns, chat.messages, strict=True)}
    sent = {message_of[turn.event_id]: count_tokens(turn.text) for each in chosen.passages for turn in each.turns}
    return Sent(
        said=chosen.said_tokens,
        sent=chosen.sent_tokens,
        requested=_requested(chosen),
        evidence=[_mean([each in sent for each in asked.evidence]) for asked in chat.questions],
        evidence_tokens=[
            _mean([min(1.0, sent.get(each, 0) / max(1, said[each])) for each in asked.evidence])
            for asked in chat.questions
        ],
        extracted=extract(chosen.passages),
    )


def _requested(chosen: Selection) -> int:
    messages = (each for passage in chosen.passages for each in prompt(passage, bytes(16)).messages)
    return sum(count_tokens(each["content"]) for each in messages)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
