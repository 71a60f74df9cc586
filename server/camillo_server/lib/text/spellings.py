"""Other spellings of a word: with and without signs between its parts, and with one letter that is missing, too many, another one, or
changed places with its neighbour.

Damerau, "A technique for computer detection and correction of spelling errors" (1964): four in five misspelt words have one such error.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import compress

from camillo_server.lib.text.index_terms import terms_of_spelling
from camillo_server.lib.text.stemming import stem

# Shorter words that differ by a letter are mostly other words.
SHORTEST_MISSPELT = 5
LONGEST_MISSPELT = 24
SHORTEST_STEM, SHORTEST_SPLIT = 4, 3
ENDING = 4
_SIGNS = re.compile(r"[\W_]+")
_JOINERS = "-._/"
# A word is misspelt by another letter of its script.
_ALPHABETS = (
    "abcdefghijklmnopqrstuvwxyz",
    "абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґ",
    "αβγδεζηθικλμνξοπρστυφχψως",
    "אבגדהוזחטיכלמנסעפצקרשתךםןףץ",
    "ابتثجحخدذرزسشصضطظعغفقكلمنهويء",
    "".join(map(chr, (*range(0x0561, 0x0587),))),
    "".join(map(chr, (*range(0x0905, 0x093A), *range(0x093E, 0x094E), 0x0902))),
)


@lru_cache(maxsize=512)
def spellings(word: str) -> dict[str, str]:
    """The index terms of other spellings of a word, each with the spelling, the likeliest first. A spelling as two words is not among them
    (`splits`)."""
    own = terms_of_spelling(word)
    others = [*_signs(word)]
    terms = [terms_of_spelling(each)[-1] for each in others]
    for each, their_terms in _misspelt(word, own[-1]):
        others += each
        terms += their_terms
    found = dict.fromkeys(terms, "")
    # The first spelling that has a term is the likeliest one.
    found.update(zip(reversed(terms), reversed(others), strict=True))
    for term in own:
        found.pop(term, None)
    return found


def joined(words: tuple[str, ...]) -> dict[str, str]:
    """The index terms of these words as one, with and without signs between them, each with the spelling."""
    return {terms_of_spelling(each)[-1]: each for each in ("".join(words), *(sign.join(words) for sign in _JOINERS))}


def splits(word: str) -> list[tuple[str, str]]:
    """The two words that may have been written as one."""
    if not word.isalnum() or len(word) > LONGEST_MISSPELT:
        return []
    return [(word[:at], word[at:]) for at in range(SHORTEST_SPLIT, len(word) - SHORTEST_SPLIT + 1)]


def _signs(word: str) -> Iterator[str]:
    """The spellings of a word without signs between its parts, or with one."""
    plain = _SIGNS.sub("", word)
    if plain != word:
        if plain:
            yield plain
        parts = [each for each in _SIGNS.split(word) if each]
        yield from (sign.join(parts) for sign in _JOINERS)
        return
    if 3 <= len(word) <= LONGEST_MISSPELT:
        yield from (f"{word[:at]}{sign}{word[at:]}" for sign in _JOINERS for at in range(1, len(word)))


def _misspelt(word: str, stem_: str) -> Iterator[tuple[list[str], list[str]]]:
    """The spellings of a word with one letter changed, and their terms."""
    if not SHORTEST_MISSPELT <= len(word) <= LONGEST_MISSPELT or not word.isalpha():
        return
    alphabet = next((each for each in _ALPHABETS if word[0] in each), "")
    if not alphabet:
        return
    # Before its ending, the stem of the word tells what that of the spelling is.
    before = len(word) - ENDING if word.isascii() else 0
    same = zip(word, stem_, strict=False)
    kept = next((at for at, (one, other) in enumerate(same) if one != other), len(stem_))
    ending = stem_[kept:]
    for at, others in _changed(word, alphabet):
        if at < before:
            end = len(others[0]) - len(word) + kept
            if end + len(ending) >= SHORTEST_STEM:
                yield others, [each[:end] + ending for each in others]
            continue
        terms = [*map(stem, others)] if word.isascii() else [terms_of_spelling(each)[-1] for each in others]
        # Else the letter that is changed has made an ending, and the rest is another word.
        fits = [len(stem_) - len(term) <= 1 and len(term) >= SHORTEST_STEM for term in terms]
        yield [*compress(others, fits)], [*compress(terms, fits)]


def _changed(word: str, alphabet: str) -> Iterator[tuple[int, list[str]]]:
    """Where a letter is changed, and the spellings that this gives, all of one length."""
    cuts = [(at, word[:at], word[at:]) for at in range(len(word) + 1)]
    yield from ((at, [f"{head}{tail[1]}{tail[0]}{tail[2:]}"]) for at, head, tail in cuts[:-2])
    yield from ((at, [head + tail[1:]]) for at, head, tail in cuts[:-1])
    yield from ((at, [head + letter + tail for letter in alphabet]) for at, head, tail in cuts)
    # The first letter is seldom another one, and many words differ by it: hiking, biking.
    yield from ((at, [head + letter + tail[1:] for letter in alphabet]) for at, head, tail in cuts[1:-1])
