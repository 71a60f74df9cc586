"""Files in the format of LongMemEval, made here: sessions are what is found, and questions have the time at which they
are asked."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench.material.long_mem_eval import read_collection


def question(question_id: str, **more: Any) -> dict[str, Any]:
    return {
        "question_id": question_id,
        "question_type": "multi-session",
        "question": "Wie heißt die Katze? 🐈",
        "answer": "Mia",
        "question_date": "2024/03/09 (Sat) 10:05",
        "haystack_session_ids": ["s1", "s2"],
        "haystack_dates": ["2024/01/05 (Fri) 08:00", "2024/02/06 (Tue) 21:30"],
        "haystack_sessions": [
            [{"role": "user", "content": "我有一只猫", "has_answer": True}, {"role": "assistant", "content": "Nice!"}],
            [{"role": "user", "content": "Ich war im Kino."}],
        ],
        "answer_session_ids": ["s1"],
        **more,
    }


def write(directory: Path, questions: list[dict[str, Any]]) -> Path:
    (directory / "a.json").write_text(json.dumps(questions), "utf-8")
    return directory


def test_each_question_has_a_haystack_of_its_own(tmp_path: Path) -> None:
    first, second = read_collection(write(tmp_path, [question("q1"), question("q2")]))
    assert (first.name, second.name) == ("q1", "q2")
    assert [each.content for each in first.memories] == [
        "[2024/01/05 (Fri) 08:00] User: 我有一只猫",
        "[2024/01/05 (Fri) 08:00] Assistant: Nice!",
        "[2024/02/06 (Tue) 21:30] User: Ich war im Kino.",
    ]


def test_what_is_found_are_sessions(tmp_path: Path) -> None:
    [chat] = read_collection(write(tmp_path, [question("q1")]))
    assert [each.message_id for each in chat.memories] == ["s1", "s1", "s2"]
    [asked] = chat.questions
    assert asked.evidence == {"s1"}
    assert asked.category == "multi-session"


def test_times_are_those_of_sessions_and_of_the_question(tmp_path: Path) -> None:
    [chat] = read_collection(write(tmp_path, [question("q1")]))
    assert chat.memories[0].occurred_at.isoformat() == "2024-01-05T08:00:00+00:00"
    assert chat.memories[2].occurred_at.isoformat() == "2024-02-06T21:30:02+00:00"
    [asked] = chat.questions
    assert asked.asked_at is not None
    assert asked.asked_at.isoformat() == "2024-03-09T10:05:00+00:00"


def test_a_question_that_is_marked_so_has_no_answer(tmp_path: Path) -> None:
    [marked, plain] = read_collection(write(tmp_path, [question("q1_abs"), question("q2")]))
    assert (len(marked.questions), len(marked.unanswerable)) == (0, 1)
    assert (len(plain.questions), len(plain.unanswerable)) == (1, 0)


def test_a_haystack_without_a_date_for_each_session_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, [question("q1", haystack_dates=[])])
    with pytest.raises(ValueError, match="shorter"):
        read_collection(tmp_path)


def test_other_chats_are_read_as_before(tmp_path: Path) -> None:
    chat = {
        "chat": "1",
        "messages": [{"id": 1, "batch": 1, "role": "user", "text": "Hallo"}],
        "questions": [
            {"category": "abstention", "question": "Who?", "evidence": []},
            {"category": "single_hop", "question": "What?", "evidence": [1]},
        ],
    }
    (tmp_path / "01.json").write_text(json.dumps(chat), "utf-8")
    [read] = read_collection(tmp_path)
    assert [each.text for each in read.questions] == ["What?"]
    assert [each.text for each in read.unanswerable] == ["Who?"]


def test_an_empty_directory_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_collection(tmp_path)
