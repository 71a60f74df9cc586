"""Words that tell what two texts differ in: those that deny, and names of months and days, in several languages."""

import re

# Negations that are whole words.
NEGATIONS = frozenset(
    # English, German, French, Spanish and Portuguese, Italian
    [
        "not",
        "no",
        "never",
        "none",
        "cannot",
        "without",
        "nobody",
        "nothing",
        "neither",
        "nor",
        "nicht",
        "kein",
        "keine",
        "keinen",
        "keinem",
        "keiner",
        "keines",
        "nie",
        "niemals",
        "ohne",
        "nichts",
        "niemand",
        "ne",
        "n",
        "pas",
        "jamais",
        "aucun",
        "aucune",
        "sans",
        "rien",
        "nunca",
        "jamás",
        "ningún",
        "ninguna",
        "ninguno",
        "sin",
        "nada",
        "tampoco",
        "nao",
        "não",
        "nem",
        "sem",
        "non",
        "mai",
        "senza",
        "не",
        "нет",
        "никогда",
        "без",
        "ни",
        "ничего",
        "никто",
        "нельзя",
        "ні",
        "немає",
        "لا",
        "ليس",
        "ليست",
        "ليسوا",
        "لم",
        "لن",
        "غير",
        "بدون",
        "بلا",
        "أبدا",
        "أبدًا",
        "नहीं",
        "नही",
        "मत",
        "बिना",
        "לא",
        "אין",
        "אינו",
        "אינה",
        "אינם",
        "בלי",
        "אף",
        "안",
        "못",
    ]
)
# Negations within a run of letters, in scripts that put no spaces between words, or that deny by an ending.
NEGATION_PARTS = ("ない", "ません", "なかった", "않", "없", "n't", "n’t")
# Single signs of Chinese, but not in these words, which deny nothing.
NEGATION_SIGNS = frozenset("不没沒无無未别勿")
AFFIRMING = (
    "不错",
    "不但",
    "不仅",
    "不过",
    "無論",
    "无论",
    "特别",
    "別人",
    "别人",
    "未来",
    "未來",
    "区别",
)
# Months and days of the week.
DATE_WORDS = frozenset(
    [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "januar",
        "februar",
        "märz",
        "mai",
        "juni",
        "juli",
        "oktober",
        "dezember",
        "montag",
        "dienstag",
        "mittwoch",
        "donnerstag",
        "freitag",
        "samstag",
        "sonnabend",
        "sonntag",
        "janvier",
        "février",
        "mars",
        "avril",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
        "lundi",
        "mardi",
        "mercredi",
        "jeudi",
        "vendredi",
        "samedi",
        "dimanche",
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
        "lunes",
        "martes",
        "miércoles",
        "jueves",
        "viernes",
        "sábado",
        "domingo",
        "января",
        "февраля",
        "марта",
        "апреля",
        "мая",
        "июня",
        "июля",
        "августа",
        "сентября",
        "октября",
        "ноября",
        "декабря",
        "январь",
        "февраль",
        "март",
        "апрель",
        "май",
        "июнь",
        "июль",
        "август",
        "сентябрь",
        "октябрь",
        "ноябрь",
        "декабрь",
        "январе",
        "феврале",
        "марте",
        "апреле",
        "мае",
        "июне",
        "июле",
        "августе",
        "сентябре",
        "октябре",
        "ноябре",
        "декабре",
        "понедельник",
        "вторник",
        "среда",
        "среду",
        "четверг",
        "пятница",
        "пятницу",
        "суббота",
        "субботу",
        "воскресенье",
        "يناير",
        "فبراير",
        "مارس",
        "أبريل",
        "مايو",
        "يونيو",
        "يوليو",
        "أغسطس",
        "سبتمبر",
        "أكتوبر",
        "نوفمبر",
        "ديسمبر",
        "الاثنين",
        "الثلاثاء",
        "الأربعاء",
        "الخميس",
        "الجمعة",
        "السبت",
        "الأحد",
        "जनवरी",
        "फ़रवरी",
        "फरवरी",
        "मार्च",
        "अप्रैल",
        "मई",
        "जून",
        "जुलाई",
        "अगस्त",
        "सितंबर",
        "अक्टूबर",
        "नवंबर",
        "दिसंबर",
        "सोमवार",
        "मंगलवार",
        "बुधवार",
        "गुरुवार",
        "शुक्रवार",
        "शनिवार",
        "रविवार",
    ]
)
# Chinese and Japanese numerals; a lone sign for one is a part of too many other words.
NUMERALS = "二三四五六七八九十百千万萬億亿两兩"
# How sure, how often, how many, on which condition and in which order: one that is added makes another statement.
QUALIFIERS = frozenset(
    re.findall(
        r"\S+",
        "may might must should shall could would can will probably perhaps maybe possibly likely unlikely certainly "
        "definitely"
        " almost nearly hardly barely only always usually often sometimes seldom rarely all every each some few many "
        "most any both"
        " either or if unless until except but before after first last then again still already yet former formerly"
        " allegedly supposedly apparently optional mandatory required"
        # German
        " darf dürfen muss müssen soll sollen sollte kann können könnte wird würde wahrscheinlich vielleicht "
        "möglicherweise sicher"
        " bestimmt fast kaum nur immer meistens oft manchmal selten alle jeder jede jedes einige wenige viele beide "
        "oder wenn falls"
        " außer bis bevor vor nach nachdem zuerst zuletzt dann wieder noch schon angeblich"
        # French
        " peut doit devrait pourrait probablement certainement presque seulement toujours souvent parfois rarement"
        " tous toutes chaque quelques peu beaucoup plupart ou si sauf jusque avant après ensuite encore déjà"
        # Spanish, Portuguese, Italian
        " puede debe debería podría probablemente quizá quizás seguramente casi solo sólo solamente siempre"
        " menudo veces raramente todos todas cada algunos pocos muchos o salvo excepto hasta antes después luego "
        "todavía ya"
        " pode deve deveria poderia provavelmente talvez certamente quase somente sempre frequentemente alguns poucos "
        "muitos ou exceto"
        " até depois ainda já"
        " può deve dovrebbe potrebbe probabilmente forse certamente quasi soltanto sempre spesso talvolta raramente "
        "tutti ogni"
        " alcuni pochi molti oppure eccetto fino prima dopo poi ancora già"
        # Russian
        " может должен должна должны следует мог бы будет вероятно возможно наверное точно почти только всегда обычно "
        "часто иногда редко"
        " все каждый некоторые многие или если кроме до после перед сначала потом затем снова ещё еще уже якобы"
        # Arabic
        " قد ربما يجب ينبغي يمكن سوف فقط دائما دائمًا أحيانا أحيانًا غالبا غالبًا نادرا كل بعض معظم أو إذا إلا حتى "
        "قبل بعد ثم أيضا"
        # Hindi
        " शायद चाहिए सकता सकती सकते केवल सिर्फ हमेशा कभी अक्सर सभी कुछ हर या अगर यदि पहले बाद फिर अभी"
        # Hebrew
        " אולי חייב חייבת צריך צריכה יכול יכולה רק תמיד לפעמים בדרך כל כמה או אם אלא עד לפני אחרי שוב כבר עדיין"
        # Korean
        " 아마 반드시 항상 가끔 자주 모든 일부 또는 만약 까지 전에 후에 먼저 다시 이미 아직 만",
    )
)
# Tell that what is said happens in this order.
ORDERING = frozenset(
    re.findall(
        r"\S+",
        "then before after first next last finally since until dann danach zuerst zuletzt bevor nachdem vor nach puis "
        "ensuite avant"
        " après luego entonces antes después depois então poi dopo prima потом затем сначала после перед до ثم قبل "
        "بعد फिर पहले बाद"
        " אז לפני אחרי 먼저 후에 전에",
    )
)
# The same where no spaces stand between words: Chinese, Japanese, Thai.
QUALIFYING_PARTS = (
    *("可能", "也许", "也許", "大概", "必须", "必須", "应该", "應該", "只", "总是", "總是", "偶尔", "有时", "有時", "所有", "一些", "如果"),  # noqa: E501
    *("除非", "除了", "之前", "之后", "之後", "以前", "以后", "以後", "或者", "已经", "已經", "几乎", "幾乎"),
    *("かもしれ", "たぶん", "多分", "べき", "なければ", "だけ", "しか", "いつも", "時々", "すべて", "全て", "一部", "もし", "または", "まで", "前に"),  # noqa: E501
    *("後に", "もう", "まだ", "ほとんど"),
    *("อาจ", "ต้อง", "ควร", "เท่านั้น", "เสมอ", "บางครั้ง", "ทั้งหมด", "บาง", "ถ้า", "หรือ", "ก่อน", "หลัง", "ไม่"),
)  # fmt: skip
