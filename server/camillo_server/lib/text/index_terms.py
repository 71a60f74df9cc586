"""The index terms of a text, and how often each occurs: the same for documents and queries, in Postgres and in memory.

- A plain word gives one term: case and diacritics folded, English inflection taken off.
- An identifier, path, address, version or number gives itself, whole, and then its parts level by
  level: `app/userStore.py` gives the path, `app`, `userstore.py`, `userstore`, `user`, `store`, `py`.
- A code of letters and digits with hyphens or colons also gives itself without them, and a number of seven digits or
  more, however it is spaced, its last seven: the same telephone number, IBAN, ISBN or address of a network card is
  written in many ways.
- Scripts written without spaces give every character and every pair of neighbours. Pairs find words
  without a dictionary; single characters are what lets a query of one character find anything.
- An emoji is a term; skin tone and presentation are not part of it.
- A word of another language than English also gives its stem, where that is another term (lib/text/word_forms.py).

Stop words stay in: the inverse document frequency of BM25 weighs them down.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from operator import add

from camillo_formats.characters import normalized

from camillo_server.lib.text.word_forms import (
    NO_SIGNS,
    SIGNS_OF_OTHERS,
    is_function_word,
    language_of,
    other_form,
    stem,
    stems,
)

MAX_TERM_CHARACTERS = 64
MAX_TERMS = 8_192
# Bounds the work before the terms are counted.
MAX_TEXT_CHARACTERS = 65_536
# Longer texts are cut in slices: 500 characters of words never seen take 2 milliseconds; no memory or chunk is longer.
MAX_WHOLE_CHARACTERS = 2_000
_SLICE = re.compile(r"(?s).{1,500}(?=\s\w|\Z)|.{1,500}")

_CACHED_TOKENS = 32_768
# The terms sampled to tell that a text is not English, and the characters at its beginning that tell its language.
_SAMPLED_TERMS, _SAMPLED_CHARACTERS = 16, 500
# A word with the accents that its letters are written with.
_LATIN_WORD = re.compile(r"[^\W\d_]+")
_ACCENTED_LATIN = re.compile("[À-ɏ]")

# The parameters k1 and b of BM25.
SATURATION = 0.6
LENGTH_NORMALIZATION = 0.4

_FUNCTION_TEXT = """
a about after again all already also although always am an and another any are arent as at away back be because been
before being both but by can cannot cant could couldnt did didnt do does doesnt doing done dont down during each either
else even ever every few for from had hadnt has hasnt have havent having he her here hers him his how however i if in
into is isnt it its itself just least less like many maybe me might mine more most much must my myself neither never no
nor not now of off often on once one only or other our ours out over own per perhaps quite rather really s same she
should shouldnt since so some still such t than that the their theirs them then there these they this those though
through thus to together too under until up upon us very was wasnt we were werent what when where whether which while
who whom whose why will with within without wont would wouldnt yet you your yours yourself
"""
FUNCTION_WORDS = frozenset(_FUNCTION_TEXT.split())


def index_terms(text: str) -> list[str]:
    """The terms of a text, with repeats, in order of occurrence; never raises.

    A term has 1 to MAX_TERM_CHARACTERS characters, holds no surrogate and no control character; longer
    ones are cut. Text after MAX_TEXT_CHARACTERS characters and terms after MAX_TERMS are left out.
    """
    written = text[:MAX_TEXT_CHARACTERS]
    terms = written_terms(written)
    if _MANY_DIGITS.search(written):
        terms += number_terms(written)
    if not _FOREIGN_TERMS.isdisjoint(terms[:: len(terms) // _SAMPLED_TERMS + 1]) or (
        not written.isascii() and _ACCENTED_LATIN.search(written)
    ):
        if len(written) > MAX_WHOLE_CHARACTERS:
            # A language is looked for in each slice, as where a text is read slice by slice.
            terms = [term for part in slices_of(written) for term in index_terms(part)]
        else:
            terms += _foreign_stems(written)
    return terms[:MAX_TERMS]


def number_terms(text: str) -> list[str]:
    """A term for the end of each long number of a text: in front of it may stand the code of a country, or not."""
    numbers = (re.sub(r"\D", "", found) for found in _LONG_NUMBER.findall(text))
    return [_NUMBER_SIGN + _ascii_digits(number)[-_NUMBER_DIGITS:] for number in numbers]


def _ascii_digits(number: str) -> str:
    return number if number.isascii() else "".join(str(unicodedata.digit(each)) for each in number)


def written_terms(text: str) -> list[str]:
    """The terms of a text without the stems that depend on its language: those that it has in any text around it."""
    if text.isascii():
        return _spaced_terms(text[:MAX_TEXT_CHARACTERS])
    if len(text) > MAX_WHOLE_CHARACTERS:
        return _folded_terms(text)
    terms: list[str] = []
    # No term reaches over white space, so only words with other characters are folded.
    for is_ascii, words in groupby(text.split(), str.isascii):
        terms += (_spaced_terms if is_ascii else _folded_terms)(" ".join(words))
    return terms


def _folded_terms(text: str) -> list[str]:
    text = _fold(text)[:MAX_TEXT_CHARACTERS]
    if text.isascii() or not _ANY_UNSPACED_OR_EMOJI.search(text):
        return _spaced_terms(text)
    terms: list[str] = []
    for position, part in enumerate(_UNSPACED_OR_EMOJI.split(text)):
        if part:
            terms += _TERMS_OF_PART[position % 3](part)
    return terms


def folded(text: str) -> str:
    """The text as its terms have it: in small letters, without diacritics."""
    return _fold(text).casefold()


def terms_of_spelling(word: str) -> tuple[str, ...]:
    """The term of a folded word as a whole, and behind it that of its stem, if that is another one."""
    return _forms(word) if word.isalpha() else (_whole(word),)


def _foreign_stems(text: str) -> list[str]:
    """The stems of words that are other ones than their terms, if the text is in a language of Latin script other than
    English."""
    words = _LATIN_WORD.findall(text[:_SAMPLED_CHARACTERS].lower())
    if not (language := language_of(words)):
        return []
    if len(text) > _SAMPLED_CHARACTERS:
        words = _LATIN_WORD.findall(text.lower())
    words = [word for word in words if len(word) <= MAX_TERM_CHARACTERS and not is_function_word(word, language)]
    found = zip(words, stems(words, language), strict=True)
    forms = ((_fold(stem_)[:MAX_TERM_CHARACTERS], _term(_fold(word))) for word, stem_ in found)
    return [form for form, term in forms if form and form != term]


def slices_of(text: str) -> list[str]:
    """The text in pieces that together have its terms, where it has spaces at which to cut."""
    return [text] if len(text) <= MAX_WHOLE_CHARACTERS else _SLICE.findall(text[:MAX_TEXT_CHARACTERS])


def _spaced_terms(text: str) -> list[str]:
    terms: list[str] = []
    # A plain loop: a chain of iterators takes a fifth longer for a text of some words.
    for token in (_ASCII_TOKEN if text.isascii() else _TOKEN).findall(text):
        # A cache of tokens as long as a text would not be bounded in bytes.
        terms += _terms_of_token(token) if len(token) <= MAX_TERM_CHARACTERS else _expand(token)
    return terms


def _unspaced_terms(run: str) -> list[str]:
    """The terms of a run without spaces: each character, and the pair of each two neighbours."""
    characters = _CHARACTER.findall(run)
    terms = characters * 2
    terms[::2] = characters
    terms[1::2] = [*map(add, characters, characters[1:]), ""]
    return terms[:-1]


# In the order in which _UNSPACED_OR_EMOJI.split() hands out the parts of a text.
_TERMS_OF_PART = (_spaced_terms, _unspaced_terms, lambda emoji: [emoji])


# Folding: what of a character never tells two words apart.

_DIGIT_ZEROS = (0x0660, 0x06F0, 0x0966, 0x09E6, 0x0E50, 0x0ED0, 0x1040, 0x17E0)
_FOLDED = {
    **{chr(zero + value): str(value) for zero in _DIGIT_ZEROS for value in range(10)},
    **dict(zip("øØłŁđĐðÐħĦıŧŦ", "oOlLdDdDhHitT", strict=True)),
    **dict(zip("æÆœŒþÞ", ("ae", "Ae", "oe", "Oe", "th", "Th"), strict=True)),
    # Signs that word processors put in: without them most English text is plain ASCII, which is faster.
    **dict(zip("\u2018\u2019\u02bc\u2010\u2013\u2014\u201c\u201d\u2022", "'''-  \"\" ", strict=True)),
    # Arabic letters that writers and keyboards interchange: final yeh and teh, Persian yeh and kaf.
    **dict(zip("\u0649\u06cc\u0629\u06a9", "\u064a\u064a\u0647\u0643", strict=True)),
}
_DROPPED = (
    # Combining marks of Latin, Greek and Cyrillic; short i is a letter of its own and keeps its breve.
    r"(?<![иИ])[\u0300-\u036f]|[\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
    # Hebrew points; Arabic vowel signs, hamza carried by a letter, Koranic marks and tatweel.
    r"\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    r"\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u08d3-\u08ff"
    # Invisible: soft hyphen, joiners, directions, byte order mark, variation selectors, tags.
    r"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    r"\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff"
    # Skin tones.
    r"\U0001f3fb-\U0001f3ff]"
)
_FOLDABLE = re.compile(f"{_DROPPED}|[{''.join(_FOLDED)}]")


def _fold(text: str) -> str:
    """The text without diacritics, vowel points and invisible characters, in compatibility form.

    Case stays, as it shows where the words of an identifier begin. Marks that spell vowels (Indic,
    Thai) and voiced kana stay as well.
    """
    if text.isascii():
        return text
    decomposed = normalized("NFKD", text)
    folded = _FOLDABLE.sub(lambda match: _FOLDED.get(match[0], ""), decomposed)
    return normalized("NFC", folded)


# Tokens: words with what joins them, runs of a script without spaces, emoji.


def _class_of(spans: tuple[tuple[int, int], ...], categories: str) -> str:
    """The inside of a regex class: the characters of the spans in these major categories."""
    return "".join(
        chr(code)
        for first, last in spans
        for code in range(first, last + 1)
        if unicodedata.category(chr(code)).startswith(tuple(categories))
    )


# Python's \w leaves out the marks that spell vowels.
_MARKS = _class_of(((0x0900, 0x1CFF), (0xA800, 0xABFF)), "M")
_SOUTH_EAST_ASIAN = _class_of(
    ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0xA9E0, 0xA9FF), (0xAA60, 0xAA7F)), "LM"
)
_EAST_ASIAN = (
    r"\u1100-\u11ff\u3005-\u3007\u3041-\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f"
    r"\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    r"\U00020000-\U000323af"
)
_UNSPACED = _EAST_ASIAN + _SOUTH_EAST_ASIAN
_EMOJI = (
    r"[\U0001f1e6-\U0001f1ff]{2}"
    r"|[\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001f1e5\U0001f200-\U0001faff]"
)
# Between the words of a token: separators of paths and schemes, another joiner, or the comma of a number in thousands.
_JOINER = r"(?:[/\\:]{1,3}|[.@&+'-]|(?<=\d),(?=\d{3}(?!\d)))"


_TOKENS = rf"%s(?:{_JOINER}%s)*(?:\+\+|\#(?!\w))?"
_ASCII_TOKEN = re.compile(_TOKENS % (r"\w+", r"\w+"), re.ASCII)
_TOKEN = re.compile(_TOKENS % ((rf"[\w{_MARKS}]+",) * 2))
_UNSPACED_OR_EMOJI = re.compile(f"([{_UNSPACED}]+)|({_EMOJI})")
# Looks for their first characters in a tenth of the time.
_ANY_UNSPACED_OR_EMOJI = re.compile(rf"[{_UNSPACED}\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]")
# A character with the marks upon it; their number is bounded so that a pair is not longer than a term may be.
_CHARACTER = re.compile(f".[{_MARKS}]{{0,16}}")


# Words and the parts of identifiers.

_LEVELS = (
    re.compile(r"[/\\:@&+#]+|(?<=\d)T(?=\d\d:)"),
    re.compile(r"[.'-]"),
    re.compile(r"_+"),
)
# `IDs` is a word; `HTTPServer2` is HTTP, Server, 2.
_PIECE = re.compile(
    r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+"
    rf"|(?:[^\W\d_A-Za-z]|[{_MARKS}])+"
)
# Seven digits or more, with at most two signs between two of them; no date.
_LONG_NUMBER = re.compile(r"(?<!\d)(?!\d{4}-\d\d-\d\d(?!\d))\d(?:[ \u00a0()./-]{0,2}\d){6,33}(?!\d)")
# A part of each long number, looked for in a tenth of the time.
_MANY_DIGITS = re.compile(r"\d(?:[ \u00a0()./-]{0,2}\d){6}")
_NUMBER_SIGN, _NUMBER_DIGITS = "#", 7
# A code such as an address of a network card, a UUID or an order's number, but no date and no version.
_SPACED_CODE = re.compile(r"(?=.*\d)(?=.*[^\W\d_])[^\W_]+(?:[:-][^\W_]+)+")
_CODE_SEPARATOR = re.compile("[:-]")
_CONTRACTED = re.compile(r"'(?:s|m|re|ve|ll|d)$", re.IGNORECASE)
_NEGATED = re.compile(r"n't$", re.IGNORECASE)
_THOUSANDS = re.compile(r",(?=\d{3})")
_HEXADECIMAL = re.compile(r"(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,}", re.IGNORECASE)
_SHORT_HASH_CHARACTERS = 7


def _expand(token: str) -> tuple[str, ...]:
    """The terms of one token as the patterns above cut it."""
    if token.isalpha() and (token.islower() or token[1:].islower()):
        return _forms(token)
    if "'" in token:
        token = _NEGATED.sub("nt", _CONTRACTED.sub("", token))
    terms = tuple(_parts(_THOUSANDS.sub("", token), 0))
    if _SPACED_CODE.fullmatch(token):
        return (*terms, _whole(_CODE_SEPARATOR.sub("", token)))
    return terms


_terms_of_token = lru_cache(_CACHED_TOKENS)(_expand)


def _parts(token: str, level: int) -> Iterator[str]:
    """The token, then the parts that the separators of this level and the finer ones leave."""
    if level == len(_LEVELS):
        yield from _pieces(token)
        return
    parts = [part for part in _LEVELS[level].split(token) if part]
    if parts and parts != [token]:
        yield _whole(token)
    for part in parts:
        yield from _parts(part, level + 1)


def _pieces(word: str) -> Iterator[str]:
    """The terms of a word: the whole, then the pieces between changes of case and digits."""
    if _HEXADECIMAL.fullmatch(word):
        # A hash is cited by its beginning; what digits and letters cut it into means nothing.
        yield _whole(word)
        yield word[:_SHORT_HASH_CHARACTERS].casefold()
        return
    pieces = _PIECE.findall(word)
    if len(pieces) < 2:
        yield from _forms(word)
        return
    # Stemmed as a plain word is: `YouTube` and `youtube` are one term.
    yield _term(word)
    # The crumbs of `k8s` or of a key in base 64 would only match each other.
    if len(pieces) == 2 or len(word) >= 2 * len(pieces):
        yield from map(_term, pieces)


def _whole(token: str) -> str:
    return token.casefold()[:MAX_TERM_CHARACTERS]


def _forms(word: str) -> tuple[str, ...]:
    """The term of a word, and its stem where the script tells how to find it."""
    term = _term(word)
    if term.isascii() or not (stem_ := other_form(term)):
        return (term,)
    return (term, stem_)


def _term(word: str) -> str:
    return stem(word.casefold())[:MAX_TERM_CHARACTERS]


_FOREIGN_TERMS: frozenset[str] = frozenset()
FUNCTION_TERMS = frozenset(index_terms(_FUNCTION_TEXT))
"""The terms of English function words. They are indexed like any other, so that a query made of nothing
else finds something; beside other terms of a query they mislead more than they tell."""
_FOREIGN_TERMS = frozenset(index_terms(SIGNS_OF_OTHERS)) - {*FUNCTION_TERMS, *index_terms(NO_SIGNS)}
