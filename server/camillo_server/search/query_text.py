"""The text of a query: the terms by which it is searched, their other spellings where nothing that is searched has one,
such as `wifi` for `Wi-Fi`, and the time that it names. If it names one by an event, this is looked for in what is
searched, and taken only where there is no doubt when it was."""

import math
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from itertools import chain, compress, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.clock import in_zone, moment
from camillo_server.kernel.off_loop import TimeSlices, off_loop
from camillo_server.lib.text.index_terms import (
    FUNCTION_TERMS,
    MAX_WHOLE_CHARACTERS,
    folded,
    index_terms,
    slices_of,
    terms_of_spelling,
    written_terms,
)
from camillo_server.lib.text.query_parts import SHORT, query_parts
from camillo_server.lib.text.query_parts import terms_of_query as index_terms_of_query
from camillo_server.lib.text.time_expressions.anchors import anchor_of, may_name_time, window_at
from camillo_server.lib.text.time_expressions.grammar import (
    MAX_QUERY_CHARACTERS,
    TIMES_COST,
    names_time,
    times_in,
)
from camillo_server.lib.text.time_expressions.spans import TimeSpan
from camillo_server.lib.text.typed_words import joined, spellings, splits
from camillo_server.models.embedding.embedder import Vector
from camillo_server.search.best_hits import row_ref
from camillo_server.search.candidates import CandidatePool, CandidateQuery
from camillo_server.search.fusion import Column
from camillo_server.search.signals.temporal import (
    MAX_TEXT_CHARACTERS,
    Microseconds,
    TimeAnchor,
    TimeWindow,
    time_window,
)

# Longer queries are left to the dense arm: in the lexical arm more terms only blur the result.
QUERY_TERMS = 64
# Function words of Arabic, Hebrew, Hindi and Chinese: hardly a statement has the words that questions are asked with,
# so that these would be the rarest terms of a query; postpositions and the like are in all of them. Words that mean
# something else, too, are not listed. Russian has only those by which somebody speaks of themselves or to somebody;
# other function words of Russian, and those of languages in Latin script, stay in: without them some suites find more,
# others less (docs/adr/queries-and-readings.md).
_WORDS = """
في إلى على عن مع هل ما ماذا متى أين كيف كم لماذا أي هذا هذه ذلك تلك التي الذي الذين هو هي هم نحن أنا أن إن كان كانت أو لا لم لن قد ثم عند بعد قبل كل حتى
لكن أنها أنه بماذا بمن عندما
של את על אל עם זה זו זאת הוא היא הם מה מי איפה היכן מתי איך כמה למה מדוע איזה איזו אילו האם יש אין לא כן או גם כי אם אני אתה אנחנו
क्या कौन किस किसे किसने किसका किसकी किसके किसको किसमें कहाँ कब कैसे कैसा कैसी कितना कितनी कितने क्यों कौनसा का की के को में से पर ने है हैं था थी थे हो होता होती
होते और या यह वह ये वे इस उस इन उन तो भी ही हम मैं आप कि जो तक लिए सा सी नहीं
मुझे मुझको मुझसे मुझमें मेरा मेरी मेरे मैंने हूँ हमें हमारा हमारी हमारे हमने तुम तुम्हें तुम्हारा तुम्हारी तुमने आपका आपकी आपके आपको अपना अपनी अपने उसका उसकी उसके उसे
उन्हें इसे रहा रही रहे
я меня мне мной мой моя моё мои моего моей моему моим моих мою моём ты тебя тебе тобой твой твоя твоё твои мы нас нам нами наш наша наше наши вы вас вам ваш ваша ваше ваши
"""  # noqa: E501
# Function characters of Chinese, which is cut into characters and pairs: a pair with one of these tells nothing either.
_CHINESE = re.compile("[的了吗呢吧们这那哪谁什么怎我你他她它]")

_FUNCTION_TERMS = FUNCTION_TERMS | frozenset(written_terms(_WORDS))


def query_terms(text: str) -> list[str]:
    """The different index terms of a query, in order, at most 64; function words only if there is nothing else."""
    return _chosen(dict.fromkeys(index_terms(text)))


@lru_cache(maxsize=512)
def _terms_of_short(text: str) -> Sequence[str]:
    """`query_terms` of a text that may be asked again."""
    return tuple(_chosen(dict.fromkeys(index_terms_of_query(text))))


async def terms_of_query(text: str) -> list[str]:
    """`query_terms`; a long text is read slice by slice, until there are enough."""
    if len(text) <= MAX_WHOLE_CHARACTERS:
        return [*_terms_of_short(text)]
    terms: dict[str, None] = {}
    slices = TimeSlices()
    for part in slices_of(text):
        terms |= dict.fromkeys(index_terms(part))
        if len(content_terms(terms)) >= QUERY_TERMS:
            break
        await slices.spend(4 * len(part))
    return _chosen(terms)


def _chosen(terms: Iterable[str]) -> list[str]:
    return (content_terms(terms) or [*terms])[:QUERY_TERMS]


def content_terms(terms: Iterable[str]) -> list[str]:
    """The terms that neither are nor contain a function word of English or of these languages, in order."""
    found = [term for term in terms if term not in _FUNCTION_TERMS]
    if "".join(found).isascii():
        return found
    return [term for term in found if not _CHINESE.search(term)]


# Where the best found is so relevant, no word need be another one: of a query of a few terms; of more, the others find
# what is meant, unless they find nothing.
RELEVANT_ENOUGH, RELEVANT_AT_ALL = 0.6, 0.3
FEW_TERMS, MAX_TERMS = 4, 24
# A query of which more is unknown is not misspelt, but about something else.
MAX_UNKNOWN_TERMS, MAX_UNKNOWN_WORDS = 4, 2
_WORD = re.compile(r"[^\W_]+(?:[-._][^\W_]+)*")
Count = Callable[[CandidateQuery], Awaitable[Sequence[int]]]


class _QueryWord(NamedTuple):
    """A word of the text: where it stands, and as its terms have it."""

    begin: int
    end: int
    text: str


def is_misspelt(query: CandidateQuery, pool: CandidatePool) -> bool:
    """Whether no row has one of the query's words, and no candidate answers the query all the same."""
    if not 0 < len(query.terms) <= MAX_TERMS or not pool.relevance.size:
        return False
    border = math.log(pool.query.memories + 1)
    unknown = [rarity for rarity in pool.query.rarities if rarity > border]
    if not 0 < len(unknown) <= MAX_UNKNOWN_TERMS:
        return False
    enough = RELEVANT_ENOUGH if len(query.terms) <= FEW_TERMS else RELEVANT_AT_ALL
    return bool(np.maximum.reduce(pool.relevance) < enough)


async def respelled(text: str, query: CandidateQuery, pool: CandidatePool, count: Count) -> str | None:
    """The text with words that something has in place of those that nothing has; None where there are none."""
    border = math.log(pool.query.memories + 1)
    unknown = {term for term, rarity in zip(query.terms, pool.query.rarities, strict=True) if rarity > border}
    words = [_QueryWord(*each.span(), folded(each[0])) for each in _WORD.finditer(text)]
    unknown_words = [each for each in words if _is_unknown(each, unknown)]
    if len(unknown_words) > MAX_UNKNOWN_WORDS:
        return None
    others = [
        (first.begin, second.end, joined((first.text, second.text)))
        for first, second in pairwise(words)
        if second.begin - first.end == 1 and (first in unknown_words or second in unknown_words)
    ]
    others += [(word.begin, word.end, spellings(word.text)) for word in unknown_words]
    split = [(word.begin, word.end, parts) for word in unknown_words for parts in splits(word.text)]
    known_by = dict.fromkeys(chain.from_iterable(terms for _, _, terms in others))
    if not known_by and not split:
        return None
    parts = dict.fromkeys(terms_of_spelling(part)[-1] for _, _, both in split for part in both)
    terms = list(dict.fromkeys((*known_by, *content_terms(parts))))
    matches = await count(replace(query, terms=terms, statistics=None))
    had = dict.fromkeys(compress(terms, matches))
    found = [_spelling_of(term, others) for term in had if term in known_by]
    found += [
        (begin, end, " ".join(both))
        for begin, end, both in split
        if all(terms_of_spelling(part)[-1] in had for part in both)
    ]
    return _replaced(text, found)


def _spelling_of(term: str, others: Sequence[tuple[int, int, Mapping[str, str]]]) -> tuple[int, int, str]:
    """The first spelling with this term: the begin and end of the word that it replaces, and its text."""
    return next((begin, end, terms[term]) for begin, end, terms in others if term in terms)


def _is_unknown(word: _QueryWord, unknown: set[str]) -> bool:
    """Whether nothing has the word as a whole; of a plain word, nor its stem."""
    terms = terms_of_spelling(word.text)
    return unknown.issuperset(terms if word.text.isalpha() else terms[:1])


def _replaced(text: str, found: Sequence[tuple[int, int, str]]) -> str | None:
    """The text with the first of the spellings that overlap."""
    chosen: list[tuple[int, int, str]] = []
    for begin, end, spelling in found:
        if all(end <= other_begin or begin >= other_end for other_begin, other_end, _ in chosen):
            chosen.append((begin, end, spelling))
    if not chosen:
        return None
    for begin, end, spelling in sorted(chosen, reverse=True):
        text = text[:begin] + spelling + text[end:]
    return text


# A candidate below this relevance is not about the event.
MIN_EVENT_RELEVANCE = 0.5
# A candidate with at least this share of the best one's odds is a rival. Rivals must have happened at about the same
# time: otherwise the event happened more than once, or its time is unclear. Odds are compared, not relevance: in a
# script that a model knows little of, the relevance of every text in that script is nearly 1.
RIVAL_SHARE, MAX_APART = 0.05, timedelta(days=3)
# Single precision does not tell relevances above this from one another.
MAX_RELEVANCE = 1 - 1e-6
CANDIDATES_PER_ARM = 16
# A text that names a longer time does not say when the event was.
MAX_NAMED = timedelta(days=7)


def event_query(query: CandidateQuery, terms: Sequence[str], vector: Vector | None) -> CandidateQuery:
    """The search for texts about an event itself, without neighbours and linked rows."""
    return replace(
        query,
        terms=terms,
        vector=vector,
        candidates_per_arm=CANDIDATES_PER_ARM,
        with_neighbours=False,
        with_vectors=False,
        follows_links=False,
        signals={},
    )


async def query_window(
    text: str, now: datetime, event_candidates: Callable[[str], Awaitable[CandidatePool | None]]
) -> TimeWindow | None:
    """The time that a query asked at `now` names, if any: by a date, or else by an event. `event_candidates` finds
    texts about an event, or returns None if nothing can be searched. Raises what it raises."""
    if len(text) > SHORT:
        # The times of what was pasted are not those that are asked about.
        text = next(iter(query_parts(text)), text)
    if len(text) > MAX_QUERY_CHARACTERS or not may_name_time(text):
        return None
    if (window := await time_window(text, now)) is not None:
        return window
    return await _anchored_window(text, in_zone(now, UTC), event_candidates)


async def _anchored_window(
    text: str, now: datetime, event_candidates: Callable[[str], Awaitable[CandidatePool | None]]
) -> TimeWindow | None:
    cost = TIMES_COST * len(text)
    anchor = await off_loop(cost, partial(anchor_of, text))
    if anchor is None:
        return None
    pool = await event_candidates(anchor.text)
    relevance = 0.0 if pool is None else float(pool.relevance.max(initial=0.0))
    told = TimeAnchor(anchor.text, relevance=relevance)
    unknown = TimeWindow(None, None, text[anchor.begin : anchor.end], told)
    if pool is None:
        return unknown
    best = certain_event(pool.relevance, pool.occurred_at, pool.memory_ids)
    if best is None:
        return unknown
    content = pool.texts([best])[0][:MAX_TEXT_CHARACTERS]
    happened = moment(int(pool.occurred_at[best]))
    read = partial(time_of_event, content, happened)
    span = await off_loop(TIMES_COST * len(content), read)
    named = await off_loop(cost, partial(window_at, text, anchor, span, now))
    if named is None:
        return unknown
    told = replace(told, id=row_ref(pool.memories([best])[0]))
    return TimeWindow(named.span.begin, named.span.end, named.text, told)


def certain_event(relevance: Column, occurred_at: Microseconds, memory_ids: NDArray[np.uint64]) -> int | None:
    """The index of the candidate that is about the event; None if none is likely to be, or if rivals happened at
    another time. Ties go to the lowest id."""
    if not len(relevance):
        return None
    best = int(np.lexsort((memory_ids[:, 1], memory_ids[:, 0], -relevance))[0])
    if relevance[best] < MIN_EVENT_RELEVANCE:
        return None
    likely = np.minimum(relevance.astype(np.float64), MAX_RELEVANCE)
    odds = likely / (1 - likely)
    rivals = occurred_at[odds >= RIVAL_SHARE * odds[best]]
    apart = np.abs(rivals - occurred_at[best]).max()
    return best if apart <= MAX_APART / timedelta(microseconds=1) else None


def time_of_event(text: str, happened: datetime) -> TimeSpan:
    """The time of the event in a text: the one other time that the text names, or else when it happened."""
    told = TimeSpan(happened, happened)
    if not names_time(text):
        return told
    spans = [each.span for each in times_in(text, happened) if each.span.is_closed]
    return spans[0] if len(spans) == 1 and _is_another_time(spans[0], happened) else told


def _is_another_time(span: TimeSpan, happened: datetime) -> bool:
    if span.begin is None or span.end is None or span.end - span.begin > MAX_NAMED:
        return False
    return not span.begin <= happened < span.end
