"""import_file: what `camillo import` does, for programs; and how parts of an import are sent."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from camillo.v1.memory_pb2 import Memory
from camillo.v1.memory_service_pb2 import ImportMemoriesResponse
from camillo_cli.file_import import NotImportable, import_file
from camillo_cli.imports.parts import Part, sent
from camillo_client import Camillo as Client

from tests.cli.conftest import Camillo
from tests.patience import PATIENCE_SECONDS


@pytest.fixture
def client(camillo: Camillo) -> Iterator[Client]:
    with Client.connect(camillo.address, data_dir=camillo.data_dir) as connected:
        yield connected.for_space(camillo.agent)


def mem0(path: Path, *records: dict[str, Any]) -> Path:
    path.write_text(json.dumps({"results": records}), "utf-8")
    return path


def test_a_program_imports_an_export_into_the_spaces_that_it_names(
    client: Client, camillo: Camillo, tmp_path: Path
) -> None:
    ana, kim = (f"{camillo.agent}-{name}" for name in ("ana", "kim"))
    records = [
        {"id": str(number), "memory": f"{user} 喝茶 {number}", "user_id": user, "score": 0.5}
        for number, user in enumerate((ana, kim, ana))
    ]
    file = mem0(tmp_path / "a.json", *records)
    told: list[int] = []
    done = import_file(client, file, on_progress=told.append)
    assert (done.form, done.response.imported, done.response.skipped) == ("mem0", 3, 0)
    assert done.left_out == {"scores of a search": 3}
    assert told == [1, 3]
    kept = {each.content for each in client.for_user(ana).list_memories()}
    assert kept == {f"{ana} 喝茶 0", f"{ana} 喝茶 2"}
    assert not [*client.list_memories()]
    # Again, nothing is stored twice; into one space, it is.
    assert import_file(client, file).response.skipped == 3
    assert import_file(client, file, is_one_space=True).response.imported == 3
    assert len([*client.list_memories()]) == 3


def test_a_program_is_told_what_is_no_memory(client: Client, tmp_path: Path) -> None:
    records = [{"id": str(number), "memory": f"кот спит {number}"} for number in range(3)]
    # No space has such a name.
    file = mem0(tmp_path / "a.json", records[0], *({**each, "user_id": "בן"} for each in records[1:]))
    with pytest.raises(NotImportable, match="2 records are bad") as caught:
        import_file(client, file)
    assert len(caught.value.records) == 2
    assert not [*client.list_memories()]
    done = import_file(client, file, skip_bad=True)
    assert (done.response.imported, len(done.notes)) == (1, 2)
    chats = tmp_path / "conversations.json"
    chats.write_text(json.dumps([{"uuid": "c", "chat_messages": [{"uuid": "m", "sender": "human", "text": "hi"}]}]))
    with pytest.raises(NotImportable, match="conversations"):
        import_file(client, chats)
    with pytest.raises(NotImportable):
        import_file(client, tmp_path / "none.json")
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "tea.md").write_text("# Tee\n\nAna trinkt grünen Tee.\n", "utf-8")
    assert import_file(client, notes).response.imported == 1


def test_two_parts_are_sent_at_once_unless_they_are_of_one_space() -> None:
    parts = [Part(space, [Memory(content=f"{number}")], [number], 1) for number, space in enumerate("aabb")]
    # The second of "a" and the first of "b" wait for each other here; those of one space never meet.
    both, lock, busy = threading.Barrier(2), threading.Lock(), set[str]()

    def send(part: Part) -> ImportMemoriesResponse:
        with lock:
            assert part.space not in busy
            busy.add(part.space)
        if part.numbers in ([1], [2]):
            both.wait(PATIENCE_SECONDS)
        with lock:
            busy.remove(part.space)
        return ImportMemoriesResponse(imported=part.numbers[0])

    assert [(part.numbers, done.imported) for part, done in sent(iter(parts), send)] == [
        ([number], number) for number in range(4)
    ]


def test_what_a_part_raises_comes_behind_the_parts_before_it() -> None:
    parts = [Part(space, [Memory()], [number], 1) for number, space in enumerate("abc")]

    def send(part: Part) -> ImportMemoriesResponse:
        if part.space == "b":
            raise ValueError(part.space)
        return ImportMemoriesResponse()

    answers = sent(iter(parts), send)
    assert next(answers)[0].space == "a"
    with pytest.raises(ValueError, match="b"):
        next(answers)
