"""Words by which who speaks is meant, and those that stand for them where somebody else tells it: in several languages.

A language that has no words here is read all the same: its statements keep the sentence as it is, behind a name.
"""

from collections.abc import Mapping, Sequence


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Whoever speaks, as the subject or the object. Words that are names or units elsewhere are left out: a sentence with
# such a word is kept as it is.
FIRST_PERSON = _words(
    "i me myself we us ourselves ich mich mir wir uns je j moi nous yo me mí conmigo nosotros nosotras nos eu mim "
    "comigo nós io mi noi ci ik mij wij we ons jag mig vi oss ja mnie mi mną nas beni bana biz bize "
    "я меня мне мной мы нас нам أنا لي عندي مني نحن אני לי אותי אנחנו मैं मैंने मुझे मुझको हम हमने हमें "
    "나는 내가 저는 제가 나 저 우리는 우리가 我 我们 我們 私 僕 俺 私たち 咱 咱们 ฉัน ผม"
)
# Their belongings.
POSSESSIVES = _words(
    "my mine our ours mein meine meinen meinem meiner meines unser unsere unseren unserem unserer mon ma mes notre nos "
    "mi mis mío mía nuestro nuestra nuestros nuestras meu minha meus minhas nosso nossa mio mia miei mie nostro nostra "
    "mijn ons onze mina vår mój moja moje moją benim bizim мой моя моё мое мои моего моей моих моему моём "
    "наш наша наше наши שלי שלנו मेरा मेरी मेरे हमारा हमारी हमारे 나의 내 제 우리"
)
# Whoever was named before, and what is theirs.
THIRD_PERSON = _words(
    "he him his himself she her hers herself they them their theirs themselves er ihn ihm sein seine seinen seinem "
    "seiner seines sie ihr ihre ihren ihrem ihrer ihres sich il elle lui le la l son sa ses se s leur leurs él ella "
    "lo su sus suyo suya ele ela lhe o a seu sua seus suas si consigo lei gli suo sua suoi sue hij zij haar hem zijn "
    "han hon henne honom hans hennes sin sitt sina on ona jego jej jemu swój swoją o onun ona он она его её ее ему ей "
    "него неё нее свой свою своя своё свои своего своей себе себя هو هي له لها عنده عندها הוא היא לו לה שלו שלה אותו "
    "वह उसने उसका उसकी उसके उसे अपना अपनी अपने 그는 그녀는 그가 그녀가 그의 그녀의 他 她 他的 她的 彼 彼女 เขา เธอ"
)
# Forms of one verb where another one tells of who spoke; and words cut short at an apostrophe.
FORMS: Mapping[str, frozenset[str]] = {
    first: frozenset(others.split())
    for first, others in {
        "am": "is", "m": "is", "are": "is", "re": "is", "were": "was", "have": "has", "ve": "has", "do": "does",
        "bin": "ist", "sind": "ist", "war": "war", "waren": "war", "habe": "hat", "haben": "hat", "hatten": "hatte",
        "muss": "muss", "kann": "kann", "werde": "wird", "suis": "est", "sommes": "est", "étais": "était", "ai": "a",
        "avons": "a", "vais": "va", "fais": "fait", "soy": "es", "somos": "es é", "estoy": "está", "he": "ha",
        "hemos": "ha", "tengo": "tiene", "voy": "va", "fui": "fue foi", "hago": "hace", "sou": "é", "estou": "está",
        "tenho": "tem", "vou": "vai", "sono": "è", "ho": "ha", "abbiamo": "ha", "heb": "heeft",
        "हूँ": "है", "हूं": "है", "हैं": "है", "था": "था", "живу": "живёт живет", "могу": "может", "хочу": "хочет",
        "jestem": "jest", "mam": "ma",
    }.items()
}  # fmt: skip
CONTRACTIONS: Mapping[str, frozenset[str]] = {
    "s": frozenset({"is", "has"}),
    "m": frozenset({"am", "is"}),
    "re": frozenset({"are"}),
    "ve": frozenset({"have", "has"}),
    "ll": frozenset({"will"}),
    "d": frozenset({"would", "had"}),
}
# Ends of a verb: of who speaks, and of whoever it is told of.
_ENDINGS = (
    "-:s -:es y:ies e:t e:et -:t s:t x:t o:a o:e é:ó í:ió ei:ou i:eu i:iu ai:ò ю:ет у:ет у:ёт ю:ёт ю:ит у:ит лю:ит "
    "юсь:ется усь:ется юсь:ится m:- am:a em:e ę:e ę:i im:- ım:- um:- üm:- ت:- תי:-"
)
ENDINGS: Sequence[tuple[str, str]] = tuple(
    (first.replace("-", ""), third.replace("-", "")) for first, third in (pair.split(":") for pair in _ENDINGS.split())
)
# Join one sentence to the next.
CONJUNCTIONS = _words(
    "and but so und aber et mais y e pero mas ma en maar och men i a ale ve ama и а но و لكن ו אבל और लेकिन และ 和 但 "
    "而且 그리고 하지만 そして でも"
)
# May stand before a date that took the place of a word such as "yesterday".
BEFORE_DATES = _words("on in at am im le el em na op på den w dnia в во بتاريخ في ב को 于 於 在 に")
# Names of a speaker that nobody has to know.
ROLES: Mapping[str, Sequence[tuple[str, ...]]] = {
    "HUMAN": (("the", "user"), ("user",)),
    "AGENT": (("the", "assistant"), ("assistant",), ("the", "agent"), ("agent",)),
}
