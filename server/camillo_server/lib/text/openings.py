"""Whether a query opens a conversation and asks for nothing certain: a greeting, thanks, or what was last."""

from camillo_server.lib.text.importance import BEGINNING, LONGEST_SMALL_TALK, SMALL_TALK
from camillo_server.lib.text.phrases import phrases

LAST_TIME = phrases(
    "last time|last session|left off|where were we|did we|we talked|continue|letztes mal|letzten mal|zuletzt|weitermachen|dernière fois|continu"
    "|última vez|último|l'ultima volta|прошлый раз|в прошл|продолж|上次|刚才|继续|前回|続き|この前|المرة الماضية|أكمل|पिछली बार"
    "|בפעם הקודמת|지난번|계속",
    r"\blast (?:time|session)\b|\bleft off\b|\bwhere (?:were we\b|did we (?:stop|leave off)\b)|\A(?:please )?continue\b",
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
