"""Finds the entities that a text names, by rules: people and things, addresses, paths, tickets and identifiers.

The rules would rather miss a name than take a common word for one: an entity that two texts share has to mean
something. Letters without case tell no names, so in those scripts only text in marks of titles or quotations counts.
"""

import enum
import re
from collections.abc import Iterator, Set
from dataclasses import dataclass

from camillo_formats.characters import normalized

MAX_ENTITIES = 16
MAX_ENTITY_CHARACTERS = 256
# The characters that are read of a text, to bound the work. No memory or chunk is longer.
MAX_READ_CHARACTERS = 4_000
# Reading a character, in characters that are looked through for secrets (kernel/off_loop.py).
ENTITIES_COST = 4


class EntityType(enum.IntEnum):
    """The kind of a named entity. The numbers are those of the contract."""

    NAME = 1
    EMAIL = 2
    PATH = 3
    TICKET = 4
    IDENTIFIER = 5


@dataclass(frozen=True, slots=True)
class Entity:
    """Something that texts name, its name in normal form."""

    type: EntityType
    name: str


# Every repetition is bounded or ends where the next begins, so that the time of a search is linear in the text.
_FILE_TYPES = (
    "c|cc|cfg|conf|cpp|cs|css|csv|db|go|h|hpp|html|ini|ipynb|java|js|json|jsonl|kt|lock|log|md|pdf|php|png|proto|ps1|py|pyi|rb|rs"
    "|rst|sh|sql|svg|swift|tf|toml|ts|tsx|txt|xlsx|xml|yaml|yml"
)
_CODED = re.compile(
    r"(?P<url>\bhttps?://[^\s<>\"'`()\[\]{}]{3,240})"
    r"|(?<![\w.+-])(?P<email>[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{2,63}){1,4})"
    rf"|(?<![\w./\\~-])(?P<path>(?:~|\.{{1,2}}|[A-Za-z]:)?(?:[/\\][\w.@+-]{{1,80}}){{2,20}}|"
    rf"(?:[\w.@+-]{{1,80}}[/\\]){{0,20}}[\w@+-][\w.@+-]{{0,79}}\.(?:{_FILE_TYPES})(?![\w/]))"
    r"|(?<![\w#&-])(?P<ticket>[A-Z][A-Z0-9]{1,9}-\d{1,7}|\#\d{2,7})(?![\w-])"
    r"|(?<![\w.])(?P<call>[A-Za-z_]\w{0,60}(?:(?:\.|::)\w{1,60}){0,6})\(\)"
    r"|(?<!\w)(?P<word>_{0,2}[A-Za-z][A-Za-z0-9]{0,60}(?:_[A-Za-z0-9]{1,60}){1,10}"
    r"|[a-z]{2,40}(?:[A-Z][a-z0-9]{1,40}){1,8}|(?:[A-Z][a-z0-9]{1,40}){2,8})(?!\w)",
    re.ASCII,
)
_TYPES = {
    "url": EntityType.PATH,
    "email": EntityType.EMAIL,
    "path": EntityType.PATH,
    "ticket": EntityType.TICKET,
    "call": EntityType.IDENTIFIER,
    "word": EntityType.IDENTIFIER,
}
# Titles in the marks that Chinese and Japanese put around them.
_TITLED = re.compile(r"《([^《》\n]{2,40})》|〈([^〈〉\n]{2,40})〉|『([^『』\n]{2,40})』|「([^「」\n]{2,16})」")
# Marks of sentences in quoted text: it is speech, and no name.
_SPEECH = re.compile(r"[。、，！？!?,]")
_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|['’-](?=[^\W\d_])){0,39}")
# A speaker's name stands before a colon at the beginning of a line.
_SPEAKER = re.compile(r"^[ \t]*([^\W\d_][^\n:]{1,40}):\s", re.MULTILINE)
_SENTENCE_END = re.compile(r"[.!?:;…\n\"“”„»«()\[\]•*>|-]")
MAX_NAME_WORDS, MAX_RUN_WORDS = 4, 8


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Prefixes that look like a ticket's project and begin the name of a norm, a disease or a model.
_NO_PROJECTS = _words("AES CD COVID CVE DIN EN F FIPS GPT HTTP IEC IEEE ISO MD RFC RSA SHA UTF")
_PARTICLES = _words("da de del della den der di du la le van von zu al bin ibn ten ter dos das")
# Capitalised by custom, and no names.
_NO_NAMES = _words(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september october"
    " november december montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag januar februar märz mai "
    "juni juli"
    " oktober dezember user assistant system tool agent human bot note todo warning error question answer summary"
    " i i'm i'll i've i'd ok okay yes no hi hello hey thanks thank dear sir madam english german french spanish "
    "chinese japanese"
)
_TITLES = _words(
    "mr mrs ms miss dr prof professor herr frau monsieur madame señor señora don doña sig signora г-н г-жа"
)
# Words that begin sentences and titles without being a part of a name.
_OPENERS = _words(
    "a an the this that these those my your his her its our their in on at to for from with by of as and or but if "
    "when while where"
    " what who whom which why how is are was were be do does did has have had can could will would should not so then "
    "there here"
    " it he she we they you all some any each every no after before during since until because although however also "
    "just only now"
    " today yesterday tomorrow please let lets let's maybe perhaps both either neither one two three first last next "
    "another"
    " der die das ein eine einen einem einer und oder aber wenn als wie wo was wer warum ist sind war hat ich du er "
    "sie es wir ihr"
    " el los las un una y pero si cuando como donde que qué en con por para de le les une des et mais où quand dans "
    "avec pour il elle"
    " я ты он она мы вы они это этот эта в на с и но а как что где когда если не по из за от для"
    " ο η το οι τα ένας μια και αλλά αν όταν που στο στη στην στον με για από"
)
_NO_SPEAKERS = _NO_NAMES | _OPENERS
_GERMAN = _words(
    "der die das den dem des ein eine einen einem einer eines und oder aber nicht ist sind war wird wurde mit von zu "
    "auf für ich wir sie"
    " er es auch nur noch im am beim vom zum zur bei nach über unter hat haben kann dass wenn"
)


def entities_of(text: str) -> tuple[Entity, ...]:
    """The entities that the text names: each once, in the order in which the rules find them, at most 16."""
    text = normalized("NFKC", text[:MAX_READ_CHARACTERS])
    found: dict[Entity, None] = {}
    rest = _CODED.sub(lambda match: _take_coded(match, found), text)
    for entity in _names(rest):
        found[entity] = None
    return tuple(found)[:MAX_ENTITIES]


def normal_entity(type_: EntityType, name: str) -> Entity:
    """The entity of a name as somebody writes it."""
    name = " ".join(normalized("NFKC", name).split())[:MAX_ENTITY_CHARACTERS]
    if type_ is EntityType.PATH:
        return Entity(type_, name.rstrip(".,;:!?/\\") or name)
    if type_ is EntityType.TICKET:
        return Entity(type_, name.upper())
    if type_ is EntityType.IDENTIFIER:
        return Entity(type_, name.removesuffix("()"))
    return Entity(type_, name.lower())


def _take_coded(match: re.Match[str], found: dict[Entity, None]) -> str:
    """Keeps the match as an entity, and returns the mark that takes its place in the text: it ends names."""
    group = match.lastgroup or ""
    name = match[group]
    if group == "ticket" and name.partition("-")[0] in _NO_PROJECTS:
        return match[0]
    found[normal_entity(_TYPES[group], name)] = None
    return " | "


def _names(text: str) -> Iterator[Entity]:
    for match in _TITLED.finditer(text):
        title = match[match.lastindex or 1].strip()
        if title and not _SPEECH.search(title):
            yield normal_entity(EntityType.NAME, title)
    for match in _SPEAKER.finditer(text):
        if _is_speaker(match[1]):
            yield normal_entity(EntityType.NAME, match[1])
    is_german = _is_german(text)
    runs = [(run, _name_of(run, is_german=is_german)) for run in _runs(text)]
    # At the beginning of a sentence any word is capitalised; one that is elsewhere, too, is a name.
    elsewhere = {name[0] for run, name in runs if len(name) == 1 and not run.begins_sentence}
    for run, name in runs:
        if not 1 <= len(name) <= MAX_NAME_WORDS:
            continue
        if len(name) > 1 or run.is_titled or _is_single_name(name[0], run, elsewhere, is_german):
            yield normal_entity(EntityType.NAME, " ".join(name))


def _is_single_name(word: str, run: "_Run", elsewhere: Set[str], is_german: bool) -> bool:
    """Whether one capitalised word is a name. Never in German, where every noun is capitalised."""
    if is_german:
        return False
    return not run.begins_sentence or word in elsewhere


def _name_of(run: "_Run", *, is_german: bool) -> tuple[str, ...]:
    """The words of a run that are a name, without those that begin a sentence; empty where none is."""
    words = list(run.words)
    had_article = False
    while words and words[0].casefold() in _OPENERS:
        had_article = words.pop(0).casefold() in _GERMAN
    if is_german and had_article:
        # "Der Hund von Anna": a noun, and what follows it.
        words = words[1:]
    while words and words[0] in _PARTICLES:
        words.pop(0)
    if any(word.casefold() in _NO_NAMES for word in words):
        words = [word for word in words if word.casefold() not in _NO_NAMES]
        return tuple(words) if len(words) > 1 else ()
    return tuple(words)


def _is_speaker(text: str) -> bool:
    words = text.split()
    return 1 <= len(words) <= 3 and all(
        _WORD.fullmatch(each) and each[:1].isupper() and each.casefold() not in _NO_SPEAKERS for each in words
    )


def _is_german(text: str) -> bool:
    words = _WORD.findall(text)
    return sum(each.lower() in _GERMAN for each in words) * 8 >= len(words) > 0


@dataclass(frozen=True, slots=True)
class _Run:
    """Capitalised words one after the other, with the particles between them."""

    words: tuple[str, ...]
    begins_sentence: bool
    is_titled: bool


class _RunBuilder:
    """Gathers the words of one run after the other."""

    def __init__(self) -> None:
        self._words: list[str] = []
        self._begins_sentence = True
        self._is_titled = False
        self._behind_title = False

    def add(self, word: str, gap: str, *, is_first: bool) -> Iterator[_Run]:
        """Takes the next word and the text in the gap before it; yields the run that ends before the word."""
        if gap != " " or len(self._words) == MAX_RUN_WORDS:
            yield from self.finish()
        behind_title = self._behind_title and gap in (" ", ". ")
        self._behind_title = False
        if _is_capitalised(word) and word.casefold() in _TITLES:
            yield from self.finish()
            self._behind_title = True
        elif _is_capitalised(word):
            if not self._words:
                self._is_titled = behind_title
                self._begins_sentence = is_first or bool(_SENTENCE_END.search(gap))
            self._words.append(word)
        elif self._words and word in _PARTICLES:
            self._words.append(word)
        else:
            yield from self.finish()

    def finish(self) -> Iterator[_Run]:
        words, self._words = self._words, []
        while words and words[-1] in _PARTICLES:
            words.pop()
        if words:
            yield _Run(tuple(words), self._begins_sentence, self._is_titled)


def _runs(text: str) -> Iterator[_Run]:
    builder, end = _RunBuilder(), 0
    for match in _WORD.finditer(text):
        yield from builder.add(match[0], text[end : match.start()], is_first=not end)
        end = match.end()
    yield from builder.finish()


def _is_capitalised(word: str) -> bool:
    """Whether the first letter is a capital, and not all of them are."""
    return len(word) > 1 and word[0].isupper() and not word[1:].isupper()
