"""Other spellings of a word: with and without signs between its parts, and with one letter that is missing, too many, another one, or
changed places with its neighbour.

Damerau, "A technique for computer detection and correction of spelling errors" (1964): four in five misspelt words have one such error.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from camillo_server.text.index_terms import terms_of_spelling

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
    cut = next(
        (at for at, pair in enumerate(zip(word, own[-1], strict=False)) if pair[0] != pair[1]),
        len(own[-1]),
    )
    found = {terms_of_spelling(each)[-1]: each for each in _signs(word)}
    for spelling, at in _misspelt(word):
        # Before its ending, the stem of the word tells what that of the spelling is.
        if at < len(word) - ENDING and word.isascii():
            term = spelling[: len(spelling) - len(word) + cut] + own[-1][cut:]
        else:
            term = terms_of_spelling(spelling)[-1]
        # Else the letter that is changed has made an ending, and the rest is another word.
        if len(own[-1]) - len(term) <= 1 and len(term) >= SHORTEST_STEM:
            found.setdefault(term, spelling)
    return {term: found[term] for term in found if term not in own}


def joined(words: tuple[str, ...]) -> dict[str, str]:
    """The index terms of these words as one, with and without signs between them, each with the spelling."""
    return {
        terms_of_spelling(each)[-1]: each
        for each in ("".join(words), *(sign.join(words) for sign in _JOINERS))
    }


def splits(word: str) -> list[tuple[str, str]]:
    """The two words that may have been written as one."""
    if not word.isalnum() or len(word) > LONGEST_MISSPELT:
        return []
    return [(word[:at], word[at:]) for at in range(SHORTEST_SPLIT, len(word) - SHORTEST_SPLIT + 1)]


def _signs(word: str) -> Iterator[str]:
    """Without the signs between its parts, or with one."""
    plain = _SIGNS.sub("", word)
    if plain != word:
        if plain:
            yield plain
        parts = [each for each in _SIGNS.split(word) if each]
        yield from (sign.join(parts) for sign in _JOINERS)
        return
    if 3 <= len(word) <= LONGEST_MISSPELT:
        yield from (
            f"{word[:at]}{sign}{word[at:]}" for sign in _JOINERS for at in range(1, len(word))
        )


def _misspelt(word: str) -> Iterator[tuple[str, int]]:
    """With one letter changed, and where."""
    if not SHORTEST_MISSPELT <= len(word) <= LONGEST_MISSPELT or not word.isalpha():
        return
    alphabet = next((each for each in _ALPHABETS if word[0] in each), "")
    if not alphabet:
        return
    cuts = [(at, word[:at], word[at:]) for at in range(len(word) + 1)]
    yield from ((f"{head}{tail[1]}{tail[0]}{tail[2:]}", at) for at, head, tail in cuts[:-2])
    yield from ((head + tail[1:], at) for at, head, tail in cuts[:-1])
    yield from ((head + letter + tail, at) for at, head, tail in cuts for letter in alphabet)
    # The first letter is seldom another one, and many words differ by it: hiking, biking.
    yield from (
        (head + letter + tail[1:], at) for at, head, tail in cuts[1:-1] for letter in alphabet
    )
