"""A light English stemmer: inflection only, so that a stem stands for one word and not for a family.

Steps 1a to 1c and 5a of M. F. Porter, "An algorithm for suffix stripping" (1980), without the steps
that take derivations apart (relational, relate), and with a table of irregular forms in front."""

import html
import re
import unicodedata

_IRREGULAR_FORMS = """
api:apis be:am,are,is,was,were,been,being begin:began,begun break:broke,broken bring:brought build:built
buy:bought catch:caught child:children choose:chose,chosen come:came cpu:cpus do:did,does,done draw:drew,drawn
drink:drank,drunk drive:drove,driven eat:ate,eaten fall:fell,fallen feel:felt fight:fought find:found
fly:flew,flown foot:feet forget:forgot,forgotten get:got,gotten
give:gave,given gpu:gpus go:went,gone,goes
grow:grew,grown have:has,had hear:heard hold:held id:ids keep:kept know:knew,known lead:led lose:lost
make:made man:men mean:meant meet:met mouse:mice pay:paid person:people ride:rode,ridden rise:rose,risen
run:ran say:said see:saw,seen sell:sold send:sent sing:sang,sung sit:sat sleep:slept speak:spoke,spoken
spend:spent stand:stood swim:swam,swum take:took,taken teach:taught tell:told think:thought
throw:threw,thrown tooth:teeth understand:understood wake:woke,woken wear:wore,worn win:won
woman:women write:wrote,written
"""
_IRREGULAR = {
    form: word for word, forms in (entry.split(":") for entry in _IRREGULAR_FORMS.split()) for form in forms.split(",")
}

_SHORTEST_INFLECTED = 4
# The last letters of all endings that are taken off or evened out.
_LAST_OF_INFLECTED = frozenset("sdgey")
_VOWEL = re.compile(r"[aeiouy]")
_DOUBLED = re.compile(r"([bdfgmnprt])\1$")


def stem(word: str) -> str:
    """The stem of a lower-case word; a word with anything but a to z in it is returned as it is.

    Stems are for comparing, not for reading: `making`, `makes` and `made` all give `mak`.
    """
    if len(word) < _SHORTEST_INFLECTED and word not in _IRREGULAR:
        return word
    if word[-1] not in _LAST_OF_INFLECTED and word not in _IRREGULAR:
        return word
    if not word.isascii() or not word.isalpha():
        return word
    word = _IRREGULAR.get(word) or _without_past_or_progressive(_without_plural(word))
    return _with_plain_ending(word)


def _without_plural(word: str) -> str:
    if not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return word[:-2]
    return word[:-1]


def _without_past_or_progressive(word: str) -> str:
    """Takes off -ed and -ing where a syllable is left before it: `planned`, but not `red` or `king`."""
    if word.endswith("eed"):
        return word
    for suffix in ("ed", "ing"):
        rest = word.removesuffix(suffix)
        if rest != word and len(rest) > 1 and _VOWEL.search(rest):
            return rest[:-1] if _DOUBLED.search(rest) else rest
    return word


def _with_plain_ending(word: str) -> str:
    """Evens out what suffixes leave behind: `make`, `making`; `carry`, `carried`."""
    if len(word) > 3 and word.endswith("e") and not word.endswith("ee"):
        return word[:-1]
    if len(word) > 2 and word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "i"
    return word


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
