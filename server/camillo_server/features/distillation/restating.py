"""Whether a text restates sentences: their words in their order, whole, or up to a comma behind which nothing is denied
or doubted. The name of who spoke, or a pronoun behind it, stands in the place of "I", and a date in that of
"yesterday".

So nothing is in the text that is not in the sentences, and no "not", "if" or "thinks that" is left out of it. It knows
nothing of meaning: what would need a judgement is refused.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import regex

from camillo_server.features.compaction.guard import plain
from camillo_server.features.distillation.person_words import (
    BEFORE_DATES,
    CONJUNCTIONS,
    CONTRACTIONS,
    ENDINGS,
    FIRST_PERSON,
    FORMS,
    POSSESSIVES,
    THIRD_PERSON,
)
from camillo_server.lib.text.difference_words import (
    AFFIRMING,
    NEGATION_PARTS,
    NEGATION_SIGNS,
    NEGATIONS,
    QUALIFIERS,
    QUALIFYING_PARTS,
)

# The marks of a date in the place of its words, which no text has: `dated` takes them out.
OPEN_DATE, CLOSE_DATE = "\ue000", "\ue001"
# Longer sentences are no facts, and more of them no statement.
MAX_TOKENS, MAX_SENTENCES = 160, 8
# Steps in reading one statement that are tried. Honest ones take some hundred.
_MAX_STEPS = 4_000
# A verb stands so near behind who does it.
_VERB_REACH = 2
_TOKEN = regex.compile(
    rf"(?P<date>{OPEN_DATE}\d+{CLOSE_DATE})"
    r"|(?P<number>(?<![\w.,])[-+−]?\d+(?:[.,:/’'–-]\d+)*|\d+(?:[.,:/’'–-]\d+)*)"
    # Several signs that mean who speaks are one word.
    r"|(?P<sign>我们|我們|咱们|私たち|[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]\p{M}*)"
    r"|(?P<word>[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*)"
    r"|(?P<mark>\s[-–—]\s|[,;:—–()\[\]，；：、،؛…])"
    r"|(?P<picture>[\p{So}\u200d\ufe0f\U0001f3fb-\U0001f3ff]+)"
    r"|(?P<other>[^\s\w.!。！।?？؟\"'“”„«»‘’‚`*」「』『¡¿]|_)"
)
_PLACEHOLDER = re.compile(rf"{OPEN_DATE}\d+{CLOSE_DATE}")
_APOSTROPHE = re.compile("['’]")


class StatedWord(NamedTuple):
    """A word or a figure as it is compared. `kind` is the group of the pattern that found it."""

    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class SaidSentence:
    """A sentence of an event, with the names that who said it has. `dates` are placeholders in it (`dated`)."""

    tokens: Sequence[StatedWord]
    names: Sequence[tuple[str, ...]]
    speaker: str
    asks: bool = False


class _State(NamedTuple):
    """How far a text and a sentence were read: `first` where who spoke is meant without being named. The dates are
    those that one of both has before the other."""

    at: int
    read: int
    is_named: bool = False
    is_first: bool = False
    ahead: frozenset[str] = frozenset()
    behind: frozenset[str] = frozenset()


def tokens(text: str) -> list[StatedWord]:
    """The words, figures and signs of a text; what ends a sentence, and quotation marks, aside."""
    return list(_tokens(plain(text)))


def _tokens(text: str) -> Iterator[StatedWord]:
    for found in _TOKEN.finditer(text):
        kind = str(found.lastgroup)
        if kind == "word":
            for part in _parts(found[0].casefold()):
                yield StatedWord(part, kind)
        else:
            yield StatedWord(found[0].casefold(), kind)


def _parts(word: str) -> Iterator[str]:
    """The parts of a word that an apostrophe joins; "don't" as "do" and "not"."""
    plain_word = word.replace("’", "'")
    if plain_word == "cannot":
        yield from ("can", "not")
    elif plain_word.endswith("n't") and len(plain_word) > 3:
        stem = plain_word[:-3]
        yield {"wo": "will", "ca": "can", "sha": "shall"}.get(stem, stem)
        yield "not"
    else:
        yield from filter(None, _APOSTROPHE.split(word))


@dataclass(slots=True)
class Steps:
    """The steps that are left for all statements of one answer: what is read is hostile."""

    left: int = 20_000

    def take(self) -> bool:
        """Takes one, if there is one left."""
        self.left -= 1
        return self.left >= 0


def restates(text: Sequence[StatedWord], sentences: Sequence[SaidSentence], steps: Steps) -> bool:
    """Whether the text says what all of the sentences say, one after the other in any order, and no more; no where that
    takes too many steps to tell."""
    words = [token for token in text if token.kind not in ("mark", "picture")]
    if not words or not sentences or len(sentences) > MAX_SENTENCES:
        return False
    if any(len(each.tokens) > MAX_TOKENS for each in sentences) or len(words) > MAX_SENTENCES * MAX_TOKENS:
        return False
    speakers = {each.speaker for each in sentences if not each.asks}
    return _Reading(words, sentences, len(speakers) > 1, steps).succeeds()


@dataclass(slots=True)
class _Reading:
    """Tries to read a text as sentences."""

    words: Sequence[StatedWord]
    sentences: Sequence[SaidSentence]
    are_several: bool
    steps: Steps
    left: int = _MAX_STEPS
    failed: set[tuple[int, frozenset[int], str]] = field(default_factory=set)

    def succeeds(self, at: int = 0, used: frozenset[int] = frozenset(), speaker: str = "") -> bool:
        """Whether the text from a word on says the sentences that are not used; `speaker` was named last."""
        if len(used) == len(self.sentences):
            return at == len(self.words)
        if (at, used, speaker) in self.failed:
            return False
        for index, sentence in enumerate(self.sentences):
            if index in used:
                continue
            for end in self._ends(at, sentence):
                # Else it would seem to be said by whoever was named last.
                is_attributed = end.is_named or speaker == sentence.speaker
                if not is_attributed and (end.is_first or (self.are_several and not sentence.asks)):
                    continue
                named = sentence.speaker if end.is_named else speaker
                if self.succeeds(end.at, used | {index}, named):
                    return True
        self.failed.add((at, used, speaker))
        return False

    def _ends(self, at: int, sentence: SaidSentence) -> list[_State]:
        """Where the text has said a sentence, beginning at a word: the furthest first."""
        starts = [at]
        if at and at < len(self.words) and self.words[at].text in CONJUNCTIONS:
            starts.append(at + 1)
        ends: dict[_State, None] = {}
        borders = _borders(sentence)
        waiting = [_State(start, read) for start in starts for read in _beginnings(sentence)]
        seen = set(waiting)
        while waiting and self.left and self.steps.take():
            self.left -= 1
            state = waiting.pop()
            if state.read in borders and state.at > at and not state.ahead and not state.behind:
                ends[state] = None
            for next_ in self._steps(state, sentence):
                if next_ not in seen:
                    seen.add(next_)
                    waiting.append(next_)
        return sorted(ends, key=lambda end: -end.at)

    def _steps(self, state: _State, sentence: SaidSentence) -> Iterator[_State]:
        at, read = state.at, state.read
        word = self.words[at] if at < len(self.words) else None
        token = sentence.tokens[read] if read < len(sentence.tokens) else None
        if word is not None and word.kind == "date":
            yield _with_date(state._replace(at=at + 1), word.text, is_ahead=True)
        if word is not None and self._is_before_date(at):
            yield state._replace(at=at + 1)
        if not state.is_named and (token is None or not _has_begun(sentence, read)):
            # "Ana: …", and languages in which a verb needs no "I".
            for end in self._names(at, sentence.names):
                yield state._replace(at=end, is_named=True)
        if token is None:
            return
        if token.kind in ("mark", "picture"):
            yield state._replace(read=read + 1)
        if token.kind == "date":
            yield _with_date(state._replace(read=read + 1), token.text, is_ahead=False)
        means_speaker = token.text in FIRST_PERSON or token.text in POSSESSIVES
        if means_speaker:
            yield from self._instead_of_first(state, sentence, token)
        is_same = word == token and not means_speaker
        if word is not None and (is_same or _may_become(token, word, sentence, state)):
            yield state._replace(at=at + 1, read=read + 1)

    def _instead_of_first(self, state: _State, sentence: SaidSentence, token: StatedWord) -> Iterator[_State]:
        """A name, a pronoun, the word itself behind a name, or nothing, in the place of who speaks."""
        read = state.read + 1
        for end in self._names(state.at, sentence.names):
            yield state._replace(at=end, read=read, is_named=True)
        word = self.words[state.at].text if state.at < len(self.words) else ""
        # Behind another sentence, "he" may be anybody whom it names.
        is_pronoun = word in THIRD_PERSON and (state.is_named or token.text in POSSESSIVES)
        is_pronoun = is_pronoun and not self._is_behind_name(state.at, sentence.names)
        if word == token.text:
            # "We moved the standup": as it was said, where only one person speaks.
            is_first = state.is_first or self.are_several
            yield state._replace(at=state.at + 1, read=read, is_first=is_first)
        if is_pronoun:
            yield state._replace(at=state.at + 1, read=read, is_first=True)
        yield state._replace(read=read, is_first=True)

    def _names(self, at: int, names: Sequence[tuple[str, ...]]) -> Iterator[int]:
        """Where a name that begins at a word ends; "'s" belongs to it."""
        for name in names:
            end = at + len(name)
            if [each.text for each in self.words[at:end]] == list(name):
                yield end
                if end < len(self.words) and self.words[end].text == "s":
                    yield end + 1

    def _is_behind_name(self, at: int, names: Sequence[tuple[str, ...]]) -> bool:
        return any(at in self._names(at - len(name), [name]) for name in names if at >= len(name))

    def _is_before_date(self, at: int) -> bool:
        is_date = at + 1 < len(self.words) and self.words[at + 1].kind == "date"
        return is_date and self.words[at].text in BEFORE_DATES


def _with_date(state: _State, date: str, *, is_ahead: bool) -> _State:
    """The text may have a date before the sentence has it, or behind."""
    ahead, behind = (state.ahead, state.behind) if is_ahead else (state.behind, state.ahead)
    if date in behind:
        behind -= {date}
    else:
        ahead |= {date}
    return state._replace(ahead=ahead, behind=behind) if is_ahead else state._replace(ahead=behind, behind=ahead)


def _has_begun(sentence: SaidSentence, read: int) -> bool:
    """Whether a word of the sentence was read already that does not merely join it to the one before."""
    passed = sentence.tokens[:read]
    return any(token.kind not in ("mark", "picture") and token.text not in CONJUNCTIONS for token in passed)


def _beginnings(sentence: SaidSentence) -> Iterator[int]:
    """Where a sentence may be begun: also behind a word that joins it to the one before."""
    yield 0
    if sentence.tokens and sentence.tokens[0].text in CONJUNCTIONS:
        yield 1


def _ends(sentence: SaidSentence) -> set[int]:
    """Where a clause of a sentence ends."""
    marks = (index for index, token in enumerate(sentence.tokens) if token.kind == "mark")
    return {len(sentence.tokens), *marks}


def _borders(sentence: SaidSentence) -> set[int]:
    """Where a sentence may be left: at its end, and if it asks nothing at a mark behind which nothing is denied or
    qualified."""
    found = {len(sentence.tokens)}
    if sentence.asks:
        return found
    for index in range(len(sentence.tokens) - 1, -1, -1):
        token = sentence.tokens[index]
        if is_decisive(token.text) or _ends_decisively(sentence.tokens[index:]):
            break
        if token.kind == "mark":
            found.add(index)
    return found


def _ends_decisively(rest: Sequence[StatedWord]) -> bool:
    """Whether scripts without spaces deny or qualify in what is left of a sentence."""
    if rest[0].kind != "sign":
        return False
    text = "".join(token.text for token in rest)
    return any(part in text for part in (*QUALIFYING_PARTS, *NEGATION_PARTS))


def is_decisive(word: str) -> bool:
    """Whether a word denies or qualifies."""
    if word in NEGATION_SIGNS:
        return not any(word in each for each in AFFIRMING)
    return word in NEGATIONS or word in QUALIFIERS or any(part in word for part in NEGATION_PARTS)


def _may_become(token: StatedWord, word: StatedWord, sentence: SaidSentence, state: _State) -> bool:
    """Whether a word of the sentence is another form of that of the text: cut short, or of the verb behind "I"."""
    if word.text in CONTRACTIONS.get(token.text, ()):
        return True
    if token.kind != "word" or word.kind != "word" or not (state.is_named or state.is_first):
        return False
    if is_decisive(token.text) and word.text not in FORMS.get(token.text, ()):
        return False
    before = sentence.tokens[max(0, state.read - _VERB_REACH) : state.read]
    if any(each.text in POSSESSIVES for each in before):
        return False
    is_behind = any(each.text in FIRST_PERSON or each.text in CONJUNCTIONS for each in before)
    # Some languages have the verb last.
    is_last = state.read + 1 in _ends(sentence) and len(word.text) < len(token.text)
    if not (is_behind or is_last or state.read <= 1):
        return False
    return word.text in FORMS.get(token.text, ()) or _is_told_of(token.text, word.text)


def _is_told_of(first: str, third: str) -> bool:
    """Whether two forms of a verb differ by the ends of persons alone."""
    for mine, theirs in ENDINGS:
        stem = first[: len(first) - len(mine)]
        if len(stem) >= 2 and first.endswith(mine) and third == stem + theirs:
            return True
    return False


def dated(text: str, found: Mapping[str, str]) -> str:
    """The text with placeholders for the words of dates; `found` has the key of each by its words."""
    clean = text.replace(OPEN_DATE, " ").replace(CLOSE_DATE, " ")
    for words in sorted(found, key=len, reverse=True):
        clean = clean.replace(words, f"{OPEN_DATE}{found[words]}{CLOSE_DATE}", 1)
    return clean


def without_dates(text: str) -> str:
    """A text that `dated` returned, without the placeholders."""
    return _PLACEHOLDER.sub(" ", text)
