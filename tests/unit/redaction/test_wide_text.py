"""Secrets in UTF-16: found in both byte orders, at any place, however cut; nothing else of binary content is
touched."""

import random

from camillo_server.lib.redaction.stream import SecretStream

from tests.cases import each_case
from tests.secret_samples import samples

SECRETS = {kind: text for kind, text in samples(11).items() if text.isascii()}


def cleaned(data: bytes, size: int) -> tuple[bytes, list[str]]:
    """Data that a stream leaves, fed in pieces of so many bytes, and the kinds found."""
    stream = SecretStream()
    parts = [stream.feed(data[at : at + size]) for at in range(0, len(data), size)]
    parts.append(stream.finish())
    kinds = [secret.kind for part in parts for secret in part.found]
    return b"".join(part.data for part in parts), kinds


@each_case("encoding", ["utf-16-le", "utf-16-be"])
@each_case("before", ["", "x"])
@each_case("kind", SECRETS)
def test_secrets_in_utf_16_are_masked_in_place(kind: str, encoding: str, before: str) -> None:
    secret = SECRETS[kind]
    text = f"{before}鍵 🔑 é {secret} wisteria\n"
    data = before.encode() + text.encode(encoding)
    for size in (len(data), 7):
        left, kinds = cleaned(data, size)
        assert kinds == [kind]
        assert len(left) == len(data)
        shown = left[len(before) :].decode(encoding)
        assert shown.startswith(f"{before}鍵 🔑 é ")
        assert shown.endswith(" wisteria\n")
        lines = [line for line in secret.splitlines() if not line.startswith("-----")]
        assert all(line in text and line not in shown for line in lines)
        assert "[redacted" in shown or "*" in shown


def test_bytes_that_only_hold_the_letters_apart_are_left() -> None:
    secret = SECRETS["github-pat"].encode()
    apart = bytes(byte for letter in secret for byte in (letter, 0xEE))
    data = b"\0" + apart + random.Random(1).randbytes(1_000)  # noqa: S311
    assert cleaned(data, 64) == (data, [])
    assert cleaned(b"\0" + secret + b"\0", 64)[1] == ["github-pat"]
