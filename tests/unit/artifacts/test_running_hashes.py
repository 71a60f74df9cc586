"""Three sums of what comes and what is kept, against those made at the end."""

from collections.abc import Sequence
from hashlib import sha256

import pytest
from camillo_server.features.artifacts.intake import RunningHashes
from hypothesis import given
from hypothesis import strategies as st

PIECES = st.lists(st.tuples(st.binary(max_size=20), st.booleans()), max_size=8)


def passed(hashes: RunningHashes, pieces: Sequence[tuple[bytes, bool]]) -> tuple[bytes, bytes]:
    """Bytes that were sent, and what was kept of them: where told to, something else."""
    sent, kept = b"", b""
    for piece, is_changed in pieces:
        left = b"*" * len(piece) if is_changed else piece
        hashes.update(piece, left)
        sent, kept = sent + piece, kept + left
    return sent, kept


def digest(data: bytes) -> bytes:
    return sha256(data).digest()


@given(pieces=PIECES)
def test_from_the_beginning_all_sums_are_known(pieces: list[tuple[bytes, bool]]) -> None:
    hashes = RunningHashes.of_nothing()
    sent, kept = passed(hashes, pieces)
    assert hashes.of_call == hashes.of_sent == digest(sent)
    assert hashes.of_kept == digest(kept)


@given(before=st.binary(max_size=20), pieces=PIECES)
@pytest.mark.parametrize("was_kept_as_sent", [True, False])
def test_going_on_tells_the_call_from_all_that_was_sent(
    was_kept_as_sent: bool, before: bytes, pieces: list[tuple[bytes, bool]]
) -> None:
    hashes = RunningHashes.after(sha256(before), was_kept_as_sent=was_kept_as_sent)
    sent, kept = passed(hashes, pieces)
    assert hashes.of_call == digest(sent)
    assert hashes.of_sent == (digest(before + sent) if was_kept_as_sent else None)
    assert hashes.of_kept == digest(before + kept)


def test_asking_on_the_way_changes_nothing() -> None:
    hashes = RunningHashes.of_nothing()
    hashes.update(b"one", b"one")
    assert (hashes.of_call, hashes.of_kept) == (digest(b"one"), digest(b"one"))
    hashes.update(b"two", b"***")
    assert (hashes.of_call, hashes.of_kept) == (digest(b"onetwo"), digest(b"one***"))
    hashes.update(b"six", b"six")
    assert (hashes.of_sent, hashes.of_kept) == (digest(b"onetwosix"), digest(b"one***six"))
