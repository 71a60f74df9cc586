"""Masking of memories and chunks where they are shown; stored rows are not changed.

Personal data is recognised by its form alone; names and postal addresses have none.
"""

import enum
import ipaddress
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.kinds import Scalar, Sensitivity, is_chunk
from camillo_server.rows.occurrences import NO_OCCURRENCES
from camillo_server.rows.row import Row

# Combining marks, which show nothing, or a ring, on digits; and invisible format characters.
MARKS = frozenset({"Mn", "Me"})
INVISIBLE = MARKS | {"Cf"}
PLAIN_SIGN = {"Zs": " ", "Pd": "-"}
# Stands for an invisible character until it is removed; no stored text has one.
REMOVED = "\0"
REMOVED_RUN = re.compile(f"{REMOVED}+")
CARD_DIGITS = range(13, 20)
PHONE_DIGITS = range(7, 16)
MIN_ID_DIGITS = 8
MIN_GROUPED_DIGITS = 9
NOT_DIGITS = re.compile(r"\D+")
SOCIAL_SECURITY = re.compile(r"\d{3}-\d{2}-\d{4}")
# 555-0199, 555-123-4567, 1-800-555-0199, 600 123 456
PHONE_IN_GROUPS = re.compile(r"(?:(?:1[ .-])?\d{3}[ .-])?\d{3}[ .-]\d{4}|\d{3}([ -])\d{3}\1\d{3}")
CHINESE_MOBILE = re.compile(r"1[3-9]\d{9}")
DAY_IN_DIGITS = re.compile(r"(?:1[89]|2[01])\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")
YEARS = re.compile(r"(?:1[89]|2[01])\d\d(?:[ ./-]{1,3}(?:1[89]|2[01])\d\d)+")
# 12 500 000, 1.234.567; with three digits first it may as well be 600 123 456, which is a phone.
AMOUNT = re.compile(r"[1-9]\d?(?:([ .])\d{3})(?:\1\d{3})*")
# Letters of scripts that put no space between words: what stands before an address is no part of it.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
SIGNS = ".+%'*=~-"
LETTER = f"[^\\W{UNSPACED}]"
ALONE, END = r"(?<![0-9A-Za-z])", r"(?![0-9A-Za-z])"
UUID = r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
CENTURY = "(?:1[89]|2[01])"
TIME = r"\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?"
# Dates, UUIDs and fractions, in which no number is looked for.
KEPT = "|".join(
    (
        f"{ALONE}{UUID}{END}",
        rf"{ALONE}{CENTURY}\d\d-\d\d-\d\d(?:[T ]{TIME})?(?!\d|-\d)",
        rf"{ALONE}(?<!\.)\d\d?(?P<mark>[./-])\d\d?(?P=mark){CENTURY}?\d\d(?![0-9A-Za-z]|[./-]\d)",
        rf"{ALONE}(?<!\.)(?:0|[1-9]\d*)\.\d+(?![0-9A-Za-z]|[ ./-]\d)",
    )
)
# Matched from their first character only, so that a long run of characters is read once.
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
# The forms in the order in which they are tried at an offset.
FORMS = re.compile(
    f"(?P<email>{EMAIL})|(?P<kept>{KEPT})|(?P<ip>{IP})|(?P<account>{ACCOUNT})|(?P<id>{ID})|(?P<number>{NUMBER})"
)
# A text without any of these has no personal data.
MARKERS = re.compile(r"[0-9@]")


# Metadata of chunks that callers stated.
STATED_OF_CHUNKS = (
    *("actor", "document", "title", "heading", "source_url"),
    *("name", "media_type"),
)


class Mask(enum.Enum):
    """How much of a text is masked: nothing, personal data, or all of it."""

    NONE = "none"
    PARTIAL = "partial"
    FULL = "full"


Rules = Mapping[Sensitivity, Mask]
DEFAULT_RULES: Rules = MappingProxyType(
    {
        Sensitivity.PUBLIC: Mask.NONE,
        Sensitivity.INTERNAL: Mask.NONE,
        Sensitivity.CONFIDENTIAL: Mask.PARTIAL,
        Sensitivity.RESTRICTED: Mask.FULL,
    }
)


@dataclass(frozen=True, slots=True)
class MaskingPolicy:
    """Rules by tenant, from the settings; each set of rules has every sensitivity."""

    default: Rules = field(default_factory=lambda: DEFAULT_RULES)
    tenants: Mapping[TenantId, Rules] = field(default_factory=dict)

    def rules_of(self, tenant_id: TenantId) -> Rules:
        """The rules of a tenant, or else the default."""
        return self.tenants.get(tenant_id, self.default)


def mask_memory(row: Row, rules: Rules) -> Row:
    """The memory or chunk, masked by the rules for its sensitivity. Values that the server assigned are not masked."""
    mask = rules[row.sensitivity]
    if mask is Mask.NONE:
        return row
    texts = Masker(mask, row.sensitivity)
    if is_chunk(row.kind):
        # The server assigned all other metadata and the refs of a chunk.
        stated = {name: row.metadata[name] for name in STATED_OF_CHUNKS if name in row.metadata}
        source_refs, metadata = row.source_refs, {**row.metadata, **texts.entries(stated)}
    else:
        source_refs, metadata = texts.each(row.source_refs), texts.entries(row.metadata)
    return row._replace(
        content=texts.text(row.content),
        session_id=texts.text(row.session_id),
        tags=texts.each(row.tags),
        metadata=metadata,
        source_refs=source_refs,
        occurrences=NO_OCCURRENCES,
    )


@dataclass(frozen=True, slots=True)
class Masker:
    """Replaces what is masked in texts of one sensitivity by `[masked: ...]`."""

    mask: Mask
    sensitivity: Sensitivity

    def text(self, text: str) -> str:
        """The masked text; an empty one stays empty."""
        if self.mask is Mask.FULL:
            return text and f"[masked: {self.sensitivity.name.lower()}]"
        return mask_personal_data(text) if self.mask is Mask.PARTIAL else text

    def each(self, texts: Sequence[str]) -> Sequence[str]:
        """The masked texts, without the duplicates that masking creates."""
        return tuple(dict.fromkeys(map(self.text, texts)))

    def entries(self, entries: Mapping[str, Scalar]) -> dict[str, Scalar]:
        """The masked values; in their names only personal data is masked."""
        return {mask_personal_data(key): self._value(value) for key, value in entries.items()}

    def _value(self, value: Scalar) -> Scalar:
        if value is None or (isinstance(value, bool) and self.mask is Mask.PARTIAL):
            return value
        # The contract has no integers here; nobody writes a number of a person with a fraction.
        is_whole = isinstance(value, float) and value.is_integer()
        written = str(int(value)) if is_whole else str(value)
        shown = self.text(written)
        return value if shown == written else shown


def mask_personal_data(text: str) -> str:
    """The text with its personal data replaced by `[masked: ...]`: `email`, `phone`, `card`, `account`, `id` or
    `ip`."""
    normalized = _normalize(text)
    if MARKERS.search(normalized.text) is None:
        return text
    shown, end, offset = "", 0, 0
    while found := FORMS.search(normalized.text, offset):
        kind, length = _classify(found.lastgroup or "", found.group())
        offset = found.start() + length
        if kind:
            start, following = normalized.span(found.start(), offset)
            shown += f"{text[end:start]}[masked: {kind}]"
            end = following
    return shown + text[end:]


@dataclass(frozen=True, slots=True)
class _NormalizedText:
    """The plain form of a text, and the offset of each of its characters in the original; None where they are the
    same."""

    text: str
    original: str
    offsets: Sequence[int] | None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The range of the original for a range of the plain form, with the combining marks at its end."""
        if self.offsets is None:
            return start, end
        last = self.offsets[end - 1] + 1
        while last < len(self.original) and unicodedata.category(self.original[last]) in MARKS:
            last += 1
        return self.offsets[start], last


def _normalize(text: str) -> _NormalizedText:
    if text.isascii():
        return _NormalizedText(text, text, None)
    plain = text.translate(_PLAIN_FORMS)
    if REMOVED not in plain:
        return _NormalizedText(plain, text, None)
    offsets = [offset for offset, character in enumerate(plain) if character != REMOVED]
    return _NormalizedText(REMOVED_RUN.sub("", plain), text, offsets)


class _PlainForms(dict[int, str]):
    """The plain form of characters, one for one, computed at the first use."""

    def __missing__(self, code: int) -> str:
        self[code] = plain = _plain(chr(code))
        return plain


def _plain(character: str) -> str:
    category = unicodedata.category(character)
    if category in INVISIBLE:
        return REMOVED
    if category in PLAIN_SIGN:
        return PLAIN_SIGN[category]
    if (digit := unicodedata.decimal(character, None)) is not None:
        return str(digit)
    folded = unicodedata.normalize("NFKC", character)
    return folded if len(folded) == 1 else character


_PLAIN_FORMS = _PlainForms()


def _kind_of_number(text: str) -> str:
    """`card`, `phone` or `id`; empty for a number that is not personal. Separators are plain ones."""
    digits = NOT_DIGITS.sub("", text)
    if len(digits) in CARD_DIGITS and digits[0] != "0" and _is_card(digits):
        return "card"
    if SOCIAL_SECURITY.fullmatch(text):
        return "id"
    if len(digits) in PHONE_DIGITS and _is_phone(text, digits):
        return "phone"
    if any(form.fullmatch(text) for form in (DAY_IN_DIGITS, YEARS, AMOUNT)):
        return ""
    least = MIN_ID_DIGITS if text == digits else MIN_GROUPED_DIGITS
    return "id" if len(digits) >= least else ""


def _is_card(digits: str) -> bool:
    """Whether the check digit of a card number is right (Luhn, ISO/IEC 7812-1, annex B)."""
    doubled = (2 * int(digit) for digit in digits[-2::-2])
    total = sum(map(int, digits[::-2])) + sum(each // 10 + each % 10 for each in doubled)
    return total % 10 == 0


def _is_phone(text: str, digits: str) -> bool:
    """Whether the text begins like a phone number, or is grouped like one."""
    return (
        text.startswith(("+", "(", "0"))
        or PHONE_IN_GROUPS.fullmatch(text) is not None
        or CHINESE_MOBILE.fullmatch(digits) is not None
    )


def _kind_of_account(text: str) -> tuple[str, int]:
    """`account` for a bank account that the text begins with, which may go on with words, and how long it is; `id` for
    another number with letters; empty for neither."""
    end = len(text)
    while end > 0:
        if _is_account(re.sub("[ -]", "", text[:end])):
            return "account", end
        # Tries again with one group less.
        end = max(text.rfind(" ", 0, end), text.rfind("-", 0, end))
    is_id = len(NOT_DIGITS.sub("", text)) >= MIN_GROUPED_DIGITS
    return ("id", len(text)) if is_id else ("", len(text))


def _is_account(plain: str) -> bool:
    """Whether the check digits of an account number are right (ISO 13616: modulo 97)."""
    moved = plain[4:] + plain[:4]
    return len(plain) in range(15, 35) and int("".join(str(int(c, 36)) for c in moved)) % 97 == 1


def _classify(form: str, matched: str) -> tuple[str, int]:
    """The kind of a match, empty if it is not personal, and how many of its characters are done with."""
    if form == "number":
        return _kind_of_number(matched), len(matched)
    if form == "ip":
        return ("ip" if _is_address(matched) else ""), len(matched)
    if form == "account":
        return _kind_of_account(matched)
    return ("" if form == "kept" else form), len(matched)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
