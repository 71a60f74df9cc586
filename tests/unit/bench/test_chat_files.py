"""Chats as memories: what is kept of a message, and in which order."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench.material.chats import pieces, read_chat, read_chats


def chat_file(directory: Path, messages: list[dict[str, Any]], **more: Any) -> Path:
    path = directory / "01.json"
    told = {"chat": "1", "messages": messages, "questions": [], **more}
    path.write_text(json.dumps(told), encoding="utf-8")
    return path


def message(number: int | str, text: str, **more: Any) -> dict[str, Any]:
    return {"id": number, "batch": 1, "role": "user", "time": "March-15-2024", "text": text, **more}


def test_a_message_is_a_line_of_a_transcript(tmp_path: Path) -> None:
    (kept,) = read_chat(chat_file(tmp_path, [message(3, "Ich mag 茶 🍵")])).memories
    assert kept.content == "[March-15-2024] User: Ich mag 茶 🍵"
    assert (kept.message_id, kept.session_id) == ("3", "1")
    assert kept.occurred_at.isoformat() == "2024-03-15T00:00:00+00:00"


def test_a_long_message_is_split_at_paragraphs_and_loses_nothing(tmp_path: Path) -> None:
    paragraphs = [f"paragraph {number} " + "слово " * 60 for number in range(20)]
    text = "\n\n".join(paragraphs)
    kept = read_chat(chat_file(tmp_path, [message("D1:1", text)])).memories
    assert len(kept) > 3
    assert {memory.message_id for memory in kept} == {"D1:1"}
    assert all(len(memory.content) <= 2000 for memory in kept)
    opening = "[March-15-2024] User: "
    assert all(memory.content.startswith(opening + "paragraph") for memory in kept)
    joined = " ".join(memory.content.removeprefix(opening) for memory in kept)
    assert joined.split() == text.split()


def test_a_paragraph_that_is_too_long_is_cut() -> None:
    found = list(pieces("short\n\n" + "word " * 100 + "\n\nend", 200))
    assert all(0 < len(piece) <= 200 for piece in found)
    assert " ".join(found).split() == ["short", *["word"] * 100, "end"]


def test_messages_of_one_time_keep_their_order(tmp_path: Path) -> None:
    long = "\n\n".join("x" * 900 for _ in range(5))
    path = chat_file(tmp_path, [message(1, "a"), message(2, long), message(3, "b")])
    moments = [memory.occurred_at for memory in read_chat(path).memories]
    assert len(moments) > 3
    assert moments == sorted(set(moments))


@pytest.mark.parametrize(
    ("time", "expected"), [("7:48 pm on 21 May, 2023", "2023-05-21T19:48:00+00:00"), ("April-05-2024", "2024-04-05")]
)
def test_both_ways_to_state_a_time_are_understood(tmp_path: Path, time: str, expected: str) -> None:
    (kept,) = read_chat(chat_file(tmp_path, [message(1, "a", time=time)])).memories
    assert kept.occurred_at.isoformat().startswith(expected)


def test_sessions_without_a_time_are_days_apart(tmp_path: Path) -> None:
    untold = [message(number, "a", batch=number, time=None) for number in (1, 2)]
    first, second = read_chat(chat_file(tmp_path, untold)).memories
    assert first.content == "User: a"
    assert (second.occurred_at - first.occurred_at).days == 1


def test_questions_without_evidence_are_left_out(tmp_path: Path) -> None:
    asked = [
        {"category": "abstention", "question": "Who?", "evidence": []},
        {"category": "single_hop", "question": "What?", "evidence": ["D1:1", 7]},
    ]
    (question,) = read_chat(chat_file(tmp_path, [message(1, "a")], questions=asked)).questions
    assert (question.category, question.evidence) == ("single_hop", frozenset(("D1:1", "7")))


def test_an_empty_message_is_no_memory(tmp_path: Path) -> None:
    kept = read_chat(chat_file(tmp_path, [message(1, " \n\n "), message(2, "b")])).memories
    assert [memory.message_id for memory in kept] == ["2"]


def test_a_directory_without_chats_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_chats(tmp_path)
    chat_file(tmp_path, [message(1, "a")])
    assert [chat.name for chat in read_chats(tmp_path)] == ["01"]
