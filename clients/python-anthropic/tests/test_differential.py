"""Random commands do what they do to files of the SDK's own implementation.

Not compared are directories that have become empty, which are gone here, sizes of directories, and escape sequences of
terminals, which no text keeps here."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import anthropic
import pytest
from anthropic.lib.tools import ToolError
from anthropic.tools import BetaLocalFilesystemMemoryTool

from camillo_anthropic import CamilloMemoryTool
from camillo_client import Camillo

SEEDS = int(os.environ.get("CAMILLO_TEST_MEMORY_TOOL_SEEDS", "12"))
COMMANDS = 60
NAMES = ["a", "b.txt", "café.md", "日本語", ".hidden", "100%", "with blank", "e%41", "🐈", "A"]
TEXTS = [
    "",
    "\n",
    "one",
    "one\ntwo\n",
    "x\r\ny\r\n",
    "one one",
    "\x00\x07\u2028\x85",
    "naïve 猫\n\n\n",
    '"quoted" \\ back',
    "aaa",
]


def _path(chance: random.Random) -> str:
    names = [chance.choice(NAMES) for _ in range(chance.choice([1, 1, 2, 2, 3]))]
    return chance.choice(["/memories/", "/memories/", "/memories//", "/memories/./"]) + "/".join(names)


def _command(chance: random.Random, known: list[str]) -> dict[str, Any]:
    name = chance.choice(["view", "create", "create", "create", "str_replace", "insert", "insert", "delete", "rename"])
    path = chance.choice(known) if known and name != "create" and chance.random() < 0.8 else _path(chance)
    if chance.random() < 0.1:
        path = chance.choice(["/memories", path.rpartition("/")[0] or path, path + "/", path + "/../" + "b.txt"])
    match name:
        case "view":
            ranges = [None, None, [1, 2], [2, -1], [0, 1], [3, 2], [9, 12], [1]]
            return {"command": name, "path": path, "view_range": chance.choice(ranges)}
        case "create":
            return {"command": name, "path": path, "file_text": chance.choice(TEXTS)}
        case "str_replace":
            old, new = chance.choice([*TEXTS, "o", "aa", "\n"]), chance.choice(TEXTS)
            return {"command": name, "path": path, "old_str": old, "new_str": new}
        case "insert":
            return {
                "command": name,
                "path": path,
                "insert_line": chance.choice([0, 0, 1, 2, 5, -1]),
                "insert_text": chance.choice(TEXTS),
            }
        case "delete":
            return {"command": name, "path": path}
    return {"command": name, "old_path": path, "new_path": _path(chance)}


def _outcome(tool: Any, command: dict[str, Any]) -> str:
    """The answer without sizes of directories."""
    try:
        answer = str(tool.call(command))
    except ToolError as error:
        return f"refused: {error}"
    except OSError:
        return "refused"
    if not answer.startswith("Here're"):
        return answer
    title, *entries = answer.split("\n")
    shown = (entry.split("\t", 1) for entry in entries[1:])
    return "\n".join([title, *(name if name.endswith("/") else f"{size} {name}" for size, name in shown)])


def _prune(root: Path) -> None:
    for directory, _, _ in os.walk(root, topdown=False):
        if directory != str(root) and not os.listdir(directory):
            os.rmdir(directory)


@pytest.mark.skipif(int(anthropic.__version__.split(".")[0]) < 2, reason="earlier files translated the ends of lines")
@pytest.mark.parametrize("seed", range(SEEDS))
def test_random_commands_do_what_they_do_to_files(seed: int, camillo: Camillo, tmp_path: Path) -> None:
    chance, known = random.Random(seed), list[str]()
    on_disk, in_slots = BetaLocalFilesystemMemoryTool(str(tmp_path)), CamilloMemoryTool(camillo)
    answered = 0
    for number in range(COMMANDS):
        command = _command(chance, known)
        known += [command[name] for name in ("path", "new_path") if name in command]
        expected = _outcome(on_disk, command)
        _prune(on_disk.memory_root)
        outcome = _outcome(in_slots, command)
        # A refusal of the file system has no message of the SDK, and comes in another order.
        if expected == "refused" or outcome.startswith(("refused: Cannot write", "refused: Cannot move")):
            outcome, expected = outcome[:7], expected[:7]
        assert outcome == expected, (number, command)
        answered += not expected.startswith("refused")
    everything = {"command": "view", "path": "/memories"}
    assert _outcome(in_slots, everything) == _outcome(on_disk, everything)
    # Enough of them did something.
    assert answered > COMMANDS / 5
