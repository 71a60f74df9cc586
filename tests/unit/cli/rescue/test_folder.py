"""The folder that is rescued into: whatever the ids are, nothing leaves it and no two scopes meet in it."""

import base64
import json
from dataclasses import replace
from datetime import UTC
from pathlib import Path

import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1.memory_service_pb2 import RememberRequest
from camillo_cli.failures import CliError
from camillo_cli.imports.feed import read_memories
from camillo_server.cli.rescue.folder import RescueFolder, readable, safe_component
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.spool.spooled_writes import TEXTS, spooled_write

HOSTILE = (
    *("..", ".", "../../etc", "/etc/passwd", "a/b", "a\\b", "-rf", "~", "$HOME", "a\nb", "\x00", ""),
    *("con", "a:b", "..\u2215..", "\u202egnp", "агент/..", "模型", "x" * 300, "y" * 149 + "язык" * 50),
)


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_leaves_the_folder(tmp_path: Path, name: str) -> None:
    root = tmp_path / "root"
    folder = RescueFolder(root)
    for tenant, agent in ((name, name), (name, "other"), ("other", name)):
        folder.scope(tenant, agent).add_spooled(spooled_write())
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) == 6
    assert all(len(path.relative_to(root).parts) == 3 for path in written)


@given(names=st.lists(st.text(), unique=True, max_size=6))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_two_scopes_share_a_folder(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    folder = RescueFolder(tmp_path_factory.mktemp("rescue"))
    paths = [folder.scope("t", name).path for name in names]
    # Also where the file system knows no cases.
    assert len({str(path).casefold() for path in paths}) == len(names)
    assert [folder.scope("t", name).path for name in names] == paths
    assert not any(safe_component(name).startswith(".") for name in names)


def test_names_that_differ_in_case_alone_have_folders_of_their_own(tmp_path: Path) -> None:
    folder = RescueFolder(tmp_path / "root")
    names = ("Ada", "ada", "ADA", "Жук", "жук", "@shared", "")
    paths = {name: folder.scope("t", name).path.name for name in names}
    assert len({path.casefold() for path in paths.values()}) == len(names)
    assert paths["Ada"] == "Ada"
    assert paths["ada"].startswith("ada-")


def test_a_folder_that_has_something_in_it_is_refused(tmp_path: Path) -> None:
    RescueFolder(tmp_path)
    (tmp_path / "notes.txt").write_text("заметки")
    with pytest.raises(CliError, match="not empty"):
        RescueFolder(tmp_path)
    with pytest.raises(CliError, match="not empty"):
        RescueFolder(tmp_path / "notes.txt")


def test_a_newer_revision_replaces_an_older_one(tmp_path: Path) -> None:
    scope = RescueFolder(tmp_path).scope("t", "a")
    for revision, text in ((5, "пять"), (7, "七"), (6, "six")):
        is_newer = scope.begin(revision)
        assert is_newer is (revision != 6)
        if is_newer:
            scope.add_memory(pb.Memory(content=text))
            scope.end(is_whole=True)
    assert (scope.revision, scope.memories) == (7, 1)
    (line,) = (scope.path / "memories.jsonl").read_text("utf-8").splitlines()
    assert json.loads(line)["content"] == "七"
    # One that is cut short replaces nothing that is whole.
    assert scope.begin(9)
    scope.end(is_whole=False)
    assert (scope.revision, scope.memories, scope.is_partial) == (7, 1, False)
    assert "七" in (scope.path / "MEMORY.md").read_text("utf-8")
    assert not list(scope.path.glob("*.unfinished"))


def test_contents_cannot_pass_for_a_heading_of_the_page(tmp_path: Path) -> None:
    scope = RescueFolder(tmp_path).scope("t", "a")
    scope.begin(1)
    content = "one\r## 2026 · fact\u2028# two\n\n```\n> three"
    scope.add_memory(pb.Memory(content=content, tags=["a\n# tag"], session_id="s\n# session"))
    scope.end(is_whole=True)
    page = (scope.path / "MEMORY.md").read_text("utf-8")
    headings = [line for line in page.splitlines() if line.startswith("#")]
    assert len(headings) == 2
    assert "#a # tag" in headings[1]
    assert "> ## 2026 · fact" in page.splitlines()
    # The JSON line has it as it was.
    assert json.loads((scope.path / "memories.jsonl").read_text("utf-8"))["content"] == content


@pytest.mark.parametrize("text", TEXTS)
def test_a_spooled_memory_can_be_read_and_imported(tmp_path: Path, text: str) -> None:
    scope = RescueFolder(tmp_path).scope("t", "a")
    memory = pb.NewMemory(content=text, tags=["тег"], kind=pb.MEMORY_KIND_FACT, pinned=True)
    write = spooled_write(0, RememberRequest(agent_id="a", memory=memory).SerializeToString())
    scope.add_spooled(write)
    page = (scope.path / "MEMORY.md").read_text("utf-8")
    assert f"> {text}\n" in page
    assert "SPOOLED" in page
    with (scope.path / "spooled-memories.jsonl").open("rb") as lines:
        ((imported, _),) = read_memories(lines)
    assert (imported.memory_id, imported.content) == (str(write.spool_id), text)
    assert (list(imported.tags), imported.pinned) == (["тег"], True)
    assert imported.occurred_at.ToDatetime(UTC) == write.accepted_at
    described = json.loads((scope.path / "spooled.jsonl").read_text("utf-8"))
    assert described["request"]["memory"]["content"] == text


@pytest.mark.parametrize("method", ["MemoryService.Remember", "MemoryService.Dream", "nothing"])
def test_a_body_that_is_not_known_is_kept_as_it_is(tmp_path: Path, method: str) -> None:
    scope = RescueFolder(tmp_path).scope("t", "a")
    # As a later release may have it: with a field that this one does not know.
    body = RememberRequest(agent_id="a").SerializeToString() + b"\xfa\x3f\x02hi"
    scope.add_spooled(replace(spooled_write(0, body), method=method))
    described = json.loads((scope.path / "spooled.jsonl").read_text("utf-8"))
    assert base64.b64decode(described["body_base64"]) == body
    assert not (scope.path / "spooled-memories.jsonl").exists()


def test_a_body_that_is_no_text_is_counted() -> None:
    assert readable(TEXTS[2].encode()) == TEXTS[2]
    assert "2 bytes" in readable(b"\xff\xfe")
