"""Bytes as they come in: parts, sums, secrets; and the same where an upload is resumed."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from itertools import pairwise

import pytest
from camillo_server.features.artifacts import intake as content_intake
from camillo_server.features.artifacts.artifact import MAX_NAMED_REDACTIONS, PART_BYTES, ArtifactDraft
from camillo_server.features.artifacts.intake import CompletePart, ContentIntake, ResumedPrefix
from camillo_server.features.artifacts.upload import UploadProgress
from camillo_server.lib.redaction.detector import Secret
from camillo_server.lib.redaction.redaction import FoundSecret
from camillo_server.lib.redaction.stream import SecretStream, Sizes
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.secret_samples import MAKERS, samples
from tests.unit.artifacts.marker_stream import MarkerStream

# In the proportions of the real ones, so that short contents have many parts.
SMALL_PART, SMALL_REACH = 700, 600
STREAMS: dict[str, Callable[[], SecretStream]] = {
    "markers": MarkerStream,
    "marks that are found again": lambda: MarkerStream(masks_digits=True),
    "rules": lambda: SecretStream(sizes=Sizes(block=SMALL_PART, reach=SMALL_REACH)),
}
# A value that is a secret only by the words before it.
VALUE = samples(4)["github-pat"].removeprefix("ghp_")
MARKERS = ["SECRET1", "SECRET" + "7" * 30, "SECRET" + "4" * 900, "SECRET" + "4" * 1_600]
SECRETS = {
    "markers": MARKERS,
    "marks that are found again": MARKERS,
    "rules": [*(samples(1)[kind] for kind in MAKERS), f'api_key = "{VALUE}"'],
}
AROUND = ["x", "line\n", "\r\n\n", "plain words " * 9, "鍵 🔑🔑", "مفتاح ", "SECRE", "é" * 99]
BORDERS = [1, 2, 3, 99, SMALL_PART - 1, SMALL_PART, SMALL_PART + 1, 2 * SMALL_PART]
PROPERTY = settings(max_examples=60)


@contextmanager
def small_parts() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(content_intake, "PART_BYTES", SMALL_PART)
        patch.setattr(content_intake, "CONTEXT_BYTES", SMALL_REACH)
        patch.setattr(content_intake, "SECRETS_FOR_EACH_PART", MAX_NAMED_REDACTIONS + 1)
        yield


def taken(intake: ContentIntake, pieces: Sequence[bytes]) -> list[CompletePart]:
    came = [each for piece in pieces for each in intake.feed(piece)]
    return [*came, *intake.finish()]


def cut(data: bytes, places: Sequence[int]) -> list[bytes]:
    borders = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    return [data[start:end] for start, end in pairwise(borders)]


def cleaned(stream: Callable[[], SecretStream], data: bytes) -> tuple[bytes, Sequence[Secret]]:
    redaction = stream()
    parts = [redaction.feed(data), redaction.finish()]
    return b"".join(part.data for part in parts), [each for part in parts for each in part.found]


def progress_at(data: bytes, secrets: Sequence[Secret], end: int) -> UploadProgress | None:
    """How far an upload has come with so many bytes."""
    if any(secret.start < end < secret.end for secret in secrets):
        return None
    found = [FoundSecret(each.kind, each.start) for each in secrets if each.start < end]
    counts = dict(Counter(each.kind for each in found))
    return UploadProgress(end, sha256(data[:end]).digest(), tuple(found[:MAX_NAMED_REDACTIONS]), counts)


@st.composite
def contents(draw: st.DrawFn, secrets: Sequence[str]) -> bytes:
    pieces = []
    for _ in range(draw(st.integers(1, 12))):
        secret = " " + draw(st.sampled_from(secrets)) + " "
        fill = draw(st.sampled_from(AROUND)) * draw(st.integers(1, 40))
        pieces.append(draw(st.sampled_from([secret, fill])))
    return "".join(pieces).encode()


CONTENTS = st.sampled_from(sorted(STREAMS)).flatmap(lambda name: st.tuples(st.just(name), contents(SECRETS[name])))
PLACES = st.lists(st.one_of(st.integers(0), st.sampled_from(BORDERS)), max_size=8)


def check_parts(
    stream: Callable[[], SecretStream], data: bytes, pieces: Sequence[bytes], part_bytes: int
) -> list[CompletePart]:
    """Everything that an intake says, against what is known when all of the content is there."""
    kept, secrets = cleaned(stream, data)
    intake = ContentIntake(new_redaction=stream)
    came = taken(intake, pieces)
    assert b"".join(each.part.data for each in came) == kept
    for number, each in enumerate(came):
        start, end = number * part_bytes, (number + 1) * part_bytes
        assert each.part.number == number
        assert each.part.data == kept[start:end]
        assert each.part.first_line == kept.count(b"\n", 0, start) + 1
        assert each.progress == (progress_at(data, secrets, end) if end <= len(data) else None)
    assert intake.size == len(data)
    assert intake.sha256_of_call == sha256(data).digest()
    assert intake.sha256 == sha256(kept).digest()
    facts = intake.facts(ArtifactDraft())
    assert facts.size == len(data)
    assert facts.sha256 == intake.sha256
    assert facts.redaction_counts == Counter(secret.kind for secret in secrets)
    named = [FoundSecret(secret.kind, secret.start) for secret in secrets][:MAX_NAMED_REDACTIONS]
    assert list(facts.redactions) == list(intake.found) == named
    return came


def check_going_on(
    stream: Callable[[], SecretStream],
    data: bytes,
    came: Sequence[CompletePart],
    rest: Callable[[bytes], Sequence[bytes]],
) -> int:
    """An upload that is gone on with, from every place where it can be, ends as the one that never broke; from how many
    places that was."""
    whole = ContentIntake(new_redaction=stream)
    taken(whole, [data])
    resumed = 0
    for number, each in enumerate(came, 1):
        if each.progress is None:
            continue
        resumed += 1
        prefix = ResumedPrefix(each.progress, stream)
        for before in came[:number]:
            prefix.feed(before.part.data)
        intake = ContentIntake(prefix, stream)
        left = data[each.progress.size :]
        went_on = taken(intake, rest(left))
        assert [each.part for each in went_on] == [each.part for each in came[number:]]
        expected = [each.progress for each in came[number:]]
        assert [each.progress for each in went_on] == ([None] * len(expected) if each.progress.counts else expected)
        assert intake.sha256_of_call == sha256(left).digest()
        assert intake.facts(ArtifactDraft()) == whole.facts(ArtifactDraft())
    return resumed


@PROPERTY
@given(content=CONTENTS, places=PLACES)
def test_parts_sums_and_secrets_are_those_of_the_whole_however_it_comes(
    content: tuple[str, bytes], places: list[int]
) -> None:
    name, data = content
    with small_parts():
        check_parts(STREAMS[name], data, cut(data, places), SMALL_PART)


@PROPERTY
@given(content=CONTENTS, places=PLACES)
def test_what_is_gone_on_with_anywhere_ends_as_if_it_had_never_broken(
    content: tuple[str, bytes], places: list[int]
) -> None:
    name, data = content
    with small_parts():
        came = check_parts(STREAMS[name], data, [data], SMALL_PART)
        check_going_on(STREAMS[name], data, came, lambda left: cut(left, places))


def with_secrets_at(offsets: Sequence[int], size: int, secret: bytes) -> bytes:
    line = "茶 and some words more\n".encode()
    data = bytearray((line * (size // len(line) + 1))[:size])
    for offset in offsets:
        data[offset - 1 : offset + len(secret) + 1] = b" " + secret + b" "
    return bytes(data)


@pytest.mark.parametrize("before", [0, 1, 20, 39, 40])
def test_with_the_real_sizes_only_a_secret_in_the_border_keeps_from_going_on_there(before: int) -> None:
    secret = samples(2)["github-pat"].encode()
    assert len(secret) == 40
    places = [2 * PART_BYTES - before, 2 * PART_BYTES + 70_000]
    data = with_secrets_at(places, 3 * PART_BYTES + 5, secret)
    came = check_parts(SecretStream, data, cut(data, [7, PART_BYTES, 2_200_000]), PART_BYTES)
    sizes = [each.progress.size if each.progress else None for each in came]
    is_in_border = 0 < before < 40
    expected = [PART_BYTES, None if is_in_border else 2 * PART_BYTES, 3 * PART_BYTES, None]
    assert sizes == expected
    assert [each.start for each in cleaned(SecretStream, data)[1]] == places
    assert check_going_on(SecretStream, data, came, lambda left: [left]) == 3 - is_in_border


def test_what_stands_before_the_place_still_tells_what_is_secret_behind_it() -> None:
    before, behind = b'\napi_key = "', VALUE.encode() + b'"\n'
    data = b"x" * (PART_BYTES - len(before)) + before + behind
    assert [each.start for each in cleaned(SecretStream, data)[1]] == [PART_BYTES]
    assert cleaned(SecretStream, behind) == (behind, [])
    came = check_parts(SecretStream, data, [data], PART_BYTES)
    assert check_going_on(SecretStream, data, came, lambda left: [left]) == 1


def test_a_secret_over_several_parts_keeps_from_going_on_in_all_of_them() -> None:
    data = b"before SECRET" + b"1" * (3 * SMALL_PART) + b" behind" + b"x" * SMALL_PART
    with small_parts():
        came = check_parts(MarkerStream, data, [data], SMALL_PART)
        assert [each.progress is None for each in came] == [True, True, True, False, True]
        assert check_going_on(MarkerStream, data, came, lambda left: [left]) == 1


def test_a_thousand_secrets_are_named_and_all_are_counted() -> None:
    data = b"SECRET1\n" * (MAX_NAMED_REDACTIONS + 300)
    with small_parts():
        came = check_parts(MarkerStream, data, cut(data, range(0, len(data), 501)), SMALL_PART)
        assert check_going_on(MarkerStream, data, came, lambda left: [left]) > 5
    intake = ContentIntake(new_redaction=MarkerStream)
    taken(intake, [data])
    assert len(intake.found) == MAX_NAMED_REDACTIONS
    assert intake.facts(ArtifactDraft()).redaction_counts == {"marker": MAX_NAMED_REDACTIONS + 300}


def test_the_more_secrets_are_found_the_fewer_parts_have_a_progress_that_names_them() -> None:
    with small_parts(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(content_intake, "SECRETS_FOR_EACH_PART", 2)
        few = taken(ContentIntake(new_redaction=MarkerStream), [b" SECRET1 " + b"x" * (6 * SMALL_PART)])
        assert [each.progress is not None for each in few] == [True] * 6 + [False]
        data = (b" SECRET1 " + b"x" * (SMALL_PART - 9)) * 12
        came = taken(ContentIntake(new_redaction=MarkerStream), [data])
        named = [len(each.progress.found) if each.progress else 0 for each in came]
        assert named == [1, 0, 3, 0, 0, 0, 7, 0, 0, 0, 0, 0]
        assert check_going_on(MarkerStream, data, came, lambda left: [left]) == 3


def test_parts_come_as_soon_as_they_are_known() -> None:
    intake = ContentIntake(new_redaction=MarkerStream)
    assert intake.feed(b"x" * (PART_BYTES - 1)) == []
    assert intake.size == 0
    assert [len(each.part.data) for each in intake.feed(b"xy")] == [PART_BYTES]
    assert intake.size == PART_BYTES
    assert [each.part.data for each in intake.finish()] == [b"y"]
    assert intake.size == PART_BYTES + 1


def test_nothing_has_no_parts() -> None:
    intake = ContentIntake(new_redaction=MarkerStream)
    assert intake.feed(b"") == []
    assert intake.finish() == []
    assert intake.sha256 == intake.sha256_of_call == sha256(b"").digest()
