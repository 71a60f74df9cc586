"""Stems of words: of English ones in place of the word, inflection only, so that a stem stands for one word and not for
a family (steps 1a to 1c and 5a of M. F. Porter, "An algorithm for suffix stripping", 1980, with a table of irregular
forms in front); in other languages as a second term beside the word itself, by which its forms meet.

A script tells what to do with Cyrillic, Greek, Arabic, Hebrew, Armenian, Tamil and Devanagari; of Latin script, the
function words of a text tell its language. Stems are for comparing, not for reading."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from unicodedata import combining, normalize

from Stemmer import Stemmer

_SHORTEST = 2


def other_form(word: str) -> str:
    """The stem of a word in small letters that is not written in Latin script; empty if it is the word, or not
    known."""
    for first, last, form in _FORMS_BY_SCRIPT:
        if first <= word[0] <= last:
            found = form(word)
            return "" if found == word or len(found) < _SHORTEST else found
    return ""


def language_of(words: Sequence[str]) -> str:
    """The language of Latin script, other than English, of which most function words are among these words in small
    letters; empty if there is none."""
    counts = Counter[str]()
    for languages in map(_LANGUAGES_OF_WORD.get, words):
        if languages:
            counts.update(languages)
    for letter in _SPECIAL_LETTER.findall(" ".join(words)):
        counts.update(_LANGUAGES_OF_LETTER[letter])
    most = max(counts.values(), default=0)
    best = [language for language in _FUNCTION_WORDS if counts[language] == most]
    return "" if not most or best[0] == _ENGLISH else best[0]


def stems(words: Iterable[str], language: str) -> list[str]:
    """The stem of each word in small letters."""
    found: list[str] = _STEMMERS[language].stemWords([*words])
    return found


def is_function_word(word: str, language: str) -> bool:
    return language in _LANGUAGES_OF_WORD.get(word, ())


def _stemmer(language: str) -> Stemmer:
    return Stemmer(language, 0)


# Arabic: what light stemmers take off, clitics first, as long as enough of a word is left.

_ARABIC_CLITIC = re.compile("^(?:ال|لل|[وفبكل](?=.{4}))(?=.{3})")
_ARABIC_ENDING = re.compile("(?<=.{3})(?:ها|ان|ات|ون|ين|يه|ه|ي){1,2}$")


def _arabic(word: str) -> str:
    while (shorter := _ARABIC_CLITIC.sub("", word)) != word:
        word = shorter
    return _ARABIC_ENDING.sub("", word)


# Hebrew: the letters that stand before a word, plurals, and the forms that letters have at an end.

_HEBREW_CLITIC = re.compile("^[והשכלבמ](?=.{3})")
_HEBREW_ENDING = re.compile("(?<=.{3})(?:יות|ים|ות|ית|יה|ה|ת|י)$")
_FINAL_LETTERS = str.maketrans("ךםןףץ", "כמנפצ")


def _hebrew(word: str) -> str:
    # Endings first, so that one and many have the same letters left to stand before a word.
    word = _HEBREW_ENDING.sub("", word).translate(_FINAL_LETTERS)
    while (shorter := _HEBREW_CLITIC.sub("", word)) != word:
        word = shorter
    return word


# Devanagari: dots below, and the two ways to write that a vowel or a consonant is nasal.

_NUKTA = "\u093c"
_NASAL = re.compile("ँ|[ङञणनम]\u094d(?=[क-म])")
_HINDI = _stemmer("hindi")


def _hindi(word: str) -> str:
    stem: str = _HINDI.stemWord(_NASAL.sub("ं", word.replace(_NUKTA, "")))
    return stem


_FORMS_BY_SCRIPT = (
    ("\u0370", "\u03ff", _stemmer("greek").stemWord),
    ("\u0400", "\u04ff", _stemmer("russian").stemWord),
    ("\u0530", "\u058f", _stemmer("armenian").stemWord),
    ("\u05d0", "\u05ea", _hebrew),
    ("\u0620", "\u06ff", _arabic),
    ("\u0900", "\u097f", _hindi),
    ("\u0b80", "\u0bff", _stemmer("tamil").stemWord),
)

# Latin script: frequent function words, of which a sentence has a few. English stands first, and wins where two have as
# many.

_ENGLISH = "english"
_FUNCTION_WORDS: Mapping[str, str] = {
    _ENGLISH: "the of and to is was that for it with are this what who which how does did in on at a i you my have "
    "has be do no as an or"
    " by from we he she they his her their our not but where when so me am can could will would de en",
    "german": "der die das den dem ein eine einen einer und ist nicht mit auf für von zu im wer wem wen was wie wo "
    "welche welches"
    " welcher hat bei aus als ich sie wir ihr für nach wird oder auch sich am zum zur es",
    "french": "le la les un une des du et est en que qui dans pour pas sur avec ce cette au aux il elle je nous vous "
    "son sa ses où"
    " quel quelle quels quelles chez sont ont par plus de à",
    "spanish": "el la los las un una y es en que de del con por para su sus lo al se no quién qué cuál cómo dónde más "
    "pero está son como"
    " le ha yo mi",
    "italian": "il lo la gli le un una e è di che in con per non del della dei delle nel nella si sono ha chi quale "
    "come dove più al"
    " alla da io",
    "portuguese": "o a os as um uma e é de do da dos das em no na nos nas que com por para não seu sua se quem qual "
    "como onde mais ao"
    " à foi são",
    "dutch": "de het een en van is niet met op voor dat die in te wie wat welke hoe waar zijn heeft naar bij ook ik "
    "aan uit om",
    "swedish": "och det att en ett som är på för inte med av till den har jag vem vad vilken vilket hur var om men "
    "från hon han",
    "danish": "og det at en et som er på for ikke med af til den har jeg hvem hvad hvilken hvor om men fra hun han",
    "norwegian": "og det at en et som er på for ikke med av til den har jeg hvem hva hvilken hvor om men fra hun han "
    "ei",
    "finnish": "ja on ei se että oli hän mutta kun kuin mitä kuka missä joka myös ovat tai niin minä sen",
    "hungarian": "a az és hogy nem is egy van de volt ki mi hol melyik meg csak vagy ez azt én",
    "polish": "i w nie na się z do to że jest co kto jak gdzie o jego jej od po dla czy ale był jaki jaka jakie który "
    "ma",
    "czech": "a je se na v že do ve s to kdo co jak kde který která pro za ale jeho její byl má si po",
    "romanian": "și în de la cu nu pe este un o care cine ce unde cum din mai să pentru sunt are a al",
    "turkish": "ve bir bu da de için ile ne kim hangi nasıl nerede olarak çok en mi mu daha var her gibi o ben kime "
    "nedir kimin",
    "indonesian": "yang dan di itu dengan untuk ini dari tidak dalam akan pada adalah ke siapa apa mana saya dia oleh",
}
# Letters that few languages have.
_LETTERS: Mapping[str, str] = {
    "german": "äöüß", "french": "àâçèéêëîïôûœ", "spanish": "áéíñóú", "italian": "àèìòù", "portuguese": "àáâãçéêíóõú", "dutch": "ëï",  # noqa: E501
    "swedish": "åäö", "danish": "åæø", "norwegian": "åæø", "finnish": "äö", "hungarian": "áéíóöőúüű", "polish": "ąćęłńóśźż",  # noqa: E501
    "czech": "áčďéěíňřšťúůýž", "romanian": "ăâîșşțţ", "turkish": "çğıöşü",
}  # fmt: skip
_LANGUAGES_OF_LETTER = {
    letter: [language for language, letters in _LETTERS.items() if letter in letters]
    for letter in "".join(_LETTERS.values())
}
_SPECIAL_LETTER = re.compile(f"[{''.join(_LANGUAGES_OF_LETTER)}]")
_STEMMERS = {language: _stemmer(language) for language in _FUNCTION_WORDS if language != _ENGLISH}


def _bare(word: str) -> str:
    """The word as it is typed without accents."""
    apart = normalize("NFD", word.replace("ı", "i").replace("ø", "o").replace("ł", "l"))
    return "".join(each for each in apart if not combining(each))


def _languages_of_word() -> dict[str, tuple[str, ...]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for language, words in _FUNCTION_WORDS.items():
        for word in words.split():
            found[word].add(language)
            found[_bare(word)].add(language)
    return {word: tuple(sorted(languages)) for word, languages in found.items()}


_LANGUAGES_OF_WORD = _languages_of_word()
SIGNS_OF_OTHERS = " ".join(word for word, languages in _LANGUAGES_OF_WORD.items() if _ENGLISH not in languages)
"""Function words of these languages that are none of English: without one of them, no language is looked for."""
NO_SIGNS = (
    "car com come dat data date die e em en es ha hat i int io le los man meet no non o os per plus pro quit "
    "son sur sure v var y"
)
"""What is among these, but stands in English texts and in code, too."""


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
