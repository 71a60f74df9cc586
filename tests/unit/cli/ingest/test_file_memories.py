"""Files become memories: which files, with which ids, tags and times."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.text_files import (
    MARKDOWN,
    MAX_TAG_LENGTH,
    NOT_UTF8,
    TEXT,
    IngestFile,
    file_memories,
    file_tag,
    find_sources,
    is_binary,
    memories_of,
    text_memories,
)
from camillo_client import to_datetime, to_dict

NOW = datetime(2026, 1, 31, 12, tzinfo=UTC)


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_a_folder_gives_its_text_files_in_order(tmp_path: Path) -> None:
    for name in ("b.md", "a/z.txt", "a/c.markdown"):
        write(tmp_path / name, "text")
    for name in (".hidden.md", ".git/x.md", ".venv/x.md", "node_modules/x.md", "build/x.md"):
        write(tmp_path / name, "text")
    for name in ("image.png", "code.py", "empty.md"):
        write(tmp_path / name, "" if name == "empty.md" else "text")
    assert [source.name for source in find_sources(tmp_path)] == ["b.md", "a/c.markdown", "a/z.txt"]
    assert [source.name for source in find_sources(tmp_path, MARKDOWN)] == ["b.md", "a/c.markdown"]


def test_a_file_that_is_named_may_have_any_suffix(tmp_path: Path) -> None:
    [source] = find_sources(write(tmp_path / ".notes", "text"))
    assert source.name == ".notes"


def test_a_missing_file_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(CliError, match=r"cannot read .*: No such file") as caught:
        find_sources(tmp_path / "missing")
    assert caught.value.code is ExitCode.USAGE


def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path / "a/x.md", "text")
    (tmp_path / "a/loop").symlink_to(tmp_path)
    assert [source.name for source in find_sources(tmp_path)] == ["a/x.md"]


def test_links_to_files_outside_are_named_and_not_followed(tmp_path: Path) -> None:
    secret = write(tmp_path / "secret.md", "of somebody else")
    inside = write(tmp_path / "notes/a.md", "text")
    (tmp_path / "notes/b.md").symlink_to(secret)
    (tmp_path / "notes/c.md").symlink_to("a.md")
    (tmp_path / "notes/gone.md").symlink_to("nowhere.md")
    notes: list[str] = []
    found = find_sources(inside.parent, notes=notes)
    assert [source.name for source in found] == ["a.md", "c.md"]
    assert notes == [f"skipped {inside.parent}/b.md: it is a link to a file outside of {inside.parent}"]
    # The folder itself may be a link, and so may a file that is named.
    (tmp_path / "linked").symlink_to(inside.parent)
    assert [source.name for source in find_sources(tmp_path / "linked")] == ["a.md", "c.md"]
    assert [source.path for source in find_sources(inside.parent / "b.md")] == [inside.parent / "b.md"]


def test_a_file_that_is_too_large_is_named(tmp_path: Path) -> None:
    write(tmp_path / "a.md", "x" * (1 << 20 | 1))
    write(tmp_path / "b.md", "text")
    notes: list[str] = []
    assert [each.name for each in find_sources(tmp_path, TEXT, 1 << 20, notes)] == ["b.md"]
    assert notes == [f"skipped {tmp_path}/a.md: it is larger than 1 MiB"]


def test_a_memory_says_where_and_when_it_comes_from(tmp_path: Path) -> None:
    path = write(tmp_path / "docs/tea.md", "# Tea\n\nAda prefers green tea.")
    os.utime(path, (NOW.timestamp(), NOW.timestamp()))
    [memory] = [m for source in find_sources(tmp_path) for m in memories_of(source)]
    assert memory.content == "Tea\n\nAda prefers green tea."
    assert memory.tags == ["file:docs/tea.md"]
    metadata = to_dict(memory.metadata)
    assert (metadata.pop("path"), metadata.pop("heading")) == ("docs/tea.md", "Tea")
    # Digests, by which the next import finds what came from here; no path of this machine.
    assert sorted(metadata) == ["root", "source"]
    assert all(len(str(each)) == 16 for each in metadata.values())
    assert to_datetime(memory.occurred_at) == NOW


def test_the_same_text_in_the_same_file_has_the_same_id_every_time() -> None:
    first = list(file_memories("a.md", "# One\nalpha\n# Two\nbeta", NOW))
    again = list(file_memories("a.md", "# Zero\nnew\n# One\nalpha\n# Two\nbeta", NOW))
    other = list(file_memories("b.md", "# One\nalpha\n# Two\nbeta", NOW))
    assert [m.memory_id for m in first] == [m.memory_id for m in again][1:]
    assert not {m.memory_id for m in first} & {m.memory_id for m in other}


def test_a_text_repeated_in_a_file_is_one_memory() -> None:
    memories = list(file_memories("a.md", "# Same\ntext\n# Same\ntext\n# Same\nother", NOW))
    assert [m.content for m in memories] == ["Same\n\ntext", "Same\n\nother"]


def test_binary_files_give_nothing(tmp_path: Path) -> None:
    binary = write(tmp_path / "a.md", b"\x89PNG\0\0text")
    text = write(tmp_path / "b.md", b"text")
    assert list(memories_of(IngestFile(binary, "a.md", 1))) == []
    assert len(list(memories_of(IngestFile(text, "b.md", 1)))) == 1


@pytest.mark.parametrize(
    "content",
    [
        "déjà vu 日本語 שלום 🍵".encode(),
        "\N{BYTE ORDER MARK}déjà vu 日本語 שלום 🍵".encode(),
        "déjà vu 日本語 שלום 🍵".encode("utf-16"),
        "\N{BYTE ORDER MARK}déjà vu 日本語 שלום 🍵".encode("utf-16-be"),
        "déjà vu 日本語 שלום 🍵".encode("utf-32"),
    ],
)
def test_a_byte_order_mark_says_how_a_file_is_read(tmp_path: Path, content: bytes) -> None:
    write(tmp_path / "a.md", content)
    notes: list[str] = []
    [(memory, _)] = text_memories(find_sources(tmp_path), notes)
    assert memory.content == "déjà vu 日本語 שלום 🍵"
    assert notes == []


def test_a_file_of_another_encoding_is_named_and_skipped(tmp_path: Path) -> None:
    latin = write(tmp_path / "a.md", "Der Kessel ist groß.".encode("latin-1"))
    late = write(tmp_path / "b.md", b"text " * 4_000 + b"\0 and a NUL")
    write(tmp_path / "c.md", "Der Kessel ist groß.")
    notes: list[str] = []
    [(memory, _)] = text_memories(find_sources(tmp_path), notes)
    assert memory.content == "Der Kessel ist groß."
    assert notes == [f"skipped {latin}: {NOT_UTF8}", f"skipped {late}: it contains no text"]


def test_text_that_says_it_is_wide_is_not_binary() -> None:
    assert not is_binary("wide".encode("utf-16"))
    assert is_binary("wide".encode("utf-16-le"))


def test_a_path_too_long_for_a_tag_keeps_its_end() -> None:
    tag = file_tag("folder/" * 40 + "name.md")
    assert len(tag) == MAX_TAG_LENGTH
    assert tag.startswith("file:…")
    assert tag.endswith("/name.md")


def test_a_text_of_invisible_characters_makes_no_memory() -> None:
    for name in ("a.md", "a.txt"):
        assert not list(file_memories(name, "\u200b\ufeff\n\n\u2800\u00ad", NOW))
        (memory,) = file_memories(name, "\u200f\u200bشاي", NOW)
        assert memory.content.endswith("شاي")
