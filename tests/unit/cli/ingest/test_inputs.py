"""Inputs that were named to be ingested: conversations and documents, each taken once."""

from pathlib import Path

import pytest
from camillo_cli.failures import CliError
from camillo_cli.ingest.command import Documents, find_inputs
from camillo_cli.text_files import IngestFile


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("runs/b.traj", "runs/a.jsonl", "notes.md", "image.png", ".hidden.json", "01.json"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("{}")
    return tmp_path


def names(*paths: Path, all_conversations: bool = False) -> list[str]:
    found = find_inputs(paths, [], all_conversations=all_conversations)
    return [each.name if isinstance(each, IngestFile) else each.path for each in found]


def test_a_folder_gives_its_conversations_and_then_its_documents(folder: Path) -> None:
    assert names(folder) == ["01.json", "runs/a.jsonl", "runs/b.traj", str(folder)]
    assert names(folder / "runs") == ["a.jsonl", "b.traj"]


def test_a_text_file_is_a_document_unless_a_format_is_given(folder: Path) -> None:
    notes = folder / "notes.md"
    assert find_inputs([notes], [], all_conversations=False) == [Documents(str(notes))]
    [taken] = find_inputs([notes], [], all_conversations=True)
    assert isinstance(taken, IngestFile)
    assert taken.is_named


def test_a_named_file_may_have_any_suffix_and_is_taken_once(folder: Path) -> None:
    image = folder / "image.png"
    assert names(image, image) == ["image.png"]


def test_what_is_not_there_is_refused(folder: Path) -> None:
    (folder / "empty").mkdir()
    with pytest.raises(CliError, match="nothing to ingest"):
        names(folder / "empty")
    with pytest.raises(CliError, match="cannot read"):
        names(folder / "missing.jsonl")


def test_a_session_is_named_after_its_file_and_a_number_after_its_folder_too(folder: Path) -> None:
    found = find_inputs([folder], [], all_conversations=True)
    sessions = [each.session_name for each in found if isinstance(each, IngestFile)]
    assert sessions == [f"{folder.name}/01", "runs/a", "runs/b"]
