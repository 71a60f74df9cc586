"""The tests of the SDK's own implementation, from its source distribution, unmodified: only what they take for files
are slots."""

from __future__ import annotations

import inspect
import json
import os
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from camillo_anthropic import AsyncCamilloMemoryTool, CamilloMemoryTool
from camillo_client import AsyncCamillo, Camillo

SOURCE = Path(os.environ["CAMILLO_ADAPTER_SDIST"]) / "tests/lib/tools/memory_tools/test_filesystem.py"
SYMLINK = "makes a symbolic link: slots have none"
SKIPPED = {
    "test_mkdir_parents_not_world_writable_under_permissive_umask": "looks at the modes of directories on a disk",
    "test_view_error_for_files_with_too_many_lines": "a file of 5 MB is refused when it is created: 64 KiB at most",
    "test_validate_path_returns_resolved_path_not_symlink_target": SYMLINK,
    "test_view_lists_symlinks_only_when_they_stay_inside_memories": SYMLINK,
    "test_view_rejects_directory_symlink_created_after_validation": SYMLINK,
}


class SlotFile:
    """Something that a test takes for a path below the tool's directory."""

    def __init__(self, camillo: Camillo, key: str) -> None:
        self._camillo, self._key = camillo, key

    def __truediv__(self, name: str) -> SlotFile:
        return SlotFile(self._camillo, f"{self._key}/{name}")

    def __str__(self) -> str:
        return self._key

    def mkdir(self, **_: object) -> None:
        """A directory is there with its first file."""

    def is_dir(self) -> bool:
        """Whether a tool could be asked for it: `/memories` always is."""
        return self._key == "/memories"

    def write_bytes(self, content: bytes) -> None:
        """Writes a file behind the tool's back."""
        self._camillo.slots.set_memory(self._key, json.dumps(content.decode()), "a test")

    def read_bytes(self) -> bytes:
        """The file as it is stored."""
        text: str = json.loads(self._camillo.slots.get(self._key).json_content)
        return text.encode()


class AwaitedSlotFile(SlotFile):
    """The same, as the SDK's asynchronous tool has it."""

    async def is_dir(self) -> bool:  # type: ignore[override]
        return super().is_dir()


def files(camillo: Camillo) -> dict[str, str]:
    """Every file, by its path below the directory that has `memories`."""
    found = camillo.slots.list("/memories")
    return {each.key.removeprefix("/"): json.loads(each.slot.json_content) for each in found}


def _sdk_tests() -> ModuleType:
    spec = spec_from_file_location("sdk_test_filesystem", SOURCE)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


sdk_tests = _sdk_tests()


def _collected(name: str) -> Any:
    """A class of tests, with marks on those that cannot apply."""
    tests = getattr(sdk_tests, name)
    for test, function in list(vars(tests).items()):
        reason = SKIPPED.get(test, SYMLINK if "symlink" in test and "test" in test else "")
        if inspect.isfunction(function) and reason:
            setattr(tests, test, pytest.mark.skip(reason=reason)(function))
    return tests


TestBetaLocalFilesystemMemoryTool = _collected("TestBetaLocalFilesystemMemoryTool")
TestBetaAsyncLocalFilesystemMemoryTool = _collected("TestBetaAsyncLocalFilesystemMemoryTool")


@pytest.fixture
def sync_local_filesystem_tool(camillo: Camillo, monkeypatch: pytest.MonkeyPatch) -> CamilloMemoryTool:
    return _with_files(CamilloMemoryTool(camillo), SlotFile(camillo, "/memories"), camillo, monkeypatch)


@pytest.fixture
def async_local_filesystem_tool(
    async_camillo: AsyncCamillo, camillo: Camillo, monkeypatch: pytest.MonkeyPatch
) -> AsyncCamilloMemoryTool:
    tool = AsyncCamilloMemoryTool(async_camillo)
    return _with_files(tool, AwaitedSlotFile(camillo, "/memories"), camillo, monkeypatch)


def _with_files(tool: Any, root: SlotFile, camillo: Camillo, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The tool with the attributes by which tests look at its files."""
    tool.memory_root, tool.base_path = root, SlotFile(camillo, "/no/path/on/a/disk")
    monkeypatch.setattr(sdk_tests, "Path", lambda key: SlotFile(camillo, key))
    monkeypatch.setattr(sdk_tests, "get_directory_snapshot", lambda _: files(camillo))
    return tool
