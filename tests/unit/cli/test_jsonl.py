"""A memory becomes one line and comes back as it was."""

import io
import json
import os
from pathlib import Path

import pytest
from camillo.v1.memory_pb2 import Memory
from camillo_cli.export import memory_line
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.imports.feed import MAX_LINE_BYTES, open_feed, read_memories
from camillo_client import to_vector
from camillo_client.convert import to_struct

from tests.cases import each_case

ID = "01890a5d-ac96-774b-bcce-b302099a8057"


def read(content: bytes) -> list[Memory]:
    return [memory for memory, _ in read_memories(io.BytesIO(content))]


def full_memory() -> Memory:
    memory = Memory(
        memory_id=ID,
        content='お茶 "quoted" \\ \n 🍵 \u2028',
        kind="MEMORY_KIND_DECISION",
        tags=["b", "a"],
        importance=0.1,
        metadata=to_struct({"z": 1.5, "a": None, "m": True, "text": "x"}),
        version=2**31 - 1,
        access_count=7,
        vector=to_vector([0.1, -1e-7, 3.4e38], "model"),
    )
    memory.occurred_at.FromJsonString("2026-01-31T12:00:00.123456Z")
    return memory


def test_nothing_is_lost_on_the_way() -> None:
    line = memory_line(full_memory())
    assert line.count("\n") == 1
    assert read(line.encode()) == [full_memory()]


def test_the_same_memory_is_the_same_line() -> None:
    other = full_memory()
    other.metadata.Clear()
    other.metadata.update({"text": "x", "m": True, "a": None, "z": 1.5})
    assert memory_line(other) == memory_line(full_memory())


def test_names_are_those_of_the_contract() -> None:
    assert {"memory_id", "occurred_at", "access_count"} <= json.loads(memory_line(full_memory())).keys()


def test_a_line_without_an_id_has_the_same_one_each_time() -> None:
    [first], [again] = read(b'{"content": "a", "kind": 1}'), read(b'{"kind":1,"content":"a"}\n')
    [other] = read(b'{"content": "b"}')
    assert first.memory_id == again.memory_id != other.memory_id


def test_blank_lines_and_a_byte_order_mark_are_passed_over() -> None:
    assert len(read(b'\xef\xbb\xbf{"content": "a"}\n\n  \n{"content": "b"}')) == 2


@each_case(
    ("line", "reason"),
    [
        (b"{", "is not JSON"),
        (b"[1]", "is not a JSON object"),
        (b'{"conten": "a"}', 'has no field named "conten"'),
        (b'{"content": 5}', "is not a memory"),
        (b'{"content": "\xff"}', "is not UTF-8"),
        (b'{"content": "\\ud800"}', "is not a memory"),
        (b"[" * 100_000, "is not"),
        (b'{"content": "' + b"a" * MAX_LINE_BYTES, "is too long"),
    ],
    ids=["broken", "list", "unknown", "type", "bytes", "surrogate", "deep", "long"],
)
def test_a_line_that_is_no_memory_is_named_by_its_number(line: bytes, reason: str) -> None:
    with pytest.raises(CliError, match=f"line 2 .*{reason}") as caught:
        read(b'{"content": "a"}\n' + line)
    assert caught.value.code is ExitCode.USAGE
    assert "\n" not in str(caught.value)


def is_open(file: Path) -> bool:
    """Whether this process has the file open."""
    links = [f"/proc/self/fd/{number}" for number in os.listdir("/proc/self/fd")]
    return str(file) in [os.readlink(link) for link in links if os.path.islink(link)]


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="open files are read from /proc")
def test_a_file_is_open_until_it_was_read_or_refused(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    good.write_text('{"content": "a"}\n')
    bad.write_text("{\n")
    feed = open_feed(str(good))
    assert is_open(good)
    assert len(list(feed.memories)) == 1
    assert not is_open(good)
    # The error refers to the call, which would keep the file open.
    with pytest.raises(CliError) as refused:
        open_feed(str(bad))
    assert not is_open(bad), refused
