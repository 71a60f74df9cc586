"""What a row of digits is likely to be. In doubt it is somebody's: what is taken for a number of a person and is none
costs a reader little, the other way round it costs the person."""

import re

CARD_DIGITS = range(13, 20)
PHONE_DIGITS = range(7, 16)
LEAST_DIGITS_OF_ID = 8
LEAST_DIGITS_IN_GROUPS = 9

NOT_DIGITS = re.compile(r"\D+")
SOCIAL_SECURITY = re.compile(r"\d{3}-\d{2}-\d{4}")
# 555-0199, 555-123-4567, 1-800-555-0199, 600 123 456
PHONE_IN_GROUPS = re.compile(r"(?:(?:1[ .-])?\d{3}[ .-])?\d{3}[ .-]\d{4}|\d{3}([ -])\d{3}\1\d{3}")
CHINESE_MOBILE = re.compile(r"1[3-9]\d{9}")
DAY_IN_DIGITS = re.compile(r"(?:1[89]|2[01])\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")
YEARS = re.compile(r"(?:1[89]|2[01])\d\d(?:[ ./-]{1,3}(?:1[89]|2[01])\d\d)+")
# 12 500 000, 1.234.567; with three digits first it may as well be 600 123 456, which is a phone.
AMOUNT = re.compile(r"[1-9]\d?(?:([ .])\d{3})(?:\1\d{3})*")


def kind_of_number(text: str) -> str:
    """`card`, `phone` or `id`; empty for a number that is nobody's. Separators are plain ones."""
    digits = NOT_DIGITS.sub("", text)
    if len(digits) in CARD_DIGITS and digits[0] != "0" and is_card(digits):
        return "card"
    if SOCIAL_SECURITY.fullmatch(text):
        return "id"
    if len(digits) in PHONE_DIGITS and is_phone(text, digits):
        return "phone"
    if is_plain_number(text):
        return ""
    least = LEAST_DIGITS_OF_ID if text == digits else LEAST_DIGITS_IN_GROUPS
    return "id" if len(digits) >= least else ""


def is_card(digits: str) -> bool:
    """The last digit is what it should be (Luhn, ISO/IEC 7812-1, annex B)."""
    doubled = (2 * int(digit) for digit in digits[-2::-2])
    total = sum(map(int, digits[::-2])) + sum(each // 10 + each % 10 for each in doubled)
    return total % 10 == 0


def is_phone(text: str, digits: str) -> bool:
    """It begins or is grouped as phone numbers are."""
    return (
        text.startswith(("+", "(", "0"))
        or PHONE_IN_GROUPS.fullmatch(text) is not None
        or CHINESE_MOBILE.fullmatch(digits) is not None
    )


def is_plain_number(text: str) -> bool:
    """A day, years, or an amount."""
    return any(form.fullmatch(text) for form in (DAY_IN_DIGITS, YEARS, AMOUNT))


def kind_of_account(text: str) -> tuple[str, int]:
    """`account` for a bank account that the text begins with, which may go on with words, and how long it is; `id` for
    another number with letters; empty for neither."""
    end = len(text)
    while end > 0:
        if is_account(re.sub("[ -]", "", text[:end])):
            return "account", end
        # One group less.
        end = max(text.rfind(" ", 0, end), text.rfind("-", 0, end))
    is_id = len(NOT_DIGITS.sub("", text)) >= LEAST_DIGITS_IN_GROUPS
    return ("id", len(text)) if is_id else ("", len(text))


def is_account(plain: str) -> bool:
    """The check digits are what they should be (ISO 13616: modulo 97)."""
    moved = plain[4:] + plain[:4]
    return len(plain) in range(15, 35) and int("".join(str(int(c, 36)) for c in moved)) % 97 == 1
