"""Promises of the tool beyond the SDK's own implementation: bounds, paths, callers at the same time, spaces."""

from __future__ import annotations

import asyncio
import json
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from anthropic.lib.tools import ToolError

from camillo_anthropic import AsyncCamilloMemoryTool, CamilloMemoryTool
from camillo_client import AsyncCamillo, Camillo, SecretRedacted, new_slot

ESCAPES = [
    "/memories/../etc/passwd",
    "/memories/a/../../b",
    "/memories/%2e%2e/x",
    "/memories/%252e%252e/x",
    "/memories/a%2f..%2f..%2fb",
    "/memories/..%5cx",
    "/memories/..\\..\\x",
    "/memories/\N{FULLWIDTH FULL STOP}\N{FULLWIDTH FULL STOP}/x",
    "/memories/\N{TWO DOT LEADER}/x",
]


def answer_of(tool: CamilloMemoryTool, **command: Any) -> str:
    return str(tool.call(command))


def refused(tool: CamilloMemoryTool, **command: Any) -> str:
    with pytest.raises(ToolError) as error:
        tool.call(command)
    return str(error.value)


def test_paths_that_lead_out_are_refused_also_in_disguise(camillo: Camillo) -> None:
    tool = CamilloMemoryTool(camillo)
    for path in ESCAPES:
        assert refused(tool, command="view", path=path) == f"Path {path} would escape /memories directory"
        assert "would escape" in refused(tool, command="create", path=path, file_text="x")
    for path in ("/memoriesx/a", "memories/a", "/etc/passwd", "", "/"):
        assert "must start with /memories" in refused(tool, command="view", path=path)
    assert list(camillo.slots.list("")) == []
    answer_of(tool, command="create", path="/memories/50%25 off…txt", file_text="a name like any other")
    assert [each.key for each in camillo.slots.list("")] == ["/memories/50%25 off…txt"]


def test_a_name_is_one_file_however_it_is_composed(camillo: Camillo) -> None:
    tool = CamilloMemoryTool(camillo)
    answer_of(tool, command="create", path="/memories/cafe\u0301", file_text="composed")
    assert answer_of(tool, command="view", path="/memories/caf\u00e9").endswith("     1\tcomposed")


def test_bounds_are_told_to_the_model(camillo: Camillo) -> None:
    tool = CamilloMemoryTool(camillo)
    whole = "é" * ((65_536 - 2) // 2)
    answer_of(tool, command="create", path="/memories/full", file_text=whole)
    assert json.loads(camillo.slots.get("/memories/full").json_content) == whole
    assert "at most 65536" in refused(tool, command="create", path="/memories/more", file_text=whole + "x")
    assert "at most 65536" in refused(tool, command="insert", path="/memories/full", insert_line=0, insert_text="x")
    assert "1024 bytes" in refused(tool, command="create", path="/memories/" + "n" * 1024, file_text="")
    assert "32 names" in refused(tool, command="create", path="/memories" + "/n" * 32, file_text="")
    assert "control characters" in refused(tool, command="create", path="/memories/a\x00b", file_text="")
    assert "valid Unicode" in refused(tool, command="create", path="/memories/half", file_text="\ud83d")
    assert "`file_text` must be a text" in refused(tool, command="create", path="/memories/none", file_text=None)
    assert "`new_str` must be a text" in refused(tool, command="str_replace", path="/memories/full", old_str="x")
    assert refused(tool, command="view", path=None) == "A path must be a text"
    assert [each.key for each in camillo.slots.list("")] == ["/memories/full"]


def test_a_directory_is_renamed_and_deleted_as_a_whole(camillo: Camillo) -> None:
    tool = CamilloMemoryTool(camillo)
    for number in range(51):
        answer_of(tool, command="create", path=f"/memories/many/{number:02}", file_text=str(number))
    assert "more than 50" in refused(tool, command="rename", old_path="/memories/many", new_path="/memories/new")
    answer_of(tool, command="delete", path="/memories/many/50")
    answer_of(tool, command="rename", old_path="/memories/many", new_path="/memories/new/place")
    assert answer_of(tool, command="view", path="/memories/new/place/49").endswith("\t49")
    assert "does not exist" in refused(tool, command="view", path="/memories/many")
    assert "into itself" in refused(tool, command="rename", old_path="/memories/new", new_path="/memories/new/x")
    answer_of(tool, command="create", path="/memories/newer", file_text="stays")
    answer_of(tool, command="delete", path="/memories/new")
    assert [each.key for each in camillo.slots.list("")] == ["/memories/newer"]
    assert tool.clear_all_memory() == "All memory cleared"
    assert list(camillo.slots.list("")) == []
    answer_of(tool, command="create", path="/memories/newer", file_text="again")
    assert camillo.slots.get("/memories/newer").version == 3


def test_a_directory_of_hidden_files_is_there_and_shows_nothing(camillo: Camillo) -> None:
    tool = CamilloMemoryTool(camillo)
    answer_of(tool, command="create", path="/memories/a/.hidden", file_text="x")
    assert answer_of(tool, command="view", path="/memories/a").endswith("excluding hidden items:\n-\t/memories/a")
    assert answer_of(tool, command="view", path="/memories/a/.hidden").endswith("\tx")
    assert "does not exist" in refused(tool, command="view", path="/memories/b")


def test_edits_of_many_callers_are_all_made(camillo: Camillo) -> None:
    tool = CamilloMemoryTool(camillo)
    answer_of(tool, command="create", path="/memories/list", file_text="".join(f"<{number}>\n" for number in range(4)))

    def edit(number: int) -> None:
        answer_of(tool, command="str_replace", path="/memories/list", old_str=f"<{number}>", new_str=f"done {number}")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(edit, range(4)))
    content = json.loads(camillo.slots.get("/memories/list").json_content)
    assert content == "done 0\ndone 1\ndone 2\ndone 3\n"
    assert camillo.slots.get("/memories/list").version == 5


async def test_one_of_many_creates_a_file(async_camillo: AsyncCamillo) -> None:
    tool = AsyncCamilloMemoryTool(async_camillo)
    commands = ({"command": "create", "path": "/memories/one", "file_text": str(number)} for number in range(8))
    outcomes = await asyncio.gather(*map(tool.call, commands), return_exceptions=True)
    refusals = [each for each in outcomes if isinstance(each, ToolError)]
    assert len(refusals) == 7
    assert {str(each) for each in refusals} == {"File /memories/one already exists"}
    assert (await async_camillo.slots.get("/memories/one")).version == 1


def test_a_secret_is_left_out_and_the_model_is_told(camillo: Camillo) -> None:
    tool = CamilloMemoryTool(camillo)
    secret = "AKIA" + "Q3EGRIZTV6PLNEXM"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SecretRedacted)
        answer = answer_of(tool, command="create", path="/memories/keys", file_text=f"the key is {secret}\n")
    assert answer.endswith("View it to see the rest.")
    assert secret not in answer_of(tool, command="view", path="/memories/keys")
    assert "Note" not in answer_of(tool, command="create", path="/memories/plain", file_text="no key\n")
    assert "Note" in answer_of(tool, command="create", path="/memories/red", file_text="\x1b[31mred\x1b[0m")
    assert answer_of(tool, command="view", path="/memories/red").endswith("\tred")


def test_what_another_program_wrote_is_shown_and_not_edited(camillo: Camillo) -> None:
    camillo.slots.set_memory("/memories/facts", '{"tea": 1.0}', "a test")
    tool = CamilloMemoryTool(camillo)
    assert answer_of(tool, command="view", path="/memories/facts").endswith('     1\t{"tea": 1.0}')
    assert "not edited" in refused(tool, command="str_replace", path="/memories/facts", old_str="tea", new_str="x")
    assert camillo.slots.get("/memories/facts").version == 1


def test_each_person_has_files_of_their_own_and_recalls_find_them(camillo: Camillo, user: str) -> None:
    mine, other = CamilloMemoryTool(camillo), CamilloMemoryTool(camillo.for_user(f"{user}-other"))
    answer_of(mine, command="create", path="/memories/pets.md", file_text="The cat is called Minka, 猫\n")
    assert "does not exist" in refused(other, command="view", path="/memories/pets.md")

    def found() -> list[str]:
        return [hit.text for hit in camillo.recall("name of the cat Minka", sources=["slot"]).hits]

    assert any("Minka" in text for text in found())
    answer_of(mine, command="delete", path="/memories/pets.md")
    assert not any("Minka" in text for text in found())


def test_the_view_of_a_large_directory_says_what_it_leaves_out(camillo: Camillo) -> None:
    camillo.slots.set_many(new_slot(f"/memories/{number:04}", '"x"', "a test") for number in range(1_001))
    lines = answer_of(CamilloMemoryTool(camillo), command="view", path="/memories").split("\n")
    assert lines[2] == "1B\t/memories/0000"
    assert lines[-1].startswith("Only 1000 entries are shown")
    assert len(lines) == 1_003
