"""The guard: finds what a merged text has lost of its sources.

It knows nothing of meaning. Sentence by sentence of the sources, it requires that a merged text keeps:

- every figure, name, address, identifier, quotation and emoji (facts.py), whole;
- nine tenths of the pairs of neighbouring letters of a sentence in a script without capitals;
- half of the words of each source that are no function words: a text about something else keeps nothing.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence, Set
from itertools import islice, pairwise

from camillo_server.features.compaction.merging import sentences
from camillo_server.lib.outputs.summary.sample import one_line, shortened
from camillo_server.lib.text.index_terms import FUNCTION_TERMS, index_terms

_CURRENCY = r"[$€£¥₹₽₩₺₪฿₫₴₦]"
_UNIT = (
    rf"[%‰°]?{_CURRENCY}|%|‰|°[CF]?|(?:[A-Z]{{3}}|[kKMGT]?(?:B|Wh|W|V|A|Hz|m|g|l|s|Pa|J|N|b)"
    r"|[cmµn](?:m|g|l|s|A|V)|km/h|min|h|d|ha|bar|dpi|px|pt|am|pm|AM|PM|[kM]iB|GiB|TiB)(?![^\W\d_])"
)
# One alone is mostly an article, or a part of a word.
_HAN_NUMBER = "[〇零一二两兩三四五六七八九十百千万萬亿億]{2,}"
# A date, a time, a version or a range is one figure.
_FIGURE = re.compile(
    rf"(?:{_CURRENCY} ?)?(?<![\w.,])[-+−]?\d+(?:[.,:/’'–-]\d+)*(?: ?(?:{_UNIT}))?|{_HAN_NUMBER}",
    re.ASCII,
)
# Fractions, raised and lowered digits, numbers in circles: with the word that they stand in.
_SMALL_NUMBER = re.compile(r"(?:(?<!\w)\w*)?[²³¹¼-¾⁰-₉⅐-↋①-⒛]\w*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_URL = re.compile(r"\b[a-z][a-z0-9+.-]{0,30}://[^\s<>\"'“”«»]+", re.ASCII)
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.ASCII)
_PATH = re.compile(r"(?:~|\.{1,2})?/.+|[A-Za-z]:\\.+|[^/]+(?:/[^/]+){2,}/?", re.ASCII)
_FILE = re.compile(r"[\w-]{2,}\.[A-Za-z][A-Za-z0-9]{0,4}", re.ASCII)
# Runs of what stands in any of these; each is looked at once, so that no text takes longer than it is.
_TOKEN = re.compile(r"[\w.@#+/\\~:-]+", re.ASCII)
_CHANGE_OF_CASE = re.compile("[a-z][A-Z]")
_LETTER_AND_DIGIT = re.compile("(?=.*[0-9]).*[A-Za-z]")
_QUOTATION = re.compile(
    r'"[^"\n]{1,200}"|“[^”]{1,200}”|„[^“”]{1,200}[“”]|«[^»]{1,200}»|‹[^›]{1,200}›|「[^」]{1,200}」'
    r"|『[^』]{1,200}』|`[^`\n]{1,200}`"
)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_POSSESSIVE = re.compile(r"['’]s?$")
_FOREIGN_DIGIT = re.compile(r"[^\D0-9]")
_SPACE = re.compile(r"[^\S\n]+")
_END_OF_ADDRESS = ".,;:!?)]}"
MAX_NAMED = 20
LONGEST_NAMED = 100
COVERED = 0.9
MIN_WORDS_KEPT = 0.5
_LETTERS = re.compile(r"[^\W\d_]+")


def plain(text: str) -> str:
    """The text as facts are compared: figures of all scripts alike, spaces and thousands as one."""
    composed = unicodedata.normalize("NFC", text)
    digits = _FOREIGN_DIGIT.sub(lambda found: str(unicodedata.decimal(found[0])), composed)
    return _THOUSANDS.sub("", _SPACE.sub(" ", digits))


def facts(text: str, small_words: Set[str]) -> Iterator[str]:
    """The facts of a plain text, each as it is written; `small_words` are written without a capital somewhere, and so
    are no names where a sentence begins with them."""
    yield from (found[0].rstrip(_END_OF_ADDRESS) for found in _URL.finditer(text))
    tokens = (token.rstrip(_END_OF_ADDRESS) for token in _TOKEN.findall(text))
    yield from (token for token in tokens if _is_identifier(token))
    yield from (found[0][1:-1].strip() for found in _QUOTATION.finditer(text))
    yield from (found[0] for found in _FIGURE.finditer(text))
    yield from (found[0] for found in _SMALL_NUMBER.finditer(text))
    for sentence in sentences(text):
        yield from _names(text[sentence.start : sentence.end], small_words)
    yield from (each for each in text if unicodedata.category(each) == "So")


def figures(text: str) -> Iterator[str]:
    """The numbers, dates and amounts of a plain text, without the spaces in them."""
    for found in _FIGURE.finditer(text):
        yield found[0].replace(" ", "")


def small_words(text: str) -> Set[str]:
    """The words of a text that are written without a capital."""
    return {word for word in _WORD.findall(text) if word.islower()}


def _is_identifier(token: str) -> bool:
    """A mail address, a path, a file, a name of code, or one with digits; an amount with its unit is none."""
    if token[:1] in ("@", "#") or "_" in token or _CHANGE_OF_CASE.search(token):
        return len(token) > 1
    if _MAIL.fullmatch(token) or _FILE.fullmatch(token) or _PATH.fullmatch(token):
        return True
    return bool(_LETTER_AND_DIGIT.match(token)) and not _FIGURE.fullmatch(token)


def _names(sentence: str, small: Set[str]) -> Iterator[str]:
    """Words with a capital, those beside each other as one; a word that begins the sentence may have its capital from
    that."""
    name: list[str] = []
    behind = 0
    for number, found in enumerate(_WORD.finditer(sentence)):
        word = _POSSESSIVE.sub("", found[0])
        is_apart = sentence[behind : found.start()] != " "
        if name and (is_apart or not word[:1].isupper()):
            yield " ".join(name)
            name = []
        if word[:1].isupper() and not (not name and _is_ordinary(word, small, begins=number == 0)):
            name.append(word)
        behind = found.end()
    if name:
        yield " ".join(name)


def _is_ordinary(word: str, small: Set[str], *, begins: bool) -> bool:
    folded = word.casefold()
    is_function_word = folded.split("'")[0].split("’")[0] in FUNCTION_TERMS
    return is_function_word or (begins and folded in small)


def lost_facts(sources: Sequence[str], text: str) -> Sequence[str]:
    """At most 20 of what the text has lost, each once, as the sources write it."""
    lost = dict.fromkeys(shortened(one_line(each), LONGEST_NAMED) for each in _lost(sources, text))
    return tuple(islice(lost, MAX_NAMED))


def _lost(sources: Sequence[str], text: str) -> Iterator[str]:
    merged = _Merged(text)
    plain_sources = [plain(source) for source in sources]
    small: Set[str] = set().union(*map(small_words, plain_sources))
    for source in plain_sources:
        found = dict.fromkeys(facts(source, small))
        yield from (fact for fact in found if not merged.contains(fact))
        texts = [source[each.start : each.end] for each in sentences(source)]
        yield from (sentence for sentence in texts if not merged.covers(sentence))
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

    def contains(self, fact: str) -> bool:
        """Whole: no `40` in a `400`, and no Ann in an Anna."""
        figure = fact.replace(" ", "")
        if next(figures(fact), "") == figure:
            return figure in self._figures
        folded = fact.casefold()
        start = self._folded.find(folded)
        while start >= 0:
            if self._stands_alone(start, start + len(folded)):
                return True
            start = self._folded.find(folded, start + 1)
        return False

    def covers(self, sentence: str) -> bool:
        pairs = _caseless_pairs(sentence)
        return len(pairs & self._pairs) >= COVERED * len(pairs)

    def speaks_of(self, source: str) -> bool:
        terms = _content_terms(source)
        return len(terms & self._terms) >= MIN_WORDS_KEPT * len(terms)

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
