"""Rules that a person states for good: sentences with "always", "never" and the like, by rules and in several
languages."""

import re

MAX_RULES = 10
MAX_CHARACTERS = 300
# Where they stand, whatever else the sentence has.
FROM_NOW_ON = re.compile(
    r"\b(?:from now on|from here on|going forward|in (?:the )?future,|for all future"
    r"|ab (?:jetzt|sofort)|von nun an|künftig|in zukunft"
    r"|désormais|dorénavant|à partir de maintenant|à l'avenir"
    r"|de ahora en adelante|a partir de ahora|en adelante|de agora em diante|a partir de agora"
    r"|d'ora in (?:poi|avanti)|da adesso in poi|vanaf nu|voortaan|od teraz|od tej pory|bundan sonra"
    r"|отныне|впредь|с этого момента|с этого дня|відтепер)(?!\w)"
    r"|من الآن فصاعدا|अब से|从现在起|从现在开始|今后|以后(?:都|请|要|不要)|從現在起|今後|これから(?:は|も)|앞으로",
    re.IGNORECASE,
)
# At the beginning of a sentence or of a part of it, behind few words: "Use always", "Verwende immer", "N'utilise
# jamais".
ADVERB = re.compile(
    r"^(?P<before>(?:[\w'’-]+[ \t]+){0,3}?)"
    r"(?:always|never|(?:do not|don't|don’t) ever|immer|nie|niemals|toujours|jamais|siempre|nunca|sempre|mai"
    r"|altijd|nooit|zawsze|nigdy|her zaman|asla|всегда|никогда|завжди|ніколи)(?!\w)(?P<after>.*)",
    re.IGNORECASE | re.DOTALL,
)
# Languages without spaces, and those whose verbs come last.
ANYWHERE = re.compile(
    r"(?:请|務必|务必|必须|必須)?(?:总是|總是|始终|始終|一律|永远不要|永遠不要|千万不要|绝不要)"
    r"|必ず|常に|絶対に|항상|절대|반드시|دائما|أبدا|हमेशा|कभी (?:भी )?(?:नहीं|मत)"
)
# "It always fails" and "I never saw that" tell of something.
TELLING = re.compile(
    r"\b(?:it|this|that|these|those|there|he|she|they|we|i|who|which|the|a|an|my|our|has|have|had|was|were|is|are|as|why|almost|nearly"
    r"|es|das|dies|der|die|er|sie|wir|ich|man|ist|war|hat|noch|fast|il|elle|on|ce|cela|ça|je|nous|ils|le|la|les|c'est"
    r"|él|ella|eso|esto|yo|ellos|el|los|las|es|está|ele|ela|isso|eu|os|as|è|lui|lei|io|noi|het|hij|ik|wij|de|dit|dat|to|ja|on|ona"
    r"|он|она|оно|это|я|мы|они|bu|o|ben)\b",
    re.IGNORECASE,
)
NO_RULE = re.compile(r"^\s*(?:mind\b|again\b|the case\b)", re.IGNORECASE)
SENTENCE = re.compile(r"[^.!?。！？\n]+(?:[.](?=\S)[^.!?。！？\n]*)*[.!?。！？]*")
PART = re.compile(r"[,;:—–]\s+|\s+(?:and|but|und|aber|et|mais|y|pero|e|ma|en|и|но)\s+")
MARKS = " \t-*•>#\"'“”„«»()"
POLITE = re.compile(
    r"^(?:please|bitte|por favor|s'il (?:te|vous) plaît|per favore|пожалуйста|you (?:must|should|can)|du "
    r"sollst)\b[,\s]*",
    re.I,
)
CODE = re.compile(r"^(?: {4}|\t|`{3})|[{};]\s*$|=>|==")


def stated_rules(text: str) -> list[str]:
    """The sentences of a person's message that state a rule, each once, in their order; questions and pasted code state
    none."""
    found: dict[str, None] = {}
    is_code = False
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            is_code = not is_code
        elif not is_code and not CODE.search(line):
            for match in SENTENCE.finditer(line):
                sentence = " ".join(match[0].strip(MARKS).split())
                if len(sentence) <= MAX_CHARACTERS and _is_rule(sentence):
                    found[sentence] = None
    return list(found)[:MAX_RULES]


def _is_rule(sentence: str) -> bool:
    if not sentence or sentence.endswith(("?", "？", "؟")):
        return False
    if FROM_NOW_ON.search(sentence) or ANYWHERE.search(sentence):
        return True
    return any(_is_order(part) for part in PART.split(sentence))


def _is_order(part: str) -> bool:
    match = ADVERB.match(POLITE.sub("", part.strip(MARKS)))
    if match is None or TELLING.search(match["before"]):
        return False
    return bool(match["after"].strip(" .!。！")) and not NO_RULE.match(match["after"])
