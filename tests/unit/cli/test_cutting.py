"""Texts are cut where no secret can be, with the server's knowledge of secrets and without it."""

import random

from camillo_cli.cutting import MAX_WORD, cut, cut_between_words
from camillo_server.lib.redaction.redaction import Redactor

from tests.cases import each_case
from tests.secret_samples import samples

LIMIT = 4_000


@each_case("kind", samples(0))
def test_no_part_of_a_secret_is_left_where_nobody_knows_it(kind: str) -> None:
    secret, redactor = samples(7)[kind], Redactor()
    dice = random.Random(kind)  # noqa: S311
    for kept in (0, 1, len(secret) - 1, len(secret), *dice.choices(range(len(secret)), k=4)):
        before = ("日本語の文章です。" * LIMIT)[: LIMIT - kept - 1] + "\n"
        short = cut_between_words(f"{before}{secret}\nand so on", LIMIT)
        assert len(short) <= LIMIT
        assert short.startswith(before.rstrip("\n")[:-1])
        left = redactor.redact(short.encode("utf-8", "replace").decode())[0]
        assert not any(secret[at : at + 12] in left for at in range(31, len(secret) - 12))


def test_texts_without_words_of_ascii_are_cut_at_the_limit() -> None:
    assert cut_between_words("茶" * 20, 10) == "茶" * 10
    assert cut_between_words("one two three", 9) == "one two "
    assert cut_between_words("one two three", 7) == "one two"
    assert cut_between_words("x" * (MAX_WORD + 9), MAX_WORD + 5) == "x" * (MAX_WORD + 5)
    # Nothing would be left of one word: a text that is not empty stays one.
    assert cut_between_words("x" * 200, 128) == "…"


def test_the_server_that_is_installed_finds_secrets() -> None:
    text = f"{'a ' * 1_980}{samples(7)['github-pat']} b"
    assert "[redacted" in cut(text, LIMIT)
    assert "[redacted" not in cut_between_words(text, LIMIT)
    assert cut("ab\x1b[31;1mcd", 5) == "abcd"
