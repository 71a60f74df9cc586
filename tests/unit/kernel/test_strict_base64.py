"""Base64 with one text for the same bytes."""

import os
from base64 import b64encode, urlsafe_b64encode

from camillo_server.kernel.strict_base64 import from_base64, from_base64url

from tests.cases import each_case

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


@each_case("size", [*range(1, 40)])
def test_of_all_last_characters_one_is_taken(size: int) -> None:
    sent = os.urandom(size)
    text = urlsafe_b64encode(sent).rstrip(b"=").decode()
    assert from_base64url(text) == sent
    # Without spare bits, another character is other bytes.
    others = [from_base64url(text[:-1] + last) for last in ALPHABET]
    assert others.count(sent) == 1
    padded = b64encode(sent).decode()
    assert from_base64(padded) == sent
    at = len(padded.rstrip("=")) - 1
    changed = [padded[:at] + last + padded[at + 1 :] for last in ALPHABET.replace("-_", "+/")]
    assert [from_base64(each) for each in changed].count(sent) == 1


def test_what_decoders_pass_over_is_refused() -> None:
    assert from_base64url("") == b""
    assert from_base64url("YWJj") == from_base64("YWJj") == b"abc"
    for text in ("YWJj\n", " YWJj", "YW-Jj!", "YWJj=", "YQ==", "Y", "é", "YW Jj", "++++", "YWJj🙂"):
        assert from_base64url(text) is None, text
    for text in ("YWJj\n", "YQ", "YQ=", "YQ===", "YR==", "Y!Q=="):
        assert from_base64(text) is None, text
