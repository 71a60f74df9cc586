"""A light English stemmer: inflection only, so that a stem stands for one word and not for a family.

Steps 1a to 1c and 5a of M. F. Porter, "An algorithm for suffix stripping" (1980), without the steps
that take derivations apart (relational, relate), and with a table of irregular forms in front.
"""

import re

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
