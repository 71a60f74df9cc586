"""Surroundings that people, Markdown, HTML, JSON and programs put before and behind secrets."""

import random
from collections.abc import Iterator, Mapping

from tests.secret_samples import ALNUM, HEX, samples

BEHIND = [
    *".,;:!?)]}>»”’\"'`*_~|/\\<&#%=+@$^-…—",
    *"。，；：！？）】》」』、・︰،؛؟۔।։״׳፡။។¿¡",
    *"鍵키のéЖשم🔑\u200b\u200e\u200f\u202c\u2069\ufeff\u00a0\u3000\n\t\0",
    *("...", "?!", "**", "__", "~~", "</b>", "</code>", "<br>", "\\n", "\\t", '\\"', "&nbsp;", "\r\n"),
    *(".\n", ". Next", ", next", "'s", " (old)", "| x |", "](x)", "```", "');", '"}', "%0A", "\x1b[0m"),
]
BEFORE = [
    *"([{<«“‘\"'`*_~|/\\>&#%=+@$^-—:;,.!?¿¡",
    *"（【《「『：，。、،؛؟",
    *"鍵키のéЖשم🔑\u200b\u200e\u200f\u202a\u2067\ufeff\u00a0\u3000\n\t\0",
    *("**", "__", "~~", "<b>", "<code>", "\\n", "\\t", '\\"', "&nbsp;", "k=", "k:", "%0A", "\x1b[31m"),
    *("\\u000a", "\\x0a", "\\u001b[1m", "](", "```\n", '{"k":"', "f('"),
]
# Kinds whose name stands beside them, as it does in notes.
SERVICES: Mapping[str, tuple[str, int]] = {
    "adafruit": (HEX, 32),
    "algolia": (HEX, 32),
    "asana": (HEX, 32),
    "datadog": (HEX, 40),
    "etsy": (HEX, 24),
    "fastly": (HEX, 32),
    "netlify": (HEX, 44),
}
NAMED = [
    "{} key: {}",
    "**{} key**: {}",
    "**{} key:** `{}`",
    "<b>{} key</b>: <code>{}</code>",
    "<td>{}</td><td>{}</td>",
    "| {} | {} |",
    "{} の鍵：{}。",
    "{}: “{}”.",
    "({}={}).",
    '{{"{}":"{}"}}',
]


def self_evident(seed: int) -> dict[str, str]:
    """One secret of each kind that is known by its form alone."""
    dice = random.Random(seed)  # noqa: S311
    telegram = f"{dice.randrange(10**8, 10**9)}:AA{''.join(dice.choices(ALNUM, k=33))}"
    return samples(seed) | {"telegram-bot-token": telegram}


def all_texts(kind: str) -> Iterator[tuple[str, str]]:
    """A secret of the kind, and a text with it, for each character before or behind it, in each place of a sentence."""
    around = [*(("", each) for each in BEHIND), *((each, "") for each in BEFORE)]
    for seed, (before, behind) in enumerate(around):
        secret = self_evident(seed)[kind]
        yield from ((secret, text) for text in placed(f"{before}{secret}{behind}"))


def sampled_texts(kind: str) -> Iterator[tuple[str, str]]:
    """Texts with each character once, one before and one behind each secret, in one place."""
    for seed in range(max(len(BEFORE), len(BEHIND))):
        secret = self_evident(seed)[kind]
        before, behind = BEFORE[seed % len(BEFORE)], BEHIND[seed % len(BEHIND)]
        yield secret, placed(f"{before}{secret}{behind}")[seed % 3]


def placed(shown: str) -> tuple[str, str, str]:
    return f"My key is {shown}", f"{shown} is my key", shown
