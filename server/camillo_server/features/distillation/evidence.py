"""Finds a quote in its event, and the whole sentences that it stands in: what they say is what was said, however little
of it a quote shows."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

import regex

from camillo_server.features.compaction.merging import sentences
from camillo_server.features.distillation.person_words import ROLES
from camillo_server.features.distillation.restating import SaidSentence, dated, tokens
from camillo_server.features.distillation.statement import Quote, Turn
from camillo_server.features.events.event import EventId
from camillo_server.lib.text.speech import speaker_before
from camillo_server.lib.text.time_expressions.grammar import NamedTime, times_in
from camillo_server.lib.text.time_expressions.spans import TimeSpan

# A quote may stand in an event several times; as many of its places are looked at.
MAX_PLACES = 4
_CHARACTER = regex.compile(r"\X")
# Stands in a turn where sentences of it are left out; no quote may hold it.
GAP = "[…]"
# One sign for those that are typed alike: quotation marks, apostrophes and dashes.
_ALIKE = {
    **dict.fromkeys("“”„«»‟〝〞＂", '"'),
    **dict.fromkeys("‘’‚‛ʼ´＇", "'"),
    **dict.fromkeys("‐‑‒–—―−", "-"),
}
# A title or an initial, whose dot ends no sentence.
_ABBREVIATED = regex.compile(r"(?:^|[^\p{L}])(?:\p{Lu}\p{L}{0,2}|\p{L})\.\s*$")
_ASKS = regex.compile(r"[?？؟\u037e][\"'”’»)\]」』）\s\p{So}\p{M}]*$")
_OPENING, _CLOSING = "“„«「『", "”»」』"
_QUOTED_LINE = regex.compile(r"^[ \t]*(?:>|\|)")
_FENCE = "```"


_Span = tuple[datetime | None, datetime | None]


@dataclass(frozen=True, slots=True)
class QuotePlace:
    """A place of a quote: the range of its words in the event's text, and the ranges of the sentences around it."""

    start: int
    end: int
    sentences: Sequence[tuple[int, int]]


class SaidText:
    """The text of a turn, read once to look for quotes in it."""

    def __init__(self, text: str) -> None:
        self._folds, self._offsets = _compared(text)
        self._sentences = _sentences(text)

    def places(self, quote: str) -> Sequence[QuotePlace]:
        """Where the words of a quote stand, from a border of words to another: at most 4 places. Forms of characters,
        widths, white space and quotation marks are no difference; an ellipsis stands for itself."""
        sought = _compared(quote)[0].strip()
        if GAP in quote or not any(map(str.isalnum, sought)):
            return ()
        return tuple(islice(_places(sought, self._folds, self._offsets, self._sentences), MAX_PLACES))


def _places(sought: str, folds: str, offsets: Sequence[int], within: Sequence[tuple[int, int]]) -> Iterator[QuotePlace]:
    at = folds.find(sought)
    while at >= 0:
        end = at + len(sought)
        if not (_joins(folds[at - 1 : at + 1]) or _joins(folds[end - 1 : end + 1])):
            first, last = offsets[at], offsets[end]
            touched = [each for each in within if each[0] < last and each[1] > first]
            yield QuotePlace(first, last, touched)
        at = folds.find(sought, at + 1)


def _joins(pair: str) -> bool:
    """Whether two characters are of one word."""
    return len(pair) == 2 and all((each.isalnum() and each.upper() != each.lower()) or each.isdigit() for each in pair)


def _compared(text: str) -> tuple[str, Sequence[int]]:
    """A text in the form in which it is compared, and where each of its characters, and its end, is in the text."""
    folds, offsets = list[str](), list[int]()
    for found in _CHARACTER.finditer(text):
        fold = _folded(found[0])
        if fold == " " and folds and folds[-1] == " ":
            continue
        for each in fold:
            folds.append(each)
            offsets.append(found.start())
    return "".join(folds), (*offsets, len(text))


def _folded(character: str) -> str:
    if character.isspace():
        return " "
    if len(character) == 1 and unicodedata.east_asian_width(character) in ("F", "H"):
        character = unicodedata.normalize("NFKC", character)
    return _ALIKE.get(character) or unicodedata.normalize("NFC", character)


def _sentences(text: str) -> Sequence[tuple[int, int]]:
    """The ranges of the sentences; the dot of a title or an initial ends none."""
    found: list[tuple[int, int]] = []
    for each in sentences(text):
        if found and _ABBREVIATED.search(text[max(0, found[-1][1] - 8) : found[-1][1]]):
            found[-1] = (found[-1][0], each.end)
        else:
            found.append((each.start, each.end))
    return found


def is_question(sentence: str) -> bool:
    """Whether a sentence asks."""
    return _ASKS.search(sentence) is not None


def is_own(text: str, start: int, end: int, names: Sequence[tuple[str, ...]]) -> bool:
    """Whether the words of a sentence are those of the speaker: nothing inside quotation marks or a block of code, no
    line that is quoted, or is headed by another name."""
    before = text[:start]
    if before.count(_FENCE) % 2 or before.count('"') % 2:
        return False
    if sum(map(before.count, _OPENING)) > sum(map(before.count, _CLOSING)):
        return False
    line = text[before.rfind("\n") + 1 : end]
    head = speaker_before(line)
    return not _QUOTED_LINE.match(line) and (not head or tuple(each.text for each in tokens(head)) in names)


def names_of(turn: Turn) -> Sequence[tuple[str, ...]]:
    """The names of a speaker, as words: the id, its first word, and the role."""
    words = tuple(each.text for each in tokens(turn.speaker_id))
    own = dict.fromkeys((words, words[:1])) if words else {}
    return (*own, *ROLES.get(turn.speaker.name, ()))


@dataclass(frozen=True, slots=True)
class Cited:
    """A quote of a turn with its sentences."""

    turn: Turn
    quote: Quote
    sentences: Sequence[tuple[int, int]]


def times_of(cited: Sequence[Cited]) -> Sequence[TimeSpan]:
    """The times that the sentences name, as they were meant on the day of their event."""
    return [
        time.span
        for each in cited
        for start, end in each.sentences
        for time in times_in(each.turn.text[start:end], each.turn.occurred_at)
    ]


def compared(content: str, cited: Sequence[Cited], said_at: datetime) -> tuple[str, Sequence[SaidSentence]]:
    """The content and the sentences, each once and in the order in which they were said, as `restates` reads them: a
    date that the content states in other words is a placeholder in both."""
    ordered = sorted(cited, key=lambda each: each.turn.occurred_at)
    ranges = [(each.turn, *span) for each in ordered for span in sorted(each.sentences)]
    texts = [(turn, turn.text[start:end]) for turn, start, end in _once(ranges)]
    whole = "\n".join(text for _, text in texts)
    stated = [time for time in times_in(content, said_at) if time.text not in whole]
    keys = {_span(time): str(number) for number, time in enumerate(stated)}
    told = [_sentence(turn, text, keys) for turn, text in texts]
    return dated(content, {time.text: keys[_span(time)] for time in stated}), told


def _span(time: NamedTime) -> _Span:
    return time.span.begin, time.span.end


def _sentence(turn: Turn, text: str, keys: Mapping[_Span, str]) -> SaidSentence:
    times = times_in(text, turn.occurred_at) if keys else ()
    found = {time.text: keys[_span(time)] for time in times if _span(time) in keys}
    speaker = f"{turn.speaker.name}:{turn.speaker_id}"
    return SaidSentence(tokens(dated(text, found)), names_of(turn), speaker, is_question(text))


def _once(ranges: Sequence[tuple[Turn, int, int]]) -> Iterator[tuple[Turn, int, int]]:
    seen = set[tuple[EventId, int]]()
    for turn, start, end in ranges:
        if (turn.event_id, start) not in seen:
            seen.add((turn.event_id, start))
            yield turn, start, end
