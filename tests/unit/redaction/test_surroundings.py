"""Secrets between whatever characters people, Markdown, HTML, JSON and programs put around them."""

import random
from collections.abc import Mapping

import pytest
from camillo_server.redaction.redaction import Redactor

from tests.secret_samples import ALNUM, HEX, samples

BEHIND = [
    *".,;:!?)]}>»”’\"'`*_~|/\\<&#%=+@$^-…—",
    *"。，；：！？）】》」』、・︰،؛؟۔।։״׳፡။។¿¡",
    *"鍵키のéЖשم🔑\u200b\u200e\u200f\u202c\u2069\ufeff\u00a0\u3000\n\t\0",
    *(
        "...",
        "?!",
        "**",
        "__",
        "~~",
        "</b>",
        "</code>",
        "<br>",
        "\\n",
        "\\t",
        '\\"',
        "&nbsp;",
        "\r\n",
    ),
    *(
        ".\n",
        ". Next",
        ", next",
        "'s",
        " (old)",
        "| x |",
        "](x)",
        "```",
        "');",
        '"}',
        "%0A",
        "\x1b[0m",
    ),
]
BEFORE = [
    *"([{<«“‘\"'`*_~|/\\>&#%=+@$^-—:;,.!?¿¡",
    *"（【《「『：，。、،؛؟",
    *"鍵키のéЖשم🔑\u200b\u200e\u200f\u202a\u2067\ufeff\u00a0\u3000\n\t\0",
    *(
        "**",
        "__",
        "~~",
        "<b>",
        "<code>",
        "\\n",
        "\\t",
        '\\"',
        "&nbsp;",
        "k=",
        "k:",
        "%0A",
        "\x1b[31m",
    ),
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


@pytest.fixture(scope="module")
def redactor() -> Redactor:
    return Redactor()


def _self_evident(seed: int) -> dict[str, str]:
    dice = random.Random(seed)  # noqa: S311
    telegram = f"{dice.randrange(10**8, 10**9)}:AA{''.join(dice.choices(ALNUM, k=33))}"
    return samples(seed) | {"telegram-bot-token": telegram}


@pytest.mark.parametrize("kind", _self_evident(0))
def test_a_secret_is_found_whatever_stands_beside_it(redactor: Redactor, kind: str) -> None:
    kept = []
    around = [*(("", each) for each in BEHIND), *((each, "") for each in BEFORE)]
    for seed, (before, after) in enumerate(around):
        secret = _self_evident(seed)[kind]
        shown = f"{before}{secret}{after}"
        for text in (f"My key is {shown}", f"{shown} is my key", shown):
            left, found = redactor.redact(text)
            if not found or secret[8:-4] in left:
                kept.append(text)
    assert kept == []


@pytest.mark.parametrize("name", SERVICES)
def test_a_secret_is_found_beside_the_name_of_its_service(redactor: Redactor, name: str) -> None:
    letters, length = SERVICES[name]
    dice, kept = random.Random(name), []  # noqa: S311
    for form in NAMED:
        for behind in ("", *BEHIND):
            secret = "".join(dice.choices(letters, k=length))
            if behind and form != NAMED[0]:
                continue
            text = form.format(name, secret) + behind
            if secret in redactor.redact(text)[0]:
                kept.append(text)
    assert kept == []


@pytest.mark.parametrize("word", ["password", "api_key", "Secret", "access token"])
def test_what_looks_like_a_key_is_found_before_punctuation(redactor: Redactor, word: str) -> None:
    dice, kept = random.Random(word), []  # noqa: S311
    for behind in [
        *",;!?)]}>»”’\"'`*|。，；！？）】»鍵の\u200f🔑",
        "</b>",
        "\\n",
        '\\"',
        ").",
        "**.",
    ]:
        # One that is found at the end of a line: others hold a word, or have too little entropy.
        made = ("".join(dice.choices(ALNUM, k=22)) for _ in range(99))
        secret = next(each for each in made if redactor.redact(f"{word} = {each}")[1])
        for form in ("({}: {}{})", "{} = {}{}", "**{}**: {}{}", "{}：“{}{}"):
            text = form.format(word, secret, behind)
            if secret in redactor.redact(text)[0]:
                kept.append(text)
    assert kept == []


def test_what_only_looks_alike_stays(redactor: Redactor) -> None:
    hashed = "".join(random.Random(4).choices(HEX, k=40))  # noqa: S311
    for text in (
        f"Fixed in commit {hashed}.",
        "token = parse_token2(next_of(line))",
        "key: user_id, value: name2",
        "Run npm_config_registry=https://example.org, then pip install camillo==1.2.3.",
        "static void GLC_CreateLightmapTextureArray(void);",
        "The asana board is at https://app.asana.com/0/1200000000000000/list.",
        "-----BEGIN PRIVATE KEY----- is how such a file begins, and this is a sentence.",
        "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
    ):
        assert redactor.redact(text) == (text, [])


@pytest.mark.parametrize(
    "newline", ["\n", "\r\n", "\\n", "\n> ", "\n    ", "\n+", "\n12\t", "\n     7→"]
)
@pytest.mark.parametrize(
    "part", ["all", "no end", "no begin", "two lines", "cut", "cut end", "cut begin"]
)
def test_a_part_of_a_private_key_is_one(redactor: Redactor, part: str, newline: str) -> None:
    lines = samples(1)["private-key"].split("\n")
    body = "".join(lines[1:-1])
    parts = {
        "all": lines,
        "no end": lines[:-1],
        "no begin": lines[1:],
        "two lines": lines[:3],
        "cut": [*lines[:3], lines[3][:21]],
        "cut end": [*lines[:-1], lines[-1][:14]],
        "cut begin": [lines[1][30:], *lines[2:]],
    }
    left, found = redactor.redact(f"see:\n{newline.join(parts[part])}\nthanks, that was it")
    assert [each.kind for each in found] == ["private-key"]
    assert left.startswith("see:\n")
    assert left.endswith("\nthanks, that was it")
    assert not any(body[at : at + 24] in left for at in range(len(body) - 24))
