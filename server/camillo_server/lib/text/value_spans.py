"""Finds a value inside texts, in the forms in which it is written: a number with and without separators, a telephone
number with and without the code of its country, an e-mail address spelled out, words with other signs between them."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import regex

from camillo_server.kernel.ids import TenantId
from camillo_server.lib.text.value_fingerprints import (
    folded,
    folded_text,
    is_common,
    line_fingerprints,
    value_fingerprints,
)

# The sign in the place of a value that was cut out.
PLACEHOLDER = "[forgotten]"
# Longer values are found as whole texts, lines and sentences.
LONGEST_SPAN = 200
# A number of so many digits is written with separators; so many digits are a telephone number.
SEPARATED_DIGITS, TELEPHONE_DIGITS = 6, 9
# Scripts that put no space between words, or attach particles to them.
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_SIGN = r"[^\p{L}\p{N}\p{M}]"
_TOKEN = regex.compile(rf"\p{{N}}+|[{_UNSPACED}\p{{M}}]+|(?:(?![{_UNSPACED}])[\p{{L}}\p{{M}}])+")
_CHARACTER = regex.compile(r"\X")
_IS_UNSPACED = regex.compile(f"[{_UNSPACED}]")
_MAIL = regex.compile(r"(?:mailto:)?([^\s@]+)@([^\s@]+\.\p{L}{2,})")
_AT = r"\s{0,2}(?:@|[\[({<]?\s?at\s?[\])}>]?)\s{0,2}"
_DOT = r"(?:\.|\s{0,2}[\[({<]?\s?dot\s?[\])}>]?\s{0,2})"
# ITU-T E.164: the codes of countries that have one digit, and two; all others have three.
_ONE_DIGIT = frozenset("17")
_TWO_DIGITS = frozenset(
    "20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 "
    "91 92 93 94 95 98".split()
)


class ValueSpans:
    """Finds any of some values. Nothing is found for a text that is too short or too common to be a value, or too
    long."""

    def __init__(self, *values: str) -> None:
        # A name may be a part of another one: the longest has the place.
        patterns = filter(None, map(_pattern_of, sorted(values, key=len, reverse=True)))
        pattern = "|".join(f"(?:{each})" for each in patterns)
        self._pattern = regex.compile(pattern) if pattern else None

    def are_in(self, text: str) -> bool:
        """Whether the text holds the value, from a boundary of words to another."""
        # Without the lock of the interpreter, since a text may have megabytes.
        return self._pattern is not None and self._pattern.search(folded_text(text), concurrent=True) is not None

    def spans_in(self, text: str) -> Iterator[tuple[int, int]]:
        """Yields the start and the end of each place at which the text holds the value, between characters as a reader
        sees them."""
        if self._pattern is None:
            return
        if text.isascii():
            yield from (each.span() for each in self._pattern.finditer(text.casefold(), concurrent=True))
            return
        folds, offsets, starts = _folded_characters(text)
        for each in self._pattern.finditer(folds, concurrent=True):
            first, behind = bisect_right(starts, each.start()) - 1, bisect_left(starts, each.end())
            yield offsets[first], offsets[behind]


class ManySpans:
    """Finds which of many values a text holds, by their words first: one pattern for all would take too long. Values
    without a letter are not looked for."""

    def __init__(self, values: Iterable[str]) -> None:
        # By the longest word that stands alone in a text; and those in scripts that put no space between words.
        self._by_word: dict[str, list[tuple[str, frozenset[str], Sequence[str]]]] = defaultdict(list)
        self._unspaced: list[tuple[str, Sequence[str]]] = []
        self._spans: dict[str, ValueSpans] = {}
        for value in dict.fromkeys(values):
            tokens = [each for each in _TOKEN.findall(folded_text(value)) if each.isalpha()]
            runs = [each for each in tokens if _IS_UNSPACED.match(each)]
            words = frozenset(tokens).difference(runs)
            if words:
                self._by_word[max(words, key=len)].append((value, words, runs))
            elif runs:
                self._unspaced.append((value, runs))

    def found_in(self, text: str) -> Iterator[tuple[str, Sequence[tuple[int, int]]]]:
        """Yields each value that the text holds, and its places."""
        if not (self._by_word or self._unspaced):
            return
        for value in self._possible(folded_text(text)):
            spans = self._spans.get(value)
            if spans is None:
                spans = self._spans[value] = ValueSpans(value)
            if places := list(spans.spans_in(text)):
                yield value, places

    def _possible(self, folds: str) -> Iterator[str]:
        words = frozenset(_TOKEN.findall(folds))
        for word in words & self._by_word.keys():
            for value, own, runs in self._by_word[word]:
                if own <= words and all(each in folds for each in runs):
                    yield value
        if self._unspaced and _IS_UNSPACED.search(folds):
            for value, runs in self._unspaced:
                if runs[0] in folds and all(each in folds for each in runs):
                    yield value


@dataclass(frozen=True, slots=True)
class SoughtValues:
    """Values that a forgetting looks for: by their fingerprints, and inside sentences those that `spans` has."""

    fingerprints: frozenset[bytes] = frozenset()
    spans: ValueSpans | None = None

    def __bool__(self) -> bool:
        return bool(self.fingerprints) or self.spans is not None

    def are_in(self, tenant_id: TenantId, text: str) -> bool:
        """Whether the text states one of them."""
        return self._states(tenant_id, text, value_fingerprints)

    def are_in_lines(self, tenant_id: TenantId, text: str) -> bool:
        """Whether a text that is too long to be one value states one of them."""
        return self._states(tenant_id, text, line_fingerprints)

    def cut_from(self, text: str) -> str:
        """The text with a placeholder in each place of a value. One that is only known by its fingerprint stays."""
        parts, end = list[str](), 0
        for start, behind in self.spans.spans_in(text) if self.spans else ():
            if text[start - 1 : start] == "(" and "(" not in text[start:behind] and ")" in text[start:behind]:
                start -= 1
            parts += [text[end:start], PLACEHOLDER]
            end = behind
        return "".join((*parts, text[end:]))

    def _states(self, tenant_id: TenantId, text: str, of_text: Callable[[TenantId, str], Iterable[bytes]]) -> bool:
        if self.spans is not None and self.spans.are_in(text):
            return True
        return bool(self.fingerprints) and not self.fingerprints.isdisjoint(of_text(tenant_id, text))


def _folded_characters(text: str) -> tuple[str, list[int], list[int]]:
    """A text folded character by character, and where each of them begins, and the last ends, in the text and in the
    folded one."""
    known: dict[str, str] = {}
    folds, offsets, starts = list[str](), [0], [0]
    for each in _CHARACTER.finditer(text):
        character = each[0]
        if (fold := known.get(character)) is None:
            fold = known[character] = folded(character)
        folds.append(fold)
        offsets.append(each.end())
        starts.append(starts[-1] + len(fold))
    return "".join(folds), offsets, starts


NOTHING_SOUGHT = SoughtValues()


def _pattern_of(value: str) -> str:
    """The pattern of a value; empty for one that is not looked for inside sentences."""
    return "" if len(value) > LONGEST_SPAN or is_common(value) else _pattern(folded_text(value).strip())


def _pattern(value: str) -> str:
    """The pattern of a folded value; empty for one without letters and digits."""
    if mail := _MAIL.fullmatch(value):
        local, domain = mail.groups()
        parts = (_DOT.join(map(_flexible, each.split("."))) for each in (local, domain))
        return _bounded(_AT.join(parts), value)
    digits = "".join(character for character in value if character.isdigit())
    if len(digits) >= TELEPHONE_DIGITS and not any(map(str.isalpha, value)):
        return _telephone(digits, is_international=value.startswith(("+", "00")))
    return _bounded(_flexible(value), value)


def _flexible(text: str) -> str:
    """The letters and digits of a text, with whatever signs between them; words stay apart."""
    tokens = _TOKEN.findall(text)
    pieces = [_token(tokens[0])] if tokens else []
    for before, token in pairwise(tokens):
        may_touch = any(each[0].isdigit() or _IS_UNSPACED.match(each) for each in (before, token))
        pieces += [_SIGN, "{0,3}" if may_touch else "{1,8}", _token(token)]
    return "".join(pieces)


def _token(token: str) -> str:
    if token.isdigit() and len(token) >= SEPARATED_DIGITS:
        return _separated(token)
    return regex.escape(token)


def _separated(digits: str) -> str:
    return rf"{_SIGN}{{0,3}}".join(digits)


def _telephone(digits: str, *, is_international: bool) -> str:
    """A number with or without the code of its country, whose absence a zero may stand for."""
    rests = {digits}
    if is_international:
        number = digits.removeprefix("00")
        code = 1 if number[0] in _ONE_DIGIT else 2 if number[:2] in _TWO_DIGITS else 3
        rests = {number, number[code:]}
    elif digits.startswith("0"):
        rests = {digits, digits[1:]}
    numbers = "|".join(_separated(each) for each in sorted(rests, key=len, reverse=True))
    return rf"(?<!\p{{N}})(?:(?:\+|00)\p{{N}}{{1,3}}{_SIGN}{{0,3}}|0{_SIGN}{{0,3}})?(?:{numbers})(?!\p{{N}})"


def _bounded(pattern: str, value: str) -> str:
    """The pattern between boundaries of words, where the script has such."""
    tokens = _TOKEN.findall(value)
    if not tokens:
        return ""
    before = "" if _IS_UNSPACED.match(tokens[0][0]) else r"(?<![\p{L}\p{N}\p{M}])"
    behind = "" if _IS_UNSPACED.match(tokens[-1][-1]) else r"(?![\p{L}\p{N}\p{M}])"
    return f"{before}{pattern}{behind}"
