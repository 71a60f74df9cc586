"""Texts as their sentences: where each stands, and by what it is known again."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from camillo_server.domain.passage_splitter import SENTENCE_END

_LINE_END = re.compile(r"\n\s*")
_SPACE = re.compile(r"\s+")
# A question mark tells two sentences apart; these do not.
_CLOSING = ".!…。！।॥۔։።｡．"


@dataclass(frozen=True, slots=True)
class Sentence:
    """From where to where it goes in its text, and what is the same for sentences that are."""

    start: int
    end: int
    key: str


def sentences(text: str) -> Sequence[Sentence]:
    """The sentences of a text in order, lines among them; white space alone is none."""
    borders = sorted({0, len(text), *_borders(text)})
    spans = pairwise(borders)
    return [_sentence(text, start, end) for start, end in spans if text[start:end].strip()]


def _borders(text: str) -> Iterator[int]:
    for pattern in (SENTENCE_END, _LINE_END):
        yield from (found.end() for found in pattern.finditer(text))


def _sentence(text: str, start: int, end: int) -> Sentence:
    whole = text[start:end]
    stripped = whole.strip()
    first = start + len(whole) - len(whole.lstrip())
    return Sentence(first, first + len(stripped), _key(stripped))


def _key(sentence: str) -> str:
    """Nothing that can tell is folded: not the case of names, nor small digits above the line (no NFKC)."""
    spaced = _SPACE.sub(" ", unicodedata.normalize("NFC", sentence))
    told = spaced.rstrip(_CLOSING).rstrip() or spaced
    return told[:1].casefold() + told[1:]
