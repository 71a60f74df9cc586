"""Reads a model's answer: the statements count whose every quote stands in its event, said by its speaker, and that say
what the quoted sentences say. All others are dropped, each for one reason that is counted."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise, product
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pydantic_core import from_json

from camillo_server.features.compaction.guard import figures, plain
from camillo_server.features.distillation.evidence import (
    Cited,
    QuotePlace,
    SaidText,
    compared,
    is_own,
    is_question,
    names_of,
    times_of,
)
from camillo_server.features.distillation.prompt import MAX_NAMES, MAX_QUOTES, MAX_STATEMENTS, Prompt, speaker_of
from camillo_server.features.distillation.restating import Steps, restates, tokens, without_dates
from camillo_server.features.distillation.statement import (
    Checked,
    DropReason,
    Known,
    Operation,
    Passage,
    Quote,
    RecordType,
    Statement,
    Turn,
)
from camillo_server.features.events.event import EventId
from camillo_server.kernel.kinds import ActorType, MemoryKind
from camillo_server.kernel.scope import TrustLevel, may_ask
from camillo_server.lib.text.index_terms import FUNCTION_TERMS, index_terms
from camillo_server.lib.text.speech import REMEMBER, asks
from camillo_server.lib.text.substance import differ, substance
from camillo_server.models.embedding.litellm import without_fence

MAX_CONTENT, MAX_TASK = 2_000, 500
# A longer answer is not read: no model that keeps to the form writes one.
MAX_ANSWER = 200_000
# The share of words that two texts have in common which say the same.
MIN_SHARED = 0.8
_KINDS = {
    "fact": MemoryKind.FACT,
    "preference": MemoryKind.PREFERENCE,
    "decision": MemoryKind.DECISION,
    "outcome": MemoryKind.TASK_OUTCOME,
    "error": MemoryKind.ERROR,
    "instruction": MemoryKind.INSTRUCTION,
}
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
# Readings of quotes that stand in several places of their events.
_MAX_READINGS = 4
Line = Annotated[str, StringConstraints(min_length=1, max_length=MAX_CONTENT)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class _ListedQuote(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True)

    event: str
    speaker: str
    quote: Line


class _ListedStatement(BaseModel):
    """One object of an answer."""

    model_config = ConfigDict(strict=True, frozen=True)

    operation: Literal["add", "supersede", "confirm"]
    memory: str | None = None
    record: Literal["memory", "decision", "task"] = "memory"
    kind: Literal["fact", "preference", "decision", "outcome", "error", "instruction"]
    text: Line
    subject: Name
    names: Annotated[list[Name], Field(max_length=MAX_NAMES)] = []
    confidence: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
    valid_from: str | None = None
    valid_until: str | None = None
    evidence: Annotated[list[_ListedQuote], Field(min_length=1, max_length=MAX_QUOTES)]


class _Dropped(Exception):
    def __init__(self, reason: DropReason) -> None:
        super().__init__(reason)
        self.reason = reason


def checked(answer: str, prompt: Prompt, passage: Passage) -> Checked:
    """The statements of an answer that count, in its order, and the number of the others by reason. Never raises."""
    if _has_canary(answer, prompt.canary):
        return Checked((), Counter({DropReason.CANARY: max(1, len(_items(answer)[0]))}))
    items, is_cut = _items(answer)
    dropped = Counter({DropReason.MALFORMED: 1} if is_cut else {})
    if len(items) > MAX_STATEMENTS:
        dropped[DropReason.TOO_MANY] = len(items) - MAX_STATEMENTS
    asked = _AskedPassage(prompt, passage)
    kept: list[Statement] = []
    for item in items[:MAX_STATEMENTS]:
        try:
            kept.append(_Item(_listed(item), asked).statement(kept))
        except _Dropped as drop:
            dropped[drop.reason] += 1
    return Checked(tuple(kept), dropped)


class _AskedPassage:
    """The passage that was asked about, each turn of it read once."""

    def __init__(self, prompt: Prompt, passage: Passage) -> None:
        self.events, self.memories = prompt.events, prompt.memories
        self.known = passage.known
        self.next = {each.event_id: after for each, after in pairwise(passage.turns)}
        people = (turn for turn in passage.turns if turn.speaker is ActorType.HUMAN)
        self.people = {name for turn in people for name in names_of(turn)}
        self._texts: dict[EventId, SaidText] = {}
        self.steps = Steps()

    def places(self, turn: Turn, quote: str) -> Sequence[QuotePlace]:
        if turn.event_id not in self._texts:
            self._texts[turn.event_id] = SaidText(turn.text)
        return self._texts[turn.event_id].places(quote)


def _has_canary(answer: str, canary: str) -> bool:
    """Also in capitals, with marks in it, or escaped."""
    letters = "".join(filter(str.isalnum, answer.casefold()))
    return canary in letters or canary[::-1] in letters


def _items(answer: str) -> tuple[Sequence[Any], bool]:
    """The objects of an answer, and whether it is no whole JSON object in the right form. The last
    of a cut answer does not count: nobody knows what it lacks."""
    text = without_fence(answer[:MAX_ANSWER])
    try:
        return _listed_in(from_json(text)), False
    except (ValueError, RecursionError):
        pass
    try:
        return _listed_in(from_json(text, allow_partial=True))[:-1], True
    except (ValueError, RecursionError):
        return (), True


def _listed_in(parsed: object) -> list[Any]:
    """Raises ValueError."""
    found = parsed.get("statements") if isinstance(parsed, dict) else None
    if not isinstance(found, list):
        raise ValueError
    return [each for each in found if not (isinstance(each, dict) and each.get("operation") == "nothing")]


def _listed(item: object) -> _ListedStatement:
    try:
        listed = _ListedStatement.model_validate(item)
    except ValidationError as error:
        raise _Dropped(DropReason.MALFORMED) from error
    texts = (listed.text, listed.subject, *listed.names)
    is_long = listed.record == "task" and len(listed.text) > MAX_TASK
    if is_long or not all(map(_is_line, texts)) or (listed.operation == "add") != (listed.memory is None):
        raise _Dropped(DropReason.MALFORMED)
    return listed


def _is_line(text: str) -> bool:
    """Whether a text is readable: nothing that is invisible, no private signs, and something in it."""
    hidden = ("Cc", "Cs", "Co", "Cn", "Cf")
    return bool(text.strip()) and not any(
        unicodedata.category(each) in hidden and each not in "\n\u200c\u200d" for each in text
    )


class _Item:
    """One statement, looked at from all sides."""

    def __init__(self, listed: _ListedStatement, asked: _AskedPassage) -> None:
        self._listed = listed
        self._asked = asked
        self._content = unicodedata.normalize("NFC", " ".join(listed.text.split()))
        self._kind = _KINDS[listed.kind]
        self._record_type = RecordType[listed.record.upper()]

    def statement(self, before: Sequence[Statement]) -> Statement:
        """The statement. Raises _Dropped."""
        turns = [self._turn_of(quote) for quote in self._listed.evidence]
        said_at = max(turn.occurred_at for turn in turns)
        cited = self._cited(turns, said_at)
        trust = min(turn.trust_level for turn in turns)
        self._require_right(turns, trust)
        valid_from, valid_until = self._validity(cited)
        memory = self._memory(said_at, before)
        return Statement(
            operation=Operation[self._listed.operation.upper()],
            record_type=self._record_type,
            content=self._content,
            kind=self._kind,
            subject=self._listed.subject.strip(),
            names=tuple(dict.fromkeys(each.strip() for each in self._listed.names)),
            quotes=tuple(each.quote for each in cited),
            confidence=self._listed.confidence,
            trust_level=trust,
            sensitivity=max(turn.sensitivity for turn in turns),
            occurred_at=said_at,
            valid_from=valid_from,
            valid_until=valid_until,
            memory_id=memory.memory_id if memory else None,
        )

    def _turn_of(self, quote: _ListedQuote) -> Turn:
        turn = self._asked.events.get(quote.event)
        if turn is None:
            raise _Dropped(DropReason.UNKNOWN_EVENT)
        if quote.speaker.strip().casefold() != speaker_of(turn).casefold():
            raise _Dropped(DropReason.WRONG_SPEAKER)
        return turn

    def _cited(self, turns: Sequence[Turn], said_at: datetime) -> Sequence[Cited]:
        """The quotes, in those of their places of which the statement says what is said there."""
        found: list[Sequence[Cited]] = []
        for turn, quote in zip(turns, self._listed.evidence, strict=True):
            spots = self._asked.places(turn, quote.quote)
            if not spots:
                raise _Dropped(DropReason.QUOTE_NOT_FOUND)
            told = [each for each in spots if self._is_told(turn, each, turns)]
            if not told:
                raise _Dropped(DropReason.WRONG_SPEAKER)
            found.append([_cited(turn, each) for each in told])
        for reading in islice(product(*found), _MAX_READINGS):
            if self._says(reading, said_at):
                return reading
        raise _Dropped(DropReason.NOT_IN_QUOTES)

    def _is_told(self, turn: Turn, place: QuotePlace, turns: Sequence[Turn]) -> bool:
        """Whether the words are the speaker's own, and ask nothing but what the next turn, which is quoted, answers. A
        long question tells something, as long as it stays one."""
        names = names_of(turn)
        if not all(is_own(turn.text, start, end, names) for start, end in place.sentences):
            return False
        questions = [turn.text[start:end] for start, end in place.sentences if is_question(turn.text[start:end])]
        if not questions or (is_question(self._content) and not any(map(asks, questions))):
            return True
        following = self._asked.next.get(turn.event_id)
        is_answer = following is not None and following.speaker_id != turn.speaker_id
        return is_answer and any(each is following for each in turns) and "?" in self._content

    def _says(self, cited: Sequence[Cited], said_at: datetime) -> bool:
        content, sentences = compared(self._content, cited, said_at)
        words = tokens(content)
        if not restates(words, sentences, self._asked.steps):
            return False
        whole = plain("\n".join(each.turn.text[start:end] for each in cited for start, end in each.sentences))
        # With their units and currencies: words alone do not tell which number a sign belongs to.
        if not set(figures(plain(without_dates(content)))) <= set(figures(whole)):
            return False
        own = [each.text for each in tokens(self._content)]
        speakers = [name for each in cited for name in names_of(each.turn)]
        said = [each.text for each in tokens(whole)]
        subject = [each.text for each in tokens(self._listed.subject)]
        return _stands_in(subject, said, speakers) and all(
            _stands_in([each.text for each in tokens(name)], own, speakers) for name in self._listed.names
        )

    def _require_right(self, turns: Sequence[Turn], trust: TrustLevel) -> None:
        """Raises _Dropped where who said it may not say such a thing."""
        is_by_people = all(turn.speaker is ActorType.HUMAN for turn in turns)
        subject = tuple(each.text for each in tokens(self._listed.subject))
        if not is_by_people and (self._kind is MemoryKind.PREFERENCE or subject in self._asked.people):
            raise _Dropped(DropReason.WRONG_SPEAKER)
        is_order = self._kind is MemoryKind.INSTRUCTION or REMEMBER.are_in(self._content.casefold())
        if is_order and not may_ask(trust, is_person=is_by_people):
            raise _Dropped(DropReason.UNTRUSTED_INSTRUCTION)
        if self._record_type is not RecordType.MEMORY and trust < TrustLevel.AGENT:
            raise _Dropped(DropReason.UNTRUSTED_INSTRUCTION)

    def _validity(self, cited: Sequence[Cited]) -> tuple[datetime | None, datetime | None]:
        """The days that it states, which the sentences name. Raises _Dropped."""
        times = times_of(cited)
        days = {moment for each in times for moment in (each.begin, each.end) if moment is not None}
        days |= {moment - timedelta(days=1) for each in times if (moment := each.end) is not None}
        since, until = (_day(each) for each in (self._listed.valid_from, self._listed.valid_until))
        if any(each is not None and each not in days for each in (since, until)):
            raise _Dropped(DropReason.NOT_IN_QUOTES)
        if since and until and since >= until:
            raise _Dropped(DropReason.MALFORMED)
        return since, until

    def _memory(self, said_at: datetime, before: Sequence[Statement]) -> Known | None:
        """The memory that it changes. Raises _Dropped where there is none, where it says something else, and where
        nothing is new."""
        if self._listed.memory is None:
            same = [*(each.content for each in self._asked.known), *(each.content for each in before)]
            if any(is_same(each, self._content) for each in same):
                raise _Dropped(DropReason.ALREADY_KNOWN)
            return None
        memory = self._asked.memories.get(self._listed.memory)
        if memory is None or any(each.memory_id == memory.memory_id for each in before):
            raise _Dropped(DropReason.UNKNOWN_MEMORY)
        says_the_same = is_same(memory.content, self._content)
        if self._listed.operation == "confirm" and not says_the_same:
            raise _Dropped(DropReason.NOT_IN_QUOTES)
        if self._listed.operation == "supersede":
            if says_the_same:
                raise _Dropped(DropReason.ALREADY_KNOWN)
            if memory.occurred_at > said_at or not _terms(memory.content) & _terms(self._content):
                raise _Dropped(DropReason.UNKNOWN_MEMORY)
        return memory


def is_same(one: str, other: str) -> bool:
    """Whether two statements say the same in nearly the same words."""
    mine, theirs = (substance(unicodedata.normalize("NFKC", each).casefold().strip(" .。")) for each in (one, other))
    # The cheaper one decides most pairs.
    return _share(mine, theirs) >= MIN_SHARED and not differ(mine, theirs)


def _share(one: str, other: str) -> float:
    mine, theirs = (Counter(text.split()) for text in (one, other))
    total = mine.total() + theirs.total()
    return 2 * (mine & theirs).total() / total if total else 0.0


def _terms(text: str) -> frozenset[str]:
    return frozenset(index_terms(text)) - FUNCTION_TERMS


def _cited(turn: Turn, place: QuotePlace) -> Cited:
    return Cited(turn, Quote(turn.event_id, turn.text[place.start : place.end]), place.sentences)


def _stands_in(words: Sequence[str], said: Sequence[str], speakers: Sequence[tuple[str, ...]]) -> bool:
    """Whether a name is one of a speaker, or stands in what was said."""
    return bool(words) and (tuple(words) in speakers or _contains(said, words))


def _contains(text: Sequence[str], words: Sequence[str]) -> bool:
    return any(text[at : at + len(words)] == list(words) for at in range(len(text) - len(words) + 1))


def _day(text: str | None) -> datetime | None:
    """Raises _Dropped."""
    if text is None:
        return None
    try:
        if not _DAY.fullmatch(text):
            raise ValueError
        return datetime.fromisoformat(text).replace(tzinfo=UTC)
    except ValueError as error:
        raise _Dropped(DropReason.MALFORMED) from error
