"""Secrets in streams of bytes: what comes out is as long as what went in, and the same however it was cut."""

import random
from collections.abc import Sequence
from itertools import pairwise

import pytest
from camillo_server.lib.redaction.detector import KeywordGate, Secret, SecretDetector
from camillo_server.lib.redaction.stream import CleanedBytes, SecretStream, Sizes
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cases import each_case
from tests.secret_samples import MAKERS, samples

# Small, so that short texts have many blocks; no secret of the samples is longer than the reach.
SMALL = Sizes(block=700, reach=600)
AROUND = [
    b"plain text, line after line\n",
    "鍵は秘密です 🔑🔑 ".encode(),
    "المفتاح محفوظ هنا ".encode(),
    "e\u0301 re\u0301sume\u0301 ".encode(),
    b"\xff\xfe\x00\x80 \xc3(\xe2\x84\n",
    b"token of the api, key of the access: password\r\n",
    b'{"auth": "none", "secret": ""}, ',
]
SLOW = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


def cleaned(pieces: Sequence[bytes], sizes: Sizes | None = None) -> CleanedBytes:
    stream = SecretStream(sizes=sizes)
    parts = [*map(stream.feed, pieces), stream.finish()]
    found = [each for part in parts for each in part.found]
    return CleanedBytes(b"".join(part.data for part in parts), found)


def cut(text: bytes, places: Sequence[int]) -> list[bytes]:
    borders = [0, *sorted(place % (len(text) + 1) for place in places), len(text)]
    return [text[start:end] for start, end in pairwise(borders)]


def line_ends(text: bytes) -> list[int]:
    return [at for at, byte in enumerate(text) if byte in b"\r\n"]


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    secrets = samples(draw(st.integers(0, 50)))
    parts = []
    for kind in draw(st.lists(st.sampled_from(sorted(MAKERS)), max_size=4)):
        around = draw(st.sampled_from(AROUND)) * draw(st.integers(0, 20))
        parts += [around, b" ", secrets[kind].encode(), b"\n"]
    return b"".join([*parts, draw(st.binary(max_size=50))])


@SLOW
@given(text=texts(), places=st.lists(st.integers(min_value=0), max_size=12))
@pytest.mark.parametrize("sizes", [SMALL, Sizes()], ids=["small blocks", "one block"])
def test_what_comes_out_does_not_hang_on_how_it_was_cut(sizes: Sizes, text: bytes, places: list[int]) -> None:
    at_once = cleaned([text], sizes)
    assert cleaned(cut(text, places), sizes) == at_once
    assert len(at_once.data) == len(text)
    assert line_ends(at_once.data) == line_ends(text)


@each_case("kind", MAKERS)
def test_a_secret_is_found_at_every_place_of_a_block_byte_by_byte(kind: str) -> None:
    secret = samples(4)[kind].encode()
    for before in range(0, 1500, 149):
        text = b"x y\n" * (before // 4) + b" " * (before % 4 + 1) + secret + "\n終わり🔑".encode()
        start = text.index(secret)
        came = cleaned([bytes([byte]) for byte in text], SMALL)
        assert came.found == [Secret(start, start + len(secret), kind)]
        assert came.data[:start] == text[:start]
        assert came.data[start:].startswith((f"[redacted: {kind}]".encode(), b"[redacted]"))
        assert came.data[start + len(secret) :] == text[start + len(secret) :]
        assert came == cleaned([text], SMALL)


@each_case("around", AROUND)
def test_every_kind_is_found_among_any_bytes(around: bytes) -> None:
    for seed in range(3):
        for kind, secret in samples(seed).items():
            text = around * 3 + b" " + secret.encode() + b"\n" + around
            came = cleaned([text])
            assert [each.kind for each in came.found] == [kind]
            assert secret.encode() not in came.data
            assert came.data.startswith(around * 3 + b" [redacted")
            assert came.data.endswith(b"\n" + around)


@SLOW
@given(text=texts())
def test_a_short_stream_has_what_the_detector_finds(text: bytes) -> None:
    expected = DETECTOR.find(text)
    assert cleaned([text]).found == expected


def test_a_long_stream_has_what_the_detector_finds() -> None:
    dice = random.Random(5)  # noqa: S311
    secrets = list(samples(6).values()) * 8
    dice.shuffle(secrets)
    lines = [dice.choice(AROUND).strip() * dice.randrange(40) + b"\n" for _ in secrets]
    text = b"".join(line + b" " + each.encode() + b"\n" for line, each in zip(lines, secrets, strict=True))
    expected = DETECTOR.find(text)
    assert len(expected) >= len(secrets)
    assert len(text) > 10 * SMALL.block
    assert cleaned([text], SMALL).found == expected


def test_the_lines_of_a_private_key_stay_lines() -> None:
    key = samples(1)["private-key"].replace("\n", "\r\n").encode()
    came = cleaned([b"a\n" + key + b"\nb\n"])
    assert came.data.splitlines()[0] == b"a"
    assert came.data.splitlines()[-1] == b"b"
    assert came.data.splitlines()[1].startswith(b"[redacted: private-key]***")
    assert set(came.data.splitlines()[2]) == set(b"*")
    assert line_ends(came.data) == line_ends(b"a\n" + key + b"\nb\n")


def test_a_short_secret_becomes_asterisks() -> None:
    came = cleaned([b'curl -u "abc:k9Z" https://example.org'])
    assert came.data == b"curl -u ********* https://example.org"


def test_what_is_held_back_has_a_bound_and_a_secret_behind_it_is_found() -> None:
    secret = samples(2)["github-pat"].encode()
    stream = SecretStream()
    sizes = Sizes()
    opened = b"-----BEGIN RSA PRIVATE " + b"KEY-----"
    came = [stream.feed(opened)]
    fed = len(opened)
    for _ in range(20):
        came.append(stream.feed(b"A" * 256 * 1024))
        fed += 256 * 1024
        held = fed - sum(len(each.data) for each in came)
        assert held <= sizes.block + sizes.reach + 256 * 1024
    came += [stream.feed(b" " + secret), stream.finish()]
    # The beginning of a key is one, though its end never comes.
    assert [each.kind for part in came for each in part.found] == ["private-key", "github-pat"]
    assert sum(len(each.data) for each in came) == fed + 1 + len(secret)


def test_an_empty_stream_stays_empty() -> None:
    assert cleaned([]) == cleaned([b"", b""]) == CleanedBytes(b"", [])


DETECTOR = SecretDetector(KeywordGate())
