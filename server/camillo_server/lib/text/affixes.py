"""Sentences without markup, announcements and signs around them."""

import html
import re
import unicodedata

# Tags within a line; any other ends one.
_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]{0,15})(?:[\s/][^<>]{0,500})?>")
_INLINE = frozenset(
    [
        "a",
        "abbr",
        "b",
        "bdi",
        "bdo",
        "big",
        "cite",
        "code",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "ins",
        "kbd",
        "mark",
        "q",
        "s",
        "samp",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
        "tt",
        "u",
        "var",
    ]
)
# Drawn numbers: on keys anywhere, in circles at the beginning of a line.
_DRAWN_NUMBER = re.compile("[0-9#*]\ufe0f?\u20e3|(?m:^)[^\\w\n]*[\u2460-\u249b\u24ea-\u24ff\u2776-\u2793]")
_WITH = r"(?:[\W_]+(?:that|dass|que|che|well))?"
_NAMED = (
    r"(?:value|answer|text|fact|content|statement|information|secret|memory|entry|message|sentence|truth"
    r"|wert|antwort|aussage|angabe|valeur|réponse|texte|valor|respuesta|texto|valore|risposta|testo)"
)
_IS = r"(?:is|was|reads|says|ist|lautet|war|est|était|es|era|è)"
# Such as "note", "please remember that" and "the value is", in small letters.
_ANNOUNCED = re.compile(
    r"[\W_]*(?:"
    r"(?:(?:please|bitte)[\W_]+)?"
    r"(?:note|notes|remember|reminder|fyi|nb|ps|psa|important|attention|warning|hint|info|fact|quote|memo|update"
    r"|notiz|hinweis|achtung|wichtig|merke|beachte|remarque|rappel|nota|recuerda|importante|ricorda)" + _WITH + "|"
    r"(?:(?:the|my|our|its|their|der|die|das|la|le|el|il)[\W_]+)?" + _NAMED + r"[\W_]+" + _IS + _WITH + r")(?!\w)[\W_]*"
)  # fmt: skip


def without_markup(text: str) -> str:
    """The text with entities resolved, without tags and drawn numbers."""
    if "&" in text:
        text = html.unescape(text)
    if "<" in text:
        text = _TAG.sub(lambda tag: "" if tag[1].lower() in _INLINE else "\n", text)
    return text if text.isascii() else _DRAWN_NUMBER.sub(" ", text)


def core(piece: str) -> str:
    """A sentence in small letters, or a part of one, without what announces it and without signs around it; those that
    belong to a number beside them stay."""
    found = _ANNOUNCED.match(piece)
    piece = piece[found.end() :] if found else piece
    start, end = 0, len(piece)
    while start < end and _is_sign(piece[start]):
        start += 1
    while start < end and _is_sign(piece[end - 1]):
        end -= 1
    before, kept, after = piece[:start], piece[start:end], piece[end:]
    if kept[:1].isdigit():
        kept = "".join(filter(_is_of_number, before)) + kept
    if kept[-1:].isdigit():
        kept += "".join(filter(_is_of_number, after))
    return kept


def _is_sign(character: str) -> bool:
    return not character.isalnum() and unicodedata.category(character)[0] in "SPZC"


def _is_of_number(character: str) -> bool:
    return unicodedata.category(character) in ("Sc", "Sm") or character == "°"
