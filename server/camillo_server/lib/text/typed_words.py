"""Words of a query that name one thing as they are typed: codes, versions, numbers, addresses; and whether a text has
them.

`v2.4.10` is not `v2.4.1`, although both have most of their index terms in common; `600123456` is `+34 600 123 456`,
although these have none."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import compress
from typing import NamedTuple
from uuid import UUID

from camillo_server.lib.text.index_terms import FUNCTION_TERMS, index_terms, terms_of_spelling
from camillo_server.lib.text.word_forms import stem

MAX_TYPED_WORDS = 4
# A longer query tells of things rather than naming one; its parts may name one.
MAX_CHARACTERS = 400
# A text that has a word with other signs between its letters has nearly that word.
OTHERWISE_WRITTEN = 0.9

# Where nothing of this is, no word is more than a word.
_MAY_NAME = re.compile(r"[\d@\\/_+#]|\w[-.]\w")
# A telephone number, an IBAN and the like, in groups.
_GROUPED = re.compile(
    r"(?<![^\W_])\+?\(?(?:[A-Za-z]{1,3})?\d[\dA-Za-z]*\)?(?:[ \u00a0./-]{1,2}\(?[\dA-Za-z]*\d[\dA-Za-z]*\)?)+(?![^\W_])"
)
_GROUPED_DIGITS = 7
_TOKEN = re.compile(r"\+?\w+(?:[-.:@/\\+#?&=%']+\w+)*(?:\+\+|#)?")
# Dates and times are times, which are read elsewhere.
_TIME = re.compile(
    r"(?:\d{4}-\d\d(?:-\d\d)?|\d{1,2}[./]\d{1,2}[./]\d{4}|\d{1,2}/\d{1,2}(?:/\d\d)?|\d{1,2}:\d\d(?::\d\d)?)(?:T.*)?|\d{1,4}(?:s|st|nd|rd|th)?"
)
_NAMES_ONE = re.compile(r"(?=.*\d)(?=.*[^\W\d]|.*\d[-.:/]\d).+|\+?\d{5,}|.*[@_\\/].*")
_VERSION = re.compile(r"v?\d+(?:\.\d+)+", re.IGNORECASE)
_ID = re.compile(
    r"\s*(?:memory[:/ ]\s*)?([0-9a-f]{8}(?:-?[0-9a-f]{0,4}){0,3}(?:-?[0-9a-f]{0,12}))\s*",
    re.IGNORECASE,
)
_ID_DIGITS = 32
_HASH = re.compile(r"(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,}")
# No part of the word: signs, and characters of scripts that put no spaces between words. Where something is searched,
# these have signs around them, and dashes are hyphens: each class beyond Latin takes milliseconds to compile.
_UNSPACED = re.compile(r"[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7ff\u0e00-\u0e7f]")
_DASHES = dict.fromkeys(range(0x2010, 0x2015), "-")
_BEGIN, _END = r"(?<![^\W_])", r"(?![^\W_])"
_COUNTRY = "|".join(rf"(?<={before}{code})" for before in (r"[+(\s]", r"\b00") for code in (r"\d", r"\d\d", r"\d\d\d"))
_BETWEEN = r"[\s()./:'_-]{0,2}"


class IdRange(NamedTuple):
    """The ids that begin alike: from the first to the last."""

    first: UUID
    last: UUID


class TypedWord(NamedTuple):
    """A word of a query, and what finds it in a text: as it is typed, and with other signs between its letters, if that
    may be."""

    word: str
    exact: re.Pattern[str]
    otherwise: re.Pattern[str] | None


class TypedWords(NamedTuple):
    """`names_one`: each is the name of one thing; else they are all that there is of a query. `is_code`: the query is
    nothing but such names, and has digits."""

    words: Sequence[TypedWord]
    names_one: bool
    is_code: bool = False

    def share_in(self, text: str) -> float:
        """How many of them a text has: 0 to 1."""
        folded = _searched(_folded(text))
        return sum(_fit(word, folded) for word in self.words) / len(self.words)


@lru_cache(maxsize=512)
def ids_named(text: str) -> IdRange | None:
    """The ids that a query consists of, by all of one or by its beginning, of eight digits or more."""
    found = _ID.fullmatch(text) if len(text) <= 2 * _ID_DIGITS else None
    if found is None:
        return None
    digits = found[1].replace("-", "")
    if len(digits) > _ID_DIGITS:
        return None
    return IdRange(UUID(digits.ljust(_ID_DIGITS, "0")), UUID(digits.ljust(_ID_DIGITS, "f").lower()))


@lru_cache(maxsize=512)
def typed_words(text: str, term_count: int) -> TypedWords | None:
    """Typed words of a query of so many index terms, which is not longer than MAX_CHARACTERS; None where it has
    none."""
    if _MAY_NAME.search(text):
        names = [*_names(_folded(text))][:MAX_TYPED_WORDS]
        if names:
            return TypedWords([_typed(each) for each in names], True, _is_code(text, names))
    elif term_count > 2:
        return None
    words = _content_words(text)
    if len(words) != 1:
        return None
    return TypedWords([_typed(words[0])], names_one=False)


def _is_code(text: str, names: Sequence[str]) -> bool:
    rest = _folded(text)
    for name in names:
        rest = rest.replace(name, " ")
    return not any(map(str.isalnum, rest)) and any(map(str.isdigit, text))


def _names(text: str) -> list[str]:
    names: list[str] = []
    for found in _GROUPED.findall(text):
        if sum(map(str.isdigit, found)) >= _GROUPED_DIGITS and not _TIME.fullmatch(found):
            names.append(found)
            text = text.replace(found, " ", 1)
    for token in _TOKEN.findall(text):
        if _NAMES_ONE.fullmatch(token) and not _TIME.fullmatch(token):
            names.append(token)
    return names


def _content_words(text: str) -> list[str]:
    return [each for each in _TOKEN.findall(_folded(text)) if not FUNCTION_TERMS.issuperset(index_terms(each))]


def _folded(text: str) -> str:
    """The text in small letters, without differences of width."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", text).casefold()


def _searched(text: str) -> str:
    return text if text.isascii() else _UNSPACED.sub("\0\\g<0>\0", text.translate(_DASHES))


def _typed(word: str) -> TypedWord:
    return TypedWord(word, _exact(word), _otherwise(word))


def _exact(word: str) -> re.Pattern[str]:
    """The word itself, and no longer one."""
    if _VERSION.fullmatch(word):
        number = re.escape(word.removeprefix("v"))
        return re.compile(rf"{_BEGIN}(?<!\d[.])v?{number}{_END}(?!\.\d)")
    begin = "" if word[0] == "+" else _BEGIN
    end = "" if word[-1] in "+#" else rf"{_END}(?![.,]\d)"
    return re.compile(begin + re.escape(_searched(word)) + end)


def _otherwise(word: str) -> re.Pattern[str] | None:
    """The same letters and digits with other signs between them, or none; of a number, with or without the code of a
    country."""
    characters = [each for each in word if each.isalnum()]
    digits = sum(map(str.isdigit, characters))
    if len(characters) < 4 or (_VERSION.fullmatch(word) and digits < _GROUPED_DIGITS):
        return None
    begin = _BEGIN
    if digits == len(characters) and digits >= _GROUPED_DIGITS:
        begin = rf"(?:(?<!\d)|{_COUNTRY}|(?<=\d[\s./)-]))"
        # The code of a country, or the zero that stands in its place within the country.
        code = re.match(r"\(?(\+|00?|1(?=[-./ (]))", word)
        if code and digits > _GROUPED_DIGITS + 1:
            characters = characters[2 if code[1] == "00" else 0 :]
            most = min(1 if code[1] in ("0", "1") else 3, len(characters) - _GROUPED_DIGITS)
            optional, characters = characters[:most], characters[most:]
            begin += "".join(f"(?:{each}{_BETWEEN})?" for each in optional)
    # A hash is cited by its beginning.
    end = "[0-9a-f]*" if _HASH.fullmatch(word) else ""
    return re.compile(begin + _BETWEEN.join(re.escape(_searched(each)) for each in characters) + end + _END)


def _fit(word: TypedWord, text: str) -> float:
    if word.exact.search(text):
        return 1.0
    if word.otherwise is not None and word.otherwise.search(text):
        return OTHERWISE_WRITTEN
    return 0.0


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
    """The index terms of other spellings of a word, each with the spelling, the likeliest first. A spelling as two
    words is not among them (`splits`)."""
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
