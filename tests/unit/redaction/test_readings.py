"""Secrets in escapes, encoded once, or split over lines: found in texts and in streams, and nothing around them is
touched."""

import base64
from collections.abc import Callable, Mapping
from urllib.parse import quote

import re2
from camillo_server.lib.redaction.detector import BLOCK_BYTES, SecretDetector
from camillo_server.lib.redaction.readings import readings
from camillo_server.lib.redaction.redaction import Redactor
from camillo_server.lib.redaction.rules import VAGUE
from camillo_server.lib.redaction.stream import SecretStream
from hypothesis import example, given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.patience import least_seconds, takes_less
from tests.secret_samples import samples

BEFORE, AFTER = "שלום 👩🏽\u200d🔬 鍵, the key: ", " 漢字。\nThe next line stays\n"
# A word of three letters has too few encoded letters to be looked for at every offset; the key is long.
KINDS = ("github-pat", "aws-access-token", "camillo-api-key", "gitlab-pat", "stripe-access-token", "gcp-api-key")
Encode = Callable[[str], str]


def in_base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


ENCODED: Mapping[str, Encode] = {
    "base64": in_base64,
    "base64 without padding": lambda secret: in_base64(secret).rstrip("="),
    "base64 of more": lambda secret: in_base64(f"user: אדה\nkey: {secret}\nand more of it"),
    "base64 of JSON": lambda secret: in_base64(f'{{"a": "漢", "k": "{secret}"}}'),
    "base64 for URLs": lambda secret: f"/a/{base64.urlsafe_b64encode(f'~~:{secret}'.encode()).decode()}",
    "base64 in lines": lambda secret: (
        base64.encodebytes(f"{'name: ada; ' * 5}key: {secret}\n{'rest ' * 20}".encode()).decode().strip()
    ),
    "hex": lambda secret: secret.encode().hex(),
    "hex in capitals": lambda secret: f"0x{secret.encode().hex().upper()}",
    "percent": lambda secret: "".join(f"%{ord(each):02X}" for each in secret),
    "percent where needed": lambda secret: quote(secret, safe="").replace("_", "%5f"),
    "unicode escapes": lambda secret: "".join(f"\\u{ord(each):04x}" for each in secret),
    "one escape": lambda secret: f"{secret[:9]}\\u{ord(secret[9]):04X}{secret[10:]}",
    "escapes in braces": lambda secret: f"{secret[:9]}\\u{{{ord(secret[9]):x}}}{secret[10:]}",
    "byte escapes": lambda secret: f"{secret[:7]}\\x{ord(secret[7]):02x}{secret[8:]}",
    "entities": lambda secret: "".join(f"&#{ord(each)};" for each in secret),
    "entities in hex": lambda secret: "".join(f"&#x{ord(each):X};" for each in secret),
    "named entities": lambda secret: secret.replace("_", "&lowbar;").replace("-", "&#45;"),
    "split": lambda secret: f"{secret[:17]}\n{secret[17:]}",
    "split and indented": lambda secret: f"{secret[:12]}\r\n    {secret[12:]}",
    "split behind a backslash": lambda secret: f"{secret[:15]}\\\n{secret[15:]}",
    "split by an escape": lambda secret: f"{secret[:14]}\\n{secret[14:]}",
    "split twice": lambda secret: f"{secret[:9]}\n{secret[9:15]}\n{secret[15:]}",
}


@each_case("encoded", ENCODED)
@each_case("kind", KINDS)
def test_a_secret_is_found_in_another_reading_of_a_text(kind: str, encoded: str) -> None:
    for seed in range(3):
        hidden = ENCODED[encoded](samples(seed)[kind])
        left, found = Redactor().redact(BEFORE + hidden + AFTER)
        # The first line of several stands beside the word `key`.
        assert {each.kind for each in found} - {VAGUE} == {kind}
        assert left.startswith(BEFORE)
        assert left.endswith(AFTER)
        assert "[redacted" in left
        assert len(left) <= len(BEFORE + hidden + AFTER)


@each_case("encoded", ENCODED)
def test_a_stream_finds_it_too_and_keeps_its_length(encoded: str) -> None:
    sent = (BEFORE + ENCODED[encoded](samples(4)["github-pat"]) + AFTER).encode()
    stream = SecretStream(SecretDetector())
    parts = [*map(stream.feed, (sent[:40], sent[40:])), stream.finish()]
    kept = b"".join(part.data for part in parts)
    assert {secret.kind for part in parts for secret in part.found} - {VAGUE} == {"github-pat"}
    assert len(kept) == len(sent)
    assert kept.startswith(BEFORE.encode())
    assert kept.endswith(AFTER.encode())


@each_case(
    "text",
    [
        "https://example.com/a%20b?q=%D7%A9%D7%9C%D7%95%D7%9D&amp;lang=he",
        "&lt;p&gt;&nbsp;漢字 &copy; 2026&lt;/p&gt; AT&T; &#128512; \\u6f22\\u5b57 C:\\users\\new",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
        "da39a3ee5e6b4b0d3255bfef95601890afd80709",
        in_base64("the password is in the vault, ask שרה"),
        "the token\nof appreciation\nand the secret\ngarden",
        "ghp_ is what such tokens\nbegin with: ghp_\nand then letters",
        "100% sure\n&c.\n\\",
    ],
)
def test_what_holds_no_secret_in_any_reading_stays(text: str) -> None:
    assert Redactor().redact(text) == (text, [])
    # The control: the same text with a secret in it.
    hidden = in_base64(samples(1)["github-pat"])
    assert Redactor().redact(f"{text} {hidden}")[0].startswith(f"{text} [redacted")


@given(
    st.lists(
        st.sampled_from(["Z2hw", "X3Bhc3N3b3Jk", "cGFzc3dvcmQ", "AbC123+/", "x-_", "a", "\n", " \r\n\t", " ", "."]),
        max_size=60,
    )
)
@example(["Z2hwX2FiY2RlZm", *["\n", "AbC1"] * 40, "Z2hwX2FiY2RlZm"])
def test_runs_of_base64_are_those_that_one_pattern_would_find(pieces: list[str]) -> None:
    text, letters = "".join(pieces).encode(), "[A-Za-z0-9+/_-]"
    word = f"(?:{'|'.join(readings()[1].patterns)})"
    lines = f"(?:[ \t]*\r?\n[ \t]*{letters}{{4,}}){{0,32}}"
    runs = re2.finditer(f"{letters}*{word}{letters}{{8,}}{lines}".encode(), text)
    starts = [run.start() for run in runs]
    read = readings()[1].read(text, None)
    # Each run is decoded from its first four letters on, by its first line and, where it has more, by all of them.
    first_lines = [at for at in range(len(read.text)) if at == 0 or read.text[at - 1 : at] == b"\n"]
    found = {read.origin(at, at + 1)[0] for at in first_lines}
    assert set(starts) <= found
    assert bool(starts) == bool(found)


def test_a_secret_that_is_whole_ends_with_its_line() -> None:
    for kind in ("jwt", "slack-bot-token", "pypi-upload-token"):
        left, _ = Redactor().redact(f"{samples(2)[kind]}\nThe next line")
        assert left.endswith("]\nThe next line")


def test_secrets_of_a_long_text_are_found_across_its_blocks() -> None:
    secret = samples(6)["github-pat"]
    filling = "漢" * (BLOCK_BYTES // 3 - 5)
    left, found = Redactor().redact(f"{filling} {secret} {filling} {secret} {filling} {secret}")
    assert [each.kind for each in found] == ["github-pat"] * 3
    assert left == " ".join([filling, "[redacted: github-pat]"] * 3)


@each_case("piece", ["%41", "\u200b", "Z2hwX2FiY2RlZmdoaWpr ", "6768705f61", "ghp_ab\n", "&#71;", "key=a1b2c3d4e5 "])
def test_the_work_grows_with_the_text_alone(piece: str) -> None:
    short = least_seconds(lambda: Redactor().redact(piece * 1_000))
    # Eight times as long; quadratic would be sixty-four times.
    assert takes_less(24 * short, lambda: Redactor().redact(piece * 8_000))
