"""The terms of a query, and where a content has words that hold them."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from typing import Any

import re2

from camillo_server.kernel.errors import invalid_field
from camillo_server.lib.outputs.line_search.query import MAX_MEMORY_BYTES
from camillo_server.lib.text.index_terms import FUNCTION_TERMS, index_terms

MAX_QUERY_TERMS = 64
# A number for each term that a word holds, and how often.
Counts = Sequence[tuple[int, int]]

_KEPT_TOKENS = 32_768
_KEPT_TOKEN_BYTES = 128
# Shorter ones are looked for as whole words: they are within too many others.
_SHORTEST_PART = 3

_JOINED_WORDS = r"[\pL\pN\pM_./\\:@&+'-]*"
# The marks that terms are without, where a text has them after the letter.
_MARKS = r"[\x{300}-\x{36f}\x{591}-\x{5c7}\x{610}-\x{61a}\x{640}\x{64b}-\x{65f}\x{670}\x{200c}\x{200d}]*"
_FOLDED_LETTERS = ((0xC0, 0x24F), (0x386, 0x6FF), (0x1E00, 0x1FFF), (0xFF10, 0xFF5A))


class QueryTerms:
    """Finds the words of a text that have terms of the query, as `index_terms` makes terms of both."""

    def __init__(self, query: str) -> None:
        """Raises InvalidField for a query without any term."""
        terms = list(dict.fromkeys(index_terms(query)))
        terms = [term for term in terms if term not in FUNCTION_TERMS] or terms
        self.terms = terms[:MAX_QUERY_TERMS]
        if not self.terms:
            raise invalid_field("ranked", "has no word to look for")
        numbers = {term: number for number, term in enumerate(self.terms)}
        self._expression = _expression([*_needed(self.terms), *_other_forms(query, self.terms)])
        # Not a method: a cache that refers to this object would outlive the search.
        self._counts = partial(_counts, numbers)
        self._cached_counts = lru_cache(_KEPT_TOKENS)(self._counts)

    def hits(self, text: bytes) -> Iterator[tuple[int, Counts]]:
        """The position of each word that has terms of the query, and which."""
        for match in self._expression.finditer(text):
            start, end = match.span()
            counts = self._cached_counts if end - start <= _KEPT_TOKEN_BYTES else self._counts
            if found := counts(text[start:end]):
                yield start, found


def _counts(numbers: Mapping[str, int], token: bytes) -> Counts:
    found = map(numbers.get, index_terms(token.decode("utf-8", "replace")))
    return tuple(Counter(number for number in found if number is not None).items())


def _needed(terms: Sequence[str]) -> list[str]:
    """The terms without which no word has any other: not what holds another of them."""
    pairs = [term for term in terms if len(term) > 1]
    # A character of a script without spaces is in too many words: its pairs are looked for.
    looked_for = [term for term in terms if len(term) > 1 or term.isascii() or not any(term in pair for pair in pairs)]
    parts = [term for term in looked_for if not _is_short(term)]
    return [term for term in looked_for if not any(part in term for part in parts if part != term)]


def _is_short(term: str) -> bool:
    return term.isascii() and len(term) < _SHORTEST_PART


def _other_forms(query: str, terms: Sequence[str]) -> list[str]:
    """Words of the query whose stem does not begin them, such as `made`."""
    stems = {word: index_terms(word)[0] for word in re.findall(r"[a-z]+", query.lower())}
    return [word for word, stem in stems.items() if stem in terms and not word.startswith(stem)]


def _expression(terms: Sequence[str]) -> Any:
    options = re2.Options()
    options.max_mem = MAX_MEMORY_BYTES * 2
    options.never_nl = options.never_capture = True
    options.log_errors = options.case_sensitive = False
    alternatives = "|".join(map(_alternative, dict.fromkeys(terms)))
    expression = re2.compile(f"{_JOINED_WORDS}?(?:{alternatives}){_JOINED_WORDS}".encode(), options)
    re2.purge()
    return expression


def _alternative(term: str) -> str:
    if _is_short(term):
        return rf"\b{re2.escape(term)}\b"
    parts = []
    position = 0
    while position < len(term):
        pair = term[position : position + 2]
        together = _folded().get(pair, "") if len(pair) == 2 else ""
        step = 2 if together else 1
        part = "".join(map(_letter, term[position : position + step]))
        parts.append(f"(?:{part}|[{together}])" if together else part)
        position += step
    if term[-1] == "i":
        # `carry` gives `carri`, as `carries` does.
        parts[-1] = f"(?:{parts[-1]}|y)"
    return "".join(parts)


def _letter(letter: str) -> str:
    variants = _folded().get(letter, "")
    escaped = re2.escape(letter)
    return (f"[{escaped}{variants}]" if variants else escaped) + (_MARKS if letter.isalpha() else "")


@cache
def _folded() -> dict[str, str]:
    """Maps one or two letters to all those that are taken for them."""
    folded: dict[str, str] = {}
    for first, last in _FOLDED_LETTERS:
        for letter in map(chr, range(first, last + 1)):
            terms = index_terms(letter)
            if letter.isalnum() and len(terms) == 1 and terms[0] != letter:
                folded[terms[0]] = folded.get(terms[0], "") + letter
    return folded
