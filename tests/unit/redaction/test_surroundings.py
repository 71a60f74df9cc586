"""Secrets between whatever characters people, Markdown, HTML, JSON and programs put around them."""

import random

import pytest
from camillo_server.lib.redaction.redaction import Redactor

from tests.cases import each_case
from tests.secret_samples import ALNUM, HEX, samples
from tests.secret_surroundings import BEHIND, NAMED, SERVICES, sampled_texts, self_evident


@pytest.fixture(scope="module")
def redactor() -> Redactor:
    return Redactor()


@each_case("kind", self_evident(0))
def test_a_secret_is_found_whatever_stands_beside_it(redactor: Redactor, kind: str) -> None:
    kept = []
    for secret, text in sampled_texts(kind):
        left, found = redactor.redact(text)
        if not found or secret[8:-4] in left:
            kept.append(text)
    assert kept == []


@each_case("name", SERVICES)
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


@each_case(
    ("prefix", "letters", "length"),
    [
        ("Authorization: Bearer ", ALNUM, 40),
        ("gsk_", ALNUM, 52),
        ("xai-", ALNUM, 80),
        ("sbp_", HEX, 40),
        ("r8_", ALNUM, 37),
        ("sk-or-v1-", HEX, 64),
        ("figd_", ALNUM, 40),
        ("tvly-dev-", ALNUM, 32),
        ("vcp_", ALNUM, 56),
    ],
)
def test_a_token_of_a_newer_service_is_found(redactor: Redactor, prefix: str, letters: str, length: int) -> None:
    dice, kept = random.Random(prefix), []  # noqa: S311
    for behind in BEHIND:
        secret = "".join(dice.choices(letters, k=length))
        for form in ("My key is {}{}", "({}{}", "**{}{}", "{}{}"):
            text = form.format(prefix + secret, behind)
            if secret in redactor.redact(text)[0]:
                kept.append(text)
    assert kept == []


@each_case(
    "line",
    [
        '"{}\\n"',
        "'{}\\n' +",
        "{}<br>",
        "<p>{}</p>",
        "id_rsa:7:{}",
        "2026-11-21T10:00:00Z INFO {}",
        "echo '{}' >> id_rsa",
        '<span class="line"><span class="cl">{}</span></span>',
    ],
)
def test_a_private_key_is_found_between_words_on_each_of_its_lines(redactor: Redactor, line: str) -> None:
    lines = samples(3)["private-key"].split("\n")
    body = "".join(lines[1:-1])
    lines[-2] = lines[-2][:41]
    for part in (lines, lines[:-1], lines[2:]):
        shown = "\n".join(line.format(each) for each in part)
        left, found = redactor.redact(f"see:\n{shown}\nthanks, that was it")
        assert {each.kind for each in found} == {"private-key"}
        assert left.startswith("see:\n")
        assert left.endswith("\nthanks, that was it")
        assert not any(body[at : at + 24] in left for at in range(len(body) - 24))


@pytest.mark.parametrize("word", ["password", "api_key", "Secret", "access token"])
def test_what_looks_like_a_key_is_found_before_punctuation(redactor: Redactor, word: str) -> None:
    dice, kept = random.Random(word), []  # noqa: S311
    for behind in [*",;!?)]}>»”’\"'`*|。，；！？）】»鍵の\u200f🔑", "</b>", "\\n", '\\"', ").", "**."]:
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
        "Authorization: Bearer <your-access-token-goes-here>, or bearer_token_authentication",
        "The bearer of this internationalization-letter2 may enter: Bearer ${LONG_TOKEN_OF_2026}.",
        "Run npm_config_registry=https://example.org, then pip install camillo==1.2.3.",
        "static void GLC_CreateLightmapTextureArray(void);",
        "The asana board is at https://app.asana.com/0/1200000000000000/list.",
        "-----BEGIN PRIVATE KEY----- is how such a file begins, and this is a sentence.",
        "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
    ):
        assert redactor.redact(text) == (text, [])


@each_case("newline", ["\n", "\r\n", "\\n", "\n> ", "\n    ", "\n+", "\n12\t", "\n     7→"])
@each_case("part", ["all", "no end", "no begin", "two lines", "cut", "cut end", "cut begin"])
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


@pytest.mark.parametrize(
    "stated", ["My OpenAI key is {}", "the password for prod is `{}`.", "Das Token ist {}, danke", "use the secret {}!"]
)
def test_a_value_that_a_sentence_states_is_found(redactor: Redactor, stated: str) -> None:
    secret = "".join(random.Random(stated).choices(ALNUM, k=32))  # noqa: S311
    left, found = redactor.redact(stated.format(secret))
    assert [each.kind for each in found] == ["stated-secret"]
    assert left == stated.format("[redacted: stated-secret]")
    for clean in ("a1b2c3d4-0000-4000-8000-a1b2c3d4e5f6", "docs/secret_keys/rotation_of_2026.md", "a secret of nobody"):
        assert redactor.redact(stated.format(clean)) == (stated.format(clean), [])
