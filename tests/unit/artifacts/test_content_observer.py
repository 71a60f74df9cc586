"""Facts found of a content while it passes: the same however it is cut, and what its bytes say."""

import codecs
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from camillo_server.features.artifacts import intake as content_observer
from camillo_server.features.artifacts.artifact import ArtifactDraft, ContentFacts
from camillo_server.features.artifacts.intake import SAMPLE_BYTES, ContentObserver
from camillo_server.lib.outputs.summary.sample import ContentKind, Preview
from camillo_server.lib.redaction.redaction import FoundSecret
from camillo_server.lib.redaction.stream import SecretStream
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case

NOTHING = ArtifactDraft()
PIECES = st.lists(
    st.one_of(
        st.binary(max_size=8),
        st.text(max_size=8).map(lambda text: text.encode("utf-8", "replace")),
        st.sampled_from(
            [
                b"\n",
                b"\r\n",
                b'{"a": [1, 2]}',
                b"ERROR: it failed\n",
                "茶🔑\n".encode(),
                b"x" * 90,
                b"caf\xe9\n",
                codecs.BOM_UTF16_BE,
            ]
        ),
    ),
    max_size=12,
)


def observed(pieces: Sequence[bytes]) -> ContentObserver:
    observer = ContentObserver(SecretStream)
    for piece in pieces:
        observer.feed(piece)
    return observer


def facts_of(data: bytes, stated: ArtifactDraft = NOTHING, part: int = 1024 * 1024) -> ContentFacts:
    pieces = [data[at : at + part] for at in range(0, len(data), part)]
    return observed(pieces).facts(stated, b"sum", (), {})


@contextmanager
def small_samples() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(content_observer, "SAMPLE_BYTES", 64)
        yield


@given(pieces=PIECES)
def test_what_is_found_does_not_hang_on_how_it_was_cut(pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    if not data:
        return
    with small_samples():
        facts = facts_of(data)
        assert observed(pieces).facts(NOTHING, b"sum", (), {}) == facts
        assert facts_of(data, part=1) == facts
    assert facts.size == len(data)
    assert (facts.line_count is not None) == (facts.encoding in ("utf-8", "windows-1252"))
    if facts.line_count is not None:
        assert facts.line_count == len(data.removesuffix(b"\n").split(b"\n"))


@given(pieces=PIECES)
def test_the_line_of_the_next_byte_is_known_on_the_way(pieces: list[bytes]) -> None:
    observer, before = observed([]), b""
    for piece in pieces:
        assert observer.next_line == before.count(b"\n") + 1
        assert observer.size == len(before)
        observer.feed(piece)
        before += piece


@each_case(
    ("data", "encoding", "lines", "kind"),
    [
        (b'{"a": [1, 2]}', "utf-8", 1, ContentKind.JSON),
        (b'{"a": [1, 2]', "utf-8", 1, ContentKind.TEXT),
        (b'{"a": 1, "b": "x"}\n' * 40, "utf-8", 40, ContentKind.TABLE),
        ("they knew 茶\nand all\n".encode(), "utf-8", 2, ContentKind.TEXT),
        (b"one\r\ntwo\r\n\r\nfour", "utf-8", 4, ContentKind.TEXT),
        (b"\n\n\n", "utf-8", 3, None),
        ("a café\nand a bar".encode("windows-1252"), "windows-1252", 2, ContentKind.TEXT),
        ('{"é": 1}'.encode("utf-16"), "utf-16", None, None),
        (b"\x89PNG\r\n\x1a\n\0\0\xff", "", None, ContentKind.BINARY),
    ],
)
def test_bytes_are_what_they_are(data: bytes, encoding: str, lines: int | None, kind: ContentKind | None) -> None:
    facts = facts_of(data)
    assert (facts.encoding, facts.line_count) == (encoding, lines)
    assert kind is None or facts.kind == kind
    assert facts.sha256 == b"sum"


@pytest.mark.parametrize(
    "stated", [NOTHING, ArtifactDraft(name="run.log"), ArtifactDraft(media_type="text/plain", exit_code=0)]
)
def test_what_is_no_text_is_said_to_be_none_whatever_it_is_called(stated: ArtifactDraft) -> None:
    binary = facts_of(bytes(range(256)) * 40, stated)
    assert (binary.encoding, binary.kind) == ("", ContentKind.BINARY)
    assert "binary content" in binary.summary
    assert "binary content" in binary.description
    assert "0 lines" not in binary.summary
    assert binary.preview == Preview("", "")
    text = facts_of(b"they knew it well\n" * 40, stated)
    assert "binary" not in text.summary + text.description
    assert text.preview.head.startswith("they knew it well\nthey")


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("rest", [b"", b"\x41"])
def test_both_ends_of_long_text_in_utf_16_are_read_in_its_order(codec: str, rest: bytes) -> None:
    lines = "".join(f"line {number} 茶🔑\n" for number in range(50_000))
    data = ("\ufeff" + lines).encode(codec) + rest
    assert len(data) > SAMPLE_BYTES
    facts = facts_of(data)
    assert (facts.encoding, facts.line_count) == ("utf-16", None)
    assert facts.preview.head.startswith("line 0 茶🔑\nline 1 茶🔑\n")
    assert "line 49999 茶🔑" in facts.preview.tail
    assert facts.summary.startswith("50,000 lines")


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_a_long_text_is_known_by_both_of_its_ends(more: int) -> None:
    first, last = "начало\n".encode(), "конец".encode()
    characters, left = divmod(SAMPLE_BYTES + more - len(first) - len(last), 4)
    data = first + "茶\n".encode() * characters + b"x" * left + last
    assert len(data) == SAMPLE_BYTES + more
    for part in (1024 * 1024, 100_003):
        facts = facts_of(data, part=part)
        assert facts.preview.head.startswith("начало\n")
        assert facts.preview.tail.endswith("x" * left + "конец")


def test_a_character_that_a_sample_cuts_is_left_out() -> None:
    with small_samples():
        for shift in range(4):
            facts = facts_of(b"x" * shift + "🔑".encode() * 40)
            assert facts.encoding == "utf-8"
            assert "\ufffd" not in facts.preview.head + facts.preview.tail
            assert "🔑🔑" in facts.preview.head


def test_secrets_are_named_as_found_and_counted_in_the_order_of_their_kinds() -> None:
    found = [FoundSecret("b", 1), FoundSecret("a", 2)]
    facts = observed([b"text"]).facts(NOTHING, b"sum", found, {"b": 1, "a": 1})
    assert facts.redactions == found
    assert list(facts.redaction_counts.items()) == [("a", 1), ("b", 1)]
