"""The grammar of time: patterns over the symbols of a text, and the span of time that each stands for; so the times
that a text names: in a question, as one window to search in; in a memory, each by itself.

A pattern is a regular expression over symbols (vocabulary.py), in which `~` is up to two words like "of the", and `M:m`
a symbol whose value the rule takes as `m`. Rules are applied in order; what one reads becomes the symbol `Z`, which
later ones take."""

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from camillo_server.lib.text.time_expressions import meanings
from camillo_server.lib.text.time_expressions.spans import TimeSpan
from camillo_server.lib.text.time_expressions.symbols import Token, tokens_of
from camillo_server.lib.text.time_expressions.vocabulary import vocabulary

Meaning = Callable[[datetime, meanings.Values], Any]
# After these a month or a year is one, and no name and no number.
_AFTER = "(?<=[psuBFwfItEGK])"


class GrammarRule(NamedTuple):
    """A pattern, and the function that reads its meaning; `kind` is the symbol that replaces a match."""

    pattern: re.Pattern[str]
    read: Meaning
    kind: str = "Z"


def _rule(pattern: str, read: Meaning, kind: str = "Z") -> GrammarRule:
    named = re.sub(r"(\[[^\]]+\]|\w):(\w+)", r"(?P<\2>\1)", pattern)
    return GrammarRule(re.compile(named.replace("~", "_{0,2}")), read, kind)


RULES: Sequence[GrammarRule] = (
    # Years and months, by whatever name.
    _rule(r"[LTX]:step~U:unit", meanings.year, "Y"),
    _rule(r"U:unit~[LTX]:step", meanings.year, "Y"),
    _rule(r"y:y~U:unit", meanings.year, "Y"),
    _rule(r"U:unit~y:y", meanings.year, "Y"),
    _rule(r"j:n", meanings.year_from_now, "Y"),
    _rule(r"N:z~c", meanings.same, "C"),
    _rule(r"N:z~g", meanings.same, "N"),
    _rule(r"H:half~N?~U:unit~[Ab]", meanings.ago),
    # Dates.
    _rule(r"[wfs]?~[NO]:d~[&tuB-]~[NO]:until~M:m,?~[Yy]:y", meanings.days),
    _rule(r"[wfs]?~[NO]:d~[&tuB-]~[NO]:until~M:m", meanings.days),
    _rule(r"[wfs]?~M:m~[NO]:d~[&tu-]~[NO]:until,?~[Yy]:y", meanings.days),
    _rule(r"[wfs]?~M:m~[NO]:d~[&tu-]~[NO]:until", meanings.days),
    _rule(r"[MC]:m~[NO]:d~,?~[Yy]:y", meanings.day),
    _rule(r"[NO]:d~M:m~,?~[Yy]:y", meanings.day),
    _rule(r"[Yy]:y~[MC]:m~[NO]:d", meanings.day),
    _rule(r"[wfs]?~[MC]:m~[&tuB-]~[MC]:until~,?~[Yy]:y", meanings.months),
    _rule(r"[wfs]?~[Yy]:y~[MC]:m~[&tuB-]~[MC]:until", meanings.months),
    _rule(r"[wfs]~[MC]:m~[&tuB-]~[MC]:until", meanings.months),
    _rule(r"[MC]:m~[&t-]~[MC]:until(?=P)", meanings.months),
    _rule(r"[MC]:m~,?~[Yy]:y", meanings.month),
    _rule(r"[Yy]:y~[MC]:m", meanings.month),
    _rule(r"[MC]:m~[NO]:d", meanings.day),
    _rule(r"[NO]:d~M:m", meanings.day),
    _rule(r"[LTX]:step~[MC]:m", meanings.month),
    _rule(r"[MC]:m~[LTX]:step", meanings.month),
    _rule(rf"{_AFTER}~M:m", meanings.month),
    _rule(r"(?<=U)_{1,2}M:m", meanings.month),
    _rule(r"M:m(?=~[Pbarn])", meanings.month),
    _rule(r"C:m", meanings.month),
    _rule(r"R:n", meanings.month_from_now),
    _rule(r"[SV]:s~,?~[Yy]:y", meanings.season),
    _rule(r"[Yy]:y~[SV]:s", meanings.season),
    _rule(r"[LTX]:step~[SV]:s", meanings.season),
    _rule(r"[SV]:s~[LTX]:step", meanings.season),
    _rule(rf"{_AFTER}~S:s", meanings.season),
    _rule(r"S:s(?=~[Pbarn])", meanings.season),
    _rule(r"V:s", meanings.season),
    _rule(r"Y:y", meanings.whole_year),
    _rule(rf"{_AFTER}~y:y", meanings.whole_year),
    _rule(r"y:y(?=[^.]*$|~[Pbarn])", meanings.whole_year),
    # Times that count from the moment of the question.
    _rule(r"D:n", meanings.day_from_now),
    _rule(r"L:step~N:n~U:unit", meanings.units_until_now),
    _rule(r"N:n~L:step~U:unit", meanings.units_until_now),
    _rule(r"N:n~U:unit~L:step", meanings.units_until_now),
    _rule(r"[LTX]:step~U:unit", meanings.unit),
    _rule(r"U:unit~[LTX]:step", meanings.unit),
    _rule(r"Z:z~W:w", meanings.weekday_in),
    _rule(r"W:w~Z:z", meanings.weekday_in),
    _rule(r"[LTX]:step~W:w(?!~[BF]~Z)", meanings.weekday),
    _rule(r"W:w~[LTX]:step", meanings.weekday),
    _rule(r"(?<!v)W:w(?!~[BF]~Z)", meanings.weekday),
    # Times that count from a date.
    _rule(r"U:unit~Z:z", meanings.week_of),
    _rule(r"N:n~U:unit~[BF]:side~p?~Z:z", meanings.beside),
    _rule(r"[LX]?~U:unit~[BF]:side~p?~Z:z", meanings.beside),
    _rule(r"[LX]?~W:w~[BF]:side~p?~Z:z", meanings.beside),
    _rule(r"N:n~U:unit~[Ab]:said", meanings.ago),
    _rule(r"U:unit~A:said", meanings.ago),
    _rule(r"[AB]:said~N:n~U:unit", meanings.ago),
    _rule(r"B:said~U:unit", meanings.ago),
    _rule(r"s:said~N:n~U:unit", meanings.since_ago),
    _rule(r"s:said~U:unit", meanings.ago),
    _rule(r"[FI]~N:n~U:unit", meanings.from_now),
    _rule(r"N:n~U:unit~a", meanings.from_now),
    _rule(r"O:o~U:unit~p?~Z:z", meanings.nth_unit),
    _rule(r"Z:z~O:o~U:unit", meanings.nth_unit),
    _rule(r"O:o~U:unit", meanings.quarter),
    _rule(r"[EGK]:part~[-p]?~Z:z", meanings.part),
    _rule(r"[EGK]:part~U:unit", meanings.part),
    _rule(r"Z:z~[EGK]:part", meanings.part),
    _rule(r"O:o~H~p?~Z:z", meanings.half),
    # Open ends.
    _rule(r"[wfs]~p?~Z:z~[&tuBp-]~Z:until", meanings.date_range),
    _rule(r"Z:z~[t-]~Z:until", meanings.date_range),
    _rule(r"Z:z~&~Z:until~P", meanings.date_range),
    _rule(r"s:said~p?~Z:z", meanings.since),
    _rule(r"Z:z~r", meanings.since),
    _rule(r"u~p?~Z:z", meanings.until),
    _rule(r"Z:z~n", meanings.until),
    _rule(r"B~p?~Z:z", meanings.before),
    _rule(r"Z:z~b", meanings.before),
    _rule(r"F~p?~Z:z", meanings.after),
    _rule(r"Z:z~a", meanings.after),
)


def parse(tokens: list[Token], now: datetime) -> list[Token]:
    """The tokens, in which every time that is named is one token `Z` with its span."""
    symbols = "".join(token.kind for token in tokens)
    for rule in RULES:
        made: list[Token] = []
        index = 0
        for match in rule.pattern.finditer(symbols):
            read = _applied(rule, tokens, match, now)
            if read is not None:
                first, end = match.span()
                token = Token(rule.kind, read, tokens[first].begin, tokens[end - 1].end)
                made += (*tokens[index:first], token)
                index = end
        if index:
            tokens = made + tokens[index:]
            symbols = "".join(token.kind for token in tokens)
    return tokens


def _applied(rule: GrammarRule, tokens: Sequence[Token], match: re.Match[str], now: datetime) -> Any:
    """The value that the rule reads from a match; None if the calendar has no such time."""
    values: dict[str, Any] = {}
    for name in match.groupdict():
        if (index := match.start(name)) >= 0:
            values[name] = tokens[index].value
            values[f"{name}_kind"] = tokens[index].kind
    try:
        return rule.read(now, values)
    except (ValueError, OverflowError):
        return None


# A longer query is a text to compare with, and no question: what it names is not when something was.
MAX_QUERY_CHARACTERS = 1_000
# Reading a character of a text that names a time, in characters that are looked through for secrets
# (kernel/off_loop.py); looking for a word of time takes a fiftieth.
TIMES_COST = 32
_FRENCH = re.compile(
    r"\b(?:le|les|une|est|que|qu|nous|je|j|ai|avons|vous|il|elle|avec|pour|fait|quoi|qui|mon|ma|sur|où|à|c|soir|matin)\b",
    re.IGNORECASE,
)


class NamedTime(NamedTuple):
    """A time that a text names, and the words that name it."""

    span: TimeSpan
    text: str


class _TimeAt(NamedTuple):
    """A time, and where it begins and ends in the text."""

    span: TimeSpan
    begin: int
    end: int


def names_time(text: str) -> bool:
    """Whether a text may name a time: told in a microsecond or two, so that one that does not costs no more."""
    return vocabulary().hint.search(text.lower()) is not None


def times_in(text: str, now: datetime) -> list[NamedTime]:
    """All times that a text names, said at `now`."""
    return [NamedTime(each.span, text[each.begin : each.end]) for each in _times(text, now)]


def window_of(text: str, now: datetime) -> NamedTime | None:
    """The one time that a question names, asked at `now`: from the first to the last of several.

    A date counts before what is relative to a moment: in "what did he finish last Friday, on 23 January 2022", the
    Friday was not that before now."""
    times = _times(text, now)
    dates = [each for each in times if not each.span.is_relative] or times
    if not dates:
        return None
    begins = [each.span.begin for each in dates if each.span.begin is not None]
    ends = [each.span.end for each in dates if each.span.end is not None]
    span = TimeSpan(
        min(begins) if len(begins) == len(dates) else None,
        max(ends) if len(ends) == len(dates) else None,
        dates[0].span.is_relative,
    )
    return NamedTime(span, text[dates[0].begin : dates[-1].end])


def _times(text: str, now: datetime) -> list[_TimeAt]:
    tokens = tokens_of(text, vocabulary())
    if any(token.kind == "h" for token in tokens):
        is_french = _FRENCH.search(text) is not None or len(tokens) == 1
        kind = "D" if is_french else "."
        tokens = [token._replace(kind=kind) if token.kind == "h" else token for token in tokens]
    return [
        _TimeAt(token.value, token.begin, token.end)
        for token in parse(tokens, now)
        if isinstance(token.value, TimeSpan)
    ]
