"""Keys of slots: normalized or refused, and in the order of directories as paths."""

import random

import pytest
from camillo_formats.slot_keys import BEHIND, BadKey, is_under, key_of, normalized_key, normalized_prefix, path_of

from tests.cases import each_case

CHARACTERS = "aA /.-~%@:é\u0301漢\U0001f9e0\u202e'\"\\*?"


@each_case(
    ("key", "normalized"),
    [
        ("/a", "/a"),
        ("//a///b//", "/a/b"),
        ("/e\u0301", "/é"),
        ("/A/a", "/A/a"),
        ("/.../..a", "/.../..a"),
        ("/ a ", "/ a "),
        ("/" + "x" * 1_023, "/" + "x" * 1_023),
        ("/x" * 32, "/x" * 32),
    ],
)
def test_a_key_is_normalized(key: str, normalized: str) -> None:
    assert normalized_key(key) == normalized
    assert normalized_key(normalized) == normalized
    assert normalized_prefix(key) == normalized


@each_case(
    "key",
    [
        *("", "a", "a/b", "/", "//", "/.", "/a/..", "/../a", "/a\0", "/a\n", "/a\r", "/a\x7f"),
        *("/a\u2028", "/a\u2029", "/a\x01b", "/" + "x" * 1_024, "/x" * 33, "/" + "\u0958" * 200),
    ],
)
def test_what_is_no_key_is_refused_with_a_reason(key: str) -> None:
    with pytest.raises(BadKey, match="must"):
        normalized_key(key)


def test_a_prefix_may_be_all() -> None:
    assert normalized_prefix("") == normalized_prefix("/") == normalized_prefix("//") == ""


def test_the_order_of_paths_is_that_of_directories() -> None:
    dice = random.Random(5)  # noqa: S311
    keys = set[str]()
    while len(keys) < 500:
        try:
            keys.add(normalized_key("/" + "".join(dice.choices(CHARACTERS, k=6))))
        except BadKey:
            continue
    ordered = sorted(keys, key=lambda key: path_of(key).encode())
    assert [key_of(path_of(key)) for key in ordered] == ordered
    assert ordered == sorted(keys, key=lambda key: [n.encode() for n in key[1:].split("/")])
    for prefix in keys:
        low, until = path_of(prefix).encode(), (path_of(prefix) + BEHIND).encode()
        below = {key for key in keys if low <= path_of(key).encode() < until}
        assert below == {key for key in keys if is_under(key, prefix)}
