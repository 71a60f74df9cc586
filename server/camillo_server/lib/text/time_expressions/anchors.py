"""Events by which a question names a time: "before the release", "since we moved to Berlin", "发布之后".

A word of `[event]` in `words/*.toml` introduces the event or, in Chinese and Hindi, stands behind it. The event's name
ends at a word that cannot continue it. Once the event's time is known, the grammar of time reads the question with a
date in its place.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache, lru_cache
from typing import Any, NamedTuple

import re2

from camillo_server.lib.text.time_expressions.grammar import NamedTime, parse
from camillo_server.lib.text.time_expressions.spans import TimeSpan
from camillo_server.lib.text.time_expressions.symbols import Token, tokens_of
from camillo_server.lib.text.time_expressions.vocabulary import WORD, WORDS, folded, vocabulary

# An event is named in a few words; a character of Chinese is one.
MAX_WORDS, MAX_CHINESE, MAX_CHARACTERS = 8, 16, 200
# A single character of Chinese says too little.
MIN_CHINESE = 2
# The symbols of words that stand behind the event.
_BEHIND = frozenset("barnP")
# Widens a moment on both sides: texts about an event are written on its day, or one day off.
DURING = timedelta(days=1)
_CHINESE = "\u3007\u4e00-\u9fff"
_PIECE = re.compile(rf"(?P<word>{WORD.pattern}|\d+)|(?P<chinese>[{_CHINESE}])|(?P<mark>[^\s]|\n)")
_WITHIN = frozenset("'’\"“”«»-/&+#_")
# Between letters or figures without a space a mark joins them: "v2.1".
_JOINED = re.compile(r"(?<=\w)[.:](?=\w)")
# Russian has a comma within what introduces a clause: "до того, как".
_COMMA_WITHIN = re.compile(",(?= как\\b)")


class Anchor(NamedTuple):
    """The name of an event, and the place of the words that a date can replace."""

    text: str
    begin: int
    end: int


class EventWords(NamedTuple):
    """The words around events in one language.

    `article`: those that a word of `introduced_before_article` needs behind it, as it introduces places, too.
    `ends_with_noun`: what they introduce ends with a noun, which German writes with a capital. `pronoun`: what names
    nothing; where one of `demonstrative` stands alone, it is what was said before. `end`: what no name of an event goes
    on with. `no_event`: what begins none, though it looks like it. `not_after`: behind these, what introduces an event
    says something else."""

    introduced_by: frozenset[str]
    introduced_before_article: frozenset[str]
    article: frozenset[str]
    pronoun: frozenset[str]
    demonstrative: frozenset[str]
    end: frozenset[str]
    no_event: frozenset[str]
    not_after: frozenset[str]
    ends_with_noun: frozenset[str]

    def introduces(self, phrase: str, following: Sequence["_Word"]) -> bool:
        if phrase in self.introduced_by:
            return True
        return bool(following) and following[0].text in self.article

    def is_event(self, phrase: Sequence["_Word"]) -> bool:
        """Whether the words name an event by themselves."""
        content = [word for word in phrase if word.text not in self.pronoun and not word.is_time]
        if not content or (content[0].is_chinese and len(content) < MIN_CHINESE):
            return False
        if phrase[0].text in self.demonstrative and phrase[1:2] != content[:1]:
            return False
        said = " ".join(word.text for word in phrase)
        bare = " ".join(word.text for word in content)
        return not any(f"{each} ".startswith(f"{no} ") for no in self.no_event for each in (said, bare))


class _Word(NamedTuple):
    """A word, or a character of Chinese, as words are compared, and where it stands."""

    text: str
    begin: int
    end: int
    is_chinese: bool

    @property
    def is_time(self) -> bool:
        """Whether the word says a time or a number."""
        symbols = vocabulary().phrases.get(self.text)
        return self.text.isdecimal() or (symbols is not None and symbols[0].kind in "UNOW")


@lru_cache(maxsize=512)
def may_name_time(text: str) -> bool:
    """Whether a question may name a time, by a date or by an event. The same question is often asked again."""
    return _introductions()[1].search(text.lower()) is not None


def anchor_of(text: str) -> Anchor | None:
    """The first event by which a text names a time, if any."""
    introductions, _ = _introductions()
    for token in _tokens(text):
        phrase = _folded(text[token.begin : token.end])
        if (words := introductions.get(phrase)) is None:
            continue
        is_behind = token.kind in _BEHIND
        named = _before(text, token, words) if is_behind else _after(text, token, words, phrase)
        if named and words.is_event(named):
            return _anchor(text, named, words)
    return None


def window_at(text: str, anchor: Anchor, span: TimeSpan, now: datetime) -> NamedTime | None:
    """The time that a text names by an event that happened in `span`; None if it names none by the event."""
    tokens = _tokens(text)
    before = [each for each in tokens if each.begin < anchor.begin]
    behind = [each for each in tokens if each.begin >= anchor.end]
    event = Token("Z", span, anchor.begin, anchor.end)
    for token in parse([*before, event, *behind], now):
        if token.begin <= anchor.begin and token.end >= anchor.end:
            named = _widened(token.value)
            return named and NamedTime(named, text[token.begin : token.end])
    return None


def _tokens(text: str) -> list[Token]:
    return tokens_of(_COMMA_WITHIN.sub(" ", text), vocabulary())


def _widened(span: Any) -> TimeSpan | None:
    """A time in which something can have been, for a moment; None at an end of the calendar."""
    named: TimeSpan = span
    if named.begin is None or named.begin != named.end:
        return named
    try:
        return TimeSpan(named.begin - DURING, named.begin + DURING)
    except OverflowError:
        return None


def _after(text: str, token: Token, words: EventWords, phrase: str) -> list[_Word]:
    """The words of the event's name behind a word that introduces it; none if no event follows."""
    before = _clause_before(text, token)
    if before and before[-1].text in words.not_after:
        return []
    found: list[_Word] = []
    for word in _words(text[: token.end + MAX_CHARACTERS], token.end):
        has_content = any(each.text not in words.pronoun for each in found)
        if len(found) == MAX_WORDS or (has_content and word.text in words.end):
            break
        found.append(word)
    if phrase in words.ends_with_noun:
        while found and not text[found[-1].begin].isupper():
            found.pop()
    return found if words.introduces(phrase, found) else []


def _before(text: str, token: Token, words: EventWords) -> list[_Word]:
    """The words of the event's name before a word that stands behind it."""
    found: list[_Word] = []
    for word in reversed(_clause_before(text, token)):
        longest = MAX_CHINESE if word.is_chinese else MAX_WORDS
        if len(found) == longest or word.text in words.end:
            break
        found.insert(0, word)
    return found


def _clause_before(text: str, token: Token) -> list[_Word]:
    """The words before a token in its clause."""
    begin = max(0, token.begin - MAX_CHARACTERS)
    for match in _PIECE.finditer(text, begin, token.begin):
        if match["mark"] and not _is_within(text, match):
            begin = match.end()
    return [*_words(text[: token.begin], begin)]


def _words(text: str, begin: int) -> Iterator[_Word]:
    """The words from a position on, to the end of a clause."""
    for match in _PIECE.finditer(text, begin):
        if match["mark"]:
            if not _is_within(text, match):
                return
            continue
        yield _Word(folded(match[0]), *match.span(), match["chinese"] is not None)


def _is_within(text: str, mark: re.Match[str]) -> bool:
    """Whether a mark is no border of a clause."""
    # Emoji, combining characters, and what tells the direction of writing.
    is_symbol = unicodedata.category(mark[0]) in ("So", "Sk", "Mn", "Mc", "Me", "Cf")
    return is_symbol or mark[0] in _WITHIN or _JOINED.match(text, mark.start()) is not None


def _anchor(text: str, named: Sequence[_Word], words: EventWords) -> Anchor:
    """The event without the pronouns and articles before its name, which stay in the place of a date."""
    bare = next(index for index, word in enumerate(named) if word.text not in words.pronoun)
    begin, end = named[0].begin, named[-1].end
    return Anchor(text[named[bare].begin : end], begin, end)


@cache
def _introductions() -> tuple[Mapping[str, EventWords], Any]:
    """The words of each language by what introduces an event, and a pattern that finds an introduction or a word of
    time."""
    found: dict[str, EventWords] = {}
    hints: set[str] = set()
    for path in sorted(WORDS.glob("*.toml")):
        section = tomllib.loads(path.read_text("utf-8"))["event"]
        roles = {role: section[role].split(", ") if role in section else [] for role in EventWords._fields}
        words = EventWords(**{role: frozenset(map(_folded, each)) for role, each in roles.items()})
        for phrase in (*roles["introduced_by"], *roles["introduced_before_article"]):
            found.setdefault(_folded(phrase), words)
            hints |= {phrase, unicodedata.normalize("NFD", phrase)}
    return found, _hint(hints)


def _hint(phrases: Iterable[str]) -> Any:
    """One pattern of words of time, and of all phrases, each as whole words but for Chinese."""
    plain, chinese, other = list[str](), list[str](), list[str]()
    for phrase in sorted(phrases):
        is_chinese = "\u4e00" <= phrase[0] <= "\u9fff"
        (plain if phrase.isascii() else chinese if is_chinese else other).append(phrase)
    # RE2 knows the borders of words of ASCII alone, and classes of all letters make it slow.
    border = "[\\x00-\\x7f«“¿—]"
    return re2.compile(
        rf"{vocabulary().hint.pattern}|\b(?:{'|'.join(plain)})\b|{'|'.join(chinese)}|(?:^|{border})(?:{'|'.join(other)})(?:$|{border})"
    )


def _folded(phrase: str) -> str:
    return " ".join(folded(word) for word in WORD.findall(phrase)) or phrase
