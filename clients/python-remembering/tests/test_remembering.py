"""Both SDKs call a scripted model, with memory around them."""

from __future__ import annotations

import json
import logging
import re
import runpy
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from anthropic import Anthropic, AsyncAnthropic
from openai import APIStatusError, AsyncOpenAI, OpenAI

from camillo_client import Camillo
from camillo_remembering import flush, remembering

HERE = Path(__file__).parents[1]
ANSWER = "You drink tea, 猫."
PIECES = ("You drink ", "tea, ", "猫.")


class Model(ThreadingHTTPServer):
    """Answers the same always, and keeps what it was asked."""

    daemon_threads = True
    asked: list[dict[str, Any]]
    status = 200


def _chat(asked: dict[str, Any]) -> Any:
    told = {"id": "c1", "created": 1, "model": asked["model"], "object": "chat.completion"}
    if not asked.get("stream"):
        message = {"role": "assistant", "content": ANSWER}
        return told | {"choices": [{"index": 0, "finish_reason": "stop", "message": message}]}
    told["object"] = "chat.completion.chunk"
    return [told | {"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]} for piece in PIECES]


def _responses(asked: dict[str, Any]) -> Any:
    text = {"type": "output_text", "text": ANSWER, "annotations": []}
    message = {"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": [text]}
    told = {"id": "r1", "object": "response", "created_at": 1, "model": asked["model"], "status": "completed"}
    whole = told | {"output": [message], "parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
    if not asked.get("stream"):
        return whole
    where = {"type": "response.output_text.delta", "item_id": "m1", "output_index": 0, "content_index": 0}
    deltas = [where | {"delta": piece, "sequence_number": 0, "logprobs": []} for piece in PIECES]
    return [*deltas, {"type": "response.completed", "response": whole, "sequence_number": 9}]


def _messages(asked: dict[str, Any]) -> Any:
    usage = {"input_tokens": 1, "output_tokens": 1}
    told = {"id": "m1", "type": "message", "role": "assistant", "model": asked["model"], "usage": usage}
    if not asked.get("stream"):
        return told | {"content": [{"type": "text", "text": ANSWER}], "stop_reason": "end_turn", "stop_sequence": None}
    start = {"type": "message_start", "message": told | {"content": [], "stop_reason": None, "stop_sequence": None}}
    block = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    kind = {"type": "content_block_delta", "index": 0}
    deltas = [kind | {"delta": {"type": "text_delta", "text": piece}} for piece in PIECES]
    return [start, block, *deltas, {"type": "content_block_stop", "index": 0}, {"type": "message_stop"}]


ANSWERS = {"/v1/chat/completions": _chat, "/v1/responses": _responses, "/v1/messages": _messages}


class Handler(BaseHTTPRequestHandler):
    server: Model

    def do_POST(self) -> None:
        """One answer, or its stream."""
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.asked.append(asked)
        answer = ANSWERS[self.path.partition("?")[0]](asked)
        if isinstance(answer, list):
            events = (f"event: {each.get('type', '')}\ndata: {json.dumps(each)}\n\n" for each in answer)
            body, kind = "".join(events) + ("data: [DONE]\n\n" if "openai" in self.path else ""), "text/event-stream"
        else:
            body, kind = json.dumps(answer), "application/json"
        self.send_response(self.server.status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Model]:
    with Model(("127.0.0.1", 0), Handler) as server:
        server.asked = []
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        base = f"http://127.0.0.1:{server.server_port}"
        for name, value in (("OPENAI_BASE_URL", f"{base}/v1"), ("ANTHROPIC_BASE_URL", base)):
            monkeypatch.setenv(name, value)
            monkeypatch.setenv(name.replace("BASE_URL", "API_KEY"), "any")
        yield server
        server.shutdown()
        thread.join()


def recorded(camillo: Camillo, session: str = "chat") -> list[tuple[str, str]]:
    """The recorded events: who said something, and its text."""
    assert flush(60)
    events = camillo.events.list(session_id=session)
    return [
        (event.stated.actor.id if "HUMAN" in str(event.stated.actor) else "", event.stated.text) for event in events
    ]


QUESTION = "What do I drink, coffee or tea?"
ASKED = [{"role": "user", "content": QUESTION}]
FACT = "Ada drinks tea & <b>never</b> coffee"


def calls(client: Any, *, stream: bool) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The methods of a client that have memory, each with its arguments."""
    if hasattr(client, "responses"):
        yield client.chat.completions.create, {"model": "m", "messages": ASKED, "stream": stream}
        yield client.responses.create, {"model": "m", "input": QUESTION, "instructions": "Be brief.", "stream": stream}
        yield client.responses.create, {"model": "m", "input": ASKED, "stream": stream}
    else:
        yield client.messages.create, {"model": "m", "max_tokens": 9, "messages": ASKED, "stream": stream}
        system = [{"type": "text", "text": "Be brief."}]
        yield (
            client.messages.create,
            {"model": "m", "max_tokens": 9, "messages": ASKED, "system": system, "stream": stream},
        )


def check(model: Model, camillo: Camillo, count: int) -> None:
    """Each call was shown the fact, as data, and recorded once."""
    assert len(model.asked) == count
    for asked in model.asked:
        sent = json.dumps(asked)
        assert "<memory>" in sent
        assert "Ada drinks tea &amp; &lt;b&gt;never&lt;/b&gt; coffee" in sent
        assert sent.count(QUESTION) == 1
    assert ASKED == [{"role": "user", "content": QUESTION}]
    assert recorded(camillo) == [("ada", QUESTION), ("", ANSWER)] * count


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("kind", [OpenAI, Anthropic])
def test_a_call_is_shown_what_is_known_and_recorded(kind: Any, stream: bool, model: Model, camillo: Camillo) -> None:
    camillo.remember(FACT)
    client = remembering(kind(), camillo, session_id="chat", speaker="ada", recall_seconds=60)
    assert type(client) is kind
    count = 0
    for create, named in calls(client, stream=stream):
        answer = create(**named)
        if stream:
            assert len(list(answer)) >= len(PIECES)
        count += 1
    check(model, camillo, count)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("kind", [AsyncOpenAI, AsyncAnthropic])
async def test_an_asynchronous_call_is_shown_what_is_known_and_recorded(
    kind: Any, stream: bool, model: Model, camillo: Camillo
) -> None:
    camillo.remember(FACT)
    client = remembering(kind(), camillo, session_id="chat", speaker="ada", recall_seconds=60)
    count = 0
    for create, named in calls(client, stream=stream):
        answer = await create(**named)
        if stream:
            assert len([event async for event in answer]) >= len(PIECES)
        count += 1
    check(model, camillo, count)
    await client.close()


def test_a_stream_that_is_left_is_recorded_as_far_as_it_came(model: Model, camillo: Camillo) -> None:
    client = remembering(OpenAI(), camillo, session_id="chat")
    with client.chat.completions.create(model="m", messages=ASKED, stream=True) as stream:  # type: ignore[call-overload]
        next(stream)
    assert recorded(camillo) == [("user", QUESTION), ("", PIECES[0])]
    assert stream.response.status_code == 200


def test_errors_of_memory_are_logged_and_never_fail_a_call(
    model: Model, camillo: Camillo, caplog: pytest.LogCaptureFixture
) -> None:
    with Camillo.connect("127.0.0.1:9", key="any", timeout_seconds=0.2) as away:
        client = remembering(OpenAI(), away, session_id="chat", recall_seconds=0.2)
        with caplog.at_level(logging.WARNING, "camillo_remembering"):
            answer = client.chat.completions.create(model="m", messages=ASKED)  # type: ignore[arg-type]
            assert flush(60)
    assert answer.choices[0].message.content == ANSWER
    assert [record.message.partition(":")[0] for record in caplog.records] == [
        "nothing was recalled",
        "a call was not recorded",
    ]
    assert QUESTION not in caplog.text
    assert recorded(camillo) == []


def test_errors_of_the_model_are_its_own_and_nothing_is_recorded(model: Model, camillo: Camillo) -> None:
    client = remembering(OpenAI(max_retries=0), camillo, session_id="chat")
    model.status = 400
    with pytest.raises(APIStatusError):
        client.chat.completions.create(model="m", messages=ASKED)  # type: ignore[arg-type]
    assert recorded(camillo) == []
    model.status = 200
    client.with_options(timeout=30).chat.completions.create(model="m", messages=ASKED)  # type: ignore[arg-type]
    assert recorded(camillo) == [("user", QUESTION), ("", ANSWER)]


def test_one_client_serves_many_people_and_stays_as_it_was(model: Model, camillo: Camillo, user: str) -> None:
    camillo.remember(FACT)
    client, other = OpenAI(), camillo.for_user(f"{user}-other")
    mine = remembering(remembering(client, other, session_id="other"), camillo, session_id="chat", recall_seconds=60)
    for each in (mine, remembering(client, other, session_id="chat"), client):
        each.chat.completions.create(model="m", messages=ASKED)  # type: ignore[arg-type]
    assert ["<memory>" in json.dumps(asked) for asked in model.asked] == [True, False, False]
    assert recorded(camillo) == recorded(other) == [("user", QUESTION), ("", ANSWER)]
    assert recorded(other, "other") == []


def test_results_of_tools_are_no_question(model: Model, camillo: Camillo) -> None:
    camillo.remember(FACT)
    client = remembering(Anthropic(), camillo, session_id="chat")
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "Ada drinks tea"}
    client.messages.create(model="m", max_tokens=9, messages=[{"role": "user", "content": [result]}])  # type: ignore[arg-type, typeddict-item]
    assert "<memory>" not in json.dumps(model.asked)
    assert recorded(camillo) == [("", ANSWER)]


def test_messages_that_can_be_read_once_are_left_to_the_call(model: Model, camillo: Camillo) -> None:
    client = remembering(OpenAI(), camillo, session_id="chat")
    once: Any = iter(ASKED)
    client.chat.completions.create(model="m", messages=once)
    assert model.asked[0]["messages"] == ASKED
    assert recorded(camillo) == [("", ANSWER)]


def test_a_client_without_such_methods_is_refused(camillo: Camillo) -> None:
    with pytest.raises(TypeError, match="object is no client"):
        remembering(object(), camillo, session_id="chat")


PROGRAM = """
import sys
from camillo_client import Camillo
from camillo_remembering import remembering
from openai import OpenAI

client = remembering(OpenAI(), Camillo.connect().for_user(sys.argv[1]), session_id="chat")
client.chat.completions.create(model="m", messages=[{"role": "user", "content": "at the end"}])
"""


def test_a_program_that_ends_has_recorded(model: Model, camillo: Camillo, user: str) -> None:
    subprocess.run([sys.executable, "-c", PROGRAM, user], check=True, timeout=240)  # noqa: S603
    assert recorded(camillo) == [("user", "at the end"), ("", ANSWER)]


def test_the_lines_of_the_readme_run(model: Model, user: str, capsys: pytest.CaptureFixture[str]) -> None:
    [lines] = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text("utf-8"), re.DOTALL)
    # A busy machine may take longer than a second.
    patient = lines.replace('session_id="chat-7"', 'session_id="chat-7", recall_seconds=60')
    exec(patient.replace('"42"', repr(user)), {"__name__": "example"})  # noqa: S102
    assert capsys.readouterr().out == f"{ANSWER}\n{ANSWER}\n"
    assert "I drink tea." in json.dumps(model.asked[1]["messages"][0])


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(HERE / "example.py"), run_name="__main__")
    first, second = capsys.readouterr().out.splitlines()
    assert first == "I know: []"
    assert "ada: I drink tea." in second
