"""Reads LongMemEval's format: a list of questions, each with a haystack of sessions of its own.

`[{question_id, question_type, question, answer, question_date, haystack_session_ids, haystack_dates,
haystack_sessions: [[{role, content, has_answer?}]], answer_session_ids}]`. The measure is whether the sessions that
hold the answer are found, so a session is one message, however many turns it has. Questions whose id ends with
`_abs` have no answer.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bench.material.chats import Chat, Question, chat_of, parse_time, read_chats

WITHOUT_ANSWER = "_abs"


def read_collection(directory: Path) -> list[Chat]:
    """The chats of a directory, in this format or the other. Raises FileNotFoundError if there is none."""
    paths = sorted(directory.glob("*.json"))
    if paths and is_long_mem_eval(paths[0]):
        return [chat for path in paths for chat in read_questions(path)]
    return read_chats(directory)


def is_long_mem_eval(path: Path) -> bool:
    """A file of the other format is one object."""
    with path.open(encoding="utf-8") as file:
        return file.read(64).lstrip().startswith("[")


def read_questions(path: Path) -> Iterator[Chat]:
    """A chat for each question. Raises KeyError or ValueError where the file has another format."""
    for asked in json.loads(path.read_text(encoding="utf-8")):
        yield _chat(asked)


def _chat(asked: Mapping[str, Any]) -> Chat:
    has_answer = not str(asked["question_id"]).endswith(WITHOUT_ANSWER)
    evidence = map(str, asked["answer_session_ids"] if has_answer else ())
    question = Question(
        asked["question_type"],
        asked["question"],
        frozenset(evidence),
        parse_time(str(asked.get("question_date") or "")),
    )
    return chat_of(str(asked["question_id"]), list(_messages(asked)), [question])


def _messages(asked: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    sessions = zip(
        asked["haystack_session_ids"],
        asked["haystack_dates"],
        asked["haystack_sessions"],
        strict=True,
    )
    for session_id, date, turns in sessions:
        for turn in turns:
            yield {
                "id": session_id,
                "batch": session_id,
                "role": turn["role"],
                "time": date,
                "text": turn["content"],
            }
