"""Answers of a server to `rescue`, whole or cut short where its process ended."""

import io
import json
from dataclasses import asdict
from pathlib import Path

import pytest
from camillo.v1 import memory_pb2 as pb
from camillo_server.assembly.processes.rescue_socket import RecordKind, RescuedScope, record
from camillo_server.cli.rescue.command import Rescued, _read_server
from camillo_server.cli.rescue.folder import RescueFolder
from hypothesis import given
from hypothesis import strategies as st

SCOPES = {"alice": 3, "боб": 2, "": 1}


def told() -> bytes:
    parts = []
    for agent, count in SCOPES.items():
        scope = json.dumps(asdict(RescuedScope("t", agent, 4))).encode()
        parts.append(record(RecordKind.SCOPE, scope))
        for number in range(count):
            memory = pb.Memory(content=f"{agent} {number}")
            parts.append(record(RecordKind.MEMORY, memory.SerializeToString()))
        parts.append(record(RecordKind.CHUNK, pb.Chunk(text="会议").SerializeToString()))
    return b"".join([*parts, record(RecordKind.END, b"")])


def rescued(root: Path, data: bytes) -> tuple[bool, Rescued]:
    found = Rescued(RescueFolder(root), lambda *_: None)
    return _read_server(io.BytesIO(data), found), found


def test_all_of_it_is_written(tmp_path: Path) -> None:
    is_whole, found = rescued(tmp_path, told())
    assert is_whole
    scopes = {each.agent_id: (each.memories, each.records) for each in found.folder.scopes}
    assert scopes == {agent: (count, 1) for agent, count in SCOPES.items()}
    assert not any(each.is_partial for each in found.folder.scopes)
    assert found.items == 9


@given(data=st.data())
def test_what_came_before_the_end_is_kept_and_marked(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, len(told()) - 1))
    is_whole, found = rescued(tmp_path_factory.mktemp("rescue"), told()[:cut])
    assert not is_whole
    scopes = found.folder.scopes
    assert sum(each.is_partial for each in scopes) <= 1
    for each in scopes:
        path = each.path / "memories.jsonl"
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        assert [json.loads(line)["content"] for line in lines] == [
            f"{each.agent_id} {number}" for number in range(each.memories)
        ]
        assert each.is_partial or each.memories == SCOPES[each.agent_id]
