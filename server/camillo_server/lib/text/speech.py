"""Reads a text as an utterance: who says it, and whether it asks or tells. By rules, in any language."""

import re
from collections.abc import Iterator, Sequence

from camillo_server.lib.text.importance import BEGINNING, LONGEST_SMALL_TALK, SMALL_TALK
from camillo_server.lib.text.index_terms import index_terms
from camillo_server.lib.text.phrases import phrases

# Terms for facts about a text. No word gives the same term: a colon or a question mark is part of none.
ASKS = "?"
SAYS = ":"
# The speaker of texts by people, whatever their names: "I" in a query means one of them.
PERSON = f"user{SAYS}"
MAX_NAME_CHARACTERS, MAX_NAME_WORDS = 40, 3
# A longer question tells something, too: what is asked for, and why.
MAX_QUESTION_CHARACTERS = 80
# The characters of a query in which a first person is looked for.
MAX_READ_CHARACTERS = 1_000
_TAIL_CHARACTERS = 2 * MAX_QUESTION_CHARACTERS

_ENDS = ".!?…。！？؟։\n"
# At the end of a text: a short sentence, its question mark, and characters of no word.
_QUESTION = re.compile(
    rf"(?:\A|[{_ENDS}:：])[^{_ENDS}]{{1,{MAX_QUESTION_CHARACTERS}}}(?<!/)[?？؟]\W*(?:\[[^\]]*\]\W*)?\Z"
)
# Before the words of a speaker: a note of the time, if any, and a name.
_SPEAKER = re.compile(rf"\s*(?:\[[^\]\n]{{1,60}}\]\s*)?([^\W_][^:：\n\[\]]{{0,{MAX_NAME_CHARACTERS - 1}}})(?::\s|：)")
_WORD = re.compile(r"[^\s'’.,;:!?¿¡()«»“”\"…]+")
_FIRST_PERSON_WORDS = """
i me my mine myself ich mich mir mein meine meinen meinem meiner meines je j moi mon ma mes yo mi mis mí conmigo
eu meu minha meus minhas io mio mia miei mie ik mij mijn jag mig min mitt mina ben beni bana benim
я меня мне мной мой моя моё мое мои моего моей моих моему моём мою أنا لي عندي مني אני לי שלי אותי
मैं मैंने मुझे मुझको मेरा मेरी मेरे 나는 내가 나의 저는 제가 ฉัน ผม
"""
_FIRST_PERSON = frozenset(_FIRST_PERSON_WORDS.split())
_FIRST_PERSON_CHARACTERS = re.compile("[我私僕俺咱]")


def asks(text: str) -> bool:
    """Whether a text ends in a short question."""
    tail = text[-_TAIL_CHARACTERS:]
    return bool(_QUESTION.search(tail if len(text) <= _TAIL_CHARACTERS else f" {tail}"))


def speech_terms(text: str, actor: str = "") -> Iterator[str]:
    """The terms of a text as an utterance, beside those of its words: that it asks, the name of its speaker if it
    begins with one, and that a person says it."""
    if asks(text):
        yield ASKS
    # In the order of the text: equal rows are to be equal bytes in each process.
    said = dict.fromkeys(_said_by(text))
    if actor.startswith("human:"):
        said[PERSON] = None
    yield from said


def speakers_in(text: str, terms: Sequence[str]) -> list[str]:
    """The terms of the speakers whom a query with these terms names."""
    speakers = [f"{term}{SAYS}" for term in terms]
    read = text[:MAX_READ_CHARACTERS].casefold()
    if not _FIRST_PERSON.isdisjoint(_WORD.findall(read)) or _FIRST_PERSON_CHARACTERS.search(read):
        speakers.append(PERSON)
    return speakers


def _said_by(text: str) -> Iterator[str]:
    found = _SPEAKER.match(text)
    if found is None or len(found[1].split()) > MAX_NAME_WORDS:
        return
    terms = index_terms(found[1])
    words = [term for term in terms if len(term) > 1] or terms
    for term in words:
        yield f"{term}{SAYS}"


LAST_TIME = phrases(
    "last time|last session|left off|where were we|did we|we talked|continue|letztes mal|letzten "
    "mal|zuletzt|weitermachen|dernière fois|continu"
    "|última vez|último|l'ultima volta|прошлый раз|в прошл|продолж|上次|刚才|继续|前回|続き|この前|المرة الماضية|أكمل|पिछली बार"  # noqa: E501
    "|בפעם הקודמת|지난번|계속",
    r"\blast (?:time|session)\b|\bleft off\b|\bwhere (?:were we\b|did we (?:stop|leave off)\b)|\A(?:please "
    r")?continue\b",
    r"\bwhat (?:did we (?:talk about|discuss)|we talked about)(?: before| yesterday| earlier)?[ .?!]*\Z",
    r"\bletzte[sn] mal\b|\bzuletzt\b|\bweitermachen\b",
    r"\bdernière fois\b|\A(?:on )?continu(?:e|ons|er)\b",
    r"\búltima vez\b|\bo último\b|\A(?:vamos )?continu(?:ar|a|emos)\b|\bl'ultima volta\b",
    r"\bпрошл(?:ый|ом) раз\b|\Aпродолж(?:им|ай|айте)\b",
    r"上次|刚才|\A继续|前回|\A続き|この前",
    r"المرة الماضية|\Aأكمل|पिछली बार|בפעם הקודמת|지난번|\A계속",
)


def asks_nothing(query: str) -> bool:
    """Whether a query is empty, a greeting or thanks, or asks for the last thing said or done."""
    return not query[:BEGINNING].strip() or is_small_talk(query) or asks_for_the_last(query)


def is_small_talk(query: str) -> bool:
    """Whether it is a greeting, thanks or a yes."""
    lower = query[:BEGINNING].lower().strip()
    return len(lower) <= LONGEST_SMALL_TALK and any(each.fullmatch(lower) for _, each in SMALL_TALK)


def asks_for_the_last(query: str) -> bool:
    """Whether it asks for what was said or done in the conversation before."""
    return LAST_TIME.are_in(query[:BEGINNING].lower().strip())
