"""The guard: what of its sources a merged text has lost.

It knows nothing of meaning. What it asks of a text, sentence by sentence of the sources:

- every figure, name, address, identifier, quotation and emoji (facts.py) stands in it, whole;
- of a sentence in a script without capitals, nine tenths of its pairs of neighbouring letters;
- of each source, half of the words that are no function words: a text about something else keeps nothing.
"""

import re
from collections.abc import Iterator, Sequence, Set
from itertools import islice, pairwise

from camillo_server.domain.compaction.facts import facts, figures, plain, small_words
from camillo_server.domain.compaction.sentences import sentences
from camillo_server.domain.index_terms import FUNCTION_TERMS, index_terms
from camillo_server.domain.summary.shorten import one_line, shortened

MOST_NAMED = 20
LONGEST_NAMED = 100
COVERED = 0.9
LEAST_WORDS_KEPT = 0.5

_LETTERS = re.compile(r"[^\W\d_]+")


def lost_facts(sources: Sequence[str], text: str) -> Sequence[str]:
    """At most 20 of what the text has lost, each once, as the sources write it."""
    lost = dict.fromkeys(shortened(one_line(each), LONGEST_NAMED) for each in _lost(sources, text))
    return tuple(islice(lost, MOST_NAMED))


def _lost(sources: Sequence[str], text: str) -> Iterator[str]:
    merged = _Merged(text)
    plain_sources = [plain(source) for source in sources]
    small: Set[str] = set().union(*map(small_words, plain_sources))
    for source in plain_sources:
        told = dict.fromkeys(facts(source, small))
        yield from (fact for fact in told if not merged.holds(fact))
        said = [source[each.start : each.end] for each in sentences(source)]
        yield from (sentence for sentence in said if not merged.covers(sentence))
        if not merged.speaks_of(source):
            yield source


class _Merged:
    """A merged text, looked through for what has to be in it."""

    def __init__(self, text: str) -> None:
        kept = plain(text)
        self._folded = kept.casefold()
        self._figures = set(figures(kept))
        self._pairs = _caseless_pairs(kept)
        self._terms = _content_terms(kept)

    def holds(self, fact: str) -> bool:
        """Whole: no `40` in a `400`, and no Ann in an Anna."""
        figure = fact.replace(" ", "")
        if next(figures(fact), "") == figure:
            return figure in self._figures
        wanted = fact.casefold()
        place = self._folded.find(wanted)
        while place >= 0:
            if self._stands_alone(place, place + len(wanted)):
                return True
            place = self._folded.find(wanted, place + 1)
        return False

    def covers(self, sentence: str) -> bool:
        pairs = _caseless_pairs(sentence)
        return len(pairs & self._pairs) >= COVERED * len(pairs)

    def speaks_of(self, source: str) -> bool:
        terms = _content_terms(source)
        return len(terms & self._terms) >= LEAST_WORDS_KEPT * len(terms)

    def _stands_alone(self, start: int, end: int) -> bool:
        text = self._folded
        return not (
            (start > 0 and _joins(text[start - 1], text[start]))
            or (end < len(text) and _joins(text[end - 1], text[end]))
        )


def _joins(one: str, other: str) -> bool:
    """Whether both can be of one word; scripts without capitals have no spaces to tell, so there any two may part."""
    return one.isalnum() and other.isalnum() and not (_is_caseless(one) or _is_caseless(other))


def _content_terms(text: str) -> Set[str]:
    return set(index_terms(text)) - FUNCTION_TERMS


def _caseless_pairs(text: str) -> Set[str]:
    """Pairs of neighbouring letters of scripts without capitals; a letter on its own stands for itself."""
    pairs: set[str] = set()
    for run in _LETTERS.findall(text):
        letters = [letter for letter in run if _is_caseless(letter)]
        pairs.update(map("".join, pairwise(letters)))
        if len(letters) == 1:
            pairs.add(letters[0])
    return pairs


def _is_caseless(letter: str) -> bool:
    return letter.isalpha() and letter.upper() == letter.lower()
