"""Which turns are sent to a model, and how much of them: by rules, before any model is asked.

People come first. Their questions, small talk, code, pasted lines, and what is known are left out; an
assistant's turn is cut to its beginning and to what it says of things done. A turn is sent once. A short answer goes
with its question.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import regex
from camillo_formats.fences import strip_fences
from camillo_formats.markdown import FENCED_BLOCK

from camillo_server.features.compaction.merging import sentences
from camillo_server.features.distillation.evidence import GAP, is_own, is_question, names_of
from camillo_server.features.distillation.person_words import FIRST_PERSON, POSSESSIVES
from camillo_server.features.distillation.restating import is_decisive, tokens
from camillo_server.features.distillation.statement import Known, Passage, Turn
from camillo_server.features.events.event import Event, EventId, TextContent
from camillo_server.kernel.kinds import ActorType, Sensitivity
from camillo_server.lib.text.index_terms import FUNCTION_TERMS, index_terms
from camillo_server.lib.text.speech import USUAL, asks, is_small_talk, text_importance
from camillo_server.lib.text.tokens import count_tokens

# The highest sensitivity that is sent to a model.
MAX_SENT = Sensitivity.INTERNAL
# A sentence of fewer words that are no function words tells nothing; more are needed without a name, a figure or an
# "I": "that is so cool" is no news.
MIN_TERMS, MIN_TERMS_OF_OTHERS = 2, 5
# An answer of so few words says nothing without its question.
ANSWER_WORDS = 6
# A turn of which less is left out stays whole, so that quotes of it may be long.
MIN_SAVED = 0.1
_FIRST_PERSON = FIRST_PERSON | POSSESSIVES
# A word with a capital that begins no sentence.
_NAME = regex.compile(r"(?<=[^.!?\s]\s)\p{Lu}\p{L}+")
TOOL, SMALL_TALK, QUESTION, KNOWN, REPEATED, NOTHING_TOLD, SHORTENED = (
    *("tool", "small_talk", "question", "known", "repeated", "nothing_told", "shortened"),
)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is sent at most, in tokens, turns and memories."""

    passage_tokens: int = 5_000
    passage_turns: int = 120
    passage_known: int = 20
    turn_tokens: int = 1_000
    # The beginning of an assistant's turn.
    opening_tokens: int = 60


USUAL_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Selection:
    """The passages in the order of their turns; how many turns were left out, or shortened, for which cause; and the
    tokens of all turns and of those that are sent, without labels and instructions."""

    passages: Sequence[Passage]
    left_out: Counter[str]
    said_tokens: int
    sent_tokens: int


@dataclass(slots=True)
class _ReadTurn:
    """A turn, the ranges of its sentences, those of them that are sent, and the cause where none is."""

    turn: Turn
    spans: Sequence[tuple[int, int]]
    sent: set[tuple[int, int]]
    cause: str = ""

    def texts(self) -> Iterator[str]:
        """The sentences."""
        for start, end in self.spans:
            yield self.turn.text[start:end]


def turns_of(events: Sequence[Event]) -> Sequence[Turn]:
    """The turns of messages, in their order, without what was recalled into them. Other events are none."""
    found = []
    for event in events:
        if not isinstance(event.content, TextContent):
            continue
        text = strip_fences(event.content.text)
        if text.strip():
            found.append(
                Turn(
                    event_id=event.event_id,
                    speaker=event.actor.type,
                    speaker_id=event.actor.id,
                    text=text,
                    occurred_at=event.occurred_at,
                    session_id=event.session_id,
                    trust_level=event.actor.trust_level,
                    sensitivity=event.sensitivity,
                )
            )
    return found


def passages(
    turns: Sequence[Turn], known: Mapping[EventId, Sequence[Known]], limits: Limits = USUAL_LIMITS
) -> Selection:
    """Chooses from the turns, which are in order; `known` has the memories that each of them may touch, the nearest
    first."""
    chosen, left_out = worth_sending(turns, known, limits)
    found = list(_grouped(chosen, known, limits))
    said = sum(count_tokens(turn.text) for turn in turns)
    sent = sum(count_tokens(turn.text) for passage in found for turn in passage.turns)
    return Selection(found, left_out, said, sent)


def worth_sending(
    turns: Sequence[Turn], known: Mapping[EventId, Sequence[Known]], limits: Limits = USUAL_LIMITS
) -> tuple[Sequence[Turn], Counter[str]]:
    """The turns that may hold something, in order, each cut to what may; and how many are not sent, or are shortened,
    for which cause."""
    seen = set[tuple[str, str]]()
    read = [_read(turn, known.get(turn.event_id, ()), seen, limits) for turn in turns]
    _keep_answers(read)
    left_out = Counter(each.cause for each in read if not each.sent)
    chosen: list[Turn] = []
    for each in read:
        if each.sent:
            text = _shortened(each, limits)
            left_out[SHORTENED] += text != each.turn.text
            chosen.append(replace(each.turn, text=text))
    return chosen, +left_out


def _read(turn: Turn, known: Sequence[Known], seen: set[tuple[str, str]], limits: Limits) -> _ReadTurn:
    read = _ReadTurn(turn, _spans(turn.text), set())
    said = (turn.speaker_id, " ".join(turn.text.casefold().split()))
    if turn.speaker in (ActorType.TOOL, ActorType.SYSTEM):
        read.cause = TOOL
    elif is_small_talk(turn.text) or not turn.text.strip():
        read.cause = SMALL_TALK
    elif said in seen:
        read.cause = REPEATED
    else:
        seen.add(said)
        _choose(read, known, limits)
    return read


def _choose(read: _ReadTurn, known: Sequence[Known], limits: Limits) -> None:
    """Chooses the sentences of a turn, or says why none is sent."""
    turn = read.turn
    names = names_of(turn)
    own = [each for each in read.spans if is_own(turn.text, *each, names)]
    told = [each for each in own if tells(turn.text[slice(*each)])]
    fresh = [each for each in told if not _is_known(turn.text[slice(*each)], known)]
    if not told:
        read.cause = QUESTION if any(map(asks, read.texts())) else NOTHING_TOLD
    elif not fresh:
        read.cause = KNOWN
    elif turn.speaker is ActorType.HUMAN:
        read.sent.update(fresh)
    else:
        read.sent.update(_opening(turn, own, limits))
        read.sent.update(each for each in fresh if _is_important(turn.text[slice(*each)]))


def tells(sentence: str) -> bool:
    """Whether a sentence says anything of somebody or something."""
    # A long question tells why it is asked.
    if is_small_talk(sentence) or asks(sentence):
        return False
    if any(map(str.isdigit, sentence)) or _NAME.search(sentence):
        return True
    is_own = not _FIRST_PERSON.isdisjoint(each.text for each in tokens(sentence))
    terms = frozenset(index_terms(sentence)) - FUNCTION_TERMS
    return len(terms) >= (MIN_TERMS if is_own else MIN_TERMS_OF_OTHERS)


def _opening(turn: Turn, own: Sequence[tuple[int, int]], limits: Limits) -> Iterator[tuple[int, int]]:
    """The first sentence, and as many behind it as there is room for."""
    room = limits.opening_tokens
    for number, (start, end) in enumerate(own):
        room -= count_tokens(turn.text[start:end])
        if number and room < 0:
            return
        yield start, end


def _is_important(sentence: str) -> bool:
    """Whether it says that something was done or decided, or went wrong."""
    return text_importance(sentence, may_ask=False, actions=True) > USUAL


def _is_known(sentence: str, known: Sequence[Known]) -> bool:
    """Whether a memory says all of it: each word, and each that denies or limits. One that says something else is worth
    a look."""
    terms = _said_terms(sentence)
    return bool(terms) and any(terms <= _said_terms(each.content) and _agrees(sentence, each.content) for each in known)


def _said_terms(text: str) -> frozenset[str]:
    return frozenset(index_terms(unicodedata.normalize("NFKC", text))) - FUNCTION_TERMS


def _agrees(one: str, other: str) -> bool:
    mine, theirs = ({each.text for each in tokens(text) if is_decisive(each.text)} for text in (one, other))
    return mine == theirs


def _keep_answers(read: Sequence[_ReadTurn]) -> None:
    """A short answer and the question before it go together: neither says anything alone."""
    for before, each in pairwise(read):
        turn = each.turn
        is_short = 0 < len(tokens(turn.text)) <= ANSWER_WORDS and not any(map(is_question, each.texts()))
        is_other = (before.turn.speaker, before.turn.speaker_id) != (turn.speaker, turn.speaker_id)
        if not (is_short and is_other and turn.speaker is ActorType.HUMAN and before.spans):
            continue
        last = before.spans[-1]
        question = before.turn.text[slice(*last)]
        if before.turn.speaker in (ActorType.HUMAN, ActorType.AGENT) and is_question(question):
            before.sent.add(last)
            each.sent.update(each.spans)


def _shortened(read: _ReadTurn, limits: Limits) -> str:
    """The sentences that are sent, with a mark where others were; the whole turn where little is left out."""
    text, total = read.turn.text, count_tokens(read.turn.text)
    sent = _within(read, limits.turn_tokens)
    kept = sum(count_tokens(text[start:end]) for start, end in sent)
    if total <= limits.turn_tokens and kept >= (1 - MIN_SAVED) * total:
        return text
    parts, end = list[str](), -1
    for start, next_end in sent:
        if end >= 0 and not text[end:start].strip():
            parts[-1] += text[end:next_end]
        else:
            parts.append(text[start:next_end])
        end = next_end
    return f"\n{GAP}\n".join(parts)


def _within(read: _ReadTurn, most: int) -> Sequence[tuple[int, int]]:
    """The sentences that are sent, in order, as many as there is room for; at least one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(read.sent):
        most -= count_tokens(read.turn.text[start:end])
        if most >= 0:
            found.append((start, end))
    return found or [min(read.sent)]


def _spans(text: str) -> Sequence[tuple[int, int]]:
    """The ranges of the sentences that are no code."""
    code = [found.span() for found in FENCED_BLOCK.finditer(text)]
    spans = [(each.start, each.end) for each in sentences(text)]
    return [(start, end) for start, end in spans if not any(first < end and start < last for first, last in code)]


def _grouped(chosen: Sequence[Turn], known: Mapping[EventId, Sequence[Known]], limits: Limits) -> Iterator[Passage]:
    """Passages of neighbouring turns, where possible of whole sessions, with the memories that they may touch."""
    group: list[Turn] = []
    room = limits.passage_tokens
    for turn in chosen:
        tokens_of_turn = count_tokens(turn.text)
        is_full = tokens_of_turn > room or len(group) == limits.passage_turns
        is_next_session = bool(group) and turn.session_id != group[-1].session_id
        if group and (is_full or (is_next_session and 2 * room < limits.passage_tokens)):
            yield _passage(group, known, limits)
            group, room = [], limits.passage_tokens
        group.append(turn)
        room -= tokens_of_turn
    if group:
        yield _passage(group, known, limits)


def _passage(group: Sequence[Turn], known: Mapping[EventId, Sequence[Known]], limits: Limits) -> Passage:
    touched = {each.memory_id: each for turn in group for each in known.get(turn.event_id, ())}
    nearest = sorted(touched.values(), key=lambda each: -each.cosine)[: limits.passage_known]
    return Passage(tuple(group), tuple(nearest))
