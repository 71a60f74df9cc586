"""Secrets in texts: found, told by kind, and replaced by marks; what is none stays."""

import random
from collections.abc import Callable, Mapping
from functools import partial

import pytest
from camillo_server.lib.redaction.detector import entropy, exceeds_entropy
from camillo_server.lib.redaction.redaction import Redactor
from camillo_server.lib.redaction.rules import secret_rules

from tests.cases import each_case
from tests.patience import least_seconds, takes_less
from tests.secret_samples import MAKERS, samples

AROUND = ["{}", "鍵は {} です 🔑", "المفتاح {} محفوظ", "first line\nTOKEN={}\nlast line", "é (e\u0301): {}"]


@pytest.fixture(scope="module")
def redactor() -> Redactor:
    return Redactor()


@each_case("kind", MAKERS)
@each_case("around", AROUND)
def test_a_secret_is_taken_out_and_the_text_around_it_stays(redactor: Redactor, kind: str, around: str) -> None:
    for seed in range(5):
        secret = samples(seed)[kind]
        text, found = redactor.redact(around.format(secret))
        before, after = around.split("{}")
        assert text.startswith(before)
        assert text.endswith(after)
        assert secret not in text
        assert [each.kind for each in found] == [kind]
        mark = text[found[0].offset : len(text) - len(after)]
        assert mark in (f"[redacted: {kind}]", "[redacted]")


def test_all_of_several_secrets_are_taken_out(redactor: Redactor) -> None:
    secrets = samples(3)
    text, found = redactor.redact("\n".join(secrets.values()))
    assert not any(secret in text for secret in secrets.values())
    assert [each.kind for each in found] == list(secrets)
    assert all(text[each.offset] == "[" for each in found)


@each_case(
    "text",
    [
        "",
        "The user prefers tea to coffee, and keeps the key under the mat.",
        "password = os.environ['PASSWORD']",
        "api_key: ${API_KEY}",
        "token: {{ secrets.TOKEN }}",
        "commit 3bd07ba9f1d2c4e5a6b7c8d9e0f1a2b3c4d5e6f7 fixed it",
        "018f6c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f",
        "秘密鍵はどこですか 🔑",
    ],
)
def test_what_is_no_secret_stays(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text) == (text, [])
    secret = samples(1)["github-pat"]
    assert redactor.redact(f"{text} {secret}")[0] == f"{text} [redacted: github-pat]"


def test_a_text_never_grows(redactor: Redactor) -> None:
    for seed in range(20):
        for secret in samples(seed).values():
            assert len(redactor.redact(secret)[0]) <= len(secret)
    short, found = redactor.redact('curl -u "abc:k9Z" https://example.org')
    assert "k9Z" not in short
    assert "*********" in short
    assert found


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ada:{}@db.example.com:5432/camillo",
        "redis://:{}@cache/0",
        "見よ amqps://שלום:{}@[::1]/👋🏽",
        "HTTPS://ada:{}@example.com/?q=1#a",
    ],
)
def test_a_password_in_a_url_is_taken_out_of_it(redactor: Redactor, url: str) -> None:
    for password in ("hunter2-is-it", "p%40ss.w0rd", "秘密の鍵です"):
        left, found = redactor.redact(f"see {url.format(password)} for more")
        assert password not in left
        assert [each.kind for each in found] == ["url-password"]
        before, after = url.split("{}")
        assert before in left
        assert after in left


@each_case(
    "text",
    [
        "postgresql://ada:${PASSWORD}@db/camillo",
        "postgresql://user:password@host/db",
        "https://{{user}}:{{password}}@example.com",
        "http://localhost:7070/v1/memories@latest",
        "git@github.com:ada/tea.git and https://example.com:8080/@ada",
        "ratio 3:4 @ noon, mailto:ada@example.com",
    ],
)
def test_a_url_without_a_password_stays(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text) == (text, [])


def full_width(text: str) -> str:
    return "".join(chr(ord(each) + 0xFEE0) if "!" <= each <= "~" else each for each in text)


DISGUISES: Mapping[str, Callable[[str], str]] = {
    "zero width": lambda secret: "\u200b".join(secret),
    "soft hyphen": lambda secret: secret[:7] + "\u00ad" + secret[7:],
    "joiners": lambda secret: f"\u200d{secret[:9]}\u2060{secret[9:]}\ufeff",
    "right to left": lambda secret: f"\u202e{secret[:5]}\u202c{secret[5:]}",
    "variation": lambda secret: secret[:-1] + "\ufe0f" + secret[-1],
    "full width": full_width,
    "half of it": lambda secret: secret[:12] + full_width(secret[12:]),
}


@each_case("disguise", DISGUISES)
@each_case("kind", ["github-pat", "aws-access-token", "camillo-api-key"])
def test_a_secret_is_found_behind_what_a_reader_does_not_see(redactor: Redactor, disguise: str, kind: str) -> None:
    hidden = DISGUISES[disguise](samples(3)[kind])
    before, after = "שלום 👩🏽\u200d🔬, the key is ", " 漢字。"
    left, found = redactor.redact(before + hidden + after)
    assert left.startswith(before)
    assert left.endswith(after)
    assert [each.kind for each in found] == [kind]
    assert left[found[0].offset :].startswith("[redacted")
    assert len(left) <= len(before + hidden + after)


@pytest.mark.parametrize(
    "text", ["👩🏽\u200d🔬 می\u200cخواهم ＡＢＣ　１２３", "\u200b" * 100, "Ｔｏｋｅｎ： see the vault", "\ufeff"]
)
def test_invisible_characters_without_a_secret_stay(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text) == (text, [])


def test_a_hostile_text_costs_no_more_than_its_length(redactor: Redactor) -> None:
    hostile = "api_key_" * 3_000 + "=" * 3_000 + "-----BEGIN PRIVATE KEY" * 1_000

    # Ten times as long; quadratic would be a hundred times.
    once = least_seconds(partial(redactor.redact, hostile))
    assert takes_less(40 * once, partial(redactor.redact, hostile * 10))


def test_every_rule_can_be_read() -> None:
    rules = secret_rules()
    assert len(rules) > 200
    for rule in rules:
        assert rule.compiled
        assert rule.keywords
        for each in rule.exclusions:
            assert each.words or each.patterns
        for of in ("secret", "match", "line"):
            # Compiles the patterns.
            assert not rule.excludes(of, b"\n\0\n")


@pytest.mark.parametrize("least", [2, 3, 3.5, 4.8])
def test_whether_the_entropy_is_higher_is_known_without_it(least: float) -> None:
    dice = random.Random(1)  # noqa: S311
    texts = [bytes(dice.choices(range(40), k=dice.randrange(10, 400))) for _ in range(500)]
    texts += [b"a" * length + bytes(range(different)) for length in (9, 300) for different in range(30)]
    exceeding = [text for text in texts if entropy(text) > least]
    assert [text for text in texts if exceeds_entropy(text, least)] == exceeding
    assert 0 < len(exceeding) < len(texts)


def test_a_line_that_excludes_a_secret_excludes_none_in_another(redactor: Redactor) -> None:
    excluded = "RUN --mount=type=secret,id=key=k4j5h6g7f8d9s0a1 x"
    line = "key = k4j5h6g7f8d9s0a1"
    left, found = redactor.redact(f"{line}\n{excluded}\n{line}")
    assert left.split("\n")[1] == excluded
    assert len(found) == 2


def test_entropy_is_that_of_shannon() -> None:
    assert entropy(b"aaaa") == 0
    assert entropy(b"abab") == 1
    assert entropy(b"abcd") == 2
