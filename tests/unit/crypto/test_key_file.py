"""The file of keys: made once, for its owner alone, the same for all who start at once."""

import base64
import stat
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
from camillo_server.lib.crypto.keyring import KEY_FILE, Keyring, KeyringError, own_key_file, read_key_file

ENCODED = base64.b64encode(b"k" * 32).decode()


class StandingClock:
    def now(self) -> datetime:
        return datetime(2026, 11, 21, 23, 59, tzinfo=UTC)


def same(one: Keyring, other: Keyring) -> bool:
    return one.fingerprint("t", "p", b"x") == other.fingerprint("t", "p", b"x")


def test_a_file_is_made_with_one_key_named_by_its_date_for_the_owner_alone(tmp_path: Path) -> None:
    keyring = own_key_file(tmp_path, StandingClock())
    assert keyring.active_key_id == "2026-11-21"
    assert [path.name for path in tmp_path.iterdir()] == [KEY_FILE]
    assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600


def test_the_next_start_finds_the_same_key(tmp_path: Path) -> None:
    first = own_key_file(tmp_path)
    before = (tmp_path / KEY_FILE).read_bytes()
    assert same(first, own_key_file(tmp_path))
    assert same(first, read_key_file(tmp_path / KEY_FILE))
    assert (tmp_path / KEY_FILE).read_bytes() == before


def test_two_directories_have_different_keys(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
    assert not same(own_key_file(tmp_path / "a"), own_key_file(tmp_path / "b"))


def test_all_who_start_at_once_get_the_same_key(tmp_path: Path) -> None:
    for attempt in range(20):
        directory = tmp_path / str(attempt)
        directory.mkdir()
        begin, found = threading.Barrier(8), list[Keyring]()

        def start(directory: Path = directory, begin: threading.Barrier = begin, found: list[Keyring] = found) -> None:
            begin.wait()
            found.append(own_key_file(directory))

        threads = [threading.Thread(target=start) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 8
        assert all(same(found[0], other) for other in found)
        assert [path.name for path in directory.iterdir()] == [KEY_FILE]


def test_what_a_killed_process_left_is_no_key(tmp_path: Path) -> None:
    (tmp_path / f".{KEY_FILE}.1234").write_text("half:a key")
    assert own_key_file(tmp_path, StandingClock()).active_key_id == "2026-11-21"


def test_a_key_put_first_seals_and_the_old_one_still_opens(tmp_path: Path) -> None:
    old = own_key_file(tmp_path)
    key_id, encrypted = old.encrypt("t", "p", b"x", b"")
    path = tmp_path / KEY_FILE
    path.write_text(f"new:{ENCODED}\n{path.read_text()}")
    keyring = read_key_file(path)
    assert keyring.active_key_id == "new"
    assert keyring.decrypt(key_id, "t", "p", encrypted, b"") == b"x"


@pytest.mark.parametrize("held", [b"", b"# nothing\n", b"\xff\xfe", b"one:short"])
def test_a_file_without_keys_is_an_error_that_names_it(tmp_path: Path, held: bytes) -> None:
    path = tmp_path / KEY_FILE
    path.write_bytes(held)
    with pytest.raises(KeyringError, match=KEY_FILE) as caught:
        own_key_file(tmp_path)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == held
    path.write_text(f"one:{ENCODED}")
    assert own_key_file(tmp_path).active_key_id == "one"


def test_a_missing_file_or_directory_is_an_error_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(KeyringError, match=r"^there is no file of encryption keys .*nowhere$"):
        read_key_file(tmp_path / "nowhere")
    with pytest.raises(KeyringError, match=r"^cannot read the encryption keys .*: Is a directory$"):
        read_key_file(tmp_path)
    with pytest.raises(KeyringError, match=r"^cannot make the encryption keys .*: No such file"):
        own_key_file(tmp_path / "nowhere")
