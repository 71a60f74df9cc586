"""The terms of a query, and the parts of one that asks several things, or asks beside what was pasted: logs, code,
data, another text.

A part is a sentence or a short paragraph in a natural language. The question usually comes first or last, or ends in a
question mark.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from camillo_server.lib.text.index_terms import index_terms

MAX_PARTS = 6
MAX_PART_CHARACTERS = 400
# A query of so many characters is one question, unless it has two.
SHORT = 240
# A longer text is read at its beginning and its end.
MAX_READ_CHARACTERS = 16_000
# A line of more is no sentence, and its end and beginning are taken.
_SENTENCE = re.compile(r"[^.!?。！？؟…\n]*(?:[.!?؟…](?!\s|$)[^.!?。！？؟…\n]*)*[.!?。！？؟…;\u037e]*[\"'”’»)\]]*")
_QUESTION = re.compile(r"[?？؟\u037e⸮՞][\s\"'”’»)\]]*$|[α-ωά-ώ];\s*$|[吗呢][。\s]*$")
_MARK = re.compile(r"[?？؟\u037e⸮]")
_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_BLANK = re.compile(r"\n\s*\n")

_ASKING = [
    "what",
    "which",
    "who",
    "whom",
    "whose",
    "when",
    "where",
    "why",
    "how",
    "was",
    "welche",
    "welcher",
    "welches",
    "welchen",
    "wer",
    "wem",
    "wen",
    "wessen",
    "wann",
    "wo",
    "woher",
    "wohin",
    "warum",
    "wieso",
    "wie",
    "quel",
    "quelle",
    "quels",
    "quelles",
    "qui",
    "quoi",
    "quand",
    "où",
    "pourquoi",
    "comment",
    "combien",
    "qué",
    "cuál",
    "cuáles",
    "quién",
    "quiénes",
    "cuándo",
    "dónde",
    "cómo",
    "cuánto",
    "cuánta",
    "cuántos",
    "cuántas",
    "qual",
    "quais",
    "quem",
    "quando",
    "onde",
    "como",
    "quanto",
    "quanta",
    "quale",
    "quali",
    "chi",
    "dove",
    "perché",
    "wat",
    "welke",
    "wie",
    "wanneer",
    "waar",
    "waarom",
    "hoe",
    "vad",
    "vem",
    "när",
    "var",
    "varför",
    "hur",
    "co",
    "kto",
    "kiedy",
    "gdzie",
    "dlaczego",
    "jak",
    "jaki",
    "jaka",
    "jakie",
    "ne",
    "kim",
    "nerede",
    "nasıl",
    "neden",
    "что",
    "какой",
    "какая",
    "какое",
    "какие",
    "какую",
    "кто",
    "кого",
    "кому",
    "когда",
    "где",
    "куда",
    "откуда",
    "почему",
    "зачем",
    "как",
    "сколько",
    "чей",
    "ما",
    "ماذا",
    "من",
    "متى",
    "أين",
    "كيف",
    "لماذا",
    "كم",
    "הֵיכן",
    "מה",
    "מי",
    "מתי",
    "איפה",
    "איך",
    "למה",
    "कौन",
    "क्या",
    "कब",
    "कहाँ",
    "कैसे",
    "क्यों",
]
_ANY_ASKING = "|".join(sorted(set(_ASKING), key=len, reverse=True))
_ASKS = re.compile(
    rf"[\s\W]*(?:(?:{_ANY_ASKING})\b|(?:please|tell me|remind me|show me|find|give me|explain|list|bitte|sag "
    rf"mir|dis-moi|dime)\b)",
    re.IGNORECASE,
)
_AND = "and|und|et|y|e|och|og|en|oraz|i|и|а|ve|و|ו|और"
_BETWEEN_QUESTIONS = re.compile(
    rf"[,;،]?\s+(?:{_AND})\s+(?:also\s+)?(?=(?:{_ANY_ASKING})\b)|(?<=[?؟])\s+(?=\S)|(?<=？)\s*(?=\S)",
    re.IGNORECASE,
)
_CHINESE_ASKING = re.compile("什么|哪|谁|几|多少|怎|吗|何时|为何|何|誰|いつ|どこ|なに|무엇|언제|어디|누구")
_CHINESE_CLAUSE = re.compile("[，、；,]")
# Lines of logs, stack traces, code, data, tables and differences.
_NO_SENTENCE = re.compile(
    r"""\s*(?:at\s+[\w.$<>]+\(|File\s"|Traceback\s|Caused\ by:|\.{3}\s\d+\ more|@@|\+{3}\s|-{3}\s|diff\s--|index\s[0-9a-f]{6}
    |[+-]\s*[\w.]+\s*[(=:{]|[>$%#]\s|\#!|//|/\*|\*/|[{}\[\]|<]|\[?\d{4}-\d\d-\d\d|\[?\d\d:\d\d:\d\d|\w{3}\s+\d+\s\d\d:\d\d:\d\d
    |(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|TRACE|CRITICAL)\b|(?:def|class|import|from|return|const|let|var|function|public|private|if\s*\(|for\s*\()\s.*[:;({]\s*$
    |["'][\w.-]+["']\s*:|[\w.-]+=\S+\s*$)""",  # noqa: E501
    re.VERBOSE,
)
_SIGNS = re.compile(r"[{}\[\]()<>=|\\/_^~`#*;:&%$@+]")
# Words, and single characters of scripts that put no spaces between words.
_LETTER_RUN = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u9fff\uac00-\ud7ff]|[^\W\d_]{2,}"
)
MAX_SIGNS_SHARE, MIN_WORDS = 0.12, 2


def query_parts(text: str) -> list[str]:
    """The parts of a query, at most six, the likeliest question first; none if the query is one question."""
    if len(text) <= SHORT:
        if not _BETWEEN_QUESTIONS.search(text) and not _CHINESE_CLAUSE.search(text):
            return []
        return _distinct(_questions_within(text), text)
    return _distinct(_parts_of_long(_ends(text)), text)


def _questions_within(text: str) -> Iterator[str]:
    """The questions of a short query, where it has several."""
    found = [each for each in _BETWEEN_QUESTIONS.split(text) if each.strip()]
    if len(found) < 2:
        found = _CHINESE_CLAUSE.split(text)
        if sum(bool(_CHINESE_ASKING.search(each)) for each in found) < 2:
            return
    yield from found


def _ends(text: str) -> str:
    half = MAX_READ_CHARACTERS // 2
    return text if len(text) <= 2 * half else f"{text[:half]}\n\n{text[-half:]}"


def _parts_of_long(text: str) -> Iterator[str]:
    blocks = [[*_sentences(block)] for block in _BLANK.split(_FENCE.sub("\n\n", text))]
    blocks = [block for block in blocks if block]
    if not blocks:
        # Nothing is told in sentences: the last line may ask all the same.
        yield text.rstrip().rpartition("\n")[2]
        return
    sentences = [each for block in blocks for each in block]
    questions = [each for each in sentences if _QUESTION.search(each)]
    yield from (part for each in questions[::-1][:2] for part in (*_questions_within(each), each))
    for block in (blocks[-1], blocks[0]):
        yield _joined(block)
    yield sentences[-1]
    yield sentences[0]
    yield from (each for each in sentences[::-1] if _ASKS.match(each))
    yield from questions[::-1][2:]
    yield from sentences[1:-1]


def _sentences(block: str) -> Iterator[str]:
    for line in block.splitlines():
        if not _is_prose(line):
            continue
        for sentence in _SENTENCE.findall(line):
            if _LETTER_RUN.search(sentence):
                yield sentence.strip()


def _is_prose(line: str) -> bool:
    """Whether a line is in a language of people, or asks."""
    if not line.strip() or _NO_SENTENCE.match(line):
        return False
    signs, words = len(_SIGNS.findall(line)) / len(line), len(_LETTER_RUN.findall(line))
    return signs <= MAX_SIGNS_SHARE and words >= (1 if _QUESTION.search(line) else MIN_WORDS)


def _joined(sentences: list[str]) -> str:
    """A paragraph as one part; only the last sentence of a long one."""
    joined = " ".join(sentences)
    return joined if len(joined) <= MAX_PART_CHARACTERS else sentences[-1]


def _distinct(parts: Iterator[str], whole: str) -> list[str]:
    """The first parts that differ from one another, and from the whole."""
    known, found = {whole.strip()}, list[str]()
    for part in parts:
        part = part.strip()[-MAX_PART_CHARACTERS:]
        if part and part not in known:
            known.add(part)
            found.append(part)
            if len(found) == MAX_PARTS:
                break
    return found


@lru_cache(maxsize=512)
def terms_of_query(text: str) -> tuple[str, ...]:
    """`index_terms` of a text of MAX_WHOLE_CHARACTERS at most, which is read for its words and for its vector, and may
    be asked again."""
    return tuple(index_terms(text))
