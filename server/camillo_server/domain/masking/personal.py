"""What tells of persons in a text, found by its form alone. Names and postal addresses have none."""

import ipaddress
import re
from collections.abc import Iterator
from dataclasses import dataclass

from camillo_server.domain.masking.numbers import kind_of_account, kind_of_number
from camillo_server.domain.masking.shadow import shadow_of

# Letters of scripts that put no space between words: what stands before an address is no part of it.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
SIGNS = ".+%'*=~-"
LETTER = f"[^\\W{UNSPACED}]"
ALONE, END = r"(?<![0-9A-Za-z])", r"(?![0-9A-Za-z])"
UUID = r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
CENTURY = "(?:1[89]|2[01])"
TIME = r"\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?"

# What no number is to be seen in.
KEPT = "|".join(
    (
        f"{ALONE}{UUID}{END}",
        rf"{ALONE}{CENTURY}\d\d-\d\d-\d\d(?:[T ]{TIME})?(?!\d|-\d)",
        rf"{ALONE}(?<!\.)\d\d?(?P<mark>[./-])\d\d?(?P=mark){CENTURY}?\d\d(?![0-9A-Za-z]|[./-]\d)",
        rf"{ALONE}(?<!\.)(?:0|[1-9]\d*)\.\d+(?![0-9A-Za-z]|[ ./-]\d)",
    )
)
# From their first character on, so that what goes on and on is read once.
EMAIL = "|".join(
    (
        rf"(?<![{SIGNS}])(?<!{LETTER})(?:{LETTER}|[{SIGNS}])++@(?:(?:{LETTER}|-){{1,63}}\.){{1,9}}(?:{LETTER}|-){{2,63}}",
        rf"(?<![\w{SIGNS}])[\w{SIGNS}]++(?<=[{UNSPACED}])@(?:[\w-]{{1,63}}\.){{1,9}}[\w-]{{2,63}}",
    )
)
IP = "|".join(
    (
        rf"{ALONE}(?<!\.)(?:\d{{1,3}}\.){{3}}\d{{1,3}}(?![0-9A-Za-z]|\.\d)",
        rf"{ALONE}(?<![:.])(?=[0-9A-Fa-f:]{{0,39}}\d)(?:[0-9A-Fa-f]{{0,4}}:){{2,7}}[0-9A-Fa-f]{{0,4}}(?![0-9A-Za-z:])",
    )
)
ACCOUNT = rf"{ALONE}[A-Z]{{2}}\d\d(?:[A-Z0-9]{{11,30}}|(?:[ -][A-Z0-9]{{4}}){{2,7}}(?:[ -][A-Z0-9]{{1,3}})?){END}"
ID = rf"{ALONE}(?:[A-Z]{{1,3}}-?\d{{6,9}}[A-Z]?|[A-Z]{{2}} \d\d \d\d \d\d [A-Z]|\d{{7,8}}-?[A-Z]|\d{{17}}[Xx]){END}"
# In brackets only as (555) 123-4567 and +49 (0)30 123456 are.
NUMBER = r"(?<![0-9A-Za-z_])(?:\(\+?\d{1,5}\)(?:[ ./()-]{0,3}\d){4,}|\+?\d(?:[ ./()-]{0,3}\d){6,})(?![0-9A-Za-z_])"

# In the order in which they are tried at a place.
FORMS = re.compile(
    f"(?P<email>{EMAIL})|(?P<kept>{KEPT})|(?P<ip>{IP})|(?P<account>{ACCOUNT})|(?P<id>{ID})|(?P<number>{NUMBER})"
)
# Without one of these there is nothing to look for.
TELLING = re.compile(r"[0-9@]")


@dataclass(frozen=True, slots=True)
class Personal:
    """Characters `start` to `end` tell of a person: `email`, `phone`, `card`, `account`, `id` or `ip`."""

    kind: str
    start: int
    end: int


def personal_parts(text: str) -> Iterator[Personal]:
    """Each of them, in order; none lies within another."""
    shadow = shadow_of(text)
    if TELLING.search(shadow.text) is None:
        return
    place = 0
    while found := FORMS.search(shadow.text, place):
        kind, length = _told(found.lastgroup or "", found.group())
        place = found.start() + length
        if kind:
            yield Personal(kind, *shadow.span(found.start(), place))


def _told(form: str, matched: str) -> tuple[str, int]:
    """What was found, empty for nothing, and how many characters that settles."""
    if form == "number":
        return kind_of_number(matched), len(matched)
    if form == "ip":
        return ("ip" if _is_address(matched) else ""), len(matched)
    if form == "account":
        return kind_of_account(matched)
    return ("" if form == "kept" else form), len(matched)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
