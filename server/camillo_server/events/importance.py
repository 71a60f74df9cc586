"""How important an event is where its caller does not state it: the first rule that fits decides.

Rules of words know English, German, Spanish, French, Chinese, Japanese, Russian and Arabic.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from camillo_server.events.event import (
    ActorType,
    Event,
    EventKind,
    TextContent,
    ToolCallContent,
    ToolResultContent,
)

USUAL = 0.5
# So much of the beginning and of the end of a text is read.
BEGINNING, END = 1_536, 512
# A longer text says more than thanks.
LONGEST_SMALL_TALK = 80


@dataclass(frozen=True, slots=True)
class Phrases:
    """Patterns of words in lower case, and parts of them: every match of a pattern contains one of the parts, and
    begins and ends at most `before` and `after` characters from it. Most texts have none, and looking for parts costs
    little."""

    parts: tuple[str, ...]
    ascii_parts: tuple[str, ...]
    pattern: re.Pattern[str]
    before: int = 32
    after: int = 48

    def are_in(self, lower: str) -> bool:
        """Whether a text in lower case has one of them."""
        parts = self.ascii_parts if lower.isascii() else self.parts
        found = [part for part in parts if part in lower]
        return bool(found) and any(
            self.pattern.search(lower, *window) for window in self._windows(lower, found)
        )

    def _windows(self, lower: str, parts: Sequence[str]) -> Iterator[tuple[int, int]]:
        """The surroundings of the parts; none overlaps another, so that nothing is read twice."""
        starts = sorted(at for part in parts for at in _occurrences(part, lower))
        start = end = 0
        for at in starts:
            if at - self.before > end:
                if end:
                    yield start, end
                start = at - self.before
            end = at + self.after
        if end:
            yield start, end


def _occurrences(part: str, lower: str) -> Iterator[int]:
    at = lower.find(part)
    while at >= 0:
        yield at
        at = lower.find(part, at + len(part))


def _phrases(parts: str, *patterns: str, after: int = 48) -> Phrases:
    """`parts` are separated by bars."""
    all_parts = tuple(parts.split("|"))
    ascii_parts = tuple(filter(str.isascii, all_parts))
    return Phrases(all_parts, ascii_parts, re.compile("|".join(patterns)), after=after)


# Letters of Latin, Greek, Cyrillic and Arabic.
_SPACED = r"a-z\u00c0-\u052f\u0620-\u06ff"


def _only(*patterns: str, symbols: str = "") -> re.Pattern[str]:
    """Matches nothing but some of these words, whole in scripts with spaces, and punctuation; `symbols` are a text
    alone. What has matched is not tried in another way (`*+`): a row of symbols has more readings than there is time
    for."""
    words = rf"(?:{'|'.join(patterns)})(?![{_SPACED}])[\W_]*+"
    only_words = rf"\W*+(?:{words}){{1,6}}"
    if not symbols:
        return re.compile(only_words)
    begun = rf"\W*?{symbols}(?![{_SPACED}])[\W_]*+(?:{words}){{0,5}}"
    return re.compile(f"{begun}|{only_words}")


# As an instruction: neither "do you remember" nor "I remember".
REMEMBER = _phrases(
    "remember|forget|keep |make a note|merk|vergiss|denk daran|olvide|recuerd|toma nota|en cuenta|souven|souvien|retien|reten"
    "|oublie|en mémoire|记|記|忘|覚えて|覚えと|запомни|забудь|в виду|تذك|لا تنس|احفظ",
    r"(?:^|[.!?:;,\n]\s*|\b(?:please|must|should|always|and|also)\s+)remember\s*"
    r"(?::|\b(?:this|that|to|my|our|the|never|always)\b)(?![^.!\n]{0,200}\?)",
    r"\b(?:don['’]t|do not) forget\b|\bkeep (?:this |that )?in mind\b|\bmake a note (?:of|that)\b",
    r"\bmerke? dir\b|\bbitte merken\b|\bvergiss (?:bitte )?(?:nicht|nie)\b|\bdenk daran\b|\bmerken sie sich\b",
    r"\b(?:recuerda|recuerde) (?:esto|que)\b|\bno (?:te )?olvides?\b|\btoma nota\b|\bten(?:ga)? en cuenta\b",
    r"\b(?:souviens-toi|souvenez-vous|retiens|retenez)\b|\bn['’]oublie[sz]? pas\b|\bgardez? en mémoire\b",
    r"[记記]住|请记得|請記得|[别別]忘了|不要忘[记記]",
    r"覚えておいて|覚えといて|覚えてください|忘れないで|記憶して(?:おいて|ください)",
    r"\bзапомни(?:те)?\b|\bне забудь(?:те)?\b|\bимей(?:те)? в виду\b",
    r"تذك[ّ]?ر (?:هذا|ذلك|أن)|لا تنس|احفظ (?:هذا|ذلك)",
    after=240,
)

DECISION = _phrases(
    "decided|agreed |settled on|chose|opted|decision|go with|going with|entschieden|beschlossen|entscheidung|geeinigt"
    "|decidi|acorda|decisi|décid|convenu|choisi|决定|決定|決め|決まり|決まっ|商定|拍板|ことにし|にしましょう|решил|решено|договорились|قرر|قرار|اتفقنا",
    r"\b(?:we|i|they|you|team) (?:have |had |'ve )?(?:decided|agreed (?:to|on|that)|settled on|chose|opted)\b",
    r"\b(?:have|'ve|has|was|been|is|it's) decided\b|\b(?:final|our|my|the) decision\b|\bdecision:",
    r"\b(?:let's|we'll|we will|i'll|i will|going to|we are|we're|i'm) (?:go|going) with\b",
    r"\bentschieden\b|\bbeschlossen\b|\bentscheidung\b|\bgeeinigt\b",
    r"\b(?:hemos|he|ha|han) (?:decidido|acordado)\b|\bdecidimos\b|\bacordamos\b|\bdecisión\b",
    r"\b(?:avons|ai|a|ont|été) (?:décidé|convenu|choisi)\b|\bla décision\b|\bdécision\s*:",
    r"[决決]定|商定|拍板",
    r"決め(?:た|まし|て)|決まり|決まっ|にしましょう|ことにし(?:た|ます|まし)",
    r"\bрешил[аио]?\b|\bрешено\b|\bдоговорились\b",
    r"\b(?:و|ف)?(?:قررنا|قررت|(?:ال)?قرار|اتفقنا|تقرر)\b",
)

APPROVAL = _phrases(
    "approv|approuv|signed off|sign-off|authori|genehmig|freig|aproba|aprobó|autoriza|autorisé|approba|批准|同意了|审批|審批|核准"
    "|承認|許可|認可|одобр|утвержд|согласован|وافق",
    r"\bapprove[ds]?\b|\bapproval\b|\bsigned off\b|\bsign-off\b|\bauthori[sz]ed\b",
    r"\bgenehmig(?:t|e|ung)\b|\bfreigegeben\b|\bfreigabe\b",
    r"\baprob(?:ado|ada|amos|ó|ación)\b|\bautorizad[oa]\b",
    r"\bapprouv(?:é|ée|ons|ez|e)\b|\bapprobation\b|\bautorisée?\b",
    r"批准|同意了|[审審]批|核准",
    r"承認|許可(?:し|が|を)|認可",
    r"\bодобр(?:ен|ил|ено|ение)\w*|\bутвержд(?:ен|аю|ено)\w*|\bсогласован\w*",
    r"\b(?:و|ف)?(?:وافق|وافقت|وافقوا|(?:ال)?موافقة)\b",
)

# Two digits at least: `$1` is a variable.
_NUMBER = r"\d[\d.,'\u00a0\u202f ]*\d"
_CODES = "usd|eur|gbp|jpy|cny|rmb|chf|inr|rub|aud|cad|brl|mxn|krw|sar|aed|egp"
AMOUNT = _phrases(
    "$|€|£|¥|₹|₽|₩|₺|￥|元|円|ドル|ユーロ|人民币|dollar|euro|yen|peso|dólar|franc|frank|руб|долл|евро"
    f"|ريال|دولار|يورو|جنيه|درهم|{_CODES}",
    rf"(?:[€£¥₹₽₩₺￥]|\$|\b(?:{_CODES}))\s?{_NUMBER}",
    rf"{_NUMBER}\s?(?:[€£₹₽₩₺]|\$(?!\w)|[万萬億亿]?(?:元|円|ドル|ユーロ|美元|欧元|人民币))",
    rf"{_NUMBER}\s?(?:{_CODES}|dollars?|euros?|yen|pesos|dólares|francs|franken|руб|долл|евро)",
    rf"{_NUMBER}\s?(?:ريال|دولار|يورو|جنيه|درهم)",
    r"\$\s?\d+\s?(?:k|m|bn|million|billion)\b",
)

ERROR = _phrases(
    "error|exception|traceback|failed|failure|crash|stack trace|fehler|fehlgeschlagen|abgestürzt|falló|ha fallado|excepción"
    "|erreur|échec|échoué|ошибк|сбой|исключение|错误|错誤|錯误|錯誤|失败|失敗|异常|異常|エラー|例外|خطأ|فشل",
    r"\b(?:error|exception|traceback|failed|failure|crash(?:ed|es)?|stack trace)\b|\w(?:error|exception):",
    r"\bfehler\b|\bfehlgeschlagen\b|\babgestürzt\b|\bfalló\b|\bha fallado\b|\bexcepción\b",
    r"\berreur\b|\béchec\b|\béchoué\b|\bошибк\w*|\bсбой\b|\bисключение\b",
    r"[错錯][误誤]|失[败敗]|[异異]常|エラー|例外|خطأ|فشل",
)

QUESTION = re.compile(r"[?\uff1f\u061f\u037e\u055e\u1367]")

ACKNOWLEDGEMENT = _only(
    r"ok(?:ay)?|k|thanks?(?: you)?(?: so much| very much| a lot)?|thx|ty|got it|sure|great|cool|nice|perfect",
    r"sounds good|will do|no problem|np|you['’]?re welcome|awesome|alright|understood|makes sense|lol|haha\w*",
    r"danke(?: schön| sehr)?|alles klar|gut|super|prima|passt|verstanden|gerne|bitte",
    r"(?:muchas )?gracias|vale|de acuerdo|genial|perfecto|entendido|de nada",
    r"merci(?: beaucoup)?|d['’]accord|parfait|entendu|compris|de rien",
    r"好的?|谢谢|謝謝|多谢|嗯++|收到|明白了?|知道了|不客气|哈哈++|行",
    r"ありがとう(?:ございます|ございました)?|はい|了解(?:です|しました)?|わかりました|分かりました|なるほど|どうも",
    r"спасибо(?: большое)?|хорошо|ладно|понятно|понял|поняла|ясно|пожалуйста|отлично",
    r"شكرا(?:ً)?|شكراً|حسنا|حسناً|تمام|جيد|مفهوم|عفوا",
    symbols=r"[\U0001f44d\U0001f64f\U0001f600-\U0001f60f\U0001f389\u2764\u2705\ufe0f]",
)

GREETING = _only(
    r"hi|hello|hey(?: there)?|bye|goodbye|see you(?: later| soon| tomorrow)?|good (?:morning|afternoon|evening|night)",
    r"how are you(?: doing)?(?: today)?|have a (?:nice|good|great) (?:day|evening|weekend)",
    r"hallo|tschüss?|guten (?:morgen|tag|abend)|gute nacht|auf wiedersehen|wie geht['’]?s|servus|moin",
    r"hola|adiós|hasta luego|buen(?:os|as) (?:días|tardes|noches)|qué tal",
    r"bonjour|salut|au revoir|bonsoir|bonne (?:journée|soirée|nuit)|ça va|à bientôt",
    r"你好|您好|早上好|早安|晚安|再[见見]|拜拜|大家好",
    r"こんにちは|こんばんは|おはよう(?:ございます)?|おやすみ(?:なさい)?|さようなら|じゃあね|またね",
    r"привет|здравствуйте?|добр(?:ое утро|ый день|ый вечер)|пока|до свидания|как дела",
    r"مرحبا|مرحباً|أهلا|أهلاً|السلام عليكم|صباح الخير|مساء الخير|مع السلامة|كيف حالك",
)


@dataclass(frozen=True, slots=True)
class Rule:
    """The importance of the events that a rule fits; `fits` gets the event, and its text in lower case."""

    name: str
    importance: float
    fits: Callable[[Event, str], bool]


def importance(event: Event) -> float:
    """0 to 1: that of the caller, else of the first rule that fits the event as a whole."""
    if event.importance is not None:
        return event.importance
    content = event.content
    text = _ends(content.text).lower() if isinstance(content, TextContent) else ""
    return next((rule.importance for rule in RULES if rule.fits(event, text)), USUAL)


def _ends(text: str) -> str:
    return text if len(text) <= BEGINNING + END else f"{text[:BEGINNING]}\n{text[-END:]}"


def _says(phrases: Phrases) -> Callable[[Event, str], bool]:
    return lambda event, text: phrases.are_in(text)


def _asks_to_remember(event: Event, text: str) -> bool:
    """Whether a human asks for it: a page or a tool gives no instructions."""
    return event.actor.type is ActorType.HUMAN and REMEMBER.are_in(text)


def _is_small(pattern: re.Pattern[str]) -> Callable[[Event, str], bool]:
    return lambda event, text: (
        0 < len(text) <= LONGEST_SMALL_TALK and pattern.fullmatch(text.strip()) is not None
    )


def _failed(event: Event, text: str) -> bool:
    content = event.content
    return isinstance(content, ToolResultContent) and (content.is_error or bool(content.exit_code))


def _is_a(kind: EventKind) -> Callable[[Event, str], bool]:
    return lambda event, text: event.kind is kind


RULES: Sequence[Rule] = (
    Rule("asked to remember", 1.0, _asks_to_remember),
    Rule("a decision", 0.9, _is_a(EventKind.DECISION)),
    Rule("a tool failed", 0.7, _failed),
    Rule("a call of a tool", 0.3, lambda event, text: isinstance(event.content, ToolCallContent)),
    Rule("thanks, consent", 0.1, _is_small(ACKNOWLEDGEMENT)),
    Rule("greetings", 0.2, _is_small(GREETING)),
    Rule("tells of a decision", 0.9, _says(DECISION)),
    Rule("tells of an approval", 0.85, _says(APPROVAL)),
    Rule("names an amount of money", 0.8, _says(AMOUNT)),
    Rule("tells of an error", 0.7, _says(ERROR)),
    Rule("asks something", 0.5, lambda event, text: QUESTION.search(text) is not None),
)
"""In order: the first that fits holds."""
