"""A text as rules for ASCII can read it: digits and signs of all scripts in their plain form, nothing invisible."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

# On digits they show nothing, or a ring: format characters, variation selectors, marks.
MARKS = frozenset({"Mn", "Me"})
UNSEEN = MARKS | {"Cf"}
PLAIN_SIGN = {"Zs": " ", "Pd": "-"}
# Stands for what is unseen until it is left out; no text that is kept has one.
NOTHING = "\0"
NOTHINGS = re.compile(f"{NOTHING}+")


@dataclass(frozen=True, slots=True)
class Shadow:
    """The plain form of a text, and where each of its characters stands in it; None where that is the same."""

    text: str
    original: str
    places: Sequence[int] | None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The part of the text that a part of the plain form stands for, with the marks on its end."""
        if self.places is None:
            return start, end
        last = self.places[end - 1] + 1
        while last < len(self.original) and unicodedata.category(self.original[last]) in MARKS:
            last += 1
        return self.places[start], last


def shadow_of(text: str) -> Shadow:
    """The plain form of a text."""
    if text.isascii():
        return Shadow(text, text, None)
    plain = text.translate(_FORMS)
    if NOTHING not in plain:
        return Shadow(plain, text, None)
    places = [place for place, character in enumerate(plain) if character != NOTHING]
    return Shadow(NOTHINGS.sub("", plain), text, places)


class _PlainForms(dict[int, str]):
    """The plain form of each character that was asked for; one character for one."""

    def __missing__(self, code: int) -> str:
        self[code] = plain = _plain(chr(code))
        return plain


def _plain(character: str) -> str:
    category = unicodedata.category(character)
    if category in UNSEEN:
        return NOTHING
    if category in PLAIN_SIGN:
        return PLAIN_SIGN[category]
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return str(digit)
    folded = unicodedata.normalize("NFKC", character)
    return folded if len(folded) == 1 else character


_FORMS = _PlainForms()
