"""ingest of what coding agents, ChatGPT and claude.ai write: as hooks record it, once, and nothing is left out in
silence."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Camillo

TRANSCRIPTS = Path(__file__).parents[1] / "hooks" / "transcripts"
SAID = ["Run the tests", "I run the tests.", "Everything passes now."]


def recorded(camillo: Camillo) -> list[dict[str, Any]]:
    return [event["stated"] for event in camillo.lines("event", "list", "--limit", "1000")]


def texts(camillo: Camillo, actor: str = "") -> list[str]:
    events = recorded(camillo)
    return [each["text"] for each in events if "text" in each and actor in each["actor"]["type"]]


def transcript(client: str, directory: Path, encoding: str = "utf-8") -> Path:
    """The transcript that the tests of hooks record, too."""
    text = (TRANSCRIPTS / f"{client}.jsonl").read_text()
    output = "".join(f"line {number}\\n" for number in range(2000))
    for name, value in {"PROMPT": "Run the tests", "CONTEXT": "", "OUTPUT": output}.items():
        text = text.replace(name, value)
    path = directory / f"{client}.jsonl"
    path.write_text(text, encoding=encoding)
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("client", ["claude-code", "codex", "gemini-cli", "cursor"])
def test_a_session_of_a_coding_agent_is_recorded_as_hooks_record_it(
    camillo: Camillo, tmp_path: Path, client: str, encoding: str
) -> None:
    path = transcript(client, tmp_path, encoding)
    dry = camillo.json("ingest", str(path), "--dry-run")
    told = camillo.json("ingest", str(path))
    assert told["events"] == dry["events"]
    assert (told["failed"], told["files"][0]["format"]) == (0, client)
    assert sorted(texts(camillo)) == sorted(SAID)
    assert texts(camillo, "HUMAN") == ["Run the tests"]
    assert client in recorded(camillo)[0]["tags"]
    if client != "cursor":
        assert told["files"][0]["left_out"]
        assert len(recorded(camillo)) == 5
        assert any(each.get("tool_result", {}).get("artifact_id") for each in recorded(camillo))
    again = camillo.json("ingest", str(path))
    assert (again["events"], again["known"]) == (0, told["events"])


def test_what_is_left_out_is_told_and_no_error(camillo: Camillo, tmp_path: Path) -> None:
    def line(number: int, text: str, **fields: Any) -> dict[str, Any]:
        message = {"role": "user", "content": text}
        return {"type": "user", "uuid": f"u{number}", "sessionId": "x", "message": message, **fields}

    lines = [
        {"type": "summary", "summary": "x", "leafUuid": "1"},
        line(1, "Round half up"),
        line(2, "Caveat: NOISE", isMeta=True),
        line(3, "NOISE of a helper", isSidechain=True),
        line(4, "NOISE summary", isCompactSummary=True),
    ]
    path = tmp_path / "s.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in lines))
    done = camillo.run("ingest", str(path))
    assert done.returncode == 0
    for what in (
        "1 lines that are no messages",
        "1 messages of sub-agents",
        "1 messages that the client wrote",
        "1 summaries of compactions",
    ):
        assert f"note: left out {what}" in done.stderr.splitlines()
    assert texts(camillo) == ["Round half up"]
    assert recorded(camillo)[0]["session_id"] == "x"


def node(name: str, parent: str | None, role: str, content: Any, **fields: Any) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [content]} if isinstance(content, str) else content
    message = {
        "id": name,
        "author": {"role": role},
        "create_time": 1763600001.0 + len(name),
        "content": content,
        **fields,
    }
    return {"id": name, "parent": parent, "children": [], "message": message}


def test_the_branch_in_use_of_an_export_of_chatgpt_is_recorded(camillo: Camillo, tmp_path: Path) -> None:
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file://x"}
    attachments = {"metadata": {"attachments": [{"name": "plan.pdf"}]}}
    hidden = {"metadata": {"is_visually_hidden_from_conversation": True}}
    nodes = [
        node("s", None, "system", "", **hidden),
        node("u", "s", "user", {"content_type": "multimodal_text", "parts": [picture, "slogan? 标语"]}, **attachments),
        node("a", "u", "assistant", "OLDBRANCH"),
        node("t", "u", "assistant", {"content_type": "thoughts", "thoughts": []}),
        node("c", "t", "assistant", {"content_type": "code", "text": "1+1"}, recipient="python"),
        node("o", "c", "tool", {"content_type": "execution_output", "text": "2"}),
        node("b", "o", "assistant", "NEWBRANCH"),
    ]
    chats = [
        {"title": "x", "conversation_id": "c1", "current_node": "b", "mapping": {each["id"]: each for each in nodes}},
        {"title": "empty", "conversation_id": "c2", "mapping": {}},
    ]
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(chats))
    told = camillo.json("ingest", str(path))
    assert (told["failed"], told["files"][0]["format"]) == (0, "chatgpt")
    assert sorted(texts(camillo)) == ["NEWBRANCH", "[image]\nslogan? 标语\n[attachment: plan.pdf]"]
    assert {each["session_id"] for each in recorded(camillo)} == {"c1"}
    left_out = told["files"][0]["left_out"]
    assert left_out["messages of branches that are not in use"] == 1
    assert left_out["conversations without a message"] == 1
    assert len(recorded(camillo)) == 4
    # Without a current node the newest branch is in use.
    del chats[0]["current_node"]
    path.write_text(json.dumps(chats))
    assert camillo.json("ingest", str(path), "--session", "again")["failed"] == 0


def test_an_export_of_claude_ai_is_recorded(camillo: Camillo, tmp_path: Path) -> None:
    def message(name: str, parent: str, sender: str, text: str, **fields: Any) -> dict[str, Any]:
        block = {"type": "text", "text": text}
        return {
            "uuid": name,
            "parent_message_uuid": parent,
            "sender": sender,
            "text": text,
            "content": [block],
            "created_at": "2026-11-20T10:00:00Z",
            **fields,
        }

    attachments = [{"file_name": "notes.txt", "extracted_content": "x"}]
    messages = [
        message("m1", "0", "human", "Name it", attachments=attachments),
        message("m2", "m1", "assistant", "OLDBRANCH"),
        message("m3", "m1", "assistant", "Price 👩‍🚀"),
    ]
    chats = [{"uuid": "c1", "name": "x", "chat_messages": messages}, {"uuid": "c2", "name": "", "chat_messages": []}]
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(chats), encoding="utf-16")
    told = camillo.json("ingest", str(path))
    assert (told["failed"], told["files"][0]["format"]) == (0, "claude-ai")
    assert sorted(texts(camillo)) == ["Name it\n[attachment: notes.txt]", "Price 👩‍🚀"]
    assert told["files"][0]["left_out"] == {
        "conversations without a message": 1,
        "messages of branches that are not in use": 1,
    }


def test_an_unknown_file_is_an_error(camillo: Camillo, tmp_path: Path) -> None:
    for name, content in {"a.json": '{"a": [1]}', "b.jsonl": '{"a": 1}\n{"b": 2}\n', "c.bin": "\0\1"}.items():
        (tmp_path / name).write_text(content)
        done = camillo.run("ingest", str(tmp_path / name))
        assert done.returncode == 1
        assert f"not recorded: {name}" in done.stderr
    assert recorded(camillo) == []
    shutil.rmtree(tmp_path)
