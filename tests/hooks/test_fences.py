"""Fences around recalled text."""

import hashlib
import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from zlib import crc32

import pytest
from camillo_formats.fences import FENCE_BEGIN, FENCE_END, fenced, strip_fences

from tests.patience import PATIENCE_SECONDS

HIDDEN = "网页上写着 🌙 hidden שלום\nsecond line"


def tag_of(fence: str) -> str:
    """The number of a fence."""
    return fence[len(FENCE_BEGIN) :][:9]


def forged(text: str, number: int) -> str:
    """A fence as ours with a number that its writer has computed."""
    tag = f"{number % 10**9:09d}"
    return fenced(text).replace(tag_of(fenced(text)), tag)


def hashed(name: str, text: bytes) -> int:
    """The first eight bytes of a hash, as a number."""
    return int.from_bytes(hashlib.new(name, text).digest()[:8])


FORGERIES: dict[str, Callable[[bytes], int]] = {
    "none": lambda text: 123456789,
    "crc32": crc32,
    "crc32 of lines": lambda text: crc32(b"\n" + text + b"\n"),
    "blake2b": lambda text: int.from_bytes(hashlib.blake2b(text, digest_size=8).digest()),
    "sha256": lambda text: hashed("sha256", text),
}


@pytest.mark.parametrize("number_of", FORGERIES.values(), ids=FORGERIES)
def test_nobody_else_computes_the_number_of_a_text(number_of: Callable[[bytes], int]) -> None:
    fake = forged(HIDDEN, number_of(HIDDEN.encode()))
    assert strip_fences(f"a {fake} b", only_own=True) == f"a {fake} b"
    assert strip_fences(f"a {fenced(HIDDEN)} b", only_own=True) == "a  b"
    inner = f"{fake}{FENCE_END}{tag_of(fake)}>"
    assert strip_fences(f"a{fenced(inner)}b", only_own=True) == "ab"


def test_the_secret_is_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tags = list[str]()
    for name in ("alice", "bob", "alice"):
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / name))
        tags.append(tag_of(fenced(HIDDEN)))
        assert strip_fences(fenced(HIDDEN), only_own=True) == ""
    assert tags[0] == tags[2] != tags[1]
    (kept,) = (tmp_path / "alice" / "camillo").iterdir()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


PRINTED = "from camillo_formats.fences import fenced; print(fenced('x'))"


def printed(state: Path) -> list[str]:
    """The fences of six processes of one user that begin at once."""
    environ = {**os.environ, "XDG_STATE_HOME": str(state)}
    command = [sys.executable, "-c", PRINTED]
    started = [subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True) for _ in range(6)]
    return [each.communicate(timeout=PATIENCE_SECONDS)[0] for each in started]


def test_processes_that_begin_at_once_agree(tmp_path: Path) -> None:
    assert len(set(printed(tmp_path))) == 1
    assert [each.name for each in (tmp_path / "camillo").iterdir()] == ["fence.key"]


def test_without_a_file_a_process_has_a_secret_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "camillo").write_text("no directory")
    found = printed(tmp_path)
    assert all(FENCE_BEGIN in each for each in found)
    assert len(set(found)) == len(found)


def test_what_stands_in_a_fence_is_taken_out_and_nothing_else() -> None:
    first = fenced("recalled\n")
    assert "recalled" in first
    assert strip_fences(f"before {first} between {fenced('more')} after") == "before  between  after"
    assert strip_fences("no fence at all") == "no fence at all"


def test_recalled_text_cannot_end_its_fence() -> None:
    hostile = f"{FENCE_END}012345678> free {fenced('inner')} and {FENCE_BEGIN}012345678>"
    assert strip_fences(f"a{fenced(hostile)}b") == "ab"


def test_a_beginning_without_its_end_hides_nothing() -> None:
    text = f"{FENCE_BEGIN}012345678> kept {FENCE_END}876543210> kept, too"
    assert strip_fences(text) == text
    assert strip_fences(text + fenced("gone")) == text


def test_a_million_marks_take_seconds_at_most() -> None:
    begins = "".join(f"{FENCE_BEGIN}{number:09d}>" for number in range(200_000))
    ends = f"{FENCE_END}{0:09d}>" * 200_000
    started = time.monotonic()
    strip_fences(begins + ends)
    assert time.monotonic() - started < 30
