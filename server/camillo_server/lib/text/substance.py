"""Whether two texts that are nearly the same say the same: what differs decides, however little it is."""

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

from camillo_server.lib.text.difference_words import ORDERING, QUALIFIERS, QUALIFYING_PARTS
from camillo_server.lib.text.differences import ComparedWord, WordKind, compare, tokens
from camillo_server.lib.text.index_terms import FUNCTION_TERMS

# In a shorter text each mark may matter.
MIN_CHARACTERS = 60
# Marks that set off words and say nothing: not those of a figure or of code, nor a question mark.
_MARKS = re.compile(
    r"[;\"'()\[\]{}_\u2026\u00ab\u00bb\u201c-\u201f\u2018-\u201b\u2039\u203a\u3001\u3002\u3008-\u3011\u30fb*`#|\u00bf\u00a1\u060c\u061b\u0964\u2014]"
    r"|[.,:\u2013-](?!\d)|!(?![\w=(])"
)
_SIGN = re.compile(r"[^\w\s]")
# So many words in the place of others are a name, an opposite or another degree; more of them are the same in other
# words.
MAX_REPLACED_WORDS, MAX_REPLACED_SIGNS = 2, 6
# Fewer words that stand elsewhere are who does it to whom, more of them a part of the sentence.
MIN_MOVED_WORDS = 3
# A text of 2,000 characters has no more.
_MAX_TOKENS = 2_000
# Texts of few words a thousand times over are not compared.
_MAX_MATCHES = 100_000
_DECISIVE = (WordKind.NUMBER, WordKind.DATE, WordKind.NEGATION)


def substance(compared: str) -> str:
    """The words of a text in its comparable form, in order, without the marks between them: the same where two texts
    say the same."""
    if len(compared) < MIN_CHARACTERS:
        return compared
    return " ".join(_MARKS.sub(" ", compared).split())


def differ(one: str, other: str) -> bool:
    """Whether they differ in a figure, a date, a name, a negation, a qualification, the order of what they say, or in a
    few words in the place of others within the same words. For any script."""
    if one == other:
        return False
    mine, theirs = tokens(one, _MAX_TOKENS), tokens(other, _MAX_TOKENS)
    my_words, their_words = ([token.text for token in each] for each in (mine, theirs))
    if my_words == their_words:
        return _signs(one) != _signs(other)
    if _matches(my_words, their_words) > _MAX_MATCHES:
        return True
    changes = _changes(mine, theirs, my_words, their_words)
    return (
        compare(one, other, is_one_session=True) is not None
        or _signs(one) != _signs(other)
        or _parts(one) != _parts(other)
        or _names(mine, theirs) != _names(theirs, mine)
        or any(_decides(*change) for change in changes)
        or _are_reordered(my_words, their_words, changes)
    )


def decisive_words(text: str) -> frozenset[str]:
    """Words that two texts have to have in common to say the same: those that deny or qualify."""
    found = (token.text for token in tokens(text, _MAX_TOKENS) if _is_decisive(token))
    return frozenset((*found, *_parts(text)))


def _names(mine: Sequence[ComparedWord], theirs: Sequence[ComparedWord]) -> list[str]:
    """The words of one text, in order, that are names in it or in the other."""
    names = {token.text for token in (*mine, *theirs) if token.kind is WordKind.NAME} - FUNCTION_TERMS
    return [token.text for token in mine if token.text in names]


def _signs(text: str) -> list[str]:
    """Marks that say something: a minus, a comparison, a question mark, an emoji."""
    return _SIGN.findall(_MARKS.sub(" ", text))


def _matches(mine: Sequence[str], theirs: Sequence[str]) -> int:
    """How many pairs of places have the same word: the time that it takes to compare them goes by these."""
    counts = Counter(theirs)
    return sum(counts[word] for word in mine)


def _parts(text: str) -> list[str]:
    """Qualifications in scripts that put no spaces between words."""
    return [] if text.isascii() else [part for part in QUALIFYING_PARTS if part in text]


_Change = tuple[Sequence[ComparedWord], Sequence[ComparedWord], bool]


def _are_reordered(mine: Sequence[str], theirs: Sequence[str], changes: Sequence[_Change]) -> bool:
    """Whether the words that each has once stand in another order, but for whole parts of a sentence that tells of no
    order."""
    my_counts, their_counts = Counter(mine), Counter(theirs)
    once = {word for word, count in my_counts.items() if count == their_counts[word] == 1}
    if [word for word in mine if word in once] == [word for word in theirs if word in once]:
        return False
    gone = sorted(_words(span) for span, _, _ in changes if span)
    come = sorted(_words(span) for _, span, _ in changes if span)
    is_moved_whole = gone == come and all(len(span) >= MIN_MOVED_WORDS for span in gone)
    return not is_moved_whole or not ORDERING.isdisjoint(mine)


def _words(span: Sequence[ComparedWord]) -> tuple[str, ...]:
    return tuple(token.text for token in span)


def _changes(
    mine: Sequence[ComparedWord],
    theirs: Sequence[ComparedWord],
    my_words: list[str],
    their_words: list[str],
) -> list[_Change]:
    """Parts of one text where the other has something else or nothing; and whether they have anything in common."""
    codes = SequenceMatcher(None, my_words, their_words, autojunk=False).get_opcodes()
    has_common = any(tag == "equal" for tag, *_ in codes)
    return [
        (mine[begin:end], theirs[from_:until], has_common) for tag, begin, end, from_, until in codes if tag != "equal"
    ]


def _decides(mine: Sequence[ComparedWord], theirs: Sequence[ComparedWord], has_common: bool) -> bool:
    if any(map(_is_decisive, (*mine, *theirs))):
        return True
    return has_common and bool(mine) and bool(theirs) and all(map(_is_short, (mine, theirs)))


def _is_short(span: Sequence[ComparedWord]) -> bool:
    is_signs = all(len(token.text) == 1 and not token.text.isascii() for token in span)
    return len(span) <= (MAX_REPLACED_SIGNS if is_signs else MAX_REPLACED_WORDS)


def _is_decisive(token: ComparedWord) -> bool:
    return token.kind in _DECISIVE or token.text in QUALIFIERS
