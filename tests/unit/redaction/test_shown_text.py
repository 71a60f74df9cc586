"""Secrets that a reader would see in a text though its bytes do not show them."""

import random

from camillo_server.lib.outputs.summary.sample import NotableLine, Sample
from camillo_server.lib.redaction.stream import SecretStream, without_shown_secrets

from tests.cases import each_case
from tests.secret_samples import samples

SECRETS = samples(23)
BETWEEN = ("\x1b[m\x1b[K", "\x1b[01;31m", "\b", "\x1b]0;title\x07")


def sample(head: str, tail: str = "", notable: str = "") -> Sample:
    lines = [NotableLine(7, notable)] if notable else []
    return Sample(head=head, tail=tail, size=len(head), line_count=9, notable=lines)


def broken(secret: str, seed: int) -> str:
    """The secret with characters that no reader sees at three places in it."""
    dice = random.Random(seed)  # noqa: S311
    for place in sorted(dice.sample(range(1, len(secret)), 3), reverse=True):
        secret = secret[:place] + dice.choice(BETWEEN) + secret[place:]
    return secret


@each_case("kind", SECRETS)
def test_what_is_broken_by_escapes_is_masked_wherever_it_is_shown(kind: str) -> None:
    secret = SECRETS[kind]
    text = f"鍵 🔑 {broken(secret, len(secret))} wisteria\n"
    cleaned = without_shown_secrets(sample(text, text, text), SecretStream, was_searched=True)
    for shown in (cleaned.head, cleaned.tail, cleaned.notable[0].text):
        assert shown.startswith("鍵 🔑 [redacted")
        assert shown.endswith(" wisteria\n")
        assert not any(line in shown for line in secret.splitlines() if line[:1] != "-")
    assert cleaned.notable[0].number == 7


def test_what_hides_nothing_stays_as_it_is() -> None:
    plain = sample("one\r\ntwo \x1b[1mbold\x1b[0m\n", "três\r\n", "ERROR: \x1b[31mx\x1b[0m")
    assert without_shown_secrets(plain, SecretStream, was_searched=True) == plain


def test_what_was_not_looked_through_is() -> None:
    text = sample(f"token {SECRETS['github-pat']} wisteria")
    assert without_shown_secrets(text, SecretStream, was_searched=True) == text
    cleaned = without_shown_secrets(text, SecretStream, was_searched=False)
    assert "wisteria" in cleaned.head
    assert SECRETS["github-pat"] not in cleaned.head
