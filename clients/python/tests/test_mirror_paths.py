"""Names of a mirror's files: predictable, each key another, none outside."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from camillo_client.mirror.paths import path_of

NAMES = st.text(st.characters(exclude_characters="/\x00", exclude_categories=("Cs",)), min_size=1, max_size=400).filter(
    lambda name: name not in (".", "..")
)
KEYS = st.lists(NAMES, min_size=1, max_size=6).map(lambda names: "/" + "/".join(names))


def test_names_that_are_safe_stay_as_they_are() -> None:
    *directories, name = path_of("/user/calendar/2026-02-23_10-00_牙科复诊")
    assert directories == ["user", "calendar"]
    assert name.startswith("2026-02-23_10-00_牙科复诊@")
    assert name.endswith(".json")
    assert path_of("/user/calendar/2026-02-23_10-00_牙科复诊") == (*directories, name)


@pytest.mark.parametrize(
    ("name", "encoded"),
    [
        ("a@b", "a%40b"),
        ("50%", "50%25"),
        (".ssh", "%2Essh"),
        ("-rf", "%2Drf"),
        ("end.", "end%2E"),
        ("a b", "a b"),
        ("con.txt", "%63on.txt"),
        ("a\u202eb", "a%E2%80%AEb"),
        ("*", "%2A"),
    ],
)
def test_what_could_be_misread_is_encoded(name: str, encoded: str) -> None:
    assert path_of(f"/{name}/x")[0] == encoded


@pytest.mark.parametrize("key", ["", "/", "a", "//", "/a//b", "/a/", "/..", "/a/../b", "/./a"])
def test_what_is_no_key_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match="not a key"):
        path_of(key)


@given(st.lists(KEYS, min_size=2, max_size=8, unique=True))
def test_each_key_has_a_file_of_its_own_in_any_file_system(keys: list[str]) -> None:
    paths = {key: path_of(key) for key in keys}
    assert len({"/".join(path).casefold() for path in paths.values()}) == len(keys)
    directories = {path[:depth] for path in paths.values() for depth in range(1, len(path))}
    assert directories.isdisjoint(paths.values())


@given(KEYS)
def test_hostile_keys_round_trip_through_a_disk(tmp_path_factory: pytest.TempPathFactory, key: str) -> None:
    root = tmp_path_factory.mktemp("names")
    path = path_of(key)
    assert all(0 < len(name.encode()) <= 255 for name in path)
    assert not {"", ".", ".."} & set(path)
    file = Path(root, *path)
    assert os.path.realpath(file).startswith(os.path.realpath(root))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(key, "utf-8", newline="")
    assert os.listdir(file.parent) == [path[-1]]
    assert file.read_bytes().decode() == key
