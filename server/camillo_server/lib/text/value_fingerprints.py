"""Fingerprints by which a value is recognized again however it is written: by case, look-alikes, invisible characters,
white space or punctuation. A paraphrase has other fingerprints.

Characters that a reader takes for the same are folded to the same: NFKC_Casefold (Unicode, section 3.13) and, for a
few scripts, the confusables of Unicode's technical standard 39. Accents stay: they make another word. So do digits
that look like letters: `O1` and `01` are different names."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

import regex
from camillo_formats.characters import independent_pieces, normalized

from camillo_server.kernel.ids import TenantId
from camillo_server.lib.text.affixes import core, without_markup
from camillo_server.lib.text.index_terms import FUNCTION_WORDS
from camillo_server.lib.text.speech import LONGEST_SMALL_TALK, SMALL_TALK

LINE_END, SENTENCE_END = "\n", "\x1f"
# Shorter parts of a text say nothing of their own: "yes, please".
SHORTEST_PART = 12
# A value may be several sentences, or one that is wrapped over several lines.
LONGEST_RUN = 3
# Marks that end a sentence if there is a space behind them.
_SENTENCE_ENDS = ".!?:;"
# Marks that end a sentence in any case, and those that end a quotation or a cell of a table.
_ENDS = re.compile(
    '["(){}\\[\\]|\\t\u201c-\u201f\u00ab\u00bb\u300c-\u300f\u3002\u061f\u06d4\u0964\u0965\u0589\u1362\u104b\u17d4\u0f0d]'
)
# Other characters map to themselves: a miss costs several times a hit.
_ASCII_ENDS = {code: SENTENCE_END if _ENDS.match(chr(code)) else chr(code) for code in range(128)}
# Numbers of so many digits name something inside a sentence, too: telephones, accounts, cards. They are written in
# groups, and so many make up one.
LEAST_DIGITS, MOST_GROUPS = 6, 5
_SIGNS = r"[^\p{L}\p{N}\p{M}\n]{1,3}"
_DIGITS = re.compile("[0-9]+")
_NUMBERS = regex.compile(rf"[0-9]++(?:{_SIGNS}[0-9]++)*+")
_MAIL = regex.compile(r"(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]++[@＠﹫][\p{L}\p{N}-]++(?:\.[\p{L}\p{N}-]++)++")
_PIECE = re.compile(f"[^{LINE_END}{SENTENCE_END}]+")
# Further look-alikes, of all scripts.
CONFUSABLES = Path(__file__).with_name("confusables.txt")
_WITHOUT_ENDS = dict.fromkeys(map(ord, (LINE_END, SENTENCE_END)))
# Pairs of a character and the Latin letter that it is taken for, in small letters.
_CYRILLIC = ("авекмнорстухіјѕһԁԛԝӏьпгѵ", "abekmhopctyxijshdqwlbnrv")
_GREEK = ("αβγεζηικνορτυχω", "abyeznikvoptuxw")
_OTHERS = ("ıȷɑɡɩօսոհցզ", "ijagiounhgq")
# A capital that looks like another letter than its small one does, told by the Latin capital beside it.
_GREEK_CAPITAL = re.compile("(?<=[A-Z])[ΗΜΝΥ]|[ΗΜΝΥ](?=[A-Z])")
_GREEK_CAPITALS = str.maketrans("ΗΜΝΥ", "HMNY")

# Characters that show nothing: Cf and those that Unicode calls default ignorable; lines through letters and rings
# around them; marks that Arabic and Hebrew writing may leave out.
SHOWS_NOTHING = re.compile(
    "[\u00ad\u0334-\u0338\u034f\u0488\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u0600-\u0605\u061c"
    "\u0640\u064b-\u0652\u0670\u06dd\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u20dd-\u20e0\u20e2-\u20e4\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u070f\u0890\u0891\u08e2"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
# Wide marks that end a sentence without a space behind them are given one.
_WIDE_PUNCTUATION = tuple(zip("，！？：；（）", (",", "! ", "? ", ": ", ";", "(", ")"), strict=True))
# The usual characters of Chinese, Japanese and Korean texts, with ASCII: folding changes only their wide punctuation
# and the case of letters.
_PLAIN_IDEOGRAPHS = re.compile(
    "[\t\n\r -~\u2014\u2018\u2019\u201c\u201d\u3001\u3002\u3008-\u3011\u3014-\u301b\u3041-\u3096\u30a1-\u30fe"
    "\u4e00-\u9fff\uac00-\ud7a3，！？：；（）]*"
)
_FOREIGN_DIGIT = re.compile(r"[^\D0-9]")
# The ranges with punctuation: not ideographs, syllables and private characters.
_PUNCTUATED = (range(0x3200), range(0xA490, 0xAC00), range(0xFB00, 0x10000))
# ASCII characters that Unicode counts as symbols, and that are used as punctuation.
_ALSO_PUNCTUATION = "`^~|<>+="


def value_fingerprint(tenant_id: TenantId, text: str) -> bytes:
    """The fingerprint of the whole text: 32 bytes."""
    return _fingerprints(tenant_id, [_value(text, _readings(text))])[0]


def whole_fingerprints(tenant_id: TenantId, text: str) -> Sequence[bytes]:
    """The fingerprints by which the whole text may be blocked: in the present and the earlier forms of values."""
    readings = _readings(text)
    wholes = (reading.translate(_WITHOUT_ENDS) for reading in readings)
    return _fingerprints(tenant_id, dict.fromkeys((_value(text, readings), *wholes)))


def value_fingerprints(tenant_id: TenantId, text: str) -> Sequence[bytes]:
    """The fingerprint of the whole text, then those of its lines, of its sentences, and of up to three sentences in a
    row, each without affixes around it, and with them; and those of identifiers inside it. Empty for an empty text."""
    if not text:
        return ()
    readings = _readings(text)
    found = dict.fromkeys(_fingerprints(tenant_id, [_value(text, readings)]))
    for reading in readings:
        found |= dict.fromkeys(_reading_fingerprints(tenant_id, reading))
    return tuple(found | dict.fromkeys(_fingerprints(tenant_id, _identifiers(text))))


def line_fingerprints(tenant_id: TenantId, text: str) -> Sequence[bytes]:
    """The fingerprints of the lines of a text that is too long to be one value, and of identifiers inside it; of short
    lines none."""
    lines = {line for reading in _readings(text) for line in reading.replace(SENTENCE_END, "").split(LINE_END)}
    return _fingerprints(tenant_id, {line for line in lines if len(line) >= SHORTEST_PART}.union(_identifiers(text)))


def _identifiers(text: str) -> Iterator[str]:
    """The e-mail addresses and long numbers inside a text, each as the value that it would be by itself."""
    for address in _MAIL.findall(text) if any(sign in text for sign in "@＠﹫") else ():
        yield _value(address, _readings(address))
    for number in _NUMBERS.findall(text if text.isascii() else folded_text(text)):
        groups = _DIGITS.findall(number)
        for first in range(len(groups)):
            run = ""
            for group in groups[first : first + MOST_GROUPS]:
                run += group
                if len(run) >= LEAST_DIGITS:
                    yield run


def _value(text: str, readings: Sequence[str]) -> str:
    """The form of a whole text that is fingerprinted: without markup and affixes around it, if that leaves enough."""
    shown = readings[0].translate(_WITHOUT_ENDS)
    if len(shown) >= SHORTEST_PART:
        return shown
    looks, _ = _confusables()
    return readings[-1].translate(_WITHOUT_ENDS).translate(looks) or _bare(text)


def _readings(text: str) -> Sequence[str]:
    """The readings of a text: as it looks, without punctuation but for the ends of lines and sentences. First without
    affixes around lines and sentences; last with them, the earlier reading, by which older values are blocked."""
    whole = _with_ends(folded_text(text))
    unmarked = without_markup(text)
    shown = whole if unmarked == text else _with_ends(folded_text(unmarked))
    looks = [shown] if shown.isascii() else [_translated(shown, each) for each in _confusables()]
    cores = (_PIECE.sub(lambda piece: core(piece[0]), each) for each in dict.fromkeys(looks))
    return tuple(dict.fromkeys(map(without_punctuation, (*cores, whole))))


def folded_text(text: str) -> str:
    """A long text folded, piece by piece: steps that take a tenth of a second for a megabyte keep the interpreter's
    lock for all of it."""
    return "".join(map(folded, independent_pieces(text)))


def _translated(text: str, looks: Mapping[int, str]) -> str:
    return "".join(piece.translate(looks) for piece in independent_pieces(text))


def _with_ends(text: str) -> str:
    text = LINE_END.join(text.splitlines())
    text = text.translate(_ASCII_ENDS) if text.isascii() else _ENDS.sub(SENTENCE_END, text)
    for end in _SENTENCE_ENDS:
        text = text.replace(end + " ", SENTENCE_END)
    return text


def _reading_fingerprints(tenant_id: TenantId, reading: str) -> Iterator[bytes]:
    lines = [line.split(SENTENCE_END) for line in reading.split(LINE_END)]
    pieces = [piece for line in lines for piece in line if piece]
    if not pieces:
        return
    values = {"".join(pieces)}
    if len(pieces) > 1:
        long_lines = ("".join(line) for line in lines if len(line) > LONGEST_RUN)
        values.update(line for line in long_lines if len(line) >= SHORTEST_PART)
        yield from _run_fingerprints(tenant_id, pieces)
    yield from _fingerprints(tenant_id, values)


def _run_fingerprints(tenant_id: TenantId, pieces: Sequence[str]) -> Iterator[bytes]:
    """The fingerprints of the pieces, and of up to three in a row, whose hash goes on from the shorter run's."""
    begun = sha256(_prefix(tenant_id))
    encoded = [(len(piece), _encoded(piece)) for piece in pieces]
    for first in range(len(encoded)):
        run, length = begun.copy(), 0
        for characters, data in encoded[first : first + LONGEST_RUN]:
            run.update(data)
            length += characters
            if length >= SHORTEST_PART:
                yield run.digest()


def _bare(text: str) -> str:
    """A text of nothing but punctuation, without its white space; the text itself if that leaves nothing."""
    return "".join(text.split()) or text


def _fingerprints(tenant_id: TenantId, values: Iterable[str]) -> tuple[bytes, ...]:
    prefix = _prefix(tenant_id)
    return tuple(sha256(prefix + _encoded(value)).digest() for value in values)


def _prefix(tenant_id: TenantId) -> bytes:
    return f"{tenant_id}\0".encode()


def _encoded(value: str) -> bytes:
    return value.encode("utf-8", "surrogatepass")


def folded(text: str) -> str:
    """The text in small letters of one kind; white space and punctuation as they were."""
    if text.isascii():
        return text.casefold()
    if _PLAIN_IDEOGRAPHS.fullmatch(text):
        return _narrowed(text).casefold()
    text = normalized("NFKC", _narrowed(SHOWS_NOTHING.sub("", text)))
    if any(capital in text for capital in "ΗΜΝΥ"):
        text = _GREEK_CAPITAL.sub(lambda found: found[0].translate(_GREEK_CAPITALS), text)
    text = text.casefold()
    # Most texts hold none, and the search is many times faster.
    if _MAY_LOOK_ALIKE.search(text):
        text = text.translate(_LOOKS)
    text = _FOREIGN_DIGIT.sub(lambda found: str(unicodedata.decimal(found[0])), text)
    return unicodedata.normalize("NFC", text)


def without_punctuation(text: str) -> str:
    """The text without punctuation, white space and control characters; `LINE_END` and `SENTENCE_END` stay."""
    return text.translate(_ASCII_PUNCTUATION) if text.isascii() else _PUNCTUATION.sub("", text)


@cache
def _confusables() -> tuple[Mapping[int, str], Mapping[int, str]]:
    """The letters and digits that characters are taken for by Unicode's list, where they are not folded to these
    anyway; and the same list with characters that look like both a capital I and a small L taken for the former."""
    lines = CONFUSABLES.read_text("utf-8").splitlines()
    pairs = (line.split(" ") for line in lines if not line.startswith("#"))
    looks = {ord(seen): taken_for for taken_for, group in pairs for seen in group}
    return looks, {seen: "i" if taken_for == "l" else taken_for for seen, taken_for in looks.items()}


def _narrowed(text: str) -> str:
    # NFKC would take a hundred times as long for these marks alone, which all Chinese has.
    for wide, narrow in _WIDE_PUNCTUATION:
        text = text.replace(wide, narrow)
    return text


def _looks() -> dict[str, str]:
    looks = {seen: taken_for for pair in (_CYRILLIC, _GREEK, _OTHERS) for seen, taken_for in zip(*pair, strict=True)}
    return looks | dict(_accented(looks)) | dict(_drawn_letters())


def _accented(looks: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Letters that are a look-alike with marks, such as the ё of Russian."""
    for character in map(chr, range(0x370, 0x530)):
        letters = unicodedata.normalize("NFD", character)
        if len(letters) > 1 and letters[0] in looks:
            yield character, looks[letters[0]] + letters[1:]


def _drawn_letters() -> Iterator[tuple[str, str]]:
    """Small capitals, and letters in filled circles and squares."""
    for code in (*range(0x250, 0x2B0), *range(0x1D00, 0x1D30), *range(0x1F150, 0x1F18A)):
        words = unicodedata.name(chr(code), "").split()
        if words[:2] in (
            ["LATIN", "LETTER"],
            ["NEGATIVE", "CIRCLED"],
            ["NEGATIVE", "SQUARED"],
        ) and ("CAPITAL" in words and len(words[-1]) == 1):
            yield chr(code), words[-1].lower()


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PZ" or character in _ALSO_PUNCTUATION


# Other characters map to themselves: a miss costs several times a hit.
_LOOKS = str.maketrans({chr(code): chr(code) for code in (*range(128), *range(0x370, 0x530))} | _looks())
_MAY_LOOK_ALIKE = re.compile("[\u0131\u0237-\u052f\u0561-\u0587\u1d00-\u1d2f\U0001f150-\U0001f189]")
_PUNCTUATION_CHARACTERS = "".join(
    character for part in _PUNCTUATED for character in map(chr, part) if _is_punctuation(character)
)
_PUNCTUATION = re.compile(rf"[\x00-\x09\x0b-\x1e\x7f-\x9f{re.escape(_PUNCTUATION_CHARACTERS)}]+")
_ASCII_PUNCTUATION = {code: None if _PUNCTUATION.match(chr(code)) else chr(code) for code in range(128)}


# A value has so many letters and digits; where a character is a syllable or a word, one less: names of two are usual.
SHORTEST_VALUE = 3
_WORD = regex.compile(r"[\w\p{M}]+(?:['’][\w\p{M}]+)*")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]")

# Answers, and what is said around them: in texts of these words alone nobody has told anything.
_WORDS = """
yes yeah yep yup yea no nope nah maybe please sorry correct right wrong true false done fine good bad great next stop wait go ahead continue course
exactly absolutely definitely agree agreed mind know idk hm hmm oh ah ok okay k thanks thank thx ty much lot got sure cool nice perfect well welcome
awesome alright understood hi hello hey bye goodbye morning evening night day let's sounds works i'm it's that's don't

ja jawohl jep nein nö doch vielleicht genau richtig falsch stimmt weiter natürlich klar entschuldigung keine ahnung fertig weiß danke schön sehr vielen
dank alles gut super prima passt verstanden gerne bitte hallo tschüss tschüs moin servus guten morgen tag abend

sí si claro quizá quizás tal vez favor correcto exacto siguiente listo sé perdón siento supuesto gracias muchas vale acuerdo genial perfecto entendido
nada hola adiós buenos buenas días tardes noches bueno bien
oui ouais non peut-être peut être bien sûr exactement s'il plaît te pardon désolé désolée sais suivant continuez merci beaucoup d'accord parfait entendu compris rien
bonjour bonsoir salut
sim não talvez certo exato desculpe próximo obrigado obrigada muito valeu entendi perfeito está bem tá ótimo beleza olá oi bom dia boa tarde noite
sì forse esatto favore grazie mille prego va bene lo so scusa ciao buongiorno buonasera
nee jawel misschien alsjeblieft alstublieft dank je bedankt goed graag gedaan goedemorgen dag
jo nej nei kanske måske kanskje tack så mycket takk tak skal du tusen varsågod hej hei kyllä joo ehkä kiitos moi
nie może proszę dziękuję dzięki dobrze jasne cześć dzień dobry ano ne možná prosím děkuji díky dobře ahoj áno ďakujem hvala molim može
igen nem talán köszönöm köszi rendben szia da nu poate mulțumesc mersi bine evet hayır belki lütfen teşekkür ederim teşekkürler tamam merhaba peki
ya tidak bukan mungkin tolong terima kasih baik oke vâng dạ có không cảm ơn được xin chào
bai ez agian eskerrik asko ados kaixo gràcies sisplau oo hindi salamat ndiyo hapana asante po

да ага нет конечно может быть возможно правильно верно точно неправильно дальше давай не знаю извини извините готово так ні дякую будь ласка добре
спасибо большое хорошо ладно понятно понял поняла ясно пожалуйста отлично привет здравствуйте не
ναι όχι ίσως ευχαριστώ παρακαλώ εντάξει σωστά γεια σου σας καλημέρα
כן לא אולי תודה רבה בבקשה בסדר שלום בטח
نعم لا أجل ربما من فضلك صحيح خطأ طبعا طبعاً أعرف أوافق موافق آسف شكرا شكراً جزيلا حسنا حسناً تمام جيد مفهوم عفوا مرحبا بله نه شاید ممنون متشکرم باشه سلام ہاں نہیں
شکریہ جی
हाँ हां जी नहीं शायद कृपया सही गलत धन्यवाद शुक्रिया ठीक है अच्छा नमस्ते बहुत হ্যাঁ না ধন্যবাদ ஆம் இல்லை நன்றி అవును కాదు ధన్యవాదాలు
네 예 응 아니요 아니오 아니 아마 감사합니다 고마워 고마워요 고맙습니다 좋아 좋아요 알겠습니다 알았어 안녕 안녕하세요 죄송합니다 미안 미안해요 물론 물론이죠 그래 그래요 맞아 맞아요
"""  # noqa: E501
_COMMON = FUNCTION_WORDS | frozenset(normalized("NFC", _WORDS).split())
# Phrases in scripts without spaces.
_PHRASES = regex.compile(
    r"(?:\P{L}|是的?|不(?:是|对|對|客气|知道|可以)?|对的?|對的?|没(?:有|错|问题|关系)|沒(?:有|錯|問題|關係)|可以|当然|當然|也许|可能|请|請|抱歉"
    r"|对不起|對不起|继续|繼續|下一个|同意|好的?|谢谢你?|謝謝你?|多谢|嗯|收到|明白了?|知道了|行|你好|您好|再见|再見|早上好|晚安"
    r"|はい|いいえ|うん|ううん|ええ|いや|多分|たぶん|お願いします|すみません|ごめん(?:なさい)?|もちろん|違います|そうです(?:ね)?|次|続けて"
    r"|分からない|大丈夫(?:です)?|よろしく(?:お願いします)?|ありがとう(?:ございます|ございました)?|了解(?:です|しました)?|わかりました|分かりました|どうも"
    r"|こんにちは|こんばんは|おはよう(?:ございます)?|おやすみ(?:なさい)?"
    r"|ใช่|ไม่|ครับ|ค่ะ|คะ|ขอบคุณ|โอเค|สวัสดี|ได้|อาจจะ)++"
)


def is_common(text: str) -> bool:
    """Whether a text is too short or too common to be a value: an answer, a greeting, thanks, words without a meaning
    of their own. With a digit it is a value from three characters on."""
    lower = normalized("NFC", text[: LONGEST_SMALL_TALK + 1]).casefold().strip()
    words = _WORD.findall(lower)
    if sum(map(len, words)) < SHORTEST_VALUE - bool(_UNSPACED.search(lower)):
        return True
    if len(text) > LONGEST_SMALL_TALK or any(map(str.isdigit, lower)):
        return False
    if _COMMON.issuperset(each.replace("’", "'") for each in words):
        return True
    if _PHRASES.fullmatch(lower):
        return True
    return any(pattern.fullmatch(lower) for _, pattern in SMALL_TALK)
