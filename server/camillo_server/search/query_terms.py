"""The index terms of a query, without the function words of five languages."""

import re
from collections.abc import Iterable

from camillo_server.kernel.off_loop import TimeSlices
from camillo_server.lib.text.index_terms import (
    FUNCTION_TERMS,
    MAX_WHOLE_CHARACTERS,
    index_terms,
    slices_of,
    written_terms,
)

# Longer queries are left to the dense arm: in the lexical arm more terms only blur the result.
QUERY_TERMS = 64
# Function words of Arabic, Hebrew, Hindi and Chinese: hardly a statement has the words that questions are asked with, so that these would
# be the rarest terms of a query; postpositions and the like are in all of them. Words that mean something else, too, are not listed.
# Function words of Russian and of other languages in Latin script stay in: without them some suites find more, others
# less (docs/adr/queries-and-readings.md).
_WORDS = """
في إلى على عن مع هل ما ماذا متى أين كيف كم لماذا أي هذا هذه ذلك تلك التي الذي الذين هو هي هم نحن أنا أن إن كان كانت أو لا لم لن قد ثم عند بعد قبل كل حتى
لكن أنها أنه بماذا بمن عندما
של את על אל עם זה זו זאת הוא היא הם מה מי איפה היכן מתי איך כמה למה מדוע איזה איזו אילו האם יש אין לא כן או גם כי אם אני אתה אנחנו
क्या कौन किस किसे किसने किसका किसकी किसके किसको किसमें कहाँ कब कैसे कैसा कैसी कितना कितनी कितने क्यों कौनसा का की के को में से पर ने है हैं था थी थे हो होता होती
होते और या यह वह ये वे इस उस इन उन तो भी ही हम मैं आप कि जो तक लिए सा सी नहीं
"""
# Function characters of Chinese, which is cut into characters and pairs: a pair with one of these tells nothing either.
_CHINESE = re.compile("[的了吗呢吧们这那哪谁什么怎我你他她它]")

_FUNCTION_TERMS = FUNCTION_TERMS | frozenset(written_terms(_WORDS))


def query_terms(text: str) -> list[str]:
    """The different index terms of a query, in order, at most 64; function words only if there is nothing else."""
    return _chosen(dict.fromkeys(index_terms(text)))


async def terms_of_query(text: str) -> list[str]:
    """`query_terms`; a long text is read slice by slice, until there are enough."""
    if len(text) <= MAX_WHOLE_CHARACTERS:
        return query_terms(text)
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
