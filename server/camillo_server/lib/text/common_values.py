"""Texts that are no value: too short, or said by anybody. Whoever forgets a memory "yes" does not want that nobody says yes again."""

import regex
from camillo_formats.characters import normalized

from camillo_server.lib.text.importance import LONGEST_SMALL_TALK, SMALL_TALK
from camillo_server.lib.text.index_terms import FUNCTION_WORDS

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
"""
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
    """Whether a text is too short or too common to be a value: an answer, a greeting, thanks, words without a meaning of their own.
    With a digit it is a value from three characters on."""
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
