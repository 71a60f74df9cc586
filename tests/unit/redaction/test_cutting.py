"""Texts are cut where no secret and no placeholder is."""

import random

import pytest
from camillo_server.lib.redaction.redaction import Redactor, cut

from tests.cases import each_case
from tests.secret_samples import samples

LIMIT = 4_000
FILLERS = ["plain words and so on. ", "日本語の文章です。", "🔑 clé é ", "half \ud83d of one "]


@pytest.fixture(scope="module")
def redactor() -> Redactor:
    return Redactor()


@each_case("filler", FILLERS)
@each_case("kind", samples(0))
def test_no_part_of_a_secret_is_left_wherever_it_is_cut(redactor: Redactor, kind: str, filler: str) -> None:
    secret = samples(7)[kind]
    dice = random.Random(kind)  # noqa: S311
    for kept in (0, 1, len(secret) - 1, len(secret), *dice.choices(range(len(secret)), k=4)):
        before = (filler * LIMIT)[: LIMIT - kept - 1] + "\n"
        short = cut(f"{before}{secret}\n{filler * 9}", LIMIT, redactor)
        assert len(short) <= LIMIT
        assert short.startswith(before.rstrip("\n"))
        left = redactor.redact(short.encode("utf-8", "replace").decode())[0]
        assert secret[:9] not in left or kind == "private-key"
        assert not any(secret[at : at + 12] in left for at in range(31, len(secret) - 12))


def test_what_follows_the_end_tells_of_a_secret_before_it(redactor: Redactor) -> None:
    secret = "".join(random.Random(1).choices("0123456789abcdef", k=32))  # noqa: S311
    text = f"{'a ' * 990}asana: {secret}"
    assert secret[:20] not in cut(text, len(text) - 8, redactor)
    assert cut("a " * 3_000, 4_000, redactor) == "a " * 2_000


def test_a_placeholder_is_not_cut() -> None:
    text = "key [redacted: github-pat] and more"
    for limit in range(len(text)):
        short = cut(text, limit)
        assert len(short) <= limit
        assert short.count("[") == short.count("]")
    assert cut(text, 15) == "key "
    assert cut("an open [ and no end", 12) == "an open [ an"


def test_an_escape_sequence_is_not_cut(redactor: Redactor) -> None:
    assert cut("ab\x1b[31;1mcd", 5, redactor) == "abcd"
