"""A directory of parts: what killed writers leave, modes of files, and disks that fail."""

import errno
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path
from uuid import UUID

import pytest
from camillo_server.kernel.errors import BytesLost, BytesUnavailable, DomainError, StorageFull
from camillo_server.storage.parts.object_parts import ObjectParts, ObjectStoreError, PartName
from camillo_server.storage.parts.owned_store import open_part_store

NAME = PartName("acme", UUID(int=1), 0)
NEXT = PartName("acme", UUID(int=1), 1)

# Stops for good when the bytes are written and not yet in their place.
WRITER = """
import os, sys
from pathlib import Path
from camillo_server.storage.parts.directory_parts import DurableFiles
def stop(descriptor):
    if not os.path.isdir(f"/proc/self/fd/{descriptor}"):
        print("written", flush=True)
        sys.stdin.read()
os.fsync = stop
root = Path(sys.argv[1])
DurableFiles(root).write(root / sys.argv[2], b"half" * 1000)
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "artifacts"


@pytest.fixture
def parts(root: Path) -> ObjectParts:
    return open_part_store(root.as_uri(), {})


def kill_a_writer(root: Path, name: PartName) -> None:
    command = [sys.executable, "-c", WRITER, str(root), name.key()]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"written\n"
        writer.send_signal(signal.SIGKILL)


async def test_what_a_killed_writer_left_is_no_part_and_goes_with_its_content(parts: ObjectParts, root: Path) -> None:
    await parts.put(NAME, b"whole")
    kill_a_writer(root, NEXT)
    assert len(list((root / NAME.key()).parent.iterdir())) == 2
    with pytest.raises(BytesLost):
        await parts.get(NEXT, 10_000)
    [content] = await parts.contents("acme")
    assert (content.parts, content.bytes) == (1, 5)
    assert await parts.delete_content("acme", NAME.content_id) == 1
    assert list(root.iterdir()) == []


async def test_a_killed_writer_leaves_the_part_that_it_would_have_replaced(parts: ObjectParts, root: Path) -> None:
    await parts.put(NAME, b"whole")
    kill_a_writer(root, NAME)
    assert await parts.get(NAME, 10_000) == b"whole"


async def test_a_content_of_which_nothing_was_finished_is_found_by_a_sweep(parts: ObjectParts, root: Path) -> None:
    kill_a_writer(root, NAME)
    [content] = await parts.contents("acme")
    assert (content.content_id, content.parts, content.bytes) == (NAME.content_id, 0, 0)
    assert await parts.delete_content("acme", NAME.content_id) == 0
    assert await parts.contents("acme") == []
    assert list(root.iterdir()) == []


async def test_all_is_for_the_owner_alone(parts: ObjectParts, root: Path) -> None:
    await parts.put(NAME, b"x")
    paths = [root.parent, root, *root.rglob("*")]
    assert len(paths) == 5
    for path in paths:
        wanted = 0o600 if path.is_file() else 0o700
        assert stat.S_IMODE(path.stat().st_mode) == wanted


async def test_what_others_put_into_the_directory_is_left_alone(parts: ObjectParts, root: Path) -> None:
    await parts.put(NAME, b"x")
    (root / ".hidden").mkdir()
    (root / "acme" / "notes").mkdir()
    (root / "acme" / "notes" / "000000").write_text("x")
    assert await parts.tenants() == ["acme"]
    assert [each.content_id for each in await parts.contents("acme")] == [NAME.content_id]
    await parts.delete_content("acme", NAME.content_id)
    assert (root / "acme" / "notes" / "000000").exists()


async def test_a_folder_that_another_process_deleted_is_made_again(parts: ObjectParts, root: Path) -> None:
    await parts.put(NAME, b"x")
    await open_part_store(root.as_uri(), {}).delete_content("acme", NAME.content_id)
    assert list(root.iterdir()) == []
    await parts.put(NEXT, b"y")
    assert await parts.get(NEXT, 1) == b"y"


async def test_without_its_disk_nothing_is_lost_or_deleted_and_nothing_written_beside_it(
    parts: ObjectParts, root: Path
) -> None:
    await parts.put(NAME, b"x")
    root.rename(root.with_name("unmounted"))
    for call in (
        lambda: parts.get(NAME, 1),
        lambda: parts.put(NAME, b"y"),
        lambda: parts.delete_content("acme", NAME.content_id),
        lambda: parts.tenants(),
        lambda: parts.contents("acme"),
    ):
        with pytest.raises(BytesUnavailable):
            await call()
    assert not root.exists()
    root.with_name("unmounted").rename(root)
    assert await parts.get(NAME, 1) == b"x"


@pytest.mark.parametrize(
    ("number", "error"),
    [
        (errno.ENOSPC, StorageFull),
        (errno.EDQUOT, StorageFull),
        (errno.EIO, BytesUnavailable),
        (errno.EACCES, BytesUnavailable),
    ],
)
async def test_a_disk_that_fails_is_told_apart_and_leaves_the_old_part(
    parts: ObjectParts,
    root: Path,
    number: int,
    error: type[DomainError],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    await parts.put(NAME, b"old")

    def fail(_: int) -> None:
        raise OSError(number, os.strerror(number), "/secret/path")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fail)
        with pytest.raises(error) as caught:
            await parts.put(NAME, b"new")
    assert "path" not in str(caught.value)
    assert os.strerror(number) in caplog.text
    assert await parts.get(NAME, 3) == b"old"
    assert [path.name for path in (root / NAME.key()).parent.iterdir()] == ["000000"]
    await parts.put(NAME, b"new")
    assert await parts.get(NAME, 3) == b"new"


def test_a_directory_that_cannot_be_made_is_told_with_its_path(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(ObjectStoreError, match=r"file/below: Not a directory$"):
        open_part_store((tmp_path / "file" / "below").as_uri(), {})
