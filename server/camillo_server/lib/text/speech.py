"""Reads a text as an utterance: who says it, whether it asks, tells or is small talk, and how important it is where
nobody states that. By rules, in any language; those of importance, of which the first that fits decides, know English,
German, Spanish, French, Portuguese, Chinese, Japanese, Russian, Arabic and Hindi."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from camillo_server.lib.text.index_terms import index_terms


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
        return bool(found) and any(self.pattern.search(lower, *window) for window in self._windows(lower, found))

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


def phrases(parts: str, *patterns: str, after: int = 48) -> Phrases:
    """`parts` are separated by bars."""
    all_parts = tuple(parts.split("|"))
    ascii_parts = tuple(filter(str.isascii, all_parts))
    return Phrases(all_parts, ascii_parts, re.compile("|".join(patterns)), after=after)


# Letters of Latin, Greek, Cyrillic, Arabic and Devanagari, and the marks on them.
_SPACED = r"a-z\u00c0-\u052f\u0620-\u06ff\u0900-\u097f"


def only(*patterns: str, symbols: str = "") -> re.Pattern[str]:
    """Matches texts of nothing but some of these words, whole in scripts with spaces, and punctuation; `symbols` are a
    text alone. Does not backtrack into a match (`*+`): a row of symbols has more readings than there is time for."""
    words = rf"(?:{'|'.join(patterns)})(?![{_SPACED}])[\W_]*+"
    only_words = rf"\W*+(?:{words}){{1,6}}"
    if not symbols:
        return re.compile(only_words)
    begun = rf"\W*?{symbols}(?![{_SPACED}])[\W_]*+(?:{words}){{0,5}}"
    return re.compile(f"{begun}|{only_words}")


# The importance of a text that somebody asks to remember.
EXPLICIT = 1.0
USUAL = 0.5
# The characters that are read at the beginning and at the end of a text.
BEGINNING, END = 1_536, 512
# A longer text says more than thanks.
LONGEST_SMALL_TALK = 80

# Phrases that instruct: neither "do you remember" nor "I remember".
REMEMBER = phrases(
    "remember|forget|keep |make a note|merk|vergiss|denk daran|olvide|recuerd|toma nota|en "
    "cuenta|souven|souvien|retien|reten"
    "|oublie|en mémoire|记|記|忘|覚えて|覚えと|запомни|забудь|в виду|تذك|لا تنس|احفظ"
    "|lembr|esque|em mente|tome nota|याद रख|भूल|ध्यान",
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
    r"\blembr(?:e-se|a-te|em-se|e)\b,? (?:de|que|dis[st]o|is[st]o|d[aeo]s?)\b|\bnão (?:se |te "
    r")?esque(?:ça|ças|ce|cer)\b",
    r"\b(?:tenha|tem|tenham) (?:is[st]o )?em mente\b|\btom[ea] nota\b",
    r"याद रख(?:ना|ें|ो|िए|िएगा)|(?:मत|न|ना) भूल(?:ना|ें|ो|िए|िएगा)|भूल(?:ना|ें|िए|िएगा) मत|ध्यान (?:में "
    r")?रख(?:ना|ें|ो|िए|िएगा)",
    after=240,
)

DECISION = phrases(
    "decided|agreed |settled on|chose|opted|decision|go with|going with|entschieden|beschlossen|entscheidung|geeinigt"
    "|decidi|acorda|decisi|décid|convenu|choisi|决定|決定|決め|決まり|決まっ|商定|拍板|ことにし|にしましょう|решил|решено|договорились|قرر|قرار|اتفقنا"
    "|decisão|decidi|combinámos|combinamos|optámos|optamos|acordám|ैसल|निर्णय|तय ",
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
    r"\bdecidi(?:|u|mos|ram)\b|\b(?:foi|ficou) decidido\b|\bdecisão\b|\b(?:combin|opt|acord)[aá]mos\b",
    r"(?:फ\u093c?|\u095e)ैसल[ाेो]|निर्णय|तय (?:किया|हुआ|कर लिया)",
)

APPROVAL = phrases(
    "approv|approuv|signed off|sign-off|authori|genehmig|freig|aproba|aprobó|autoriza|autorisé|approba|批准|同意了|审批|審批|核准"  # noqa: E501
    "|承認|許可|認可|одобр|утвержд|согласован|وافق"
    "|aprov|मंज|मं\u095b|स्वीकृ|अनुमोद|अनुमति",
    r"\bapprove[ds]?\b|\bapproval\b|\bsigned off\b|\bsign-off\b|\bauthori[sz]ed\b",
    r"\bgenehmig(?:t|e|ung)\b|\bfreigegeben\b|\bfreigabe\b",
    r"\baprob(?:ado|ada|amos|ó|ación)\b|\bautorizad[oa]\b",
    r"\bapprouv(?:é|ée|ons|ez|e)\b|\bapprobation\b|\bautorisée?\b",
    r"批准|同意了|[审審]批|核准",
    r"承認|許可(?:し|が|を)|認可",
    r"\bодобр(?:ен|ил|ено|ение)\w*|\bутвержд(?:ен|аю|ено)\w*|\bсогласован\w*",
    r"\b(?:و|ف)?(?:وافق|وافقت|وافقوا|(?:ال)?موافقة)\b",
    r"\baprov(?:ad[oa]s?|amos|ámos|ou|aram|ação)\b",
    r"मं(?:ज\u093c?|\u095b)ूर|स्वीकृ(?:त|ति)|अनुमोद(?:ित|न)|अनुमति (?:दी|मिल)",
)

# Two digits at least: `$1` is a variable.
_NUMBER = r"\d[\d.,'\u00a0\u202f ]*\d"
_CODES = "usd|eur|gbp|jpy|cny|rmb|chf|inr|rub|aud|cad|brl|mxn|krw|sar|aed|egp"
AMOUNT = phrases(
    "$|€|£|¥|₹|₽|₩|₺|￥|元|円|ドル|ユーロ|人民币|dollar|euro|yen|peso|dólar|franc|frank|руб|долл|евро"
    f"|ريال|دولار|يورو|جنيه|درهم|reais|रुप|डॉलर|यूरो|{_CODES}",
    rf"(?:[€£¥₹₽₩₺￥]|\$|\b(?:{_CODES}))\s?{_NUMBER}",
    rf"{_NUMBER}\s?(?:[€£₹₽₩₺]|\$(?!\w)|[万萬億亿]?(?:元|円|ドル|ユーロ|美元|欧元|人民币))",
    rf"{_NUMBER}\s?(?:{_CODES}|dollars?|euros?|yen|pesos|dólares|francs|franken|руб|долл|евро)",
    rf"{_NUMBER}\s?(?:ريال|دولار|يورو|جنيه|درهم)",
    rf"{_NUMBER}\s?(?:reais\b|रुपय[ाे]|रुपए|डॉलर|यूरो)",
    r"\$\s?\d+\s?(?:k|m|bn|million|billion)\b",
)

ERROR = phrases(
    "error|exception|traceback|failed|failure|crash|stack trace|fehler|fehlgeschlagen|abgestürzt|falló|ha "
    "fallado|excepción"
    "|erreur|échec|échoué|ошибк|сбой|исключение|错误|错誤|錯误|錯誤|失败|失敗|异常|異常|エラー|例外|خطأ|فشل"
    "|erro|falh|exceção|त्रुटि|विफल|असफल",
    r"\b(?:error|exception|traceback|failed|failure|crash(?:ed|es)?|stack trace)\b|\w(?:error|exception):",
    r"\bfehler\b|\bfehlgeschlagen\b|\babgestürzt\b|\bfalló\b|\bha fallado\b|\bexcepción\b",
    r"\berreur\b|\béchec\b|\béchoué\b|\bошибк\w*|\bсбой\b|\bисключение\b",
    r"[错錯][误誤]|失[败敗]|[异異]常|エラー|例外|خطأ|فشل",
    r"\berros?\b|\bfalh(?:ou|as?|aram)\b|\bexceção\b|त्रुटि|विफल|असफल",
)

# Verbs of things done, for phrases in the active or the passive.
_DONE = (
    "sent|paid|signed|deployed|published|merged|shipped|booked|ordered|cancell?ed|refunded|transferred|submitted|filed|launched"
    "|upgraded|deleted|migrated"
)
ACTION = phrases(
    "sent|paid|signed|deployed|publish|merged|shipped|booked|ordered|cancel|refunded|transferred|submitted|filed|launched"
    "|upgraded|deleted|migrated|gesendet|verschickt|bezahlt|unterschrieben|bestellt|gebucht|storniert|veröffentlicht|überwiesen"
    "|erstattet|eingereicht|envi|pag|firm|desplega|transferi|envoy|payé|signé|publi|annulé|réservé|commandé|déployé|rembours"
    "|assin|reserv|已|了|送信|署名|公開|デプロイ|提出|キャンセル|予約|返金|送金|発注|支払|отправ|оплач|оплат|подпис|опублик|развер"
    "|отмен|заброн|заказ|أرسل|دفع|وقع|نشرنا|ألغي|حجز|تم |भेज|चुका|रद्द|बुक|भुगतान|हस्ताक्षर|जमा",
    rf"\b(?:i|we|they|he|she|you|team|agent)(?: have| has| had|['’]ve)? (?:{_DONE})\b",
    rf"\b(?:was|were|has been|have been|is|are) (?:{_DONE})\b",
    r"\b(?:gesendet|verschickt|bezahlt|unterschrieben|bestellt|gebucht|storniert|veröffentlicht|überwiesen|erstattet|eingereicht)\b",
    r"\b(?:envi|pag|firm|public|cancel|reserv|despleg)(?:amos|ado|ada|ados|adas)\b|\btransferi(?:mos|do|da)\b|\b(?:pagó|envió|firmó)\b",
    r"\b(?:envoy|pay|sign|publi|annul|réserv|command|déploy|rembours)ée?s?\b",
    r"\b(?:enviei|enviou|paguei|pagou|assinei|assinou|assinado|publicou|cancelou|reservou)\b",
    r"已(?:经|經)?(?:发送|付款|支付|签署|发布|部署|提交|取消|预订|退款|转账|上线)|(?:发送|支付|签署|发布|部署|提交|取消|预订|转账|上线)了",
    r"(?:送信|署名|公開|デプロイ|提出|キャンセル|予約|返金|送金|発注)(?:した|しました|済み)|支払(?:った|いました|い済み)",
    r"\b(?:отправи|оплати|подписа|опубликова|разверну|отмени|забронирова|заказа)л[аи]?\b",
    r"\b(?:отправлен|оплачен|подписан|опубликован|развернут|отмен[её]н|забронирован|заказан)[аоы]?\b",
    r"\b(?:و|ف)?(?:أرسلنا|أرسلت|دفعنا|دفعت|وقعنا|وقعت|نشرنا|ألغينا|ألغيت|حجزنا|حجزت)\b|\bتم "
    r"(?:إرسال|دفع|توقيع|نشر|إلغاء|حجز|تحويل)",
    r"(?:भेज|चुका) (?:दिया|दिए|दी)|(?:रद्द|बुक|जमा) (?:किया|किए|की|कर दिया)|भुगतान (?:किया|हुआ)|हस्ताक्षर "
    r"(?:किए|किया|हुए)",
)

QUESTION = re.compile(r"[?\uff1f\u061f\u037e\u055e\u1367]")

ACKNOWLEDGEMENT = only(
    r"ok(?:ay)?|k|thanks?(?: you)?(?: so much| very much| a lot)?|thx|ty|got it|sure|great|cool|nice|perfect",
    r"sounds good|will do|no problem|np|you['’]?re welcome|awesome|alright|understood|makes sense|lol|haha\w*",
    r"danke(?: schön| sehr)?|alles klar|gut|super|prima|passt|verstanden|gerne|bitte",
    r"(?:muchas )?gracias|vale|de acuerdo|genial|perfecto|entendido|de nada",
    r"merci(?: beaucoup)?|d['’]accord|parfait|entendu|compris|de rien",
    r"好的?|谢谢|謝謝|多谢|嗯++|收到|明白了?|知道了|不客气|哈哈++|行",
    r"ありがとう(?:ございます|ございました)?|はい|了解(?:です|しました)?|わかりました|分かりました|なるほど|どうも",
    r"спасибо(?: большое)?|хорошо|ладно|понятно|понял|поняла|ясно|пожалуйста|отлично",
    r"شكرا(?:ً)?|شكراً|حسنا|حسناً|تمام|جيد|مفهوم|عفوا",
    r"(?:muito )?obrigad[oa]|valeu|entendi|perfeito|está bem|tá(?: bom)?|ótimo|beleza|combinado",
    r"(?:बहुत )?(?:धन्यवाद|शुक्रिया)|ठीक(?: है)?|अच्छा|समझ ग(?:या|ई)|हाँ|हां|जी|बढ़िया",
    symbols=r"[\U0001f44d\U0001f64f\U0001f600-\U0001f60f\U0001f389\u2764\u2705\ufe0f]",
)

GREETING = only(
    r"(?:hi|hello|hey)(?: there| again)?|bye|goodbye|see you(?: later| soon| tomorrow)?|good "
    r"(?:morning|afternoon|evening|night)",
    r"how are you(?: doing)?(?: today)?|have a (?:nice|good|great) (?:day|evening|weekend)",
    r"hallo|tschüss?|guten (?:morgen|tag|abend)|gute nacht|auf wiedersehen|wie geht['’]?s|servus|moin",
    r"hola|adiós|hasta luego|buen(?:os|as) (?:días|tardes|noches)|qué tal",
    r"bonjour|salut|au revoir|bonsoir|bonne (?:journée|soirée|nuit)|ça va|à bientôt",
    r"你好|您好|早上好|早安|晚安|再[见見]|拜拜|大家好",
    r"こんにちは|こんばんは|おはよう(?:ございます)?|おやすみ(?:なさい)?|さようなら|じゃあね|またね",
    r"привет|здравствуйте?|добр(?:ое утро|ый день|ый вечер)|пока|до свидания|как дела",
    r"olá|oi|bom dia|boa (?:tarde|noite)|tchau|até (?:logo|amanhã|breve)|tudo bem",
    r"नमस्ते|नमस्कार|सुप्रभात|शुभ रात्रि|अलविदा|फिर मिलेंगे|(?:आप )?कैसे (?:हो|हैं)",
    r"مرحبا|مرحباً|أهلا|أهلاً|السلام عليكم|صباح الخير|مساء الخير|مع السلامة|كيف حالك",
)


@dataclass(frozen=True, slots=True)
class Rule:
    """The importance of texts that have one of the phrases."""

    name: str
    importance: float
    phrases: Phrases


RULES: Sequence[Rule] = (
    Rule("asks to remember", EXPLICIT, REMEMBER),
    Rule("tells of a decision", 0.9, DECISION),
    Rule("tells of an approval", 0.85, APPROVAL),
    Rule("names an amount of money", 0.8, AMOUNT),
    Rule("tells of an error", 0.7, ERROR),
    Rule("tells what was done", 0.6, ACTION),
)
"""In order: the first that fits holds."""
SMALL_TALK = ((0.1, ACKNOWLEDGEMENT), (0.2, GREETING))
"""The importance of short texts that say nothing else."""

_PARTS = tuple((part, number) for number, rule in enumerate(RULES) for part in rule.phrases.parts)
_ASCII_PARTS = tuple((part, number) for part, number in _PARTS if part.isascii())


def text_importance(text: str, *, may_ask: bool, actions: bool) -> float:
    """The importance, 0 to 1. `may_ask`: its author may ask to remember it; `actions`: things done count, too."""
    if len(text) > BEGINNING + END:
        text = f"{text[:BEGINNING]}\n{text[-END:]}"
    lower = text.lower().strip()
    if 0 < len(lower) <= LONGEST_SMALL_TALK:
        for importance, pattern in SMALL_TALK:
            if pattern.fullmatch(lower):
                return importance
    # One look for the parts of all phrases: most texts have none.
    parts = _ASCII_PARTS if lower.isascii() else _PARTS
    found = {number for part, number in parts if part in lower}
    for number in sorted(found):
        rule = RULES[number]
        is_meant = _is_meant(rule, lower, may_ask=may_ask, actions=actions)
        if is_meant and rule.phrases.are_in(lower):
            return rule.importance
    return USUAL


def _is_meant(rule: Rule, lower: str, *, may_ask: bool, actions: bool) -> bool:
    if rule.phrases is REMEMBER:
        return may_ask
    # A question whether something was done does not tell that it was.
    return rule.phrases is not ACTION or (actions and QUESTION.search(lower) is None)


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

_QUESTION_MARKS = "?？؟"
_ENDS = ".!?…。！？؟։\n"
# At the end of a text: a short sentence, its question mark, and characters of no word.
_QUESTION = re.compile(
    rf"(?:\A|[{_ENDS}:：])[^{_ENDS}]{{1,{MAX_QUESTION_CHARACTERS}}}(?<!/)[{_QUESTION_MARKS}]\W*(?:\[[^\]]*\]\W*)?\Z"
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
    # Most texts have no question mark, and looking for one costs little.
    if not any(mark in tail for mark in _QUESTION_MARKS):
        return False
    return bool(_QUESTION.search(tail if len(text) <= _TAIL_CHARACTERS else f" {tail}"))


def speech_terms(text: str, actor: str = "") -> Iterator[str]:
    """The terms of a text as an utterance, beside those of its words: that it asks, the name of its speaker if it
    begins with one, and that a person says it."""
    if asks(text):
        yield ASKS
    # In the order of the text: equal rows are to be equal bytes in each process.
    speaker = speaker_before(text)
    said = dict.fromkeys(_said_by(speaker)) if speaker else {}
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


def speaker_before(text: str) -> str:
    """The name before the words of a text, as in `[12:30] Ana: hello`; empty where there is none."""
    found = _SPEAKER.match(text)
    return "" if found is None or len(found[1].split()) > MAX_NAME_WORDS else found[1]


def _said_by(speaker: str) -> Iterator[str]:
    terms = index_terms(speaker)
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
